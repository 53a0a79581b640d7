package whatif

import (
	"cmp"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/stage"
)

// sortMarks puts marks into the order of a log; at one instant an end stands
// before a start, as one thread writes them.
func sortMarks(marks []model.Mark) {
	slices.SortStableFunc(marks, func(a, b model.Mark) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(b.Edge, a.Edge))
	})
}

// quarters are factors in quarters of preparation, GPU compute and write.
func (y *system) quarters(f [3]int64) factors {
	var out factors
	for i, s := range []model.StageID{model.StageCPUPreparation, model.StageGPUCompute, model.StageWrite} {
		if row := y.t.Row(s); row >= 0 {
			out[y.bit[row]] = big.NewRat(f[i], 4)
		}
	}
	return out
}

// A graph is tasks with predecessors; each of its stages runs one task at a
// time. A lag is a wait of fixed length that nothing records.
type graph struct {
	stage []int
	dur   []time.Duration
	preds [][]int
	lag   map[[2]int]time.Duration
}

var graphStages = []string{"prep", "compute", "save", "own stage"}

func randomGraph(r *rand.Rand, lags bool) *graph {
	g := &graph{lag: map[[2]int]time.Duration{}}
	kinds := 2 + r.IntN(3)
	chain := r.IntN(5) == 0
	last := map[int]int{}
	for i := range 2 + r.IntN(11) {
		s := r.IntN(kinds)
		var preds []int
		for range r.IntN(4) {
			if p := r.IntN(i + 1); p < i {
				preds = append(preds, p)
			}
		}
		if chain && i > 0 {
			preds = []int{i - 1}
		}
		if p, ok := last[s]; ok {
			preds = append(preds, p)
		}
		last[s] = i
		slices.Sort(preds)
		preds = slices.Compact(preds)
		g.stage, g.dur, g.preds = append(g.stage, s), append(g.dur, time.Duration(4+4*r.IntN(20))), append(g.preds, preds)
		for _, p := range preds {
			if lags && r.IntN(2) == 0 {
				g.lag[[2]int{p, i}] = time.Duration(4 * r.IntN(7))
			}
		}
	}
	return g
}

// run starts every task when the last of its predecessors has ended.
func (g *graph) run(f [4]int64) ([]model.Interval[model.Time], time.Duration) {
	var out []model.Interval[model.Time]
	var end model.Time
	for i, s := range g.stage {
		var start model.Time
		for _, p := range g.preds[i] {
			start = max(start, out[p].End+model.Time(g.lag[[2]int{p, i}]))
		}
		at := model.Interval[model.Time]{Start: start, End: start + model.Time(int64(g.dur[i])*f[s]/4)}
		end = max(end, at.End)
		out = append(out, at)
	}
	return out, time.Duration(end)
}

func (g *graph) table() (*stage.Table, time.Duration) {
	at, total := g.run([4]int64{4, 4, 4, 4})
	var marks []model.Mark
	for i, s := range g.stage {
		for e, t := range map[model.Edge]model.Time{model.EdgeStart: at[i].Start, model.EdgeEnd: at[i].End} {
			m := mark(graphStages[s], e, time.Duration(t))
			m.Task = model.NewRaw(graphStages[s])
			marks = append(marks, m)
		}
	}
	sortMarks(marks)
	return &stage.Tabulate(logOf(total, marks...))[0], total
}

func TestRandomGraphsLieInsideTheBounds(t *testing.T) {
	for _, c := range []struct {
		name     string
		lags     bool
		strength Strength
	}{
		{"no lags: observed_only holds", false, ObservedOnly},
		{"no lags: hidden_activity holds", false, HiddenActivity},
		{"lags: hidden_waits holds", true, HiddenWaits},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, 7))
			low, high, gain := 0, 0, 0
			const n = 4000
			for i := range n {
				g := randomGraph(r, c.lags)
				tb, total := g.table()
				y := newSystem(tb, nil, 0)
				quarters := [4]int64{4, 4, 4, 4}
				var f factors
				for range 1 + r.IntN(4) {
					s := r.IntN(4)
					quarters[s] = []int64{0, 1, 2, 3, 5, 8, 12, 20}[r.IntN(8)]
					if row := tb.Row(stage.Named(graphStages[s])); row >= 0 {
						f[y.bit[row]] = big.NewRat(quarters[s], 4)
					}
				}
				_, truth := g.run(quarters)
				b := y.bounds(&f, c.strength).outward()
				if truth < b.Lo || truth > b.Hi {
					t.Fatalf("graph %d: got [%d, %d] ns of %d ns, want %d ns inside; factors/4 %v", i, b.Lo, b.Hi, total, truth, quarters)
				}
				if b.Lo == truth {
					low++
				}
				if b.Hi == truth {
					high++
				}
				if b.Hi < total {
					gain++
				}
			}
			t.Logf("%d graphs inside; lower bound attained %d, upper %d; a gain promised in %d", n, low, high, gain)
			if low == 0 || c.strength != HiddenWaits && (high == 0 || gain == 0) {
				t.Error("a bound was never attained: the bounds say nothing")
			}
			if c.strength == HiddenWaits && gain > 0 {
				t.Errorf("hidden_waits promised a gain in %d graphs", gain)
			}
		})
	}
}

// vector is the example of the reference: load [0,4) [10,14), gpu [3,10) [13,20).
func vector() *model.Timeline {
	var marks []model.Mark
	for _, x := range []struct {
		name     string
		from, to time.Duration
	}{{"load", 0, 4}, {"gpu", 3, 10}, {"load", 10, 14}, {"gpu", 13, 20}} {
		for e, at := range map[model.Edge]time.Duration{model.EdgeStart: x.from, model.EdgeEnd: x.to} {
			m := mark(x.name, e, at*second)
			m.Task = model.NewRaw(x.name)
			marks = append(marks, m)
		}
	}
	sortMarks(marks)
	return logOf(20*second, marks...)
}

func TestReferenceVectors(t *testing.T) {
	tl := vector()
	tb := &stage.Tabulate(tl)[0]
	for i, want := range []struct{ busy, alone time.Duration }{{8 * second, 6 * second}, {14 * second, 12 * second}} {
		if got := tb.Rows[i]; got.Busy != want.busy || got.Exclusive != want.alone {
			t.Errorf("row %d: got busy %v alone %v, want %v", i, got.Busy, got.Exclusive, want)
		}
	}
	unseen := *tb
	unseen.Unobserved = model.NewSet(model.Interval[model.Time]{Start: model.Time(14 * second), End: model.Time(16 * second)})
	moved := *tb
	moved.Lanes = slices.Clone(tb.Lanes)
	moved.Lanes[0].Clock, moved.Lanes[0].Unsure = 1, second // load against gpu by 1 s either way
	for _, c := range []struct {
		name     string
		t        *stage.Table
		f        [3]int64
		low, top time.Duration
	}{
		{"load halved", tb, [3]int64{2, 4, 4}, 16, 17},
		{"load halved, 2 s not observed", &unseen, [3]int64{2, 4, 4}, 15, 17},
		{"gpu halved", tb, [3]int64{4, 2, 4}, 13, 14},
		{"load halved, its clock uncertain by 1 s", &moved, [3]int64{2, 4, 4}, 16, 18},
		{"factor 1 changes nothing", tb, [3]int64{4, 4, 4}, 20, 20},
		{"factor 1 changes nothing beside unknown time", &unseen, [3]int64{4, 4, 4}, 20, 20},
		{"factor 1 changes nothing beside an uncertain clock", &moved, [3]int64{4, 4, 4}, 20, 20},
	} {
		y := newSystem(c.t, nil, 0)
		f := y.quarters(c.f)
		want := model.Range[time.Duration]{Lo: c.low * second, Hi: c.top * second}
		if got := y.bounds(&f, ObservedOnly).outward(); got != want {
			t.Errorf("%s: got %v, want %v", c.name, got, want)
		}
	}
}

func TestLooseClocksContainEveryShift(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 500 {
		tb, _ := randomGraph(r, false).table()
		width := time.Duration(r.IntN(9))
		for n := range tb.Lanes {
			tb.Lanes[n].Clock, tb.Lanes[n].Unsure = n%2, time.Duration(n%2)*width
		}
		y := newSystem(tb, nil, 0)
		var f factors
		f[r.IntN(len(tb.Rows))] = big.NewRat(r.Int64N(8), 4)
		exact := y.bounds(&f, ObservedOnly)
		y.profiles = []profile{y.loose(Gaps(tb, 0))}
		loose := y.bounds(&f, ObservedOnly)
		if loose.lo.Cmp(exact.lo) > 0 || loose.hi.Cmp(exact.hi) < 0 {
			t.Fatalf("graph %d: loose %v must hold %v", i, loose.outward(), exact.outward())
		}
	}
}
