package hypothesis

import (
	"cmp"
	"math"
	"slices"

	"tracemerge/model"
	"tracemerge/model/report"
)

// Thresholds of sampling in step with the work. The resultant is the length of
// the mean of unit vectors at the phases of the stamps within their steps: 0 for
// stamps spread evenly, 1 for stamps at one phase (Rayleigh's test of a
// direction). Evenly spread phases reach lockedMuch with a chance below
// exp(-20·0.36) < 0.001 with lockedNeeds stamps.
const (
	lockedMuch   = 0.6
	lockedLittle = 0.3
	lockedNeeds  = 20
)

// samplingLocked looks at where the stamps of a sampler fall within the steps or
// batches. A sampler in step with the work sees the same part of it every time.
func samplingLocked(v *view) (f finding) {
	f.thresholds = append(f.thresholds, model.Say("with the phases of at least {} stamps as directions, a mean of length {} or more speaks for it, below {} against it (a choice of ours)", lockedNeeds, lockedMuch, lockedLittle))
	spans := v.serialSpans()
	if len(spans) == 0 {
		f.lacks(model.Say("steps or batches, one after the other, on the run's clock"))
		return f
	}
	sampled := false
	for _, c := range v.tl.Captures {
		if c.Samples == nil || !c.OnTimeline() {
			continue
		}
		sampled = true
		for _, s := range stampsOf(c) {
			n, r := resultant(s.at, spans)
			if n < lockedNeeds {
				continue
			}
			f.evaluated = true
			e := report.Evidence{At: s.first, When: v.run.Window.At, What: model.Say("device {}: {} stamps within steps or batches, mean phase vector {} (1: always the same part of the step)", s.id, n, math.Round(r*100)/100)}
			switch {
			case r >= lockedMuch:
				f.pro(e)
			case r < lockedLittle:
				f.con(e)
			}
		}
	}
	switch {
	case !sampled:
		f.lacks(model.Say("GPU samples placed on the run's clock"))
	case !f.evaluated:
		f.lacks(model.Say("at least {} samples of one device within steps or batches", lockedNeeds))
	}
	return f
}

// serialSpans are the steps or batches of the first waterfall whose rows follow
// each other; none where they overlap, as an instant then has no one phase.
func (v *view) serialSpans() []model.Interval[model.Time] {
	for _, w := range v.run.Waterfalls {
		if !w.Basis.Placed || w.By == "task" || len(w.Spans) < 2 {
			continue
		}
		spans := slices.Clone(w.Spans)
		slices.SortFunc(spans, func(a, b model.Interval[model.Time]) int { return cmp.Compare(a.Start, b.Start) })
		serial := true
		for i := 1; i < len(spans); i++ {
			serial = serial && spans[i].Start >= spans[i-1].End
		}
		if serial {
			return spans
		}
	}
	return nil
}

type stamps struct {
	id    model.Text
	at    []model.Time
	first model.Pos
}

// stampsOf are the placed stamps of each device of a sampler, one per row.
func stampsOf(c model.Placed) []stamps {
	out := make([]stamps, len(c.Tracks))
	last := make([]int64, len(c.Tracks))
	for b := range c.Samples.Batches() {
		for i := range b.At {
			t := int(b.Track[i])
			if t < 0 || t >= len(out) || c.Tracks[t].Kind != model.TrackDevice || len(out[t].at) > 0 && last[t] == b.Offset[i] {
				continue
			}
			at, _, ok := c.At(c.DomainAt(b.Offset[i]), model.ClockTime(b.At[i]))
			if !ok {
				continue
			}
			if len(out[t].at) == 0 {
				out[t].id, out[t].first = c.Tracks[t].Identity(), model.Pos{Source: c.Source.ID, Line: b.Line[i], Offset: b.Offset[i]}
			}
			out[t].at, last[t] = append(out[t].at, at), b.Offset[i]
		}
	}
	return slices.DeleteFunc(out, func(s stamps) bool { return len(s.at) == 0 })
}

// resultant is how many of the stamps lie within spans, and the length of the
// mean of their phases as unit vectors.
func resultant(at []model.Time, spans []model.Interval[model.Time]) (n int, r float64) {
	var x, y float64
	for _, t := range at {
		k, _ := slices.BinarySearchFunc(spans, t, func(s model.Interval[model.Time], t model.Time) int {
			if s.End <= t {
				return -1
			}
			return 1
		})
		if k == len(spans) || !spans[k].Contains(t) {
			continue
		}
		phase := 2 * math.Pi * float64(t-spans[k].Start) / float64(spans[k].Len())
		x, y, n = x+math.Cos(phase), y+math.Sin(phase), n+1
	}
	if n == 0 {
		return 0, 0
	}
	return n, math.Hypot(x, y) / float64(n)
}
