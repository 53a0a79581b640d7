package align

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tracemerge/model"
)

// stepped makes a log with lines "step N" and a trace with ProfilerStep#N; offsets
// are those of the true clock to each file's.
func stepped(r *rand.Rand, logOff, traceOff time.Duration, relative bool) []*model.Capture {
	base := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC).UnixNano()
	l := &model.Capture{Source: model.Source{ID: 1, Kind: model.KindLog, File: model.NewText("app.log", model.ClassFile)}, Domains: []model.Domain{{Kind: model.DomainUnix, Step: time.Millisecond}}}
	tr := &model.Capture{Source: model.Source{ID: 2, Kind: model.KindTrace, File: model.NewText("rank0.json", model.ClassFile)}, Domains: []model.Domain{{Kind: model.DomainUnix, Step: time.Nanosecond}}, Trace: &model.TraceFacts{}}
	if relative {
		tr.Domains[0].Kind = model.DomainRelative
	}
	var marks model.MarkRows
	at := base
	for n := range int64(40) {
		end := at + int64(float64(time.Second)*(.3+.4*r.Float64()))
		marks = append(marks, model.Mark{At: model.ClockTime(end + int64(logOff)), Step: model.Known(n), From: model.Pos{Source: 1, Line: int32(n + 1), Offset: n}})
		if n >= 10 && n < 15 {
			tr.Trace.Steps = append(tr.Trace.Steps, model.TraceStep{N: model.Known(n), Name: model.NewText("ProfilerStep#"+strconv.FormatInt(n, 10), model.ClassOperation),
				At: model.Interval[model.ClockTime]{Start: model.ClockTime(at + int64(traceOff)), End: model.ClockTime(end + int64(traceOff))}})
		}
		at = end
	}
	l.Marks = marks
	l.Domains[0].Valid = model.Interval[model.ClockTime]{Start: marks[0].At, End: marks[39].At + 1}
	l.Window = l.Domains[0].Valid
	s := tr.Trace.Steps
	tr.Domains[0].Valid = model.Interval[model.ClockTime]{Start: s[0].At.Start, End: s[4].At.End}
	tr.Window = tr.Domains[0].Valid
	return []*model.Capture{l, tr}
}

// recount changes the numbers that the log gives its steps; those with a negative
// number are not logged.
func recount(c *model.Capture, count func(n int64) int64) {
	rows := c.Marks.(model.MarkRows)
	for i := range rows {
		n, _ := rows[i].Step.Get()
		rows[i].Step = model.Known(count(n))
	}
	c.Marks = slices.DeleteFunc(rows, func(m model.Mark) bool { n, _ := m.Step.Get(); return n < 0 })
}

// Steps that a log and a trace name bound a trace that counts from an unknown start:
// the truth is inside from wherever the two count, and is never placed by it.
func TestStepsBoundARelativeTrace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	since := func(m int64) func(int64) int64 { return func(n int64) int64 { return n + m } }
	every := func(k, m int64) func(int64) int64 {
		return func(n int64) int64 {
			if (n+m)%k != 0 {
				return -1
			}
			return n + m
		}
	}
	for _, c := range []struct {
		name  string
		count func(int64) int64
		says  bool
	}{
		{"the same numbers", since(0), true}, {"counted from 1", since(1), true}, {"resumed", since(1000), true},
		{"by 2", since(2), true}, {"the profiler began later", since(5), true},
		{"every second", every(2, 0), true}, {"every second, resumed", every(2, 7), true},
		{"every tenth", every(10, 3), false},
		{"resumed in between", func(n int64) int64 {
			if n >= 8 {
				return n - 5
			}
			return n
		}, true},
	} {
		for range 50 {
			off := -time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC).UnixNano() + r.Int64N(int64(time.Hour))
			caps := stepped(r, 0, time.Duration(off), true)
			recount(caps[0], c.count)
			tl := mustAlign(t, caps, nil, Options{})
			m := tl.Captures[1].Mappings[0]
			if m.Placed {
				t.Fatalf("%s: placed", c.name)
			}
			if k := constraintOf(tl, "step_markers"); k == nil || (len(k.Allowed) > 0) != c.says {
				t.Fatalf("%s: %+v", c.name, k)
			}
			truth := -time.Duration(off)
			if c.says && !slices.ContainsFunc(m.Ranges, func(o model.OffsetRange) bool { return o.Lo <= truth && truth <= o.Hi }) {
				t.Fatalf("%s: %v is not in %v", c.name, truth, m.Ranges)
			}
			if last := len(m.Ranges) - 1; c.says && m.Ranges[last].Hi-m.Ranges[0].Lo > time.Minute {
				t.Fatalf("%s: a run of some 20 seconds, and %v is left", c.name, m.Ranges)
			}
		}
	}
}

// A pause tells which step of the log is which of the trace, but for distances with
// which the log begins or ends within the trace.
func TestAPauseTellsTheStepsApart(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	off := -time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC).UnixNano()
	caps := stepped(r, 0, time.Duration(off), true)
	recount(caps[0], func(n int64) int64 { return n + 300 })
	const pause = model.ClockTime(time.Minute)
	rows := caps[0].Marks.(model.MarkRows)
	for i := 13; i < len(rows); i++ {
		rows[i].At += pause
	}
	caps[0].Domains[0].Valid.End += pause
	steps := caps[1].Trace.Steps
	steps[3].At.End += pause
	steps[4].At.Start, steps[4].At.End = steps[4].At.Start+pause, steps[4].At.End+pause
	caps[1].Domains[0].Valid.End += pause
	tl := mustAlign(t, caps, nil, Options{})
	m := tl.Captures[1].Mappings[0]
	for _, p := range tl.Clocks.Tighten { // no zone leads a count from an unknown start anywhere
		if text, _ := p.Format(); strings.Contains(text, "zone") {
			t.Errorf("what would help: %q", text)
		}
	}
	truth := -time.Duration(off)
	k := slices.IndexFunc(m.Ranges, func(o model.OffsetRange) bool { return o.Lo <= truth && truth <= o.Hi })
	if k < 0 || len(m.Ranges) > 3 || m.Ranges[k].Hi-m.Ranges[k].Lo > 10*time.Second {
		t.Errorf("%v is not alone within 10 s in %v", truth, m.Ranges)
	}
}

func TestStepsCheckPlacedClocks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		off  time.Duration
		want model.ConstraintUse
	}{{0, model.ConstraintAgrees}, {time.Minute, model.ConstraintContradicted}, {-time.Minute, model.ConstraintContradicted}} {
		tl := mustAlign(t, stepped(r, c.off, 0, false), nil, Options{})
		if k := constraintOf(tl, "step_markers"); k == nil || k.Use != c.want || len(k.From) == 0 {
			t.Errorf("a log that is off by %v: %+v, want %s", c.off, k, c.want)
		}
	}
}
