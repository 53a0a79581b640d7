package network

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

func one(a, b int, lo, hi Offset, weight int) Constraint {
	return Constraint{A: a, B: b, Allowed: []Range{{Lo: lo, Hi: hi}}, Weight: weight}
}

// The example of the package comment, in seconds.
func TestExample(t *testing.T) {
	s, err := Solve(3, []Constraint{
		{A: 2, B: 1, Allowed: []Range{{Lo: -3600, Hi: -3600}, {Lo: 10800, Hi: 10800}}},
		one(2, 1, 10790, 10805, 1),
		one(1, 0, 0, 0, 2),
	})
	if err != nil || !slices.Equal(s.Ranges[2], []Range{{Lo: 10800, Hi: 10800}}) || len(s.Dropped) > 0 {
		t.Errorf("got %v, %v", s, err)
	}
	if !s.Tight[0] || !s.Tight[2] || s.Tight[1] {
		t.Errorf("tight: %v, want the zone and the trace's own clock", s.Tight)
	}
}

func TestContradictions(t *testing.T) {
	for _, c := range []struct {
		name    string
		cs      []Constraint
		want    []Range // of node 1
		dropped []int
		against []int // of the first dropped
		err     error
	}{
		{"the weaker gives way", []Constraint{one(1, 0, 0, 10, 3), one(1, 0, 20, 30, 1)}, []Range{{Lo: 0, Hi: 10}}, []int{1}, []int{0}, nil},
		{"of two that are equally weak none is preferred", []Constraint{one(1, 0, 0, 1, 2), one(1, 0, 5, 6, 2)}, []Range{{Lo: 0, Hi: 1}, {Lo: 5, Hi: 6}}, []int{0, 1}, []int{1}, nil},
		{"over a path", []Constraint{one(1, 0, 0, 0, 4), one(2, 1, 5, 5, 4), one(2, 0, 9, 9, 1)}, []Range{{Lo: 0, Hi: 0}}, []int{2}, []int{0, 1}, nil},
		{"every branch is excluded", []Constraint{{A: 1, B: 0, Allowed: []Range{{Lo: 0, Hi: 0}, {Lo: 9, Hi: 9}}, Weight: 4}, one(1, 0, 3, 4, 2)}, []Range{{Lo: 0, Hi: 0}, {Lo: 9, Hi: 9}}, []int{1}, []int{0}, nil},
		{"two have to give way", []Constraint{one(1, 0, 0, 0, 4), one(1, 0, 5, 5, 1), one(1, 0, 7, 7, 2)}, []Range{{Lo: 0, Hi: 0}}, []int{2, 1}, []int{0}, nil},
		{"what never gives way", []Constraint{{A: 1, B: 0, Allowed: []Range{{Lo: 0, Hi: 0}}, Firm: true}, {A: 1, B: 0, Allowed: []Range{{Lo: 5, Hi: 5}}, Firm: true}}, nil, []int{-1}, []int{0, 1}, ErrFirm},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := 2
			for _, k := range c.cs {
				n = max(n, k.A+1, k.B+1)
			}
			s, err := Solve(n, c.cs)
			if !errors.Is(err, c.err) {
				t.Fatalf("error %v, want %v", err, c.err)
			}
			var dropped []int
			for _, d := range s.Dropped {
				dropped = append(dropped, d.Constraint)
			}
			if !slices.Equal(dropped, c.dropped) || !slices.Equal(s.Dropped[0].Against, c.against) {
				t.Errorf("dropped %v, want %v against %v", s.Dropped, c.dropped, c.against)
			}
			if err == nil && !slices.Equal(s.Ranges[1], c.want) {
				t.Errorf("got %v, want %v", s.Ranges[1], c.want)
			}
		})
	}
}

// Random consistent networks with unions and open ends: the truth is always inside,
// and every range is what a search over all small offsets finds.
func TestTruthIsInsideAndRangesAreTight(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1500 {
		n := 2 + r.IntN(2)
		truth := make([]Offset, n)
		for i := 1; i < n; i++ {
			truth[i] = r.Int64N(13) - 6
		}
		var cs []Constraint
		for range 1 + r.IntN(5) {
			a, b := r.IntN(n), r.IntN(n)
			if a == b {
				continue
			}
			d := truth[a] - truth[b]
			ranges := []Range{{Lo: d - r.Int64N(4), Hi: d + r.Int64N(4)}}
			switch r.IntN(5) {
			case 0:
				ranges[0].Lo = Low
			case 1:
				ranges[0].Hi = High
			case 2:
				ranges = append(ranges, Range{Lo: d + 6, Hi: d + 7})
			}
			cs = append(cs, Constraint{A: a, B: b, Allowed: United(ranges), Weight: r.IntN(4)})
		}
		s, err := Solve(n, cs)
		if err != nil || len(s.Dropped) > 0 {
			t.Fatalf("%v: %v, dropped %v", cs, err, s.Dropped)
		}
		for v := range n {
			if !slices.ContainsFunc(s.Ranges[v], func(x Range) bool { return x.Lo <= truth[v] && truth[v] <= x.Hi }) {
				t.Fatalf("%v: node %d: %v is not in %v", cs, v, truth[v], s.Ranges[v])
			}
		}
		bruteForce(t, n, cs, s)
	}
}

// bruteForce tries all offsets from -40 to 40.
func bruteForce(t *testing.T, n int, cs []Constraint, s Solution) {
	t.Helper()
	const reach = 40
	possible := make([]map[Offset]bool, n)
	for v := range possible {
		possible[v] = map[Offset]bool{}
	}
	at := make([]Offset, n)
	var try func(v int)
	try = func(v int) {
		if v == n {
			for _, c := range cs {
				d := at[c.A] - at[c.B]
				if !slices.ContainsFunc(c.Allowed, func(x Range) bool { return x.Lo <= d && d <= x.Hi }) {
					return
				}
			}
			for i := range n {
				possible[i][at[i]] = true
			}
			return
		}
		for at[v] = -reach; at[v] <= reach; at[v]++ {
			try(v + 1)
		}
	}
	try(1)
	for v := range n {
		for x := Offset(-reach / 2); x <= reach/2; x++ { // paths of a few hops stay within reach
			inside := slices.ContainsFunc(s.Ranges[v], func(r Range) bool { return r.Lo <= x && x <= r.Hi })
			if possible[v][x] && !inside {
				t.Fatalf("%v: node %d: %d is possible and not in %v", cs, v, x, s.Ranges[v])
			}
			if !possible[v][x] && inside {
				t.Fatalf("%v: node %d: %d is in %v and not possible", cs, v, x, s.Ranges[v])
			}
		}
	}
}

// One wrong weak constraint among right ones gives way, or is not noticed; the truth
// stays inside.
func TestOneWrongWeakConstraint(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		n := 3 + r.IntN(4)
		truth := make([]Offset, n)
		var cs []Constraint
		for i := 1; i < n; i++ {
			truth[i] = r.Int64N(1000)
			for range 2 {
				b := r.IntN(i)
				d := truth[i] - truth[b]
				cs = append(cs, one(i, b, d-r.Int64N(20), d+r.Int64N(20), 3))
			}
		}
		a := 1 + r.IntN(n-1)
		cs = append(cs, one(a, 0, truth[a]+5000, truth[a]+5010, 1))
		s, err := Solve(n, cs)
		if err != nil || len(s.Dropped) != 1 || s.Dropped[0].Constraint != len(cs)-1 {
			t.Fatalf("dropped %v, %v, want only the last", s.Dropped, err)
		}
		for v := range n {
			if x := s.Ranges[v][0]; truth[v] < x.Lo || truth[v] > x.Hi {
				t.Fatalf("node %d: %v is not in %v", v, truth[v], s.Ranges[v])
			}
		}
	}
}

func TestTooManyBranchesStaySound(t *testing.T) {
	var cs []Constraint
	for v := 1; v <= 12; v++ {
		var zones []Range
		for z := range Offset(42) {
			zones = append(zones, Range{Lo: z * 100, Hi: z * 100})
		}
		cs = append(cs, Constraint{A: v, B: 0, Allowed: zones}, one(v, v-1, -1_000_000, 1_000_000, 1))
	}
	s, err := Solve(13, cs)
	if err != nil || len(s.Hulls) == 0 {
		t.Fatalf("hulls %v, %v", s.Hulls, err)
	}
	for v := 1; v <= 12; v++ {
		if s.Ranges[v][0].Lo != 0 || s.Ranges[v][len(s.Ranges[v])-1].Hi != 4100 {
			t.Errorf("node %d: %v", v, s.Ranges[v])
		}
	}
}

// Nodes that nothing joins do not multiply: 60 clocks of 42 zones each.
func TestUnjoinedNodesAreSolvedApart(t *testing.T) {
	var cs []Constraint
	for v := 1; v <= 60; v++ {
		var zones []Range
		for z := range Offset(42) {
			zones = append(zones, Range{Lo: z * 100, Hi: z * 100})
		}
		cs = append(cs, Constraint{A: v, B: 0, Allowed: zones}, one(v, 0, 390, 420, 1))
	}
	s, err := Solve(61, cs)
	if err != nil || len(s.Hulls) > 0 {
		t.Fatalf("hulls %v, %v", s.Hulls, err)
	}
	for v := 1; v <= 60; v++ {
		if !slices.Equal(s.Ranges[v], []Range{{Lo: 400, Hi: 400}}) {
			t.Fatalf("node %d: %v", v, s.Ranges[v])
		}
	}
}

// A contradiction among many combinations is solved within the bound on work: what is
// not branched for that is named, and the truth stays inside.
func TestContradictionAmongManyCombinations(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	const nodes = 8
	offset := make([]Offset, nodes)
	for v := 1; v < nodes; v++ {
		offset[v] = r.Int64N(1000)
	}
	var cs []Constraint
	for v := 1; v < nodes; v++ {
		for u := range v {
			d := offset[v] - offset[u]
			c := Constraint{A: v, B: u, Weight: 2}
			for k := range Offset(6) {
				c.Allowed = append(c.Allowed, Range{Lo: d + 100*(k-2) - 10, Hi: d + 100*(k-2) + 10})
			}
			cs = append(cs, c)
		}
	}
	cs = append(cs, one(1, 0, offset[1]+1000, offset[1]+1001, 1)) // the weakest is wrong
	s, err := Solve(nodes, cs)
	if err != nil || len(s.Hulls) == 0 {
		t.Fatalf("%v, not branched: %v", err, s.Hulls)
	}
	for v := 1; v < nodes; v++ {
		if !slices.ContainsFunc(s.Ranges[v], func(r Range) bool { return r.Lo <= offset[v] && offset[v] <= r.Hi }) {
			t.Errorf("node %d: %d is not in %v", v, offset[v], s.Ranges[v])
		}
	}
	if len(s.Dropped) != 1 || s.Dropped[0].Constraint != len(cs)-1 {
		t.Errorf("dropped %v, want the weakest", s.Dropped)
	}
}
