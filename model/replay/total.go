package replay

import (
	"math"
	"math/big"
	"math/bits"
	"time"

	"tracemerge/model"
)

// Total is how long the window becomes when the instances of each row of the
// table last factor(row) times as long; nil stands for 1. Each instance is rounded
// outward to the nanosecond.
func (g *Graph) Total(factor func(row int) *big.Rat) model.Range[time.Duration] {
	out := model.Range[time.Duration]{Lo: math.MaxInt64}
	for _, follows := range []bool{true, false} {
		for _, up := range []bool{false, true} {
			d := g.run(factor, follows, up)
			out.Lo, out.Hi = min(out.Lo, d), max(out.Hi, d)
		}
	}
	return out
}

// run replays the graph. follows says whether unrecorded work before a start
// follows what the lane did before it, or came when it came.
func (g *Graph) run(factor func(row int) *big.Rat, follows, up bool) time.Duration {
	lanes, ends := g.newLanes(), make([]model.Time, len(g.nodes))
	w := g.t.Window
	end := w.Start
	for i := range g.nodes {
		x := &g.nodes[i]
		p := lanes[x.lane].first()
		start := max(w.Start, p.at)
		for _, n := range []int{x.input, x.trigger} {
			if n != none {
				start = max(start, ends[n])
			}
		}
		switch {
		case x.explained || follows:
			start += x.lag
		default:
			start = max(start, x.at.Start)
		}
		ends[i] = start + model.Time(scaled(x.at.Len(), factor(x.row), up))
		*p = place{ends[i], i}
		end = max(end, ends[i])
	}
	return time.Duration(end + g.tail - w.Start)
}

// scaled is d·f for d >= 0, rounded up or down to the nanosecond.
func scaled(d time.Duration, f *big.Rat, up bool) time.Duration {
	if f == nil || d == 0 {
		return d
	}
	num, den := f.Num(), f.Denom()
	if !num.IsUint64() || !den.IsUint64() {
		return exactly(d, f, up)
	}
	hi, lo := bits.Mul64(uint64(d), num.Uint64())
	if hi >= den.Uint64() {
		return exactly(d, f, up)
	}
	q, r := bits.Div64(hi, lo, den.Uint64())
	if up && r > 0 {
		q++
	}
	return time.Duration(min(q, math.MaxInt64))
}

// exactly is scaled for factors that do not fit into words.
func exactly(d time.Duration, f *big.Rat, up bool) time.Duration {
	n := new(big.Int).Mul(big.NewInt(int64(d)), f.Num())
	q, r := new(big.Int).QuoRem(n, f.Denom(), new(big.Int))
	if up && r.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	if !q.IsInt64() {
		return math.MaxInt64
	}
	return time.Duration(q.Int64())
}
