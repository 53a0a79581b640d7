package render

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// scattered are intervals of every length, some touching, some overlapping.
func scattered(r *rand.Rand, n int, whole int64) []span {
	out := make([]span, n)
	for i := range out {
		start := r.Int64N(whole)
		length := 1 + r.Int64N(1+whole/[]int64{int64(n), 1000 * int64(n), whole, 7}[i%4])
		out[i] = span{Start: model.Time(start), End: model.Time(start + length)}
	}
	return out
}

// Columns lose no interval, cover as much as the set does, and hold what was
// observed and what was not side by side.
func TestColumnsKeepEveryIntervalAndNoneOfTheOther(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		whole := []int64{900, 1e6, 3e11}[round%3]
		x := axis{at: span{Start: 0, End: model.Time(whole)}}
		in := scattered(r, 1+r.IntN(3000), whole)
		seen := model.NewSet(in...)
		hidden := model.NewSet(scattered(r, 1+r.IntN(900), whole)...).Subtract(seen).Parts()
		s := spreadOver(x, 1+r.IntN(columnsPerLane), in, hidden)
		if s.columns != (len(in) > shapesPerLane || len(visibleIn(hidden, x.at)) > shapesPerLane) {
			t.Fatalf("round %d: columns is %v for %d and %d intervals", round, s.columns, len(in), len(hidden))
		}
		covers(t, round, s, 0, in, x)
		covers(t, round, s, 1, hidden, x)
		if s.columns {
			apart(t, round, s)
		}
	}
}

// covers checks that each interval lies in shapes of its set that are in sight,
// and that together they cover what the set covers.
func covers(t *testing.T, round int, s spread, k int, in []span, x axis) {
	t.Helper()
	var shapes []span
	sum := 0.0
	for _, p := range s.parts[k] {
		if p.n < 1 || p.share <= 0 || p.share > 1 || p.at.Empty() {
			t.Fatalf("round %d: set %d has the shape %+v", round, k, p)
		}
		shapes = append(shapes, p.at)
		sum += p.share * float64(p.at.Len())
	}
	drawn := model.NewSet(shapes...)
	for _, i := range in {
		if c := i.Intersect(x.at); !c.Empty() && !model.NewSet(c).Subtract(drawn).Empty() {
			t.Fatalf("round %d: %v of set %d is not drawn", round, i, k)
		}
	}
	if want := float64(model.NewSet(in...).Within(x.at).Len()); s.columns && math.Abs(sum-want) > 1e-6*want+1 {
		t.Fatalf("round %d: set %d covers %v, its columns %v", round, k, want, sum)
	}
}

// apart checks that no instant is drawn as more than itself.
func apart(t *testing.T, round int, s spread) {
	t.Helper()
	for _, a := range s.parts[0] {
		for _, b := range s.parts[1] {
			if !a.at.Intersect(b.at).Empty() && a.share+b.share > 1+1e-9 {
				t.Fatalf("round %d: %v observed and %v not observed of one column", round, a.share, b.share)
			}
		}
	}
}

func TestFewIntervalsAreDrawnAsTheyAre(t *testing.T) {
	in := []span{at(10, 20), at(0, 6), at(30, 31)}
	s := spreadOver(axis{at: at(0, 15)}, 10, in)
	if s.columns || s.n != 2 || len(s.parts[0]) != 2 || s.parts[0][0].at != at(0, 6) || s.parts[0][1].at != at(10, 15) {
		t.Errorf("got %+v, want the two in sight, cut at the axis, by their start", s)
	}
}

// A metric's columns keep the extremes of every sample, and never count what the
// report lists as not observed as known.
func TestValueColumnsKeepEverySample(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x := axis{at: at(0, 10000)}
	for round := range 50 {
		var series []report.Bucket
		var hidden []stretch
		knownFor, lo, hi := time.Duration(0), math.Inf(1), math.Inf(-1)
		for sec := 0; sec < 10000; sec += 2 + r.IntN(5) {
			b := report.Bucket{Support: at(float64(sec), float64(sec)+1), Lo: r.Float64(), Known: r.IntN(4) > 0, N: 1, Why: model.NotAvailable}
			b.Hi = b.Lo + r.Float64()
			series = append(series, b)
			if !b.Known {
				hidden = append(hidden, stretch{b.Support, "not available", "not available"})
				continue
			}
			knownFor += time.Second
			lo, hi = min(lo, b.Lo), max(hi, b.Hi)
		}
		out := valueColumns(x, series, hidden, 60)
		gotFor, gotLo, gotHi := time.Duration(0), math.Inf(1), math.Inf(-1)
		for _, o := range out {
			if o.Known {
				gotFor += o.Support.Len()
				gotLo, gotHi = min(gotLo, o.Lo), max(gotHi, o.Hi)
			}
			if o.Support.Len()+o.not.Len() != o.of.Len() {
				t.Fatalf("round %d: %v known and %v not of a column of %v", round, o.Support.Len(), o.not.Len(), o.of.Len())
			}
		}
		if gotFor != knownFor || gotLo != lo || gotHi != hi || len(out) != 60 {
			t.Fatalf("round %d: %d columns known for %v from %v to %v, want 60, %v, %v, %v", round, len(out), gotFor, gotLo, gotHi, knownFor, lo, hi)
		}
	}
}

// A bucket of many samples spans holes; the holes stay not observed.
func TestABucketDoesNotSwallowAHole(t *testing.T) {
	series := []report.Bucket{{Support: at(0, 100), Lo: 1, Hi: 2, Known: true, N: 50}}
	out := valueColumns(axis{at: at(0, 100)}, series, []stretch{{at(20, 50), "", "gap"}}, 1)
	if len(out) != 1 || out[0].not.Len() != 30*time.Second || out[0].why != "gap" {
		t.Errorf("got %+v, want 30 s of it not observed", out)
	}
}

func TestLongestOfMany(t *testing.T) {
	var all []time.Duration
	for i := range 1000 {
		all = append(all, time.Duration(i*7919%1000))
	}
	got := longest(all, func(d time.Duration) time.Duration { return d })
	if len(got) != rowsInTable {
		t.Fatalf("%d rows, want %d", len(got), rowsInTable)
	}
	at := -1
	for _, d := range got {
		if d < time.Duration(1000-rowsInTable) {
			t.Errorf("%v is not among the longest", d)
		}
		for at++; all[at] != d; at++ {
		}
	}
}

// A row with more intervals than can be told apart says so, and how many.
func TestManyIntervalsInARow(t *testing.T) {
	rep := oneRun()
	w := &rep.Runs[0].Waterfalls[0]
	w.Rows[0].Intervals = nil
	for i := range 3000 {
		f := float64(i) / 20
		w.Rows[0].Intervals = append(w.Rows[0].Intervals, report.StageInterval{Stage: model.StageGPUCompute, At: at(f, f+0.01), Open: i == 0})
	}
	page := bare(t, state{name: "many", rep: rep})
	for _, want := range []string{"3000 intervals in ", "an edge of 1 interval was not observed", "The longest 200 of 3"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := strings.Count(page, "<rect"); n > 3000 {
		t.Errorf("%d shapes", n)
	}
}
