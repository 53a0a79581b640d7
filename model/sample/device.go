package sample

import (
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// Devices describes every GPU that a sampler source has samples of,
// by track: each metric within the window, and bounds on the time in which the
// device was executing kernels. A source that is not placed is described on its
// own axis, over its own records; nothing of the window is known from it.
// The bounds rest on the sampler; where the readings contradict it, they rest on
// what NVIDIA states and no more (Strict).
func Devices(p model.Placed, window model.Interval[model.Time], s Sampler) []report.Device {
	return Tracks(p, window, s, func(t *model.Track) bool { return t.Kind == model.TrackDevice })
}

// Tracks is Devices for the tracks that keep picks, such as processes and
// threads.
func Tracks(p model.Placed, window model.Interval[model.Time], by Sampler, keep func(*model.Track) bool) []report.Device {
	if p.Capture == nil || p.Samples == nil {
		return nil
	}
	s := newScan(p, window)
	s.sampler = by
	var out []report.Device
	for t, series := range s.collect(keep) {
		if series == nil {
			continue
		}
		out = append(out, s.device(t, series, window))
	}
	return out
}

// A series is one metric of one track while its samples are gone through.
type series struct {
	by             rule
	samples        int64
	notKnown       int64
	min, max, sum  float64
	known          union
	plot           plot
	readings       []reading    // of RoleGPUBusy
	missing        []stretch    // runs of rows without a value
	lastRow        int          // of the track, of the latest sample
	why            model.Reason // of the first sample without a value
	wantsStretches bool
}

// A reading is a Reading with what is not known about its stamp.
type reading struct {
	Reading
	width time.Duration
}

// A stretch is a run of rows without a value and with one reason.
type stretch struct {
	at   model.Interval[model.Time]
	why  model.Reason
	rows int64
	from []model.Pos // first and last
}

// collect goes through the samples once and returns the series by track and
// metric; nil for tracks that are not kept or have none.
func (s *scan) collect(keep func(*model.Track) bool) [][]*series {
	out := make([][]*series, len(s.tracks))
	if s.p.Samples == nil {
		return out
	}
	next := make([]int, len(s.tracks)) // index of the current row, plus one
	for b := range s.p.Samples.Batches() {
		for i := range b.At {
			t, m := int(b.Track[i]), int(b.Metric[i])
			if t < 0 || t >= len(s.tracks) || m < 0 || m >= len(s.p.Metrics) || !keep(&s.p.Tracks[t]) {
				continue
			}
			rows := s.tracks[t]
			cell := row{c: model.ClockTime(b.At[i]), line: b.Line[i], offset: b.Offset[i]}
			if n := next[t]; n == 0 || !rows[n-1].same(cell) {
				next[t]++
			}
			if out[t] == nil {
				out[t] = make([]*series, len(s.p.Metrics))
			}
			if out[t][m] == nil {
				role := s.p.Metrics[m].Role
				out[t][m] = &series{by: ruleFor(role, s.p.Tracks[t].Kind), plot: newPlot(s.window, len(rows)), lastRow: -1,
					wantsStretches: role != model.RoleNone}
			}
			r := rows[next[t]-1]
			if !r.placed {
				continue
			}
			if b.Why[i] == model.Present {
				out[t][m].value(s, r, b.Value[i], s.p.Metrics[m].Role)
			} else {
				out[t][m].absence(s, r, next[t]-1, model.Reason(b.Why[i]))
			}
		}
	}
	return out
}

// value takes a known sample.
func (e *series) value(s *scan, r row, v float64, role model.Role) {
	support := r.support(e.by)
	e.known.add(support)
	if within(s.window, r.at) {
		if e.samples == 0 {
			e.min, e.max = v, v
		}
		e.min, e.max, e.sum = min(e.min, v), max(e.max, v), e.sum+v
		e.samples++
	}
	if role == model.RoleGPUBusy {
		e.readings = append(e.readings, reading{Reading{r.at, v}, r.width})
	}
	if within(s.window, r.at) || support.Overlaps(s.window) {
		e.plot.add(r.at, report.Bucket{Support: support, Unsure: e.by.unsure(), Lo: v, Hi: v, Known: true, N: 1})
	}
}

// absence takes a row without a value.
func (e *series) absence(s *scan, r row, index int, why model.Reason) {
	if e.why == model.NotSet {
		e.why = why
	}
	support := r.support(e.by)
	if within(s.window, r.at) {
		e.notKnown++
	}
	if within(s.window, r.at) || support.Overlaps(s.window) {
		e.plot.add(r.at, report.Bucket{Support: support, Why: why, N: 1})
	}
	if !e.wantsStretches {
		return
	}
	pos := r.pos(s.p.Source.ID)
	if n := len(e.missing); n > 0 && e.lastRow == index-1 && e.missing[n-1].why == why && !r.late && r.at >= e.missing[n-1].at.End {
		last := &e.missing[n-1]
		last.at.End = r.at
		last.rows++
		last.from = append(last.from[:1], pos)
	} else {
		e.missing = append(e.missing, stretch{at: support, why: why, rows: 1, from: []model.Pos{pos}})
	}
	e.lastRow = index
}

// within includes the window's end, as an undeclared end is the last record.
func within(w model.Interval[model.Time], t model.Time) bool { return w.Start <= t && t <= w.End }

// device turns the series of one track into its description.
func (s *scan) device(t int, all []*series, window model.Interval[model.Time]) report.Device {
	track := &s.p.Tracks[t]
	d := report.Device{Source: s.p.Source.ID, Track: track.ID, ID: s.name(t), Facts: track.Facts, Placed: s.onRun,
		BusyShare: model.Missing[model.Range[float64]](model.NotRecorded)}
	seen := false
	for m, e := range all {
		if e == nil {
			continue
		}
		def := &s.p.Metrics[m]
		d.Metrics = append(d.Metrics, s.metric(def, e, window))
		if def.Role == model.RoleGPUBusy && !seen {
			d.BusyShare, d.BusyBy = s.share(e, window)
			seen = true
		}
	}
	return d
}

// metric turns one series into its figures.
func (s *scan) metric(def *model.Metric, e *series, window model.Interval[model.Time]) report.Metric {
	m := report.Metric{Name: def.Name, Unit: def.Unit, Role: def.Role, Samples: e.samples, NotKnown: e.notKnown,
		Series: e.plot.out, Shown: int64(len(e.plot.out)), Of: e.plot.of}
	if s.onRun {
		m.Known = e.known.set().Within(window).Len()
	}
	m.Unknown = window.Len() - m.Known
	if e.samples > 0 {
		m.Min, m.Max = model.Known(e.min), model.Known(e.max)
		m.Mean = model.Known(e.sum / float64(e.samples))
		return m
	}
	why := model.OutsideObservation
	if e.notKnown > 0 {
		why = e.why
	}
	m.Min, m.Mean, m.Max = model.Missing[float64](why), model.Missing[float64](why), model.Missing[float64](why)
	return m
}

// share bounds the part of the window with a kernel executing.
func (s *scan) share(e *series, window model.Interval[model.Time]) (model.Maybe[model.Range[float64]], model.Phrase) {
	none := func(why model.Reason) model.Maybe[model.Range[float64]] {
		return model.Missing[model.Range[float64]](why)
	}
	by := s.sampler.words()
	switch {
	case !s.onRun:
		return none(model.ClockUnplaced), by
	case window.Empty():
		return none(model.NotComputable), by
	case len(e.readings) == 0 && e.why != model.NotSet:
		return none(e.why), by
	case len(e.readings) == 0:
		return none(model.OutsideObservation), by
	}
	bounds, ok := s.bounds(e, window, s.sampler)
	if !ok && s.sampler != Strict() {
		bounds, ok = s.bounds(e, window, Strict())
		by = model.Say("the readings contradict a reading renewed every {}; {}", refresh, Strict().words())
	}
	if !ok {
		return none(model.Conflict), model.Say("the readings contradict one another, or every stated sampler: no bound is given")
	}
	whole := float64(window.Len())
	return model.Known(model.Range[float64]{Lo: float64(bounds.Lo) / whole, Hi: float64(bounds.Hi) / whole}), by
}

// bounds intersects what the readings of each clock piece allow under a sampler;
// ok is false if they contradict it or one another.
func (s *scan) bounds(e *series, window model.Interval[model.Time], by Sampler) (bounds model.Range[time.Duration], ok bool) {
	bounds.Hi = window.Len()
	step := s.step()
	for _, g := range groups(e.readings) {
		b, ok := Busy(g.readings, window, by, Doubt{Step: step, Width: g.width})
		if !ok {
			return bounds, false
		}
		bounds.Lo, bounds.Hi = max(bounds.Lo, b.Lo), min(bounds.Hi, b.Hi)
	}
	return bounds, bounds.Lo <= bounds.Hi
}

// step is the coarsest resolution of the source's stamps.
func (s *scan) step() time.Duration {
	var step time.Duration
	for i := range s.p.Domains {
		step = max(step, s.p.Domains[i].Step)
	}
	return step
}

// A group is readings whose stamps share one doubt and rise.
type group struct {
	readings []Reading
	width    time.Duration
}

// groups cuts readings where the clock steps. Those that are placed exactly stay
// together as long as they rise; those with a doubt stay with their piece, as
// the doubts of two pieces have nothing to do with each other.
func groups(rs []reading) []group {
	var out []group
	exact, last := -1, -1
	for i, r := range rs {
		at := last
		switch {
		case r.width == 0:
			at = exact
		case i == 0 || rs[i-1].width != r.width || rs[i-1].At > r.At:
			at = -1
		}
		if at >= 0 {
			if g := out[at].readings; g[len(g)-1].At > r.At {
				at = -1
			}
		}
		if at < 0 {
			at = len(out)
			out = append(out, group{width: r.width})
		}
		out[at].readings = append(out[at].readings, r.Reading)
		last = at
		if r.width == 0 {
			exact = at
		}
	}
	for i := range out {
		out[i].readings = slices.Clip(out[i].readings)
	}
	return out
}
