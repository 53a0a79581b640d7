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
	"tracemerge/model/report"
)

// Of compares the traces of the run that state a rank. Where two state the same
// rank, only the first is taken here.
func Of(tl *model.Timeline) report.Ranks {
	var rs report.Ranks
	var traces []*model.Placed
	communicating := 0
	for i := range tl.Captures {
		p := &tl.Captures[i]
		if p.Trace == nil {
			continue
		}
		if len(calls(p)) > 0 {
			communicating++
		}
		rank, ok := p.Trace.Rank.Get()
		if !ok || slices.ContainsFunc(rs.Ranks, func(r report.Rank) bool { return r.Rank == rank }) {
			continue
		}
		rs.Ranks = append(rs.Ranks, report.Rank{Rank: rank, Source: p.Source.ID})
		traces = append(traces, p)
	}
	rs.Alone = communicating == 1
	if len(traces) < 2 {
		rs.Ranks = nil
		return rs
	}
	bySource := map[model.SourceID]*model.Placed{}
	for _, p := range traces {
		bySource[p.Source.ID] = p
	}
	slices.SortFunc(rs.Ranks, func(a, b report.Rank) int { return cmp.Compare(a.Rank, b.Rank) })
	for i, r := range rs.Ranks {
		traces[i] = bySource[r.Source]
	}
	rs.Steps = steps(traces)
	rs.Collectives = collectives(traces)
	return rs
}

// steps lists the steps that at least two ranks have, by number.
func steps(traces []*model.Placed) []report.RankStep {
	var out []report.RankStep
	for i, p := range traces {
		for _, s := range p.Trace.Steps {
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
