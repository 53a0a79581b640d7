package progress

import (
	"testing"
	"time"

	"tracemerge/model"
)

const second = int64(time.Second)

// log makes a timeline of one placed log with the marks; times are seconds.
func log(window int64, marks ...model.Mark) *model.Timeline {
	c := &model.Capture{Source: model.Source{ID: 1, Kind: model.KindLog}, Marks: model.MarkRows(marks),
		Domains: []model.Domain{{Kind: model.DomainUnix}}}
	whole := model.Interval[model.ClockTime]{Start: -1 << 60, End: 1 << 60}
	return &model.Timeline{Window: model.Interval[model.Time]{Start: 0, End: model.Time(window * second)},
		Captures: []model.Placed{{Capture: c, Mappings: []model.Mapping{{Placed: true, Segments: []model.Segment{{Valid: whole}}}}}}}
}

func at(s int64, set func(*model.Mark)) model.Mark {
	m := model.Mark{At: model.ClockTime(s * second), From: model.Pos{Source: 1, Line: int32(s) + 1}}
	set(&m)
	return m
}

func accepted(task string, n, rejected int64) func(*model.Mark) {
	return func(m *model.Mark) {
		m.Task, m.Accepted, m.Rejected = model.NewRaw(task), model.Known(n), model.Known(rejected)
	}
}

func TestCounts(t *testing.T) {
	cases := []struct {
		name               string
		marks              []model.Mark
		accepted, rejected model.Maybe[int64]
		errors             model.Maybe[int64]
		first              model.Maybe[time.Duration]
	}{
		{"nothing stated is unknown, not zero", []model.Mark{at(1, func(*model.Mark) {})},
			model.Missing[int64](model.NotRecorded), model.Missing[int64](model.NotRecorded), model.Known[int64](0), model.Missing[time.Duration](model.NotRecorded)},
		{"running totals are not added up", []model.Mark{at(1, accepted("a", 0, 0)), at(2, accepted("a", 1, 0)), at(3, accepted("a", 2, 1))},
			model.Known[int64](2), model.Known[int64](1), model.Known[int64](0), model.Known(2 * time.Second)},
		{"totals of tasks add up", []model.Mark{at(1, accepted("a", 3, 0)), at(2, accepted("b", 4, 2))},
			model.Known[int64](7), model.Known[int64](2), model.Known[int64](0), model.Known(time.Second)},
		{"a total that falls is a restart", []model.Mark{at(1, accepted("a", 5, 0)), at(2, accepted("a", 1, 0)), at(3, accepted("a", 2, 0))},
			model.Known[int64](7), model.Known[int64](0), model.Known[int64](0), model.Known(time.Second)},
		{"what lies before the window does not count", []model.Mark{at(-5, accepted("a", 5, 1)), at(3, accepted("a", 7, 1))},
			model.Known[int64](2), model.Known[int64](0), model.Known[int64](0), model.Known(3 * time.Second)},
		{"what lies after the window does not count", []model.Mark{at(1, accepted("a", 1, 0)), at(11, accepted("a", 9, 0))},
			model.Known[int64](1), model.Known[int64](0), model.Known[int64](0), model.Known(time.Second)},
		{"error records are counted where no total is stated", []model.Mark{at(1, func(m *model.Mark) { m.Error = true }), at(2, func(m *model.Mark) { m.Error = true })},
			model.Missing[int64](model.NotRecorded), model.Missing[int64](model.NotRecorded), model.Known[int64](2), model.Missing[time.Duration](model.NotRecorded)},
		{"a task's stated total does not hide another task's records", []model.Mark{
			at(1, func(m *model.Mark) { m.Task, m.Errors = model.NewRaw("a"), model.Known[int64](0) }),
			at(2, func(m *model.Mark) { m.Task, m.Error = model.NewRaw("a"), true }),
			at(3, func(m *model.Mark) { m.Task, m.Error = model.NewRaw("b"), true })},
			model.Missing[int64](model.NotRecorded), model.Missing[int64](model.NotRecorded), model.Known[int64](1), model.Missing[time.Duration](model.NotRecorded)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := Of(log(10, c.marks...))
			if p.Accepted != c.accepted || p.Rejected != c.rejected || p.Errors != c.errors || p.FirstResult != c.first {
				t.Errorf("got accepted %v rejected %v errors %v first %v\nwant %v %v %v %v", p.Accepted, p.Rejected, p.Errors, p.FirstResult, c.accepted, c.rejected, c.errors, c.first)
			}
		})
	}
}

func TestNoLogIsNoSource(t *testing.T) {
	p := Of(&model.Timeline{})
	if _, ok := p.Errors.Get(); ok || p.Errors.Why() != model.NoSource {
		t.Errorf("errors without a log: %v", p.Errors)
	}
}

func TestRatePerMinute(t *testing.T) {
	p := Of(log(30, at(1, accepted("a", 5, 0))))
	if v, ok := p.AcceptedPerMinute.Get(); !ok || v != 10 {
		t.Errorf("5 in 30 s: %v %v, want 10 a minute", v, ok)
	}
}

func TestThinningKeepsTheEnds(t *testing.T) {
	var marks []model.Mark
	for i := range int64(5000) {
		m := at(0, accepted("a", i, 0))
		m.At = model.ClockTime(i * 1e6)
		marks = append(marks, m)
	}
	p := Of(log(10, marks...))
	if n := len(p.Points); n != pointsKept {
		t.Fatalf("%d points kept, want %d", n, pointsKept)
	}
	if p.Points[0].At != 0 || p.Points[pointsKept-1].At != 4999e6 {
		t.Errorf("ends are %v and %v", p.Points[0].At, p.Points[pointsKept-1].At)
	}
}
