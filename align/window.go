package align

import (
	"tracemerge/model"
)

// window chooses the observation window: the declared ends, the others from the
// records of the sources that observe the job.
//
// An undeclared end is the reading of the last record itself, so that a job
// logged from 0 s to 100 s has a window of 100 s; a record at the very end of
// the window therefore belongs to it although the interval is half-open.
func (a *aligner) window() error {
	hull, by, any := a.recordsHull()
	w, d := hull, a.decl
	from, hasFrom := d.Window.Start, d.HasStart
	to, hasTo := d.Window.End, d.HasEnd
	at := model.Pos{Source: d.Source}
	fromFlag, toFlag := a.opt.HasFrom, a.opt.HasTo
	if fromFlag {
		from, hasFrom = a.opt.From, true
	}
	if toFlag {
		to, hasTo = a.opt.To, true
	}
	if fromFlag || toFlag {
		at = model.Pos{}
	}
	if hasFrom && hasTo && to <= from {
		return &DeclarationError{At: at, Text: model.Say("the window ends at {}, which is not after its start at {}", to, from)}
	}
	if (hasFrom || hasTo) && !a.tl.UTC {
		a.note("align/window-not-applied", model.Note, at, model.Say(
			"the declared window is in UTC and no source is: it cannot be applied; declare a zone or an offset for one source"))
		hasFrom, hasTo = false, false
	}
	if hasFrom {
		w.Start = from
	}
	if hasTo {
		w.End = to
	}
	if !any && hasFrom != hasTo { // one end alone bounds nothing
		w = model.Interval[model.Time]{}
		by = model.Say("only one end is declared, and no placed record could give the other")
		hasFrom, hasTo = false, false
	}
	if w.End < w.Start {
		w.End = w.Start
	}
	a.tl.Window = w
	origin := func(flag, has bool) model.Phrase {
		switch {
		case flag && has:
			return model.Say("by option")
		case has:
			return model.Say("declared in run.yaml")
		}
		return by
	}
	switch {
	case !hasFrom && !hasTo:
		a.tl.WindowBy = by
	default:
		a.tl.WindowBy = model.Say("start: {}; end: {}", origin(fromFlag, hasFrom), origin(toFlag, hasTo))
		a.touched(w, at)
	}
	return nil
}

// recordsHull is the hull of the records of all placed logs and traces; without
// any, that of the samplers.
func (a *aligner) recordsHull() (hull model.Interval[model.Time], by model.Phrase, any bool) {
	job := func(p model.Placed) bool { return p.Marks != nil || p.Spans != nil || p.Source.Kind == model.KindLog }
	for _, want := range [2]bool{true, false} {
		for _, p := range a.tl.Captures {
			if job(p) != want {
				continue
			}
			if h, ok := hullOf(p); ok {
				if !any {
					hull = h
				}
				hull.Start, hull.End = min(hull.Start, h.Start), max(hull.End, h.End)
				any = true
			}
		}
		if !any {
			continue
		}
		if hull.End == hull.Start {
			hull.End++ // a single record: the shortest window that holds it
		}
		if want {
			return hull, model.Say("from the first to the last record of the placed logs and traces; nothing else was declared"), true
		}
		return hull, model.Say("from the first to the last record of the placed samplers, as no log or trace is placed; nothing else was declared"), true
	}
	return hull, model.Say("no source has a clock that could give a window"), false
}

// hullOf is the placed first to last reading of a source, and the starts that its
// records state by durations. A single reading gives Start == End.
func hullOf(p model.Placed) (hull model.Interval[model.Time], ok bool) {
	for j, m := range p.Mappings {
		if !m.Placed {
			continue
		}
		valid := p.Domains[j].Valid
		if valid.Empty() {
			valid = validOf(p.Capture, &p.Domains[j])
		}
		for _, s := range m.Segments {
			in := s.Valid.Intersect(valid)
			if in.Empty() {
				continue
			}
			first := model.Time(in.Start) + model.Time(s.Offset.Estimate)
			last := model.Time(in.End-1) + model.Time(s.Offset.Estimate)
			if !ok {
				hull = model.Interval[model.Time]{Start: first, End: last}
			}
			hull.Start, hull.End, ok = min(hull.Start, first), max(hull.End, last), true
		}
	}
	if ok {
		hull.Start = min(hull.Start, begun(p, hull.Start))
	}
	return hull, ok
}

// begun is the earliest start that a record states by a duration: the record of a
// whole stage is written at its end. Without one it is first.
func begun(p model.Placed, first model.Time) model.Time {
	if p.Marks == nil {
		return first
	}
	for m := range p.Marks.All() {
		d, known := m.Duration.Get()
		if m.Edge != model.EdgeWhole || !known {
			continue
		}
		if at, _, ok := p.At(m.Domain, m.At); ok {
			first = min(first, at-model.Time(d))
		}
	}
	return first
}

// touched notes a window that no placed source has a record in or around.
func (a *aligner) touched(w model.Interval[model.Time], at model.Pos) {
	for _, p := range a.tl.Captures {
		if h, ok := hullOf(p); ok && h.Start <= w.End && h.End >= w.Start {
			return
		}
	}
	a.note("align/window-touches-nothing", model.DataLoss, at, model.Say(
		"the window from {} to {} touches the records of no placed source: check the window and the declared zones", w.Start, w.End))
}
