package ingest

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// exact is ParseDecimal by rational arithmetic: the oracle. ok is false where
// the text is no number or the value does not fit.
func exact(text string, scale int) (int64, bool) {
	t := strings.TrimPrefix(text, "+")
	if t == "" || strings.ContainsAny(t, "/_xXpPbBoOiInN ") || strings.HasPrefix(t, "-+") || strings.HasPrefix(t, "+") {
		return 0, false
	}
	r, ok := new(big.Rat).SetString(t)
	if !ok {
		return 0, false
	}
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(scale, -scale))), nil)
	if scale >= 0 {
		r.Mul(r, new(big.Rat).SetInt(ten))
	} else {
		r.Quo(r, new(big.Rat).SetInt(ten))
	}
	// Round half to even: twice the remainder against the denominator.
	q, m := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int)) // m >= 0
	switch c := m.Lsh(m, 1).Cmp(r.Denom()); {
	case c > 0, c == 0 && q.Bit(0) == 1:
		q.Add(q, big.NewInt(1))
	}
	return q.Int64(), q.IsInt64()
}

func TestParseDecimal(t *testing.T) {
	for _, c := range []struct {
		name, in string
		scale    int
		want     int64
		bad      bool
	}{
		{"microseconds to nanoseconds", "1717171717123456.789", 3, 1717171717123456789, false},
		{"a stamp that float64 would move by 29 ns", "5533571549418.273", 3, 5533571549418273, false},
		{"seconds to nanoseconds", "0.000000001", 9, 1, false},
		{"no fraction", "12", 3, 12000, false},
		{"exponent", "1.5e3", 3, 1500000, false},
		{"negative exponent", "1500e-3", 3, 1500, false},
		{"negative", "-2.5", 3, -2500, false},
		{"half rounds to even, down", "0.0005", 3, 0, false},
		{"half rounds to even, up", "0.0015", 3, 2, false},
		{"more than half rounds up", "0.00050001", 3, 1, false},
		{"negative half rounds to even", "-0.0015", 3, -2, false},
		{"digits without a whole part", ".5", 3, 500, false},
		{"a point without digits after it", "5.", 3, 5000, false},
		{"largest", "9223372036854775807", 0, 9223372036854775807, false},
		{"smallest", "-9223372036854775808", 0, -9223372036854775808, false},
		{"zero with a huge exponent", "0e999999999999", 0, 0, false},
		{"too small to matter", "1e-999999999999", 9, 0, false},
		{"one more than the largest", "9223372036854775808", 0, 0, true},
		{"rounded past the largest", "9223372036854775807.5", 0, 0, true},
		{"one less than the smallest", "-9223372036854775809", 0, 0, true},
		{"does not fit after scaling", "9223372036854775", 6, 0, true},
		{"huge exponent", "1e999999999999", 0, 0, true},
		{"empty", "", 3, 0, true},
		{"only a sign", "-", 3, 0, true},
		{"only a point", ".", 3, 0, true},
		{"two points", "1.2.3", 3, 0, true},
		{"exponent without digits", "1e", 3, 0, true},
		{"exponent sign without digits", "1e+", 3, 0, true},
		{"thousands separator", "1,000", 3, 0, true},
		{"space", "1 ", 3, 0, true},
		{"not a number", "NaN", 3, 0, true},
		{"infinity", "Infinity", 3, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseDecimal([]byte(c.in), c.scale)
			if (err != nil) != c.bad || got != c.want {
				t.Errorf("ParseDecimal(%q, %d)\n got %d, %v\nwant %d, error %v", c.in, c.scale, got, err, c.want, c.bad)
			}
		})
	}
}

func TestParseDecimalAgreesWithRationalNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "0123456789555000999"[r.IntN(19)]
		}
		return string(b)
	}
	for range 50000 {
		in := []string{"", "-", "+"}[r.IntN(3)] + digits(1+r.IntN(20))
		if r.IntN(2) == 0 {
			in += "." + digits(1+r.IntN(12))
		}
		if r.IntN(4) == 0 {
			in += "e" + []string{"", "-", "+"}[r.IntN(3)] + digits(1+r.IntN(2))
		}
		scale := r.IntN(13) - 3
		got, err := ParseDecimal([]byte(in), scale)
		want, ok := exact(in, scale)
		if (err == nil) != ok || ok && got != want {
			t.Fatalf("ParseDecimal(%q, %d)\n got %d, %v\nwant %d, fits %v", in, scale, got, err, want, ok)
		}
	}
}

func FuzzParseDecimal(f *testing.F) {
	for _, s := range []string{"0", "-1.5e3", "1717171717123456.789", ".5", "5.", "1e-9", "99999999999999999999", "0.5", "2.5", "1e", "--1"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, in string, scale int) {
		if scale < -20 || scale > 20 || len(in) > 100 {
			t.Skip("outside what readers use")
		}
		if i := strings.IndexAny(in, "eE"); i >= 0 && len(in)-i > 5 {
			t.Skip("the oracle would need that many digits")
		}
		got, err := ParseDecimal([]byte(in), scale)
		want, ok := exact(in, scale)
		if (err == nil) != ok || ok && got != want {
			t.Fatalf("ParseDecimal(%q, %d)\n got %d, %v\nwant %d, fits %v", in, scale, got, err, want, ok)
		}
	})
}
