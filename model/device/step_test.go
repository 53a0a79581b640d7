package device

import (
	"math/rand/v2"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

func withSteps(c *model.Capture, steps ...interval) *model.Capture {
	c.Trace = &model.TraceFacts{}
	for n, at := range steps {
		c.Trace.Steps = append(c.Trace.Steps, model.TraceStep{N: model.Known(int64(n)), At: at})
	}
	return c
}

func coverage(c *model.Capture) ([]report.StepDevice, []report.TraceDevice) {
	sets := BusySets(c)
	rows := TabulateSets(sets)
	return Coverage(c, sets, rows), rows
}

func TestAStepWithoutRecordsIsNotIdle(t *testing.T) {
	launch := span(5, model.SpanRuntime, 62, 63)
	cases := []struct {
		rule  string
		tweak func(c *model.Capture)
		want  model.Reason // of step 1 on device 10
	}{
		{"nothing launched", func(*model.Capture) {}, model.NotRecorded},
		{"launched, without a record", func(c *model.Capture) {
			c.Names = []model.Raw{model.NewRaw("hipModuleLaunchKernel")}
			c.Spans = model.SpanRows(append(c.Spans.(model.SpanRows), launch))
		}, model.KernelRecordMissing},
		{"a call that launches nothing", func(c *model.Capture) {
			c.Names = []model.Raw{model.NewRaw("cudaEventQuery")}
			c.Spans = model.SpanRows(append(c.Spans.(model.SpanRows), launch))
		}, model.NotRecorded},
		{"outside the recorder's window", func(c *model.Capture) { c.Trace.Record = interval{Start: 0, End: 55} }, model.ProfilerNotRecording},
		{"a file that is cut off", func(c *model.Capture) { c.Truncated = true }, model.TruncatedFile},
	}
	for _, tc := range cases {
		t.Run(tc.rule, func(t *testing.T) {
			c := withSteps(capture(span(1, model.SpanKernel, 5, 20), span(2, model.SpanCommunication, 15, 30), span(1, model.SpanMemcpy, 45, 55)),
				interval{Start: 10, End: 50}, interval{Start: 60, End: 90})
			tc.tweak(c)
			table, rows := coverage(c)
			if len(table) != 2 || rows[0].StepsSeen != 1 {
				t.Fatalf("got %d rows and %d steps seen, want 2 and 1", len(table), rows[0].StepsSeen)
			}
			want := report.StepWork{Busy: 25, Idle: 15, Kernel: 20, Comm: 15, Memcpy: 5}
			if got, _ := table[0].Work.Get(); got != want || table[0].Kernels != 2 || table[0].Records != 3 {
				t.Errorf("step 0: got %+v, %d kernels of %d records; want %+v, 2 of 3", got, table[0].Kernels, table[0].Records, want)
			}
			if s := table[1]; s.Work.Known() || s.Work.Why() != tc.want || s.Records != 0 {
				t.Errorf("step 1: got %+v, want missing: %v", s, tc.want)
			}
		})
	}
}

func TestARecordWithoutLengthIsSeen(t *testing.T) {
	table, _ := coverage(withSteps(capture(span(1, model.SpanKernel, 10, 10), span(1, model.SpanKernel, 20, 20)), interval{Start: 10, End: 20}))
	if got, ok := table[0].Work.Get(); !ok || table[0].Records != 1 || got.Busy != 0 || got.Idle != 10 {
		t.Errorf("got %+v, %d records; want the one at 10, which takes no time", got, table[0].Records)
	}
}

func TestNoStepOrNoDeviceGivesNoTable(t *testing.T) {
	for _, c := range []*model.Capture{capture(span(1, model.SpanKernel, 1, 2)), withSteps(capture(span(1, model.SpanKernel, 1, 2))),
		withSteps(capture(), interval{Start: 1, End: 2}), withSteps(&model.Capture{}, interval{Start: 1, End: 2})} {
		if table, _ := coverage(c); table != nil {
			t.Errorf("got %+v, want none", table)
		}
	}
}

// TestCoverageAgreesWithCounting compares with looking at every record in every
// step; the steps may overlap, as those of several recorders do.
func TestCoverageAgreesWithCounting(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		var spans []model.Span
		for range 1 + r.IntN(20) {
			start := model.ClockTime(r.IntN(90))
			track := []model.TrackID{1, 2, 4}[r.IntN(3)]
			spans = append(spans, span(track, []model.SpanKind{model.SpanKernel, model.SpanMemset}[r.IntN(2)], start, start+model.ClockTime(r.IntN(8))))
		}
		var steps []interval
		for at := model.ClockTime(0); at < 90; at += model.ClockTime(1 + r.IntN(30)) {
			steps = append(steps, interval{Start: at, End: at + model.ClockTime(r.IntN(40))})
		}
		c := withSteps(capture(spans...), steps...)
		table, rows := coverage(c)
		for _, s := range table {
			at, name := steps[s.Step], rows[s.Device].Device.Raw.Reveal()
			var records, kernels int64
			var busy [200]bool
			for _, sp := range spans {
				if c.Tracks[c.Tracks[sp.Track].Parent].Device.Reveal() != name {
					continue
				}
				if in := sp.At.Overlaps(at) || sp.At.Empty() && at.Contains(sp.At.Start); in {
					records++
					if sp.Kind == model.SpanKernel {
						kernels++
					}
				}
				for i := max(sp.At.Start, at.Start); i < min(sp.At.End, at.End); i++ {
					busy[i] = true
				}
			}
			var n time.Duration
			for _, b := range busy {
				if b {
					n++
				}
			}
			w, known := s.Work.Get()
			if s.Records != records || s.Kernels != kernels || known != (records > 0) || known && (w.Busy != n || w.Busy+w.Idle != at.Len()) {
				t.Fatalf("step %v, device %s of %+v: got %+v, want %d records, %d kernels, busy %d", at, name, spans, s, records, kernels, n)
			}
		}
	}
}

func TestOverlapsOnOneStream(t *testing.T) {
	k := model.SpanKernel
	cases := []struct {
		rule  string
		spans []model.Span
		n     int64
		time  time.Duration
	}{
		{"one after the other", []model.Span{span(1, k, 0, 5), span(1, k, 5, 9)}, 0, 0},
		{"two together", []model.Span{span(1, k, 0, 5), span(1, k, 3, 9)}, 1, 2},
		{"communication is a kernel", []model.Span{span(1, k, 0, 5), span(1, model.SpanCommunication, 3, 4)}, 1, 1},
		{"other streams do not count", []model.Span{span(1, k, 0, 5), span(2, k, 3, 9)}, 0, 0},
		{"copies do not count", []model.Span{span(1, k, 0, 5), span(1, model.SpanMemcpy, 3, 9)}, 0, 0},
		{"a long one over two", []model.Span{span(1, k, 0, 20), span(1, k, 3, 4), span(1, k, 8, 9)}, 2, 2},
		{"out of order", []model.Span{span(1, k, 8, 9), span(1, k, 3, 4), span(1, k, 0, 20)}, 2, 2},
		{"together, the longer first in the file", []model.Span{span(1, k, 0, 20), span(1, k, 0, 0)}, 0, 0},
		{"together, the shorter first in the file", []model.Span{span(1, k, 0, 0), span(1, k, 0, 20)}, 0, 0},
		{"two devices, two streams each", []model.Span{span(1, k, 0, 5), span(2, k, 0, 5), span(1, k, 4, 5), span(2, k, 1, 5), span(4, k, 0, 3)}, 2, 5},
	}
	for _, c := range cases {
		d := Tabulate(capture(c.spans...))[0]
		if d.Overlaps != c.n || d.OverlapTime != c.time {
			t.Errorf("%s: got %d with %v, want %d with %v", c.rule, d.Overlaps, d.OverlapTime, c.n, c.time)
		}
	}
}
