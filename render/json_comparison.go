package render

import (
	"tracemerge/model"
	"tracemerge/model/report"
)

// comparisons writes one entry per further run against the first, and from the
// third on one against the run before.
func (s *summary) comparisons() {
	if len(s.rep.Comparisons) == 0 {
		s.null("comparison", model.NotApplicable.String())
		return
	}
	each := func(name string, list []report.Comparison) {
		s.array(name, func() {
			for i := range list {
				s.item(func() { s.comparison(&list[i]) })
			}
		})
	}
	each("comparison", s.rep.Comparisons)
	each("comparison_with_previous", s.rep.Previous)
	s.bool("three_run_protocol", s.rep.Protocol)
}

func (s *summary) comparison(c *report.Comparison) {
	s.at(c.Candidate) // sentences of a comparison cite the candidate
	s.text("baseline", runLabel(s.doc, &s.rep.Runs[c.Baseline]), model.NotDeclared)
	s.text("candidate", runLabel(s.doc, s.run), model.NotDeclared)
	s.int("baseline_run", int64(c.Baseline))
	s.int("candidate_run", int64(c.Candidate))
	s.bool("comparable", c.Comparable)
	s.bool("comparability_undeclared", c.Undeclared)
	s.phrases("warnings", c.Warnings)
	s.list("changed_settings", s.shownAll(c.ChangedSettings))
	s.phrases("changed_conditions", c.Changed)
	s.array("conditions", func() {
		for _, k := range c.Conditions {
			s.item(func() {
				s.text("name", s.phrase(k.Name), model.NotSet)
				s.text("baseline", s.phrase(k.Base), model.NotDeclared)
				s.text("candidate", s.phrase(k.Next), model.NotDeclared)
				s.word("state", k.State, model.NotSet)
				s.bool("decides", k.Decides)
			})
		}
	})
	s.array("coverage", func() {
		for _, k := range c.Coverage {
			s.item(func() {
				s.word("kind", string(k.Kind), model.NotSet)
				s.maybeFloat("baseline", k.Base)
				s.maybeFloat("candidate", k.Next)
			})
		}
	})
	s.changes("metrics", c.Metrics)
	s.changes("stages", c.Stages)
	s.predictions(c)
}

func (s *summary) predictions(c *report.Comparison) {
	s.array("predictions", func() {
		for _, p := range c.Predictions {
			s.item(func() {
				s.text("scenario", s.phrase(p.Scenario), model.NotSet)
				s.array("supposed", func() {
					for _, k := range p.Supposed {
						s.item(func() {
							s.text("stage", s.doc.StageCode(k.Stage), model.NotSet)
							s.float("factor", k.Factor)
							s.pair("observed", k.Observed)
						})
					}
				})
				if r, ok := p.Total.Get(); ok {
					s.secondsPair("total_seconds", r)
				} else {
					s.null("total_seconds", p.Total.Why().String())
				}
				s.maybeSeconds("outcome_seconds", p.Outcome)
				s.word("outcome", p.Where, model.NotComputable)
			})
		}
	})
	s.text("no_prediction", s.phrase(c.NoPrediction), model.NotApplicable)
}

func (s *summary) changes(name string, list []report.MetricChange) {
	s.array(name, func() {
		for i := range list {
			m := &list[i]
			s.item(func() {
				s.word("name", m.Name, model.NotSet)
				if m.HasStage {
					s.text("stage", s.doc.StageCode(m.Stage), model.NotSet)
				} else {
					s.null("stage", model.NotApplicable.String())
				}
				s.word("unit", m.Unit, model.NotApplicable)
				s.pair("baseline", m.Base)
				s.pair("candidate", m.Next)
				s.pair("ratio", m.Ratio)
				s.maybeFloat("baseline_observed", m.BaseCovered)
				s.maybeFloat("candidate_observed", m.NextCovered)
				s.word("verdict", m.Verdict, model.NotSet)
				s.text("note", s.phrase(m.Note), model.NotApplicable)
			})
		}
	})
}
