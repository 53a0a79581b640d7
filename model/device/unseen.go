package device

import "tracemerge/model"

// Unseen is where the trace says, or another file of the run, that records of the
// device may be missing: launches without a record, records that the profiler lost.
func Unseen(c *model.Capture) model.Set[model.ClockTime] {
	var all []model.Interval[model.ClockTime]
	for _, t := range c.Tracks {
		if t.Kind != model.TrackDevice && t.Kind != model.TrackStream {
			continue
		}
		for _, h := range t.Unknown {
			all = append(all, h.At)
		}
	}
	return model.NewSet(all...)
}
