package whatif

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/model/stage"
)

func tableOf(t *testing.T, tl *model.Timeline) *stage.Table {
	t.Helper()
	tables := stage.Tabulate(tl)
	if len(tables) == 0 {
		t.Fatal("no table")
	}
	return &tables[0]
}

func TestFactorIsTheDecimalThatWasWritten(t *testing.T) {
	for _, c := range []struct {
		in   string
		want *big.Rat // nil: refused
	}{
		{"0.5", big.NewRat(1, 2)}, {"0.1", big.NewRat(1, 10)}, {"1", big.NewRat(1, 1)}, {"0", new(big.Rat)},
		{"1.000000001", big.NewRat(1000000001, 1000000000)}, {"0.333333333333333", big.NewRat(333333333333333, 1000000000000000)},
		{"-0.5", nil}, {"NaN", nil}, {"Inf", nil}, {"half", nil}, {"", nil}, {"1e300", nil},
	} {
		f, err := ParseFactor(c.in)
		if (err != nil) != (c.want == nil) {
			t.Errorf("%q: got error %v, want refused %v", c.in, err, c.want == nil)
			continue
		}
		if err == nil && exact(f).Cmp(c.want) != 0 {
			t.Errorf("%q: got %v, want %v", c.in, exact(f), c.want)
		}
	}
}

func TestBoundsAreRoundedOutward(t *testing.T) {
	got := span{big.NewRat(10, 3), big.NewRat(10, 3)}.outward()
	if want := (model.Range[time.Duration]{Lo: 3, Hi: 4}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := (span{big.NewRat(7, 1), big.NewRat(7, 1)}).outward(), model.Exactly(time.Duration(7)); got != want {
		t.Errorf("whole nanoseconds: got %v, want %v", got, want)
	}
}

func TestUnobservedStageIsUnknownAndNoGain(t *testing.T) {
	tl := logOf(100*second, mark("load", model.EdgeStart, 0), mark("load", model.EdgeEnd, 100*second))
	asked := []report.Requested{
		{Changes: []report.Change{{Stage: model.StageTransfer, Factor: .5}}},
		{Changes: []report.Change{{Stage: model.StageCPUPreparation, Factor: .5}, {Stage: model.StageNamed("rerank"), Factor: .5}}},
		{Changes: []report.Change{{Stage: model.StageCPUPreparation, Factor: math.NaN()}}},
	}
	w := Bound(tableOf(t, tl), asked)
	if len(w.Rows) != 6 {
		t.Fatalf("got %d rows, want 6", len(w.Rows))
	}
	for i, r := range w.Rows[:5] {
		seen := i == 0 // preparation halved; then the GPU and the three that were asked for
		if seen != (r.Why == model.NotSet) || seen != r.Speedup.Known() {
			t.Errorf("row %d: got why %v, speed-up known %v; observed %v", i, r.Why, r.Speedup.Known(), seen)
		}
		if !seen && (r.GPUShare.Known() || r.Total.Known() || r.Saved.Known() || r.Worst.Known() || r.Note.Empty()) {
			t.Errorf("row %d: got figures for a stage that was not observed", i)
		}
		if r.Asked != (i >= 2) {
			t.Errorf("row %d: asked: got %v", i, r.Asked)
		}
	}
	if last := w.Rows[5]; len(last.Changes) != 1 || last.Changes[0] != (report.Change{Stage: model.StageCPUPreparation}) || last.Asked {
		t.Errorf("the last row changes %v, want preparation removed", last.Changes)
	}
}

// The bounds of GPU compute halved and removed, in a sentence: load 6 of 10 s,
// then compute 4 s.
func TestWhatAFasterGPUWouldChange(t *testing.T) {
	tl := logOf(10*second, mark("load", model.EdgeStart, 0), mark("load", model.EdgeEnd, 6*second),
		mark("gpu_compute", model.EdgeStart, 6*second), mark("gpu_compute", model.EdgeEnd, 10*second))
	_, args := Bound(tableOf(t, tl), nil).FasterGPU.Format()
	if want := []any{10 * second, 8 * second, 4 * second, model.Fraction(0.4)}; !slices.Equal(args, want) {
		t.Errorf("got %v, want %v", args, want)
	}
	tl = logOf(10*second, mark("load", model.EdgeStart, 0), mark("load", model.EdgeEnd, 6*second))
	if text, args := Bound(tableOf(t, tl), nil).FasterGPU.Format(); len(args) > 0 || text == "" {
		t.Errorf("without GPU compute: got %q with %v, want that it is not decidable", text, args)
	}
}

func TestStageThatFillsTheWindowHasNoFiniteLimit(t *testing.T) {
	tl := logOf(100*second, mark("load", model.EdgeStart, 0), mark("load", model.EdgeEnd, 100*second))
	r := find(t, Bound(tableOf(t, tl), nil), report.Change{Stage: model.StageCPUPreparation, Factor: .5})
	if r.Limit.Known() || r.Limit.Why() != model.NotComputable || r.Note.Empty() {
		t.Errorf("got limit known %v, %v; want unknown, %v, with a note", r.Limit.Known(), r.Limit.Why(), model.NotComputable)
	}
	if r.Total != model.Known(model.Exactly(50*second)) {
		t.Errorf("total: got %v, want 50s", r.Total)
	}
}

func TestOwnStageCanBeChanged(t *testing.T) {
	tl := logOf(10*second, mark("rerank", model.EdgeStart, 0), mark("rerank", model.EdgeEnd, 4*second),
		mark("gpu", model.EdgeStart, 4*second), mark("gpu", model.EdgeEnd, 10*second))
	c := report.Change{Stage: model.StageNamed("rerank"), Factor: .25}
	r := find(t, Bound(tableOf(t, tl), []report.Requested{{Changes: []report.Change{c}}}), c)
	if want := model.Known(model.Exactly(7 * second)); r.Total != want || !r.Asked {
		t.Errorf("got %v, asked %v; want %v", r.Total, r.Asked, want)
	}
}

func TestUnknownTimeWidensBothWays(t *testing.T) {
	tl := one100()
	tl.Window.End = model.Time(110 * second) // 10 s after the last record
	r := find(t, Bound(tableOf(t, tl), nil), report.Change{Stage: model.StageCPUPreparation, Factor: .5})
	if want := model.Known(model.Range[time.Duration]{Lo: 75 * second, Hi: 80 * second}); r.Total != want {
		t.Errorf("total: got %v, want %v", r.Total, want)
	}
	if got, _ := r.GPUShare.Get(); got != (model.Range[float64]{Lo: 20. / 80, Hi: 30. / 75}) {
		t.Errorf("GPU share: got %v, want [%v, %v]", got, 20./80, 30./75)
	}
}

// TestFactorOneChangesNothing also shows that the curves hold at 1.
func TestFactorOneChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for range 200 {
		tl, total := randomPipeline(r, pauses{true, true}).timeline()
		same := []report.Change{{Stage: model.StageGPUCompute, Factor: 1}, {Stage: model.StageWrite, Factor: 1}}
		w := Bound(tableOf(t, tl), []report.Requested{{Changes: same}})
		row := find(t, w, same...)
		if row.Total != model.Known(model.Exactly(total)) || row.Worst != model.Known(model.Exactly(total)) || row.Saved != model.Known(model.Range[time.Duration]{}) {
			t.Fatalf("got %v, worst %v, saved %v; want %v and nothing saved", row.Total, row.Worst, row.Saved, total)
		}
		if got, _ := row.Speedup.Get(); got != model.Exactly(1.) {
			t.Fatalf("speed-up: got %v, want 1", got)
		}
		for _, c := range w.Curves {
			if c.Factor[8] != 1 || c.Total[8] != model.Exactly(total) {
				t.Fatalf("curve at factor %v: got %v, want %v", c.Factor[8], c.Total[8], total)
			}
			for i := 1; i < len(c.Total); i++ {
				if c.Total[i].Lo < c.Total[i-1].Lo || c.Total[i].Hi < c.Total[i-1].Hi {
					t.Fatalf("a curve falls with a growing factor: %v", c.Total)
				}
			}
		}
	}
}

// TestStrengthsNest: a weaker assumption never gives a narrower range.
func TestStrengthsNest(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	for i := range 500 {
		tl, _ := randomPipeline(r, pauses{true, i%2 == 0}).timeline()
		tb := tableOf(t, tl)
		y := newSystem(tb, nil, Tolerance(tb))
		f := y.quarters([3]int64{r.Int64N(9), r.Int64N(9), r.Int64N(9)})
		a, b, c := y.bounds(&f, HiddenWaits), y.bounds(&f, HiddenActivity), y.bounds(&f, ObservedOnly)
		if a.lo.Cmp(b.lo) > 0 || b.lo.Cmp(c.lo) > 0 || a.hi.Cmp(b.hi) < 0 || b.hi.Cmp(c.hi) < 0 {
			t.Fatalf("got %v, %v, %v: not nested", a.outward(), b.outward(), c.outward())
		}
	}
}

func TestMoreStagesThanBitsKeepTheAskedOnes(t *testing.T) {
	var marks []model.Mark
	for i := range 80 {
		name := fmt.Sprintf("own %d", i)
		d := time.Duration(100-i) * second // the last one is the shortest
		at := time.Duration(i) * 200 * second
		marks = append(marks, mark(name, model.EdgeStart, at), mark(name, model.EdgeEnd, at+d))
	}
	tb := tableOf(t, logOf(80*200*second, marks...))
	c := report.Change{Stage: model.StageNamed("own 79"), Factor: 0}
	r := find(t, Bound(tb, []report.Requested{{Changes: []report.Change{c}}}), c)
	if want := model.Known(model.Exactly(21 * second)); r.Saved != want {
		t.Errorf("got %v, want %v", r.Saved, want)
	}
}

// traced is a trace of one host thread and one stream.
func traced(rows ...model.Span) *model.Timeline {
	c := &model.Capture{Source: model.Source{ID: 1, Kind: model.KindTrace}, Domains: []model.Domain{{Kind: model.DomainUnix}},
		Tracks: []model.Track{{ID: 0, Kind: model.TrackThread}, {ID: 1, Kind: model.TrackStream}},
		Names:  []model.Raw{model.NewRaw("k"), model.NewRaw("aten::mm"), model.NewRaw("cudaDeviceSynchronize"), model.NewRaw("enumerate(DataLoader)#x.__next__")},
		Spans:  model.SpanRows(rows),
		Trace:  &model.TraceFacts{Record: model.Interval[model.ClockTime]{Start: 0, End: model.ClockTime(second)}}}
	return &model.Timeline{UTC: true, Window: model.Interval[model.Time]{Start: 0, End: model.Time(second)},
		Captures: []model.Placed{{Capture: c, Mappings: []model.Mapping{placed(0)}}}}
}

func span1(from, to time.Duration, track model.TrackID, kind model.SpanKind, name int32) model.Span {
	return model.Span{At: model.Interval[model.ClockTime]{Start: model.ClockTime(from), End: model.ClockTime(to)}, Track: track, Kind: kind, Name: name}
}

func TestFasterGPUHelpsOnlyWhereTheHostIsSeenWaiting(t *testing.T) {
	ms := time.Millisecond
	gpu := report.Change{Stage: model.StageGPUCompute, Factor: .5}
	kernel := span1(100*ms, 900*ms, 1, model.SpanKernel, 0)
	for _, c := range []struct {
		name     string
		rows     []model.Span
		low, top time.Duration
	}{
		{"host works all along: launches may be the limit", []model.Span{kernel, span1(0, second, 0, model.SpanOperator, 1)}, 600 * ms, second},
		{"host waits for the device: the gain is certain", []model.Span{kernel, span1(0, 100*ms, 0, model.SpanOperator, 1),
			span1(100*ms, 900*ms, 0, model.SpanRuntime, 2), span1(900*ms, second, 0, model.SpanOperator, 1)}, 600 * ms, 600 * ms},
		{"host prepares the next batch beside half of it", []model.Span{kernel, span1(0, 100*ms, 0, model.SpanOperator, 1),
			span1(100*ms, 500*ms, 0, model.SpanAnnotation, 3), span1(500*ms, 900*ms, 0, model.SpanRuntime, 2),
			span1(900*ms, second, 0, model.SpanOperator, 1)}, 600 * ms, 800 * ms},
	} {
		r := find(t, Bound(tableOf(t, traced(c.rows...)), nil), gpu)
		if want := model.Known(model.Range[time.Duration]{Lo: c.low, Hi: c.top}); r.Total != want {
			t.Errorf("%s: got %v, want %v", c.name, r.Total, want)
		}
	}
}

func TestGapsHoldWhatNothingExplains(t *testing.T) {
	ms := time.Millisecond
	run := func(name string, from, to time.Duration) []model.Mark {
		a, b := mark(name, model.EdgeStart, from*ms), mark(name, model.EdgeEnd, to*ms)
		a.Task, b.Task = model.NewRaw(name), model.NewRaw(name)
		return []model.Mark{a, b}
	}
	for _, c := range []struct {
		name  string
		marks [][]model.Mark
		want  []stretch
	}{
		{"a start right after another lane's end is a wait", [][]model.Mark{run("load", 0, 40), run("gpu", 40, 100)}, nil},
		{"a start that follows nothing ends unrecorded work", [][]model.Mark{run("load", 0, 60), run("gpu", 30, 100)}, []stretch{{Start: 0, End: 30}}},
		{"two starts together explain neither", [][]model.Mark{run("load", 0, 40), run("load", 60, 100), run("gpu", 0, 30), run("gpu", 60, 100)},
			[]stretch{{Start: 30, End: 60}}},
		{"a lag behind the trigger is unrecorded", [][]model.Mark{run("load", 0, 40), run("gpu", 41, 100)}, []stretch{{Start: 40, End: 41}}},
		{"a lane that hid work once may do so in its other gaps", [][]model.Mark{run("load", 0, 10), run("load", 20, 60), run("load", 70, 100), run("gpu", 5, 70), run("gpu", 70, 90)},
			[]stretch{{Start: 0, End: 5}, {Start: 10, End: 20}, {Start: 60, End: 70}}},
	} {
		var marks []model.Mark
		for _, m := range c.marks {
			marks = append(marks, m...)
		}
		sortMarks(marks)
		got := Gaps(tableOf(t, logOf(100*ms, marks...)), 2*ms)[0]
		var want []model.Interval[model.Time]
		for _, w := range c.want {
			want = append(want, model.Interval[model.Time]{Start: model.Time(w.Start * ms), End: model.Time(w.End * ms)})
		}
		if fmt.Sprint(got.Parts()) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v", c.name, got.Parts(), want)
		}
	}
}

// stretch is from one offset to another.
type stretch struct{ Start, End time.Duration }
