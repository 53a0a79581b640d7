package hypothesis

import (
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// view is a run as the rules look at it.
type view struct {
	run      *report.Run
	tl       *model.Timeline
	stages   map[model.StageID]report.StageRow // of the primary basis
	window   time.Duration
	basis    model.Pos // a place in the source of the stages
	at       map[model.Threshold]float64
	declared map[model.Threshold]bool // those that run.yaml states
}

func newView(run *report.Run, tl *model.Timeline) *view {
	v := &view{run: run, tl: tl, stages: map[model.StageID]report.StageRow{}}
	v.at, v.declared = model.DefaultThresholds(), map[model.Threshold]bool{}
	if run.Declared != nil {
		for _, t := range run.Declared.Thresholds {
			v.at[t.Name], v.declared[t.Name] = t.Value, true
		}
	}
	if run.Primary < 0 {
		return v
	}
	t := run.Stages[run.Primary]
	v.window = t.Window.Len()
	for _, r := range t.Rows {
		v.stages[r.Stage] = r
	}
	if len(t.Basis.Sources) > 0 {
		v.basis = model.Pos{Source: t.Basis.Sources[0]}
	}
	return v
}

// set is where any of the stages ran; ok is false if none of them was observed.
func (v *view) set(ids ...model.StageID) (s model.Set[model.Time], ok bool) {
	for _, id := range ids {
		if r, have := v.stages[id]; have {
			s, ok = s.Union(r.Set), true
		}
	}
	return s, ok
}

// share is d over the window of the stages.
func (v *view) share(d time.Duration) float64 {
	if v.window <= 0 {
		return 0
	}
	return float64(d) / float64(v.window)
}

// stageEvidence is evidence that rests on the stages of the primary basis.
func (v *view) stageEvidence(what model.Phrase) report.Evidence {
	return report.Evidence{At: v.basis, When: v.run.Stages[v.run.Primary].Window, What: what}
}

// busy gives the bounds of the sampled busy share of every placed device.
func (v *view) busy(f func(report.Device, model.Range[float64])) (any bool) {
	for _, d := range v.run.Devices {
		if r, ok := d.BusyShare.Get(); ok && d.Placed {
			f(d, r)
			any = true
		}
	}
	return any
}

// traces gives every device of every trace.
func (v *view) traces(f func(report.Source, report.TraceDevice)) (any bool) {
	for _, s := range v.run.Sources {
		if s.Trace == nil {
			continue
		}
		for _, d := range s.Trace.Devices {
			f(s, d)
			any = true
		}
	}
	return any
}

func durationOf(n int64) time.Duration { return time.Duration(n) }

// origin says where thresholds come from.
func (v *view) origin(names ...model.Threshold) model.Phrase {
	for _, n := range names {
		if v.declared[n] {
			return model.Say("set in run.yaml")
		}
	}
	return model.Say("a choice of ours")
}
