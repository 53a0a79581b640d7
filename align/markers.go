package align

import (
	"context"
	"strconv"
	"strings"
	"time"

	"tracemerge/model"
)

// exports bounds a trace by the export time in its file's name, as PyTorch's
// trace handler writes it (worker.1623143089861.pt.trace.json: milliseconds or
// nanoseconds since 1970): no record is later. A hint, since files are renamed.
func (e *evidence) exports(context.Context) error {
	for i := range e.a.tl.Captures {
		p := &e.a.tl.Captures[i]
		j, ok := oneClock(p)
		if p.Source.Kind != model.KindTrace || !ok || !e.a.tl.UTC {
			continue
		}
		at, ok := exportTime(p.Source.File.Raw.Reveal())
		if !ok {
			continue
		}
		last := validOf(p.Capture, &p.Domains[j]).End - 1
		e.add(model.Constraint{Rule: "export_time", Strength: model.StrengthHint, A: e.a.ref(i, j),
			Allowed: between(model.OpenLow, time.Duration(at)-time.Duration(last)), From: []model.Pos{{Source: p.Source.ID}},
			What: model.Say("the name of {} states its export time, {}: its records are earlier", p.Source.File, at)})
	}
	return nil
}

// exportTime finds milliseconds or nanoseconds since 1970 among the parts of a file
// name, from 2001 to 2286.
func exportTime(name string) (model.Time, bool) {
	name = name[strings.LastIndexByte(name, '/')+1:]
	if !strings.Contains(name, ".pt.trace.json") {
		return 0, false
	}
	for _, part := range strings.Split(name, ".") {
		v, err := strconv.ParseInt(part, 10, 64)
		switch {
		case err != nil:
		case len(part) == 13:
			return model.Time(v * int64(time.Millisecond)), true
		case len(part) == 19:
			return model.Time(v), true
		}
	}
	return 0, false
}

const (
	// written is how long after the end of a step its line may still be written: a
	// logger's buffer. It is generous, as it only bounds one side.
	written = 5 * time.Second
	// early is how far a line may lie before the start of its step: the resolution of
	// two recorders of one host.
	early = 10 * time.Millisecond
	// stepsNeeded is how many steps of one number must be in both files.
	stepsNeeded = 2
)

// steps compares lines of a log that name a step with the steps of a profiler: a line
// that names step N is not written before step N began, nor long after it ended. The
// two may count from 0 and from 1, so a step more or less is allowed for on either
// side. That they count the same steps is an assumption: a log that counts on from an
// earlier run, or counts parts of a step, names others by the same numbers.
func (e *evidence) steps(context.Context) error {
	for i := range e.a.tl.Captures {
		l := &e.a.tl.Captures[i]
		lj, ok := oneClock(l)
		if l.Source.Kind != model.KindLog || l.Marks == nil || !ok {
			continue
		}
		named := namedSteps(l)
		for k := range e.a.tl.Captures {
			t := &e.a.tl.Captures[k]
			tj, ok := oneClock(t)
			if t.Trace == nil || !ok || len(named) == 0 || len(t.Trace.Steps) == 0 {
				continue
			}
			e.stepsOf(l, t, e.a.ref(i, lj), e.a.ref(k, tj), named)
		}
	}
	return nil
}

// A namedStep is where a log names a step: its first and its last line.
type namedStep struct {
	first, last model.ClockTime
	from        model.Pos
}

func namedSteps(p *model.Placed) map[int64]namedStep {
	out := map[int64]namedStep{}
	for m := range p.Marks.All() {
		n, ok := m.Step.Get()
		if !ok {
			continue
		}
		s, seen := out[n]
		if !seen {
			s = namedStep{m.At, m.At, m.From}
		}
		s.first, s.last = min(s.first, m.At), max(s.last, m.At)
		out[n] = s
	}
	return out
}

func (e *evidence) stepsOf(l, t *model.Placed, log, trace model.ClockRef, named map[int64]namedStep) {
	lo, hi := model.OpenLow, model.OpenHigh
	found := 0
	var from []model.Pos
	for _, s := range t.Trace.Steps {
		n, ok := s.N.Get()
		line, has := named[n]
		if !ok || !has {
			continue
		}
		long := s.At.Len()
		found++
		if len(from) < 4 {
			from = append(from, line.from, s.From)
		}
		// offset(log) - offset(trace)
		lo = max(lo, time.Duration(s.At.Start-line.first)-long-early)
		hi = min(hi, time.Duration(s.At.End-line.last)+long+written)
	}
	c := model.Constraint{Rule: "step_markers", Strength: model.StrengthStatistical, A: log, B: trace, From: from, Assumed: true}
	switch {
	case found < stepsNeeded:
		return
	case lo > hi:
		c.What = model.Say("{} steps are named by {} and by {}, at distances that do not fit: the numbers do not stand for the same steps", found, l.Source.File, t.Source.File)
	default:
		c.Allowed = between(lo, hi)
		c.What = model.Say("{} steps are named by {} and by {}, and are taken for the same steps, counted from 0 or from 1 (not where one of them counts on from an earlier run or in parts of a step): a line is written after its step began and at most {} after it ended, a step more or less", found, l.Source.File, t.Source.File, written)
	}
	e.add(c)
}
