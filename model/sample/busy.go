package sample

import (
	"math"
	"time"

	"tracemerge/model"
)

// A Reading is one value of utilization.gpu: the percentage of its measurement
// window in which a kernel was executing.
type Reading struct {
	At      model.Time
	Percent float64
}

// A Sampler is what is taken to be true of the driver that makes the readings.
// The measurement window of a reading ended up to Stale before its stamp and was
// Shortest to Longest long.
type Sampler struct {
	Stale             time.Duration
	Shortest, Longest time.Duration
	// Periods says that the windows are the refresh periods themselves: they
	// follow one another without overlap, and a reading shows the latest whole
	// one. Two readings then come from different windows if their stamps lie a
	// period apart or if they differ.
	Periods bool
}

// Regular is the sampler of the six public loops in which it could be seen: the
// reading is renewed every second and describes the second before.
func Regular() Sampler {
	return Sampler{Stale: refresh, Shortest: refresh, Longest: refresh, Periods: true}
}

// Loose takes a window of 1 s that ended at any time within the second before
// the stamp, whatever its neighbours are.
func Loose() Sampler { return Sampler{Stale: refresh, Shortest: refresh, Longest: refresh} }

// Strict takes what NVIDIA states and no more: a window between 1/6 s and 1 s.
func Strict() Sampler {
	return Sampler{Stale: refresh, Shortest: refresh / 6, Longest: refresh}
}

// words states the sampler beside bounds that rest on it.
func (s Sampler) words() model.Phrase {
	if s.Periods {
		return model.Say("bounds under a stated sampler: the driver renews the reading every {} and shows the share of the last whole period, which ended up to {} before the stamp; u % means u-1 to u+1 %; time that no reading speaks for counts in both directions", s.Longest, s.Stale)
	}
	return model.Say("bounds under a stated sampler: a reading shows the share of a window between {} and {} long, which ended up to {} before the stamp; u % means u-1 to u+1 %; time that no reading speaks for counts in both directions", s.Shortest, s.Longest, s.Stale)
}

// Doubt is what is not known about stamps: each may be up to Step early, and all
// of them together may be off by Width to either side.
type Doubt struct{ Step, Width time.Duration }

// Busy bounds the time within the window in which a kernel was executing, from
// readings ordered by time. The bounds are sound: if the sampler is as stated,
// the truth lies inside, whatever happened between the readings. ok is false if
// the readings contradict the sampler.
//
// A value of u % means a share between (u-1)/100 and (u+1)/100, so that rounding
// in either direction is inside. A reading then vouches for that much busy and
// that much idle time within its measurement window; what part of the window may
// lie outside the asked one is taken off. Windows that cannot share an instant
// add up. The best choice of such readings is found once for busy and once for
// idle time:
//
//  1. the weight of a reading is the time that it vouches for
//  2. compatible(j) is the last reading before j that cannot share its window
//  3. best(j) = max(best(j-1), weight(j) + best(compatible(j)))
//
// in one pass over the readings. Time that no reading speaks for counts in both
// directions.
func Busy(rs []Reading, window model.Interval[model.Time], s Sampler, d Doubt) (bounds model.Range[time.Duration], ok bool) {
	busy := make([]time.Duration, len(rs)+1)
	idle := make([]time.Duration, len(rs)+1)
	before := 0 // readings that end early enough to be compatible with reading j
	equal := 0  // first of the readings with the value of j, without a change between
	for j, r := range rs {
		if j > 0 && r.Percent != rs[j-1].Percent {
			equal = j
		}
		for before < j && apart(rs[before].At, r.At, s, d) {
			before++
		}
		compatible := before
		if s.Periods {
			compatible = max(before, equal)
		}
		b, i := vouched(r, window, s, d)
		busy[j+1] = max(busy[j], b+busy[compatible])
		idle[j+1] = max(idle[j], i+idle[compatible])
	}
	n := len(rs)
	bounds = model.Range[time.Duration]{Lo: busy[n], Hi: window.Len() - idle[n]}
	return bounds, bounds.Lo <= bounds.Hi
}

// apart reports whether readings at a and b cannot share their windows by their
// stamps alone.
func apart(a, b model.Time, s Sampler, d Doubt) bool {
	need := s.Stale + s.Longest
	if s.Periods {
		need = s.Longest
	}
	return time.Duration(b-a) >= need+d.Step
}

// vouched is the busy and the idle time within the window that a reading shows.
// Fractions of a nanosecond are dropped, to the safe side.
func vouched(r Reading, window model.Interval[model.Time], s Sampler, d Doubt) (busy, idle time.Duration) {
	if !(r.Percent >= 0 && r.Percent <= 100) {
		return 0, 0 // not a percentage: shows nothing
	}
	reach := model.Interval[model.Time]{
		Start: r.At - model.Time(s.Stale+s.Longest+d.Width),
		End:   r.At + model.Time(d.Step+d.Width),
	}
	outside := reach.Len() - reach.Intersect(window).Len()
	floor := func(share float64) time.Duration {
		return max(0, time.Duration(math.Floor(share*float64(s.Shortest)))-outside)
	}
	return floor((r.Percent - 1) / 100), floor((99 - r.Percent) / 100)
}
