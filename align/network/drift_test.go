package network

import (
	"math/rand/v2"
	"testing"
)

const second = Offset(1e9)

// Random drifting clocks with one-sided and two-sided readings: the true rate and all
// true values are inside; a rate beyond the limit is refused.
func TestDriftHoldsTheTruth(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 500 {
		rate := r.Int64N(200_001) - 100_000 // ppb
		start := r.Int64N(second)
		value := func(x Offset) Offset { return start + Offset(float64(rate)*float64(x)/1e9) }
		var rs []Reading
		for range 2 + r.IntN(60) {
			x := r.Int64N(600 * second)
			rs = append(rs, Reading{x, value(x) - 2 - r.Int64N(100_000), value(x) + 2 + r.Int64N(100_000)})
		}
		line, ok := Drift(rs, 100_000)
		if !ok || rate < line.Rate.Lo || rate > line.Rate.Hi {
			t.Fatalf("rate %d: %v, %v", rate, line, ok)
		}
		for _, x := range rs {
			if v := value(x.X); v < line.Values.Lo || v > line.Values.Hi {
				t.Fatalf("value %d at %d is not in %v", v, x.X, line.Values)
			}
		}
		for i := range rs {
			rs[i].Lo += Offset(float64(rs[i].X) * 400e-6)
			rs[i].Hi += Offset(float64(rs[i].X) * 400e-6)
		}
		if _, ok := Drift(rs, 100_000); !ok {
			refused++
		}
	}
	if refused < 400 {
		t.Errorf("a rate of 300 to 500 ppm was refused in %d of 500", refused)
	}
}

// The rates are those that a search over all of them finds.
func TestDriftAgreesWithASearch(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var rs []Reading
		for range 2 + r.IntN(5) {
			x := r.Int64N(20) * second
			mid := r.Int64N(30)
			rs = append(rs, Reading{x, mid - r.Int64N(12), mid + r.Int64N(12)})
		}
		lo, hi, any := Offset(0), Offset(0), false
		for rate := Offset(-30); rate <= 30; rate++ { // ppb: nanoseconds a second
			low, high := Low, High
			for _, x := range rs {
				moved := rate * (x.X / second)
				low, high = max(low, x.Lo-moved), min(high, x.Hi-moved)
			}
			if low <= high {
				if !any {
					lo = rate
				}
				hi, any = rate, true
			}
		}
		line, ok := Drift(rs, 30)
		if any && (!ok || line.Rate.Lo > lo || line.Rate.Hi < hi) {
			t.Fatalf("%v: got %v %v, want at least [%d, %d]", rs, line, ok, lo, hi)
		}
		if ok && any && (line.Rate.Lo < lo-1 || line.Rate.Hi > hi+1) {
			t.Fatalf("%v: got %v, want about [%d, %d]", rs, line.Rate, lo, hi)
		}
	}
}

func TestConstantIsTheCommonPart(t *testing.T) {
	if r, ok := Constant([]Reading{{0, 0, 10}, {5, 4, 20}}); !ok || r != (Range{Lo: 4, Hi: 10}) {
		t.Errorf("got %v %v", r, ok)
	}
	if _, ok := Constant([]Reading{{0, 0, 3}, {5, 4, 20}}); ok {
		t.Error("readings that do not meet have a constant")
	}
	if _, ok := Constant(nil); ok {
		t.Error("no reading has a constant")
	}
}
