package sample

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tracemerge/model"
)

// tick is the grid of the twin: kernels begin and end, windows of measurement begin and
// end, and stamps lie at multiples of it.
const tick = time.Second

// A schedule says of each tick of a small case whether a kernel was executing.
type schedule uint32

// busy is the number of ticks of [from, to) with a kernel.
func (s schedule) busy(from, to int) int {
	if to <= from {
		return 0
	}
	return bits.OnesCount32(uint32(s) >> from & (1<<(to-from) - 1))
}

// A twin is a small case: readings at ticks, a sampler and a doubt in ticks.
type twin struct {
	ticks                    int // of the whole case
	stale, shortest, longest int
	periods                  bool
	step, width              int
	at                       []int
	percent                  []float64
	from, to                 int // the window that is asked for
}

func randomTwin(r *rand.Rand) twin {
	w := twin{ticks: 12, stale: r.IntN(3), shortest: 1 + r.IntN(3), step: r.IntN(2), width: r.IntN(2) * r.IntN(2)}
	w.longest = w.shortest + r.IntN(4-w.shortest)
	if r.IntN(2) == 0 {
		w.periods, w.longest, w.stale = true, w.shortest, w.shortest
	}
	first, last := w.stale+w.longest+w.width, w.ticks-w.step-w.width
	for range 1 + r.IntN(5) {
		w.at = append(w.at, first+r.IntN(last-first+1))
	}
	slices.Sort(w.at)
	w.from = r.IntN(w.ticks)
	w.to = w.from + 1 + r.IntN(w.ticks-w.from)
	w.percent = make([]float64, len(w.at))
	truth := schedule(r.Uint32N(1 << w.ticks))
	if r.IntN(3) == 0 { // long stretches
		truth = schedule(uint32(1<<(1+r.IntN(w.ticks))-1) << r.IntN(w.ticks) & (1<<w.ticks - 1))
	}
	round := []func(float64) float64{math.Round, math.Floor, math.Ceil}[r.IntN(3)]
	shift, phase, now := r.IntN(2*w.width+1)-w.width, r.IntN(w.longest), 0
	for i, at := range w.at {
		now = max(now, at+shift+r.IntN(w.step+1))
		end, length := now-r.IntN(w.stale+1), w.shortest+r.IntN(w.longest-w.shortest+1)
		if w.periods {
			end = now - (now+phase)%w.longest
		}
		w.percent[i] = round(100 * float64(truth.busy(end-length, end)) / float64(length))
		if r.IntN(12) == 0 { // a value that may contradict the others
			w.percent[i] = float64(r.IntN(101))
		}
	}
	return w
}

// shows reports whether a reading of the percentage may come from a window.
func (w twin) shows(s schedule, percent float64, end, length int) bool {
	return math.Abs(100*float64(s.busy(end-length, end))/float64(length)-percent) <= 1
}

// explains reports whether all readings may come from the schedule: with some shift of
// the clock, each at an instant of its own and, of a sampler with periods, with one
// phase.
func (w twin) explains(s schedule) bool {
	phases := 1
	if w.periods {
		phases = w.longest
	}
	for shift := -w.width; shift <= w.width; shift++ {
		for phase := range phases {
			if w.fits(s, shift, phase, 0, 0) {
				return true
			}
		}
	}
	return false
}

// fits reports whether the readings from i on may come from the schedule, none before
// now.
func (w twin) fits(s schedule, shift, phase, i, now int) bool {
	if i == len(w.at) {
		return true
	}
	for at := max(now, w.at[i]+shift); at <= w.at[i]+shift+w.step; at++ {
		if w.single(s, w.percent[i], at, phase) && w.fits(s, shift, phase, i+1, at) {
			return true
		}
	}
	return false
}

// single reports whether one reading at an instant may come from the schedule.
func (w twin) single(s schedule, percent float64, at, phase int) bool {
	if w.periods {
		return w.shows(s, percent, at-(at+phase)%w.longest, w.longest)
	}
	for end := at - w.stale; end <= at; end++ {
		for length := w.shortest; length <= w.longest; length++ {
			if w.shows(s, percent, end, length) {
				return true
			}
		}
	}
	return false
}

// search goes through every schedule; any is false if none explains the readings.
func (w twin) search() (least, most int, any bool) {
	least = w.ticks
	for s := range schedule(1) << w.ticks {
		if b := s.busy(w.from, w.to); (b < least || b > most || !any) && w.explains(s) {
			least, most, any = min(least, b), max(most, b), true
		}
	}
	return least, most, any
}

func (w twin) bounds() (model.Range[time.Duration], bool) {
	var rs []Reading
	for i, at := range w.at {
		rs = append(rs, Reading{model.Time(at) * model.Time(tick), w.percent[i]})
	}
	d := func(n int) time.Duration { return time.Duration(n) * tick }
	return Busy(rs, between(model.Time(d(w.from)), model.Time(d(w.to))),
		Sampler{Stale: d(w.stale), Shortest: d(w.shortest), Longest: d(w.longest), Periods: w.periods}, Doubt{Step: d(w.step), Width: d(w.width)})
}

// Of every schedule on the grid that explains the readings, the busy time lies within the
// bounds; readings are called contradictory only if no schedule explains them. How tight
// the bounds are is logged: they need not be the least ones.
func TestBoundsHoldEverySchedule(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	const cases = 3000
	explained, called, refused, exact := 0, 0, 0, 0
	var stated, needed float64
	for n := range cases {
		w := randomTwin(r)
		b, ok := w.bounds()
		least, most, any := w.search()
		switch {
		case !ok:
			called++
			if any {
				t.Fatalf("case %d: %+v is called contradictory, and a schedule with %d ticks explains it", n, w, least)
			}
			continue
		case !any:
			refused++
			continue
		}
		explained++
		lo, hi := time.Duration(least)*tick, time.Duration(most)*tick
		if lo < b.Lo || hi > b.Hi {
			t.Fatalf("case %d: %+v: schedules have %v to %v busy, the bounds are %v", n, w, lo, hi, b)
		}
		stated += (b.Hi - b.Lo).Seconds()
		needed += (hi - lo).Seconds()
		if b.Hi-b.Lo-(hi-lo) < tick/5 { // the percentages leave that much
			exact++
		}
	}
	if explained < cases/2 || called == 0 {
		t.Errorf("%d cases explained, %d contradictory: too few to say anything", explained, called)
	}
	t.Logf("%d cases: %d explained, %d called contradictory, %d contradictory and not seen; the bounds are as tight as can be in %d, and %.2f times as wide as needed in all",
		cases, explained, called, refused, exact, stated/needed)
}
