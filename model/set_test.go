package model

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// bitmap is the slow, obvious set of the instants 0 to 63: the oracle.
type bitmap uint64

func (b *bitmap) add(i Interval[Time]) {
	for t := i.Start; t < i.End; t++ {
		*b |= 1 << t
	}
}

func bitmapOf(s Set[Time]) bitmap {
	var b bitmap
	for i := range s.All() {
		b.add(i)
	}
	return b
}

// randInterval is inside [0, 64), empty in one case of eight or so.
func randInterval(r *rand.Rand) Interval[Time] {
	a, b := Time(r.IntN(65)), Time(r.IntN(65))
	if r.IntN(4) == 0 {
		b = a + Time(r.IntN(3))
	}
	return Interval[Time]{min(a, b), min(max(a, b), 64)}
}

func randSet(r *rand.Rand) (Set[Time], bitmap) {
	var b bitmap
	in := make([]Interval[Time], r.IntN(7))
	for i := range in {
		start := Time(r.IntN(64))
		in[i] = Interval[Time]{start, min(start+Time(r.IntN(10)), 64)}
		b.add(in[i])
	}
	return NewSet(in...), b
}

// normal reports whether the parts are sorted, disjoint, not adjacent and not
// empty.
func normal(s Set[Time]) bool {
	for i, p := range s.Parts() {
		if p.End <= p.Start || i > 0 && p.Start <= s.Parts()[i-1].End {
			return false
		}
	}
	return true
}

func TestSetAlgebraAgreesWithBitmap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		a, x := randSet(r)
		b, y := randSet(r)
		w := randInterval(r)
		var z bitmap
		z.add(w)
		before := slices.Clone(a.Parts())
		for _, c := range []struct {
			name string
			got  Set[Time]
			want bitmap
		}{
			{"NewSet", a, x},
			{"Union", a.Union(b), x | y},
			{"Intersect", a.Intersect(b), x & y},
			{"Subtract", a.Subtract(b), x &^ y},
			{"Within", a.Within(w), x & z},
			{"Gaps", a.Gaps(w), z &^ x},
		} {
			if got := bitmapOf(c.got); got != c.want {
				t.Fatalf("%s of %v, %v, window %v\n got %064b\nwant %064b", c.name, a, b, w, got, c.want)
			}
			if !normal(c.got) {
				t.Fatalf("%s of %v, %v, window %v: parts %v are not in normal form", c.name, a, b, w, c.got.Parts())
			}
			if got, want := c.got.Len(), bits.OnesCount64(uint64(c.want)); int(got) != want {
				t.Fatalf("%s: Len is %d, want %d", c.name, got, want)
			}
		}
		if got, want := a.Overlaps(w), x&z != 0; got != want {
			t.Fatalf("%v overlaps %v: got %v, want %v", a, w, got, want)
		}
		at := Time(r.IntN(64))
		if got, want := a.Contains(at), x>>at&1 == 1; got != want {
			t.Fatalf("%v contains %v: got %v, want %v", a, at, got, want)
		}
		if h := a.Hull(); x != 0 && (int(h.Start) != bits.TrailingZeros64(uint64(x)) || int(h.End) != bits.Len64(uint64(x))) || x == 0 && !h.Empty() {
			t.Fatalf("hull of %v: got %v", a, h)
		}
		if !slices.Equal(a.Parts(), before) {
			t.Fatalf("an operation changed its operand: got %v, was %v", a.Parts(), before)
		}
	}
}

// A window is filled exactly: what a set covers of it and its gaps.
func TestSetAndGapsFillTheWindow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		s, _ := randSet(r)
		w := randInterval(r)
		if got := s.Within(w).Len() + s.Gaps(w).Len(); got != w.Len() {
			t.Fatalf("%v in %v: covered + gaps = %d, want %d", s, w, got, w.Len())
		}
		if o := s.Intersect(s.Gaps(w)); !o.Empty() {
			t.Fatalf("%v in %v: the gaps overlap the set in %v", s, w, o)
		}
	}
}

func TestSetLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	same := func(a, b Set[Time]) bool { return slices.Equal(a.Parts(), b.Parts()) }
	for range 5000 {
		a, _ := randSet(r)
		b, _ := randSet(r)
		c, _ := randSet(r)
		for name, ok := range map[string]bool{
			"union commutes":        same(a.Union(b), b.Union(a)),
			"intersection commutes": same(a.Intersect(b), b.Intersect(a)),
			"union associates":      same(a.Union(b.Union(c)), a.Union(b).Union(c)),
			"distributes":           same(a.Intersect(b.Union(c)), a.Intersect(b).Union(a.Intersect(c))),
			"a = (a-b) + (a*b)":     same(a, a.Subtract(b).Union(a.Intersect(b))),
			"inclusion, exclusion":  a.Union(b).Len() == a.Len()+b.Len()-a.Intersect(b).Len(),
			"nothing less itself":   a.Subtract(a).Empty(),
		} {
			if !ok {
				t.Fatalf("%s: fails for a=%v b=%v c=%v", name, a, b, c)
			}
		}
	}
}

func TestNewSetLeavesItsArgumentAlone(t *testing.T) {
	in := []Interval[Time]{{5, 6}, {1, 3}, {2, 4}, {9, 9}}
	got := NewSet(in...)
	if want := []Interval[Time]{{1, 4}, {5, 6}}; !slices.Equal(got.Parts(), want) {
		t.Errorf("got %v, want %v", got.Parts(), want)
	}
	if in[0] != (Interval[Time]{5, 6}) {
		t.Errorf("the argument was sorted in place: %v", in)
	}
}

func TestSetsAreValues(t *testing.T) {
	a := NewSet(Interval[Time]{0, 10}, Interval[Time]{20, 30})
	w := a.Within(Interval[Time]{5, 25})
	u := a.Union(Set[Time]{})
	if got := a.Parts()[0]; got != (Interval[Time]{0, 10}) {
		t.Errorf("Within cut its operand: %v", got)
	}
	if w.Len() != 10 || u.Len() != 20 {
		t.Errorf("got %v and %v, want 10 ns and 20 ns", w, u)
	}
}

func TestIntervalAgreesWithBitmap(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 10000 {
		a, b := randInterval(r), randInterval(r)
		var x, y bitmap
		x.add(a)
		y.add(b)
		if got, want := a.Overlaps(b), x&y != 0; got != want {
			t.Fatalf("%v overlaps %v: got %v, want %v", a, b, got, want)
		}
		i := a.Intersect(b)
		var z bitmap
		if z.add(i); z != x&y || i.End < i.Start {
			t.Fatalf("%v and %v: got %v, want the common instants", a, b, i)
		}
		if a.Empty() != (x == 0) || int(a.Len()) != bits.OnesCount64(uint64(x)) {
			t.Fatalf("%v: Empty %v, Len %d", a, a.Empty(), a.Len())
		}
		if at := Time(r.IntN(64)); a.Contains(at) != (x>>at&1 == 1) {
			t.Fatalf("%v contains %d: got %v", a, at, a.Contains(at))
		}
	}
}

func TestIntervalIsHalfOpen(t *testing.T) {
	i := Interval[ClockTime]{10, 20}
	if !i.Contains(10) || i.Contains(20) || !i.Contains(19) || i.Contains(9) {
		t.Errorf("[10, 20) must hold 10 and 19 but not 9 and 20")
	}
	if i.Overlaps(Interval[ClockTime]{20, 30}) || !i.Overlaps(Interval[ClockTime]{19, 30}) {
		t.Errorf("intervals that touch do not overlap")
	}
	if empty := (Interval[ClockTime]{15, 15}); i.Overlaps(empty) || empty.Overlaps(i) || empty.Overlaps(empty) {
		t.Errorf("an empty interval overlaps nothing, not even where it lies inside another")
	}
}
