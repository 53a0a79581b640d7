package progress

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// run is results at the given distances, the first at 0.
func run(distances ...float64) []result {
	out := []result{{total: 1}}
	at := 0.0
	for i, d := range distances {
		at += d * float64(second)
		out = append(out, result{at: model.Time(at), total: int64(i + 2), from: model.Pos{Source: 1, Line: int32(i + 2)}})
	}
	return out
}

func noisy(r *rand.Rand, n int, usual, scatter float64) []float64 {
	var out []float64
	for range n {
		out = append(out, usual*math.Exp(scatter*r.NormFloat64()))
	}
	return out
}

func TestPaceChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, c := range []struct {
		name   string
		before []float64
		after  []float64
		want   bool
		slower bool
	}{
		{"steady", noisy(r, 20, 1, .2), noisy(r, 20, 1, .2), false, false},
		{"half as fast from then on", noisy(r, 20, 1, .2), noisy(r, 20, 2, .2), true, true},
		{"twice as fast from then on", noisy(r, 20, 2, .2), noisy(r, 20, 1, .2), true, false},
		{"a tenth slower is no change that is reported", noisy(r, 20, 1, .01), noisy(r, 20, 1.1, .01), false, false},
		{"one slow result is a pause", noisy(r, 20, 1, .2), append([]float64{40}, noisy(r, 20, 1, .2)...), false, false},
		{"too few", noisy(r, 5, 1, .1), noisy(r, 5, 4, .1), false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := run(append(append([]float64{}, c.before...), c.after...)...)
			p := pace(all)
			if (p.Change != nil) != c.want || p.Why.Empty() == !c.want {
				t.Fatalf("change %+v, want one: %v", p.Change, c.want)
			}
			if !c.want {
				return
			}
			if truth := all[len(c.before)].at; p.Change.Slower != c.slower || p.Change.At.Start > truth || p.Change.At.End < truth {
				t.Errorf("slower %v, between %v; want %v, at %v", p.Change.Slower, p.Change.At, c.slower, truth)
			}
		})
	}
}

// Without a change hardly any is reported; one of a factor of two nearly always,
// and between the right results.
func TestPaceOfManyRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	const runs = 1000
	wrong, found, held := 0, 0, 0
	for range runs {
		if pace(run(noisy(r, 60, 1, .4)...)).Change != nil {
			wrong++
		}
		at := 15 + r.IntN(30)
		all := run(append(noisy(r, at, 1, .3), noisy(r, 60-at, 2, .3)...)...)
		if c := pace(all).Change; c != nil {
			found++
			if c.At.Start <= all[at].at && all[at].at <= c.At.End {
				held++
			}
		}
	}
	if wrong > 2 || found < runs*97/100 || held < found*96/100 {
		t.Errorf("of %d runs: %d changes that are none, %d found, %d of them hold the truth", runs, wrong, found, held)
	}
}

// Two results in one record count as two: a batch of outputs is no change of pace.
func TestPaceIsPerResult(t *testing.T) {
	var all []result
	total := int64(1)
	for i := range 40 {
		all = append(all, result{at: model.Time(total * second), total: total})
		total += 1 + int64(i/20)
	}
	if p := pace(all); p.Change != nil || p.Usual != model.Known(time.Second) {
		t.Errorf("got %+v", p)
	}
}

func TestPaceFromMarks(t *testing.T) {
	var marks []model.Mark
	s := int64(0)
	for i := range int64(40) {
		if s += 2; i >= 20 {
			s += 3
		}
		marks = append(marks, at(s, accepted("a", i+1, 0)))
	}
	var c *report.PaceChange
	if c = Of(log(1000, marks...)).Pace.Change; c == nil {
		t.Fatal("no change is reported")
	}
	if c.Before != 2*time.Second || c.After != 5*time.Second || !c.Slower || c.From.Line == 0 {
		t.Errorf("got %+v", c)
	}
}
