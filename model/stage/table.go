package stage

import (
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// A Table is the decomposition of one window by one basis, with what is needed
// to judge a change beside it.
type Table struct {
	report.StageTable
	// Items are the stages that logs state, by start; empty for traces, whose
	// spans are too many to keep one by one.
	Items []Instance
	// Trace is the spans of the trace that the basis rests on; nil for logs, and where
	// it rests on several traces.
	Trace *Trace
	// Lanes are what runs one thing at a time.
	Lanes []Lane
	// Unobserved is where anything may have run, even beside a stage that is
	// known: outside the records, in holes, and where an open instance may have
	// run. Accounted.UnknownSet is the part of it without a known stage.
	Unobserved model.Set[model.Time]
	// Resolution is the coarsest stamp of the sources: an edge lies in
	// [stamp, stamp+Resolution).
	Resolution time.Duration
}

// An Analysis is everything that the stages of one timeline give.
type Analysis struct {
	Tables     []Table // the primary basis first
	Primary    int     // index of the table that is about the run's window; -1 if there is none
	Waterfalls []report.Waterfall
	Notices    []model.Notice
	// Differences are what two bases on the run's clock state about one stage.
	Differences []report.StageDifference
}

// Analyse reads the timeline once and returns its tables, its waterfalls and
// what limits them. prefer is the kind of source whose table is to stand first
// where it is about the run's window; empty for the usual order.
func Analyse(tl *model.Timeline, prefer model.SourceKind) Analysis {
	var notes model.Notices
	r := compile(tl.Declared, &notes)
	all := bases{}
	all.logs(tl, r, &notes)
	all.traces(tl, r, &notes)
	type view struct {
		Table
		report.Waterfall
	}
	var views []view
	warmUp := model.Missing[int64](model.NotDeclared)
	if tl.Declared != nil {
		warmUp = tl.Declared.WarmUp
	}
	for _, b := range all.sorted() {
		b.settle()
		t := b.table(b.window(tl))
		views = append(views, view{t, b.waterfall(t, warmUp)})
	}
	// A table that is not about the run's window is never the primary one, and one
	// that shows no stage is not as long as another does.
	slices.SortStableFunc(views, func(x, y view) int { return rankOf(tl, x.Table, prefer) - rankOf(tl, y.Table, prefer) })
	a := Analysis{Primary: -1}
	if len(views) > 0 && !elsewhere(tl, views[0].Table) && !views[0].Window.Empty() {
		a.Primary = 0
	}
	for _, v := range views {
		a.Tables = append(a.Tables, v.Table)
		if v.Of > 0 {
			a.Waterfalls = append(a.Waterfalls, v.Waterfall)
		}
	}
	a.Notices = notes.List
	if prefer != "" && (a.Primary < 0 || a.Tables[0].Basis.Kind != prefer) {
		a.Notices = append(a.Notices, model.Notice{Code: "stage/basis-not-there", Severity: model.Note, N: 1,
			Text: model.Say("the basis that was asked for shows no stage on the clock of the window; another one is used")})
	}
	a.Differences = differences(a.Tables)
	return a
}

// elsewhere reports whether the run has a window and the table is on another axis.
func elsewhere(tl *model.Timeline, t Table) bool { return !tl.Window.Empty() && !t.Basis.Placed }

func rankOf(tl *model.Timeline, t Table, prefer model.SourceKind) int {
	r := 0
	if elsewhere(tl, t) {
		r += 4
	}
	if t.Accounted.Stages == 0 {
		r += 2
	}
	if prefer != "" && t.Basis.Kind != prefer {
		r++
	}
	return r
}

// Unplaced accounts for a window on whose clock no stage is placed, though
// stages were observed: all of it is unknown.
func Unplaced(w model.Interval[model.Time]) report.Accounted {
	return report.Accounted{Known: true, Unknown: w.Len(), UnknownSet: model.NewSet(w)}
}

// Tabulate returns the tables of every basis that has stages, the primary one
// first: placed logs, placed traces, then each source on its own axis.
func Tabulate(tl *model.Timeline) []Table { return Analyse(tl, "").Tables }

// Tables returns what the report shows of Tabulate.
func Tables(tl *model.Timeline) []report.StageTable {
	var out []report.StageTable
	for _, t := range Tabulate(tl) {
		out = append(out, t.StageTable)
	}
	return out
}

// Waterfalls returns the stages by batch, step or task of every basis.
func Waterfalls(tl *model.Timeline) []report.Waterfall { return Analyse(tl, "").Waterfalls }

// table fills in the decomposition of the window.
func (b *basis) table(w model.Interval[model.Time]) Table {
	t := Table{Items: b.items, Resolution: b.resolution}
	t.Basis, t.Window, t.Notes = b.report(), w, b.notes
	rows, open := b.rowsIn(w)
	for s, r := range rows {
		r.Stage, r.Busy, r.Share = s, r.Set.Len(), share(r.Set.Len(), w.Len())
		t.Rows = append(t.Rows, *r)
	}
	slices.SortFunc(t.Rows, func(x, y report.StageRow) int { return order(x.Stage, y.Stage) })
	observed := b.observed()
	t.decompose(observed.Subtract(model.NewSet(open...)))
	t.Unobserved = model.NewSet(w).Subtract(observed).Union(model.NewSet(open...).Within(w))
	t.Lanes = b.lanes(t)
	t.Trace = b.only(t)
	if b.truncate {
		t.Notes = append(t.Notes, model.Say("a file of this basis is cut off; what came after its last record is unknown"))
	}
	return t
}

// rowsIn gathers each stage's time within the window, and the open instances.
func (b *basis) rowsIn(w model.Interval[model.Time]) (map[model.StageID]*report.StageRow, []model.Interval[model.Time]) {
	rows := map[model.StageID]*report.StageRow{}
	row := func(s model.StageID) *report.StageRow {
		if rows[s] == nil {
			rows[s] = &report.StageRow{}
		}
		return rows[s]
	}
	at := map[model.StageID][]model.Interval[model.Time]{}
	shifted := map[stageClock]model.Set[model.Time]{}
	var open []model.Interval[model.Time]
	for _, i := range b.items {
		r := row(i.Stage)
		in := i.At.Intersect(w)
		switch {
		case i.Open:
			open = append(open, in)
		case i.At.Overlaps(w) || i.At.Empty() && w.Contains(i.At.Start):
			at[i.Stage] = append(at[i.Stage], in)
			r.Intervals++
			r.Longest = max(r.Longest, in.Len())
			r.Unsure += i.Unsure[0] + i.Unsure[1]
			if i.From != i.To { // a stated duration does not depend on the stamp's resolution
				r.Unsure += 2 * i.Resolution
			}
		}
	}
	for s, list := range at {
		rows[s].Set = model.NewSet(list...)
	}
	for _, s := range b.sets {
		if s.stage == working || s.stage == waiting {
			continue
		}
		r := row(s.stage)
		in := s.at.Within(w)
		r.Set = r.Set.Union(in)
		r.Unsure += 2 * s.step * time.Duration(len(in.Parts()))
		k := stageClock{s.stage, s.clock}
		shifted[k] = shifted[k].Union(in)
		// Spans are counted before they are merged, so over the whole trace.
		r.Intervals, r.Longest = b.counts[s.stage], b.longest[s.stage]
	}
	for s, r := range rows {
		r.Unsure += b.shiftable(s, r.Set.Len(), shifted)
	}
	return rows, open
}

// A stageClock is the part of a stage that one clock shows.
type stageClock struct {
	stage model.StageID
	clock clock
}

// shiftable is by how much the time of a stage may change when its clocks are moved
// within their widths. A clock moves all of its spans together, so that their union
// keeps its length but for what passes an end of the window, out of it or into it; the
// union over several clocks lies between the longest of them and their sum.
func (b *basis) shiftable(s model.StageID, busy time.Duration, parts map[stageClock]model.Set[model.Time]) time.Duration {
	var longest, sum, edges, ends time.Duration
	for k, set := range parts {
		if k.stage != s {
			continue
		}
		width := b.clocks[k.clock]
		longest, sum = max(longest, set.Len()-2*width), sum+set.Len()
		edges += 2 * width * time.Duration(len(set.Parts()))
		ends += 2 * width
	}
	return min(edges+ends, max(0, busy-longest, sum+ends-busy))
}

// decompose sweeps the window once for the exclusive times, the overlaps and the
// rest.
func (t *Table) decompose(known model.Set[model.Time]) {
	sets := make([]model.Set[model.Time], len(t.Rows)+1)
	for i, r := range t.Rows {
		sets[i] = r.Set
	}
	sets[len(t.Rows)] = known
	both := map[[2]int]time.Duration{}
	var idle, unknown model.SetBuilder[model.Time]
	Sweep(sets, t.Window, func(at model.Interval[model.Time], active []int) {
		observed := len(active) > 0 && active[len(active)-1] == len(t.Rows)
		if observed {
			active = active[:len(active)-1]
		}
		switch {
		case len(active) > 0:
			t.Accounted.Stages += at.Len()
		case observed:
			idle.Add(at)
		default:
			unknown.Add(at)
		}
		if len(active) == 1 {
			t.Rows[active[0]].Exclusive += at.Len()
		}
		for i, x := range active {
			for _, y := range active[i+1:] {
				both[[2]int{x, y}] += at.Len()
			}
		}
	})
	a := &t.Accounted
	a.Known = true
	a.UnattributedSet, a.UnknownSet = idle.Set(), unknown.Set()
	a.Unattributed, a.Unknown = a.UnattributedSet.Len(), a.UnknownSet.Len()
	for i := range t.Rows {
		t.Rows[i].Overlap = t.Rows[i].Busy - t.Rows[i].Exclusive
		for j := i + 1; j < len(t.Rows); j++ {
			if d := both[[2]int{i, j}]; d > 0 {
				t.Overlap = append(t.Overlap, report.Overlap{A: t.Rows[i].Stage, B: t.Rows[j].Stage, Both: d})
			}
		}
	}
}

func share(part, whole time.Duration) model.Maybe[float64] {
	if whole <= 0 {
		return model.Missing[float64](model.NotComputable)
	}
	return model.Known(float64(part) / float64(whole))
}

// Row returns the index of a stage's row, -1 if the basis does not show it.
func (t *Table) Row(s model.StageID) int {
	return slices.IndexFunc(t.Rows, func(r report.StageRow) bool { return r.Stage == s })
}

// GPUShare is the part of the window in which GPU compute ran, 0..1. Time that
// was not observed may have been GPU compute, so it widens the range upward. It
// is unknown where the basis never shows that stage. It does not predict what a
// sampling tool shows.
func (t *Table) GPUShare() model.Maybe[model.Range[float64]] {
	i := t.Row(model.StageGPUCompute)
	if i < 0 {
		return model.Missing[model.Range[float64]](model.NotRecorded)
	}
	whole := t.Window.Len()
	if whole <= 0 {
		return model.Missing[model.Range[float64]](model.NotComputable)
	}
	sure := t.Rows[i].Set
	possible := sure
	if t.Carries(t.Undecided()) {
		sure, possible = model.Set[model.Time]{}, model.Set[model.Time]{}
		for _, l := range t.Lanes {
			in, out := l.Spread(i, 0)
			sure, possible = sure.Union(in), possible.Union(out)
		}
	}
	busy := sure.Within(t.Window).Len()
	most := possible.Union(t.Unobserved).Within(t.Window).Len()
	return model.Known(model.Range[float64]{Lo: float64(busy) / float64(whole), Hi: float64(most) / float64(whole)})
}
