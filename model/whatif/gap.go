package whatif

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"tracemerge/model"
	"tracemerge/model/stage"
)

// wake is how much later than its trigger a waiting lane may start: Python's
// default thread switch interval (sys.getswitchinterval).
const wake = 5 * time.Millisecond

// Tolerance is how near to a gap's end an edge of another lane must lie to count
// as what the lane waited for: the resolution of both stamps, and the time a
// waiting thread takes to wake, which is never taken for more than a twentieth
// of the table's median run, so that short stages are not all triggers of each
// other.
func Tolerance(t *stage.Table) time.Duration {
	var runs []time.Duration
	for _, l := range t.Lanes {
		for _, r := range l.Runs {
			if r.Row != stage.NoRow {
				runs = append(runs, r.At.Len())
			}
		}
	}
	if len(runs) == 0 {
		return 2 * t.Resolution
	}
	slices.Sort(runs)
	return 2*t.Resolution + min(wake, runs[len(runs)/2]/20)
}

// Gaps returns, by the clock of the lanes, where a lane may have been busy with
// work that nobody recorded.
//
//  1. A lane's gap ends where a run starts. If a run on another lane ended
//     just before, the lane waited for it; what lies between that end and the
//     start is a lag, which no factor changes. If none did, unrecorded work ended
//     there. A start on another lane explains nothing: whatever released the one
//     may have released the other. The window's start counts as an end, and its
//     end as a start. In a trace a host thread hands on in the midst of its calls
//     (an engine starts its workers), so a start while another thread is at calls
//     of no stage is explained by them.
//
//  2. That work may have been on any lane that was idle then, since a lane can
//     hand on to another without a record. So each of their gaps is in, from
//     where it began. The gap of a pool begins where all of its lanes were last
//     busy: which of them starts next is not known.
//
//  3. Work that ends before a wait leaves no trace of its end. A lane is held
//     capable of it in every gap, for as long as the longest gap between two
//     of its runs that step 2 found. What comes before its first run and after
//     its last one (starting up, closing down) says nothing about the rest.
//
//  4. In a log, a lane that always waits after its work may hide constant work
//     between the two: its gaps are never short then. So each gap is in for as
//     long as the shortest gap between runs of the same two stages, which bounds
//     that work from above, but not for longer than the lane's longest run. A
//     lane that once went on at once hides none. A trace records what threads do.
//     Where no two runs ever ran at once, the job is one thing after another and
//     every wait is the time of another run: nothing is added.
//
// Steps 3 and 4 are the assumption: unrecorded work behind a run that varies, or
// is longer than any run of its lane, and always ends behind a wait is not found.
//
// Ends on another clock explain nothing, since the order is not certain.
func Gaps(t *stage.Table, tolerance time.Duration) map[int]model.Set[model.Time] {
	g := newGaps(t, tolerance)
	unexplained, lags := g.starts()
	serial := g.serial()
	found := map[int][]model.Interval[model.Time]{}
	for n := range t.Lanes {
		l := &t.Lanes[n]
		if l.Fed {
			continue
		}
		found[l.Clock] = append(found[l.Clock], g.suspect(l, unexplained)...)
		if t.Basis.Kind != model.KindTrace && !serial {
			found[l.Clock] = append(found[l.Clock], g.behind(l)...)
		}
	}
	out := map[int]model.Set[model.Time]{}
	for c, list := range found {
		out[c] = model.NewSet(list...)
	}
	for c, list := range lags {
		out[c] = out[c].Union(model.NewSet(list...))
	}
	return out
}

// serial reports whether no two runs of the table ran at once for longer than the
// tolerance.
func (g *gaps) serial() bool {
	var runs []model.Interval[model.Time]
	for _, l := range g.t.Lanes {
		for _, r := range l.Runs {
			runs = append(runs, r.At)
		}
	}
	slices.SortFunc(runs, func(a, b model.Interval[model.Time]) int { return cmp.Compare(a.Start, b.Start) })
	var busy model.Time
	for i, r := range runs {
		if i > 0 && min(busy, r.End)-r.Start > g.tolerance {
			return false
		}
		busy = max(busy, r.End)
	}
	return true
}

// suspect returns the part of the lane's gaps that may hold unrecorded work.
func (g *gaps) suspect(l *stage.Lane, unexplained []model.Time) []model.Interval[model.Time] {
	idle := l.Full.Gaps(g.t.Window).Parts()
	until := make([]model.Time, len(idle)) // the last unexplained start in each gap
	var longest model.Time
	for i, p := range idle {
		until[i] = p.Start
		if k := sort.Search(len(unexplained), func(k int) bool { return unexplained[k] > p.End }); k > 0 {
			until[i] = max(until[i], unexplained[k-1])
		}
		if p.Start > g.t.Window.Start && p.End < g.t.Window.End {
			longest = max(longest, until[i]-p.Start)
		}
	}
	var out []model.Interval[model.Time]
	for i, p := range idle {
		if end := max(until[i], min(p.End, p.Start+longest)); end > p.Start {
			out = append(out, model.Interval[model.Time]{Start: p.Start, End: end})
		}
	}
	return out
}

// kind is a gap by the rows that it lies between.
type kind struct{ before, after int }

// behind returns where constant work behind each run of a log's lane may lie
// unseen: for as long as the shortest gap of its kind, and no longer than the
// lane's longest run. In a pool the earliest end
// is matched with the earliest start that needs it.
func (g *gaps) behind(l *stage.Lane) []model.Interval[model.Time] {
	ends := make([]model.Time, len(l.Runs))
	for k, r := range l.Runs {
		ends[k] = r.At.End
	}
	of := func(k int) kind { return kind{} }
	if l.Width == 1 {
		of = func(k int) kind { return kind{l.Runs[k].Row, l.Runs[k+1].Row} }
	}
	slices.Sort(ends)
	var longest model.Time
	for _, r := range l.Runs {
		longest = max(longest, model.Time(r.At.Len()))
	}
	shortest := map[kind]model.Time{}
	for k := 0; k+l.Width < len(ends); k++ {
		d := max(0, l.Runs[k+l.Width].At.Start-ends[k])
		if old, ok := shortest[of(k)]; !ok || d < old {
			shortest[of(k)] = d
		}
	}
	var out []model.Interval[model.Time]
	for k := 0; k+l.Width < len(ends); k++ {
		if d := min(shortest[of(k)], longest); d > 0 {
			out = append(out, model.Interval[model.Time]{Start: ends[k], End: ends[k] + d})
		}
	}
	return out
}

type gaps struct {
	t         *stage.Table
	tolerance model.Time
	ends      []laneEnd
	calls     []model.Set[model.Time] // of each lane: recorded work of no stage
}

type laneEnd struct {
	at        model.Time
	lane, run int32
}

func newGaps(t *stage.Table, tolerance time.Duration) *gaps {
	g := &gaps{t: t, tolerance: model.Time(tolerance)}
	for n, l := range t.Lanes {
		g.calls = append(g.calls, runs(l, stage.NoRow))
		for k, r := range l.Runs {
			g.ends = append(g.ends, laneEnd{r.At.End, int32(n), int32(k)})
		}
	}
	slices.SortFunc(g.ends, func(x, y laneEnd) int { return cmp.Compare(x.at, y.at) })
	return g
}

// trigger returns the earliest end on another lane that the start may have waited
// for. In a pool every other run counts as another lane's.
func (g *gaps) trigger(at model.Time, n, run int) (model.Time, bool) {
	l := &g.t.Lanes[n]
	from, to := at-g.tolerance, at+2*model.Time(g.t.Resolution)
	if g.t.Window.Start >= from {
		return min(g.t.Window.Start, at), true
	}
	i := sort.Search(len(g.ends), func(i int) bool { return g.ends[i].at >= from })
	for ; i < len(g.ends) && g.ends[i].at <= to; i++ {
		e := g.ends[i]
		if g.t.Lanes[e.lane].Clock != l.Clock {
			continue
		}
		if int(e.lane) != n || l.Width > 1 && int(e.run) != run {
			return min(e.at, at), true
		}
	}
	for i, c := range g.calls {
		if i != n && c.Contains(at) {
			return at, true
		}
	}
	return 0, false
}

// starts sorts the ends of all gaps into those that nothing explains and the
// lags behind what does.
func (g *gaps) starts() (unexplained []model.Time, lags map[int][]model.Interval[model.Time]) {
	lags = map[int][]model.Interval[model.Time]{}
	for n := range g.t.Lanes {
		l := &g.t.Lanes[n]
		if l.Fed {
			continue
		}
		for k, r := range l.Runs {
			if !g.idleBefore(l, r.At.Start) {
				continue
			}
			if e, ok := g.trigger(r.At.Start, n, k); ok {
				lags[l.Clock] = append(lags[l.Clock], model.Interval[model.Time]{Start: e, End: r.At.Start})
			} else {
				unexplained = append(unexplained, r.At.Start)
			}
		}
	}
	if !g.closes(g.t.Window.End) {
		unexplained = append(unexplained, g.t.Window.End)
	}
	slices.Sort(unexplained)
	return unexplained, lags
}

// closes reports whether some lane's work ends with the window.
func (g *gaps) closes(end model.Time) bool {
	i := sort.Search(len(g.ends), func(i int) bool { return g.ends[i].at >= end-g.tolerance })
	return i < len(g.ends)
}

// idleBefore reports whether the lane, or some lane of the pool, was idle just
// before the instant.
func (g *gaps) idleBefore(l *stage.Lane, at model.Time) bool {
	full := l.Full.Parts()
	i := sort.Search(len(full), func(i int) bool { return full[i].Start >= at })
	return at > g.t.Window.Start && (i == 0 || full[i-1].End < at)
}
