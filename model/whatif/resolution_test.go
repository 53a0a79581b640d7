package whatif

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

func TestResolutionOfStampsEntersTheBounds(t *testing.T) {
	prep := report.Change{Stage: model.StageCPUPreparation, Factor: .5}
	for _, c := range []struct {
		name string
		step time.Duration
		want model.Range[time.Duration]
	}{
		{"microseconds leave the worked example exact", time.Microsecond, model.Exactly(70 * second)},
		{"milliseconds on six edges too", time.Millisecond, model.Exactly(70 * second)},
		{"whole seconds do not: the end may lie at 101, less half of both edges of the first stage", second, model.Range[time.Duration]{Lo: 69 * second, Hi: 71*second + second/2}},
	} {
		tl := one100()
		tl.Captures[0].Domains[0].Step = c.step
		w := Bound(tableOf(t, tl), nil)
		r := find(t, w, prep)
		if r.Total != model.Known(c.want) {
			t.Errorf("%s: got %v, want %v", c.name, r.Total, c.want)
		}
	}
}

// A stage that begins and ends within one stamp may have taken up to a step: it
// is nearly 1 s each of the five times here, and without it the run takes 1 s.
func TestRunWithinOneStampMayBeGone(t *testing.T) {
	marks := []model.Mark{mark("preparation", model.EdgeStart, 0), mark("preparation", model.EdgeEnd, second)}
	for i := range time.Duration(5) {
		marks = append(marks, mark("gpu_compute", model.EdgeStart, (i+1)*second), mark("gpu_compute", model.EdgeEnd, (i+1)*second))
	}
	marks = append(marks, mark("gpu_compute", model.EdgeStart, 6*second), mark("gpu_compute", model.EdgeEnd, 7*second))
	tl := logOf(7*second, marks...)
	tl.Captures[0].Domains[0].Step = second
	none := report.Change{Stage: model.StageGPUCompute, Factor: 0}
	r := find(t, Bound(tableOf(t, tl), []report.Requested{{Changes: []report.Change{none}}}), none)
	if got, _ := r.Total.Get(); got.Lo > second {
		t.Errorf("got %v, want a lower bound of at most 1s", got)
	}
}

// TestTruncatedStampsKeepTheTruthInside floors every stamp of simulated runs.
func TestTruncatedStampsKeepTheTruthInside(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const step = time.Millisecond
	outside, blind, tries := 0, 0, 0
	for range 400 {
		p := randomPipeline(r, pauses{})
		p.named = true
		tl, _ := p.timeline()
		var marks []model.Mark
		for m := range tl.Captures[0].Marks.All() {
			m.At -= m.At % model.ClockTime(step)
			marks = append(marks, m)
		}
		slices.SortStableFunc(marks, func(a, b model.Mark) int { return int(a.At - b.At) })
		tl.Captures[0].Marks = model.MarkRows(marks)
		plain := newSystem(tableOf(t, tl), nil, Tolerance(tableOf(t, tl)))
		tl.Captures[0].Domains[0].Step = step
		tb := tableOf(t, tl)
		y := newSystem(tb, nil, Tolerance(tb))
		for range 3 {
			f := [3]int64{4, 4, 4}
			f[r.IntN(3)] = []int64{0, 1, 2, 3, 6, 8}[r.IntN(6)]
			_, truth := p.run(f)
			tries++
			fs := y.quarters(f)
			if b := y.bounds(&fs, HiddenActivity).outward(); truth < b.Lo || truth > b.Hi {
				outside++
			}
			fs = plain.quarters(f)
			if b := plain.bounds(&fs, HiddenActivity).outward(); truth < b.Lo || truth > b.Hi {
				blind++
			}
		}
	}
	t.Logf("%d changes: %d outside, %d without the resolution", tries, outside, blind)
	if outside > 0 || blind == 0 {
		t.Errorf("outside: got %d, want 0; without the resolution %d, want some", outside, blind)
	}
}

// TestWorkThatAlwaysEndsInAWaitIsCounted: a trainer logs 1 s, works 0.9 s more
// that it does not log, and then waits for its loader. Halving the preparation
// leaves 1.05 s + 19 times 1.9 s + 1 s.
func TestWorkThatAlwaysEndsInAWaitIsCounted(t *testing.T) {
	const period = 2100 * time.Millisecond
	var marks []model.Mark
	add := func(task, name string, from, to time.Duration) {
		for e, at := range map[model.Edge]time.Duration{model.EdgeStart: from, model.EdgeEnd: to} {
			m := mark(name, e, at)
			m.Task = model.NewRaw(task)
			marks = append(marks, m)
		}
	}
	for i := range time.Duration(20) {
		add("loader", "cpu_preparation", i*period, (i+1)*period)
		add("trainer", "gpu_compute", (i+1)*period, (i+1)*period+second)
	}
	sortMarks(marks)
	r := find(t, Bound(tableOf(t, logOf(20*period+second, marks...)), nil), report.Change{Stage: model.StageCPUPreparation, Factor: .5})
	truth := 38150 * time.Millisecond
	if got, _ := r.Total.Get(); truth < got.Lo || truth > got.Hi {
		t.Errorf("got %v, want %v inside", got, truth)
	}
}

func TestAskedStageMayBeNamedAsTheLogsNameIt(t *testing.T) {
	asked := report.Change{Stage: model.StageNamed("forward"), Factor: .5}
	w := Bound(tableOf(t, one100()), []report.Requested{{Changes: []report.Change{asked}}})
	r := w.Rows[slices.IndexFunc(w.Rows, func(r report.Scenario) bool { return r.Asked })]
	if r.Changes[0].Stage != model.StageGPUCompute || r.Total != model.Known(model.Exactly(90*second)) || r.Note.Empty() {
		t.Errorf("got %v, total %v; want GPU compute, 90s, with a note", r.Changes, r.Total)
	}
	tl := logOf(10*second, mark("forward", model.EdgeStart, 0), mark("forward", model.EdgeEnd, 10*second))
	tl.Declared = &model.Declaration{Stages: []model.StageRule{{Stage: asked.Stage, Name: model.NewRaw("forward")}}}
	r = find(t, Bound(tableOf(t, tl), []report.Requested{{Changes: []report.Change{asked}}}), asked)
	if r.Total != model.Known(model.Exactly(5*second)) {
		t.Errorf("a stage of that very name: got %v, want 5s", r.Total)
	}
}

func TestWithoutATableWhatWasAskedIsUnknown(t *testing.T) {
	w := None(model.ClockUnplaced, []report.Requested{{Changes: []report.Change{{Stage: model.StageWrite, Factor: .5}}}})
	if w.Total.Known() || len(w.Rows) != 1 || w.Rows[0].Total.Known() || w.Rows[0].Total.Why() != model.ClockUnplaced || !w.Rows[0].Asked {
		t.Errorf("got %+v, want one unknown row", w.Rows)
	}
}
