package replay

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"tracemerge/model"
	"tracemerge/model/stage"
)

// none stands for no node.
const none = -1

// A Graph is the instances of one table and what each waited for.
type Graph struct {
	t     *stage.Table
	nodes []node // by start
	lanes []int  // width of each lane
	tail  model.Time
}

type node struct {
	row, lane int
	at        model.Interval[model.Time] // within the window
	input     int                        // the node of the same input before it, or none
	trigger   int                        // the node on another lane that ended just before it, or none
	lag       model.Time
	explained bool // something that is known ended just before it
	binding   int  // what it waited for last, or none: the beginning of the window
}

// Of builds the graph of a table of a log. Two instants within the tolerance
// belong together. The reason says why there is no graph, NotSet if there is one.
func Of(t *stage.Table, tolerance time.Duration) (*Graph, model.Reason) {
	switch {
	case t.Basis.Kind == model.KindTrace, len(t.Items) == 0:
		return nil, model.NotRecorded
	case t.Accounted.Unknown > 0:
		return nil, model.OutsideObservation
	}
	g := &Graph{t: t}
	before := map[inputKey]int{}
	for n, l := range t.Lanes {
		if l.Unsure > 0 {
			return nil, model.ClockUncertain
		}
		g.lanes = append(g.lanes, l.Width)
		for _, r := range l.Runs {
			g.nodes = append(g.nodes, node{row: r.Row, lane: n, at: r.At.Intersect(t.Window), input: r.Item, trigger: none, binding: none})
		}
	}
	slices.SortStableFunc(g.nodes, func(a, b node) int {
		return cmp.Or(cmp.Compare(a.at.Start, b.at.Start), cmp.Compare(a.at.End, b.at.End))
	})
	for i := range g.nodes {
		x := &g.nodes[i]
		item := t.Items[x.input]
		if item.Input.Empty() {
			return nil, model.NotRecorded
		}
		k := inputKey{item.Source, item.Input}
		x.input = none
		if p, ok := before[k]; ok {
			if g.nodes[p].at.End > x.at.Start {
				return nil, model.NotApplicable // two stages of one input at once
			}
			x.input = p
		}
		before[k] = i
	}
	g.link(model.Time(tolerance))
	return g, model.NotSet
}

type inputKey struct {
	source model.SourceID
	input  model.Raw
}

// places are the instants at which the places of a lane become free, with the
// node that leaves each.
type places struct {
	free []place
}

type place struct {
	at   model.Time
	node int
}

func newPlaces(width int) places {
	p := places{make([]place, max(width, 1))}
	for i := range p.free {
		p.free[i] = place{minTime, none}
	}
	return p
}

const minTime = model.Time(-1 << 62)

// first returns the place that is free first.
func (p *places) first() *place {
	best := 0
	for i := range p.free {
		if p.free[i].at < p.free[best].at {
			best = i
		}
	}
	return &p.free[best]
}

// link finds what each node waited for last and how long after that it started.
func (g *Graph) link(tolerance model.Time) {
	byEnd := make([]int, len(g.nodes))
	for i := range byEnd {
		byEnd[i] = i
	}
	end := func(k int) model.Time { return g.nodes[byEnd[k]].at.End }
	slices.SortStableFunc(byEnd, func(a, b int) int { return cmp.Compare(g.nodes[a].at.End, g.nodes[b].at.End) })
	lanes := g.newLanes()
	w := g.t.Window
	for i := range g.nodes {
		x := &g.nodes[i]
		p := lanes[x.lane].first()
		base := w.Start
		take := func(n int) {
			if n != none && g.nodes[n].at.End >= base {
				base, x.binding = g.nodes[n].at.End, n
			}
		}
		take(x.input)
		take(p.node)
		x.explained = x.at.Start-base <= tolerance
		if !x.explained {
			k := sort.Search(len(byEnd), func(k int) bool { return end(k) > x.at.Start }) - 1
			if k >= 0 && end(k) >= x.at.Start-tolerance && byEnd[k] != i {
				x.trigger, x.explained = byEnd[k], true
				take(x.trigger)
			}
		}
		x.lag = max(0, x.at.Start-base)
		*p = place{x.at.End, i}
	}
	last := w.Start
	for _, x := range g.nodes {
		last = max(last, x.at.End)
	}
	g.tail = w.End - last
}

func (g *Graph) newLanes() []places {
	out := make([]places, len(g.lanes))
	for n, w := range g.lanes {
		out[n] = newPlaces(w)
	}
	return out
}
