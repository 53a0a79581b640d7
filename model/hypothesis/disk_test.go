package hypothesis

import (
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// diskTimeline is a block device with a sample of its use each second, and the host
// with one of its I/O wait.
func diskTimeline(doubt time.Duration, util, wait func(second int) float64) *model.Timeline {
	c := &model.Capture{Source: model.Source{ID: 5, Kind: model.KindHost}, Domains: []model.Domain{{Kind: model.DomainUnix, Step: time.Second}},
		Tracks:  []model.Track{{ID: 0, Kind: model.TrackHost, Parent: model.NoTrack}, {ID: 1, Kind: model.TrackDisk, Parent: 0}},
		Metrics: []model.Metric{{ID: 0, Role: model.RoleIOWait}, {ID: 1, Role: model.RoleDiskBusy}}}
	var rows model.SampleRows
	for i := range 100 {
		at := model.ClockTime(i+1) * model.ClockTime(second)
		if wait != nil {
			rows = append(rows, model.Sample{At: at, Track: 0, Metric: 0, Value: model.Known(wait(i)), Line: int32(i + 1), Offset: int64(i)})
		}
		if util != nil {
			rows = append(rows, model.Sample{At: at, Track: 1, Metric: 1, Value: model.Known(util(i)), Line: int32(i + 1), Offset: int64(i)})
		}
	}
	c.Samples = rows
	whole := model.Interval[model.ClockTime]{Start: -1 << 60, End: 1 << 60}
	seg := model.Segment{Valid: whole, Offset: model.OffsetRange{Lo: -doubt, Hi: doubt}}
	return &model.Timeline{Captures: []model.Placed{{Capture: c, Mappings: []model.Mapping{{Placed: true, Segments: []model.Segment{seg}}}}}}
}

// from is v from the second on, and low before.
func from(start int, v, low float64) func(int) float64 {
	return func(second int) float64 {
		if second >= start {
			return v
		}
		return low
	}
}

func TestDisksWhileWriting(t *testing.T) {
	// Writing lies at 80..100 s and is hidden behind compute, so the stages alone speak
	// against the hypothesis.
	stages := map[model.StageID]model.Set[model.Time]{model.StageWrite: set(80, 100), model.StageGPUCompute: set(0, 100)}
	for _, c := range []struct {
		name                       string
		doubt                      time.Duration
		util, wait                 func(int) float64
		supports, against, missing int
	}{
		{"no host file", 0, nil, nil, 0, 1, 1},
		{"a full device", 0, from(80, 99, 0), nil, 1, 1, 0},
		{"a device that was full before only", 0, from(80, 1, 99), nil, 0, 1, 1},
		{"neither full nor empty", 0, from(0, 50, 50), nil, 0, 1, 0},
		{"waits of all cores", 0, from(0, 50, 50), from(80, 40, 0), 1, 1, 0},
		{"waits alone say nothing of an empty device", 0, nil, from(0, 0, 0), 0, 1, 0},
		{"a clock that may be off by a minute", time.Minute, from(80, 99, 0), nil, 0, 1, 1},
		{"a clock that may be off by 5 s leaves the middle of the stage", 5 * time.Second, from(80, 99, 0), nil, 1, 1, 0},
	} {
		tl := diskTimeline(c.doubt, c.util, c.wait)
		if c.util == nil && c.wait == nil {
			tl = &model.Timeline{}
		}
		h := state(t, staged(stages), tl, "write_bound")
		if len(h.Supports) != c.supports || len(h.Against) != c.against || len(h.Missing) != c.missing {
			t.Errorf("%s: %d for, %d against, %d missing; want %d, %d, %d", c.name, len(h.Supports), len(h.Against), len(h.Missing), c.supports, c.against, c.missing)
		}
		for _, e := range h.Supports {
			if e.At.Line < 80 {
				t.Errorf("%s: evidence on line %d, before the stage", c.name, e.At.Line)
			}
		}
	}
}

func TestDisksWhileReading(t *testing.T) {
	run := staged(map[model.StageID]model.Set[model.Time]{model.StageFileOpen: set(0, 50), model.StageGPUCompute: set(50, 100)})
	h := state(t, run, diskTimeline(0, from(50, 0, 97), nil), "input_bound")
	if len(h.Supports) != 2 || h.Supports[1].At.Source != 5 {
		t.Errorf("got %d for: %+v", len(h.Supports), h.Supports)
	}
}

func TestAllCoresHideAThread(t *testing.T) {
	for idle, want := range map[float64]int{60: 2, 10: 1} {
		tl := hostTimeline(values(20, 190), values(20, 99))
		host := diskTimeline(0, nil, func(int) float64 { return idle })
		host.Captures[0].Metrics[0].Role = model.RoleCPUIdle
		tl.Captures = append(tl.Captures, host.Captures...)
		if h := state(t, staged(nil), tl, "cpu_thread_bound"); len(h.Supports) != want || h.State != report.Supported {
			t.Errorf("all cores %v %% idle: %s with %d for, want %d", idle, h.State, len(h.Supports), want)
		}
	}
}
