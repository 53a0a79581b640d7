package replay

import (
	"time"

	"tracemerge/model/report"
)

// Path is the critical path by stage: the chain of instances that leads back from
// the end of the run, each to what it waited for last. Lag is the time between two
// of them where something known ended just before the start, Unrecorded the time
// in which nothing that is recorded was waited for.
//
// Law: the stages + Lag + Unrecorded = the window.
func (g *Graph) Path() report.CriticalPath {
	out := report.CriticalPath{Stages: make([]report.PathShare, 0, len(g.t.Rows))}
	sums, counts := make([]time.Duration, len(g.t.Rows)), make([]int64, len(g.t.Rows))
	w := g.t.Window
	n := g.last()
	if n == none {
		out.Unrecorded = w.Len()
		return out
	}
	out.Unrecorded = time.Duration(w.End - g.nodes[n].at.End)
	for n != none {
		x := &g.nodes[n]
		sums[x.row] += x.at.Len()
		counts[x.row]++
		base := w.Start
		if x.binding != none {
			base = max(base, g.nodes[x.binding].at.End)
		}
		if gap := time.Duration(x.at.Start - base); x.explained {
			out.Lag += gap
		} else {
			out.Unrecorded += gap
		}
		n = x.binding
	}
	for i, r := range g.t.Rows {
		if counts[i] > 0 {
			out.Stages = append(out.Stages, report.PathShare{Stage: r.Stage, Time: sums[i], N: counts[i]})
		}
	}
	return out
}

// last is the node that ends last.
func (g *Graph) last() int {
	best := none
	for i, x := range g.nodes {
		if best == none || x.at.End > g.nodes[best].at.End {
			best = i
		}
	}
	return best
}
