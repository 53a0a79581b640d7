package stage

import (
	"time"

	"tracemerge/model"
)

// finest is the part of a window that the resolution of the stamps may leave
// undecided without being carried into bounds: what it moves then lies beyond
// the digits that a page shows.
const finest = 10_000

// Carries reports whether an effect of the stamps' resolution is large enough to
// be carried into bounds: more than 1/10 000 of the window.
func (t *Table) Carries(effect time.Duration) bool { return effect > t.Window.Len()/finest }

// Undecided is the part of the window in which some edge may lie, since a stamp
// only says that its edge is in [stamp, stamp+Step).
func (t *Table) Undecided() time.Duration {
	var zones []model.Interval[model.Time]
	for _, l := range t.Lanes {
		zones = append(zones, l.Zones().Parts()...)
	}
	return model.NewSet(zones...).Within(t.Window).Len()
}

// Zones is where the edges of the lane's runs may lie.
func (l Lane) Zones() model.Set[model.Time] {
	if l.Step <= 0 {
		return model.Set[model.Time]{}
	}
	var out []model.Interval[model.Time]
	for _, r := range l.Runs {
		out = append(out,
			model.Interval[model.Time]{Start: r.At.Start, End: r.At.Start + model.Time(l.Step)},
			model.Interval[model.Time]{Start: r.At.End, End: r.At.End + model.Time(l.Step)})
	}
	return model.NewSet(out...)
}

// Spread returns where the lane ran the row for certain, and where it may have,
// if its clock may be off by width to either side and an edge lies up to Step
// behind its stamp. Runs that touch may have had a gap of less than Step.
func (l Lane) Spread(row int, width time.Duration) (sure, possible model.Set[model.Time]) {
	w, s := model.Time(width), model.Time(l.Step)
	var in, out []model.Interval[model.Time]
	for _, r := range l.Runs {
		if r.Row != row {
			continue
		}
		out = append(out, model.Interval[model.Time]{Start: r.At.Start - w, End: r.At.End + s + w})
		if a, b := r.At.Start+s+w, r.At.End-w; a < b {
			in = append(in, model.Interval[model.Time]{Start: a, End: b})
		}
	}
	return model.NewSet(in...), model.NewSet(out...)
}
