package hypothesis

import (
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

const second = model.Time(time.Second)

func set(spans ...model.Time) model.Set[model.Time] {
	var in []model.Interval[model.Time]
	for i := 0; i < len(spans); i += 2 {
		in = append(in, model.Interval[model.Time]{Start: spans[i] * second, End: spans[i+1] * second})
	}
	return model.NewSet(in...)
}

// staged is a run of 100 s with the given stages.
func staged(stages map[model.StageID]model.Set[model.Time]) *report.Run {
	t := report.StageTable{Window: model.Interval[model.Time]{End: 100 * second}, Basis: report.Basis{Sources: []model.SourceID{1}}}
	for id, s := range stages {
		var others model.Set[model.Time]
		for o, x := range stages {
			if o != id {
				others = others.Union(x)
			}
		}
		t.Rows = append(t.Rows, report.StageRow{Stage: id, Set: s, Busy: s.Len(), Exclusive: s.Subtract(others).Len()})
	}
	return &report.Run{Stages: []report.StageTable{t}, Primary: 0, Window: report.Window{At: t.Window, Known: true}, Declared: &model.Declaration{}}
}

func state(t *testing.T, run *report.Run, tl *model.Timeline, id string) report.Hypothesis {
	t.Helper()
	for _, h := range Weigh(run, tl) {
		if h.ID == id {
			return h
		}
	}
	t.Fatalf("no hypothesis %q", id)
	return report.Hypothesis{}
}

func TestInputBound(t *testing.T) {
	cases := []struct {
		name string
		run  *report.Run
		want report.State
	}{
		{"preparation alone for half of the window", staged(map[model.StageID]model.Set[model.Time]{
			model.StageCPUPreparation: set(0, 50), model.StageGPUCompute: set(50, 100)}), report.Supported},
		{"preparation hidden behind compute", staged(map[model.StageID]model.Set[model.Time]{
			model.StageCPUPreparation: set(0, 50), model.StageGPUCompute: set(0, 100)}), report.NotSupported},
		{"no compute stage observed", staged(map[model.StageID]model.Set[model.Time]{
			model.StageCPUPreparation: set(0, 50)}), report.NotEvaluated},
		{"no stages at all", &report.Run{Primary: -1, Declared: &model.Declaration{}}, report.NotEvaluated},
	}
	for _, c := range cases {
		h := state(t, c.run, &model.Timeline{}, "input_bound")
		if h.State != c.want {
			t.Errorf("%s: %s, want %s", c.name, h.State, c.want)
		}
		if h.State == report.NotEvaluated && len(h.Missing) == 0 {
			t.Errorf("%s: abstains without saying what is missing", c.name)
		}
	}
}

func TestWriteBound(t *testing.T) {
	run := staged(map[model.StageID]model.Set[model.Time]{model.StageWrite: set(80, 100), model.StageGPUCompute: set(0, 80)})
	if h := state(t, run, &model.Timeline{}, "write_bound"); h.State != report.Supported || len(h.Supports) != 1 {
		t.Errorf("write alone for a fifth: %s", h.State)
	}
	run = staged(map[model.StageID]model.Set[model.Time]{model.StageWrite: set(80, 100), model.StageGPUCompute: set(0, 100)})
	if h := state(t, run, &model.Timeline{}, "write_bound"); h.State != report.NotSupported {
		t.Errorf("write behind compute: %s", h.State)
	}
}

// throttleTimeline is a sampler with one throttle metric.
func throttleTimeline(name string, values ...float64) *model.Timeline {
	var rows model.SampleRows
	for i, v := range values {
		rows = append(rows, model.Sample{At: model.ClockTime(i), Value: model.Known(v), Line: int32(i + 2)})
	}
	c := &model.Capture{Source: model.Source{ID: 3}, Samples: rows, Metrics: []model.Metric{{Role: model.RoleThrottle, Name: model.NewText(name, model.ClassMetric)}}}
	return &model.Timeline{Captures: []model.Placed{{Capture: c}}}
}

func TestThrottleReasons(t *testing.T) {
	cases := []struct {
		name   string
		metric string
		values []float64
		want   report.State
	}{
		{"the GPU is idle: no slowdown", "clocks_event_reasons.active", []float64{1, 1, 0}, report.NotSupported},
		{"an operator's setting: no slowdown", "clocks_event_reasons.active", []float64{2}, report.NotSupported},
		{"software power cap", "clocks_event_reasons.active", []float64{0, 4}, report.Supported},
		{"hardware and thermal slowdown", "clocks_throttle_reasons.active", []float64{0x48}, report.Supported},
		{"a flag of one reason", "clocks_event_reasons.hw_slowdown", []float64{0, 1}, report.Supported},
		{"a flag that is no slowdown", "clocks_event_reasons.gpu_idle", []float64{1}, report.NotSupported},
	}
	run := &report.Run{Primary: -1, Declared: &model.Declaration{}}
	for _, c := range cases {
		if h := state(t, run, throttleTimeline(c.metric, c.values...), "throttled"); h.State != c.want {
			t.Errorf("%s: %s, want %s", c.name, h.State, c.want)
		}
	}
	if h := state(t, run, &model.Timeline{}, "throttled"); h.State != report.NotEvaluated {
		t.Errorf("without the metric: %s", h.State)
	}
}

func TestMemoryPressure(t *testing.T) {
	run := func(used, total float64) *report.Run {
		return &report.Run{Primary: -1, Declared: &model.Declaration{}, Devices: []report.Device{{Metrics: []report.Metric{
			{Role: model.RoleMemoryUsed, Max: model.Known(used)}, {Role: model.RoleMemoryTotal, Max: model.Known(total)}}}}}
	}
	for _, c := range []struct {
		used, total float64
		want        report.State
	}{{95, 100, report.Supported}, {92, 100, report.NotSupported}, {10, 100, report.NotSupported}} {
		if h := state(t, run(c.used, c.total), &model.Timeline{}, "memory_pressure"); h.State != c.want {
			t.Errorf("%v of %v: %s, want %s", c.used, c.total, h.State, c.want)
		}
	}
}

func TestCollectorFailure(t *testing.T) {
	run := &report.Run{Primary: -1, Declared: &model.Declaration{}, Sources: []report.Source{{Source: model.Source{ID: 1, Kind: model.KindSMI}}},
		Unknown: []report.Unknown{{Source: 1, Why: model.CollectorGap, Placed: true, At: model.Interval[model.Time]{Start: 0, End: 9 * second}, From: []model.Pos{{Source: 1, Line: 40}}}}}
	h := state(t, run, &model.Timeline{}, "collector_failure")
	if h.State != report.Supported || h.Supports[0].At.Line != 40 {
		t.Errorf("a gap: %s at %v", h.State, h.Supports)
	}
	run.Unknown[0].Late = true
	if h := state(t, run, &model.Timeline{}, "collector_failure"); h.State != report.NotSupported {
		t.Errorf("a late row: %s", h.State)
	}
	run.Unknown = nil
	if h := state(t, run, &model.Timeline{}, "collector_failure"); h.State != report.NotSupported {
		t.Errorf("no gap: %s", h.State)
	}
}

// Every statement is worded as what it is consistent with, and names what would
// separate it; none names a cause.
func TestWording(t *testing.T) {
	for _, r := range table() {
		text, _ := r.statement.Format()
		if len(text) < 16 || text[:16] != "Consistent with:" || r.next.Empty() {
			t.Errorf("%s: %q", r.id, text)
		}
	}
}

// A threshold of run.yaml decides, and is said to.
func TestDeclaredThresholdDecides(t *testing.T) {
	run := staged(map[model.StageID]model.Set[model.Time]{model.StageWrite: set(80, 100), model.StageGPUCompute: set(0, 80)})
	for value, want := range map[float64]report.State{0.1: report.Supported, 0.5: report.NotSupported} {
		run.Declared = &model.Declaration{Thresholds: []model.DeclaredThreshold{{Name: model.AloneMuch, Value: value}}}
		h := state(t, run, &model.Timeline{}, "write_bound")
		if h.State != want {
			t.Errorf("alone_much %v: %s, want %s", value, h.State, want)
		}
	}
}
