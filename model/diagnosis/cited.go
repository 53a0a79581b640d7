package diagnosis

import (
	"cmp"
	"slices"

	"tracemerge/model"
	"tracemerge/model/report"
)

// ExcerptBytes bounds one excerpt.
const ExcerptBytes = 2048

// mostExcerpts bounds the excerpts of one run; evidence beyond keeps its place
// without its text.
const mostExcerpts = 80

// Cited lists the records that a run's statements rest on and that have a place
// of their own in a file, each once, by place.
func Cited(run *report.Run) []report.Evidence {
	var out []report.Evidence
	seen := map[model.Pos]bool{}
	add := func(es []report.Evidence) {
		for _, e := range es {
			if e.At.Source == 0 || e.At.Line == 0 && e.At.Offset == 0 || seen[e.At] || len(out) == mostExcerpts {
				continue
			}
			seen[e.At] = true
			out = append(out, e)
		}
	}
	for _, p := range run.Pauses {
		add(p.Evidence)
	}
	for _, h := range run.Hypotheses {
		add(h.Supports)
		add(h.Against)
	}
	add(run.Progress.Evidence)
	for _, u := range run.Unknown {
		for _, at := range u.From {
			add([]report.Evidence{{At: at, When: u.At, What: model.Say("{}", u.Why)}})
		}
	}
	for i := range run.Clocks.Constraints {
		c := &run.Clocks.Constraints[i]
		if c.Use != model.ConstraintTight && c.Use != model.ConstraintContradicted {
			continue
		}
		for _, at := range c.From {
			add([]report.Evidence{{At: at, What: c.What}})
		}
	}
	slices.SortFunc(out, func(a, b report.Evidence) int {
		return cmp.Or(cmp.Compare(a.At.Source, b.At.Source), cmp.Compare(a.At.Offset, b.At.Offset), cmp.Compare(a.At.Line, b.At.Line))
	})
	return out
}
