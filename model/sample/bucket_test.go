package sample

import (
	"testing"

	"tracemerge/model"
	"tracemerge/model/report"
)

// Ten thousand samples with a hole in the midst of a part: no bucket reaches over it,
// no extreme is lost, and every sample is counted.
func TestThinningLeavesHoles(t *testing.T) {
	const n = 10_000
	window := model.Interval[model.Time]{End: n * 1000}
	hole := model.Interval[model.Time]{Start: 5_000_000 + 2000, End: 5_000_000 + 9000}
	p := newPlot(window, n)
	most := 0.0
	var samples int64
	for i := range model.Time(n) {
		at := (i + 1) * 1000
		if at > hole.Start && at < hole.End+1000 {
			continue
		}
		v := float64((i * 7919) % 1000)
		most = max(most, v)
		samples++
		p.add(at, report.Bucket{Support: model.Interval[model.Time]{Start: at - 1000, End: at}, Lo: v, Hi: v, Known: true, N: 1})
	}
	var sum int64
	high := 0.0
	for _, b := range p.out {
		sum += b.N
		high = max(high, b.Hi)
		if b.Support.Overlaps(hole) {
			t.Errorf("a bucket over %v reaches into the hole %v", b.Support, hole)
		}
	}
	if sum != samples || high != most || len(p.out) > drawn {
		t.Errorf("%d samples in %d buckets, highest %v; want %d, %v", sum, len(p.out), high, samples, most)
	}
}

// However many holes there are, the buckets stay few.
func TestThinningIsBounded(t *testing.T) {
	const n = 200_000
	p := newPlot(model.Interval[model.Time]{End: n * 1000}, n)
	for i := range model.Time(n) {
		at := (i + 1) * 1000
		p.add(at, report.Bucket{Support: model.Interval[model.Time]{Start: at - 100, End: at}, Known: i%2 == 0, N: 1})
	}
	if most := 2 * perPart * (drawn/2 + 1); len(p.out) > most {
		t.Errorf("%d buckets, want at most %d", len(p.out), most)
	}
}
