package render

import (
	"time"

	"tracemerge/model"
	"tracemerge/render/redact"
)

// declared is run.yaml as it was read. Its entries about clocks, anchors, stages,
// patterns and redaction are named by their lines: their file names, expressions
// and words stay with the file.
func (s *summary) declared() {
	d := s.run.Declared
	none := model.NotDeclared
	s.text("name", s.doc.Field("name", d.Name), none)
	s.object("symptom", func() {
		s.word("kind", d.SymptomKind, none)
		s.text("text", s.doc.Field("symptom", d.SymptomText), none)
	})
	s.object("window", func() {
		s.declaredInstant("start", d.Window.Start, d.HasStart)
		s.declaredInstant("end", d.Window.End, d.HasEnd)
	})
	s.word("temperature", d.Temperature, none)
	s.object("input", func() {
		s.text("dataset", s.doc.Field("dataset", d.Dataset), none)
		s.text("location", s.doc.Field("location", d.Location), none)
	})
	s.object("application", func() {
		s.text("name", s.doc.Field("application", d.AppName), none)
		s.text("version", s.doc.Field("version", d.AppVersion), none)
	})
	s.object("settings", func() {
		for _, x := range d.Settings {
			key, value := s.doc.Setting(x)
			s.scalar(key, value)
		}
	})
	s.maybeInt("warm_up", d.WarmUp)
	s.object("thresholds", func() {
		for _, t := range d.Thresholds {
			s.float(string(t.Name), t.Value)
		}
	})
	s.text("done_when", s.doc.Field("done_when", d.DoneWhen), none)
	s.object("quality", func() {
		s.text("metric", s.doc.Field("quality", d.Quality.Metric), none)
		s.declaredFloat("value", d.Quality.Value)
		s.declaredFloat("at_most", d.Quality.AtMost)
		s.declaredFloat("at_least", d.Quality.AtLeast)
	})
	s.object("targets", func() {
		s.declaredFloat("deadline_seconds", d.Targets.DeadlineSeconds)
		s.declaredFloat("accepted_per_minute", d.Targets.AcceptedPerMinute)
		s.declaredFloat("gpu_hours", d.Targets.GPUHours)
	})
	s.object("hypothesis", func() {
		s.text("text", s.doc.Field("hypothesis", d.Hypothesis.Text), none)
		s.text("change", s.doc.Field("change", d.Hypothesis.Change), none)
		s.text("rejects_if", s.doc.Field("rejects_if", d.Hypothesis.RejectsIf), none)
	})
	s.object("result", func() {
		s.text("text", s.doc.Field("result", d.Result.Text), none)
		excluded := make([]redact.Shown, len(d.Result.Excluded))
		for i, e := range d.Result.Excluded {
			excluded[i] = s.doc.Field("excluded", e)
		}
		s.list("excluded", excluded)
		s.text("next_observation", s.doc.Field("next_observation", d.Result.NextObservation), none)
	})
	s.declaredRules(d)
}

func (s *summary) declaredRules(d *model.Declaration) {
	s.array("clocks", func() {
		for _, c := range d.Clocks {
			s.item(func() {
				s.int("line", int64(c.From.Line))
				s.text("zone", s.doc.Text(c.Zone), model.NotDeclared)
				s.declaredSeconds("offset_seconds", c.Offset, c.HasOffset)
				s.declaredSeconds("uncertainty_seconds", c.Uncertainty, c.Uncertainty > 0)
			})
		}
	})
	s.array("anchors", func() {
		for _, a := range d.Anchors {
			s.item(func() {
				s.int("line", int64(a.From.Line))
				s.seconds("within_seconds", a.Within)
			})
		}
	})
	s.array("stages", func() {
		for _, r := range d.Stages {
			s.item(func() {
				s.int("line", int64(r.From.Line))
				s.text("stage", s.doc.StageCode(r.Stage), model.NotSet)
				s.word("source", string(r.Source), model.NotApplicable)
			})
		}
	})
	s.array("log_patterns", func() {
		for _, p := range d.Patterns {
			s.item(func() { s.int("line", int64(p.From.Line)) })
		}
	})
	s.object("redact", func() {
		s.int("words", int64(len(d.RedactWords)))
		s.int("show", int64(len(d.RedactShow)))
	})
}

// declaredInstant is an instant as declared, which is always with its zone.
func (s *summary) declaredInstant(name string, t model.Time, there bool) {
	switch {
	case !there:
		s.null(name, model.NotDeclared.String())
	case s.opt.Relative:
		s.null(name, whyRelative)
	default:
		s.instantUTC(name, t)
	}
}

// declaredFloat is a number of run.yaml: where it is missing, nobody declared it.
func (s *summary) declaredFloat(name string, m model.Maybe[float64]) {
	if v, ok := m.Get(); ok {
		s.float(name, v)
	} else {
		s.null(name, model.NotDeclared.String())
	}
}

func (s *summary) declaredSeconds(name string, d time.Duration, there bool) {
	if there {
		s.seconds(name, d)
	} else {
		s.null(name, model.NotDeclared.String())
	}
}
