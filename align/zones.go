package align

import (
	"context"
	"slices"
	"time"

	"tracemerge/align/network"
	"tracemerge/model"
)

// witnesses are zones that between them had, on every day from 2015 to 2030,
// every offset that was in force anywhere on that day (42 distinct ones over
// those years). A greedy cover of the zones.
var witnesses = [...]string{
	"America/Los_Angeles", "America/New_York", "Asia/Kolkata", "Asia/Seoul", "Europe/Berlin", "Africa/Abidjan",
	"Africa/Addis_Ababa", "America/Adak", "America/Anchorage", "America/Araguaina", "America/Bahia_Banderas",
	"America/Noronha", "America/St_Johns", "Antarctica/Casey", "Antarctica/Davis", "Antarctica/DumontDUrville",
	"Antarctica/Mawson", "Antarctica/McMurdo", "Asia/Bishkek", "Asia/Dubai", "Asia/Kabul", "Asia/Kathmandu",
	"Asia/Yangon", "Atlantic/Cape_Verde", "Australia/Adelaide", "Australia/Eucla", "Pacific/Chatham",
	"Pacific/Kiritimati", "Pacific/Marquesas", "Pacific/Midway", "Pacific/Norfolk", "America/Ojinaga",
	"Australia/Lord_Howe", "Asia/Tehran", "Pacific/Honolulu", "Africa/Algiers", "Australia/Darwin", "Pacific/Apia",
	"Africa/Blantyre", "America/Caracas", "Asia/Brunei", "America/Boise", "Asia/Pyongyang", "Asia/Anadyr",
	"America/Atikokan", "America/Anguilla", "Asia/Srednekolymsk",
}

// zones bounds a calendar clock without a zone by the offsets that were in force
// anywhere on its days.
func (e *evidence) zones(context.Context) error {
	if !e.a.tl.UTC {
		return nil // nothing that a zone could lead to
	}
	for _, n := range e.a.unplaced() {
		p := &e.a.tl.Captures[n.capture]
		d := &p.Domains[n.domain]
		if d.Kind != model.DomainCivil {
			continue
		}
		valid := validOf(p.Capture, d)
		allowed := possibleZones(valid)
		e.add(model.Constraint{Rule: "zone_in_force", Strength: model.StrengthFormat, A: e.a.ref(n.capture, int(n.domain)), Allowed: allowed, From: []model.Pos{d.From},
			What: model.Say("the stamps of {} are calendar time without a zone: {} offsets were in force somewhere on that day", p.Source.File, len(allowed))})
	}
	return nil
}

// possibleZones are the offsets that zones of the world add to readings of a
// calendar stretch; where a zone changes within it, its range holds both offsets.
func possibleZones(civil model.Interval[model.ClockTime]) []model.Range[time.Duration] {
	var all []network.Range
	for _, name := range witnesses {
		loc, err := time.LoadLocation(name)
		if err != nil {
			continue // a host database without this zone: its offset has other witnesses or is not listed
		}
		ps := periods(loc, civil)
		r := network.Range{Lo: network.High, Hi: network.Low}
		for _, s := range stretches(ps, civil) {
			for _, i := range s.in {
				r.Lo, r.Hi = min(r.Lo, int64(ps[i].add)), max(r.Hi, int64(ps[i].add))
			}
		}
		if r.Lo <= r.Hi {
			all = append(all, r)
		}
	}
	return durations(network.United(all))
}

func durations(in []network.Range) []model.Range[time.Duration] {
	var out []model.Range[time.Duration]
	for _, r := range in {
		out = append(out, model.Range[time.Duration]{Lo: time.Duration(r.Lo), Hi: time.Duration(r.Hi)})
	}
	return out
}

// sameRun holds a source to the others of its folder: its records meet those of at
// least one that is placed, or of one that is not and with one of its own offsets
// meets a placed one. This is what a run folder is (an assumption, printed).
func (e *evidence) sameRun(context.Context) error {
	if !e.a.tl.UTC {
		return nil
	}
	var placed []model.Interval[model.Time]
	for _, p := range e.a.tl.Captures {
		if h, ok := hullOf(p); ok {
			placed = append(placed, h)
		}
	}
	type civil struct {
		node
		first, last model.ClockTime
		meets       []model.Interval[model.Time] // where it is with an offset that meets a placed source
	}
	var all []civil
	for _, n := range e.a.unplaced() {
		p := &e.a.tl.Captures[n.capture]
		if p.Domains[n.domain].Kind != model.DomainCivil {
			continue // it would bound an unknown start by nothing but this assumption
		}
		c := civil{node: n}
		c.first, c.last = readingsOf(p)
		own := touching(c.first, c.last, placed)
		for _, z := range e.zonesOf(n) {
			if z.Lo == z.Hi && within(z.Lo, own) {
				c.meets = append(c.meets, model.Interval[model.Time]{Start: model.Time(c.first) + model.Time(z.Lo), End: model.Time(c.last) + model.Time(z.Lo)})
			}
		}
		all = append(all, c)
	}
	for i, c := range all {
		others := slices.Clone(placed)
		for k, o := range all {
			if k != i {
				others = append(others, o.meets...)
			}
		}
		if len(others) == 0 {
			continue
		}
		p := &e.a.tl.Captures[c.capture]
		e.add(model.Constraint{Rule: "same_run", Strength: model.StrengthHint, A: e.a.ref(c.capture, int(c.domain)), Allowed: durations(touching(c.first, c.last, others)), Assumed: true,
			From: []model.Pos{p.Domains[c.domain].From}, What: model.Say("the files of a run folder were recorded during the same run: the records of {} meet those of a placed file, or of one that does", p.Source.File)})
	}
	return nil
}

// touching are the offsets with which readings from first to last meet one of the
// intervals.
func touching(first, last model.ClockTime, others []model.Interval[model.Time]) []network.Range {
	var out []network.Range
	for _, h := range others {
		out = append(out, network.Range{Lo: int64(h.Start) - int64(last), Hi: int64(h.End) - int64(first)})
	}
	return network.United(out)
}

func within(d time.Duration, ranges []network.Range) bool {
	return slices.ContainsFunc(ranges, func(r network.Range) bool { return r.Lo <= int64(d) && int64(d) <= r.Hi })
}

// zonesOf is what the zones in force leave a clock.
func (e *evidence) zonesOf(n node) []model.Range[time.Duration] {
	r := e.a.ref(n.capture, int(n.domain))
	for _, c := range e.list {
		if c.Rule == "zone_in_force" && c.A == r {
			return c.Allowed
		}
	}
	return nil
}

// readingsOf is from the first to the last reading of all pieces of a capture's
// calendar clock.
func readingsOf(p *model.Placed) (first, last model.ClockTime) {
	any := false
	for j := range p.Domains {
		k := p.Domains[j].Kind
		v := validOf(p.Capture, &p.Domains[j])
		if k != model.DomainCivil || v.Empty() {
			continue
		}
		if !any {
			first, last, any = v.Start, v.End-1, true
		}
		first, last = min(first, v.Start), max(last, v.End-1)
	}
	return first, last
}
