package torch

import (
	"cmp"
	"slices"

	"tracemerge/model"
)

// edge is one B or E event.
type edge struct {
	ts    exact
	lane  int32 // process and thread, which both events state
	begin bool
	span  model.Span // of a B: track, name, kind, link, offset
	at    model.Pos
}

// edge keeps a B or E event until the end: pairs are joined in the order of
// time, and files are not ordered by it.
func (r *reader) edge(b []byte, e *element, at model.Pos) {
	ts, ok := r.time(b, e, at)
	if !ok {
		return
	}
	if ts.ns > maxNS || ts.ns < -maxNS {
		r.note(tsOutOfRange, at)
		return
	}
	g := edge{ts: ts, lane: r.lane(b, e), begin: e.ph == 'B', at: at}
	g.span = model.Span{Track: model.NoTrack, Link: model.NoLink, Offset: at.Offset}
	if g.begin {
		g.span.Track = r.place(b, e, at)
		g.span.Name = r.nameOf(b, e.name, at)
		g.span.Kind, g.span.Link = r.kindOf(g.span.Name), r.linkOf(b, e)
	}
	g.span.At.Start = model.ClockTime(ts.round())
	r.edges = append(r.edges, g)
}

// lane numbers pairs of process and thread.
func (r *reader) lane(b []byte, e *element) int32 {
	key := r.text(b, e.pid) + "\x00" + r.text(b, e.tid)
	id, ok := r.lanes[key]
	if !ok {
		id = int32(len(r.lanes))
		r.lanes[key] = id
	}
	return id
}

// pairs joins B and E events, innermost first on each thread, in the order of
// time. The spans come back in the order of their B events in the file.
func (r *reader) pairs() []model.Span {
	slices.SortStableFunc(r.edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.ts.ns, b.ts.ns), cmp.Compare(a.ts.frac, b.ts.frac))
	})
	open := make([][]edge, len(r.lanes))
	var joined []edge
	for _, g := range r.edges {
		stack := &open[g.lane]
		switch {
		case g.begin:
			*stack = append(*stack, g)
		case len(*stack) == 0:
			r.note(unmatchedEnd, g.at)
		default:
			b := (*stack)[len(*stack)-1]
			*stack = (*stack)[:len(*stack)-1]
			b.span.At.End = g.span.At.Start
			joined = append(joined, b)
			r.used += 2
		}
	}
	for _, stack := range open {
		for _, b := range stack {
			r.note(unmatchedBegin, b.at)
		}
	}
	slices.SortFunc(joined, func(a, b edge) int { return cmp.Compare(a.span.Offset, b.span.Offset) })
	spans := make([]model.Span, len(joined))
	for i, b := range joined {
		spans[i] = b.span
		r.paired = append(r.paired, b.at.Offset)
		r.observe(b.span, b.at)
	}
	return spans
}
