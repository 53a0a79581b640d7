package render

import (
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// stages are the rows of every basis, the primary one first.
func (s *summary) stages() {
	s.array("stages", func() {
		for i := range s.run.Stages {
			t := &s.run.Stages[i]
			for k := range t.Rows {
				row := &t.Rows[k]
				s.item(func() {
					s.stage(t, row)
					s.bool("primary", i == s.run.Primary)
				})
			}
		}
	})
}

func (s *summary) stage(t *report.StageTable, row *report.StageRow) {
	s.text("stage", s.doc.StageCode(row.Stage), model.NotSet)
	s.word("basis", string(t.Basis.Kind), model.NotSet)
	s.bool("placed", t.Basis.Placed)
	s.seconds("seconds", row.Busy)
	s.seconds("exclusive_seconds", row.Exclusive)
	s.seconds("overlap_seconds", row.Overlap)
	s.maybeFloat("share", row.Share)
	s.int("intervals", row.Intervals)
	s.seconds("longest_seconds", row.Longest)
	s.seconds("uncertainty_seconds", row.Unsure)
}

// differences are what two bases state about one stage.
func (s *summary) differences() {
	s.array("stage_differences", func() {
		for _, d := range s.run.Differences {
			s.item(func() {
				s.text("stage", s.doc.StageCode(d.Stage), model.NotSet)
				s.word("basis_a", string(d.A.Kind), model.NotSet)
				s.word("basis_b", string(d.B.Kind), model.NotSet)
				s.seconds("observed_by_both_seconds", d.Common)
				s.seconds("a_seconds", d.InA)
				s.seconds("b_seconds", d.InB)
				s.seconds("together_seconds", d.Together)
				s.seconds("uncertainty_seconds", d.Unsure)
			})
		}
	})
}

// crossChecks compare sampled with traced devices.
func (s *summary) crossChecks() {
	s.array("cross_checks", func() {
		for _, c := range s.run.CrossChecks {
			s.item(func() {
				s.text("sampler", s.doc.Source(s.n, c.Sampler), model.NoSource)
				s.text("device", s.doc.Text(c.Device), model.NotRecorded)
				s.text("trace", s.doc.Source(s.n, c.Trace), model.NoSource)
				s.text("trace_device", s.doc.Text(c.TraceDevice), model.NotRecorded)
				s.bool("same_name", c.SameName)
				s.int("tested", c.Tested)
				s.int("above", c.Above)
				s.int("below", c.Below)
				s.word("verdict", c.Verdict, model.NotSet)
			})
		}
	})
}

func (s *summary) accounted() {
	a := s.run.Accounted
	if !a.Known {
		for _, k := range []string{"stage_seconds", "unattributed_seconds", "unknown_seconds"} {
			s.null(k, model.NoSource.String())
		}
		return
	}
	s.seconds("stage_seconds", a.Stages)
	s.seconds("unattributed_seconds", a.Unattributed)
	s.seconds("unknown_seconds", a.Unknown)
}

func (s *summary) whatIf() {
	s.array("what_if", func() {
		for i := range s.run.WhatIf.Rows {
			row := &s.run.WhatIf.Rows[i]
			s.item(func() { s.scenario(row) })
		}
	})
}

func (s *summary) scenario(r *report.Scenario) {
	s.text("scenario", s.phrase(r.Name), model.NotSet)
	s.word("strength", r.Strength, model.NotSet)
	s.maybeSpan("best_case_only", r.Worst)
	s.maybeSpan("replay_seconds", r.Replay)
	s.array("changes", func() {
		for _, c := range r.Changes {
			s.item(func() {
				s.text("stage", s.doc.StageCode(c.Stage), model.NotSet)
				s.float("factor", c.Factor)
			})
		}
	})
	s.maybeSpan("total_seconds", r.Total)
	s.maybeSpan("saved_seconds", r.Saved)
	s.pair("speedup", r.Speedup)
	s.pair("gpu_share", r.GPUShare)
	s.pair("limit_speedup", r.Limit)
	s.bool("asked", r.Asked)
	s.text("note", s.phrase(r.Note), model.NotApplicable)
}

// criticalPath is the chain of waits from the end of the run to its beginning.
func (s *summary) criticalPath() {
	p, ok := s.run.WhatIf.Path.Get()
	if !ok {
		s.null("critical_path", s.run.WhatIf.Path.Why().String())
		return
	}
	s.object("critical_path", func() {
		s.array("stages", func() {
			for _, x := range p.Stages {
				s.item(func() {
					s.text("stage", s.doc.StageCode(x.Stage), model.NotSet)
					s.seconds("seconds", x.Time)
					s.int("intervals", x.N)
				})
			}
		})
		s.seconds("host_seconds", p.Host)
		s.seconds("lag_seconds", p.Lag)
		s.seconds("unrecorded_seconds", p.Unrecorded)
	})
}

// maybeSpan is a range of durations, or null with the reason beside it.
func (s *summary) maybeSpan(name string, m model.Maybe[model.Range[time.Duration]]) {
	r, ok := m.Get()
	if !ok {
		s.null(name, m.Why().String())
		return
	}
	s.secondsPair(name, r)
}

func (s *summary) progress() {
	p := s.run.Progress
	s.maybeSeconds("first_result_seconds", p.FirstResult)
	s.maybeInt("accepted", p.Accepted)
	s.maybeInt("rejected", p.Rejected)
	s.maybeInt("errors", p.Errors)
	s.maybeInt("retries", p.Retries)
	s.maybeFloat("accepted_per_minute", p.AcceptedPerMinute)
	s.object("pace", func() { s.pace(&p.Pace) })
	s.evidence("evidence", p.Evidence)
}

// pace is how long one result took, and whether that changed.
func (s *summary) pace(p *report.Pace) {
	s.maybeSeconds("usual_seconds", p.Usual)
	s.text("rule", s.phrase(p.Rule), model.NotSet)
	c := p.Change
	if c == nil {
		s.null("change", model.NotApplicable.String())
		s.text("no_change", s.phrase(p.Why), model.NotSet)
		return
	}
	s.object("change", func() {
		s.interval(c.At)
		s.text("what", s.phrase(c.What), model.NotSet)
		s.bool("slower", c.Slower)
		s.seconds("before_seconds", c.Before)
		s.seconds("after_seconds", c.After)
		s.float("probability", c.Chance)
	})
}

func (s *summary) pauses() {
	s.array("pauses", func() {
		for i := range s.run.Pauses {
			p := &s.run.Pauses[i]
			s.item(func() {
				s.interval(p.At)
				s.seconds("seconds", p.At.Len())
				s.word("kind", p.Kind, model.NotSet)
				if p.HasStage {
					s.text("stage", s.doc.StageCode(p.Stage), model.NotSet)
				} else {
					s.null("stage", model.NotApplicable.String())
				}
				s.text("why", s.phrase(p.Why), model.NotSet)
				s.evidence("evidence", p.Evidence)
				s.maybeFloat("unknown_share", p.UnknownShare)
				s.phrases("not_observed", p.NotSeen)
			})
		}
	})
}

func (s *summary) hypotheses() {
	s.array("hypotheses", func() {
		for i := range s.run.Hypotheses {
			h := &s.run.Hypotheses[i]
			s.item(func() {
				s.word("id", h.ID, model.NotSet)
				s.word("state", string(h.State), model.NotSet)
				s.text("statement", s.phrase(h.Statement), model.NotSet)
				s.evidence("supports", h.Supports)
				s.evidence("against", h.Against)
				s.phrases("missing", h.Missing)
				s.text("next_check", s.phrase(h.NextCheck), model.NotSet)
				s.phrases("thresholds", h.Threshold)
			})
		}
	})
}

func (s *summary) targets() {
	s.array("targets", func() {
		for _, t := range s.run.Targets {
			s.item(func() {
				s.word("name", t.Name, model.NotSet)
				s.word("unit", t.Unit, model.NotApplicable)
				s.float("wanted", t.Wanted)
				s.maybeFloat("observed", t.Observed)
				s.maybeBool("met", t.Met)
			})
		}
	})
}
