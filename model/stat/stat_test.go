package stat

import (
	"testing"

	"tracemerge/model"
)

// The ranks of the 95 % interval of a median stand in tables of the sign test:
// n = 6: 1, 8: 1, 9: 2, 20: 6, 25: 8, 50: 18.
func TestIntervalRanks(t *testing.T) {
	for n, want := range map[int]int{6: 1, 8: 1, 9: 2, 20: 6, 25: 8, 50: 18} {
		if got := rank(n); got != want {
			t.Errorf("n = %d: rank %d, want %d", n, got, want)
		}
	}
}

func TestMedian(t *testing.T) {
	cases := []struct {
		name string
		in   []float64
		want model.Maybe[float64]
		lo   float64
		hi   float64
		ok   bool
	}{
		{"nothing", nil, model.Missing[float64](model.NotComputable), 0, 0, false},
		{"too few for an interval", []float64{3, 1, 2}, model.Known(2.0), 0, 0, false},
		{"even count", []float64{4, 1, 3, 2, 6, 5}, model.Known(3.5), 1, 6, true},
	}
	for _, c := range cases {
		m := MedianOf(c.in)
		if m.Value != c.want {
			t.Errorf("%s: median %v, want %v", c.name, m.Value, c.want)
		}
		if r, ok := m.Spread.Get(); ok != c.ok || r.Lo != c.lo || r.Hi != c.hi {
			t.Errorf("%s: spread %v %v, want %v..%v %v", c.name, r, ok, c.lo, c.hi, c.ok)
		}
	}
}

func TestApart(t *testing.T) {
	six := func(from float64) Median {
		return MedianOf([]float64{from, from + 1, from + 2, from + 3, from + 4, from + 5})
	}
	if apart, known := Apart(six(0), six(10)); !apart || !known {
		t.Error("0..5 and 10..15 are apart")
	}
	if apart, known := Apart(six(0), six(5)); apart || !known {
		t.Error("0..5 and 5..10 share a value")
	}
	if _, known := Apart(six(0), MedianOf([]float64{1})); known {
		t.Error("one sample has no interval to judge by")
	}
}
