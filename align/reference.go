package align

import (
	"cmp"
	"time"

	"tracemerge/model"
)

// plausible is the earliest instant that a relative clock with a declared offset
// may show and be taken for UTC: profilers and samplers of GPUs are younger than
// the year 2000, and an offset meant for another axis lands near 1970.
const plausible model.Time = 946_684_800 * 1_000_000_000

// reference chooses the reference clock: UTC if any source is placed in UTC,
// else the axis that relative sources with declared offsets share, else the own
// axis of one source.
func (a *aligner) reference() {
	var axis []int // captures with a relative clock whose offset does not reach UTC
	for i, p := range a.tl.Captures {
		for j, m := range p.Mappings {
			if !m.Placed {
				continue
			}
			start := model.Time(m.Segments[0].Valid.Start) + model.Time(m.Segments[0].Offset.Estimate)
			if p.Domains[j].Kind != model.DomainRelative || start >= plausible {
				a.tl.UTC = true
			} else if len(axis) == 0 || axis[len(axis)-1] != i {
				axis = append(axis, i)
			}
		}
	}
	switch {
	case a.tl.UTC:
		for _, i := range axis {
			a.offAxis(&a.tl.Captures[i], &a.clocks[i])
		}
	case len(axis) > 0:
		a.tl.Reference = a.tl.Captures[best(a.tl.Captures, axis)].Source.ID
	default:
		a.ownAxis()
	}
}

// offAxis takes back relative clocks whose declared offset does not lead to UTC.
func (a *aligner) offAxis(p *model.Placed, k *clock) {
	for j := range p.Mappings {
		m := &p.Mappings[j]
		if !m.Placed || p.Domains[j].Kind != model.DomainRelative {
			continue
		}
		text := model.Say("the declared offset of {} puts its first record decades before the others, at the beginning of UTC's count; declare the offset that leads to Unix time, or an anchor to a record of another file", k.offset)
		m.Placed, m.Method, m.Why, m.Segments = false, model.MethodNone, model.Conflict, nil
		m.Against = append(m.Against, text)
		a.note("align/offset-off-axis", model.Note, k.from, model.Say("{}: {}", p.Source.File, text))
	}
}

// ownAxis makes the clock of one source the reference.
func (a *aligner) ownAxis() {
	var with []int
	for i, p := range a.tl.Captures {
		if firstClock(p) >= 0 {
			with = append(with, i)
		}
	}
	if len(with) == 0 {
		return
	}
	p := &a.tl.Captures[best(a.tl.Captures, with)]
	kind := p.Domains[firstClock(*p)].Kind
	days := time.Duration(0)
	for j := range p.Domains {
		d, m := &p.Domains[j], &p.Mappings[j]
		valid := validOf(p.Capture, d)
		if d.Kind != kind || valid.Empty() {
			continue
		}
		m.Placed, m.Method, m.Why, m.Segments = true, model.MethodReference, model.NotSet, whole(valid)
		m.Zone = model.Text{} // one that its readings contradict
		m.Evidence = append(m.Evidence, model.Say("no source of the run states UTC: this source's own clock is the axis of the report, offset 0"), resolution(d))
		if kind == model.DomainDay && midnight(p.Domains[:j+1]) {
			days += 24 * time.Hour
			m.Evidence = append(m.Evidence, model.Say("the time of day passes midnight before this piece"))
		}
		m.Segments[0].Offset = model.OffsetRange{Lo: days, Estimate: days, Hi: days}
	}
	if kind != model.DomainDay {
		a.steps(p.Capture, look(p.Capture), nil, p.Mappings)
		a.flush()
	}
	a.tl.Reference = p.Source.ID
	a.note("align/no-utc", model.Note, p.Domains[firstClock(*p)].From, model.Say(
		"no source of the run states UTC: the report's axis is the own clock of {}, and other sources stand on theirs", p.Source.File))
}

// midnight reports whether the last of the pieces begins a new day: its stamps go
// back by more than half a day and no more than one.
func midnight(ds []model.Domain) bool {
	n := len(ds)
	if n < 2 || ds[n-2].Kind != model.DomainDay || ds[n-2].From.Offset >= ds[n-1].From.Offset {
		return false
	}
	back := time.Duration(ds[n-2].Valid.End - 1 - ds[n-1].Valid.Start)
	return back > 12*time.Hour && back <= 24*time.Hour
}

// firstClock is the first domain of a source that counts anything; -1 if none.
func firstClock(p model.Placed) int {
	for j := range p.Domains {
		if d := &p.Domains[j]; d.Kind != model.DomainNone && !validOf(p.Capture, d).Empty() {
			return j
		}
	}
	return -1
}

// best picks the source that says most about the job: a log with stages or
// progress, then a trace, then a sampler; of equals the first by content, so that names
// and the order of files change nothing.
func best(ps []model.Placed, among []int) int {
	rank := func(p model.Placed) int {
		switch {
		case p.Marks != nil && p.Marks.Len() > 0:
			return 0
		case p.Spans != nil && p.Spans.Len() > 0:
			return 1
		case p.Samples != nil && p.Samples.Len() > 0 && p.Source.Kind == model.KindSMI:
			return 2
		case p.Samples != nil && p.Samples.Len() > 0:
			return 3
		}
		return 4
	}
	at := among[0]
	for _, i := range among[1:] {
		if cmp.Or(cmp.Compare(rank(ps[i]), rank(ps[at])), cmp.Compare(ps[i].Source.SHA256, ps[at].Source.SHA256)) < 0 {
			at = i
		}
	}
	return at
}

// remedies says, for every clock that stayed unplaced, what to declare.
func (a *aligner) remedies() {
	for i := range a.tl.Captures {
		p := &a.tl.Captures[i]
		if p.Source.Kind == model.KindRunFile || p.Source.Kind == model.KindUnknown {
			continue
		}
		said := false
		for j := range p.Mappings {
			m := &p.Mappings[j]
			if m.Placed || m.Why != model.ClockUnplaced {
				continue
			}
			d := &p.Domains[j]
			text := remedy(p.Source.File, d.Kind)
			m.Evidence = append(m.Evidence, text)
			if !said {
				at := d.From
				at.Source = p.Source.ID // a source without stamps has no first record
				a.note("align/unplaced", model.Note, at, model.Say("{} is not on the run's clock: {}", p.Source.File, text))
				said = true
			}
		}
		if p.Source.ID == a.tl.Reference && !a.tl.UTC && len(p.Domains) > 0 {
			if j := firstClock(*p); j >= 0 && p.Mappings[j].Method == model.MethodReference {
				p.Mappings[j].Evidence = append(p.Mappings[j].Evidence, remedy(p.Source.File, p.Domains[j].Kind))
			}
		}
	}
}

// remedy is what would place a clock of the kind.
func remedy(file model.Text, kind model.DomainKind) model.Phrase {
	switch kind {
	case model.DomainCivil:
		return model.Say("its stamps carry no zone; declare it in run.yaml, as in clocks: {{}: {zone: Asia/Seoul}}, or for all such files with --zone", file)
	case model.DomainRelative:
		return model.Say("its stamps count from an unknown start; declare in run.yaml the Unix time of that start, as in clocks: {{}: {offset: 1777852800s, uncertainty: 5ms}}, or an anchor that names one record of it and one of a placed file", file)
	case model.DomainDay:
		return model.Say("its stamps show a time of day without a date; declare in run.yaml an anchor that names one record of {} and one of a placed file, or record with dates", file)
	}
	if kind == model.DomainUnix {
		return model.Say("it was recorded on another host, whose clock is not known to agree; declare in run.yaml by how much it may differ, as in clocks: {{}: {offset: 0s, uncertainty: 5ms}}, or leave --strict-clock out", file)
	}
	return model.Say("{} has no time stamps; record it with time stamps", file)
}
