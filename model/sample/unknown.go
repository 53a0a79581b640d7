package sample

import (
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// Observed is the part of the window in which the collector is known to have
// been at work on any of its tracks: from row to row where no turn was missed.
// It says nothing about whether the rows had values. It is empty for a source
// that is not placed.
func Observed(p model.Placed, window model.Interval[model.Time]) model.Set[model.Time] {
	if p.Capture == nil || p.Samples == nil {
		return model.Set[model.Time]{}
	}
	s := newScan(p, window)
	if !s.onRun {
		return model.Set[model.Time]{}
	}
	return s.observed().Within(window)
}

func (s *scan) observed() model.Set[model.Time] {
	var all model.Set[model.Time]
	for t := range s.tracks {
		all = all.Union(s.alive(t))
	}
	return all
}

// alive is where the rows of a track show the collector at work.
func (s *scan) alive(t int) model.Set[model.Time] {
	var u union
	for _, r := range s.tracks[t] {
		if r.placed {
			u.add(r.alive())
		}
	}
	return u.set()
}

// Unknown lists what a sampler source does not show within the window, with
// reasons and places:
//
//   - for the whole source: outside its records, and where no track had a row
//   - for a track: where it had no row although another had
//   - for a metric with a role: the runs of rows without a value, less the time
//     that neighbouring values speak for
//
// A source that is not placed is unknown throughout; its gaps and runs are then
// listed on its own axis, with Placed false.
func Unknown(p model.Placed, window model.Interval[model.Time]) []report.Unknown {
	if p.Capture == nil {
		return nil
	}
	s := newScan(p, window)
	var out []report.Unknown
	if !s.onRun {
		why := model.ClockUnplaced
		out = append(out, report.Unknown{Source: p.Source.ID, At: window, Placed: true, Why: why})
	}
	all := s.observed()
	out = append(out, s.source(all)...)
	for t := range s.tracks {
		if len(s.tracks) > 1 && standing(&s.p.Tracks[t]) {
			out = append(out, s.track(t, all)...)
		}
	}
	series := s.collect(standing)
	for t, metrics := range series {
		for m, e := range metrics {
			if e != nil {
				out = append(out, s.absent(t, m, e)...)
			}
		}
	}
	return out
}

// standing reports whether a track is listed in every turn of its collector. A
// process or thread is not: one that is absent did not run or did nothing.
func standing(t *model.Track) bool {
	switch t.Kind {
	case model.TrackDevice, model.TrackHost, model.TrackCore, model.TrackDisk:
		return true
	}
	return false
}

func (s *scan) entry(at model.Interval[model.Time], why model.Reason) report.Unknown {
	return report.Unknown{Source: s.p.Source.ID, At: at, Placed: s.onRun, Why: why}
}

// source lists where no track had a row.
func (s *scan) source(observed model.Set[model.Time]) []report.Unknown {
	hull := observed.Hull()
	var out []report.Unknown
	for gap := range observed.Gaps(s.window).All() {
		u := s.entry(gap, model.CollectorGap)
		if gap.End <= hull.Start || gap.Start >= hull.End || observed.Empty() {
			u.Why = s.outside(gap.Start >= hull.End && !observed.Empty())
		}
		s.explain(&u, -1)
		s.late(&u, -1)
		out = append(out, u)
	}
	return out
}

// outside is the reason for time before or after the records.
func (s *scan) outside(after bool) model.Reason {
	if after && s.p.Truncated {
		return model.TruncatedFile
	}
	for _, m := range s.p.Mappings {
		if s.onRun && !m.Placed {
			return model.ClockUnplaced // a piece of the file may lie here
		}
	}
	return model.OutsideObservation
}

// track lists where one track had no row although another had.
func (s *scan) track(t int, others model.Set[model.Time]) []report.Unknown {
	if len(s.tracks[t]) == 0 {
		return nil
	}
	own := s.alive(t)
	hull := own.Hull()
	var out []report.Unknown
	for gap := range others.Subtract(own).Within(s.window).All() {
		u := s.entry(gap, model.CollectorGap)
		if gap.End <= hull.Start || gap.Start >= hull.End {
			u.Why = model.OutsideObservation
		}
		u.Track = s.name(t)
		s.explain(&u, t)
		s.late(&u, t)
		if gap.Len() <= s.usual[t] {
			continue // the rows of one turn are written one after the other
		}
		out = append(out, u)
	}
	return out
}

// name tells a track from the others of its source: the device's key (index, else
// UUID, else bus id), as two devices may share a product name; else its name.
func (s *scan) name(t int) model.Text {
	return s.p.Tracks[t].Identity()
}

// explain takes over what the reader noted about the same stretch, on one track
// or, with -1, on any; and otherwise the row after it as the place.
func (s *scan) explain(u *report.Unknown, only int) {
	for t := range s.p.Tracks {
		if only >= 0 && t != only {
			continue
		}
		for _, h := range s.p.Tracks[t].Unknown {
			d := s.p.Tracks[t].Domain
			if len(h.From) > 0 { // of a later piece of the clock
				d = s.p.DomainAt(h.From[0].Offset)
			}
			at, ok := s.interval(d, h.At)
			if ok && at.Overlaps(u.At) && u.Why != model.OutsideObservation {
				u.Why, u.Note, u.From = h.Why, h.Note, h.From
				return
			}
		}
	}
	if u.Why != model.CollectorGap {
		return
	}
	for t, rows := range s.tracks {
		if only >= 0 && t != only {
			continue
		}
		i := after(rows, u.At.End)
		if i < len(rows) {
			u.From = []model.Pos{rows[i].pos(s.p.Source.ID)}
			return
		}
	}
}

// late tells rows that came late from a collector that had stopped: by the row after the
// gap, on one track or, with -1, on any.
func (s *scan) late(u *report.Unknown, only int) {
	if u.Why != model.CollectorGap {
		return
	}
	for t, rows := range s.tracks {
		if only >= 0 && t != only {
			continue
		}
		i := after(rows, u.At.End)
		if i == len(rows) || !rows[i].late {
			continue
		}
		if d, ok := distance(rows, i); ok && tardy(d, s.usual[t], s.step()) {
			u.Late = true
			if u.Note.Empty() {
				u.Note = model.Say("a row came late, {} after the one before where {} are usual", d, s.usual[t])
			}
			return
		}
	}
}

// after is the first row at or after an instant.
func after(rows []row, at model.Time) int {
	i, _ := slices.BinarySearchFunc(rows, at, func(r row, at model.Time) int {
		if r.at < at {
			return -1
		}
		return 1
	})
	return i
}

// interval places an interval of a track's clock by its ends.
func (s *scan) interval(d model.DomainID, i model.Interval[model.ClockTime]) (model.Interval[model.Time], bool) {
	start, _, ok := s.place(d, i.Start)
	end, _, ok2 := s.place(d, i.End-1)
	return model.Interval[model.Time]{Start: start, End: end + 1}, ok && ok2
}

// absent lists the runs of rows without a value of one metric.
func (s *scan) absent(t, m int, e *series) []report.Unknown {
	if len(e.missing) == 0 {
		return nil
	}
	known := e.known.set()
	var out []report.Unknown
	for _, run := range e.missing {
		at := run.at
		if at.Empty() {
			at.End++ // a row without a period: its instant
		}
		for part := range model.NewSet(at).Subtract(known).Within(s.window).All() {
			u := s.entry(part, run.why)
			u.Track, u.Metric, u.From = s.name(t), s.p.Metrics[m].Name, run.from
			u.Note = model.Say("rows without a value: {}", run.rows)
			out = append(out, u)
		}
	}
	return out
}

// Usual is the usual distance of the rows of each track, 0 where there are fewer
// than two; by TrackID.
func Usual(p model.Placed) []time.Duration {
	if p.Capture == nil || p.Samples == nil {
		return nil
	}
	return newScan(p, model.Interval[model.Time]{}).usual
}
