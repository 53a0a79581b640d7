package stage

import (
	"testing"
	"time"

	"tracemerge/model"
)

// A log that states compute in [10,50) and a trace that recorded kernels in
// [20,30) and [45,60), observed in [0,100) and [15,80).
func logAndTrace() *model.Timeline {
	l := logSource(1, 0, 100, at(10, "gpu_compute", model.EdgeStart, ""), at(50, "gpu_compute", model.EdgeEnd, ""))
	t := traceSource(2, interval{Start: 15, End: 80}, row{20, 30, 1, model.SpanKernel, "k"}, row{45, 60, 1, model.SpanKernel, "k"})
	return timeline(0, 100, l, t)
}

func TestOneStageByTwoSources(t *testing.T) {
	d := Analyse(logAndTrace(), "").Differences
	if len(d) != 1 || d[0].Stage != model.StageGPUCompute {
		t.Fatalf("got %+v", d)
	}
	for _, c := range []struct {
		what      string
		got, want time.Duration
	}{{"observed by both", d[0].Common, 65}, {"the log", d[0].InA, 35}, {"the trace", d[0].InB, 25}, {"together", d[0].Together, 15}} {
		if c.got != c.want {
			t.Errorf("%s: got %d, want %d", c.what, c.got, c.want)
		}
	}
}

func TestTheBasisIsChosen(t *testing.T) {
	for _, c := range []struct {
		prefer, want model.SourceKind
		notices      int
	}{{"", model.KindLog, 0}, {model.KindLog, model.KindLog, 0}, {model.KindTrace, model.KindTrace, 0}} {
		a := Analyse(logAndTrace(), c.prefer)
		if got := a.Tables[a.Primary].Basis.Kind; got != c.want || len(a.Notices) != c.notices {
			t.Errorf("%q: got %q with %d notices, want %q with %d", c.prefer, got, len(a.Notices), c.want, c.notices)
		}
	}
	only := timeline(0, 100, logSource(1, 0, 100, at(10, "load", model.EdgeStart, ""), at(50, "load", model.EdgeEnd, "")))
	if a := Analyse(only, model.KindTrace); a.Primary != 0 || len(a.Notices) != 1 {
		t.Errorf("a basis that is not there: primary %d, %d notices; want another one and a word", a.Primary, len(a.Notices))
	}
}
