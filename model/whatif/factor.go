package whatif

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"

	"tracemerge/model"
)

// maxFactor keeps a total inside int64 nanoseconds for any run of a year.
const maxFactor = 1e4

// ParseFactor reads a factor on a duration as the decimal it is: 0.5 halves,
// 0 removes, 1 changes nothing.
func ParseFactor(s string) (float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || f < 0 || f > maxFactor {
		return 0, fmt.Errorf("want a factor between 0 and %g, such as 0.5 for half the time", maxFactor)
	}
	return f, nil
}

// exact returns the decimal that the user wrote. The shortest decimal that reads
// back as the float is that decimal for up to 15 digits. nil if it is no factor.
func exact(f float64) *big.Rat {
	if math.IsNaN(f) || f < 0 || f > maxFactor {
		return nil
	}
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'f', -1, 64))
	if !ok {
		return nil
	}
	return r
}

var one = big.NewRat(1, 1)

func nanoseconds(d time.Duration) *big.Rat { return new(big.Rat).SetInt64(int64(d)) }

// ratio is a/b as the nearest float. b must not be 0.
func ratio(a, b *big.Rat) float64 {
	f, _ := new(big.Rat).Quo(a, b).Float64()
	return f
}

// span is a range of exact durations in nanoseconds.
type span struct{ lo, hi *big.Rat }

// outward rounds the range to nanoseconds so that it still holds every value.
func (s span) outward() model.Range[time.Duration] {
	return model.Range[time.Duration]{Lo: floor(s.lo), Hi: -floor(new(big.Rat).Neg(s.hi))}
}

func floor(r *big.Rat) time.Duration {
	q := new(big.Int).Div(r.Num(), r.Denom()) // Euclidean: rounds down for a positive denominator
	if !q.IsInt64() {
		return math.MaxInt64
	}
	return time.Duration(q.Int64())
}

func least(a, b *big.Rat) *big.Rat {
	if b == nil || a != nil && a.Cmp(b) <= 0 {
		return a
	}
	return b
}

func most(a, b *big.Rat) *big.Rat {
	if b == nil || a != nil && a.Cmp(b) >= 0 {
		return a
	}
	return b
}
