// Package ranks sets the traces of several ranks of one job side by side: the
// same step on every rank, and the same collective on every rank.
//
// A communication kernel runs from the moment its rank arrives until the last
// rank has arrived and the transfer is over. On one rank waiting and transferring
// cannot be told apart. Across ranks the shortest of the matched kernels bounds
// the transfer from above; what another rank's kernel took beyond it, that rank
// waited. (The same reading as TraceLens' collective analysis, which takes the
// bound for the value.)
//
// Kernels are matched by name and by their order on each rank. That is right if
// every rank takes part in every call of the name and each trace holds all of
// them. It is checked where it can be: counts must be equal, and where the clocks
// share a timeline the matched kernels must share an instant. A name that fails
// is listed as not matched, with its counts.
package ranks

import (
	"cmp"
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/device"
	"tracemerge/model/report"
)

// ranked is a trace with the rank that it states and its communication kernels.
type ranked struct {
	*model.Placed
	rank  int64
	calls device.Calls
}

// Of compares the traces of the run that state a rank. Traces that state the same
// rank are left out and listed: which of them is that rank cannot be told.
func Of(tl *model.Timeline) report.Ranks {
	var rs report.Ranks
	var traces []ranked
	communicating := 0
	for i := range tl.Captures {
		p := &tl.Captures[i]
		if p.Trace == nil {
			continue
		}
		c := device.CommunicationCalls(p.Capture)
		if len(c) > 0 {
			communicating++
		}
		if rank, ok := p.Trace.Rank.Get(); ok {
			traces = append(traces, ranked{p, rank, c})
		}
	}
	rs.Alone = communicating == 1
	stated := map[int64]int{}
	for _, t := range traces {
		stated[t.rank]++
	}
	traces = slices.DeleteFunc(traces, func(t ranked) bool {
		twice := stated[t.rank] > 1
		if twice {
			rs.Repeated = append(rs.Repeated, report.Rank{Rank: t.rank, Source: t.Source.ID})
		}
		return twice
	})
	if len(traces) < 2 {
		return rs
	}
	slices.SortFunc(traces, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	for _, t := range traces {
		rs.Ranks = append(rs.Ranks, report.Rank{Rank: t.rank, Source: t.Source.ID})
	}
	rs.Steps = steps(traces)
	rs.Collectives = collectives(traces)
	rs.Together = together(len(traces), rs.Collectives)
	return rs
}

// steps lists the steps that at least two ranks have, by number.
func steps(traces []ranked) []report.RankStep {
	var out []report.RankStep
	for i, t := range traces {
		for _, s := range t.Trace.Steps {
			n, ok := s.N.Get()
			if !ok {
				continue
			}
			at, found := slices.BinarySearchFunc(out, n, func(r report.RankStep, n int64) int { return cmp.Compare(r.N, n) })
			if !found {
				row := report.RankStep{N: n, Length: make([]model.Maybe[time.Duration], len(traces))}
				for j := range row.Length {
					row.Length[j] = model.Missing[time.Duration](model.NotRecorded)
				}
				out = slices.Insert(out, at, row)
			}
			out[at].Length[i] = model.Known(s.At.Len())
		}
	}
	out = slices.DeleteFunc(out, func(r report.RankStep) bool { return known(r.Length) < 2 })
	for i := range out {
		spread(&out[i])
	}
	return out
}

func known(ds []model.Maybe[time.Duration]) (n int) {
	for _, d := range ds {
		if d.Known() {
			n++
		}
	}
	return n
}

func spread(r *report.RankStep) {
	r.Slowest = -1
	var least, most time.Duration
	for i, l := range r.Length {
		d, ok := l.Get()
		switch {
		case !ok:
		case r.Slowest < 0:
			r.Slowest, least, most = i, d, d
		case d > most:
			r.Slowest, most = i, d
		default:
			least = min(least, d)
		}
	}
	r.Spread = most - least
}
