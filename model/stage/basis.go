package stage

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// A basis gathers what one kind of source on one axis says about stages.
type basis struct {
	kind    model.SourceKind
	axis    axis
	sources map[model.SourceID]bool
	items   []Instance // of logs; paired first, then open ones
	sets    []spanSet  // of traces
	steps   []step     // of traces

	records  map[model.SourceID]model.Interval[model.Time] // first to last record
	holes    map[model.SourceID]model.Set[model.Time]
	traces   []*Trace
	clocks   map[clock]time.Duration         // width of each clock that has one
	counts   map[model.StageID]int64         // spans of traces
	longest  map[model.StageID]time.Duration // of these
	notes    []model.Phrase
	truncate bool

	resolution time.Duration // coarsest stamp
	bySource   map[sourceStage]model.Set[model.Time]
}

type basisKey struct {
	kind model.SourceKind
	axis axis
}

// bases keeps them by kind and axis.
type bases map[basisKey]*basis

func (b bases) get(kind model.SourceKind, a axis) *basis {
	k := basisKey{kind, a}
	if b[k] == nil {
		b[k] = &basis{kind: kind, axis: a, sources: map[model.SourceID]bool{},
			records: map[model.SourceID]model.Interval[model.Time]{}, holes: map[model.SourceID]model.Set[model.Time]{},
			clocks: map[clock]time.Duration{}, counts: map[model.StageID]int64{},
			longest: map[model.StageID]time.Duration{}}
	}
	return b[k]
}

// sorted returns the bases that have stages: logs before traces, placed before
// unplaced, then by source.
func (b bases) sorted() []*basis {
	var out []*basis
	for _, x := range b {
		if len(x.counts) > 0 || len(x.items) > 0 {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(x, y *basis) int {
		return cmp.Or(cmp.Compare(x.precedence(), y.precedence()),
			cmp.Compare(x.axis.source, y.axis.source), cmp.Compare(x.axis.domain, y.axis.domain))
	})
	return out
}

func (b *basis) placed() bool { return b.axis == axis{} }

func (b *basis) precedence() int {
	p := 0
	if b.kind == model.KindTrace {
		p = 1
	}
	if !b.placed() {
		p += 2
	}
	return p
}

func (b *basis) report() report.Basis {
	return report.Basis{Kind: b.kind, Placed: b.placed(), Sources: slices.Sorted(maps.Keys(b.sources))}
}

// cover widens the record hull of a source.
func (b *basis) cover(s model.SourceID, at model.Interval[model.Time]) {
	if h, ok := b.records[s]; ok {
		at = model.Interval[model.Time]{Start: min(h.Start, at.Start), End: max(h.End, at.End)}
	}
	b.records[s] = at
}

func (b *basis) add(i Instance) {
	b.sources[i.Source] = true
	b.items = append(b.items, i)
	w := max(i.Unsure[0], i.Unsure[1])
	if i.clock != (clock{}) {
		b.clocks[i.clock] = max(b.clocks[i.clock], w)
	}
	if i.Open {
		return
	}
	b.cover(i.Source, i.At)
}

// observed is where at least one source of the basis was looking.
func (b *basis) observed() model.Set[model.Time] {
	var all model.Set[model.Time]
	for _, s := range slices.Sorted(maps.Keys(b.records)) {
		if b.sources[s] {
			all = all.Union(model.NewSet(b.records[s]).Subtract(b.holes[s]))
		}
	}
	return all
}

// window is the part of the axis that the table is about: the run's window, or
// for a source on its own axis its records.
func (b *basis) window(tl *model.Timeline) model.Interval[model.Time] {
	if b.placed() {
		return tl.Window
	}
	var h model.Interval[model.Time]
	first := true
	for _, s := range slices.Sorted(maps.Keys(b.records)) {
		if !b.sources[s] {
			continue
		}
		if r := b.records[s]; first {
			h, first = r, false
		} else {
			h.Start, h.End = min(h.Start, r.Start), max(h.End, r.End)
		}
	}
	return h
}

// logs reads the stage edges of every application log.
func (b bases) logs(tl *model.Timeline, r *rules, notes *model.Notices) {
	for i := range tl.Captures {
		c := &tl.Captures[i]
		if c.Capture == nil || c.Marks == nil || c.Source.Kind == model.KindTrace {
			continue
		}
		b.log(tl, c, r, notes)
	}
}

func (b bases) log(tl *model.Timeline, c *model.Placed, r *rules, notes *model.Notices) {
	p := newPairing(notes, func(a axis, i Instance) {
		b.get(model.KindLog, a).add(i)
	})
	found := false
	for m := range c.Marks.All() {
		m.From.Source = c.Source.ID
		e, ok := place(c, m.Domain, m.At)
		if !ok {
			if m.Edge != model.EdgeNone {
				notes.Add("stage/no-instant", model.DataLoss, m.From,
					model.Say("a stage edge has no instant on any clock; it gives no stage time"))
			}
			continue
		}
		b.get(model.KindLog, e.axis).cover(c.Source.ID, model.Interval[model.Time]{Start: e.at, End: e.at})
		if m.Edge == model.EdgeNone {
			continue
		}
		if s, ok := r.mark(tl.Declared, m); ok {
			found = true
			p.take(s, m, e)
		}
	}
	p.finish()
	if !found {
		return
	}
	for _, d := range c.Domains {
		if d.Valid.Empty() {
			continue
		}
		// The valid interval holds its last reading by one nanosecond more.
		first, ok1 := place(c, d.ID, d.Valid.Start)
		last, ok2 := place(c, d.ID, d.Valid.End-1)
		if ok1 && ok2 && first.axis == last.axis && first.at <= last.at {
			x := b.get(model.KindLog, first.axis)
			x.cover(c.Source.ID, model.Interval[model.Time]{Start: first.at, End: last.at})
			x.truncate = x.truncate || c.Truncated
			x.resolution = max(x.resolution, d.Step)
		}
	}
}

// settle gives open instances the extent in which they may have run: to the
// next edge of the same executor and stage if these never ran at once, else to
// the end of the log's records; backwards likewise.
func (b *basis) settle() {
	type group struct {
		executor
		stage model.StageID
	}
	slices.SortStableFunc(b.items, func(x, y Instance) int {
		return cmp.Or(cmp.Compare(x.At.Start, y.At.Start), cmp.Compare(x.At.End, y.At.End),
			cmp.Compare(x.Source, y.Source), cmp.Compare(x.From.Offset, y.From.Offset), cmp.Compare(x.From.Line, y.From.Line))
	})
	by := map[group][]int{}
	for n, i := range b.items {
		by[group{i.executor(), i.Stage}] = append(by[group{i.executor(), i.Stage}], n)
	}
	for _, list := range by {
		serial := true
		end := model.Time(0)
		for k, n := range list {
			i := b.items[n]
			if k > 0 && !i.Open && i.At.Start < end {
				serial = false
			}
			if !i.Open {
				end = max(end, i.At.End)
			}
		}
		for k, n := range list {
			if b.items[n].Open {
				b.items[n].At = b.extent(list, k, serial)
			}
		}
	}
}

// extent uses only the edge that was seen of an open neighbour.
func (b *basis) extent(list []int, k int, serial bool) model.Interval[model.Time] {
	i := b.items[list[k]]
	from, to := b.records[i.Source].Start, b.records[i.Source].End
	if serial && k > 0 {
		prev := b.items[list[k-1]]
		from = prev.At.End
		if prev.Open && !prev.noStart {
			from = prev.At.Start
		}
	}
	if serial && k+1 < len(list) {
		next := b.items[list[k+1]]
		to = next.At.Start
		if next.noStart {
			to = next.At.End
		}
	}
	if i.noStart {
		return model.Interval[model.Time]{Start: min(from, i.At.End), End: i.At.End}
	}
	return model.Interval[model.Time]{Start: i.At.Start, End: max(i.At.Start, to)}
}
