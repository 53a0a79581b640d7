package align

import (
	"time"

	"tracemerge/model"
)

// A calendar is a zone as one capture meets it: its periods around the readings,
// and which of the file's steps back are the zone's own.
type calendar struct {
	periods []period
	survey  *survey
	// passes maps a fold, as one clock of the file met it, to the last piece that
	// lies before the change.
	passes map[met]model.DomainID
	// explained holds the pieces after which the step back is the zone's.
	explained map[model.DomainID]bool
}

// A met fold is the first of its two periods and the clock that met it.
type met struct{ fold, chain int }

// A survey is what the readings of a capture show about its clocks.
type survey struct {
	longest []time.Duration // longest distance of neighbouring readings, by domain
	chain   []int           // by domain: pieces of one clock share a number
}

// look surveys a capture. Two domains are pieces of one clock if they are of one
// kind and the second begins in the file after the first has ended; domains whose
// records alternate are clocks of different writers.
func look(c *model.Capture) *survey {
	n := len(c.Domains)
	v := &survey{make([]time.Duration, n), make([]int, n)}
	if n < 2 {
		return v
	}
	at := make([]model.ClockTime, n)
	end := make([]int64, n) // offset of the last reading
	seen := make([]bool, n)
	eachReading(c, func(d model.DomainID, t model.ClockTime, pos model.Pos) {
		if int(d) >= n || d < 0 {
			return
		}
		if seen[d] {
			v.longest[d] = max(v.longest[d], time.Duration(t-at[d]))
		}
		at[d], end[d], seen[d] = t, pos.Offset, true
	})
	for i := 1; i < n; i++ {
		p, d := &c.Domains[i-1], &c.Domains[i]
		follows := p.Kind == d.Kind && p.From.Offset < d.From.Offset && end[i-1] < d.From.Offset
		// Few lines of a log are kept as readings, too few to see writers alternate;
		// its reader notes the step on a piece that begins with one.
		if c.Source.Kind == model.KindLog && len(d.Notes) == 0 {
			follows = false
		}
		v.chain[i] = v.chain[i-1]
		if !follows {
			v.chain[i]++
		}
	}
	return v
}

// A step is where a civil clock goes back between two neighbouring pieces.
type step struct {
	before, after *model.Domain
	from, to      model.ClockTime // last reading before, first after
}

func (s step) back() time.Duration { return time.Duration(s.from - s.to) }

// reach is how far the clock may have been set back at a step: what its stamps show,
// what they are cut off by, and the time that passed meanwhile.
func (v *survey) reach(s step) time.Duration {
	return s.back() + max(s.before.Step, s.after.Step) + v.passed(s)
}

// stepsOf lists the steps back between neighbouring pieces of one clock.
func stepsOf(c *model.Capture, v *survey) []step {
	var out []step
	for i := 0; i+1 < len(c.Domains); i++ {
		p, n := &c.Domains[i], &c.Domains[i+1]
		if v.chain[i] != v.chain[i+1] || p.Valid.Empty() || n.Valid.Empty() {
			continue
		}
		if s := (step{p, n, p.Valid.End - 1, n.Valid.Start}); s.back() > 0 {
			out = append(out, s)
		}
	}
	return out
}

// newCalendar lists the zone's periods and matches the file's steps with its
// changes. A step is taken as the zone's if both readings lie in the time that
// occurs twice and, taken that way, no more than a quarter of the shift passed
// between them. That is a heuristic: a clock set back by hand for almost the
// same amount within that hour would be taken for the zone's change, as would one
// that is set back over the change itself, and a recorder that paused for longer
// leaves both passes possible.
func newCalendar(c *model.Capture, v *survey, loc *time.Location) *calendar {
	var around model.Interval[model.ClockTime]
	for i := range c.Domains {
		v := validOf(c, &c.Domains[i])
		if c.Domains[i].Kind != model.DomainCivil || v.Empty() {
			continue
		}
		if around.Empty() {
			around = v
		}
		around.Start, around.End = min(around.Start, v.Start), max(around.End, v.End)
	}
	cal := &calendar{periods: periods(loc, around), survey: v, passes: map[met]model.DomainID{}, explained: map[model.DomainID]bool{}}
	twice := map[met]bool{}
	for _, s := range stepsOf(c, v) {
		i, ok := cal.changeAt(s)
		if s.before.Kind != model.DomainCivil || !ok {
			continue
		}
		m := met{i, v.chain[s.before.ID]}
		if last, again := cal.passes[m]; again { // the clock went back more often than the zone did
			twice[m] = true
			delete(cal.explained, last)
			continue
		}
		cal.passes[m] = s.before.ID
		cal.explained[s.before.ID] = true
	}
	for m := range twice {
		delete(cal.passes, m)
	}
	return cal
}

// disorder is how far records of one writer may stand out of order or be cut off
// to whole seconds.
const disorder = time.Second

// changeAt finds the change of the zone that explains a step back.
func (cal *calendar) changeAt(s step) (fold int, ok bool) {
	for i := 0; i+1 < len(cal.periods); i++ {
		first, second := cal.periods[i], cal.periods[i+1]
		both := first.civil.Intersect(second.civil)
		if !both.Contains(s.from) || !both.Contains(s.to) {
			continue
		}
		shift := second.add - first.add
		if passed := shift - s.back(); passed >= -disorder && passed <= shift/4 {
			return i, true
		}
	}
	return 0, false
}

// narrow keeps the period that the file's order decides for a piece.
func (cal *calendar) narrow(in []int, piece model.DomainID) []int {
	if len(in) != 2 {
		return in
	}
	last, ok := cal.passes[met{in[0], cal.survey.chain[piece]}]
	switch {
	case !ok:
		return in
	case piece <= last:
		return in[:1]
	}
	return in[1:]
}

// apart is the largest step back that is taken for a clock set back; pieces
// further apart are taken for separate recordings in one file. No zone change
// and no correction of a zone is larger than 26 h.
const apart = 26 * time.Hour

// steps widens the offsets on both sides of every step back that no zone
// explains: one side is off by the step and by the time that passed at it, and
// nothing says which.
func (a *aligner) steps(c *model.Capture, v *survey, cal *calendar, ms []model.Mapping) {
	// Lines of a log that several writers share stand out of order without any
	// clock having been set; there the doubt does not add up along the file.
	adjacent := c.Source.Kind == model.KindLog
	for _, s := range stepsOf(c, v) {
		before, after := int(s.before.ID), int(s.after.ID)
		if cal != nil && cal.explained[s.before.ID] || !ms[before].Placed && !ms[after].Placed {
			continue
		}
		if s.back() > apart {
			a.local.Add("align/recordings-appended", model.Note, s.after.From, model.Say(
				"{}: the stamps go back by {} here; what stands before and after is taken for two recordings in one file", c.Source.File, s.back()))
			continue
		}
		reach := v.reach(s)
		text := model.Say("the stamps go back by {} within the file: the clock was set back, or records stand out of order; nothing says which side is right, so both may be off by up to {} (if no more than {} passed there between two records, as elsewhere in the file: an assumption)", s.back(), reach, v.passed(s))
		for i := range ms {
			if v.chain[i] != v.chain[before] || adjacent && i != before && i != after {
				continue
			}
			widen(&ms[i], i <= before, reach, adjacent)
		}
		ms[before].Evidence = append(ms[before].Evidence, text)
		ms[after].Evidence = append(ms[after].Evidence, text)
		a.local.Add("align/clock-set-back", model.Note, s.after.From, model.Say("{}: {}", c.Source.File, text))
	}
}

// passed is the most time that is taken to have passed between the two readings of a
// step: half as much again as between any other neighbours of that clock, and a quarter
// of a second, beyond which samples count as missing. Nothing shows it: a recorder that
// waited longer just there is taken for one that did not.
func (v *survey) passed(s step) time.Duration {
	var longest time.Duration
	for i, chain := range v.chain {
		if chain == v.chain[s.before.ID] {
			longest = max(longest, v.longest[i])
		}
	}
	return longest + max(longest/2, 250*time.Millisecond)
}

// slack is how far the readings of a file may lie apart from where one offset for all
// of them puts them, since its clock goes back within it. Steps that are a zone's own
// are counted too, as the zone is not known.
func slack(c *model.Capture) time.Duration {
	if len(c.Domains) < 2 {
		return 0
	}
	var sum, most time.Duration
	v := look(c)
	for _, s := range stepsOf(c, v) {
		if s.back() <= apart {
			reach := v.reach(s)
			sum, most = sum+reach, max(most, reach)
		}
	}
	if c.Source.Kind == model.KindLog { // as in steps
		return most
	}
	return sum
}

// unsettled lets what is listed for a clock that is not placed hold its first piece,
// whichever side of the steps after it is right.
func (a *aligner) unsettled(n node) {
	p := &a.tl.Captures[n.capture]
	m := &p.Mappings[n.domain]
	if m.Placed || len(m.Ranges) == 0 {
		return
	}
	by := slack(p.Capture)
	for i := range m.Ranges {
		m.Ranges[i].Lo -= by
	}
	if by > 0 && m.Status == model.ClockExact {
		m.Status = model.ClockBounded
	}
}

// widen lets the offset reach down (a piece before a step) or up (one after it).
func widen(m *model.Mapping, before bool, by time.Duration, replace bool) {
	for i := range m.Segments {
		o := &m.Segments[i].Offset
		switch {
		case before && replace:
			o.Lo = min(o.Lo, o.Estimate-by)
		case before:
			o.Lo -= by
		case replace:
			o.Hi = max(o.Hi, o.Estimate+by)
		default:
			o.Hi += by
		}
	}
}
