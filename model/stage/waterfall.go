package stage

import (
	"cmp"
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// keptRows and keptIntervals bound the picture. Of the rows a third are the
// longest ones and the others an even spread over the run; of the intervals of a
// row the longest are kept. Both counts of what there is travel along.
const (
	keptRows      = 120
	keptIntervals = 200
)

// waterfall shows the stages by what they worked on: the input that a log names,
// else its step, else its task; for a trace by ProfilerStep, else by track.
func (b *basis) waterfall(t Table, warmUp model.Maybe[int64]) report.Waterfall {
	w := report.Waterfall{Basis: t.Basis, Axis: t.Window}
	var rows []report.WaterfallRow
	switch {
	case b.kind != model.KindTrace:
		w.By, rows = b.logRows(t)
	case len(b.steps) > 0:
		w.By, rows = "step", b.stepRows(t)
	default:
		w.By, rows = "task", b.trackRows(t)
	}
	rows = slices.DeleteFunc(rows, func(r report.WaterfallRow) bool { return len(r.Intervals) == 0 })
	slices.SortStableFunc(rows, func(x, y report.WaterfallRow) int { return cmp.Compare(hull(x).Start, hull(y).Start) })
	for _, r := range rows {
		if complete(r) {
			w.Spans = append(w.Spans, hull(r))
		}
	}
	switch {
	case b.kind == model.KindTrace && len(b.steps) > 0:
		w.Batches = b.stepBatches(t, warmUp)
	case w.By == "input" || w.By == "step":
		w.Batches = b.batches(t, w.By, rows, warmUp)
	}
	w.Of, w.Rows = len(rows), thinned(rows, keptRows, func(r report.WaterfallRow) time.Duration { return hull(r).Len() })
	for i := range w.Rows {
		r := &w.Rows[i]
		r.Of = max(r.Of, len(r.Intervals))
		r.Intervals = longest(r.Intervals)
		r.Unknown = append(r.Unknown, b.unseen(t, hull(*r))...)
	}
	return w
}

// unseen is the unknown time of the table within a row.
func (b *basis) unseen(t Table, at model.Interval[model.Time]) []report.Unknown {
	why := model.OutsideObservation
	if b.kind == model.KindTrace {
		why = model.ProfilerNotRecording
	}
	var out []report.Unknown
	for _, p := range t.Accounted.UnknownSet.Within(at).Parts() {
		out = append(out, report.Unknown{Source: t.Basis.Sources[0], At: p, Placed: b.placed(), Why: why})
	}
	return out
}

// rowKey is what makes a row of a log's waterfall.
type rowKey struct {
	ranked      bool
	rank        int64
	task, input model.Raw
	stepped     bool
	step        int64
}

func (b *basis) logRows(t Table) (string, []report.WaterfallRow) {
	by := "task"
	for _, i := range b.items {
		if !i.Input.Empty() {
			by = "input"
			break
		}
		if i.Step.Known() {
			by = "step"
		}
	}
	index := map[rowKey]int{}
	var rows []report.WaterfallRow
	for _, i := range b.items {
		at := i.At.Intersect(t.Window)
		if at.Empty() && !t.Window.Contains(i.At.Start) {
			continue
		}
		k := keyOf(i, by)
		n, ok := index[k]
		if !ok {
			n = len(rows)
			index[k] = n
			rows = append(rows, report.WaterfallRow{Label: label(k)})
		}
		rows[n].Intervals = append(rows[n].Intervals, report.StageInterval{Stage: i.Stage, At: at,
			Unsure: max(i.Unsure[0], i.Unsure[1]), From: i.From, To: i.To, Open: i.Open})
		if i.Open {
			rows[n].Unknown = append(rows[n].Unknown, report.Unknown{Source: i.Source, At: at, Placed: b.placed(),
				Why: model.EdgeNotObserved, From: []model.Pos{i.From}})
		}
	}
	return by, rows
}

func keyOf(i Instance, by string) rowKey {
	var k rowKey
	k.rank, k.ranked = i.Rank.Get()
	switch {
	case by == "input" && !i.Input.Empty():
		k.input = i.Input
	case by == "step" && i.Step.Known():
		k.step, k.stepped = i.Step.Get()
	default:
		k.task = i.Task
	}
	return k
}

func label(k rowKey) model.Phrase {
	var p model.Phrase
	switch {
	case !k.input.Empty():
		p = model.Say("{}", model.Text{Raw: k.input, Class: model.ClassInput})
	case k.stepped:
		p = model.Say("step {}", k.step)
	case !k.task.Empty():
		p = model.Say("{}", model.Text{Raw: k.task, Class: model.ClassTask})
	default:
		p = model.Say("neither input nor task is named")
	}
	if k.ranked {
		p = model.Say("{}, rank {}", p, k.rank)
	}
	return p
}

func (b *basis) stepRows(t Table) []report.WaterfallRow {
	var rows []report.WaterfallRow
	many := len(t.Basis.Sources) > 1
	for _, s := range b.steps {
		at := s.at.Intersect(t.Window)
		if at.Empty() {
			continue
		}
		row := report.WaterfallRow{Label: stepLabel(s, many)}
		for _, r := range t.Rows {
			parts := b.of(s.source, r.Stage).Within(at).Parts()
			row.Of += len(parts)
			for _, x := range longestParts(parts) {
				row.Intervals = append(row.Intervals, report.StageInterval{Stage: r.Stage, At: x, Unsure: s.width, From: s.From, To: s.From})
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// stepLabel names a step, and its source where there are several.
func stepLabel(s step, many bool) model.Phrase {
	p := model.Say("{}", s.Name)
	if many {
		p = model.Say("{}, source {}", p, s.source)
	}
	return p
}

// of is where a source ran a stage.
func (b *basis) of(source model.SourceID, stage model.StageID) model.Set[model.Time] {
	k := sourceStage{source, stage}
	if s, ok := b.bySource[k]; ok {
		return s
	}
	var out model.Set[model.Time]
	for _, s := range b.sets {
		if s.source == source && s.stage == stage {
			out = out.Union(s.at)
		}
	}
	if b.bySource == nil {
		b.bySource = map[sourceStage]model.Set[model.Time]{}
	}
	b.bySource[k] = out
	return out
}

type sourceStage struct {
	source model.SourceID
	stage  model.StageID
}

func (b *basis) trackRows(t Table) []report.WaterfallRow {
	type trackKey struct {
		source model.SourceID
		track  model.TrackID
	}
	index := map[trackKey]int{}
	var rows []report.WaterfallRow
	for _, s := range b.sets {
		if s.stage == working || s.stage == waiting {
			continue
		}
		k := trackKey{s.source, s.track}
		n, ok := index[k]
		if !ok {
			n = len(rows)
			index[k] = n
			rows = append(rows, report.WaterfallRow{Label: model.Say("{}", s.name)})
		}
		parts := s.at.Within(t.Window).Parts()
		rows[n].Of += len(parts)
		for _, x := range longestParts(parts) {
			rows[n].Intervals = append(rows[n].Intervals, report.StageInterval{Stage: s.stage, At: x, Unsure: b.clocks[s.clock],
				From: model.Pos{Source: s.source}, To: model.Pos{Source: s.source}})
		}
	}
	return rows
}

// hull is from the first to the last edge of a row that was seen.
func hull(r report.WaterfallRow) model.Interval[model.Time] {
	var out model.Interval[model.Time]
	first := true
	take := func(a model.Interval[model.Time]) {
		if first {
			out, first = a, false
			return
		}
		out = model.Interval[model.Time]{Start: min(out.Start, a.Start), End: max(out.End, a.End)}
	}
	for _, i := range r.Intervals {
		if !i.Open {
			take(i.At)
		}
	}
	for _, i := range r.Intervals {
		if i.Open && first {
			take(i.At)
		}
	}
	return out
}

// thinned keeps at most n rows, in their order: a third are the longest, the
// others an even spread.
func thinned[R any](rows []R, n int, length func(R) time.Duration) []R {
	if len(rows) <= n {
		return rows
	}
	byLength := make([]int, len(rows))
	lengths := make([]time.Duration, len(rows))
	for i := range byLength {
		byLength[i], lengths[i] = i, length(rows[i])
	}
	slices.SortStableFunc(byLength, func(a, b int) int { return cmp.Compare(lengths[b], lengths[a]) })
	keep := map[int]bool{}
	for _, i := range byLength[:n/3] {
		keep[i] = true
	}
	spread := n - len(keep)
	for k := range spread {
		keep[k*(len(rows)-1)/(spread-1)] = true
	}
	out := make([]R, 0, n)
	for i, r := range rows {
		if keep[i] {
			out = append(out, r)
		}
	}
	return out
}

// longest keeps at most keptIntervals intervals, by start.
func longest(in []report.StageInterval) []report.StageInterval {
	length := func(i report.StageInterval) time.Duration { return i.At.Len() }
	if len(in) > keptIntervals {
		in = slices.Clone(in)
		slices.SortStableFunc(in, func(a, b report.StageInterval) int { return cmp.Compare(length(b), length(a)) })
		in = in[:keptIntervals]
	}
	slices.SortStableFunc(in, func(a, b report.StageInterval) int {
		return cmp.Or(cmp.Compare(a.At.Start, b.At.Start), cmp.Compare(a.At.End, b.At.End))
	})
	return in
}

// longestParts keeps at most keptIntervals parts of one set, by start; of equally
// long ones the first.
func longestParts(parts []model.Interval[model.Time]) []model.Interval[model.Time] {
	if len(parts) <= keptIntervals {
		return parts
	}
	lengths := make([]time.Duration, len(parts))
	for i, p := range parts {
		lengths[i] = p.Len()
	}
	slices.Sort(lengths)
	least := lengths[len(lengths)-keptIntervals]
	longer, _ := slices.BinarySearch(lengths, least+1)
	equal := keptIntervals - (len(lengths) - longer) // how many of that length fit
	var out []model.Interval[model.Time]
	for _, p := range parts {
		switch d := p.Len(); {
		case d > least:
			out = append(out, p)
		case d == least && equal > 0:
			equal--
			out = append(out, p)
		}
	}
	return out
}
