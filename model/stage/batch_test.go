package stage

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// Every batch is cut exactly: compared with a nanosecond-by-nanosecond count.
func TestBatchAgreesWithBitmap(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	ids := []model.StageID{model.StageFileOpen, model.StageCPUPreparation, model.StageGPUCompute}
	part := func() model.Interval[model.Time] {
		s := model.Time(r.Int64N(60))
		return model.Interval[model.Time]{Start: s, End: s + model.Time(r.Int64N(20))}
	}
	for range 300 {
		sets := make([]model.Set[model.Time], len(ids))
		for n := range sets {
			sets[n] = model.NewSet(part(), part())
		}
		unseen := model.NewSet(part())
		at := model.Interval[model.Time]{Start: 5, End: 75}
		got := decomposed(model.Phrase{}, at, ids, sets, unseen)
		want := report.Batch{Times: make([]report.StageTime, len(ids))}
		both := map[[2]int]time.Duration{}
		for x := at.Start; x < at.End; x++ {
			var on []int
			for n, s := range sets {
				if s.Contains(x) {
					on = append(on, n)
				}
			}
			for i, n := range on {
				want.Times[n].Busy++
				for _, m := range on[i+1:] {
					both[[2]int{n, m}]++
				}
			}
			switch {
			case len(on) == 1:
				want.Times[on[0]].Exclusive++
			case len(on) == 0 && unseen.Contains(x):
				want.Unknown++
			case len(on) == 0:
				want.Waiting++
			}
		}
		if !slices.Equal(got.Times, want.Times) || got.Waiting != want.Waiting || got.Unknown != want.Unknown {
			t.Fatalf("%v without %v: got %+v, want %+v", sets, unseen, got, want)
		}
		for _, o := range got.Overlap {
			k := [2]int{slices.Index(ids, o.A), slices.Index(ids, o.B)}
			if both[k] != o.Both {
				t.Fatalf("%v together: got %v, want %v", k, o.Both, both[k])
			}
			delete(both, k)
		}
		if len(both) > 0 {
			t.Fatalf("pairs that are missing: %v", both)
		}
	}
}

// serialBatches are batches one after the other, of one stage each.
func serialBatches(lengths ...time.Duration) []report.Batch {
	var out []report.Batch
	from := model.Time(0)
	for _, d := range lengths {
		out = append(out, report.Batch{At: model.Interval[model.Time]{Start: from, End: from + model.Time(d)},
			Times: []report.StageTime{{Busy: d, Exclusive: d}}})
		from += model.Time(d)
	}
	return out
}

func repeat(n int, d time.Duration) []time.Duration { return slices.Repeat([]time.Duration{d}, n) }

func TestWarmUpIsFoundByARuleOrDeclared(t *testing.T) {
	undeclared := model.Missing[int64](model.NotDeclared)
	for _, c := range []struct {
		name     string
		lengths  []time.Duration
		declared model.Maybe[int64]
		want     int
	}{
		{"the first two are long", slices.Concat(repeat(2, 100), repeat(18, 10)), undeclared, 2},
		{"none is", repeat(20, 10), undeclared, 0},
		{"a fifth longer is scatter", slices.Concat(repeat(1, 12), repeat(19, 10)), undeclared, 0},
		{"a long one later is no warm-up", slices.Concat(repeat(5, 10), repeat(1, 100), repeat(14, 10)), undeclared, 0},
		{"half of the run is no warm-up", slices.Concat(repeat(10, 100), repeat(10, 10)), undeclared, 0},
		{"too few to know what is usual", slices.Concat(repeat(1, 100), repeat(8, 10)), undeclared, 0},
		{"scatter of the later half is allowed for", slices.Concat(repeat(1, 29), repeat(9, 10), repeat(5, 20), repeat(5, 15)), undeclared, 0},
		{"declared", repeat(4, 10), model.Known[int64](3), 3},
		{"more declared than there are", repeat(2, 10), model.Known[int64](9), 2},
		{"declared none", slices.Concat(repeat(2, 100), repeat(18, 10)), model.Known[int64](0), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := report.Batches{Stages: []model.StageID{model.StageGPUCompute}}
			finish(&out, serialBatches(c.lengths...), c.declared)
			if out.WarmUp != c.want || out.Early.N != c.want || out.Steady.N != len(c.lengths)-c.want {
				t.Errorf("warm-up of %d, early %d, steady %d; want %d", out.WarmUp, out.Early.N, out.Steady.N, c.want)
			}
			if out.WarmUpBy.Empty() {
				t.Error("the rule is not stated")
			}
			var whole time.Duration
			for _, d := range c.lengths {
				whole += d
			}
			if got := out.Early.Length.Sum + out.Steady.Length.Sum; got != whole {
				t.Errorf("the lengths sum up to %v, want %v", got, whole)
			}
		})
	}
}

func TestBatchesOfALog(t *testing.T) {
	var marks []model.Mark
	for n := range int64(3) {
		input, from := "b"+strconv.FormatInt(n, 10), 20*n
		marks = append(marks, at(from, "cpu_preparation", model.EdgeStart, input), at(from+8, "cpu_preparation", model.EdgeEnd, input),
			at(from+11, "gpu_compute", model.EdgeStart, input), at(from+18, "gpu_compute", model.EdgeEnd, input))
	}
	marks = append(marks, at(70, "cpu_preparation", model.EdgeStart, "open"))
	b := Waterfalls(timeline(0, 100, logSource(1, 0, 100, marks...)))[0].Batches
	if b.By != "input" || b.Of != 3 || b.Open != 1 || len(b.Rows) != 3 {
		t.Fatalf("by %q, %d batches, %d open, %d rows", b.By, b.Of, b.Open, len(b.Rows))
	}
	if s := b.Steady; s.Waiting != 9 || s.Unknown != 0 || s.Length.Sum != 54 || s.Stages[0].Sum != 24 || s.Exclusive[1] != 21 {
		t.Errorf("got %+v", s)
	}
	if m, _ := b.Steady.Stages[1].Median.Get(); m != 7 {
		t.Errorf("median of gpu_compute: %v", m)
	}
}

func TestBatchesOfATraceAreItsSteps(t *testing.T) {
	p := traceSource(1, interval{Start: 0, End: 100}, row{10, 20, 1, model.SpanKernel, "k"}, row{25, 30, 1, model.SpanMemcpy, "Memcpy HtoD"}, row{50, 90, 1, model.SpanKernel, "k"})
	for n, s := range []interval{{Start: 5, End: 45}, {Start: 45, End: 95}} {
		p.Trace.Steps = append(p.Trace.Steps, model.TraceStep{Name: model.NewText("ProfilerStep#"+strconv.Itoa(n), model.ClassOperation),
			At: model.Interval[model.ClockTime]{Start: model.ClockTime(s.Start), End: model.ClockTime(s.End)}})
	}
	b := Waterfalls(timeline(0, 100, p))[0].Batches
	if b.By != "step" || b.Of != 2 {
		t.Fatalf("by %q, %d steps", b.By, b.Of)
	}
	for n, want := range []struct{ compute, transfer, waiting time.Duration }{{10, 5, 25}, {40, 0, 10}} {
		r := b.Rows[n]
		c, m := slices.Index(b.Stages, model.StageGPUCompute), slices.Index(b.Stages, model.StageTransfer)
		if r.Times[c].Busy != want.compute || r.Times[m].Busy != want.transfer || r.Waiting != want.waiting {
			t.Errorf("step %d: got %+v, want %+v", n, r, want)
		}
	}
}
