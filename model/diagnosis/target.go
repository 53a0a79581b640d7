package diagnosis

import (
	"tracemerge/model"
	"tracemerge/model/report"
)

// targets holds the declared targets against what was observed.
func targets(run *report.Run) []report.Target {
	var out []report.Target
	add := func(name, unit string, wanted, observed model.Maybe[float64], met func(want, got float64) bool) {
		w, ok := wanted.Get()
		if !ok {
			return
		}
		t := report.Target{Name: name, Unit: unit, Wanted: w, Observed: observed, Met: model.Missing[bool](observed.Why())}
		if got, ok := observed.Get(); ok {
			t.Met = model.Known(met(w, got))
		}
		out = append(out, t)
	}
	atMost := func(want, got float64) bool { return got <= want }
	atLeast := func(want, got float64) bool { return got >= want }
	window := model.Missing[float64](model.ClockUnplaced)
	if run.Window.Known {
		window = model.Known(run.Window.At.Len().Seconds())
	}
	d := run.Declared.Targets
	add("deadline_seconds", "s", d.DeadlineSeconds, window, atMost)
	add("accepted_per_minute", "1/min", d.AcceptedPerMinute, run.Progress.AcceptedPerMinute, atLeast)
	add("gpu_hours", "h", d.GPUHours, run.GPUHours(), atMost)
	return out
}
