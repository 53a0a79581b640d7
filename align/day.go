package align

import (
	"time"

	"tracemerge/model"
)

// oneDay is the length of a calendar day; a time of day counts on beyond it.
const oneDay = model.ClockTime(24 * time.Hour)

// days places clocks that show a time of day: on the one day, of those that the
// file allows, on which they meet a placed source, by the declared zone. A run
// folder is one run, so a day on which they meet none is not considered. Several
// days are several offsets, and then none is taken.
func (a *aligner) days() {
	var others []model.Interval[model.Time]
	for i := range a.tl.Captures {
		if h, ok := a.extent(i); ok {
			others = append(others, h)
		}
	}
	for i := range a.tl.Captures {
		p, k := &a.tl.Captures[i], &a.clocks[i]
		for j := range p.Domains {
			d, m := &p.Domains[j], &p.Mappings[j]
			if d.Kind != model.DomainDay || d.Valid.Empty() || len(others) == 0 {
				continue
			}
			if k.zone == nil {
				m.Evidence = append(m.Evidence, model.Say("a time of day is placed by a declared zone and the day on which it meets other sources; no zone is declared"))
				continue
			}
			a.byDay(p, d, k, m, others)
		}
	}
}

// byDay tries the days that the file allows, or all on which its readings may meet
// the other sources.
func (a *aligner) byDay(p *model.Placed, d *model.Domain, k *clock, m *model.Mapping, others []model.Interval[model.Time]) {
	days := d.Days
	if days == nil {
		for _, h := range others {
			days = append(days, daysOf(h, d.Valid)...)
		}
	}
	var fit [][]model.Segment
	tried := map[model.ClockTime]bool{}
	for _, day := range days {
		if tried[day] {
			continue
		}
		tried[day] = true
		if s := onDay(d.Valid, day, k.zone); len(s) > 0 && meets(s, others) {
			fit = append(fit, s)
		}
	}
	switch len(fit) {
	case 0:
		m.Against = append(m.Against, model.Say("on no day that is possible for its stamps do they meet another source of the run in the declared zone"))
	case 1:
		if a.opt.StrictClock {
			m.Other = append(m.Other, fit[0][0].Offset.Estimate)
			m.Evidence = append(m.Evidence, model.Say("the stamps are times of day; in the zone {} there is one day on which they meet another source of the run, which is an assumption and not used with --strict-clock", k.zoneText))
			return
		}
		m.Placed, m.Why, m.Method, m.Zone, m.Segments = true, model.NotSet, model.MethodDay, k.zoneText, fit[0]
		m.Evidence = append(m.Evidence, model.Say("the stamps are times of day; in the zone {} there is one day on which they meet another source of the run", k.zoneText), resolution(d))
		if k.hasOffset {
			a.shift(p.Capture, d, k, m)
			a.flush()
		}
	default:
		for _, s := range fit {
			m.Other = append(m.Other, s[0].Offset.Estimate)
		}
		m.Evidence = append(m.Evidence, model.Say("the stamps are times of day and meet other sources on {} days: which one is not known", len(fit)))
	}
}

// daysOf are the civil midnights from which the readings may reach into an interval,
// in any zone.
func daysOf(h model.Interval[model.Time], valid model.Interval[model.ClockTime]) []model.ClockTime {
	const most = 366 // a run that is longer has more than one day that fits anyhow
	first := (model.ClockTime(h.Start)-valid.End)/oneDay - 2
	last := (model.ClockTime(h.End)-valid.Start)/oneDay + 2
	var out []model.ClockTime
	for n := first; n <= last && len(out) < most; n++ {
		out = append(out, n*oneDay)
	}
	return out
}

// onDay is where readings of a day lie by a zone; none where the zone skipped them.
func onDay(valid model.Interval[model.ClockTime], day model.ClockTime, loc *time.Location) []model.Segment {
	civil := model.Interval[model.ClockTime]{Start: valid.Start + day, End: valid.End + day}
	ps := periods(loc, civil)
	var out []model.Segment
	for _, s := range stretches(ps, civil) {
		if len(s.in) == 0 {
			continue
		}
		lo, hi := ps[s.in[0]].add, ps[s.in[0]].add
		for _, i := range s.in {
			lo, hi = min(lo, ps[i].add), max(hi, ps[i].add)
		}
		by := time.Duration(day)
		out = append(out, model.Segment{Valid: model.Interval[model.ClockTime]{Start: s.civil.Start - day, End: s.civil.End - day},
			Offset: model.OffsetRange{Lo: by + lo, Estimate: by + lo + (hi-lo)/2, Hi: by + hi}})
	}
	return out
}

// meets reports whether any placed reading may lie in one of the intervals.
func meets(segments []model.Segment, others []model.Interval[model.Time]) bool {
	for _, s := range segments {
		at := model.Interval[model.Time]{Start: model.Time(s.Valid.Start) + model.Time(s.Offset.Lo), End: model.Time(s.Valid.End) + model.Time(s.Offset.Hi)}
		for _, o := range others {
			if at.Start <= o.End && o.Start <= at.End {
				return true
			}
		}
	}
	return false
}
