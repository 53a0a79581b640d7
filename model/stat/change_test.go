package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// U by its definition: the sum of signs over all pairs across the split.
func byPairs(x []float64) (at int, k float64) {
	for t := 1; t < len(x); t++ {
		u := 0.0
		for _, a := range x[:t] {
			for _, b := range x[t:] {
				switch {
				case a > b:
					u++
				case a < b:
					u--
				}
			}
		}
		if math.Abs(u) > k {
			at, k = t, math.Abs(u)
		}
	}
	return at, k
}

func TestChangeAgreesWithItsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		x := make([]float64, 2+r.IntN(30))
		for i := range x {
			x[i] = float64(r.IntN(6))
		}
		got, _ := ChangeOf(x)
		at, k := byPairs(x)
		n := float64(len(x))
		if k == 0 {
			if got.P != 1 {
				t.Fatalf("%v: got %+v, want no change", x, got)
			}
			continue
		}
		if want := min(1, 2*math.Exp(-6*k*k/(n*n*n+n*n))); got.At != at || math.Abs(got.P-want) > 1e-12 {
			t.Fatalf("%v: got %+v, want at %d, p %v", x, got, at, want)
		}
	}
}

func TestChangeIsRareWithoutOneAndFoundWithOne(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const runs = 2000
	false1, found := 0, 0
	for range runs {
		x := make([]float64, 40)
		for i := range x {
			x[i] = math.Exp(0.5 * r.NormFloat64())
		}
		if c, _ := ChangeOf(x); c.P < 0.01 {
			false1++
		}
		for i := 25; i < 40; i++ {
			x[i] *= 3
		}
		if c, _ := ChangeOf(x); c.P < 0.01 && c.At >= 18 && c.At <= 32 {
			found++
		}
	}
	if false1 > runs/100+10 {
		t.Errorf("%d of %d series without a change have p < 0.01", false1, runs)
	}
	if found < runs*9/10 {
		t.Errorf("the change was found in %d of %d", found, runs)
	}
	if _, ok := ChangeOf([]float64{1}); ok {
		t.Error("one sample has no change")
	}
}
