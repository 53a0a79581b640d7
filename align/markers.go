package align

import (
	"context"
	"time"

	"tracemerge/model"
)

// markers compares the lines of logs that carry a marker with the ranges of traces
// that carry the same: the job writes the line within the range. A marker counts
// where each of the two files has it once, so that no line stands for another's.
func (e *evidence) markers(context.Context) error {
	for i := range e.a.tl.Captures {
		l := &e.a.tl.Captures[i]
		if l.Source.Kind != model.KindLog || len(l.Markers) == 0 {
			continue
		}
		lines := single(l.Markers)
		for k := range e.a.tl.Captures {
			t := &e.a.tl.Captures[k]
			if t.Trace == nil || len(t.Markers) == 0 {
				continue
			}
			ranges := single(t.Markers)
			for j := range l.Domains {
				e.shared(l, t, e.a.ref(i, j), k, lines, ranges)
			}
		}
	}
	return nil
}

// single lists the markers that a file has once, by name.
func single(all []model.Marker) map[model.Raw]model.Marker {
	out := map[model.Raw]model.Marker{}
	again := map[model.Raw]bool{}
	for _, m := range all {
		if _, has := out[m.Name]; has {
			again[m.Name] = true
		}
		out[m.Name] = m
	}
	for name := range again {
		delete(out, name)
	}
	return out
}

// shared adds what the markers of one clock of a log and of a trace say.
func (e *evidence) shared(l, t *model.Placed, log model.ClockRef, trace int, lines, ranges map[model.Raw]model.Marker) {
	lo, hi := model.OpenLow, model.OpenHigh
	n := 0
	var from []model.Pos
	for _, line := range l.Markers { // in file order, so that the places are the same every time
		_, once := lines[line.Name]
		at, has := ranges[line.Name]
		if !once || !has || line.Domain != log.Domain {
			continue
		}
		n++
		if len(from) < 4 {
			from = append(from, line.From, at.From)
		}
		// offset(log) - offset(trace): the line's true time lies in the range.
		lo = max(lo, time.Duration(at.At.Start-line.At.End))
		hi = min(hi, time.Duration(at.At.End-line.At.Start))
	}
	if n == 0 {
		return
	}
	c := model.Constraint{Rule: "marker", Strength: model.StrengthCausal, A: log, B: e.a.ref(trace, 0), From: from}
	if !e.steady(log) {
		c.What = model.Say("{} marker(s) stand in {} and in {}: the log's clock changes, or may change, between summer and winter time within it", n, l.Source.File, t.Source.File)
	} else if lo > hi {
		c.What = model.Say("{} marker(s) stand in {} and in {}, at distances that do not fit: the clocks drift or were set between them, or the lines were not written within the ranges", n, l.Source.File, t.Source.File)
	} else {
		c.Allowed = between(lo, hi)
		c.What = model.Say("{} marker(s) stand in {} and in {}: each line was written within the range of the same name", n, l.Source.File, t.Source.File)
	}
	e.add(c)
}
