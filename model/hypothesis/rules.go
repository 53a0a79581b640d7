package hypothesis

import (
	"tracemerge/model"
	"tracemerge/model/report"
)

func (v *view) ours() model.Phrase {
	return model.Say("a stage alone for at least {} of the window speaks for it, below {} against it ({})", model.Fraction(v.at[model.AloneMuch]), model.Fraction(v.at[model.AloneLittle]), v.origin(model.AloneMuch, model.AloneLittle))
}

func inputBound(v *view) (f finding) {
	input, haveInput := v.set(model.StageCPUPreparation, model.StageFileOpen)
	gpu, haveGPU := v.set(model.StageGPUCompute)
	if !haveInput || !haveGPU {
		f.lacks(model.Say("stages of reading or preparation and of GPU compute in one source"))
		return f
	}
	f.evaluated = true
	f.thresholds = append(f.thresholds, v.ours())
	later, _ := v.set(model.StageTransfer, model.StageCommunication, model.StageWrite, model.StageVerification)
	alone := input.Subtract(gpu.Union(later)).Len()
	switch s := v.share(alone); {
	case s >= v.at[model.AloneMuch]:
		f.pro(v.stageEvidence(model.Say("reading or preparation ran for {} while no later stage did, a share of {} of the window", alone, model.Fraction(s))))
	case s < v.at[model.AloneLittle]:
		f.con(v.stageEvidence(model.Say("reading or preparation ran alone for only {}, a share of {} of the window", alone, model.Fraction(s))))
	}
	for _, p := range v.run.Pauses {
		if p.HasStage && (p.Stage == model.StageFileOpen || p.Stage == model.StageCPUPreparation) && len(p.Evidence) > 0 {
			f.pro(report.Evidence{At: p.Evidence[0].At, When: p.At, What: model.Say("a pause of {}: {}", p.At.Len(), p.Why)})
		}
	}
	v.diskUse(&f, input, model.Say("while input was read or prepared"))
	sampled := v.busy(func(d report.Device, r model.Range[float64]) {
		at := model.Pos{Source: d.Source}
		switch {
		case r.Hi <= v.at[model.BusyLow]:
			f.pro(report.Evidence{At: at, When: v.run.Window.At, What: model.Say("device {} had a kernel executing in at most {} of the window, by its samples", d.ID, model.Fraction(r.Hi))})
		case r.Lo >= v.at[model.BusyHigh]:
			f.con(report.Evidence{At: at, When: v.run.Window.At, What: model.Say("device {} had a kernel executing in at least {} of the window, by its samples", d.ID, model.Fraction(r.Lo))})
		}
	})
	if !sampled {
		f.lacks(model.Say("GPU samples placed on the run's clock"))
	}
	return f
}

// aloneRule is the rule for one stage that no other stage hides.
func aloneRule(v *view, id model.StageID) (f finding) {
	r, ok := v.stages[id]
	if !ok {
		f.lacks(model.Say("the stage {} was not observed", id))
		return f
	}
	f.evaluated = true
	f.thresholds = append(f.thresholds, v.ours())
	switch s := v.share(r.Exclusive); {
	case s >= v.at[model.AloneMuch]:
		f.pro(v.stageEvidence(model.Say("{} ran alone for {}, a share of {} of the window", id, r.Exclusive, model.Fraction(s))))
	case s < v.at[model.AloneLittle]:
		f.con(v.stageEvidence(model.Say("{} ran alone for only {}, a share of {} of the window", id, r.Exclusive, model.Fraction(s))))
	}
	return f
}

func launchBound(v *view) (f finding) {
	found := v.traces(func(s report.Source, d report.TraceDevice) {
		if d.Kernels < kernelsNeeded || d.Span.Len() <= 0 {
			return
		}
		f.evaluated = true
		mean := d.KernelSum / durationOf(d.Kernels)
		idle := float64(d.Idle) / float64(d.Span.Len())
		e := report.Evidence{At: model.Pos{Source: s.ID}}
		e.What = model.Say("device {}: {} kernels of {} on average, no device work in {} of the recorded span", d.Device, d.Kernels, mean, model.Fraction(idle))
		switch {
		case mean < shortKernel && idle >= v.at[model.IdleMuch]:
			f.pro(e)
		case mean >= shortKernel || idle < v.at[model.IdleLittle]:
			f.con(e)
		}
	})
	f.thresholds = append(f.thresholds, model.Say("kernels shorter than {} (as TraceLens calls short), no device work in at least {} of the span (as its idle threshold)", shortKernel, model.Fraction(v.at[model.IdleMuch])))
	if !found || !f.evaluated {
		f.lacks(model.Say("a profiler trace with at least {} kernels", kernelsNeeded))
	}
	return f
}

func rejectedWork(v *view) (f finding) {
	p := v.run.Progress
	acc, ok := p.Accepted.Get()
	rej, ok2 := p.Rejected.Get()
	if !ok || !ok2 || acc+rej == 0 {
		f.lacks(model.Say("counts of accepted and rejected outputs in a log"))
		return f
	}
	f.evaluated = true
	at := report.Evidence{At: v.basis, When: v.run.Window.At}
	if len(p.Evidence) > 0 {
		at.At = p.Evidence[0].At
	}
	share := float64(rej) / float64(acc+rej)
	at.What = model.Say("{} of {} outputs were rejected, a share of {}", rej, acc+rej, model.Fraction(share))
	switch {
	case share >= v.at[model.RejectedMuch]:
		f.pro(at)
	case share < v.at[model.RejectedFew]:
		f.con(at)
	}
	if n, ok := p.Retries.Get(); ok && float64(n) >= v.at[model.RejectedMuch]*float64(acc+rej) {
		at.What = model.Say("{} retries were logged for {} outputs", n, acc+rej)
		f.pro(at)
	}
	f.thresholds = append(f.thresholds, model.Say("rejected share, or retries for each output, at least {} for; rejected share below {} against ({})", model.Fraction(v.at[model.RejectedMuch]), model.Fraction(v.at[model.RejectedFew]), v.origin(model.RejectedMuch, model.RejectedFew)))
	return f
}

func collectorFailure(v *view) (f finding) {
	sampled := false
	for _, s := range v.run.Sources {
		sampled = sampled || s.Kind == model.KindSMI
	}
	if !sampled {
		f.lacks(model.Say("a sampler's file"))
		return f
	}
	f.evaluated = true
	late := 0
	for _, u := range v.run.Unknown {
		if u.Why != model.CollectorGap || !u.Placed {
			continue
		}
		if u.Late { // as a busy host delays a loop that runs
			late++
			continue
		}
		e := report.Evidence{At: model.Pos{Source: u.Source}, When: u.At, What: model.Say("{} wrote nothing for {}", u.Source, u.At.Len())}
		if len(u.From) > 0 {
			e.At = u.From[0]
		}
		f.pro(e)
		for _, p := range v.run.Progress.Points {
			if u.At.Contains(p.At) {
				f.pro(report.Evidence{At: v.basis, When: model.MomentAt(p.At), What: model.Say("the log states progress inside that gap")})
				break
			}
		}
	}
	if len(f.supports) == 0 {
		none := model.Say("no gap was found in the samplers' files")
		if late > 0 {
			none = model.Say("no gap was found in the samplers' files; {} rows came late, up to 3 times their usual distance and 5 s after the one before", late)
		}
		f.con(report.Evidence{At: model.Pos{}, When: v.run.Window.At, What: none})
	}
	return f
}
