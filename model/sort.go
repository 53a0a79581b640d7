package model

import (
	"cmp"
	"slices"
)

const (
	digitBits = 11
	digits    = 1 << digitBits

	// sortThreshold is the length from which on sorting by digits pays; below it
	// the counters cost more than comparing does.
	sortThreshold = 4096
)

// sortByStart orders intervals by their start, by digits from the lowest on: a
// trace whose order was lost holds millions of them, which takes seconds by
// comparisons.
func sortByStart[T Instant](in []Interval[T]) {
	if len(in) < sortThreshold {
		slices.SortFunc(in, func(a, b Interval[T]) int { return cmp.Compare(a.Start, b.Start) })
		return
	}
	lo, hi := in[0].Start, in[0].Start
	for _, i := range in {
		lo, hi = min(lo, i.Start), max(hi, i.Start)
	}
	from, to := in, make([]Interval[T], len(in))
	// The difference of two int64 fits uint64, whatever their signs.
	for shift := 0; shift < 64 && (uint64(hi)-uint64(lo))>>shift > 0; shift += digitBits {
		var at [digits]int
		for _, i := range from {
			at[(uint64(i.Start)-uint64(lo))>>shift%digits]++
		}
		sum := 0
		for d, n := range at {
			at[d] = sum
			sum += n
		}
		for _, i := range from {
			d := (uint64(i.Start) - uint64(lo)) >> shift % digits
			to[at[d]] = i
			at[d]++
		}
		from, to = to, from
	}
	if &from[0] != &in[0] {
		copy(in, from)
	}
}
