package sample

import (
	"time"

	"tracemerge/model"
)

// Utilization is the readings of utilization.gpu of one device on the run's clock,
// with their places. Those of a clock that was set back do not rise.
type Utilization struct {
	Device   model.Text
	Track    model.TrackID
	Readings []Reading
	From     []model.Pos   // by index of Readings
	Width    time.Duration // greatest doubt of the clock about any of the stamps
	Step     time.Duration // resolution of the stamps
}

// Utilizations returns the readings of every device of a placed sampler source that
// has any.
func Utilizations(p model.Placed) []Utilization {
	if p.Capture == nil || p.Samples == nil || !p.OnTimeline() {
		return nil
	}
	of := make([]Utilization, len(p.Tracks))
	domains := cursor{c: p.Capture}
	for b := range p.Samples.Batches() {
		for i := range b.At {
			t, m := int(b.Track[i]), int(b.Metric[i])
			if t < 0 || t >= len(of) || m < 0 || m >= len(p.Metrics) || b.Why[i] != model.Present || p.Metrics[m].Role != model.RoleGPUBusy {
				continue
			}
			at, width, ok := p.At(domains.at(b.Offset[i]), model.ClockTime(b.At[i]))
			if !ok {
				continue
			}
			u := &of[t]
			u.Readings = append(u.Readings, Reading{at, b.Value[i]})
			u.From = append(u.From, model.Pos{Source: p.Source.ID, Line: b.Line[i], Offset: b.Offset[i]})
			u.Width = max(u.Width, width)
		}
	}
	var out []Utilization
	for t := range of {
		if len(of[t].Readings) > 0 {
			of[t].Device, of[t].Track = p.Tracks[t].Identity(), model.TrackID(t)
			for _, d := range p.Domains {
				of[t].Step = max(of[t].Step, d.Step)
			}
			out = append(out, of[t])
		}
	}
	return out
}
