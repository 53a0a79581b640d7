package breakdown

import (
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/device"
	"tracemerge/model/report"
)

// names of the spans below, by index.
const (
	step = iota
	launchCall
	kernel
	loader
	operator
	module
)

func trace(stepEnds []clock, spans ...model.Span) *model.Capture {
	raw := model.NewRaw
	c := &model.Capture{
		Source: model.Source{ID: 1},
		Tracks: []model.Track{
			{ID: 0, Kind: model.TrackDevice, Parent: model.NoTrack, Device: raw("0")},
			{ID: 1, Kind: model.TrackStream, Parent: 0, Name: model.NewText("7", model.ClassCell)},
			{ID: 2, Kind: model.TrackThread, Parent: model.NoTrack},
		},
		Names: []model.Raw{raw("ProfilerStep#0"), raw("cudaLaunchKernel"), raw("k"),
			raw("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"), raw("aten::add"), raw("nn.Module: Net_0")},
		Trace: &model.TraceFacts{},
		Spans: model.SpanRows(spans),
	}
	var begin clock
	for _, end := range stepEnds {
		c.Trace.Steps = append(c.Trace.Steps, model.TraceStep{At: interval{Start: begin, End: end}})
		begin = end
	}
	return c
}

func span(name int32, track model.TrackID, kind model.SpanKind, link int64, start, end clock) model.Span {
	return model.Span{At: interval{Start: start, End: end}, Track: track, Name: name, Kind: kind, Link: link, Offset: int64(start)*100 + int64(name)}
}

func launched(link int64, call, start, end clock) []model.Span {
	return []model.Span{span(launchCall, 2, model.SpanRuntime, link, call, call+2), span(kernel, 1, model.SpanKernel, link, start, end)}
}

// A step of the host from 0 to 100 launches a kernel that ends at 130: the step
// is 130 long, and the next begins there.
func TestStepsEndWithTheirDeviceRecords(t *testing.T) {
	spans := append(launched(1, 10, 90, 130), launched(2, 110, 140, 160)...)
	spans = append(spans, span(loader, 2, model.SpanOperator, model.NoLink, 20, 60), span(operator, 2, model.SpanOperator, model.NoLink, 50, 95),
		span(module, 2, model.SpanPython, model.NoLink, 0, 200))
	c := trace([]clock{100, 150}, spans...)
	got := steps(c, device.BusySets(c), launches(c), streams(c, launches(c)))
	want := []report.StepSplit{
		{At: interval{Start: 0, End: 130}, Records: 1, Parts: [report.StepParts]time.Duration{
			report.StepKernel: 40, report.StepRuntime: 4 - 2, report.StepDataLoader: 40, report.StepOperator: 30, report.StepOther: 18}},
		{At: interval{Start: 130, End: 160}, Records: 1, Parts: [report.StepParts]time.Duration{report.StepKernel: 20, report.StepOther: 10}},
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("step %d:\ngot  %+v\nwant %+v", i, got[i], want[i])
		}
	}
}

func TestTailStepsAreMarked(t *testing.T) {
	for name, test := range map[string]struct{ records, tail []int64 }{
		"none without records":  {[]int64{5, 5, 5}, []int64{0, 0, 0}},
		"the last empty":        {[]int64{5, 5, 0}, []int64{0, 0, 1}},
		"short by over a fifth": {[]int64{10, 10, 7}, []int64{0, 0, 1}},
		"short by a fifth":      {[]int64{10, 10, 8}, []int64{0, 0, 0}},
		"one step":              {[]int64{0}, []int64{0}},
		"no step has records":   {[]int64{0, 0}, []int64{0, 0}},
	} {
		var s []report.StepSplit
		for _, n := range test.records {
			s = append(s, report.StepSplit{Records: n})
		}
		markTail(s)
		for i := range s {
			if s[i].Tail != (test.tail[i] == 1) {
				t.Errorf("%s: step %d is marked %v", name, i, s[i].Tail)
			}
		}
	}
}

func TestIdleCategories(t *testing.T) {
	us := clock(time.Microsecond)
	spans := append(launched(1, 0, 10*us, 20*us), launched(2, 5*us, 30*us, 40*us)...) // launched before 20: kernel wait, 10 us
	spans = append(spans, launched(3, 50*us, 60*us, 70*us)...)                        // launched after 40: host wait, 20 us
	spans = append(spans, span(kernel, 1, model.SpanKernel, 9, 170*us, 180*us))       // no launch, 100 us: other
	spans = append(spans, span(kernel, 1, model.SpanKernel, 9, 171*us, 172*us))       // inside the one before: no gap
	spans = append(spans, span(kernel, 1, model.SpanKernel, 9, 190*us, 191*us))       // no launch, 10 us: kernel wait
	c := trace(nil, spans...)
	got := idle(c, streams(c, launches(c)))
	if len(got) != 1 {
		t.Fatalf("got %d streams, want 1", len(got))
	}
	g := got[0]
	if g.HostWait != 20*time.Microsecond || g.KernelWait != 20*time.Microsecond || g.OtherWait != 100*time.Microsecond || g.NoLaunch != 2 || g.Records != 6 {
		t.Errorf("got %+v", g)
	}
}

// The recorder states its window: what is free before the first and after the
// last record is a gap too, and marked.
func TestGapsReachToTheEndsOfTheWindow(t *testing.T) {
	c := trace(nil, span(kernel, 1, model.SpanKernel, 1, 100, 200), span(kernel, 1, model.SpanKernel, 2, 1500, 1600),
		span(operator, 2, model.SpanOperator, model.NoLink, 150, 700), span(operator, 2, model.SpanOperator, model.NoLink, 600, 900),
		span(loader, 2, model.SpanOperator, model.NoLink, 300, 400))
	c.Trace.Record = interval{Start: 0, End: 10000}
	g := gaps(c, device.BusySets(c))[0]
	if !g.Stated || g.Idle != 100+1300+8400 {
		t.Fatalf("got %+v", g)
	}
	if len(g.Buckets) != 2 || g.Buckets[0] != (report.GapBucket{Below: 1000, N: 1, Total: 100}) || g.Buckets[1] != (report.GapBucket{Below: 10000, N: 2, Total: 9700}) {
		t.Errorf("buckets: got %+v", g.Buckets)
	}
	if l := g.Longest[0]; !l.Edge || l.At.Len() != 8400 || len(l.Kinds) != 0 || l.Before.Offset == 0 || l.After != (model.Pos{}) {
		t.Errorf("the last gap: got %+v", l)
	}
	l := g.Longest[1]
	if l.Edge || l.At != (interval{Start: 200, End: 1500}) || len(l.Kinds) != 1 || l.Kinds[0].Kind != model.SpanOperator || l.Kinds[0].Time != 700 {
		t.Fatalf("the gap between: got %+v", l)
	}
}

func TestNoSpansNoBreakdown(t *testing.T) {
	if b := Of(&model.Capture{}, nil); len(b.Steps)+len(b.Splits)+len(b.Idle)+len(b.Gaps) != 0 {
		t.Errorf("got %+v", b)
	}
	c := trace([]clock{100}, span(operator, 2, model.SpanOperator, model.NoLink, 10, 30))
	b := Of(c, device.BusySets(c))
	if len(b.Splits)+len(b.Gaps) != 0 || len(b.Steps) != 1 || b.Steps[0].Parts[report.StepOperator] != 20 || b.Steps[0].Parts[report.StepOther] != 80 {
		t.Errorf("a trace without device: got %+v", b)
	}
}
