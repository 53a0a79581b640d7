package whatif

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/stage"
)

// A pipeline is workers → bounded buffer → GPU → bounded buffer → writer, with
// the durations of every item, and of unrecorded pauses before and after each
// stage. Items keep their order and their worker, whatever the
// speeds. Durations are multiples of 4 ns, so that quarters of them are exact.
type pipeline struct {
	workers, buffer, out int
	named                bool               // each worker logs a task of its own
	inputs               bool               // the log names the item of each stage
	prep, gpu, write     []time.Duration    // recorded
	before, after        [3][]time.Duration // not recorded
}

type ran struct{ prep, gpu, write []model.Interval[model.Time] }

// run is the pipeline's timing as recurrences over its items.
func (p *pipeline) run(f [3]int64) (ran, time.Duration) {
	n := len(p.prep)
	scaled := func(d time.Duration, s int) model.Time { return model.Time(int64(d) * f[s] / 4) }
	before := func(s, i int) model.Time { return model.Time(p.before[s][i]) }
	after := func(s, i int) model.Time { return model.Time(p.after[s][i]) }
	at := func(x []model.Time, i int) model.Time {
		if i < 0 {
			return 0
		}
		return x[i]
	}
	put, got, free, taken, idle := make([]model.Time, n), make([]model.Time, n), make([]model.Time, n), make([]model.Time, n), make([]model.Time, n)
	var out ran
	var end model.Time
	for i := range n {
		start := at(put, i-p.workers) + before(0, i)
		stop := start + scaled(p.prep[i], 0)
		out.prep = append(out.prep, model.Interval[model.Time]{Start: start, End: stop})
		put[i] = max(stop+after(0, i), at(got, i-p.buffer))
		got[i] = max(put[i], at(free, i-1))
		start = got[i] + before(1, i)
		stop = start + scaled(p.gpu[i], 1)
		out.gpu = append(out.gpu, model.Interval[model.Time]{Start: start, End: stop})
		free[i] = max(stop+after(1, i), at(taken, i-p.out))
		taken[i] = max(free[i], at(idle, i-1))
		start = taken[i] + before(2, i)
		stop = start + scaled(p.write[i], 2)
		out.write = append(out.write, model.Interval[model.Time]{Start: start, End: stop})
		idle[i] = stop + after(2, i)
		end = max(end, stop, out.gpu[i].End, out.prep[i].End)
	}
	return out, time.Duration(end)
}

func (p *pipeline) timeline() (*model.Timeline, time.Duration) {
	r, total := p.run([3]int64{4, 4, 4})
	var marks []model.Mark
	add := func(name, task string, i int, at model.Interval[model.Time]) {
		for e, t := range map[model.Edge]model.Time{model.EdgeStart: at.Start, model.EdgeEnd: at.End} {
			m := mark(name, e, time.Duration(t))
			m.Task = model.NewRaw(task)
			if p.inputs {
				m.Input = model.NewRaw(strconv.Itoa(i))
			}
			marks = append(marks, m)
		}
	}
	for i := range p.prep {
		w, g, o := "", "", ""
		if p.named {
			w, g, o = "worker"+strconv.Itoa(i%p.workers), "main", "writer"
		}
		add("prep", w, i, r.prep[i])
		add("compute", g, i, r.gpu[i])
		add("save", o, i, r.write[i])
	}
	sortMarks(marks)
	return logOf(total, marks...), total
}

// pauses says where a random pipeline has unrecorded work.
type pauses struct{ before, after bool }

func randomPipeline(r *rand.Rand, h pauses) *pipeline {
	p := &pipeline{workers: 1 + r.IntN(3), buffer: 1 + r.IntN(4), out: 1 + r.IntN(3), named: r.IntN(2) == 0}
	p.buffer = max(p.buffer, p.workers)
	n := 5 + r.IntN(40)
	mean := [3]float64{}
	for s := range mean {
		mean[s] = float64(time.Millisecond) * (2 + 60*r.Float64())
	}
	draw := func(m float64) time.Duration { return 4 * time.Duration(m*(.3+1.4*r.Float64())/4) }
	often := r.Float64()
	size := r.Float64() * 2
	for s := range 3 {
		p.before[s], p.after[s] = make([]time.Duration, n), make([]time.Duration, n)
	}
	for i := range n {
		p.prep, p.gpu, p.write = append(p.prep, draw(mean[0])), append(p.gpu, draw(mean[1])), append(p.write, draw(mean[2]))
		for s := range 3 {
			if h.before && r.Float64() < often {
				p.before[s][i] = draw(mean[s] * size)
			}
			if h.after && r.Float64() < often {
				p.after[s][i] = draw(mean[s] * size)
			}
		}
	}
	return p
}

func TestPipelinesLieInsideTheBounds(t *testing.T) {
	const rounds = 500
	for _, c := range []struct {
		name      string
		pauses    pauses
		tolerance time.Duration // 0: the table's own
	}{
		{"nothing hidden, exact edges", pauses{}, time.Nanosecond},
		{"nothing hidden, tolerance of the table", pauses{}, 0},
		{"pauses before stages, exact edges", pauses{before: true}, time.Nanosecond},
		{"pauses before and after, exact edges", pauses{before: true, after: true}, time.Nanosecond},
		{"pauses before stages, tolerance of the table", pauses{before: true}, 0},
		{"pauses after stages, exact edges", pauses{after: true}, time.Nanosecond},
		{"pauses before and after, tolerance of the table", pauses{before: true, after: true}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(11, 7))
			var outside [3]int
			tries, width, promised := 0, 0.0, 0
			for range rounds {
				p := randomPipeline(r, c.pauses)
				tl, total := p.timeline()
				tb := &stage.Tabulate(tl)[0]
				if !p.named && len(tb.Lanes) == 1 {
					continue // a task that never overlaps is taken as one thread, and here it is several
				}
				tolerance := c.tolerance
				if tolerance == 0 {
					tolerance = Tolerance(tb)
				}
				y := newSystem(tb, nil, tolerance)
				for range 3 {
					f := [3]int64{4, 4, 4}
					f[r.IntN(3)] = []int64{0, 1, 2, 3, 6, 8}[r.IntN(6)]
					_, truth := p.run(f)
					fs := y.quarters(f)
					tries++
					for s := HiddenWaits; s <= ObservedOnly; s++ {
						if b := y.bounds(&fs, s).outward(); truth < b.Lo || truth > b.Hi {
							outside[s]++
						}
					}
					b := y.bounds(&fs, HiddenActivity).outward()
					width += float64(b.Hi-b.Lo) / float64(total)
					if b.Hi < total || b.Lo > total {
						promised++
					}
				}
			}
			t.Logf("%d changes; outside: hidden_waits %d, hidden_activity %d, observed_only %d; mean width %.1f %% of the total; a change promised in %d",
				tries, outside[HiddenWaits], outside[HiddenActivity], outside[ObservedOnly], 100*width/float64(tries), promised)
			if outside[HiddenWaits] > 0 {
				t.Errorf("hidden_waits: %d outside, want none", outside[HiddenWaits])
			}
			if outside[HiddenActivity] > 0 {
				t.Errorf("hidden_activity: %d outside, want none", outside[HiddenActivity])
			}
			if hides := c.pauses != (pauses{}); hides != (outside[ObservedOnly] > 0) {
				t.Errorf("observed_only: %d outside; pauses hidden: %v", outside[ObservedOnly], hides)
			}
			if promised == 0 {
				t.Error("no change was ever promised: the bounds say nothing")
			}
		})
	}
}

// A replay lies inside the bounds, is narrower, and holds the truth in all but a
// few of the changes where nothing is hidden.
func TestReplayOfPipelines(t *testing.T) {
	for _, c := range []struct {
		name   string
		pauses pauses
		least  float64 // share of the changes whose truth is inside
	}{
		{"nothing hidden", pauses{}, 0.9},
		{"pauses before stages", pauses{before: true}, 0.5},
		{"pauses before and after", pauses{before: true, after: true}, 0.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(21, 22))
			tries, inside, narrow, wide := 0, 0, 0.0, 0.0
			for range 400 {
				p := randomPipeline(r, c.pauses)
				p.inputs = true
				tl, total := p.timeline()
				tb := &stage.Tabulate(tl)[0]
				if !p.named && len(tb.Lanes) == 1 {
					continue
				}
				y := newSystem(tb, nil, Tolerance(tb))
				if y.replay == nil {
					t.Fatalf("no replay: %v", y.noReplay)
				}
				for range 3 {
					f := [3]int64{4, 4, 4}
					f[r.IntN(3)] = []int64{0, 1, 2, 3, 6, 8}[r.IntN(6)]
					_, truth := p.run(f)
					fs := y.quarters(f)
					b := y.bounds(&fs, HiddenActivity).outward()
					got, ok := y.replayed(&fs, b).Get()
					if !ok {
						continue
					}
					tries++
					if got.Lo < b.Lo || got.Hi > b.Hi {
						t.Fatalf("replay %v outside of the bounds %v", got, b)
					}
					if got.Lo <= truth && truth <= got.Hi {
						inside++
					}
					narrow += float64(got.Hi-got.Lo) / float64(total)
					wide += float64(b.Hi-b.Lo) / float64(total)
				}
			}
			t.Logf("%d changes, %.1f %% inside; mean width %.1f %% of the total, of the bounds %.1f %%",
				tries, 100*float64(inside)/float64(tries), 100*narrow/float64(tries), 100*wide/float64(tries))
			if share := float64(inside) / float64(tries); share < c.least || narrow > wide {
				t.Errorf("inside %v, want at least %v", share, c.least)
			}
		})
	}
}
