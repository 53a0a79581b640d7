package model

// A Gatherer makes a Set from intervals that arrive nearly ordered by start, as
// recorders write them: what is in order is merged at once, what is late waits
// and is sorted alone. The zero value is ready to use.
type Gatherer[T Instant] struct {
	ordered SetBuilder[T]
	last    T
	any     bool
	late    []Interval[T]
}

// Add takes the next interval; empty ones are ignored.
func (g *Gatherer[T]) Add(i Interval[T]) {
	switch {
	case i.Empty():
	case g.any && i.Start < g.last:
		g.late = append(g.late, i)
	default:
		g.last, g.any = i.Start, true
		g.ordered.Add(i)
	}
}

// Set returns the union of what was added. The gatherer must not be used
// afterwards.
func (g *Gatherer[T]) Set() Set[T] {
	s := g.ordered.Set()
	if len(g.late) == 0 {
		return s
	}
	sortByStart(g.late)
	return s.Union(NewSet(g.late...))
}

// UnionOf is the union of several sets. They are merged in pairs, so that each
// instant is copied once per halving and not once per set.
func UnionOf[T Instant](sets ...Set[T]) Set[T] {
	switch len(sets) {
	case 0:
		return Set[T]{}
	case 1:
		return sets[0]
	}
	h := len(sets) / 2
	return UnionOf(sets[:h]...).Union(UnionOf(sets[h:]...))
}
