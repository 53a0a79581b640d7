package hypothesis

import (
	"testing"

	"tracemerge/model"
	"tracemerge/model/report"
)

// Memory that is full, during a pause and at another time.
func TestMemoryAgainstPauses(t *testing.T) {
	for _, c := range []struct {
		name        string
		pause, rest float64 // of 100 allocated
		pro, con    int
		want        report.State
	}{
		{"full in the pause", 97, 50, 2, 0, report.Supported},
		{"full only outside of it", 50, 97, 1, 1, report.NotSupported},
		{"never full", 50, 60, 0, 2, report.NotSupported},
	} {
		bucket := func(from, to model.Time, v float64) report.Bucket {
			return report.Bucket{Support: model.Interval[model.Time]{Start: from * second, End: to * second}, Lo: v, Hi: v, Known: true, N: 1}
		}
		run := staged(nil)
		run.Pauses = []report.Pause{{At: model.Interval[model.Time]{Start: 40 * second, End: 50 * second}}}
		run.Devices = []report.Device{{Source: 1, Placed: true, Metrics: []report.Metric{
			{Role: model.RoleMemoryUsed, Max: model.Known(max(c.pause, c.rest)), Series: []report.Bucket{bucket(0, 38, c.rest), bucket(42, 44, c.pause), bucket(60, 90, c.rest)}},
			{Role: model.RoleMemoryTotal, Max: model.Known(100.0)}}}}
		h := state(t, run, &model.Timeline{}, "memory_pressure")
		if h.State != c.want || len(h.Supports) != c.pro || len(h.Against) != c.con {
			t.Errorf("%s: %s with %d for, %d against; want %s, %d, %d", c.name, h.State, len(h.Supports), len(h.Against), c.want, c.pro, c.con)
		}
	}
}
