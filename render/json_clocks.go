package render

import (
	"strconv"

	"tracemerge/model"
)

// clocks are the evidence by which the clocks of the run were placed.
func (s *summary) clocks() {
	a := &s.run.Clocks
	if !a.Reference.Empty() {
		s.text("reference", s.phrase(a.Reference), model.NotSet)
	}
	s.array("constraints", func() {
		for i := range a.Constraints {
			s.item(func() { s.constraint(&a.Constraints[i]) })
		}
	})
	s.phrases("tighten", a.Tighten)
}

func (s *summary) constraint(c *model.Constraint) {
	s.word("rule", c.Rule, model.NotSet)
	s.word("strength", c.Strength.String(), model.NotSet)
	s.word("use", string(c.Use), model.NotSet)
	s.bool("assumed", c.Assumed)
	s.clockRef("a", c.A)
	s.clockRef("b", c.B)
	s.array("allowed_seconds", func() { // of the offset of a less that of b
		for _, r := range c.Allowed {
			s.item(func() {
				if r.Lo <= model.OpenLow {
					s.null("lo", whyUnbounded)
				} else {
					s.seconds("lo", r.Lo)
				}
				if r.Hi >= model.OpenHigh {
					s.null("hi", whyUnbounded)
				} else {
					s.seconds("hi", r.Hi)
				}
			})
		}
	})
	s.maybeSeconds("residual_seconds", s.run.Residual(c))
	s.text("what", s.phrase(c.What), model.NotSet)
	s.array("from", func() {
		for _, at := range c.From {
			s.item(func() {
				s.text("file", s.doc.Source(s.n, at.Source), model.NoSource)
				s.lineAndByte(at)
			})
		}
	})
	s.array("against", func() { // indices of the constraints that exclude it
		for _, i := range c.Against {
			s.next()
			s.out.WriteString(strconv.Itoa(i))
		}
	})
}

// clockRef names one clock of a source; the reference is null.
func (s *summary) clockRef(name string, ref model.ClockRef) {
	if ref == (model.ClockRef{}) {
		s.null(name, "reference_clock")
		return
	}
	s.object(name, func() {
		s.text("file", s.doc.Source(s.n, ref.Source), model.NoSource)
		s.int("piece", int64(ref.Domain)+1)
	})
}
