// Package diagnosis makes one run's part of the report out of its timeline: it
// calls the analyses in the order in which they need one another and gathers
// what they found. It judges nothing itself.
//
//	timeline ─► sources, coverage ─► stages ─► what-if ─┐
//	        └─► sampled devices, trace devices ─────────┼─► pauses ─► hypotheses ─► findings
//	        └─► progress ─► targets ────────────────────┘
package diagnosis

import (
	"context"
	"time"

	"tracemerge/model"
	"tracemerge/model/coverage"
	"tracemerge/model/device"
	"tracemerge/model/hypothesis"
	"tracemerge/model/pause"
	"tracemerge/model/progress"
	"tracemerge/model/ranks"
	"tracemerge/model/report"
	"tracemerge/model/sample"
	"tracemerge/model/stage"
	"tracemerge/model/whatif"
)

// Run diagnoses one run. The label stands where run.yaml declares no name.
func Run(ctx context.Context, tl *model.Timeline, label model.Text, opt report.Options) (report.Run, error) {
	run := report.Run{Label: label, Declared: tl.Declared, Primary: -1}
	if !tl.Declared.Name.Empty() {
		run.Label = tl.Declared.Name
	}
	run.Window = report.Window{At: tl.Window, Known: !tl.Window.Empty(), UTC: tl.UTC, Zone: tl.Zone, By: tl.WindowBy}
	run.Clocks = tl.Clocks
	run.Notices = append(run.Notices, tl.Notices...)
	var observed []pause.Observed
	var traces []tracedDevice
	for _, p := range tl.Captures {
		if err := ctx.Err(); err != nil {
			return run, err
		}
		seen, unknown := coverage.Of(p, tl.Window)
		var sets []device.Sets
		if p.Trace != nil {
			sets = device.BusySets(p.Capture)
			traces = append(traces, traced(p, sets)...)
		}
		src := source(p, tl.Window, seen, sets)
		run.Sources = append(run.Sources, src)
		run.Unknown = append(run.Unknown, unknown...)
		run.Devices = append(run.Devices, sample.Devices(p, tl.Window, sampler(opt))...)
		if src.Placed && len(p.Tracks) > 0 {
			observed = append(observed, pause.Observed{Source: p.Source.ID, Set: seen})
		}
	}
	stages := stage.Analyse(tl, opt.Basis)
	run.Notices = append(run.Notices, stages.Notices...)
	run.Waterfalls, run.Differences = stages.Waterfalls, stages.Differences
	for _, t := range stages.Tables {
		run.Stages = append(run.Stages, t.StageTable)
	}
	run.GPUShare = model.Missing[model.Range[float64]](model.NoSource)
	switch {
	case stages.Primary >= 0:
		main := &stages.Tables[stages.Primary]
		run.Primary, run.Accounted, run.GPUShare = stages.Primary, main.Accounted, main.GPUShare()
		run.WhatIf = whatif.Bound(main, opt.Scenarios)
	case len(stages.Tables) > 0:
		run.Accounted, run.GPUShare = stage.Unplaced(tl.Window), model.Missing[model.Range[float64]](model.ClockUnplaced)
		run.WhatIf = whatif.None(model.ClockUnplaced, opt.Scenarios)
	default:
		run.WhatIf = whatif.None(model.NoSource, opt.Scenarios)
	}
	run.Hosts = sample.Hosts(tl.Captures, tl.Window)
	run.Ranks = ranks.Of(tl)
	run.CrossChecks = crossChecks(tl, traces)
	run.Progress = progress.Of(tl)
	pauses, found, err := pause.Find(ctx, pause.Input{Timeline: tl, Ran: ran(stages), Unattributed: run.Accounted.UnattributedSet, Observed: observed, Progress: run.Progress, Batch: usualBatch(&run)})
	if err != nil {
		return run, err
	}
	run.Pauses, run.PauseRule = pauses, pause.Rule(found)
	run.Targets = targets(&run)
	run.Hypotheses = hypothesis.Weigh(&run, tl)
	run.Findings, run.Limits = findings(&run), limits(&run)
	return run, nil
}

// usualBatch is what a steady batch of the primary basis took.
func usualBatch(run *report.Run) model.Maybe[time.Duration] {
	if run.Primary < 0 || len(run.Waterfalls) == 0 || run.Waterfalls[0].Batches.Of == 0 {
		return model.Missing[time.Duration](model.NotRecorded)
	}
	return run.Waterfalls[0].Batches.Steady.Length.Median
}

// sampler is what the bounds of busy shares rest on.
func sampler(opt report.Options) sample.Sampler {
	if opt.AnySampler {
		return sample.Strict()
	}
	return sample.Regular()
}

// ran is what the pause rules look at: the stages of the primary basis, one by
// one, where they are on the run's clock.
func ran(a stage.Analysis) []pause.Ran {
	if a.Primary < 0 {
		return nil
	}
	var out []pause.Ran
	for _, i := range a.Tables[a.Primary].Items {
		if i.Open {
			continue
		}
		out = append(out, pause.Ran{Stage: i.Stage, Input: model.Text{Raw: i.Input, Class: model.ClassInput}, At: i.At, From: i.From, To: i.To})
	}
	return out
}
