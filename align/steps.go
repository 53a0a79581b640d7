package align

import (
	"cmp"
	"context"
	"slices"
	"time"

	"tracemerge/align/network"
	"tracemerge/model"
)

const (
	// written is how long after the end of a step its line may still be written: a
	// logger's buffer. It is generous, as it only bounds one side.
	written = 5 * time.Second
	// early is how far a line may lie before the start of its step: the resolution of
	// two recorders of one host.
	early = 10 * time.Millisecond
	// stepsNeeded is how many steps both files must name.
	stepsNeeded = 2
	// maxComparisons bounds the pairs of a line and a step that are compared for two
	// files: a log of 40,000 steps with a trace of a hundred.
	maxComparisons = 4_000_000
)

// steps compares lines of a log that name a step with the steps of a profiler: a
// line that names a step is not written before that step began, nor long after it
// ended. A profiler counts from its own start and a log often from elsewhere (from 1,
// from a checkpoint, from before the profiler was started), so that each distance
// between the two counts is possible with which the files have a step in common; what
// is left is the union over them. That the log counts the same steps, and not parts
// of them, is assumed.
func (e *evidence) steps(ctx context.Context) error {
	for i := range e.a.tl.Captures {
		l := &e.a.tl.Captures[i]
		if l.Source.Kind != model.KindLog || l.Marks == nil {
			continue
		}
		counts := countsOf(l)
		if len(counts) > 1 {
			e.add(model.Constraint{Rule: "step_markers", Strength: model.StrengthStatistical, A: counts[0].clock(l), From: []model.Pos{counts[0].lines[0].from, counts[1].lines[0].from},
				What: model.Say("steps are named by {} on several clocks, or pieces of one: nothing says on which of them those of a trace are", l.Source.File)})
		}
		if len(counts) != 1 || len(counts[0].lines) < stepsNeeded {
			continue
		}
		if !e.steady(counts[0].clock(l)) {
			e.add(model.Constraint{Rule: "step_markers", Strength: model.StrengthStatistical, A: counts[0].clock(l), From: []model.Pos{counts[0].lines[0].from},
				What: model.Say("steps are named by {}, and its clock changes, or may change, between summer and winter time within it", l.Source.File)})
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		e.stepsWith(l, counts[0].clock(l), counts[0].lines)
	}
	return nil
}

// A count is the steps that a log names on one clock.
type count struct {
	on    model.DomainID
	lines []stepLines
}

func (c count) clock(l *model.Placed) model.ClockRef {
	return model.ClockRef{Source: l.Source.ID, Domain: c.on}
}

// countsOf lists the steps that a log names, by the clocks on which it does.
func countsOf(l *model.Placed) []count {
	var out []count
	for _, d := range l.Domains {
		if lines := linesOfSteps(l, d.ID); len(lines) > 0 && d.Kind != model.DomainNone {
			out = append(out, count{d.ID, lines})
		}
	}
	return out
}

// stepsWith compares the lines of a log with every trace.
func (e *evidence) stepsWith(l *model.Placed, log model.ClockRef, lines []stepLines) {
	for k := range e.a.tl.Captures {
		t := &e.a.tl.Captures[k]
		j, ok := oneClock(t)
		if t.Trace == nil || !ok {
			continue
		}
		if steps := numbered(t.Trace.Steps); len(steps) >= stepsNeeded {
			e.shifts(l, t, log, e.a.ref(k, j), lines, steps)
		}
	}
}

// A stepLines is where a log names one step: its first and its last line.
type stepLines struct {
	number      int64
	first, last model.ClockTime
	from        model.Pos
}

// linesOfSteps lists the steps that a log names on one clock, by number. A number that a line names
// after one that is greater by two or more is left out: the line looks back, or the
// count starts again.
func linesOfSteps(p *model.Placed, on model.DomainID) []stepLines {
	at := map[int64]int{}
	var out []stepLines
	back := map[int64]bool{}
	greatest := int64(0)
	for m := range p.Marks.All() {
		n, ok := m.Step.Get()
		if !ok || m.Domain != on || !countable(n) {
			continue
		}
		if len(out) > 0 && n < greatest-1 {
			back[n] = true
		}
		k, seen := at[n]
		if !seen {
			k = len(out)
			at[n], out = k, append(out, stepLines{n, m.At, m.At, m.From})
		}
		out[k].first, out[k].last = min(out[k].first, m.At), max(out[k].last, m.At)
		greatest = max(greatest, n)
	}
	out = slices.DeleteFunc(out, func(l stepLines) bool { return back[l.number] })
	slices.SortFunc(out, func(a, b stepLines) int { return cmp.Compare(a.number, b.number) })
	return out
}

// numbered lists the steps of a profiler that have a number of their own, by number.
func numbered(all []model.TraceStep) []model.TraceStep {
	var out []model.TraceStep
	for _, s := range all {
		if n, ok := s.N.Get(); ok && countable(n) {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b model.TraceStep) int { return cmp.Compare(number(a), number(b)) })
	return out
}

// countable reports whether a number can be that of a step.
func countable(n int64) bool { return n >= 0 && n < 1<<40 }

// number is that of a step of numbered.
func number(s model.TraceStep) int64 {
	n, _ := s.N.Get()
	return n
}

// shifts adds what the steps of a log and of a trace say about their clocks.
func (e *evidence) shifts(l, t *model.Placed, log, trace model.ClockRef, lines []stepLines, steps []model.TraceStep) {
	c := model.Constraint{Rule: "step_markers", Strength: model.StrengthStatistical, A: log, B: trace, Assumed: true,
		From: []model.Pos{lines[0].from, lines[len(lines)-1].from, steps[0].From, steps[len(steps)-1].From}}
	first, last := number(steps[0]), number(steps[len(steps)-1])
	low, high := lines[0].number-last, lines[len(lines)-1].number-first
	var union []network.Range
	if high-low >= maxComparisons/int64(len(steps)) {
		c.What = model.Say("steps are named by {} and by {}: too many to compare each distance between the two counts", l.Source.File, t.Source.File)
		e.add(c)
		return
	}
	for m := low; m <= high; m++ {
		r, n := shifted(lines, steps, m)
		switch {
		case n == 0 && lines[0].number <= first+m && last+m <= lines[len(lines)-1].number:
			c.What = model.Say("steps are named by {} and by {}: the log names too few to have one in common with the trace however the two count", l.Source.File, t.Source.File)
			e.add(c)
			return
		case n > 0 && r.Lo <= r.Hi:
			union = append(union, r)
		}
	}
	c.Allowed = durations(network.United(union))
	if len(union) == 0 {
		c.What = model.Say("steps are named by {} and by {}, at distances that do not fit however the two count: they do not count the same steps", l.Source.File, t.Source.File)
	} else {
		c.What = model.Say("{} and {} name steps, and are taken to count the same ones, from any start: with {} of {} distances between the two counts every line is written after its step began and at most {} after it ended",
			l.Source.File, t.Source.File, len(union), high-low+1, written)
	}
	e.add(c)
}

// shifted is the range of offset(log) - offset(trace) where the log counts m more than
// the trace, and the number of steps on which it rests.
func shifted(lines []stepLines, steps []model.TraceStep, m int64) (network.Range, int) {
	r := network.Range{Lo: network.Low, Hi: network.High}
	n := 0
	for _, s := range steps {
		k, has := slices.BinarySearchFunc(lines, number(s)+m, func(l stepLines, want int64) int { return cmp.Compare(l.number, want) })
		if !has {
			continue
		}
		n++
		r.Lo = max(r.Lo, int64(s.At.Start-lines[k].first)-int64(early))
		r.Hi = min(r.Hi, int64(s.At.End-lines[k].last)+int64(written))
	}
	return r, n
}
