package network

import (
	"math/big"
)

// A Reading says that the difference of two clocks lay in [Lo, Hi] when one of them
// showed X.
type Reading struct{ X, Lo, Hi Offset }

// A Line is what readings leave of offset + rate·X: the rates, in parts per billion,
// and the values over all X of the readings. Both are rounded outward.
type Line struct {
	Rate   Range
	Values Range
}

// maxReadings bounds the readings that are compared with each other; of more an even
// spread is taken, which leaves more possible and never less.
const maxReadings = 400

// Drift finds the lines with a rate of at most most parts per billion to either side
// that meet every reading; ok is false if there is none. For each pair of readings
//
//	rate·(X2 - X1) <= Hi2 - Lo1
//
// bounds the rate (the hull of Duda and Jabbarifar in its dual form), exactly.
func Drift(readings []Reading, most Offset) (line Line, ok bool) {
	rs := readings
	if len(rs) > maxReadings {
		rs = make([]Reading, 0, maxReadings)
		for i := range maxReadings {
			rs = append(rs, readings[i*(len(readings)-1)/(maxReadings-1)])
		}
	}
	if len(rs) == 0 {
		return Line{}, false
	}
	lo, hi := big.NewRat(-most, 1), big.NewRat(most, 1)
	for _, a := range rs {
		for _, b := range rs {
			d := b.X - a.X
			if d == 0 {
				if b.Hi < a.Lo {
					return Line{}, false
				}
				continue
			}
			limit := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(b.Hi-a.Lo), big.NewInt(1e9)), big.NewInt(d))
			if d > 0 && limit.Cmp(hi) < 0 {
				hi = limit
			}
			if d < 0 && limit.Cmp(lo) > 0 {
				lo = limit
			}
		}
	}
	if lo.Cmp(hi) > 0 {
		return Line{}, false
	}
	line.Rate = Range{Lo: floor(lo), Hi: -floor(new(big.Rat).Neg(hi))}
	first, last := rs[0].X, rs[0].X
	for _, r := range rs {
		first, last = min(first, r.X), max(last, r.X)
	}
	// A line is highest and lowest at an end.
	line.Values = Range{Lo: High, Hi: Low}
	for _, x := range []Offset{first, last} {
		v := at(rs, line.Rate, x)
		line.Values.Lo, line.Values.Hi = min(line.Values.Lo, v.Lo), max(line.Values.Hi, v.Hi)
	}
	return line, true
}

// at bounds the value at x by every reading and the rates: what a reading says at its
// own X can have changed by the rate over the distance.
func at(rs []Reading, rate Range, x Offset) Range {
	out := Range{Lo: Low, Hi: High}
	for _, r := range rs {
		d := x - r.X
		a, b := scaled(rate.Lo, d), scaled(rate.Hi, d)
		out.Lo = max(out.Lo, r.Lo+min(floor(a), floor(b)))
		out.Hi = min(out.Hi, r.Hi+max(-floor(new(big.Rat).Neg(a)), -floor(new(big.Rat).Neg(b))))
	}
	return out
}

// scaled is a distance times a rate in parts per billion.
func scaled(rate, d Offset) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(rate), big.NewInt(d)), big.NewInt(1e9))
}

func floor(r *big.Rat) Offset {
	q := new(big.Int).Div(r.Num(), r.Denom()) // Euclidean: rounds down for a positive denominator
	if !q.IsInt64() {
		if q.Sign() < 0 {
			return Low
		}
		return High
	}
	return q.Int64()
}

// Constant is what readings leave of an offset that does not change; ok is false if
// there is none.
func Constant(readings []Reading) (r Range, ok bool) {
	r = Range{Lo: Low, Hi: High}
	for _, x := range readings {
		r.Lo, r.Hi = max(r.Lo, x.Lo), min(r.Hi, x.Hi)
	}
	return r, r.Lo <= r.Hi && len(readings) > 0
}
