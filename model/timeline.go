package model

import (
	"iter"
	"time"
)

// A Placed is a capture together with the mapping of each of its domains
// (indexed by DomainID).
type Placed struct {
	*Capture
	Mappings []Mapping
}

// OnTimeline reports whether the source has a clock that is placed on the
// timeline's reference clock. Records on another, unplaced clock of the same
// source stay off the timeline: At says so for each.
func (p Placed) OnTimeline() bool {
	for _, m := range p.Mappings {
		if m.Placed {
			return true
		}
	}
	return false
}

// At places a reading of the domain.
func (p Placed) At(d DomainID, c ClockTime) (at Time, width time.Duration, ok bool) {
	if int(d) >= len(p.Mappings) {
		return 0, 0, false
	}
	return p.Mappings[d].Place(c)
}

// A Timeline is one run on one clock.
type Timeline struct {
	Declared  *Declaration
	UTC       bool     // the reference clock is UTC; else it is that of source Reference
	Reference SourceID // the source whose clock is the reference when UTC is false; 0 if there is none at all
	Window    Interval[Time]
	Zone      *time.Location // in which the people of the run read their clocks; nil: not known
	WindowBy  Phrase         // how the window was chosen
	Captures  []Placed       // by source id
	Clocks    ClockArgument
	Notices   []Notice
}

// Marks yields every mark that has a place on the timeline, source by source in
// the order of the files.
func (t *Timeline) Marks() iter.Seq2[Time, Mark] {
	return func(yield func(Time, Mark) bool) {
		for _, c := range t.Captures {
			if c.Marks == nil || !c.OnTimeline() {
				continue
			}
			for m := range c.Marks.All() {
				if at, _, ok := c.At(m.Domain, m.At); ok && !yield(at, m) {
					return
				}
			}
		}
	}
}

// MomentAt is the shortest interval that holds t, for records that are a moment.
func MomentAt(t Time) Interval[Time] { return Interval[Time]{t, t + 1} }
