package align

import (
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // zones on a host that has no database of its own

	"tracemerge/model"
)

// parseZone reads an IANA name, "local", "UTC", "Z", or a fixed offset "+09:00",
// "+0900", "+09".
func parseZone(s string, local *time.Location) (*time.Location, bool) {
	s = strings.TrimSpace(s)
	switch {
	case s == "":
		return nil, false
	case strings.EqualFold(s, "local"):
		return local, local != nil
	case strings.EqualFold(s, "utc"), strings.EqualFold(s, "z"):
		return time.UTC, true
	case s[0] == '+' || s[0] == '-':
		return parseFixed(s)
	}
	loc, err := time.LoadLocation(s)
	return loc, err == nil
}

// maxZone is the largest offset that a fixed zone may state; the largest in use
// is +14:00.
const maxZone = 15 * time.Hour

func parseFixed(s string) (*time.Location, bool) {
	digits := strings.Replace(s[1:], ":", "", 1)
	if strings.Contains(s, ":") && (len(s) != 6 || s[3] != ':') || len(digits) != 2 && len(digits) != 4 {
		return nil, false
	}
	n := [4]int{}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return nil, false
		}
		n[i] = int(digits[i] - '0')
	}
	hours, minutes := n[0]*10+n[1], n[2]*10+n[3]
	d := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if minutes > 59 || d > maxZone {
		return nil, false
	}
	if s[0] == '-' {
		d = -d
	}
	return time.FixedZone("", int(d/time.Second)), true
}

// A period is a stretch of real time in which a zone has one offset, as it looks
// on that zone's calendar.
type period struct {
	civil model.Interval[model.ClockTime]
	add   time.Duration // added to a civil reading gives UTC
}

// margin is how far around the readings the zone's periods are listed: more than
// any offset or shift, so that both sides of a fold are there.
const margin = 48 * time.Hour

// periods lists the zone's periods around the civil stretch, in real order. On
// the calendar neighbours overlap where time was set back (a fold) and leave a
// gap where it was set forward.
func periods(loc *time.Location, around model.Interval[model.ClockTime]) []period {
	first := time.Unix(0, int64(around.Start)).Add(-margin)
	last := time.Unix(0, int64(around.End)).Add(margin)
	var out []period
	for t := first.In(loc); ; {
		start, end := bounds(t)
		_, seconds := t.Zone()
		off := time.Duration(seconds) * time.Second
		open := end.IsZero() || end.After(last)
		if start.IsZero() || start.Before(first) {
			start = first
		}
		if open {
			end = last
		}
		civil := model.Interval[model.ClockTime]{
			Start: model.ClockTime(start.UnixNano() + int64(off)),
			End:   model.ClockTime(end.UnixNano() + int64(off)),
		}
		if n := len(out); n > 0 && out[n-1].add == -off { // only the name changed
			out[n-1].civil.End = civil.End
		} else {
			out = append(out, period{civil, -off})
		}
		if open {
			return out
		}
		t = end.In(loc)
	}
}

// bounds is t.ZoneBounds with an end after t. From 2038 on the library computes
// periods from the zone's rule year by year, and at the turn of some years it gives
// a period that ends where it is asked for; the offset is the same on both sides.
func bounds(t time.Time) (start, end time.Time) {
	start, end = t.ZoneBounds()
	for ask := t; !end.IsZero() && !end.After(t); {
		ask = ask.Add(24 * time.Hour)
		_, end = ask.ZoneBounds()
	}
	return start, end
}

// A stretch is a part of a calendar with the periods that it may belong to: one,
// two in a fold, none in a gap.
type stretch struct {
	civil model.Interval[model.ClockTime]
	in    []int // indices of periods, in real order
}

// stretches cuts the civil interval where the set of possible periods changes.
func stretches(ps []period, civil model.Interval[model.ClockTime]) []stretch {
	cuts := []model.ClockTime{civil.Start, civil.End}
	for _, p := range ps {
		for _, c := range [2]model.ClockTime{p.civil.Start, p.civil.End} {
			if c > civil.Start && c < civil.End {
				cuts = append(cuts, c)
			}
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var out []stretch
	for i := 0; i+1 < len(cuts); i++ {
		out = append(out, stretch{model.Interval[model.ClockTime]{Start: cuts[i], End: cuts[i+1]}, possible(ps, cuts[i])})
	}
	return out
}

// possible lists the periods that a reading may belong to.
func possible(ps []period, c model.ClockTime) []int {
	var in []int
	for i, p := range ps {
		if p.civil.Contains(c) {
			in = append(in, i)
		}
	}
	return in
}
