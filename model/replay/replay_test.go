package replay

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/stage"
)

type ran struct {
	stage, task, input string
	from, to           int64
}

func table(window int64, runs ...ran) *stage.Table {
	var marks model.MarkRows
	for _, r := range runs {
		for _, e := range []struct {
			edge model.Edge
			at   int64
		}{{model.EdgeStart, r.from}, {model.EdgeEnd, r.to}} {
			marks = append(marks, model.Mark{At: model.ClockTime(e.at), Edge: e.edge, Stage: model.NewRaw(r.stage), Task: model.NewRaw(r.task), Input: model.NewRaw(r.input)})
		}
	}
	slices.SortStableFunc(marks, func(a, b model.Mark) int { return int(a.At - b.At) })
	valid := model.Interval[model.ClockTime]{Start: 0, End: model.ClockTime(window) + 1}
	c := &model.Capture{Source: model.Source{ID: 1, Kind: model.KindLog}, Domains: []model.Domain{{Kind: model.DomainUnix, Valid: valid}}, Marks: marks}
	tl := &model.Timeline{UTC: true, Window: model.Interval[model.Time]{End: model.Time(window)},
		Captures: []model.Placed{{Capture: c, Mappings: []model.Mapping{{Placed: true, Segments: []model.Segment{{Valid: valid}}}}}}}
	return &stage.Tabulate(tl)[0]
}

func graph(t *testing.T, tb *stage.Table) *Graph {
	t.Helper()
	g, why := Of(tb, 1)
	if g == nil {
		t.Fatalf("no graph: %v", why)
	}
	return g
}

// two inputs through preparation (10 ns) and compute (30 ns): the second is
// prepared while the first computes.
func pipelined() *stage.Table {
	return table(70,
		ran{"cpu_preparation", "loader", "a", 0, 10}, ran{"gpu_compute", "main", "a", 10, 40},
		ran{"cpu_preparation", "loader", "b", 10, 20}, ran{"gpu_compute", "main", "b", 40, 70})
}

func TestReplay(t *testing.T) {
	for _, c := range []struct {
		name  string
		tb    *stage.Table
		stage model.StageID
		by    *big.Rat
		want  model.Range[time.Duration]
	}{
		{"nothing changed", pipelined(), model.StageGPUCompute, big.NewRat(1, 1), model.Exactly[time.Duration](70)},
		{"preparation removed: only the first one was waited for", pipelined(), model.StageCPUPreparation, new(big.Rat), model.Exactly[time.Duration](60)},
		{"compute removed: the loader's chain remains", pipelined(), model.StageGPUCompute, new(big.Rat), model.Exactly[time.Duration](20)},
		{"preparation eight times as long takes over", pipelined(), model.StageCPUPreparation, big.NewRat(8, 1), model.Exactly[time.Duration](190)},
		{"a lag stays", table(50, ran{"cpu_preparation", "main", "a", 0, 20}, ran{"gpu_compute", "main", "a", 21, 50}), model.StageCPUPreparation, big.NewRat(1, 2), model.Exactly[time.Duration](40)},
		{"unrecorded work follows the lane, or comes when it came", table(60, ran{"cpu_preparation", "main", "a", 0, 20}, ran{"gpu_compute", "main", "a", 40, 60}),
			model.StageCPUPreparation, big.NewRat(1, 2), model.Range[time.Duration]{Lo: 50, Hi: 60}},
		{"a third is rounded outward", table(10, ran{"cpu_preparation", "main", "a", 0, 10}), model.StageCPUPreparation, big.NewRat(1, 3), model.Range[time.Duration]{Lo: 3, Hi: 4}},
	} {
		g := graph(t, c.tb)
		if got := g.Total(func(row int) *big.Rat {
			if c.tb.Rows[row].Stage == c.stage {
				return c.by
			}
			return nil
		}); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestCriticalPath(t *testing.T) {
	p := graph(t, pipelined()).Path()
	if p.Lag != 0 || p.Unrecorded != 0 || len(p.Stages) != 2 || p.Stages[0].Time != 10 || p.Stages[0].N != 1 || p.Stages[1].Time != 60 || p.Stages[1].N != 2 {
		t.Errorf("got %+v, want preparation 10 once, compute 60 twice", p)
	}
	p = graph(t, table(65, ran{"cpu_preparation", "main", "a", 5, 20}, ran{"gpu_compute", "main", "a", 21, 30}, ran{"write", "main", "a", 40, 60})).Path()
	if p.Lag != 1 || p.Unrecorded != 5+10+5 {
		t.Errorf("got lag %d, unrecorded %d; want 1 and 20", p.Lag, p.Unrecorded)
	}
}

// Random logs: without a change nothing changes, and the path fills the window.
func TestUnchangedReplayIsTheRun(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	stages := []string{"cpu_preparation", "transfer", "gpu_compute", "write"}
	for range 500 {
		var runs []ran
		end := int64(1)
		for n := range 1 + r.IntN(12) {
			at := r.Int64N(100)
			for _, s := range stages[:1+r.IntN(4)] {
				from := at + r.Int64N(20)
				at = from + 1 + r.Int64N(30)
				runs = append(runs, ran{s, "t" + strconv.Itoa(r.IntN(3)), "i" + strconv.Itoa(n), from, at})
			}
			end = max(end, at)
		}
		g := graph(t, table(end+r.Int64N(10), runs...))
		if got := g.Total(func(int) *big.Rat { return nil }); got != model.Exactly(g.t.Window.Len()) {
			t.Fatalf("%v: got %v, want %v", runs, got, g.t.Window.Len())
		}
		p := g.Path()
		sum := p.Lag + p.Unrecorded
		for _, s := range p.Stages {
			sum += s.Time
		}
		if sum != g.t.Window.Len() {
			t.Fatalf("%v: the path sums up to %v of %v", runs, sum, g.t.Window.Len())
		}
	}
}

func TestNoReplay(t *testing.T) {
	for _, c := range []struct {
		name string
		tb   *stage.Table
		want model.Reason
	}{
		{"inputs are not named", table(20, ran{"cpu_preparation", "main", "", 0, 20}), model.NotRecorded},
		{"two stages of one input at once", table(20, ran{"cpu_preparation", "a", "x", 0, 20}, ran{"gpu_compute", "b", "x", 10, 20}), model.NotApplicable},
	} {
		if g, why := Of(c.tb, 1); g != nil || why != c.want {
			t.Errorf("%s: got a graph %v, reason %v; want %v", c.name, g != nil, why, c.want)
		}
	}
}
