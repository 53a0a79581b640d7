package network

import (
	"cmp"
	"errors"
	"slices"
)

// ErrFirm is returned where constraints that never give way contradict one another.
var ErrFirm = errors.New("constraints that never give way contradict one another")

// MaxWork bounds the steps of one solution: branches times the cube of the nodes.
// Constraints beyond it are not branched but taken as the hull of their ranges,
// which leaves more possible and never less.
const MaxWork = 20_000_000

// A Solution is what the constraints leave.
type Solution struct {
	Ranges  [][]Range    // by node, against node 0: ordered, disjoint; one with open ends where nothing is known
	Dropped []Dropped    // in the order in which they gave way; of equally weak ones all that may be wrong
	Hulls   []int        // constraints that were not branched for want of MaxWork
	Tight   map[int]bool // constraints on which an end of a range rests
}

// A Dropped constraint gave way to others.
type Dropped struct {
	Constraint int
	Against    []int // the constraints of the cycle that it closes
}

// Solve finds the offsets of nodes 0 … n-1. Nodes that no constraint joins but by way
// of node 0 are solved apart. The error is ErrFirm, with the constraints that
// contradict one another in the Against of a Dropped with Constraint -1; nodes that
// these do not touch are solved all the same.
func Solve(n int, cs []Constraint) (Solution, error) {
	out := Solution{Ranges: make([][]Range, n), Tight: map[int]bool{}}
	out.Ranges[0] = []Range{{}}
	var failed error
	for _, part := range parts(n, cs) {
		local := map[int]int{0: 0}
		for k, v := range part.nodes {
			local[v] = k + 1
		}
		sub := make([]Constraint, len(part.constraints))
		for k, i := range part.constraints {
			sub[k] = cs[i]
			sub[k].A, sub[k].B = local[cs[i].A], local[cs[i].B]
		}
		s, err := solve(len(part.nodes)+1, sub)
		if err != nil {
			failed = err
		}
		for k, v := range part.nodes {
			if err == nil {
				out.Ranges[v] = s.Ranges[k+1]
			}
		}
		for k := range s.Tight {
			out.Tight[part.constraints[k]] = true
		}
		for _, k := range s.Hulls {
			out.Hulls = append(out.Hulls, part.constraints[k])
		}
		for _, d := range s.Dropped {
			if d.Constraint >= 0 {
				d.Constraint = part.constraints[d.Constraint]
			}
			against := make([]int, len(d.Against))
			for k, x := range d.Against {
				against[k] = part.constraints[x]
			}
			out.Dropped = append(out.Dropped, Dropped{d.Constraint, against})
		}
	}
	return out, failed
}

// A part is nodes that constraints join, and these constraints.
type part struct{ nodes, constraints []int }

// parts splits the network at node 0; constraints between node 0 and itself are
// their own part.
func parts(n int, cs []Constraint) []part {
	root := make([]int, n)
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			i = root[i]
		}
		return i
	}
	for _, c := range cs {
		if c.A != 0 && c.B != 0 {
			root[find(c.A)] = find(c.B)
		}
	}
	index := map[int]int{}
	var out []part
	at := func(v int) *part {
		r := find(v)
		k, ok := index[r]
		if !ok {
			k = len(out)
			index[r] = k
			out = append(out, part{})
		}
		return &out[k]
	}
	for v := 1; v < n; v++ {
		p := at(v)
		p.nodes = append(p.nodes, v)
	}
	for i, c := range cs {
		p := at(max(c.A, c.B))
		p.constraints = append(p.constraints, i)
	}
	return out
}

// solve is Solve for one part.
func solve(n int, cs []Constraint) (Solution, error) {
	live := make([]bool, len(cs))
	for i := range live {
		live[i] = len(cs[i].Allowed) > 0
	}
	var s Solution
	for {
		hulls := tooMany(n, cs, live, MaxWork)
		found := branches(n, cs, live, hulls)
		if len(found) == 0 {
			// Each is given up in turn to see which gives way, with its share of the work.
			share := tooMany(n, cs, live, MaxWork/(1+len(cs)))
			if len(share) > len(hulls) {
				found = branches(n, cs, live, share)
			}
			hulls = share
		}
		if len(found) > 0 {
			s.Hulls = hulls
			s.collect(n, found)
			return s, nil
		}
		if single := alone(n, cs, live, hulls); len(single) > 0 {
			// Each of them restores the rest, and none is weaker than the others: what any
			// of them leaves is possible.
			var found []state
			for _, i := range single {
				live[i] = false
				found = append(found, branches(n, cs, live, hulls)...)
				live[i] = true
				s.Dropped = append(s.Dropped, Dropped{i, conflict(n, cs, live, hulls, i)})
			}
			s.Hulls = hulls
			s.collect(n, found)
			return s, nil
		}
		against := conflict(n, cs, live, hulls, -1)
		weakest := weakestOf(cs, live, against)
		if weakest < 0 {
			s.Dropped = append(s.Dropped, Dropped{Constraint: -1, Against: against})
			return s, ErrFirm
		}
		live[weakest] = false
		s.Dropped = append(s.Dropped, Dropped{weakest, slices.DeleteFunc(against, func(k int) bool { return k == weakest })})
	}
}

// alone lists the weakest constraints of which each, given up alone, lets the rest
// hold: all of the least weight for which there is one.
func alone(n int, cs []Constraint, live []bool, hulls []int) []int {
	order := make([]int, len(cs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cs[a].Weight, cs[b].Weight) })
	var out []int
	for _, i := range order {
		if len(out) > 0 && cs[i].Weight > cs[out[0]].Weight {
			break
		}
		if !live[i] || cs[i].Firm {
			continue
		}
		live[i] = false
		holds := len(branches(n, cs, live, hulls)) > 0
		live[i] = true
		if !holds {
			continue
		}
		out = append(out, i)
	}
	return out
}

// weakestOf is what gives way where one constraint is not enough: the weakest of a
// contradiction, else of all; -1 if nothing can.
func weakestOf(cs []Constraint, live []bool, cycle []int) int {
	for _, all := range []bool{false, true} {
		best := -1
		for i, c := range cs {
			if live[i] && !c.Firm && (all || slices.Contains(cycle, i)) && (best < 0 || c.Weight < cs[best].Weight) {
				best = i
			}
		}
		if best >= 0 {
			return best
		}
	}
	return -1
}

// conflict names the constraints of a contradiction, without the one that gives
// way; of several branches that of the first.
func conflict(n int, cs []Constraint, live []bool, hulls []int, without int) []int {
	var cycle []int
	each(cs, live, hulls, func(choice []Range) bool {
		_, cycle = closure(n, cs, choice)
		return false
	})
	out := slices.DeleteFunc(cycle, func(k int) bool { return k == without })
	slices.Sort(out)
	return slices.Compact(out)
}

// A state is one branch that holds: the distances of all pairs, and the constraints
// on the paths between node 0 and each node.
type state struct {
	lo, hi []Offset
	by     [][2][]int // of each node: on which constraints lo and hi rest
}

func branches(n int, cs []Constraint, live []bool, hulls []int) []state {
	var out []state
	each(cs, live, hulls, func(choice []Range) bool {
		if m, _ := closure(n, cs, choice); m != nil {
			out = append(out, m.state())
		}
		return true
	})
	return out
}

// each calls visit with every choice of one range for each live constraint, as far
// as the ranges of one pair meet; ranges of those that are not live are empty
// (Lo > Hi). Choices whose ranges of one pair do not meet are skipped: they
// contradict themselves.
func each(cs []Constraint, live []bool, hulls []int, visit func([]Range) bool) {
	choice := make([]Range, len(cs))
	pairs := map[[2]int]Range{}
	visited := false
	var next func(i int) bool
	next = func(i int) bool {
		if i == len(cs) {
			visited = true
			return visit(choice)
		}
		c := &cs[i]
		if !live[i] {
			choice[i] = Range{Lo: 1, Hi: 0}
			return next(i + 1)
		}
		ranges := c.Allowed
		if slices.Contains(hulls, i) {
			ranges = []Range{{Lo: ranges[0].Lo, Hi: ranges[len(ranges)-1].Hi}}
		}
		pair, sign := [2]int{c.A, c.B}, Offset(1)
		if c.A < c.B {
			pair, sign = [2]int{c.B, c.A}, -1
		}
		old, had := pairs[pair]
		for _, r := range ranges {
			x := r
			if sign < 0 {
				x = Range{Lo: -r.Hi, Hi: -r.Lo}
			}
			if had {
				x = Range{Lo: max(x.Lo, old.Lo), Hi: min(x.Hi, old.Hi)}
			}
			if x.Lo > x.Hi {
				continue
			}
			choice[i], pairs[pair] = r, x
			if !next(i + 1) {
				return false
			}
		}
		if had {
			pairs[pair] = old
		} else {
			delete(pairs, pair)
		}
		return true
	}
	next(0)
	if !visited { // all of them skipped: the first choice shows a contradiction
		for i, c := range cs {
			choice[i] = Range{Lo: 1, Hi: 0}
			if live[i] {
				choice[i] = c.Allowed[0]
			}
		}
		visit(choice)
	}
}

// tooMany picks the constraints that are not branched so that the work stays below most:
// those with most ranges.
func tooMany(n int, cs []Constraint, live []bool, most int) []int {
	cube := max(1, n*n*n)
	work := cube
	var many []int
	for i, c := range cs {
		if live[i] && len(c.Allowed) > 1 {
			many = append(many, i)
		}
	}
	slices.SortStableFunc(many, func(a, b int) int { return byRanges(cs[a], cs[b]) })
	for k, i := range many {
		if work > most/len(cs[i].Allowed) {
			for k > 0 && byRanges(cs[many[k-1]], cs[i]) == 0 { // none of equal ones is preferred
				k--
			}
			return many[k:]
		}
		work *= len(cs[i].Allowed)
	}
	return nil
}

// byRanges orders constraints by the number of their ranges and by these, so that the
// order in which they are given changes nothing.
func byRanges(a, b Constraint) int {
	return cmp.Or(cmp.Compare(len(a.Allowed), len(b.Allowed)), slices.CompareFunc(a.Allowed, b.Allowed, func(x, y Range) int {
		return cmp.Or(cmp.Compare(x.Lo, y.Lo), cmp.Compare(x.Hi, y.Hi))
	}))
}

// collect unites the branches.
func (s *Solution) collect(n int, found []state) {
	s.Ranges, s.Tight = make([][]Range, n), map[int]bool{}
	for v := range n {
		var all []Range
		for _, f := range found {
			all = append(all, Range{Lo: f.lo[v], Hi: f.hi[v]})
		}
		s.Ranges[v] = United(all)
		for _, f := range found {
			for side, end := range [2]Offset{f.lo[v], f.hi[v]} {
				if slices.ContainsFunc(s.Ranges[v], func(r Range) bool { return side == 0 && r.Lo == end || side == 1 && r.Hi == end }) {
					for _, c := range f.by[v][side] {
						s.Tight[c] = true
					}
				}
			}
		}
	}
}

// United joins ranges that overlap or touch; the result is ordered and disjoint.
func United(all []Range) []Range {
	in := slices.Clone(all)
	slices.SortFunc(in, func(a, b Range) int { return cmp.Or(cmp.Compare(a.Lo, b.Lo), cmp.Compare(a.Hi, b.Hi)) })
	var out []Range
	for _, r := range in {
		if k := len(out); k > 0 && (r.Lo <= out[k-1].Hi || r.Lo == out[k-1].Hi+1) {
			out[k-1].Hi = max(out[k-1].Hi, r.Hi)
			continue
		}
		out = append(out, r)
	}
	return out
}
