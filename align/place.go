package align

import (
	"tracemerge/model"
)

// own places the clocks of one capture by its stamps and by what is declared for
// it. What it cannot place has ClockUnplaced or another reason.
func (a *aligner) own(c *model.Capture, k *clock) []model.Mapping {
	out := make([]model.Mapping, len(c.Domains))
	var civil *calendar
	v := look(c)
	for i := range c.Domains {
		d := &c.Domains[i]
		m := &out[i]
		m.Domain, m.Method, m.Why = d.ID, model.MethodNone, model.ClockUnplaced
		if !d.Why.Empty() {
			m.Evidence = append(m.Evidence, d.Why)
		}
		valid := validOf(c, d)
		if valid.Empty() && d.Kind != model.DomainNone {
			m.Why = model.NotRecorded
			continue
		}
		switch d.Kind {
		case model.DomainUnix:
			a.absolute(c, d, k, m)
		case model.DomainCivil:
			if k.zone != nil {
				if civil == nil {
					civil = newCalendar(c, v, k.zone)
				}
				a.byZone(c, d, civil, k, m)
			} else if k.hasOffset {
				m.Segments = whole(valid)
				m.Placed = true
			}
		case model.DomainRelative:
			if k.hasOffset {
				m.Segments = whole(valid)
				m.Placed = true
			}
		}
		if m.Placed && k.hasOffset {
			a.shift(c, d, k, m)
		}
	}
	a.steps(c, v, civil, out)
	a.flush()
	return out
}

// flush hands on the notices of one capture, each code once with its count.
func (a *aligner) flush() {
	a.notices.List = append(a.notices.List, a.local.List...)
	a.local = model.Notices{}
}

// validOf is where readings of the domain may lie: its stated range, and for the
// first clock the capture's window and the profiler's.
func validOf(c *model.Capture, d *model.Domain) model.Interval[model.ClockTime] {
	v := d.Valid
	join := func(o model.Interval[model.ClockTime]) {
		switch {
		case o.Empty():
		case v.Empty():
			v = o
		default:
			v.Start, v.End = min(v.Start, o.Start), max(v.End, o.End)
		}
	}
	if len(c.Domains) == 1 {
		join(c.Window)
		if c.Trace != nil {
			join(c.Trace.Record)
		}
	}
	return v
}

func whole(valid model.Interval[model.ClockTime]) []model.Segment {
	return []model.Segment{{Valid: valid}}
}

// absolute places stamps that are UTC by themselves.
func (a *aligner) absolute(c *model.Capture, d *model.Domain, k *clock, m *model.Mapping) {
	m.Placed, m.Method, m.Zone = true, model.MethodAbsolute, d.Zone
	m.Segments = whole(validOf(c, d))
	m.Evidence = append(m.Evidence, model.Say("the stamps are UTC or carry their zone: offset 0"), resolution(d))
	if k.own && d.ID == 0 {
		a.local.Add("align/zone-unused", model.Note, k.zoneFrom, model.Say(
			"clocks: {} needs no zone, its stamps carry one; the declared zone {} is not applied", c.Source.File, k.zoneText))
	}
}

// resolution states the doubt about a single stamp, which is not part of the
// offset.
func resolution(d *model.Domain) model.Phrase {
	if d.Step <= 0 {
		return model.Say("the resolution of a stamp is not known")
	}
	return model.Say("a stamp has a resolution of {}: the true reading lies less than that after it", d.Step)
}

// byZone places calendar stamps by a zone.
func (a *aligner) byZone(c *model.Capture, d *model.Domain, cal *calendar, k *clock, m *model.Mapping) {
	m.Zone, m.Method = k.zoneText, model.MethodZone
	if k.own {
		m.Evidence = append(m.Evidence, model.Say("run.yaml declares the zone {} for this file", k.zoneText))
	} else {
		m.Evidence = append(m.Evidence, model.Say("the option --zone declares {} for stamps without a zone", k.zoneText))
	}
	m.Evidence = append(m.Evidence, resolution(d))
	var gaps []model.Interval[model.ClockTime]
	for _, s := range stretches(cal.periods, validOf(c, d)) {
		in := cal.narrow(s.in, d.ID)
		if len(in) == 0 {
			gaps = append(gaps, s.civil)
			continue
		}
		lo, hi := cal.periods[in[0]].add, cal.periods[in[0]].add
		for _, i := range in {
			lo, hi = min(lo, cal.periods[i].add), max(hi, cal.periods[i].add)
		}
		seg := model.Segment{Valid: s.civil, Offset: model.OffsetRange{Lo: lo, Estimate: lo + (hi-lo)/2, Hi: hi}}
		if n := len(m.Segments); n > 0 && m.Segments[n-1].Valid.End == s.civil.Start && m.Segments[n-1].Offset == seg.Offset {
			m.Segments[n-1].Valid.End = s.civil.End
		} else {
			m.Segments = append(m.Segments, seg)
		}
		switch {
		case lo != hi:
			m.Evidence = append(m.Evidence, model.Say(
				"the zone set its clocks back by {} here: readings of the hour that occurs twice may belong to either pass, and their offset covers both", hi-lo))
			a.local.Add("align/fold", model.Note, d.From, model.Say(
				"{}: readings in the hour that occurs twice in the zone {} may belong to either pass; their instants are known to {} only", c.Source.File, k.zoneText, hi-lo))
		case len(s.in) > 1:
			m.Evidence = append(m.Evidence, model.Say("the step back in the file lies at the zone's change: it decides which pass of the hour that occurs twice these readings belong to"))
		}
	}
	m.Placed = len(m.Segments) > 0
	a.inGaps(c, d, gaps, k, m)
}

// inGaps reports readings at times that the zone skipped.
func (a *aligner) inGaps(c *model.Capture, d *model.Domain, gaps []model.Interval[model.ClockTime], k *clock, m *model.Mapping) {
	if len(gaps) == 0 {
		return
	}
	var n int64
	var at []model.Pos
	eachReading(c, func(id model.DomainID, t model.ClockTime, pos model.Pos) {
		if id != d.ID {
			return
		}
		for _, g := range gaps {
			if g.Contains(t) {
				if n++; len(at) < 5 {
					at = append(at, pos)
				}
				return
			}
		}
	})
	if n == 0 && m.Placed {
		return
	}
	text := model.Say("{} of its readings show a time of day that the zone {} skipped when its clocks were set forward: the zone contradicts them, and they are placed nowhere", n, k.zoneText)
	m.Against = append(m.Against, text)
	if !m.Placed {
		m.Why = model.Conflict
	}
	if at == nil {
		at = []model.Pos{d.From}
	}
	a.notices.List = append(a.notices.List, model.Notice{Code: "align/zone-gap", Severity: model.DataLoss, N: max(n, 1), At: at,
		Text: model.Say("{}: {}; check the declared zone", c.Source.File, text)})
}

// shift adds the declared offset.
func (a *aligner) shift(c *model.Capture, d *model.Domain, k *clock, m *model.Mapping) {
	for i := range m.Segments {
		o := &m.Segments[i].Offset
		o.Lo += k.offset - k.within
		o.Estimate += k.offset
		o.Hi += k.offset + k.within
	}
	m.Method = model.MethodOffset
	m.Evidence = append(m.Evidence, model.Say("run.yaml declares an offset of {}, known to {} either way, added to the stamps", k.offset, k.within))
	if d.Kind == model.DomainCivil && k.zone == nil {
		m.Evidence = append(m.Evidence, model.Say("no zone is declared: the offset is taken as the whole difference to UTC"))
		a.local.Add("align/offset-without-zone", model.Note, k.from, model.Say(
			"clocks: {} has stamps without a zone and a declared offset of {} without a zone; the sum is taken as UTC. Declare the zone as well if the offset is only a correction", c.Source.File, k.offset))
	}
}

// eachReading calls f for every stamp of the capture in file order.
func eachReading(c *model.Capture, f func(model.DomainID, model.ClockTime, model.Pos)) {
	id := c.Source.ID
	if c.Samples != nil {
		for b := range c.Samples.Batches() {
			for i, at := range b.At {
				if i > 0 && b.Offset[i] == b.Offset[i-1] && at == b.At[i-1] {
					continue // another cell of the same row
				}
				f(c.DomainAt(b.Offset[i]), model.ClockTime(at), model.Pos{Source: id, Line: b.Line[i], Offset: b.Offset[i]})
			}
		}
	}
	if c.Marks != nil {
		for m := range c.Marks.All() {
			f(m.Domain, m.At, m.From)
		}
	}
	if c.Spans != nil {
		for b := range c.Spans.Batches() {
			for i, at := range b.Start {
				d := model.DomainID(0)
				if t := int(b.Track[i]); t >= 0 && t < len(c.Tracks) {
					d = c.Tracks[t].Domain
				}
				f(d, model.ClockTime(at), model.Pos{Source: id, Offset: b.Offset[i]})
			}
		}
	}
}
