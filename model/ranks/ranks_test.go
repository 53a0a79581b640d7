package ranks

import (
	"testing"
	"time"

	"tracemerge/model"
)

type kernel struct {
	name       string
	start, end model.ClockTime
}

// rank is a trace of one rank; its clock is placed at the offset, or nowhere.
func rank(id model.SourceID, n int64, offset time.Duration, placed bool, steps map[int64]time.Duration, kernels ...kernel) model.Placed {
	c := &model.Capture{Source: model.Source{ID: id}, Trace: &model.TraceFacts{Rank: model.Known(n)}}
	var spans []model.Span
	for i, k := range kernels {
		c.Names = append(c.Names, model.NewRaw(k.name))
		spans = append(spans, model.Span{At: interval{Start: k.start, End: k.end}, Name: int32(i), Kind: model.SpanCommunication})
	}
	c.Spans = model.SpanRows(spans)
	for s, d := range steps {
		c.Trace.Steps = append(c.Trace.Steps, model.TraceStep{N: model.Known(s), At: interval{End: model.ClockTime(d)}})
	}
	m := model.Mapping{Placed: placed, Segments: []model.Segment{{Valid: interval{Start: -1 << 40, End: 1 << 40},
		Offset: model.OffsetRange{Lo: offset, Estimate: offset, Hi: offset}}}}
	return model.Placed{Capture: c, Mappings: []model.Mapping{m}}
}

func timeline(ps ...model.Placed) *model.Timeline { return &model.Timeline{Captures: ps} }

// Rank 1 arrives last: it waits least, and the others by what they held longer.
func TestTheLastToArriveWaitsLeast(t *testing.T) {
	rs := Of(timeline(
		rank(1, 1, 1000, true, nil, kernel{"ncclAllReduce", -920, -900}, kernel{"ncclAllReduce", -820, -800}),
		rank(2, 0, 0, true, nil, kernel{"ncclAllReduce", 50, 100}, kernel{"ncclAllReduce", 190, 200}),
		rank(3, 2, 0, true, nil, kernel{"ncclAllReduce", 10, 100}, kernel{"ncclAllReduce", 170, 200}, kernel{"ncclUnmatched", 0, 1}),
	))
	if len(rs.Ranks) != 3 || rs.Ranks[0].Source != 2 || rs.Alone {
		t.Fatalf("got %+v, want three ranks by number", rs.Ranks)
	}
	c := rs.Collectives[0]
	if !c.Matched || c.Shortest != 30 || c.Waited[0] != 30 || c.Waited[1] != 10 || c.Waited[2] != 90 || c.Last[0] != 1 || c.Last[1] != 1 {
		t.Errorf("got %+v", c)
	}
	if w := rs.Together; w.Calls != 2 || w.Held[2] != 120 || w.Waited[2] != 90 || w.Last[1] != 1 {
		t.Errorf("together: got %+v", w)
	}
}

func TestWhatDoesNotFitIsNotMatched(t *testing.T) {
	a := kernel{"nccl", 0, 10}
	late := kernel{"nccl", 11, 20}
	for name, test := range map[string]struct {
		b       model.Placed
		matched bool
	}{
		"another count":           {rank(2, 1, 0, true, nil, a, late), false},
		"another time":            {rank(2, 1, 0, true, nil, late), false},
		"another time, no clock":  {rank(2, 1, 0, false, nil, late), true},
		"the same time":           {rank(2, 1, 0, true, nil, a), true},
		"the same by its offset":  {rank(2, 1, -11, true, nil, late), true},
		"a rank without the call": {rank(2, 1, 0, true, nil), false},
	} {
		rs := Of(timeline(rank(1, 0, 0, true, nil, a), test.b))
		if got := rs.Collectives[0].Matched; got != test.matched {
			t.Errorf("%s: matched %v, want %v (%+v)", name, got, test.matched, rs.Collectives[0])
		}
	}
}

func TestStepsSideBySide(t *testing.T) {
	rs := Of(timeline(
		rank(1, 0, 0, false, map[int64]time.Duration{3: 100, 4: 110, 9: 5}),
		rank(2, 1, 0, false, map[int64]time.Duration{3: 130, 4: 90}),
		rank(3, 2, 0, false, map[int64]time.Duration{4: 95})))
	if len(rs.Steps) != 2 {
		t.Fatalf("got %+v, want the two steps that two ranks have", rs.Steps)
	}
	if s := rs.Steps[0]; s.N != 3 || s.Slowest != 1 || s.Spread != 30 || s.Length[2].Known() || s.Length[2].Why() != model.NotRecorded {
		t.Errorf("step 3: got %+v", s)
	}
	if s := rs.Steps[1]; s.Slowest != 0 || s.Spread != 20 {
		t.Errorf("step 4: got %+v", s)
	}
}

// Of two traces of one rank neither is taken, and both are named.
func TestARankStatedTwice(t *testing.T) {
	rs := Of(timeline(rank(1, 0, 0, true, nil), rank(2, 1, 0, true, nil), rank(3, 1, 0, true, nil), rank(4, 2, 0, true, nil)))
	if len(rs.Ranks) != 2 || rs.Ranks[1].Source != 4 || len(rs.Repeated) != 2 || rs.Repeated[0].Source != 2 || rs.Repeated[1].Source != 3 {
		t.Errorf("got %+v", rs)
	}
}

func TestOneRankAlone(t *testing.T) {
	rs := Of(timeline(rank(1, 0, 0, true, nil, kernel{"nccl", 0, 10})))
	if !rs.Alone || len(rs.Ranks) != 0 || len(rs.Collectives) != 0 {
		t.Errorf("got %+v, want communication of one rank alone", rs)
	}
	if rs := Of(timeline(rank(1, 0, 0, true, nil))); rs.Alone {
		t.Error("no communication was recorded")
	}
}
