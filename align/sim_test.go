package align

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"tracemerge/model"
)

// A simRun is a run of which the truth is known: its captures, what is declared about
// them, and by how much each of their readings was off.
type simRun struct {
	r     *rand.Rand
	caps  []*model.Capture
	decl  model.Declaration
	opt   Options
	truth [][]simReading // by index of the capture
	start time.Time
	long  time.Duration
	busy  model.Set[model.ClockTime] // when the device works, since start
	hosts []simHost
	named bool // traces state their hosts
	every bool // the clock of each file is declared, but of some traces and times of day
	zone  *time.Location
	on    []int // by index of the capture: its host

	marked []model.Interval[model.ClockTime] // ranges of rank 0 within which the log has a line, since start
}

// A simHost is a host's clock: ahead of the truth by off, and more by drift.
type simHost struct {
	off   time.Duration
	drift int64 // parts per billion
}

// A simReading is one stamp, what must be added to the unrounded one to get UTC, and
// how much of that is not the zone.
type simReading struct {
	domain     model.DomainID
	raw        model.ClockTime
	off, wrong time.Duration
}

// A simClock writes stamps.
type simClock struct {
	kind   model.DomainKind
	zone   *time.Location // of civil stamps and times of day
	on     int
	host   simHost
	origin time.Time                        // of host's drift
	start  int64                            // subtracted from relative stamps, and from times of day
	step   time.Duration                    // stamps are cut off to it
	set    func(at time.Time) time.Duration // nil, or by how much the clock was yet to be set back
}

// read is the stamp at an instant.
func (k *simClock) read(at time.Time) (raw model.ClockTime, off, wrong time.Duration) {
	shown := at.Add(k.host.off + time.Duration(int64(at.Sub(k.origin))/1000*k.host.drift/1_000_000))
	if k.set != nil {
		shown = shown.Add(k.set(at))
	}
	n := shown.UnixNano()
	if k.kind == model.DomainCivil || k.kind == model.DomainDay {
		_, east := shown.In(k.zone).Zone()
		n += int64(east) * 1e9
	}
	if k.kind == model.DomainRelative || k.kind == model.DomainDay {
		n -= k.start
	}
	return model.ClockTime(n - n%int64(k.step)), time.Duration(at.UnixNano() - n), at.Sub(shown)
}

// simZones are where the hosts of simulated runs stand, with a day on which some set
// their clocks.
var simZones = []struct{ name, change string }{
	{"Asia/Seoul", ""}, {"UTC", ""}, {"Asia/Kolkata", ""}, {"Asia/Kathmandu", ""}, {"America/St_Johns", "2026-03-08T05:30:00Z"},
	{"Europe/Berlin", "2025-10-26T01:00:00Z"}, {"Europe/Berlin", "2026-03-29T01:00:00Z"},
	{"America/New_York", "2025-11-02T06:00:00Z"}, {"America/Los_Angeles", "2026-03-08T10:00:00Z"},
	{"Australia/Lord_Howe", "2026-04-04T15:00:00Z"},
}

// newSim begins a run at a random time, often around a change of the zone.
func newSim(r *rand.Rand) *simRun {
	s := &simRun{r: r, hosts: make([]simHost, 3), named: r.IntN(2) == 0}
	z := simZones[r.IntN(len(simZones))]
	s.zone, _ = time.LoadLocation(z.name)
	s.long = time.Duration(r.Int64N(int64(20*time.Minute))) + 2*time.Minute
	if r.IntN(4) == 0 {
		s.long += time.Duration(r.Int64N(int64(90 * time.Minute)))
	}
	if r.IntN(12) == 0 {
		s.long += time.Duration(r.Int64N(int64(6 * time.Hour)))
	}
	s.start = time.Date(2024+r.IntN(3), time.Month(1+r.IntN(12)), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60), r.IntN(1e9), time.UTC)
	if change, err := time.Parse(time.RFC3339, z.change); err == nil && r.IntN(2) == 0 {
		s.start = change.Add(-time.Duration(r.Int64N(int64(s.long))))
	}
	return s
}

// wander sets the clocks of some hosts wrong, by up to some minutes, and lets them
// drift against the truth.
func (s *simRun) wander() {
	for i := range s.hosts {
		if s.chance(3) {
			s.hosts[i].off = s.between(-5*time.Minute, 5*time.Minute)
		}
		if s.chance(2) {
			s.hosts[i].drift = s.r.Int64N(40_001) - 20_000
		}
	}
}

// work fills the run with kernels, from before it until after.
func (s *simRun) work(periodic bool) {
	period := 1 + 4*s.r.Float64()
	if periodic {
		period = float64(1 + s.r.IntN(5)) // divides every difference of two zones
	}
	duty := .1 + .8*s.r.Float64()
	at, end := -simAround.Seconds(), (s.long + simAround).Seconds()
	var b model.SetBuilder[model.ClockTime]
	for at < end {
		on, off := period*duty, period*(1-duty)
		if !periodic {
			on, off = on*s.r.ExpFloat64(), off*s.r.ExpFloat64()
		}
		from := model.ClockTime(math.Round(at * 1e3))
		till := model.ClockTime(math.Round((at + on) * 1e3))
		b.Add(model.Interval[model.ClockTime]{Start: from * 1e6, End: till * 1e6})
		at += on + off
	}
	s.busy = b.Set()
}

// simAround is by how much files may begin before a run and end after it.
const simAround = 10 * time.Minute

// between is a random duration.
func (s *simRun) between(lo, hi time.Duration) time.Duration {
	return lo + time.Duration(s.r.Int64N(int64(hi-lo)+1))
}

// chance is true in one of n cases.
func (s *simRun) chance(n int) bool { return s.r.IntN(n) == 0 }

// capture begins a file and numbers it.
func (s *simRun) capture(kind model.SourceKind, name string) *model.Capture {
	c := &model.Capture{Source: model.Source{ID: model.SourceID(len(s.caps) + 1), Kind: kind, File: model.NewText(name, model.ClassFile),
		SHA256: fmt.Sprintf("%016x", s.r.Uint64())}}
	s.caps = append(s.caps, c)
	s.truth = append(s.truth, nil)
	s.on = append(s.on, 0)
	return c
}

// stamp adds one reading to the last file, and a piece where its clock goes back as
// the readers cut it.
func (s *simRun) stamp(k *simClock, at time.Time) simReading {
	i := len(s.caps) - 1
	c := s.caps[i]
	s.on[i] = k.on
	raw, off, wrong := k.read(at)
	pos := model.Pos{Source: c.Source.ID, Line: int32(len(s.truth[i]) + 1), Offset: int64(100 * (len(s.truth[i]) + 1))}
	n := len(c.Domains)
	back := n > 0 && c.Source.Kind != model.KindTrace && c.Domains[n-1].Valid.End-1-raw > model.ClockTime(time.Second)
	if n == 0 || back {
		d := model.Domain{ID: model.DomainID(n), Kind: k.kind, Step: k.step, From: pos, Valid: model.Interval[model.ClockTime]{Start: raw, End: raw + 1}}
		if back {
			d.Notes = append(d.Notes, model.Say("the clock goes back"))
		}
		c.Domains = append(c.Domains, d)
	}
	d := &c.Domains[len(c.Domains)-1]
	d.Valid.Start, d.Valid.End = min(d.Valid.Start, raw), max(d.Valid.End, raw+1)
	t := simReading{d.ID, raw, off, wrong}
	s.truth[i] = append(s.truth[i], t)
	return t
}

// clock is one of a random file on a host.
func (s *simRun) clock(kind model.DomainKind, host int, step time.Duration) *simClock {
	k := &simClock{kind: kind, zone: s.zone, on: host, host: s.hosts[host], origin: s.start, step: step}
	switch kind {
	case model.DomainRelative:
		k.start = s.start.UnixNano() - s.r.Int64N(int64(1000*time.Hour))
	case model.DomainDay:
		at := s.start.Add(-simAround).In(s.zone)
		k.start = time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC).UnixNano()
	}
	return k
}

// declare states something true about the last file: its zone, or an offset that may
// be off by as much as it says, or both.
func (s *simRun) declare(zone, offset bool) {
	i := len(s.caps) - 1
	d := model.DeclaredClock{File: s.caps[i].Source.File.Raw, From: model.Pos{Source: 99, Line: int32(i)}}
	if zone {
		d.Zone = model.NewText(s.zone.String(), model.ClassZone)
	}
	if offset {
		var lo, hi time.Duration
		for n, t := range s.truth[i] {
			v := t.off
			if zone {
				v = t.wrong
			}
			if n == 0 {
				lo, hi = v, v
			}
			lo, hi = min(lo, v), max(hi, v)
		}
		error := s.between(0, time.Second<<s.r.IntN(9))
		d.HasOffset, d.Offset, d.Uncertainty = true, lo+s.between(-error, error), error+hi-lo
	}
	s.decl.Clocks = append(s.decl.Clocks, d)
}

// files writes the files of a run: up to eight traces, a log, samplers, times of day.
func (s *simRun) files() {
	steps := s.steps()
	if n := s.r.IntN(9); n > 0 {
		from := s.between(0, s.long/2)
		to := from + s.between(time.Second, min(40*time.Second, s.long/2))
		ks := make([]*simClock, n)
		for i := range ks {
			kind := model.DomainUnix
			if s.chance(3) {
				kind = model.DomainRelative
			}
			ks[i] = s.clock(kind, i%len(s.hosts), []time.Duration{1, time.Microsecond}[s.r.IntN(2)])
		}
		s.traces(ks, steps, from, to)
	}
	if !s.chance(10) {
		k := s.clock([]model.DomainKind{model.DomainUnix, model.DomainCivil}[s.r.IntN(2)], 0, []time.Duration{time.Microsecond, time.Millisecond, time.Second}[s.r.IntN(3)])
		s.log(k, steps, []int64{0, 1, 1000}[s.r.IntN(3)])
		s.perhaps(k, 3)
	}
	for n := range s.r.IntN(3) {
		k := s.clock(model.DomainCivil, s.r.IntN(len(s.hosts)), []time.Duration{time.Millisecond, time.Second}[s.r.IntN(2)])
		if s.chance(6) {
			k.kind = model.DomainUnix
		}
		from, to := s.between(-simAround, s.long*4/5), s.between(0, s.long+simAround)
		if s.chance(8) {
			to = s.between(0, 2*time.Second)
		}
		if from > to {
			from, to = to, from
		}
		if s.chance(5) && to-from > time.Minute && !s.changes(from, to) {
			s.setBack(k, s.between(from+(to-from)/4, to-(to-from)/4))
		}
		s.sampler(fmt.Sprintf("gpu%d.csv", n), k, from, to)
		s.perhaps(k, 3)
	}
	if s.chance(6) {
		k := s.clock(model.DomainDay, 0, time.Second)
		from := s.between(-simAround/2, s.long/2)
		s.sampler("dmon.txt", k, from, from+s.between(time.Minute, s.long))
		if s.chance(2) {
			day := s.start.Add(from).In(s.zone)
			s.caps[len(s.caps)-1].Domains[0].Days = []model.ClockTime{model.ClockTime(k.start), model.ClockTime(time.Date(day.Year(), 1+(day.Month()+3)%12, 7, 0, 0, 0, 0, time.UTC).UnixNano())}
		}
		if !s.chance(4) {
			s.declare(true, false)
		}
	}
}

// perhaps declares something about the last file in one of n cases; where the run
// wants it, always how far its clock is off.
func (s *simRun) perhaps(k *simClock, n int) {
	if s.every {
		s.declare(k.kind == model.DomainCivil && s.chance(2), true)
		return
	}
	if s.chance(n) {
		zone := k.kind == model.DomainCivil && !s.chance(4)
		s.declare(zone, !zone || s.chance(2))
	}
}

// changes reports whether the zone changes within some hours.
func (s *simRun) changes(from, to time.Duration) bool {
	_, a := s.start.Add(from - 3*time.Hour).In(s.zone).Zone()
	_, b := s.start.Add(to + 3*time.Hour).In(s.zone).Zone()
	return a != b
}

// setBack sets a clock back once: before it, or after it, the clock is wrong.
func (s *simRun) setBack(k *simClock, when time.Duration) {
	by, at := s.between(15*time.Second, 3*time.Minute), s.start.Add(when)
	first := s.chance(2)
	k.set = func(t time.Time) time.Duration {
		switch {
		case first && t.Before(at):
			return by
		case !first && !t.Before(at):
			return -by
		}
		return 0
	}
}

// span is from the first to the last true instant of a file's readings.
func (s *simRun) span(i int) model.Interval[model.Time] {
	var out model.Interval[model.Time]
	for n, t := range s.truth[i] {
		at := model.Time(t.raw) + model.Time(t.off)
		if n == 0 {
			out.Start, out.End = at, at
		}
		out.Start, out.End = min(out.Start, at), max(out.End, at)
	}
	return out
}

// sameRun reports whether the files meet as align assumes it: each in calendar time
// meets one whose clock is known, or one in calendar time that does.
func (s *simRun) sameRun() bool {
	known := make([]bool, len(s.caps))
	meets := func(i int, of func(k int) bool) bool {
		for k := range s.caps {
			a, b := s.span(i), s.span(k)
			if k != i && of(k) && a.Start <= b.End && b.Start <= a.End {
				return true
			}
		}
		return false
	}
	for i, c := range s.caps {
		declared := slices.ContainsFunc(s.decl.Clocks, func(d model.DeclaredClock) bool { return d.File == c.Source.File.Raw })
		known[i] = c.Domains[0].Kind == model.DomainUnix || declared && c.Domains[0].Kind != model.DomainDay
	}
	direct := func(k int) bool {
		return !known[k] && s.caps[k].Domains[0].Kind == model.DomainCivil && meets(k, func(o int) bool { return known[o] })
	}
	if !slices.Contains(known, true) {
		return true
	}
	for i, c := range s.caps {
		k := c.Domains[0].Kind
		switch {
		case known[i] || k == model.DomainRelative:
		case meets(i, func(o int) bool { return known[o] }):
		case k == model.DomainDay, !meets(i, direct):
			return false
		}
	}
	return true
}

// newRun is a random run whose files meet; prepare may be nil.
func newRun(seed uint64, prepare func(*simRun)) *simRun {
	for n := uint64(1); ; n++ {
		s := newSim(rand.New(rand.NewPCG(seed, n)))
		s.work(s.chance(2))
		if prepare != nil {
			prepare(s)
		}
		s.files()
		if len(s.caps) > 0 && s.sameRun() {
			return s
		}
	}
}
