// Package coverage says, for a source of any kind, when it observed the run and
// why it did not at other times.
//
// What counts as observed differs by kind, and says no more than this:
//
//   - a sampler observed from row to row, where no turn was missed
//   - a profiler trace observed within its recorder's window, or from its first
//     to its last record where the file states no window
//   - a log observed from its first to its last record. It shows points: that a
//     stage did not end is not shown by silence
//
// A trace that is cut off observed nothing in full: its records do not stand in
// the order of time, so what was cut off may lie anywhere. What it does show
// stays; what it does not show is unknown.
//
// For every source and window, the observed set and the intervals listed for the
// whole source (without a track) fill the window exactly, without overlap.
// Intervals with a track or a metric come on top of that.
package coverage

import (
	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/model/sample"
)

// Of returns when within the window the source observed the run, and the rest
// with reasons and places.
func Of(p model.Placed, window model.Interval[model.Time]) (observed model.Set[model.Time], unknown []report.Unknown) {
	switch {
	case p.Capture == nil || len(p.Mappings) == 0:
		return observed, nil // a file without records of its own, such as run.yaml
	case p.Samples != nil && p.Spans == nil && p.Marks == nil:
		return sample.Observed(p, window), sample.Unknown(p, window)
	}
	c := cover{p: p, window: window}
	if !c.anyPlaced() {
		why := p.Mappings[0].Why
		if why == model.NotSet {
			why = model.ClockUnplaced
		}
		return observed, append(c.add(nil, window, why, model.Phrase{}), c.holes()...)
	}
	hull := c.records()
	outside := model.OutsideObservation
	if p.Trace != nil || p.Spans != nil {
		outside = model.ProfilerNotRecording
		if p.Truncated {
			unknown = c.lost(hull)
			for gap := range hull.Gaps(window).All() {
				unknown = c.add(unknown, gap, outside, model.Phrase{})
			}
			return observed, append(unknown, c.holes()...)
		}
	}
	observed = hull.Within(window)
	end := hull.Hull().End
	for gap := range hull.Gaps(window).All() {
		why := outside
		if gap.Start >= end && p.Truncated && !hull.Empty() {
			why = model.TruncatedFile
		}
		unknown = c.add(unknown, gap, why, model.Phrase{})
	}
	return observed, append(unknown, c.holes()...)
}

// A cover is one source and the window.
type cover struct {
	p      model.Placed
	window model.Interval[model.Time]
}

func (c cover) anyPlaced() bool {
	for _, m := range c.p.Mappings {
		if m.Placed {
			return true
		}
	}
	return false
}

func (c cover) add(to []report.Unknown, at model.Interval[model.Time], why model.Reason, note model.Phrase) []report.Unknown {
	if at.Empty() {
		return to
	}
	return append(to, report.Unknown{Source: c.p.Source.ID, At: at, Placed: true, Why: why, Note: note})
}

// lost marks all that a cut-off trace recorded.
func (c cover) lost(hull model.Set[model.Time]) []report.Unknown {
	var out []report.Unknown
	for part := range hull.Within(c.window).All() {
		out = c.add(out, part, model.TruncatedFile, model.Say("the trace is cut off; its records do not stand in the order of time, so the lost ones may lie anywhere in it"))
	}
	return out
}

// records is where the source's records lie: piece by piece, each from its first
// to its last reading, or the recorder's window where a trace states one.
func (c cover) records() model.Set[model.Time] {
	var parts []model.Interval[model.Time]
	for j := range c.p.Mappings {
		valid := c.p.Domains[j].Valid
		if c.p.Trace != nil && !c.p.Trace.Record.Empty() && len(c.p.Mappings) == 1 {
			valid = c.p.Trace.Record
		}
		parts = append(parts, Place(c.p.Mappings[j], valid).Parts()...)
	}
	s := model.NewSet(parts...)
	if c.p.Source.Kind == model.KindLog {
		s = model.NewSet(s.Hull()) // a step of the clock is no pause of the log
	}
	return s
}

// holes lists what the reader marked as unknown on single tracks.
func (c cover) holes() []report.Unknown {
	var out []report.Unknown
	for _, t := range c.p.Tracks {
		for _, h := range t.Unknown {
			if c.p.Truncated && h.Why == model.TruncatedFile {
				continue // said of the whole source
			}
			u := report.Unknown{Source: c.p.Source.ID, Track: t.Name, Placed: true, Why: h.Why, Note: h.Note, From: h.From}
			if int(t.Domain) >= len(c.p.Mappings) || !c.p.Mappings[t.Domain].Placed {
				u.Placed, u.At = false, model.Interval[model.Time]{Start: model.Time(h.At.Start), End: model.Time(h.At.End)}
				out = append(out, u)
				continue
			}
			for part := range Place(c.p.Mappings[t.Domain], h.At).Within(c.window).All() {
				u.At = part
				out = append(out, u)
			}
		}
	}
	return out
}

// Place puts an interval of a source's clock on the timeline, segment by segment
// at the estimated offsets. What lies in no segment is left out.
func Place(m model.Mapping, i model.Interval[model.ClockTime]) model.Set[model.Time] {
	if !m.Placed {
		return model.Set[model.Time]{}
	}
	var parts []model.Interval[model.Time]
	for _, s := range m.Segments {
		in := s.Valid.Intersect(i)
		if in.Empty() {
			continue
		}
		by := model.Time(s.Offset.Estimate)
		parts = append(parts, model.Interval[model.Time]{Start: model.Time(in.Start) + by, End: model.Time(in.End) + by})
	}
	return model.NewSet(parts...)
}
