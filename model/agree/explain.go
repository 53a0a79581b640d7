package agree

import (
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/device"
	"tracemerge/model/sample"
)

const (
	widths = 8 // window lengths that are tried, of equal distance
	// tolerance is for windows between two of these lengths: with 8 of them the truth
	// stayed inside in 420 of 420 simulated runs with 0.6 %.
	tolerance = 0.006
	// faults is the share of readings that may be wrong by themselves: corrupted rows,
	// a stalled collector.
	faults = 0.05
	needed = 4 // readings that say anything; fewer exclude nothing
	// budget bounds the edges that are looked at; readings beyond it are thinned.
	budget = 50_000_000
)

// Work is what a trace recorded on one device, on the run's clock.
type Work struct {
	Busy model.Set[model.Time] // kernels
	Idle model.Set[model.Time] // known to be without a kernel
}

// WorkOf is the work of one traced device. Copies, fills, work of unknown kind and
// the time of launches without a record are neither busy nor known to be idle; place
// moves a set of the trace's clock to the run's.
func WorkOf(s device.Sets, unseen model.Set[model.ClockTime], place func(model.Set[model.ClockTime]) model.Set[model.Time]) Work {
	return Work{Busy: place(s.Kernel), Idle: place(model.NewSet(s.Span).Subtract(s.All).Subtract(unseen))}
}

// A Result is how the readings of one device compare with the work.
type Result struct {
	Tested       int // readings that the work constrains
	Above, Below int // of these: higher than most, lower than least
	First        int // index of the first that is not explained, -1 if all are
}

// Enough reports whether enough readings were tested to say anything.
func (r Result) Enough() bool { return r.Tested >= needed }

// Agrees reports whether all but a few readings, as many as may be faulty, are
// explained.
func (r Result) Agrees() bool { return float64(r.Above+r.Below) <= faults*float64(r.Tested) }

// Compare tests every reading. Stamps may be up to doubt.Step early, and all clocks
// together off by doubt.Width to either side.
func Compare(w Work, readings []sample.Reading, doubt sample.Doubt) Result {
	busy, idle := newRamp(w.Busy), newRamp(w.Idle)
	s := sample.Strict()
	out := Result{First: -1}
	step := 1 + stepsOf(w, readings)/budget
	for i := 0; i < len(readings); i += step {
		r := readings[i]
		if !(r.Percent >= 0 && r.Percent <= 100) {
			continue
		}
		ends := model.Interval[model.Time]{Start: r.At - model.Time(s.Stale+doubt.Width), End: r.At + model.Time(doubt.Step+doubt.Width)}
		least, known := 1.0, 1.0
		for k := range widths {
			width := s.Shortest + time.Duration(k)*(s.Longest-s.Shortest)/(widths-1)
			least = min(least, busy.least(ends, width))
			known = min(known, idle.least(ends, width))
		}
		if least == 0 && known == 0 {
			continue
		}
		out.Tested++
		switch {
		case (r.Percent-1)/100 > 1-known+tolerance:
			out.Above++
		case (r.Percent+1)/100 < least-tolerance:
			out.Below++
		default:
			continue
		}
		if out.First < 0 {
			out.First = i
		}
	}
	return out
}

// stepsOf estimates the edges that all readings look at, if the edges of the work
// are spread evenly over its extent.
func stepsOf(w Work, readings []sample.Reading) int {
	extent := w.Busy.Hull().Len() + w.Idle.Hull().Len()
	if extent <= 0 {
		return 0
	}
	near := 2 * (len(w.Busy.Parts()) + len(w.Idle.Parts()))
	return int(float64(len(readings)) * widths * float64(near) * min(1, 4*float64(time.Second)/float64(extent)))
}

// A ramp is a set as its length up to any instant.
type ramp struct {
	parts []model.Interval[model.Time]
	upTo  []time.Duration // length before each part
}

func newRamp(s model.Set[model.Time]) ramp {
	r := ramp{parts: s.Parts()}
	var sum time.Duration
	for _, p := range r.parts {
		r.upTo = append(r.upTo, sum)
		sum += p.Len()
	}
	return r
}

// least is the smallest share of a window of the width, whose end lies in ends
// (both included), that the set fills. The share as a function of the end is
// linear between instants at which the end or the beginning of the window meets an
// edge of the set, so it is smallest at one of these or at an end of the range.
func (r ramp) least(ends model.Interval[model.Time], width time.Duration) float64 {
	w := model.Time(width)
	best := w
	hi, lo := r.from(ends.Start), r.from(ends.Start-w)
	at := func(e model.Time) {
		best = min(best, r.sum(&hi, e)-r.sum(&lo, e-w))
	}
	at(ends.Start)
	a, b := r.edge(ends.Start), r.edge(ends.Start-w)
	for {
		x, y := r.edgeAt(a), r.edgeAt(b)
		if y < never {
			y += w
		}
		e := min(x, y)
		if e > ends.End {
			break
		}
		at(e)
		if x == e {
			a++
		}
		if y == e {
			b++
		}
	}
	at(ends.End)
	return float64(best) / float64(w)
}

const never = model.Time(1<<63 - 1)

// edge is the number of the first edge at or after t; edge 2n is the start of part
// n, edge 2n+1 its end.
func (r ramp) edge(t model.Time) int {
	n := r.from(t)
	switch {
	case n == len(r.parts):
		return 2 * n
	case r.parts[n].Start >= t:
		return 2 * n
	}
	return 2*n + 1
}

func (r ramp) edgeAt(k int) model.Time {
	switch {
	case k >= 2*len(r.parts):
		return never
	case k%2 == 0:
		return r.parts[k/2].Start
	}
	return r.parts[k/2].End
}

// from is the first part that ends after t.
func (r ramp) from(t model.Time) int {
	n, _ := slices.BinarySearchFunc(r.parts, t, func(p model.Interval[model.Time], t model.Time) int {
		if p.End <= t {
			return -1
		}
		return 1
	})
	return n
}

// sum is the length of the set before t; n is moved forward to the first part that
// ends after t, and must not lie behind it.
func (r ramp) sum(n *int, t model.Time) model.Time {
	for *n < len(r.parts) && r.parts[*n].End <= t {
		*n++
	}
	if *n == len(r.parts) {
		if *n == 0 {
			return 0
		}
		return model.Time(r.upTo[*n-1] + r.parts[*n-1].Len())
	}
	return model.Time(r.upTo[*n]) + max(0, t-r.parts[*n].Start)
}
