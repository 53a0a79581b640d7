package replay

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"tracemerge/model"
	"tracemerge/model/stage"
)

// MaxSpans bounds what is held of a trace that is replayed: its device spans, its calls
// and its stages of the host, each of about 150 bytes.
const MaxSpans = 8 << 20

// near is how long before a start an end on another stream counts as its cause: events
// between streams take some microseconds.
const near = model.Time(10 * time.Microsecond)

// Launches is the work of one trace: what the host did, in the order in which it did
// it, and the device work that it launched.
//
// A device span starts when the span before it on its stream has ended and its launch
// has begun, or when the work of another stream that ended just before it has, and a
// lag after the last of these as observed. The host goes on as it did, with the time
// within a stage scaled; a call in which it waits for a device returns when the work
// that ended last before it returned has ended, and a lag after that. Which stream a
// call waits for is not in its record: where it waited for none, or so shortly that an
// end within it may be chance, it may wait for each of them.
type Launches struct {
	t    *stage.Table
	host []point // by time
	ops  []op    // by start
	tail model.Time
	slow model.Time // the least time from a launch to a start
	call model.Time // the least time that a wait took
	back model.Time // the greatest from the end of device work to the return of a wait for it
	ends []int32    // the ops by end
}

// A point is an instant of the host at which something depends on it.
type point struct {
	at   model.Time
	row  int32 // stage of the host's time since the point before; stage.NoRow if none
	wait int32 // the op whose end it waited for, or none
	all  bool  // it returns when all work of the devices has ended
	some bool  // when that of one stream has, which the trace does not name
	idle bool  // the wait may have been none: it was so short that the end in it may be chance
}

// An op is one span of a device.
type op struct {
	at     model.Interval[model.Time]
	row    int32
	stream int32 // index of its track
	launch int32 // the point at which its launch began, or none
	before int32 // the op before it on its stream, or none
	other  int32 // the op of another stream that ended just before it, or none
	base   cause
}

// A cause is what the start of an op waited for last.
type cause uint8

const (
	fromNothing cause = iota
	fromLaunch
	fromStream
	fromOther
)

// OfTrace builds the graph of a table that rests on one trace. The reason says why
// there is none, NotSet if there is one.
func OfTrace(t *stage.Table) (*Launches, model.Reason) {
	switch {
	case t.Trace == nil:
		return nil, model.NotApplicable // several traces: what one waits for in another is not recorded
	case t.Accounted.Unknown > 0 || !t.Unobserved.Empty():
		return nil, model.OutsideObservation
	}
	g := &Launches{t: t}
	if why := g.collect(); why != model.NotSet {
		return nil, why
	}
	g.link()
	return g, model.NotSet
}

// A call is a host runtime call: a launch with a correlation id, or a wait.
type call struct {
	link     int64
	from, to model.Time
	waits    stage.Wait
	point    int32 // of its beginning
}

// stageRun is a stage of the host.
type stageRun struct {
	at  model.Time
	row int32
	on  int32 // +1 where it begins, -1 where it ends
}

// collect reads the spans: device work, the calls that launched it or wait for it,
// and the stages of the host.
func (g *Launches) collect() model.Reason {
	tr := g.t.Trace
	shift, ok := tr.Shift()
	if !ok {
		return model.ClockUncertain
	}
	waits := tr.Waits()
	var calls []call
	var runs []stageRun
	var links []int64 // of the ops
	last := g.t.Window.Start
	for b := range tr.Capture.Spans.Batches() {
		for i, k := range b.Kind {
			kind := model.SpanKind(k)
			from, to := model.Time(b.Start[i])+shift, model.Time(b.End[i])+shift
			row := tr.Row(kind, b.Name[i])
			if kind.OnDevice() {
				at := model.Interval[model.Time]{Start: from, End: to}.Intersect(g.t.Window)
				if row != stage.NoRow && !at.Empty() {
					g.ops = append(g.ops, op{at: at, row: int32(row), stream: b.Track[i], launch: none, before: none, other: none})
					links = append(links, b.Link[i])
				}
				continue
			}
			if !onHost(kind) {
				continue
			}
			last = max(last, min(to, g.t.Window.End))
			if kind == model.SpanRuntime {
				c := call{link: b.Link[i], from: from, to: to, point: none}
				if n := b.Name[i]; n >= 0 && int(n) < len(waits) {
					c.waits = waits[n]
				}
				if c.waits != stage.WaitsForNothing || c.link != model.NoLink {
					calls = append(calls, c)
				}
			}
			if row != stage.NoRow && to > from {
				runs = append(runs, stageRun{from, int32(row), 1}, stageRun{to, int32(row), -1})
			}
		}
	}
	switch {
	case len(g.ops) == 0, len(calls) == 0:
		return model.NoSource
	case len(g.ops)+len(calls)+len(runs)/2 > MaxSpans:
		return model.NotComputable
	}
	g.order(links)
	g.points(calls, runs, links, last)
	unlaunched := 0
	for i := range g.ops {
		if g.ops[i].launch == none {
			unlaunched++
		}
	}
	if unlaunched*100 > len(g.ops) {
		return model.NotRecorded // what device work waited for is not in the file
	}
	return model.NotSet
}

// onHost reports whether a span is what the host did.
func onHost(kind model.SpanKind) bool {
	switch kind {
	case model.SpanOperator, model.SpanRuntime, model.SpanAnnotation, model.SpanStep, model.SpanPython:
		return true
	}
	return false
}

// order sorts the ops by start, and their links with them.
func (g *Launches) order(links []int64) {
	byStart := make([]int32, len(g.ops))
	for i := range byStart {
		byStart[i] = int32(i)
	}
	slices.SortStableFunc(byStart, func(a, b int32) int {
		x, y := &g.ops[a].at, &g.ops[b].at
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End))
	})
	ops, ids := make([]op, len(g.ops)), make([]int64, len(links))
	for i, k := range byStart {
		ops[i], ids[i] = g.ops[k], links[k]
	}
	g.ops = ops
	copy(links, ids)
}

// points makes the host's line: where launches begin, waits return, and stages begin
// and end.
func (g *Launches) points(calls []call, runs []stageRun, links []int64, last model.Time) {
	type instant struct {
		at    model.Time
		call  int32 // of whose launch or return this is, or none
		whose bool  // a return
		run   int32 // the stage edge, or none
	}
	var all []instant
	waited := false
	for i, c := range calls {
		if c.link != model.NoLink || c.waits != stage.WaitsForNothing {
			all = append(all, instant{c.from, int32(i), false, none})
		}
		if c.waits != stage.WaitsForNothing {
			if d := c.to - c.from; !waited || d < g.call {
				g.call, waited = d, true
			}
			all = append(all, instant{c.to, int32(i), true, none})
		}
	}
	for i, r := range runs {
		all = append(all, instant{r.at, none, false, int32(i)})
	}
	slices.SortStableFunc(all, func(a, b instant) int { return cmp.Compare(a.at, b.at) })
	w := g.t.Window
	open := make([]int32, len(g.t.Rows))
	row, several := int32(stage.NoRow), 0
	add := func(at model.Time) *point {
		g.host = append(g.host, point{at: min(max(at, w.Start), w.End), row: row, wait: none})
		return &g.host[len(g.host)-1]
	}
	g.ends = g.byEnd()
	until, one := g.untilEnd(), g.oneStream()
	copied := g.byLink(links)
	for _, x := range all {
		switch {
		case x.run != none:
			add(x.at)
			r := runs[x.run]
			if open[r.row] += r.on; open[r.row] == r.on && r.on > 0 {
				several++
			} else if open[r.row] == 0 {
				several--
			}
			row = theOnly(open, several)
		case x.whose:
			c, p := &calls[x.call], add(x.at)
			if c.waits == stage.WaitsForCopy {
				p.wait = copied(c.link, p.at)
			} else {
				p.wait = g.lastEnd(c.from, p.at)
				p.all = (c.waits == stage.WaitsForDevice || c.waits == stage.WaitsForStream && one) && g.allEnded(until, p.at)
				p.some = !p.all
				p.idle = p.some && c.to-c.from <= near
			}
		default:
			calls[x.call].point = int32(len(g.host))
			add(x.at)
		}
	}
	add(last)
	slices.SortStableFunc(calls, func(a, b call) int { return cmp.Compare(a.link, b.link) })
	for i := range g.ops {
		g.ops[i].launch = launchOf(calls, links[i])
	}
}

// byLink finds the op of a correlation id, of several the one that ended last; none if
// there is none, or it ended after an instant.
func (g *Launches) byLink(links []int64) func(link int64, upTo model.Time) int32 {
	sorted := make([]int32, len(links))
	for i := range sorted {
		sorted[i] = int32(i)
	}
	slices.SortStableFunc(sorted, func(a, b int32) int {
		return cmp.Or(cmp.Compare(links[a], links[b]), cmp.Compare(g.ops[a].at.End, g.ops[b].at.End))
	})
	return func(link int64, upTo model.Time) int32 {
		if link == model.NoLink {
			return none
		}
		k := sort.Search(len(sorted), func(k int) bool { return links[sorted[k]] > link }) - 1
		if k < 0 || links[sorted[k]] != link || g.ops[sorted[k]].at.End > upTo {
			return none
		}
		return sorted[k]
	}
}

// theOnly is the stage of the host where one alone is open. Time that several stages
// claim is scaled with none of them.
func theOnly(open []int32, several int) int32 {
	if several != 1 {
		return stage.NoRow
	}
	for r, n := range open {
		if n > 0 {
			return int32(r)
		}
	}
	return stage.NoRow
}

// launchOf is the point of the call with the correlation id, the last that the file has
// under it; none if there is none.
func launchOf(calls []call, link int64) int32 {
	if link == model.NoLink {
		return none
	}
	k := sort.Search(len(calls), func(k int) bool { return calls[k].link > link }) - 1
	if k < 0 || calls[k].link != link {
		return none
	}
	return calls[k].point
}

// oneStream reports whether all device work is on one stream.
func (g *Launches) oneStream() bool {
	for i := range g.ops {
		if g.ops[i].stream != g.ops[0].stream {
			return false
		}
	}
	return true
}

// untilEnd is, for each op, when all up to it have ended.
func (g *Launches) untilEnd() []model.Time {
	out := make([]model.Time, len(g.ops))
	last := g.t.Window.Start
	for i := range g.ops {
		last = max(last, g.ops[i].at.End)
		out[i] = last
	}
	return out
}

// allEnded reports whether all that started before an instant has ended by then. A wait
// that returned earlier was for less than all: for another device, or another stream.
func (g *Launches) allEnded(until []model.Time, at model.Time) bool {
	k := sort.Search(len(g.ops), func(k int) bool { return g.ops[k].at.Start >= at })
	return k == 0 || until[k-1] <= at
}

// byEnd lists the ops by end.
func (g *Launches) byEnd() []int32 {
	out := make([]int32, len(g.ops))
	for i := range out {
		out[i] = int32(i)
	}
	slices.SortStableFunc(out, func(a, b int32) int { return cmp.Compare(g.ops[a].at.End, g.ops[b].at.End) })
	return out
}

// lastEnd is the op that ended last after an instant and not after another, or none.
func (g *Launches) lastEnd(after, upTo model.Time) int32 {
	k := sort.Search(len(g.ends), func(k int) bool { return g.ops[g.ends[k]].at.End > upTo }) - 1
	if k < 0 || g.ops[g.ends[k]].at.End <= after {
		return none
	}
	return g.ends[k]
}

// leastDelay is the least time from a launch to a start. A record that starts before
// its launch is no result of it.
func (g *Launches) leastDelay() model.Time {
	least, any := model.Time(0), false
	for i := range g.ops {
		x := &g.ops[i]
		if x.launch == none {
			continue
		}
		d := x.at.Start - g.host[x.launch].at
		if d < 0 {
			x.launch = none
		} else if !any || d < least {
			least, any = d, true
		}
	}
	return least
}

// link finds what each op waited for last: its launch, if that could not have caused an
// earlier start than the end of the op before it on its stream did.
func (g *Launches) link() {
	w := g.t.Window
	g.slow = g.leastDelay()
	latest := map[int32]int32{} // by stream
	finish := w.Start
	for i := range g.ops {
		x := &g.ops[i]
		base := w.Start
		p, follows := latest[x.stream]
		if follows && g.ops[p].at.End <= x.at.Start {
			x.before = p
			base, x.base = g.ops[p].at.End, fromStream
		}
		if x.launch != none && g.host[x.launch].at+g.slow >= base {
			base, x.base = g.host[x.launch].at, fromLaunch
		}
		if x.at.Start-base > near {
			if o := g.lastEnd(max(base, x.at.Start-near), x.at.Start); o != none && g.ops[o].stream != x.stream {
				x.other, x.base = o, fromOther
			}
		}
		if !follows || g.ops[p].at.End <= x.at.End {
			latest[x.stream] = int32(i)
		}
		finish = max(finish, x.at.End)
	}
	for _, p := range g.host {
		if (p.all || p.some) && p.wait != none && !p.idle {
			g.back = max(g.back, p.at-g.ops[p.wait].at.End)
		}
		finish = max(finish, p.at)
	}
	g.tail = w.End - finish
}
