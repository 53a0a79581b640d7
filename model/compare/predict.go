package compare

import (
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// supposedGap is how far the observed factor of a stage may lie from the one that
// a default scenario supposes before that scenario is about something else: a
// tenth of the stage's time, a convention of ours. Scenarios asked for on the
// command line are shown in any case.
const supposedGap = 0.1

// predictions holds the baseline's what-if against the outcome. A scenario is
// about one change, so it says something only as far as the factors that it
// supposes are those that were observed; both stand beside each other.
func predictions(c *report.Comparison, a, b *report.Run) {
	if a.Primary < 0 || b.Primary < 0 {
		c.NoPrediction = model.Say("The stages of one of the runs were not observed, so no scenario can be held against the outcome.")
		return
	}
	for i := range a.WhatIf.Rows {
		s := &a.WhatIf.Rows[i]
		p := report.Prediction{Scenario: s.Name, Total: s.Total, Outcome: model.Missing[time.Duration](model.ClockUnplaced)}
		fits := len(s.Changes) > 0
		for _, k := range s.Changes {
			o := observedFactor(a, b, k.Stage)
			p.Supposed = append(p.Supposed, report.Supposed{Change: k, Observed: o})
			r, ok := o.Get()
			fits = fits && ok && r.Lo-supposedGap <= k.Factor && k.Factor <= r.Hi+supposedGap
		}
		if !s.Asked && !fits {
			continue
		}
		if b.Window.Known {
			p.Outcome = model.Known(b.Window.At.Len())
		}
		p.Where = where(p)
		c.Predictions = append(c.Predictions, p)
	}
	if len(c.Predictions) == 0 {
		c.NoPrediction = advice(a, b)
	}
}

func where(p report.Prediction) string {
	r, ok := p.Total.Get()
	d, ok2 := p.Outcome.Get()
	switch {
	case !ok || !ok2:
		return ""
	case d < r.Lo:
		return "shorter"
	case d > r.Hi:
		return "longer"
	}
	return "inside"
}

func observedFactor(a, b *report.Run, id model.StageID) model.Maybe[model.Range[float64]] {
	return ratio(total(&a.Stages[a.Primary], id), total(&b.Stages[b.Primary], id))
}

// advice names the scenario that would have been about what happened: the stage
// whose time changed most.
func advice(a, b *report.Run) model.Phrase {
	var most model.StageID
	var change time.Duration
	var factor float64
	found := false
	rows := b.Stages[b.Primary].Rows
	for _, r := range a.Stages[a.Primary].Rows {
		i := slices.IndexFunc(rows, func(x report.StageRow) bool { return x.Stage == r.Stage })
		if i < 0 || r.Busy <= 0 {
			continue
		}
		if d := max(r.Busy-rows[i].Busy, rows[i].Busy-r.Busy); d > change {
			most, change, factor, found = r.Stage, d, float64(rows[i].Busy)/float64(r.Busy), true
		}
	}
	if !found {
		return model.Say("No stage that both runs show changed its time, so no scenario of the baseline is about the change.")
	}
	return model.Say("No scenario of the baseline supposes what was observed: {} took {} of its time. Build again with that as a what-if to hold the bounds against the outcome.", most, model.Fraction(factor))
}
