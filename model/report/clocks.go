package report

import (
	"time"

	"tracemerge/model"
)

// Clock returns the clock that a reference names; nil for the run's reference
// clock, and for one that the run does not have.
func (r *Run) Clock(ref model.ClockRef) *Clock {
	for i := range r.Sources {
		if s := &r.Sources[i]; s.ID == ref.Source && int(ref.Domain) < len(s.Clocks) {
			return &s.Clocks[ref.Domain]
		}
	}
	return nil
}

// Residual is how far the offsets that the run settled on lie outside of what the
// constraint allows; 0 where the constraint holds. It is missing where one of the
// two clocks has no single offset.
func (r *Run) Residual(c *model.Constraint) model.Maybe[time.Duration] {
	a, b := r.offset(c.A), r.offset(c.B)
	x, ok := a.Get()
	y, ok2 := b.Get()
	switch {
	case !ok:
		return a
	case !ok2:
		return b
	}
	least := time.Duration(-1)
	for _, in := range c.Allowed {
		d := max(in.Lo-(x-y), x-y-in.Hi, 0)
		if least < 0 || d < least {
			least = d
		}
	}
	if least < 0 {
		return model.Missing[time.Duration](model.NotApplicable)
	}
	return model.Known(least)
}

// offset is the estimate of a clock's offset.
func (r *Run) offset(ref model.ClockRef) model.Maybe[time.Duration] {
	if ref == (model.ClockRef{}) {
		return model.Known(time.Duration(0))
	}
	c := r.Clock(ref)
	switch {
	case c == nil:
		return model.Missing[time.Duration](model.ClockUnplaced)
	case c.Mapping.Placed && len(c.Mapping.Segments) > 1:
		return model.Missing[time.Duration](model.NotComputable)
	case c.Mapping.Placed && len(c.Mapping.Segments) == 1:
		return model.Known(c.Mapping.Segments[0].Offset.Estimate)
	case len(c.Mapping.Ranges) == 1:
		return model.Known(c.Mapping.Ranges[0].Estimate)
	}
	return model.Missing[time.Duration](model.ClockUnplaced)
}
