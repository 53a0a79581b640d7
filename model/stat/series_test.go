package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// following is a series around level whose neighbours are correlated by rho and
// whose standard deviation is noise·level.
func following(r *rand.Rand, n int, level, noise, rho float64) []float64 {
	out := make([]float64, n)
	state := r.NormFloat64()
	for i := range out {
		out[i] = level * math.Max(0.01, 1+noise*state)
		state = rho*state + math.Sqrt(1-rho*rho)*r.NormFloat64()
	}
	return out
}

// Identical pairs, from independent to strongly correlated neighbours, are called
// different in at most 5 of 100; an effect of twice the noise is seen in at least
// 95 of 100 from 24 independent values on, and the interval of the ratio holds the
// true one.
func TestFalseVerdicts(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	const pairs = 200
	for _, n := range []int{12, 18, 24, 48, 400} {
		for _, rho := range []float64{0, 0.3, 0.6, 0.9} {
			wrong, seen, held := 0, 0, 0
			for range pairs {
				base := following(r, n, 1, 0.05, rho)
				if distinct, _ := Compare(base, following(r, n, 1, 0.05, rho)).Distinct(1); distinct {
					wrong++
				}
				p := Compare(base, following(r, n, 0.9, 0.05, rho))
				if distinct, _ := p.Distinct(1); distinct {
					seen++
				}
				if ratio, ok := p.Ratio.Get(); ok && ratio.Lo <= 0.9 && 0.9 <= ratio.Hi {
					held++
				}
			}
			if wrong > pairs*5/100 {
				t.Errorf("n %d, correlation %.1f: %d of %d identical pairs called different", n, rho, wrong, pairs)
			}
			if rho == 0 && n >= 24 && (seen < pairs*95/100 || held < pairs*95/100) {
				t.Errorf("n %d: of %d pairs %d effects seen, %d ratios held", n, pairs, seen, held)
			}
		}
	}
}

// A level that drifts within the runs is no effect of a change between them.
func TestDriftIsNoEffect(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	drifting := func(from, to float64) []float64 {
		out := following(r, 60, 1, 0.02, 0)
		for i := range out {
			out[i] *= from + (to-from)*float64(i)/59
		}
		return out
	}
	for range 50 {
		if distinct, known := Compare(drifting(1, 1.3), drifting(1.1, 1.4)).Distinct(1); known && distinct {
			t.Fatal("a shift of 10 % between runs that each drift by 30 % was called different")
		}
	}
}

func TestSeriesThatAreNotJudged(t *testing.T) {
	zeros, ones := make([]float64, 30), make([]float64, 30)
	for i := range ones {
		ones[i] = 1
	}
	for _, c := range []struct {
		name       string
		base, next []float64
	}{
		{"nothing", nil, ones}, {"17 values", ones[:17], ones}, {"a base of 0 has no ratio", zeros, ones},
	} {
		if _, known := Compare(c.base, c.next).Distinct(1); known {
			t.Errorf("%s: judged", c.name)
		}
	}
	if distinct, known := Compare(ones, ones).Distinct(1); distinct || !known {
		t.Errorf("equal values: distinct %v, known %v", distinct, known)
	}
	halves := make([]float64, 30)
	for i := range halves {
		halves[i] = 0.5
	}
	p := Compare(ones, halves)
	if ratio, _ := p.Ratio.Get(); ratio.Lo != 0.5 || ratio.Hi != 0.5 {
		t.Errorf("ratio %v, want 0.5", ratio)
	}
	for _, c := range []struct {
		floor float64
		want  bool
	}{{1, true}, {1.9, true}, {2, false}} {
		if distinct, _ := p.Distinct(c.floor); distinct != c.want {
			t.Errorf("half as long against a floor of %v: distinct %v", c.floor, distinct)
		}
	}
}

// The bisection finds what trying every gap finds.
func TestFactorsAgreeWithEveryGap(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 40 {
		base, next := make([]float64, 6+r.IntN(3)), make([]float64, 6+r.IntN(3))
		for i := range base {
			base[i] = 1 + float64(r.IntN(12))
		}
		for i := range next {
			next[i] = 1 + r.Float64()
		}
		var q []float64
		for _, a := range base {
			for _, b := range next {
				q = append(q, b/a)
			}
		}
		slices.Sort(q)
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := 1; i < len(q); i++ {
			if q[i] > q[i-1] && chance(base, next, (q[i]+q[i-1])/2) >= Level {
				lo, hi = min(lo, q[i-1]), max(hi, q[i])
			}
		}
		if got := factors(base, next); got.Lo != lo || got.Hi != hi {
			t.Fatalf("%v against %v: got %v, want %v..%v", base, next, got, lo, hi)
		}
	}
}
