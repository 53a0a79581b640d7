package model

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"time"
)

// Instant is a point on some clock, in nanoseconds.
type Instant interface{ ~int64 }

// ClockTime is a reading of one clock domain, in nanoseconds. It may only be
// compared with readings of the same domain. A civil domain (local stamps
// without a zone) counts calendar nanoseconds from 1970-01-01T00:00:00 of that
// calendar.
type ClockTime int64

// Time is nanoseconds since the Unix epoch on the reference clock of a
// timeline. When the reference is not UTC (Timeline.UTC is false) it is a
// reading of the reference source's own clock.
type Time int64

// UTC returns the instant as a calendar time in UTC.
func (t Time) UTC() time.Time { return time.Unix(0, int64(t)).UTC() }

// An Interval is the half-open span [Start, End). Invariant: End >= Start for
// every interval that a reader or an analysis hands on.
type Interval[T Instant] struct{ Start, End T }

// Len is the interval's length; it is never negative for a valid interval.
func (i Interval[T]) Len() time.Duration { return time.Duration(i.End - i.Start) }

// Empty reports whether the interval holds no instant.
func (i Interval[T]) Empty() bool { return i.End <= i.Start }

// Contains reports whether t lies in [Start, End).
func (i Interval[T]) Contains(t T) bool { return i.Start <= t && t < i.End }

// Intersect returns the common part, an empty interval if there is none.
func (i Interval[T]) Intersect(o Interval[T]) Interval[T] {
	r := Interval[T]{max(i.Start, o.Start), min(i.End, o.End)}
	if r.End < r.Start {
		r.End = r.Start
	}
	return r
}

// Overlaps reports whether the two share an instant; an empty interval overlaps
// nothing.
func (i Interval[T]) Overlaps(o Interval[T]) bool {
	return max(i.Start, o.Start) < min(i.End, o.End)
}

// A Set is a set of instants, kept as sorted, disjoint, non-adjacent, non-empty
// intervals. The zero value is the empty set. Sets are values: no operation
// changes its operands.
type Set[T Instant] struct{ parts []Interval[T] }

// NewSet returns the union of the intervals, given in any order. It sorts only
// when they are not already ordered by start.
func NewSet[T Instant](in ...Interval[T]) Set[T] {
	byStart := func(a, b Interval[T]) int { return cmp.Compare(a.Start, b.Start) }
	if !slices.IsSortedFunc(in, byStart) {
		in = slices.Clone(in)
		slices.SortFunc(in, byStart)
	}
	var b SetBuilder[T]
	for _, i := range in {
		b.Add(i)
	}
	return b.Set()
}

// A SetBuilder makes a Set from intervals that arrive ordered by start, in one
// pass and without sorting. The zero value is ready to use.
type SetBuilder[T Instant] struct{ parts []Interval[T] }

// Grow makes room for n more intervals, to spare copies where the number is
// known.
func (b *SetBuilder[T]) Grow(n int) { b.parts = slices.Grow(b.parts, n) }

// Add takes the next interval; its start must not lie before the start of the
// one before. Empty intervals are ignored.
func (b *SetBuilder[T]) Add(i Interval[T]) {
	if i.Empty() {
		return
	}
	if n := len(b.parts); n > 0 && i.Start <= b.parts[n-1].End {
		b.parts[n-1].End = max(b.parts[n-1].End, i.End)
		return
	}
	b.parts = append(b.parts, i)
}

// Set returns the union built so far. The builder must not be used afterwards.
func (b *SetBuilder[T]) Set() Set[T] { return Set[T]{b.parts} }

// All yields the parts in order.
func (s Set[T]) All() iter.Seq[Interval[T]] { return slices.Values(s.parts) }

// Parts returns the parts in order; the caller must not change them.
func (s Set[T]) Parts() []Interval[T] { return s.parts }

// Empty reports whether the set holds no instant.
func (s Set[T]) Empty() bool { return len(s.parts) == 0 }

// Len is the measure of the set.
func (s Set[T]) Len() time.Duration {
	var d time.Duration
	for _, p := range s.parts {
		d += p.Len()
	}
	return d
}

// Hull is the smallest interval that holds the set; empty for the empty set.
func (s Set[T]) Hull() Interval[T] {
	if len(s.parts) == 0 {
		return Interval[T]{}
	}
	return Interval[T]{s.parts[0].Start, s.parts[len(s.parts)-1].End}
}

// Contains reports whether the instant belongs to the set.
func (s Set[T]) Contains(t T) bool {
	i := sort.Search(len(s.parts), func(i int) bool { return s.parts[i].End > t })
	return i < len(s.parts) && s.parts[i].Start <= t
}

// Overlaps reports whether the set shares an instant with the interval.
func (s Set[T]) Overlaps(w Interval[T]) bool { return !s.Within(w).Empty() }

// Within is the part of the set that lies in w.
func (s Set[T]) Within(w Interval[T]) Set[T] {
	if w.Empty() {
		return Set[T]{}
	}
	lo := sort.Search(len(s.parts), func(i int) bool { return s.parts[i].End > w.Start })
	hi := sort.Search(len(s.parts), func(i int) bool { return s.parts[i].Start >= w.End })
	if lo >= hi {
		return Set[T]{}
	}
	out := slices.Clone(s.parts[lo:hi])
	out[0].Start = max(out[0].Start, w.Start)
	out[len(out)-1].End = min(out[len(out)-1].End, w.End)
	return Set[T]{out}
}

// Union is the set of instants in either.
func (s Set[T]) Union(o Set[T]) Set[T] {
	if s.Empty() {
		return o
	}
	if o.Empty() {
		return s
	}
	var b SetBuilder[T]
	b.Grow(max(len(s.parts), len(o.parts)))
	i, j := 0, 0
	for i < len(s.parts) || j < len(o.parts) {
		if j == len(o.parts) || i < len(s.parts) && s.parts[i].Start <= o.parts[j].Start {
			b.Add(s.parts[i])
			i++
		} else {
			b.Add(o.parts[j])
			j++
		}
	}
	return b.Set()
}

// Intersect is the set of instants in both.
func (s Set[T]) Intersect(o Set[T]) Set[T] {
	var b SetBuilder[T]
	for i, j := 0, 0; i < len(s.parts) && j < len(o.parts); {
		b.Add(s.parts[i].Intersect(o.parts[j]))
		if s.parts[i].End < o.parts[j].End {
			i++
		} else {
			j++
		}
	}
	return b.Set()
}

// Subtract is the set of instants in s and not in o.
func (s Set[T]) Subtract(o Set[T]) Set[T] {
	var b SetBuilder[T]
	j := 0
	for _, p := range s.parts {
		at := p.Start
		for j < len(o.parts) && o.parts[j].End <= at {
			j++
		}
		for k := j; k < len(o.parts) && o.parts[k].Start < p.End; k++ {
			b.Add(Interval[T]{at, o.parts[k].Start})
			at = max(at, o.parts[k].End)
		}
		b.Add(Interval[T]{at, p.End})
	}
	return b.Set()
}

// Gaps is the complement of the set within w.
func (s Set[T]) Gaps(w Interval[T]) Set[T] {
	return NewSet(w).Subtract(s)
}
