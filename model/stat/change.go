package stat

import (
	"cmp"
	"math"
	"slices"
)

// A Change is where a series is most likely to change its level, by Pettitt's
// rank test: A. N. Pettitt, "A non-parametric approach to the change-point
// problem", Applied Statistics 28 (1979).
type Change struct {
	At int     // the first sample after the change
	P  float64 // approximate probability of so strong a change in a series without one, if its samples are independent
}

// ChangeOf finds the change of a series of at least two samples; ok is false for
// fewer. It does not change them.
//
// With r the ranks, ties sharing their mean, U(t) = 2·Σ r[:t] − t·(n+1), the
// change lies at the t of the greatest |U| = K, and P ≈ 2·exp(−6·K²/(n³+n²)).
func ChangeOf(samples []float64) (c Change, ok bool) {
	n := len(samples)
	if n < 2 {
		return Change{}, false
	}
	twice := doubledRanks(samples)
	var sum, most int64
	for t := 1; t < n; t++ {
		sum += twice[t-1]
		u := sum - int64(t)*int64(n+1)
		if a := max(u, -u); a > most {
			most, c.At = a, t
		}
	}
	if most == 0 {
		return Change{At: n, P: 1}, true
	}
	k, m := float64(most), float64(n)
	c.P = min(1, 2*math.Exp(-6*k*k/(m*m*m+m*m)))
	return c, true
}

// doubledRanks are twice the ranks of the samples, so that shared ranks are whole.
func doubledRanks(samples []float64) []int64 {
	order := make([]int, len(samples))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(samples[a], samples[b]) })
	out := make([]int64, len(samples))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && samples[order[j]] == samples[order[i]] {
			j++
		}
		for _, at := range order[i:j] {
			out[at] = int64(i + 1 + j) // the mean of ranks i+1 … j, doubled
		}
		i = j
	}
	return out
}
