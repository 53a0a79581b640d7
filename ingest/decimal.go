package ingest

import (
	"errors"
	"math/bits"
)

// ErrNumber is returned for text that is no decimal number or does not fit.
var ErrNumber = errors.New("not a decimal number in range")

// LatestReading is the last nanosecond of 2261, the greatest reading of a clock that is
// taken: what lies behind it fits an int64 for a hundred days only, and the end of an
// interval not at all. Its negative is the least.
const LatestReading = int64(9_214_646_400_000_000_000) - 1

// ParseDecimal returns the value of decimal text times 10^scale as an integer,
// exactly where it is one; digits beyond are rounded half to even. The text is a
// JSON number: an optional sign, digits, an optional fraction, an optional
// exponent. Scale 3 turns microseconds into nanoseconds, scale 9 seconds. No
// floating point is involved.
func ParseDecimal(text []byte, scale int) (int64, error) {
	i, neg := 0, false
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		neg = text[i] == '-'
		i++
	}
	start := i
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	whole := text[start:i]
	var frac []byte
	if i < len(text) && text[i] == '.' {
		i++
		start = i
		for i < len(text) && isDigit(text[i]) {
			i++
		}
		frac = text[start:i]
	}
	if len(whole)+len(frac) == 0 {
		return 0, ErrNumber
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		i++
		eneg := false
		if i < len(text) && (text[i] == '-' || text[i] == '+') {
			eneg = text[i] == '-'
			i++
		}
		if i == len(text) {
			return 0, ErrNumber
		}
		e := 0
		for i < len(text) && isDigit(text[i]) {
			if e = e*10 + int(text[i]-'0'); e > 1<<20 {
				e = 1 << 20
			}
			i++
		}
		if eneg {
			e = -e
		}
		scale += e
	}
	if i != len(text) {
		return 0, ErrNumber
	}
	return shiftDigits(whole, frac, scale, neg)
}

// shiftDigits reads whole.frac with the point moved scale digits to the right.
func shiftDigits(whole, frac []byte, scale int, neg bool) (int64, error) {
	n := len(whole) + len(frac)
	digit := func(i int) byte {
		switch {
		case i < len(whole):
			return whole[i] - '0'
		case i < n:
			return frac[i-len(whole)] - '0'
		}
		return 0
	}
	keep := len(whole) + scale // digits left of the moved point
	var v uint64
	for i := 0; i < keep; i++ {
		if i >= n && v == 0 {
			break
		}
		hi, lo := bits.Mul64(v, 10)
		sum, carry := bits.Add64(lo, uint64(digit(i)), 0)
		if hi != 0 || carry != 0 || sum > 1<<63 {
			return 0, ErrNumber
		}
		v = sum
	}
	if keep < n && keep >= 0 { // round half to even on what is left
		first, rest := digit(keep), false
		for i := keep + 1; i < n && !rest; i++ {
			rest = digit(i) != 0
		}
		if first > 5 || first == 5 && (rest || v&1 == 1) {
			v++
		}
	}
	switch {
	case neg && v <= 1<<63:
		return -int64(v), nil
	case !neg && v < 1<<63:
		return int64(v), nil
	}
	return 0, ErrNumber
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
