package stat

import (
	"math"
	"slices"
	"sort"

	"golang.org/x/perf/benchmath"

	"tracemerge/model"
)

// Level is the probability below which a difference is called distinguishable:
// the most at which the rank test calls two series of independent blocks from one
// distribution different. The tests simulate series that are not independent, and
// series that drift; see TestFalseVerdicts.
const Level = 0.01

// mostBlocks bounds the blocks of a series. The exact distribution of the rank
// sum is known up to 25 values with ties; longer blocks lose little.
const mostBlocks = 24

// leastBlock is the shortest block. A short series does not show how its values
// depend on each other: with blocks of one, simulated pairs of 12 values whose
// neighbours correlate by 0.6 were called different in 15 of 100 for no reason,
// with blocks of three, which judge none below 18 values, in fewer than 5 of 100.
const leastBlock = 3

// Pair is two series of the same quantity, in the order of time, held against
// each other.
//
// Neighbouring values of a run are rarely independent: a slow disk slows the next
// batch too. So the values are gathered into blocks of neighbours, at least twice
// as long as the time over which the series remembers itself, and the medians of
// the blocks are compared by the Mann-Whitney test. Series that leave fewer than
// six blocks are not judged.
type Pair struct {
	Base, Next Series
	// Ratio of next to base: every factor by which the base can be multiplied
	// without the test telling the two apart at Level. Missing where either has too
	// few blocks or a value that is not above 0.
	Ratio model.Maybe[model.Range[float64]]
	P     model.Maybe[float64] // of so great a difference between series from one distribution
	// Drift is the greatest factor, at least 1, between the medians of the first and
	// the second half of one of the series: what changes without any change.
	Drift model.Maybe[float64]
}

// Series is one run's values in blocks.
type Series struct {
	N      int // values
	Block  int // neighbouring values that are one block
	Blocks int
	Median // of the blocks
	halves [2]float64
	blocks []float64
}

// Compare holds two series against each other; it does not change them.
func Compare(base, next []float64) Pair {
	p := Pair{Base: seriesOf(base), Next: seriesOf(next), Ratio: model.Missing[model.Range[float64]](model.NotComputable),
		P: model.Missing[float64](model.NotComputable), Drift: model.Missing[float64](model.NotComputable)}
	if min(p.Base.Blocks, p.Next.Blocks) < needed {
		return p
	}
	p.P = model.Known(chance(p.Base.blocks, p.Next.blocks, 1))
	if slices.Min(p.Base.blocks) > 0 && slices.Min(p.Next.blocks) > 0 {
		p.Ratio = model.Known(factors(p.Base.blocks, p.Next.blocks))
		p.Drift = model.Known(max(apartBy(p.Base.halves[0], p.Base.halves[1]), apartBy(p.Next.halves[0], p.Next.halves[1])))
	}
	return p
}

// Distinct reports whether the two differ beyond chance and by more than the
// floor, a factor of at least 1, and whether that can be said at all.
func (p Pair) Distinct(floor float64) (distinct, known bool) {
	chance, ok := p.P.Get()
	drift, ok2 := p.Drift.Get()
	if !ok || !ok2 {
		return false, false
	}
	a, _ := p.Base.Value.Get()
	b, _ := p.Next.Value.Get()
	return chance < Level && apartBy(a, b) > max(floor, drift), true
}

// apartBy is the factor, at least 1, between two values above 0.
func apartBy(a, b float64) float64 { return max(a/b, b/a) }

func seriesOf(values []float64) Series {
	s := Series{N: len(values), Block: max(leastBlock, memory(values), (len(values)+mostBlocks-1)/mostBlocks)}
	// The oldest values that fill no whole block are left out: a run settles.
	for at := len(values) % s.Block; at < len(values); at += s.Block {
		m, _ := MedianOf(values[at : at+s.Block]).Value.Get()
		s.blocks = append(s.blocks, m)
	}
	s.Blocks = len(s.blocks)
	s.Median = MedianOf(s.blocks)
	if s.Blocks < needed {
		// Too few blocks say nothing of a spread; the values still have a middle.
		s.Value = MedianOf(values).Value
		return s
	}
	for i, half := range [][]float64{s.blocks[:s.Blocks/2], s.blocks[s.Blocks/2:]} {
		s.halves[i], _ = MedianOf(half).Value.Get()
	}
	return s
}

// memory is how many neighbouring values have to be taken together before two
// such blocks are nearly independent: twice the autocorrelation time
// 1 + 2·Σ ρ(k), summed while ρ(k) exceeds what independent values show in 95 of
// 100 series (2/√n); 1 where ρ(1) does not.
func memory(values []float64) int {
	n := len(values)
	if n < 2 {
		return 1
	}
	mean := 0.0
	for _, v := range values {
		mean += v / float64(n)
	}
	together := func(k int) (sum float64) {
		for i := k; i < n; i++ {
			sum += (values[i] - mean) * (values[i-k] - mean)
		}
		return sum
	}
	all := together(0)
	if rounding := 1e-9 * mean; all <= float64(n)*rounding*rounding {
		return 1 // equal values, but for the rounding of their mean
	}
	tau := 1.0
	for k := 1; k < n; k++ {
		rho := together(k) / all
		if rho <= 2/math.Sqrt(float64(n)) {
			break
		}
		tau += 2 * rho
	}
	if tau == 1 {
		return 1
	}
	return int(math.Ceil(2 * tau))
}

// chance is the two-sided probability of the Mann-Whitney test for the base
// multiplied by a factor against next.
func chance(base, next []float64, factor float64) float64 {
	scaled := make([]float64, len(base))
	for i, v := range base {
		scaled[i] = v * factor
	}
	t := &benchmath.Thresholds{CompareAlpha: Level}
	return benchmath.AssumeNothing.Compare(benchmath.NewSample(scaled, t), benchmath.NewSample(slices.Clone(next), t)).P
}

// factors inverts the test: between the sorted quotients of all pairs the rank sum
// is constant, and it grows with the factor, so the quotients that bound the
// factors not rejected are found by bisection from either side.
func factors(base, next []float64) model.Range[float64] {
	q := make([]float64, 0, len(base)*len(next))
	for _, a := range base {
		for _, b := range next {
			q = append(q, b/a)
		}
	}
	slices.Sort(q)
	q = slices.Compact(q)
	if len(q) == 1 {
		return model.Exactly(q[0])
	}
	rejected := func(gap int) bool { return chance(base, next, (q[gap]+q[gap+1])/2) < Level }
	gaps := len(q) - 1
	middle := gaps / 2
	lo := sort.Search(middle, func(i int) bool { return !rejected(i) })
	hi := middle + sort.Search(gaps-middle, func(i int) bool { return rejected(middle + i) })
	return model.Range[float64]{Lo: q[lo], Hi: q[hi]}
}
