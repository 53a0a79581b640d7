package sample

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"tracemerge/model"
)

type span = model.Interval[model.Time]

func between(a, b model.Time) span { return span{Start: a, End: b} }

// A signal is when a kernel was executing: the truth that no sampler sees.
type signal model.Set[model.Time]

func (s signal) busy(w span) time.Duration { return model.Set[model.Time](s).Within(w).Len() }

// randomSignal alternates busy and idle stretches of random length.
func randomSignal(r *rand.Rand, length time.Duration) signal {
	cycle := []float64{0.05, 0.5, 1, 3, 20}[r.IntN(5)]
	duty := []float64{0, 0.05, 0.5, 0.9, 1}[r.IntN(5)]
	var b model.SetBuilder[model.Time]
	for at := model.Time(0); at < model.Time(length); {
		on := model.Time(r.ExpFloat64() * cycle * duty * 1e9)
		off := model.Time(r.ExpFloat64() * cycle * (1 - duty) * 1e9)
		b.Add(between(at, at+on))
		at += on + off + 1
	}
	return signal(b.Set())
}

// A driver renews its reading each period, counted from a phase; a reading is
// the share of the last whole period, rounded in one of three ways.
type driver struct {
	period, window time.Duration
	phase          time.Duration
	round          func(float64) float64
}

func (d driver) read(s signal, at model.Time) float64 {
	n := (time.Duration(at) - d.phase) / d.period
	end := model.Time(d.phase + n*d.period)
	share := float64(s.busy(between(end-model.Time(d.window), end))) / float64(d.window)
	return d.round(100 * share)
}

func randomDriver(r *rand.Rand, period, window time.Duration) driver {
	round := []func(float64) float64{math.Round, math.Floor, math.Ceil}[r.IntN(3)]
	return driver{period, window, time.Duration(r.Int64N(int64(period))), round}
}

// sampleLoop reads every loop plus jitter; stamps are cut to the millisecond.
func sampleLoop(r *rand.Rand, s signal, d driver, length, loop time.Duration) []Reading {
	var rs []Reading
	jitter := []time.Duration{1, time.Millisecond, 30 * time.Millisecond, loop}[r.IntN(4)]
	for at := model.Time(3 * time.Second); at < model.Time(length); {
		stamp := at - at%model.Time(time.Millisecond)
		rs = append(rs, Reading{stamp, d.read(s, at)})
		at += model.Time(loop) + model.Time(r.Int64N(int64(jitter)))
	}
	return rs
}

func TestBoundsContainTheTruthUnderTheStatedSampler(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	loops := []time.Duration{100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond, 900 * time.Millisecond, 999 * time.Millisecond,
		time.Second, 1003 * time.Millisecond, 1030 * time.Millisecond, 1500 * time.Millisecond, 2 * time.Second, 5 * time.Second, 10 * time.Second}
	runs := 0
	for range 4000 {
		length := time.Duration(10+r.IntN(60)) * time.Second
		s := randomSignal(r, length)
		loop := loops[r.IntN(len(loops))]
		from := model.Time(r.Int64N(int64(length)))
		w := between(from, from+model.Time(r.Int64N(int64(length))))
		truth := s.busy(w)
		off := time.Duration(r.Int64N(int64(3*time.Second))) - 1500*time.Millisecond
		for _, tc := range []struct {
			name           string
			s              Sampler
			period, window time.Duration
		}{
			{"regular", Regular(), time.Second, time.Second},
			{"loose", Loose(), 100*time.Millisecond + time.Duration(r.Int64N(int64(900*time.Millisecond))), time.Second},
			{"strict", Strict(), 0, 0},
		} {
			if tc.period == 0 {
				tc.period = time.Second/6 + 1 + time.Duration(r.Int64N(int64(time.Second*5/6)))
				tc.window = tc.period
			}
			rs := sampleLoop(r, s, randomDriver(r, tc.period, tc.window), length, loop)
			exact, ok := Busy(rs, w, tc.s, Doubt{Step: time.Millisecond})
			if !ok || truth < exact.Lo || truth > exact.Hi {
				t.Fatalf("%s, loop %v, %d readings: got [%v, %v] %v, truth %v of %v", tc.name, loop, len(rs), exact.Lo, exact.Hi, ok, truth, w.Len())
			}
			for i := range rs { // the whole clock is off by an unknown amount within 1.5 s
				rs[i].At += model.Time(off)
			}
			moved, ok := Busy(rs, w, tc.s, Doubt{Step: time.Millisecond, Width: 1500 * time.Millisecond})
			if !ok || truth < moved.Lo || truth > moved.Hi {
				t.Fatalf("%s with a clock off by %v: got [%v, %v] %v, truth %v", tc.name, off, moved.Lo, moved.Hi, ok, truth)
			}
			runs++
		}
	}
	if runs != 12000 {
		t.Errorf("runs: got %d, want 12000", runs)
	}
}

func TestRegularBoundsAreTight(t *testing.T) {
	// The bounds of a 60 s window from a 1.003 s loop: every reading is of its own
	// period, so only rounding (1 %) and the edges (2 s at the start) are left.
	for _, tc := range []struct {
		name     string
		percent  func(i int) float64
		loop     time.Duration
		lo, hi   float64 // of the window, at least and at most
		readings int
	}{
		{"100 % throughout", func(int) float64 { return 100 }, 1003 * time.Millisecond, 0.93, 1, 60},
		{"0 % throughout", func(int) float64 { return 0 }, 1003 * time.Millisecond, 0, 0.07, 60},
		{"values that differ tell periods apart in a fast loop", func(i int) float64 { return []float64{20, 80}[i/10%2] }, 100 * time.Millisecond, 0.45, 0.55, 600},
		{"a 10 s loop sees a tenth", func(int) float64 { return 100 }, 10 * time.Second, 0.09, 1, 6},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var rs []Reading
			for i := range tc.readings {
				rs = append(rs, Reading{model.Time(i+1) * model.Time(tc.loop), tc.percent(i)})
			}
			w := between(0, model.Time(60*time.Second))
			b, ok := Busy(rs, w, Regular(), Doubt{Step: time.Millisecond})
			lo, hi := b.Lo.Seconds()/60, b.Hi.Seconds()/60
			if !ok || lo < tc.lo-0.05 || hi > tc.hi+0.05 || lo > hi {
				t.Errorf("got [%.3f, %.3f] %v, want within [%.2f, %.2f] to 5 points", lo, hi, ok, tc.lo, tc.hi)
			}
		})
	}
}

func TestBoundsOfOneReading(t *testing.T) {
	s := model.Time(time.Second)
	w := func(a, b float64) span { return between(model.Time(a*1e9), model.Time(b*1e9)) }
	for _, tc := range []struct {
		name    string
		percent float64
		window  span
		lo, hi  time.Duration
	}{
		{"the whole support lies inside", 50, w(0, 2), 490 * time.Millisecond, 1510 * time.Millisecond},
		{"half a second of it lies outside", 90, w(0.5, 2), 390 * time.Millisecond, 1500 * time.Millisecond},
		{"a window elsewhere learns nothing", 50, w(5, 6), 0, time.Second},
		{"a value that is no percentage shows nothing", 250, w(0, 2), 0, 2 * time.Second},
		{"nor does a value that is no number", math.NaN(), w(0, 2), 0, 2 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, ok := Busy([]Reading{{2 * s, tc.percent}}, tc.window, Regular(), Doubt{})
			if want := (model.Range[time.Duration]{Lo: tc.lo, Hi: tc.hi}); !ok || got != want {
				t.Errorf("got %v %v, want %v", got, ok, want)
			}
		})
	}
}

func TestMoreReadingsNeverLoosenTheBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		length := 30 * time.Second
		s := randomSignal(r, length)
		rs := sampleLoop(r, s, randomDriver(r, time.Second, time.Second), length, 700*time.Millisecond)
		w := between(model.Time(5*time.Second), model.Time(25*time.Second))
		n := r.IntN(len(rs))
		part, _ := Busy(rs[:n], w, Regular(), Doubt{})
		all, _ := Busy(rs, w, Regular(), Doubt{})
		if all.Lo < part.Lo || all.Hi > part.Hi {
			t.Fatalf("got %v from %d readings, want inside %v from %d", all, len(rs), part, n)
		}
	}
}
