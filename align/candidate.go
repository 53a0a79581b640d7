package align

import (
	"slices"
	"time"

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

// inForce lists what the zones of the world added to their readings at an
// instant to get UTC, ascending.
func inForce(at model.Time) []time.Duration {
	var out []time.Duration
	for _, name := range witnesses {
		loc, err := time.LoadLocation(name)
		if err != nil {
			continue // a host database without this zone: its offset has other witnesses or is not listed
		}
		_, seconds := at.UTC().In(loc).Zone()
		out = append(out, -time.Duration(seconds)*time.Second)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// candidates lists the zone offsets under which a civil clock's records would
// meet those of a placed source. They are listed for the reader and never used.
func (a *aligner) candidates(p *model.Placed, d *model.Domain) []time.Duration {
	valid := validOf(p.Capture, d)
	var out []time.Duration
	for _, add := range inForce(model.Time(valid.Start)) {
		first, last := model.Time(valid.Start)+model.Time(add), model.Time(valid.End-1)+model.Time(add)
		for _, q := range a.tl.Captures {
			if q.Source.ID == p.Source.ID {
				continue
			}
			if h, ok := hullOf(q); ok && h.Start <= last && first <= h.End {
				out = append(out, add)
				break
			}
		}
	}
	return out
}
