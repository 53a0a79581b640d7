package sample

import (
	"slices"
	"time"

	"tracemerge/model"
)

// A rule says how far back a reading speaks.
type rule uint8

const (
	ruleGauge    rule = iota // back to the previous row, at most gaugeReach
	ruleActivity             // activityReach
	ruleRate                 // back to the previous row
)

const (
	// refresh is the period after which the driver renews utilization.gpu and
	// utilization.memory: 1.000 s in each of six public loops of 100 ms. NVIDIA
	// states 1/6 s to 1 s depending on the product.
	refresh = time.Second
	// activityReach is how far back the measurement window of an activity reading
	// may begin: one refresh period old, and one refresh period long.
	activityReach = 2 * refresh
	// gaugeReach is how long a value read at one instant is let stand for.
	gaugeReach = 2 * time.Second
)

func ruleFor(role model.Role, kind model.TrackKind) rule {
	switch role {
	case model.RoleGPUBusy, model.RoleMemoryBusy:
		return ruleActivity
	case model.RoleCPUBusy, model.RoleIOWait, model.RoleReadRate, model.RoleWriteRate, model.RoleCPUIdle, model.RoleDiskBusy:
		return ruleRate
	}
	switch kind {
	case model.TrackHost, model.TrackCore, model.TrackDisk:
		return ruleRate
	}
	return ruleGauge
}

// A row is one line of one track.
type row struct {
	c      model.ClockTime
	at     model.Time
	width  time.Duration // doubt about at from the clock
	placed bool
	late   bool          // it missed its turn: what lies before its period is a gap
	period time.Duration // distance to the previous row, or the usual one after a gap and at the start; 0 if neither is known
	line   int32
	offset int64
}

func (r row) pos(id model.SourceID) model.Pos {
	return model.Pos{Source: id, Line: r.line, Offset: r.offset}
}

// same reports whether two cells stand in one row of a track.
func (r row) same(o row) bool { return r.c == o.c && r.offset == o.offset && r.line == o.line }

// alive is the time for which the row shows that the collector was at work.
func (r row) alive() model.Interval[model.Time] {
	return model.Interval[model.Time]{Start: r.at - model.Time(r.period), End: r.at}
}

// support is the time that a reading of the row speaks for.
func (r row) support(by rule) model.Interval[model.Time] {
	reach := r.period
	switch by {
	case ruleActivity:
		reach = activityReach
	case ruleGauge:
		reach = min(reach, gaugeReach)
	}
	return model.Interval[model.Time]{Start: r.at - model.Time(reach), End: r.at}
}

// unsure is the leading part of a support that need not belong to the window of
// the measurement: how stale the driver's reading was is not recorded.
func (by rule) unsure() time.Duration {
	if by == ruleActivity {
		return activityReach - refresh
	}
	return 0
}

// A scan is one sampler source laid out by track.
type scan struct {
	p       model.Placed
	onRun   bool // on the run's clock; else every stamp stands on the source's own
	window  model.Interval[model.Time]
	tracks  [][]row // by TrackID, in file order
	usual   []time.Duration
	sampler Sampler
}

// newScan lays the rows out. A source without any placed clock is laid out on
// its own axis, in the window of its own records.
func newScan(p model.Placed, window model.Interval[model.Time]) *scan {
	s := &scan{p: p, window: window, tracks: make([][]row, len(p.Tracks)), usual: make([]time.Duration, len(p.Tracks))}
	for _, m := range p.Mappings {
		s.onRun = s.onRun || m.Placed
	}
	if p.Samples == nil {
		return s
	}
	domains := cursor{c: p.Capture}
	for b := range p.Samples.Batches() {
		for i := range b.At {
			t := int(b.Track[i])
			if t < 0 || t >= len(s.tracks) {
				continue
			}
			r := row{c: model.ClockTime(b.At[i]), line: b.Line[i], offset: b.Offset[i]}
			rows := s.tracks[t]
			if n := len(rows); n > 0 && rows[n-1].same(r) {
				continue // another cell of the row
			}
			r.at, r.width, r.placed = s.place(domains.at(r.offset), r.c)
			s.tracks[t] = append(rows, r)
		}
	}
	for t := range s.tracks {
		s.usual[t] = pace(s.tracks[t], s.step())
	}
	if !s.onRun {
		s.window = s.hull()
	}
	return s
}

// place puts a stamp on the run's clock, or leaves it on the source's own.
func (s *scan) place(d model.DomainID, c model.ClockTime) (model.Time, time.Duration, bool) {
	if !s.onRun {
		return model.Time(c), 0, true
	}
	return s.p.At(d, c)
}

// hull is from the first stamp to the last.
func (s *scan) hull() model.Interval[model.Time] {
	var h model.Interval[model.Time]
	any := false
	for _, rows := range s.tracks {
		for _, r := range rows {
			if !r.placed {
				continue
			}
			if !any {
				h = model.Interval[model.Time]{Start: r.at, End: r.at}
			}
			h.Start, h.End, any = min(h.Start, r.at), max(h.End, r.at), true
		}
	}
	return h
}

// pace finds the usual distance of a track's rows, and with it each row's
// period. Stamps cut off to more than a millisecond are each up to a step early,
// so that a distance counts as late only if it is however they were cut off.
func pace(rows []row, step time.Duration) time.Duration {
	var steps []time.Duration
	for i := 1; i < len(rows); i++ {
		if d, ok := distance(rows, i); ok && d > 0 {
			steps = append(steps, d)
		}
	}
	var usual time.Duration
	if len(steps) > 0 {
		slices.Sort(steps)
		usual = steps[(len(steps)-1)/2]
	}
	limit := max(usual+usual/2, usual+time.Second/4)
	if step > time.Millisecond {
		limit += step
	}
	for i := range rows {
		d, ok := distance(rows, i)
		if ok && d == 0 { // another row of the same turn, as of a second table
			rows[i].late, rows[i].period = rows[i-1].late, rows[i-1].period
			continue
		}
		rows[i].late = ok && d > limit
		rows[i].period = d
		if !ok || rows[i].late {
			rows[i].period = usual
		}
	}
	return usual
}

const (
	// lateTimes and lateMost are how much later than usual a row may come for the time
	// before it to count as late; beyond either the collector had stopped. A convention:
	// of 17 public loops one has rows up to 7 times the usual distance apart, while it ran.
	lateTimes = 3
	lateMost  = 5 * time.Second
)

// tardy reports whether a distance between two rows, known to the step of their stamps,
// is that of a late row and not of a collector that had stopped.
func tardy(distance, usual, step time.Duration) bool {
	if step > time.Millisecond {
		distance -= step
	}
	return distance <= min(lateTimes*usual, lateMost)
}

// distance is from the previous row of the track to the row, where both lie on
// one clock.
func distance(rows []row, i int) (time.Duration, bool) {
	if i == 0 || !rows[i].placed || !rows[i-1].placed || rows[i].at < rows[i-1].at || rows[i].width != rows[i-1].width {
		return 0, false
	}
	return time.Duration(rows[i].at - rows[i-1].at), true
}

// A cursor finds the domain of records that come by rising offset without
// looking through all domains each time.
type cursor struct {
	c *model.Capture
	i int
}

func (k *cursor) at(offset int64) model.DomainID {
	ds := k.c.Domains
	if k.i < len(ds) && ds[k.i].From.Offset > offset {
		k.i = 0
	}
	for k.i+1 < len(ds) && ds[k.i+1].From.Offset <= offset {
		k.i++
	}
	if k.i >= len(ds) {
		return 0
	}
	return ds[k.i].ID
}

// A union collects intervals that mostly arrive in order; where a clock was set
// back it starts anew and joins at the end.
type union struct {
	b    model.SetBuilder[model.Time]
	last model.Time
	any  bool
	done model.Set[model.Time]
}

func (u *union) add(i model.Interval[model.Time]) {
	if u.any && i.Start < u.last {
		u.done = u.done.Union(u.b.Set())
		u.b = model.SetBuilder[model.Time]{}
	}
	u.b.Add(i)
	u.last, u.any = i.Start, true
}

func (u *union) set() model.Set[model.Time] {
	u.done, u.b, u.any = u.done.Union(u.b.Set()), model.SetBuilder[model.Time]{}, false
	return u.done
}
