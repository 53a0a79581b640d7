package hypothesis

import (
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// sampledEvery is a run of 100 steps of the given length, one after the other, and
// a sampler with the given period.
func sampledEvery(step, period time.Duration) (*report.Run, *model.Timeline) {
	w := report.Waterfall{Basis: report.Basis{Placed: true}, By: "step"}
	at := model.Time(0)
	for range 100 {
		w.Spans = append(w.Spans, model.Interval[model.Time]{Start: at, End: at + model.Time(step)})
		at += model.Time(step)
	}
	run := staged(nil)
	run.Waterfalls = []report.Waterfall{w}
	var rows model.SampleRows
	for t := period / 3; model.Time(t) < at; t += period {
		rows = append(rows, model.Sample{At: model.ClockTime(t), Value: model.Known(50.0), Offset: int64(t), Line: int32(len(rows) + 1)})
	}
	c := &model.Capture{Source: model.Source{ID: 2, Kind: model.KindSMI}, Domains: []model.Domain{{Kind: model.DomainUnix}}, Samples: rows,
		Tracks: []model.Track{{Kind: model.TrackDevice, Device: model.NewRaw("0")}}, Metrics: []model.Metric{{Role: model.RoleGPUBusy}}}
	whole := model.Interval[model.ClockTime]{Start: -1 << 60, End: 1 << 60}
	return run, &model.Timeline{Captures: []model.Placed{{Capture: c, Mappings: []model.Mapping{{Placed: true, Segments: []model.Segment{{Valid: whole}}}}}}}
}

func TestSamplerInStepWithTheWork(t *testing.T) {
	for _, c := range []struct {
		name         string
		step, period time.Duration
		want         report.State
	}{
		{"a sample in every step at the same place", time.Second, time.Second, report.Supported},
		{"a sample in every second step", time.Second, 2 * time.Second, report.Supported},
		{"a beating period", time.Second, 1030 * time.Millisecond, report.NotSupported},
		{"ten samples in a step", time.Second, 100 * time.Millisecond, report.NotSupported},
		{"too few samples", time.Second, 20 * time.Second, report.NotEvaluated},
	} {
		run, tl := sampledEvery(c.step, c.period)
		h := state(t, run, tl, "sampling_locked")
		if h.State != c.want {
			t.Errorf("%s: %s, want %s", c.name, h.State, c.want)
		}
		if c.want == report.NotEvaluated && len(h.Missing) == 0 {
			t.Errorf("%s: abstains without saying what is missing", c.name)
		}
	}
	run, tl := sampledEvery(time.Second, time.Second)
	run.Waterfalls[0].Spans[3].End += model.Time(time.Second)
	if h := state(t, run, tl, "sampling_locked"); h.State != report.NotEvaluated {
		t.Errorf("steps that overlap: %s, want that it abstains", h.State)
	}
}
