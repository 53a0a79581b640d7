package model

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSortByDigitsAgreesWithComparing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, spread := range []int64{1, 1 << 10, 1 << 11, 1 << 40, 1 << 62} {
		in := make([]Interval[ClockTime], 2*sortThreshold)
		for i := range in {
			start := ClockTime(r.Int64N(spread) - spread/2)
			in[i] = Interval[ClockTime]{Start: start, End: start + ClockTime(i%3)}
		}
		want := slices.Clone(in)
		slices.SortStableFunc(want, func(a, b Interval[ClockTime]) int { return cmp.Compare(a.Start, b.Start) })
		if sortByStart(in); !slices.Equal(in, want) {
			t.Errorf("spread %d: not in order", spread)
		}
	}
}

// Whatever the order in which intervals come, their union is that of NewSet.
func TestGatheredInAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var g Gatherer[Time]
		var in []Interval[Time]
		var sets []Set[Time]
		for range r.IntN(40) {
			i := randInterval(r)
			in = append(in, i)
			sets = append(sets, NewSet(i))
			g.Add(i)
		}
		want := NewSet(in...)
		if got := g.Set(); !slices.Equal(got.Parts(), want.Parts()) {
			t.Fatalf("%v: got %v, want %v", in, got, want)
		}
		if got := UnionOf(sets...); !slices.Equal(got.Parts(), want.Parts()) {
			t.Fatalf("union of %v: got %v, want %v", in, got, want)
		}
	}
}
