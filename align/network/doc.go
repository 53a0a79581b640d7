// Package network solves difference constraints between clocks.
//
// A node is a clock with an unknown offset; node 0 is the reference, whose offset
// is 0. A constraint says that offset(A) - offset(B) lies in one of some closed
// intervals. All values are int64 nanoseconds and exact.
//
// Constraints with one interval are edges of a graph (offset(A) <= offset(B) + w);
// shortest paths give the tightest interval of every pair, and a cycle of negative
// length is a contradiction whose edges are its explanation (Dechter, Meiri and
// Pearl, "Temporal constraint networks", 1991). Constraints with several intervals
// are branched; the branches that hold are united, so that the result names every
// offset that is possible.
//
// Where nothing holds, evidence gives way, the weakest first, until something does;
// what was given up is named with what excludes it. Where several equally weak
// constraints would do, none is preferred: what any of them leaves is possible. Evidence that never gives way
// (Firm) can contradict itself: then there is no result.
//
// Example: a log is 3 h ahead or 1 h behind (its zone is not known), and its line
// "step 7" stands between 10 s before and 5 s after the trace's step 7:
//
//	offset(log) - offset(trace) in [3h,3h] or [-1h,-1h]
//	offset(log) - offset(trace) in [2h59m50s, 3h0m5s]
//	offset(trace) - reference   in [0,0]
//
// leaves [3h,3h] for the log.
package network

import (
	"math"

	"tracemerge/model"
)

// Offset is a difference of offsets in nanoseconds.
type Offset = int64

// The open ends of a range.
const (
	Low  Offset = Offset(model.OpenLow)
	High Offset = Offset(model.OpenHigh)
)

// A Range is the closed interval [Lo, Hi].
type Range = model.Range[Offset]

// A Constraint states that offset(A) - offset(B) lies in one of the ranges, which
// are ordered and disjoint.
type Constraint struct {
	A, B    int
	Allowed []Range
	Weight  int  // strength: of what contradicts, the least gives way
	Firm    bool // never gives way
}

// infinite is the length of a path that does not exist.
const infinite = math.MaxInt64

// plus adds lengths of paths without overflow: lengths beyond an open end are as good
// as none.
func plus(a, b Offset) Offset {
	switch {
	case a == infinite || b == infinite:
		return infinite
	case a > 0 && b > infinite-1-a:
		return infinite
	case a < 0 && b < math.MinInt64+1-a:
		return math.MinInt64 + 1
	}
	return a + b
}
