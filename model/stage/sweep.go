package stage

import "tracemerge/model"

// Sweep cuts the window at every edge of the sets and yields each piece with the
// indices of the sets that hold it, in order. The slice is reused. The pieces
// fill the window exactly.
func Sweep(sets []model.Set[model.Time], w model.Interval[model.Time], yield func(at model.Interval[model.Time], active []int)) {
	parts := make([][]model.Interval[model.Time], len(sets))
	for i, s := range sets {
		parts[i] = s.Within(w).Parts()
	}
	active := make([]int, 0, len(sets))
	for t := w.Start; t < w.End; {
		next := w.End
		active = active[:0]
		for i, p := range parts {
			if len(p) == 0 {
				continue
			}
			if p[0].Start > t {
				next = min(next, p[0].Start)
				continue
			}
			active = append(active, i)
			next = min(next, p[0].End)
		}
		yield(model.Interval[model.Time]{Start: t, End: next}, active)
		t = next
		for i, p := range parts {
			if len(p) > 0 && p[0].End <= t {
				parts[i] = p[1:]
			}
		}
	}
}
