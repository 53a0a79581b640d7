package sample

import (
	"testing"
	"time"

	"tracemerge/model"
)

// A day of 8 devices at 1 Hz with two metrics.
func BenchmarkDevices(b *testing.B) {
	var cells []cell
	for i := range 86400 {
		cells = append(cells, cell{float64(i), i % 101, 1000})
	}
	p := source(cells...)
	one := p.Samples.(model.SampleRows)
	for t := 1; t < 8; t++ {
		p.Tracks = append(p.Tracks, model.Track{ID: model.TrackID(t), Kind: model.TrackDevice})
		for _, s := range one[:86400*2] {
			s.Track = model.TrackID(t)
			p.Samples = append(p.Samples.(model.SampleRows), s)
		}
	}
	w := model.Interval[model.Time]{Start: 0, End: model.Time(24 * time.Hour)}
	for b.Loop() {
		Devices(p, w, Regular())
	}
}
