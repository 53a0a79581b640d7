package stage

import (
	"math/rand/v2"
	"testing"
	"time"

	"tracemerge/model"
)

// However the clocks of a stage are moved within their widths, its time stays within
// what is stated.
func TestMovedClocksStayWithin(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	stg := model.StageGPUCompute
	w := model.Interval[model.Time]{Start: 0, End: 1000}
	tight := 0
	for range 2000 {
		b := &basis{clocks: map[clock]time.Duration{}}
		var whole []model.Set[model.Time]
		var widths []time.Duration
		parts := map[stageClock]model.Set[model.Time]{}
		var all model.Set[model.Time]
		edges := time.Duration(0)
		for k := range 1 + r.IntN(3) {
			c := clock{source: model.SourceID(k)}
			width := time.Duration(r.Int64N(30))
			if k == 0 {
				c, width = clock{}, 0 // an exact one
			}
			var set []model.Interval[model.Time]
			for range r.IntN(12) {
				at := model.Time(r.Int64N(1200) - 100)
				set = append(set, model.Interval[model.Time]{Start: at, End: at + model.Time(1+r.Int64N(60))})
			}
			s := model.NewSet(set...)
			whole, widths = append(whole, s), append(widths, width)
			b.clocks[c] = width
			parts[stageClock{stg, c}] = s.Within(w)
			all = all.Union(s.Within(w))
			edges += 2 * width * time.Duration(len(s.Within(w).Parts()))
		}
		unsure := b.shiftable(stg, all.Len(), parts)
		if unsure < edges {
			tight++
		}
		for range 20 {
			var moved model.Set[model.Time]
			for k, s := range whole {
				by := model.Time(r.Int64N(int64(2*widths[k])+1)) - model.Time(widths[k])
				for p := range s.All() {
					moved = moved.Union(model.NewSet(model.Interval[model.Time]{Start: p.Start + by, End: p.End + by}))
				}
			}
			if got := moved.Within(w).Len(); got < all.Len()-unsure || got > all.Len()+unsure {
				t.Fatalf("moved: %v, stated %v ± %v", got, all.Len(), unsure)
			}
		}
	}
	if tight < 500 {
		t.Errorf("narrower than the sum of all edges in %d of 2000, want many", tight)
	}
}
