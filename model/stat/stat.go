// Package stat summarises samples without assuming how they are distributed.
//
// The interval of a median is that of order statistics: for n independent
// samples the k-th smallest and the k-th largest enclose the median of their
// population with probability 1 - 2·P(Binomial(n, 1/2) < k). The chosen k is the
// largest that keeps at least 95 %; fewer than six samples give none. Samples
// that follow one another in a run are rarely independent, so the interval is
// stated as a spread of what was seen, not as a proof.
package stat

import (
	"math/big"
	"slices"

	"tracemerge/model"
)

// Confidence is the least probability of a median's interval.
const Confidence = 0.95

// needed is the fewest samples for which an interval of Confidence exists:
// 1 - 2/2^6 = 0.969.
const needed = 6

// Median is the middle of some samples with its interval.
type Median struct {
	N      int
	Value  model.Maybe[float64]
	Spread model.Maybe[model.Range[float64]] // NotComputable with fewer than six samples
}

// MedianOf summarises the samples; it does not change them.
func MedianOf(samples []float64) Median {
	n := len(samples)
	m := Median{N: n, Value: model.Missing[float64](model.NotComputable), Spread: model.Missing[model.Range[float64]](model.NotComputable)}
	if n == 0 {
		return m
	}
	s := slices.Sorted(slices.Values(samples))
	m.Value = model.Known((s[(n-1)/2] + s[n/2]) / 2)
	if n >= needed {
		k := rank(n)
		m.Spread = model.Known(model.Range[float64]{Lo: s[k-1], Hi: s[n-k]})
	}
	return m
}

// rank is the largest k with 1 - 2·P(Binomial(n, 1/2) < k) >= Confidence.
func rank(n int) int {
	all := new(big.Float).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(n)))
	below := new(big.Int)
	k := 0
	for {
		below.Add(below, new(big.Int).Binomial(int64(n), int64(k)))
		tail, _ := new(big.Float).Quo(new(big.Float).SetInt(below), all).Float64()
		if 1-2*tail < Confidence {
			return max(k, 1)
		}
		k++
	}
}

// Apart reports whether the two intervals are known and share no value: the
// medians then differ beyond the spread seen within either.
func Apart(a, b Median) (apart, known bool) {
	x, ok := a.Spread.Get()
	y, ok2 := b.Spread.Get()
	if !ok || !ok2 {
		return false, false
	}
	return x.Hi < y.Lo || y.Hi < x.Lo, true
}
