package breakdown

import (
	"cmp"
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/device"
	"tracemerge/model/report"
)

// longestKept is how many gaps of a device are described one by one.
const longestKept = 5

// gaps returns the gaps of every device.
func gaps(c *model.Capture, sets []device.Sets) []report.DeviceGaps {
	var out []report.DeviceGaps
	for _, s := range sets {
		g := report.DeviceGaps{Device: s.Device, Window: s.Span}
		if w := c.Trace.Record; !w.Empty() && w.Start <= s.Span.Start && s.Span.End <= w.End {
			g.Window, g.Stated = w, true
		}
		free := s.All.Gaps(g.Window)
		g.Idle = free.Len()
		g.Buckets = buckets(free)
		g.Longest = longest(free, g.Window, g.Stated)
		out = append(out, g)
	}
	during(c, sets, out)
	return out
}

// buckets counts gaps by powers of ten from below 1 microsecond.
func buckets(free set) []report.GapBucket {
	var out []report.GapBucket
	for below := time.Microsecond; below <= 1000*time.Second; below *= 10 {
		out = append(out, report.GapBucket{Below: below})
	}
	out = append(out, report.GapBucket{Below: 1<<63 - 1})
	for g := range free.All() {
		i := slices.IndexFunc(out, func(b report.GapBucket) bool { return g.Len() < b.Below })
		out[i].N++
		out[i].Total += g.Len()
	}
	first := slices.IndexFunc(out, func(b report.GapBucket) bool { return b.N > 0 })
	if first < 0 {
		return nil
	}
	last := len(out)
	for out[last-1].N == 0 {
		last--
	}
	return out[first:last]
}

func longest(free set, window interval, stated bool) []report.Gap {
	all := slices.Clone(free.Parts())
	slices.SortStableFunc(all, func(a, b interval) int { return cmp.Compare(b.Len(), a.Len()) })
	var out []report.Gap
	for _, g := range all[:min(len(all), longestKept)] {
		out = append(out, report.Gap{At: g, Edge: stated && (g.Start == window.Start || g.End == window.End)})
	}
	return out
}

// seen collects what was recorded during one gap.
type seen struct {
	gap   *report.Gap
	kinds map[kindKey]*model.Gatherer[clock]
	track model.TrackID // the device
}

// kindKey keeps threads apart, within which records are ordered.
type kindKey struct {
	kind  model.SpanKind
	track int32
}

// during fills in, in one pass over the spans, what the trace recorded during and
// around the longest gaps.
func during(c *model.Capture, sets []device.Sets, gaps []report.DeviceGaps) {
	var all []*seen
	for d := range gaps {
		for i := range gaps[d].Longest {
			all = append(all, &seen{gap: &gaps[d].Longest[i], track: sets[d].Track,
				kinds: map[kindKey]*model.Gatherer[clock]{}})
		}
	}
	if len(all) == 0 {
		return
	}
	for b := range c.Spans.Batches() {
		for i := range b.Kind {
			at := interval{Start: clock(b.Start[i]), End: clock(b.End[i])}
			for _, s := range all {
				switch kind := model.SpanKind(b.Kind[i]); {
				case kind.OnDevice():
					s.beside(c, b, i, at)
				case onHost(kind) && at.Overlaps(s.gap.At):
					s.gather(kindKey{kind, b.Track[i]}, at.Intersect(s.gap.At))
				}
			}
		}
	}
	for _, s := range all {
		s.finish()
	}
}

// onHost reports whether a span of the kind shows what the host did.
func onHost(k model.SpanKind) bool {
	switch k {
	case model.SpanOperator, model.SpanRuntime, model.SpanAnnotation, model.SpanPython, model.SpanOverhead:
		return true
	}
	return false
}

// beside notes the device records that a gap lies between.
func (s *seen) beside(c *model.Capture, b model.SpanBatch, i int, at interval) {
	t := b.Track[i]
	if t < 0 || int(t) >= len(c.Tracks) || model.TrackID(t) != s.track && c.Tracks[t].Parent != s.track {
		return
	}
	pos := model.Pos{Source: c.Source.ID, Offset: b.Offset[i]}
	if at.End == s.gap.At.Start && s.gap.Before == (model.Pos{}) {
		s.gap.Before = pos
	}
	if at.Start == s.gap.At.End && s.gap.After == (model.Pos{}) {
		s.gap.After = pos
	}
}

func (s *seen) gather(key kindKey, at interval) {
	if s.kinds[key] == nil {
		s.kinds[key] = &model.Gatherer[clock]{}
	}
	s.kinds[key].Add(at)
}

func (s *seen) finish() {
	kinds := map[model.SpanKind]set{}
	for k, g := range s.kinds {
		kinds[k.kind] = kinds[k.kind].Union(g.Set())
	}
	for k, at := range kinds {
		s.gap.Kinds = append(s.gap.Kinds, report.GapKind{Kind: k, Time: at.Len()})
	}
	slices.SortFunc(s.gap.Kinds, func(a, b report.GapKind) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Kind, b.Kind))
	})
}
