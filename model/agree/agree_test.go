package agree

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/sample"
)

const second = model.Time(time.Second)

func randomSet(r *rand.Rand, until model.Time, busy, idle float64) model.Set[model.Time] {
	var parts []model.Interval[model.Time]
	for at := model.Time(0); at < until; {
		b := model.Time(float64(second) * busy * r.ExpFloat64())
		parts = append(parts, model.Interval[model.Time]{Start: at, End: min(until, at+b)})
		at += b + model.Time(float64(second)*idle*r.ExpFloat64())
	}
	return model.NewSet(parts...)
}

// The least share agrees with a search over every nanosecond.
func TestLeastAgreesWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		var parts []model.Interval[model.Time]
		for range r.IntN(6) {
			s := model.Time(r.Int64N(60))
			parts = append(parts, model.Interval[model.Time]{Start: s, End: s + model.Time(r.Int64N(15))})
		}
		set := model.NewSet(parts...)
		w := model.Time(1 + r.Int64N(20))
		ends := model.Interval[model.Time]{Start: model.Time(r.Int64N(80)), End: 0}
		ends.End = ends.Start + model.Time(r.Int64N(30))
		want := 1.0
		for e := ends.Start; e <= ends.End; e++ {
			in := set.Within(model.Interval[model.Time]{Start: e - w, End: e}).Len()
			want = min(want, float64(in)/float64(w))
		}
		if got := newRamp(set).least(ends, time.Duration(w)); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%v, width %d, ends %v: got %v, want %v", set, w, ends, got, want)
		}
	}
}

// A sampler reads the share of its last whole period, as of real loops.
func readings(r *rand.Rand, busy model.Set[model.Time], until model.Time, period, loop time.Duration) []sample.Reading {
	var out []sample.Reading
	phase := model.Time(r.Int64N(int64(period)))
	for at := model.Time(r.Int64N(int64(loop))) + 2*model.Time(period); at < until; at += model.Time(loop) {
		end := (at-phase)/model.Time(period)*model.Time(period) + phase
		share := busy.Within(model.Interval[model.Time]{Start: end - model.Time(period), End: end}).Len().Seconds() / period.Seconds()
		out = append(out, sample.Reading{At: at, Percent: math.Round(100 * share)})
	}
	return out
}

// The truth is never refuted, whatever the refresh and the loop; another device, or
// the right one at a wrong time, nearly always is.
func TestTruthIsNeverRefuted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const runs = 300
	other, shifted := 0, 0
	for range runs {
		span := model.Interval[model.Time]{Start: 60 * second, End: 100 * second}
		whole := randomSet(r, 200*second, .5+2*r.Float64(), .5+2*r.Float64())
		w := Work{Busy: whole.Within(span), Idle: model.NewSet(span).Subtract(whole)}
		period := time.Duration(float64(time.Second) * (1/6. + r.Float64()*5/6))
		rs := readings(r, whole, 200*second, period, time.Duration(float64(time.Second)*(.1+r.Float64())))
		if got := Compare(w, rs, sample.Doubt{}); !got.Enough() || !got.Agrees() {
			t.Fatalf("the truth: %+v", got)
		}
		if got := Compare(w, readings(r, randomSet(r, 200*second, 1.5, 1.5), 200*second, period, time.Second), sample.Doubt{}); !got.Agrees() {
			other++
		}
		for i := range rs {
			rs[i].At += 17 * second
		}
		if got := Compare(w, rs, sample.Doubt{}); !got.Agrees() {
			shifted++
		}
	}
	if other < runs*8/10 || shifted < runs*7/10 {
		t.Errorf("of %d runs another device was refuted in %d, a wrong time in %d", runs, other, shifted)
	}
}

func TestWhatTheTraceDoesNotKnowRefutesNothing(t *testing.T) {
	rs := []sample.Reading{{At: 10 * second, Percent: 100}, {At: 11 * second, Percent: 0}, {At: 12 * second, Percent: 50}, {At: 13 * second, Percent: 7}}
	if got := Compare(Work{}, rs, sample.Doubt{}); got.Tested != 0 || got.Enough() {
		t.Errorf("nothing known: %+v", got)
	}
	busy := Work{Busy: model.NewSet(model.Interval[model.Time]{Start: 0, End: 20 * second})}
	if got := Compare(busy, rs, sample.Doubt{}); got.Below != 3 || got.Above != 0 || got.First != 1 {
		t.Errorf("always busy: %+v, want the three lower readings below", got)
	}
	idle := Work{Idle: model.NewSet(model.Interval[model.Time]{Start: 0, End: 20 * second})}
	if got := Compare(idle, rs, sample.Doubt{}); got.Above != 3 || got.Below != 0 || got.First != 0 {
		t.Errorf("always idle: %+v, want the three higher readings above", got)
	}
	if got := Compare(idle, rs, sample.Doubt{Width: 30 * time.Second}); got.Tested != 0 {
		t.Errorf("a clock that is off by more than the trace is long: %+v", got)
	}
}
