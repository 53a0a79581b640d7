package stage

import (
	"tracemerge/model"
	"tracemerge/model/report"
)

// differences compares what two bases on the run's clock say about the same
// stage, in the time that both observed: neither is preferred.
func differences(tables []Table) []report.StageDifference {
	var out []report.StageDifference
	for i := range tables {
		for k := i + 1; k < len(tables); k++ {
			a, b := &tables[i], &tables[k]
			if !a.Basis.Placed || !b.Basis.Placed || a.Window != b.Window {
				continue
			}
			both := model.NewSet(a.Window).Subtract(a.Unobserved).Subtract(b.Unobserved)
			for _, r := range a.Rows {
				n := b.Row(r.Stage)
				if n < 0 || both.Empty() {
					continue
				}
				x, y := r.Set.Intersect(both), b.Rows[n].Set.Intersect(both)
				together := x.Intersect(y).Len()
				out = append(out, report.StageDifference{Stage: r.Stage, A: a.Basis, B: b.Basis, Common: both.Len(),
					InA: x.Len(), InB: y.Len(), Together: together, Unsure: r.Unsure + b.Rows[n].Unsure})
			}
		}
	}
	return out
}
