package torch

import (
	"cmp"
	"slices"
	"time"

	"tracemerge/model"
)

// A record is far from all others if nothing lies between it and the body of the
// records for more than ten times the extent of the body, and for more than ten
// minutes: errors of a clock are hours to decades (kineto#109, pytorch#192021),
// pauses within one recording are not. Both are heuristics.
const (
	farFromAll = 10
	farLeast   = int64(10 * time.Minute)
)

// windowLeast replaces farLeast for the recorder's window, which may rightly be
// much longer than the stretch with events in it.
const windowLeast = int64(24 * time.Hour)

// body is where most of the records start. The zero value is no body: the records
// lie in groups of which none holds the majority.
type body struct {
	lo, hi int64
	any    bool
}

// apart is the distance of two readings, which may not fit int64.
func apart(lo, hi int64) uint64 { return uint64(hi) - uint64(lo) }

// reach is the distance from the body at which a record begins to be far.
func (b body) reach(least int64) uint64 {
	return max(farFromAll*min(apart(b.lo, b.hi), 1<<60), uint64(least))
}

// near reports whether the stretch from start to end has no end far from the body.
func (b body) near(start, end, least int64) bool {
	r := b.reach(least)
	return (start >= b.lo || apart(start, b.lo) <= r) && (end <= b.hi || apart(b.hi, end) <= r)
}

// group is a run of starts with less than farLeast from each to the next.
type group struct {
	body
	n int64
}

// bodyOf finds the body of the records that do not start at 0. lo is not above the
// first start.
func bodyOf(table model.Columns[model.SpanBatch], lo int64) body {
	cells := map[uint64]*group{} // by time in units of farLeast: gaps inside a cell are no matter
	var total int64
	var cell *group
	last := ^uint64(0)
	for b := range table.Batches() {
		for _, start := range b.Start {
			if start == 0 {
				continue
			}
			total++
			if k := apart(lo, start) / uint64(farLeast); k != last || cell == nil {
				last = k
				if cell = cells[k]; cell == nil {
					cell = &group{body: body{start, start, true}}
					cells[k] = cell
				}
			}
			cell.n++
			cell.lo, cell.hi = min(cell.lo, start), max(cell.hi, start)
		}
	}
	groups := gather(cells)
	k := slices.IndexFunc(groups, func(g group) bool { return g.n > total/2 })
	if k < 0 {
		return body{}
	}
	return absorb(groups, k)
}

// gather joins neighbouring cells into groups, in the order of time.
func gather(cells map[uint64]*group) []group {
	sorted := make([]group, 0, len(cells))
	for _, c := range cells {
		sorted = append(sorted, *c)
	}
	slices.SortFunc(sorted, func(a, b group) int { return cmp.Compare(a.lo, b.lo) })
	var out []group
	for _, c := range sorted {
		if n := len(out); n > 0 && apart(out[n-1].hi, c.lo) <= uint64(farLeast) {
			out[n-1].hi, out[n-1].n = c.hi, out[n-1].n+c.n
			continue
		}
		out = append(out, c)
	}
	return out
}

// absorb grows the group k by its neighbours as long as one is near.
func absorb(groups []group, k int) body {
	b := groups[k].body
	for lo, hi := k-1, k+1; ; {
		switch {
		case lo >= 0 && b.near(groups[lo].hi, b.hi, farLeast):
			b.lo = groups[lo].lo
			lo--
		case hi < len(groups) && b.near(b.lo, groups[hi].lo, farLeast):
			b.hi = groups[hi].hi
			hi++
		default:
			return b
		}
	}
}
