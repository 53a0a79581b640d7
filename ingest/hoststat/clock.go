package hoststat

import (
	"time"

	"tracemerge/model"
)

// A clock makes stamps of what rows state, and pieces where stamps step back.
type clock struct {
	domains []model.Domain
	stamps  []tick // distinct ones, in file order
	above   above  // the time that stands above the report at hand

	date   date     // of the banner or of a line above; no days: none was stated
	turns  int64    // midnights passed since
	last   int64    // latest time of day
	any    bool     // last is set
	half   bool     // AM or PM was seen: dates have the month first
	order  dayOrder // of day and month, as run.yaml declares
	either int64    // rows whose date has two possible days
	again  bool     // another table of the same time follows: its stamps begin anew
}

type above struct {
	set   bool
	stamp stamp
}

type tick struct {
	at    int64
	piece model.DomainID
	pos   model.Pos
}

// dayOrder is which of day and month stands first in a date with slashes.
type dayOrder uint8

const (
	orderUnknown dayOrder = iota
	orderMonth
	orderDay
)

// settled is the date by the declared order, or by AM and PM, with which the month
// stands first (en_US).
func (c *clock) settled(d date) date {
	if len(d.days) != 2 {
		return d
	}
	switch {
	case c.order == orderDay:
		return date{d.days[1:]}
	case c.order == orderMonth, c.half:
		return date{d.days[:1]}
	}
	return d
}

// banner begins a run with the date of its first line.
func (c *clock) banner(d date) { c.date, c.turns, c.any = d, 0, false }

// timeOfDay is a stamp of a time of day; a step back by more than half a day is
// midnight.
func (c *clock) timeOfDay(tod int64) stamp {
	if c.any && c.last-tod > day/2 {
		c.turns++
	}
	c.last, c.any = tod, true
	only, known := c.settled(c.date).known()
	if known {
		return stamp{kind: model.DomainCivil, at: only + c.turns*day + tod}
	}
	return stamp{kind: model.DomainDay, at: c.turns*day + tod}
}

// dated is a stamp of a time of day whose date stands beside it.
func (c *clock) dated(tod int64, d date) stamp {
	if only, ok := c.settled(d).known(); ok {
		return stamp{kind: model.DomainCivil, at: only + tod}
	}
	c.date = d
	return c.timeOfDay(tod)
}

// farAhead is the distance of two reports beyond which they do not lie on one piece: no
// collector of one run waits for a year.
const farAhead = 366 * day

// take puts a stamp on a piece of the clock, beginning a new one where it steps
// back, goes far ahead or is of another kind. It reports whether it did.
func (c *clock) take(st stamp, pos model.Pos, why model.Phrase) (piece model.DomainID, began bool) {
	n := len(c.domains)
	if n > 0 {
		d := &c.domains[n-1]
		same := d.Kind == st.kind
		if same && st.kind == model.DomainNone {
			return d.ID, false
		}
		last := c.stamps[len(c.stamps)-1]
		ahead := same && st.at-last.at > farAhead
		if same && st.at >= last.at && !ahead {
			if st.at > last.at {
				c.stamps = append(c.stamps, tick{st.at, d.ID, pos})
				d.Valid.End = model.ClockTime(st.at + 1)
			}
			return d.ID, false
		}
		if same && c.again && d.Valid.Contains(model.ClockTime(st.at)) {
			return d.ID, false
		}
		began = true
		switch {
		case ahead:
			why = model.Say("{}; the stamps go ahead by {} here: the clock was set, or the date of a row is damaged", why, time.Duration(st.at-last.at))
		case same:
			back := time.Duration(last.at - st.at)
			why = model.Say("{}; the stamps step back by {} here: a run was appended, or the clock was set back", why, back)
		}
	}
	d := model.Domain{ID: model.DomainID(n), Kind: st.kind, Step: time.Second, From: pos, Why: why}
	if st.zone != "" {
		d.Zone = model.NewText(st.zone, model.ClassZone)
	}
	if st.kind != model.DomainNone {
		d.Valid = model.Interval[model.ClockTime]{Start: model.ClockTime(st.at), End: model.ClockTime(st.at + 1)}
	}
	if st.kind == model.DomainDay && len(c.date.days) == 2 {
		a, b := model.Time(c.date.days[0]), model.Time(c.date.days[1])
		d.Days = []model.ClockTime{model.ClockTime(c.date.days[0]), model.ClockTime(c.date.days[1])}
		d.Notes = append(d.Notes, model.Say("the date of the first line may be {} or {} (day and month cannot be told apart); collect with {} in the environment", a, b, model.Lit("S_TIME_FORMAT=ISO")))
	}
	c.domains = append(c.domains, d)
	c.stamps = append(c.stamps, tick{st.at, d.ID, pos})
	return d.ID, began
}

// reason says where stamps of the kind come from.
func reason(kind model.DomainKind, h *heading) model.Phrase {
	switch {
	case kind == model.DomainUnix:
		return model.Say("the rows state seconds since 1970, or their zone")
	case kind == model.DomainCivil && h != nil && h.zone != "":
		return model.Say("the rows state calendar time; the heading names the zone only by letters, which do not name one offset")
	case kind == model.DomainCivil:
		return model.Say("the rows state calendar time without a zone, the day by the first line or the rows themselves")
	case kind == model.DomainDay:
		return model.Say("the rows state a time of day, and no line states the day")
	}
	return model.Say("no row states a time: samples are counted, none is placed (iostat -t, vmstat -t)")
}
