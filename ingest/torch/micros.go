package torch

import (
	"bytes"

	"tracemerge/ingest"
	"tracemerge/ingest/torch/internal/jsonscan"
)

// maxNS bounds the times that are accepted, so that a base and a duration can be
// added without overflow: 2^62 ns are 146 years.
const maxNS = 1 << 62

// fracOne is 1 ns in the units of the fraction: 18 digits below 1 ns are kept.
const fracOne = 1_000_000_000_000_000_000

// exact is a time with the digits below 1 ns: ns + frac * 1e-18 ns, plus less
// than one such unit if more is set.
type exact struct {
	ns   int64
	frac uint64
	more bool
}

// round returns the nearest nanosecond, the even one where it is undecided.
func (x exact) round() int64 {
	half := uint64(fracOne / 2)
	if x.frac > half || x.frac == half && (x.more || x.ns&1 == 1) {
		return x.ns + 1
	}
	return x.ns
}

func (x exact) plus(y exact) exact {
	s := exact{x.ns + y.ns, x.frac + y.frac, x.more || y.more}
	if s.frac >= fracOne {
		s.ns, s.frac = s.ns+1, s.frac-fracOne
	}
	return s
}

func (x exact) negative() exact {
	switch {
	case x.more:
		return exact{-x.ns - 1, fracOne - 1 - x.frac, true}
	case x.frac > 0:
		return exact{-x.ns - 1, fracOne - x.frac, false}
	}
	return exact{ns: -x.ns}
}

// fastMicros reads plain digits with up to three decimals, as Kineto writes
// them; ok is false for anything else.
func fastMicros(b []byte) (ns int64, ok bool) {
	i, n := 0, len(b)
	if n > 20 {
		return 0, false
	}
	neg := n > 0 && b[0] == '-'
	if neg {
		i++
	}
	start := i
	var v int64
	for i < n {
		d := b[i] - '0'
		if d > 9 {
			break
		}
		v = v*10 + int64(d)
		i++
	}
	if digits := i - start; digits == 0 || digits > 15 {
		if digits != 16 || v > 4_000_000_000_000_000 {
			return 0, false
		}
	}
	v *= 1000
	if i < n {
		if b[i] != '.' || n-i > 4 || n-i == 1 {
			return 0, false
		}
		scale := int64(100)
		for i++; i < n; i++ {
			d := b[i] - '0'
			if d > 9 {
				return 0, false
			}
			v += int64(d) * scale
			scale /= 10
		}
	}
	if neg {
		v = -v
	}
	return v, true
}

// exactMicros reads any decimal number of microseconds.
func exactMicros(text []byte) (exact, error) {
	neg := len(text) > 0 && text[0] == '-'
	if neg {
		text = text[1:]
		if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
			return exact{}, ingest.ErrNumber
		}
	}
	// ParseDecimal checks the syntax and the range; what it rounds is cut below.
	if v, err := ingest.ParseDecimal(text, 3); err != nil || v > maxNS {
		return exact{}, ingest.ErrNumber
	}
	var x exact
	mantissa, exp := text, 3
	if k := bytes.IndexAny(text, "eE"); k >= 0 {
		mantissa = text[:k]
		e, err := ingest.ParseDecimal(bytes.TrimPrefix(text[k+1:], []byte{'+'}), 0)
		if err != nil || e < -1000 || e > 1000 {
			return exact{}, nil // so small that it is 0; a large one did not pass ParseDecimal
		}
		exp += int(e)
	}
	mantissa = bytes.TrimPrefix(mantissa, []byte{'+'})
	point := bytes.IndexByte(mantissa, '.')
	if point < 0 {
		point = len(mantissa)
	}
	place := point + exp // digits left of the moved point
	digit, left := 0, uint64(fracOne)
	for _, c := range mantissa {
		if c == '.' {
			continue
		}
		d := uint64(c - '0')
		switch {
		case digit < place:
			x.ns = x.ns*10 + int64(d)
		default:
			for ; digit == 0 && place < 0 && left > 0; place++ { // zeros behind the moved point
				left /= 10
			}
			left /= 10
			x.frac += d * left
			x.more = x.more || left == 0 && d > 0
		}
		digit++
	}
	for ; digit < place && x.ns != 0; digit++ {
		x.ns *= 10
	}
	if neg {
		x = x.negative()
	}
	return x, nil
}

// number returns the text of a numeric token: a number, or a string that may
// hold one.
func number(b []byte, t token) []byte {
	switch t.kind {
	case tokBare:
		return b[t.from:t.to]
	case tokString:
		return bytes.TrimSpace(b[t.from:t.to])
	case tokEscaped:
		s, _ := jsonscan.Unescape(b[t.from:t.to])
		return bytes.TrimSpace([]byte(s))
	}
	return nil
}

// integer reads an integer token, also one written in a string.
func integer(b []byte, t token) (int64, bool) {
	text := number(b, t)
	neg := len(text) > 0 && text[0] == '-'
	if neg {
		text = text[1:]
	}
	if len(text) == 0 || len(text) > 18 { // torch_npu has ids over 2^53, Comms Id is over 2^63
		return 0, false
	}
	var v int64
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	if neg {
		v = -v
	}
	return v, true
}
