package applog

import (
	"cmp"
	"slices"
	"time"

	"tracemerge/model"
)

// buffered is how far a record's stamp may lie before that of the record above
// and still be ordinary: writers of several threads or ranks reach the file out
// of order (422 of 1,776 MLPerf v1.1 logs step back by up to a tenth of a second).
const buffered = time.Second

// maxPieces bounds how often one clock is cut. A log that steps back more often
// is a mixture that pieces do not describe.
const maxPieces = 64

// A clockKey tells apart the clocks whose readings cannot be compared.
type clockKey struct {
	kind stampKind // stampEpoch is counted with stampZoned: both are Unix time
	zone string    // an abbreviation, of stampCivil
}

// A clock is all stamps of one kind in the file.
type clock struct {
	key    clockKey
	n      int64
	pieces []*piece
	byFrac [10]int64 // records by decimal digits of a second

	zone       string // first zone as written
	epoch      epochUnit
	month, day int8  // of the first record of the current piece, stampMonth
	days       int64 // from that day to the current one
	capped     bool
}

// A piece is a clock between two steps of it.
type piece struct {
	id         model.DomainID // in order of appearance; final numbers are given at the end
	from       model.Pos
	n          int64
	min, max   model.ClockTime
	last       model.ClockTime
	first      model.ClockTime
	longest    time.Duration // longest step forward
	notes      []model.Phrase
	month, day int8
}

// clocks are the clocks of a file.
type clocks struct {
	all     []*clock
	recent  *clock
	ids     model.DomainID
	notices *model.Notices
}

// read notes a record's stamp and returns its domain (numbered in order of
// appearance) and reading; the piece is nil where the reading cannot be kept.
func (c *clocks) read(s stamp, at model.Pos) (*piece, model.ClockTime) {
	k := c.clockOf(s)
	k.n++
	k.byFrac[s.digits]++
	reading := model.ClockTime(s.at)
	if s.kind == stampMonth {
		days, ok := k.dayCount(s)
		if !ok {
			return c.cut(k, s, at, model.ClockTime(s.at), model.Say("the date goes back, or over the end of February, whose length without a year is not known"))
		}
		k.days = days
		reading += model.ClockTime(days * dayNanos)
	}
	if len(k.pieces) == 0 {
		return c.begin(k, s, at, reading), reading
	}
	p := k.pieces[len(k.pieces)-1]
	if back := time.Duration(p.max - reading); back > buffered {
		if k.key.kind != stampZoned {
			return c.cut(k, s, at, model.ClockTime(s.at), k.backNote(p, back))
		}
		if reading < p.last {
			c.notices.Add("applog/clock-back", model.Note, at, model.Say("the stamp is {} earlier than one before it, though both carry their zone: several writers, or a clock that was set", back))
		}
	} else if reading < p.last {
		c.notices.Add("applog/out-of-order", model.Info, at, model.Say("the stamp is {} earlier than that of the record above; up to {} is usual where several writers share a file", time.Duration(p.last-reading), buffered))
	}
	p.n++
	p.longest = max(p.longest, time.Duration(reading-p.last))
	p.min, p.max, p.last = min(p.min, reading), max(p.max, reading), reading
	return p, reading
}

func (c *clocks) clockOf(s stamp) *clock {
	kind := s.kind
	if kind == stampEpoch {
		kind = stampZoned
	}
	abbreviated := kind == stampCivil && len(s.zone) > 0
	if k := c.recent; k != nil && k.key.kind == kind && (kind == stampZoned || k.key.zone == string(s.zone)) {
		k.describe(s)
		return k
	}
	key := clockKey{kind: kind}
	if abbreviated {
		key.zone = string(s.zone)
	}
	for _, k := range c.all {
		if k.key == key {
			c.recent = k
			k.describe(s)
			return k
		}
	}
	k := &clock{key: key}
	k.describe(s)
	c.all = append(c.all, k)
	c.recent = k
	return k
}

func (k *clock) describe(s stamp) {
	if s.kind == stampZoned && k.zone == "" {
		k.zone = string(s.zone)
	}
	if s.kind == stampEpoch && k.epoch == unitNone {
		k.epoch = s.unit
	}
}

// dayCount returns the days from the first day of the piece to the stamp's; ok is
// false where the number depends on the year or is negative.
func (k *clock) dayCount(s stamp) (days int64, ok bool) {
	if len(k.pieces) == 0 || k.month == s.month && k.day == s.day {
		return 0, true
	}
	plain := unixDay(2001, int(s.month), int(s.day)) - unixDay(2001, int(k.month), int(k.day))
	leap := unixDay(2000, int(s.month), int(s.day)) - unixDay(2000, int(k.month), int(k.day))
	if plain < 0 && k.month == 12 && s.month == 1 { // December to January is a step forward
		plain, leap = plain+365, leap+366
	}
	return plain, plain == leap && plain >= 0
}

func (c *clocks) begin(k *clock, s stamp, at model.Pos, reading model.ClockTime) *piece {
	p := &piece{id: c.ids, from: at, n: 1, min: reading, max: reading, last: reading, first: reading, month: s.month, day: s.day}
	c.ids++
	k.pieces = append(k.pieces, p)
	k.month, k.day, k.days = s.month, s.day, 0
	return p
}

// cut ends the current piece and begins a new one with the stamp.
func (c *clocks) cut(k *clock, s stamp, at model.Pos, reading model.ClockTime, note model.Phrase) (*piece, model.ClockTime) {
	if len(k.pieces) == maxPieces {
		p := k.pieces[maxPieces-1]
		if !k.capped {
			k.capped = true
			p.notes = append(p.notes, model.Say("the stamps go back by more than {} over {} times: the rest is kept as one piece, in which the order of records is not that of time", buffered, maxPieces))
		}
		c.notices.Add("applog/many-steps", model.Note, at, model.Say("the clock goes back more often than {} times; several clocks or sorted output share the file", maxPieces))
		if k.key.kind == stampMonth {
			return nil, 0 // the reading counts from another day than the piece's
		}
		p.n++
		p.min, p.max, p.last = min(p.min, reading), max(p.max, reading), reading
		return p, reading
	}
	p := c.begin(k, s, at, reading)
	p.notes = append(p.notes, note)
	c.notices.Add("applog/clock-step", model.Note, at, note)
	return p, reading
}

// backNote words a step back of a clock without a zone.
func (k *clock) backNote(p *piece, back time.Duration) model.Phrase {
	if k.key.kind == stampDay {
		return model.Say("the time of day goes back by {}: a new day or a clock that was set back, which stamps without a date do not tell", back)
	}
	if k.key.kind == stampUptime {
		return model.Say("the count of seconds goes back by {}: the system or the program was started again", back)
	}
	if shift := fold(p, back); shift > 0 {
		return model.Say("the clock goes back by {}: the end of daylight saving time ({} back) is possible, the stamps carry no zone", back, shift)
	}
	return model.Say("the clock goes back by {}: set back, or another writer with another clock", back)
}

// fold returns the shift of the zone that a step back is consistent with, 0 if
// none: the shift less the time that passed between the two records, which is
// taken to be no more than a few of the usual steps between records.
func fold(p *piece, back time.Duration) time.Duration {
	passed := time.Minute
	if p.n > 1 {
		passed += 4 * time.Duration((p.max-p.first)/model.ClockTime(p.n-1))
	}
	passed = min(passed, 29*time.Minute)
	for _, shift := range []time.Duration{30 * time.Minute, time.Hour, 2 * time.Hour, 3 * time.Hour} {
		if back <= shift+buffered && back >= shift-passed {
			return shift
		}
	}
	return 0
}

// step is the resolution of the clock's stamps: the coarsest that occurs.
// Writers of RFC 3339 with nanoseconds trim zeros at the end, which leaves d of D
// digits in one of 10^(D-d) records; fewer digits as rare as that do not count.
func (k *clock) step() time.Duration {
	finest := 0
	for d, n := range k.byFrac {
		if n > 0 {
			finest = d
		}
	}
	var below int64
	chance := int64(1)
	for range finest {
		chance *= 10
	}
	step := time.Second
	for d := 0; d < finest; d++ {
		below += k.byFrac[d]
		expected := 3 * k.n / chance
		if k.n >= 10 {
			expected++
		}
		if below > expected {
			return step
		}
		step /= 10
		chance /= 10
	}
	return step
}

var domainKinds = [...]model.DomainKind{stampZoned: model.DomainUnix, stampCivil: model.DomainCivil,
	stampMonth: model.DomainDay, stampDay: model.DomainDay, stampUptime: model.DomainRelative}

// domains returns the domains of the file, the clock with the most records first,
// and the final number of each domain by its number in order of appearance. A
// file without any stamp has one domain of kind none.
func (c *clocks) domains() ([]model.Domain, []model.DomainID) {
	slices.SortStableFunc(c.all, func(a, b *clock) int { return cmp.Compare(b.n, a.n) })
	final := make([]model.DomainID, c.ids)
	var out []model.Domain
	for _, k := range c.all {
		for _, p := range k.pieces {
			d := model.Domain{ID: model.DomainID(len(out)), Kind: domainKinds[k.key.kind], Step: k.step(),
				Valid: model.Interval[model.ClockTime]{Start: p.min, End: p.max + 1}, From: p.from,
				Why: k.why(p), Notes: p.notes}
			if k.key.kind == stampZoned {
				d.Zone = model.NewText(k.zone, model.ClassZone)
			}
			final[p.id] = d.ID
			out = append(out, d)
		}
	}
	if len(out) == 0 {
		out = []model.Domain{{Kind: model.DomainNone, Why: model.Say("no record carries a time")}}
	}
	return out, final
}

var unitWords = [...]model.Word{unitSeconds: model.Lit("seconds"), unitMillis: model.Lit("milliseconds"),
	unitMicros: model.Lit("microseconds"), unitNanos: model.Lit("nanoseconds")}

func (k *clock) why(p *piece) model.Phrase {
	switch k.key.kind {
	case stampZoned:
		zone := model.NewText(k.zone, model.ClassZone)
		switch {
		case k.zone != "" && k.epoch != unitNone:
			return model.Say("stamps carry their zone, first {}, or count {} since the Unix epoch ({} records)", zone, unitWords[k.epoch], k.n)
		case k.epoch != unitNone:
			return model.Say("stamps count {} since the Unix epoch ({} records)", unitWords[k.epoch], k.n)
		}
		return model.Say("stamps carry their zone, first {} ({} records)", zone, k.n)
	case stampCivil:
		if k.key.zone != "" {
			return model.Say("stamps have a date, a time of day and the abbreviation {}, which names more than one offset: no zone is taken from it ({} records)", model.NewText(k.key.zone, model.ClassZone), k.n)
		}
		return model.Say("stamps have a date and a time of day and no zone ({} records)", k.n)
	case stampUptime:
		return model.Say("stamps count seconds from a start that the file does not state ({} records)", k.n)
	case stampMonth:
		return model.Say("stamps have a month and a day and no year ({} records); readings count from midnight of month {}, day {}", k.n, int(p.month), int(p.day))
	}
	return model.Say("stamps have a time of day and no date ({} records); readings count from midnight", k.n)
}
