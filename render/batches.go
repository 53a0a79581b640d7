package render

import (
	"slices"
	"strconv"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// batches draws the stages of each batch, step or task.
func (v *view) batches(w *report.Waterfall) {
	x := axis{w.Axis, v.plain}
	// Rows that fill less than a third of the axis, such as the few steps that a
	// profiler recorded, get an axis of their own.
	if hull := hullOf(w.Rows); !hull.Empty() && 3*hull.Len() < w.Axis.Len() {
		x.at = hull
	}
	if !w.Basis.Placed {
		x.plain.OwnClock, x.plain.Start, x.plain.Windows = true, w.Axis.Start, nil
	}
	by := waterfallWords[w.By]
	if by == "" {
		by = "record"
	}
	v.picture("By "+by+", from "+v.basisName(w.Basis)+".",
		"Each row is one "+by+"; each bar a stage of it, with a whisker where its edge is uncertain by a visible amount and a dashed end where an edge was not observed.",
		"Rows are in the order of the source; it does not show that one row waited for another.")
	v.axisLane(x)
	shown := min(len(w.Rows), rowsInPicture)
	f := fineness(w.Rows[:shown], x)
	for i := range shown {
		v.batch(x, &w.Rows[i], f)
	}
	v.axisLane(x)
	v.pictureEnd()
	if all := max(w.Of, len(w.Rows)); all > shown {
		v.elem("p", v.plain.Count(int64(shown))+" of "+v.plain.Count(int64(all))+" rows are drawn.", "class", "note")
	}
	if kept, of := intervalsKept(w.Rows[:shown]); kept < of {
		v.elem("p", "Of "+v.plain.Count(int64(of))+" intervals in these rows the longest "+v.plain.Count(int64(kept))+" are kept for the picture.", "class", "note")
	}
	v.batchGroups(&w.Batches, by)
	v.batchTable(x, w, by)
}

func intervalsKept(rows []report.WaterfallRow) (kept, of int) {
	for _, r := range rows {
		kept += len(r.Intervals)
		of += max(r.Of, len(r.Intervals))
	}
	return kept, of
}

// A fine is how finely the rows of a picture are drawn.
type fine struct {
	single  int // intervals that a row draws one by one
	columns int // else: columns of the axis
}

// fineness draws every interval while the picture's shapes allow it, and else
// halves the columns until they do.
func fineness(rows []report.WaterfallRow, x axis) fine {
	f := fine{min(max(shapesInPicture/max(len(rows), 1), 12), shapesPerLane), 2 * columnsPerLane}
	for f.columns > fewestColumns && shapesOf(rows, x, f) > shapesInPicture {
		f.columns /= 2
	}
	return f
}

// shapesOf is at most how many shapes the rows take.
func shapesOf(rows []report.WaterfallRow, x axis, f fine) int {
	n := 0
	for _, r := range rows {
		if len(r.Intervals) <= f.single {
			n += len(r.Intervals)
			continue
		}
		for _, s := range byStage(r.Intervals) {
			hull := model.NewSet(s.at...).Hull().Intersect(x.at)
			n += min(len(s.at), int(share(hull.Len(), x.at.Len())*float64(f.columns))+2)
		}
	}
	return n
}

// A stageParts is the intervals of one stage in a row.
type stageParts struct {
	stage model.StageID
	at    []model.Interval[model.Time]
	open  int // of which an edge was not observed
}

// byStage sorts a row's intervals by stage, in order of appearance.
func byStage(in []report.StageInterval) []stageParts {
	var out []stageParts
	for _, s := range in {
		k := slices.IndexFunc(out, func(o stageParts) bool { return o.stage == s.Stage })
		if k < 0 {
			k = len(out)
			out = append(out, stageParts{stage: s.Stage})
		}
		out[k].at = append(out[k].at, s.At)
		if s.Open {
			out[k].open++
		}
	}
	return out
}

// batchColumns draws a row that has more intervals than can be told apart: a
// line for each stage, in columns.
func (v *view) batchColumns(x axis, row *report.WaterfallRow, f fine) {
	stages := byStage(row.Intervals)
	name := v.phrase(row.Label)
	var not []stretch
	for _, u := range row.Unknown {
		not = append(not, stretch{u.At, v.whyOf(u), part(u.Why)})
	}
	v.lane(x, lane{name: name, own: true, height: len(stages)*batchHeight + 4, value: v.plain.Duration(rowLength(row)),
		label: name + ": " + v.batchWords(row),
		draw: func(float64) {
			columns := 0
			for i, p := range stages {
				b := band{boxStyle{class: "stage", fill: v.stages.fillOf(p.stage), title: v.stage(p.stage), y: float64(2 + i*batchHeight), height: batchHeight - 2}, x, f.columns}
				seen := model.NewSet(p.at...)
				var hidden []model.Interval[model.Time]
				for _, u := range not {
					hidden = append(hidden, u.at)
				}
				hidden = model.NewSet(hidden...).Subtract(seen).Parts()
				ts := inColumns(x.at, f.columns, visibleIn(p.at, x.at))
				v.columns(b, inColumns(x.at, f.columns, visibleIn(hidden, x.at)), shortReasons(not))
				v.columns(b, ts, "")
				columns += len(ts)
				v.cols.open += p.open
			}
			v.inColumnsOf(name, len(row.Intervals), columns)
		}})
}

func hullOf(rows []report.WaterfallRow) model.Interval[model.Time] {
	var parts []model.Interval[model.Time]
	for _, r := range rows {
		for _, s := range r.Intervals {
			parts = append(parts, s.At)
		}
	}
	return model.NewSet(parts...).Hull()
}

var waterfallWords = map[string]string{"input": "batch", "step": "step", "task": "task"}

const (
	batchHeight   = 11
	rowsInPicture = 200
)

func (v *view) batch(x axis, row *report.WaterfallRow, f fine) {
	if len(row.Intervals) > f.single || len(row.Unknown) > shapesPerLane {
		v.batchColumns(x, row, f)
		return
	}
	level, levels := levelsOf(row.Intervals)
	height := levels*batchHeight + 4
	v.lane(x, lane{name: v.phrase(row.Label), own: true, height: height, value: v.plain.Duration(rowLength(row)),
		label: v.phrase(row.Label) + ": " + v.batchWords(row),
		draw: func(h float64) {
			for _, u := range row.Unknown {
				v.hatched(x, u.At, h, v.whyOf(u))
			}
			for i, s := range row.Intervals {
				v.interval(x, s, float64(2+level[i]*batchHeight))
			}
			v.brackets(x, row.Intervals, h)
		}})
}

// levelsOf stacks intervals of one row that run at the same time.
func levelsOf(in []report.StageInterval) (level []int, levels int) {
	var free []model.Time
	level = make([]int, len(in))
	for i, s := range in {
		at := -1
		for l, end := range free {
			if end <= s.At.Start {
				at = l
				break
			}
		}
		if at < 0 {
			at = len(free)
			free = append(free, 0)
		}
		free[at] = s.At.End
		level[i] = at
	}
	return level, max(len(free), 1)
}

func rowLength(row *report.WaterfallRow) time.Duration {
	if len(row.Intervals) == 0 {
		return 0
	}
	all := row.Intervals[0].At
	for _, s := range row.Intervals {
		all.Start, all.End = min(all.Start, s.At.Start), max(all.End, s.At.End)
	}
	return all.Len()
}

func (v *view) batchWords(row *report.WaterfallRow) string {
	t := ""
	for i, s := range row.Intervals {
		if i == 6 {
			return t + ", and " + strconv.Itoa(len(row.Intervals)-i) + " more"
		}
		if i > 0 {
			t += ", "
		}
		t += v.stage(s.Stage) + " " + v.plain.Duration(s.At.Len())
	}
	if t == "" {
		return "no stage observed"
	}
	return t
}

// interval draws one stage of one batch with its whiskers.
func (v *view) interval(x axis, s report.StageInterval, y float64) {
	title := v.stage(s.Stage) + ", " + x.plain.Span(s.At) + ", " + v.plain.Duration(s.At.Len())
	if s.Unsure > 0 {
		title += ", each edge ± " + v.plain.Duration(s.Unsure)
	}
	class := "stage"
	if s.Open {
		class += " open"
		title += "; an edge was not observed"
	}
	v.box(x, s.At, boxStyle{class: class, fill: v.stages.fillOf(s.Stage), title: title, y: y, height: batchHeight - 2, keep: true})
	if !x.visible(2 * int64(s.Unsure)) {
		return
	}
	u := model.Time(s.Unsure)
	v.whisker(x, model.Interval[model.Time]{Start: s.At.Start - u, End: s.At.Start + u}, y+(batchHeight-2)/2)
	v.whisker(x, model.Interval[model.Time]{Start: s.At.End - u, End: s.At.End + u}, y+(batchHeight-2)/2)
}

// brackets join two edges of a row whose order cannot be decided: they lie
// closer together than their uncertainties.
func (v *view) brackets(x axis, in []report.StageInterval, h float64) {
	for i := 1; i < len(in); i++ {
		a, b := in[i-1], in[i]
		width := model.Time(a.Unsure + b.Unsure)
		apart := max(a.At.End-b.At.Start, b.At.Start-a.At.End)
		if width == 0 || apart > width || !x.visible(int64(width)) {
			continue
		}
		lo, hi := min(a.At.End, b.At.Start)-width/2, max(a.At.End, b.At.Start)+width/2
		l, r := per(x.pos(lo)), per(x.pos(hi))
		v.titled("line", "the order of these two edges is not decidable", "class", "bracket", "x1", l, "x2", r, "y1", px(h-1), "y2", px(h-1))
		v.shape("line", "class", "bracket", "x1", l, "x2", l, "y1", px(h-4), "y2", px(h-1))
		v.shape("line", "class", "bracket", "x1", r, "x2", r, "y1", px(h-4), "y2", px(h-1))
	}
}

func (v *view) batchTable(x axis, w *report.Waterfall, by string) {
	type line struct {
		row int
		s   *report.StageInterval
	}
	var all []line
	var ds []time.Duration
	for i := range w.Rows {
		for k := range w.Rows[i].Intervals {
			all = append(all, line{i, &w.Rows[i].Intervals[k]})
			ds = append(ds, w.Rows[i].Intervals[k].At.Len())
		}
	}
	if len(all) == 0 {
		return
	}
	scale := ScaleFor(ds...)
	t := table{caption: "Stages by " + by + " (" + scale.Unit() + ")", headed: true,
		cols: []column{words(by), words("stage"), figure("start, s"), figure("time, " + scale.Unit()), figure("edge ±, " + scale.Unit()), words("from")}}
	for _, l := range longest(all, func(l line) time.Duration { return l.s.At.Len() }) {
		t.rows = append(t.rows, v.intervalRow(x, v.phrase(w.Rows[l.row].Label), *l.s, scale))
	}
	v.fold("Table: stages by " + by + " (" + plural(len(all), "interval") + ")")
	v.longestOnly(len(t.rows), len(all), "interval")
	v.table(t)
	v.foldEnd()
}

func (v *view) intervalRow(x axis, label string, s report.StageInterval, scale Scale) []cell {
	start := time.Duration(s.At.Start - x.plain.Start)
	at := ScaleFor(time.Second)
	at.decimals = 3
	unsure := scale.in(s.Unsure)
	if s.Open {
		unsure = none(reason(model.EdgeNotObserved))
	}
	return []cell{file(label), {text: v.stage(s.Stage), swatch: v.stages.style(s.Stage), own: true},
		at.in(start), scale.in(s.At.Len()), unsure, {places: places(s.From, s.To)}}
}

// places drops places that name nothing, and the second of two equal ones.
func places(ps ...model.Pos) []model.Pos {
	var out []model.Pos
	for _, p := range ps {
		if p.Source == 0 || len(out) > 0 && out[len(out)-1] == p {
			continue
		}
		out = append(out, p)
	}
	return out
}
