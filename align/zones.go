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
// those years), and every change from one offset to another. Greedy covers of the
// zones, of the offsets first and then of the changes.
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
	"Africa/Casablanca", "America/Glace_Bay", "America/Havana", "America/Miquelon", "Antarctica/Macquarie",
	"Antarctica/Troll", "Asia/Beirut", "Asia/Jerusalem", "Asia/Nicosia", "Atlantic/Azores", "Atlantic/Canary",
	"Europe/Chisinau", "America/Godthab", "Asia/Gaza", "America/Santiago", "Pacific/Easter", "America/Asuncion",
	"Africa/Cairo", "America/Chicago", "America/Mazatlan", "Asia/Damascus", "Pacific/Fiji", "America/Campo_Grande",
	"America/Sao_Paulo", "Asia/Amman", "Africa/Windhoek", "Asia/Choibalsan", "Asia/Hovd", "Africa/Sao_Tome",
	"Asia/Baku", "Europe/Volgograd", "Pacific/Tongatapu", "Africa/Juba", "Africa/Khartoum", "America/Cancun",
	"America/Ciudad_Juarez", "America/Metlakatla", "America/Montevideo", "Antarctica/Vostok", "Asia/Almaty",
	"Asia/Barnaul", "Asia/Chita", "Asia/Istanbul", "Asia/Magadan", "Asia/Novosibirsk", "Asia/Qyzylorda",
	"Asia/Sakhalin", "Asia/Tomsk", "Europe/Astrakhan", "Europe/Saratov",
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
		first, last := readingsOf(p)
		allowed := possibleZones(model.Interval[model.ClockTime]{Start: first, End: last + 1})
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
	for i := range e.a.tl.Captures {
		if h, ok := e.a.extent(i); ok {
			placed = append(placed, h)
		}
	}
	type civil struct {
		node
		first, last model.ClockTime // that one of its readings may have, were its clock never set
		zones       []model.Range[time.Duration]
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
		by := model.ClockTime(slack(p.Capture))
		c.first, c.last = c.first-by, c.last+by+model.ClockTime(p.Domains[n.domain].Step)
		c.zones = e.zonesOf(e.a.ref(n.capture, int(n.domain)))
		for _, z := range meeting(c.zones, touching(c.first, c.last, placed)) {
			c.meets = append(c.meets, model.Interval[model.Time]{Start: model.Time(c.first) + model.Time(z.Lo), End: model.Time(c.last) + model.Time(z.Hi)})
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
		allowed := touching(c.first, c.last, others)
		for _, z := range meeting(c.zones, allowed) {
			if z.Lo < z.Hi { // the file has several offsets, and one of them may meet for all
				allowed = append(allowed, network.Range{Lo: int64(z.Lo), Hi: int64(z.Hi)})
			}
		}
		e.add(model.Constraint{Rule: "same_run", Strength: model.StrengthHint, A: e.a.ref(c.capture, int(c.domain)), Allowed: durations(network.United(allowed)), Assumed: true,
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

// meeting are those zones, each from its least to its greatest offset, with which a file
// meets others, if it touches them with the given offsets.
func meeting(zones []model.Range[time.Duration], touch []network.Range) []model.Range[time.Duration] {
	var out []model.Range[time.Duration]
	for _, z := range zones {
		if slices.ContainsFunc(touch, func(r network.Range) bool { return r.Lo <= int64(z.Hi) && int64(z.Lo) <= r.Hi }) {
			out = append(out, z)
		}
	}
	return out
}

// extent is where the records of a source may lie, from the earliest to the latest
// instant that its clocks allow.
func (a *aligner) extent(i int) (at model.Interval[model.Time], ok bool) {
	p := &a.tl.Captures[i]
	for j, m := range p.Mappings {
		valid := validOf(p.Capture, &p.Domains[j])
		segments := m.Segments
		if _, other := a.others[node{i, model.DomainID(j)}]; other {
			segments = whole(valid)
			segments[0].Offset = model.OffsetRange{Lo: -a.skew(), Hi: a.skew()}
		}
		for _, s := range segments {
			in := s.Valid.Intersect(valid)
			if in.Empty() {
				continue
			}
			first, last := model.Time(in.Start)+model.Time(s.Offset.Lo), model.Time(in.End-1)+model.Time(s.Offset.Hi+p.Domains[j].Step)
			if !ok {
				at = model.Interval[model.Time]{Start: first, End: last}
			}
			at.Start, at.End, ok = min(at.Start, first), max(at.End, last), true
		}
	}
	if h, placed := hullOf(*p); placed { // its records may state earlier starts
		at.Start = min(at.Start, h.Start)
	}
	return at, ok
}

// zonesOf is what the zones in force leave a clock.
func (e *evidence) zonesOf(r model.ClockRef) []model.Range[time.Duration] {
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
