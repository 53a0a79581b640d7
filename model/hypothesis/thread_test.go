package hypothesis

import (
	"testing"

	"tracemerge/model"
	"tracemerge/model/report"
)

// hostTimeline is one process and one thread of it with a sample of %CPU each second.
func hostTimeline(process, thread []float64) *model.Timeline {
	c := &model.Capture{Source: model.Source{ID: 5, Kind: model.KindHost}, Domains: []model.Domain{{Kind: model.DomainUnix}},
		Tracks:  []model.Track{{ID: 0, Kind: model.TrackProcess, Parent: model.NoTrack}},
		Metrics: []model.Metric{{Role: model.RoleCPUBusy}}}
	var rows model.SampleRows
	add := func(track model.TrackID, values []float64) {
		for i, v := range values {
			rows = append(rows, model.Sample{At: model.ClockTime(i+1) * model.ClockTime(second), Track: track, Value: model.Known(v), Line: int32(i + 1), Offset: int64(i)})
		}
	}
	add(0, process)
	if thread != nil {
		c.Tracks = append(c.Tracks, model.Track{ID: 1, Kind: model.TrackProcess, Parent: 0})
		add(1, thread)
	}
	c.Samples = rows
	whole := model.Interval[model.ClockTime]{Start: -1 << 60, End: 1 << 60}
	return &model.Timeline{Captures: []model.Placed{{Capture: c, Mappings: []model.Mapping{{Placed: true, Segments: []model.Segment{{Valid: whole}}}}}}}
}

func values(n int, v float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

func TestOneFullThread(t *testing.T) {
	for _, c := range []struct {
		name            string
		process, thread []float64
		pause           bool
		want            report.State
		missing         int
	}{
		{"a full thread behind a process of two cores", values(20, 190), values(20, 99), false, report.Supported, 0},
		{"no full thread in a process of two cores", values(20, 190), values(20, 60), false, report.NotSupported, 0},
		{"a process of one full core whose threads were not recorded", values(20, 99), nil, false, report.Supported, 1},
		{"a process of several cores whose threads were not recorded", values(20, 400), nil, false, report.NotSupported, 1},
		{"full for a moment", values(20, 50), append(values(18, 10), 99, 99), false, report.NotSupported, 0},
		{"full whenever there is a pause", values(20, 50), append(values(18, 10), 99, 99), true, report.Supported, 0},
	} {
		run := staged(nil)
		if c.pause {
			run.Pauses = []report.Pause{{At: model.Interval[model.Time]{Start: 19 * second, End: 21 * second}}}
		}
		h := state(t, run, hostTimeline(c.process, c.thread), "cpu_thread_bound")
		if h.State != c.want || len(h.Missing) != c.missing {
			t.Errorf("%s: %s with %d missing, want %s with %d", c.name, h.State, len(h.Missing), c.want, c.missing)
		}
	}
}
