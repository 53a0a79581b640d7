package hypothesis

import (
	"tracemerge/model"
	"tracemerge/model/report"
)

// samplerAgainstTrace weighs the cross-checks of the devices that sampler and trace
// name alike, and says of those which contradict what else is still possible.
func samplerAgainstTrace(v *view) (f finding) {
	f.thresholds = append(f.thresholds, model.Say("more than 5 % of the tested readings, of at least 4, cannot be what the trace recorded, whatever the refresh of the sampler between 1/6 s and 1 s"))
	seen := false
	for _, c := range v.run.CrossChecks {
		if !c.SameName {
			continue
		}
		seen = true
		e := report.Evidence{At: c.First, When: v.run.Window.At}
		switch c.Verdict {
		case report.CheckAgrees:
			f.evaluated = true
			e.At = model.Pos{Source: c.Sampler}
			e.What = model.Say("device {} of {}: {} readings can be what {} recorded on it ({} cannot)", c.Device, c.Sampler, c.Tested-c.Above-c.Below, c.Trace, c.Above+c.Below)
			f.con(e)
		case report.CheckContradicts:
			f.evaluated = true
			e.What = model.Say("device {} of {}: of {} readings {} are above and {} below what {} recorded on it. {}", c.Device, c.Sampler, c.Tested, c.Above, c.Below, c.Trace, v.stillPossible(c))
			f.pro(e)
		}
	}
	switch {
	case !seen:
		f.lacks(model.Say("a sampled and a traced device of one name, both on the run's clock"))
	case !f.evaluated:
		f.lacks(model.Say("at least 4 samples within a trace's device records (a longer trace, or --loop-ms=100)"))
	}
	return f
}

// stillPossible says what would explain a contradiction.
func (v *view) stillPossible(c report.CrossCheck) model.Phrase {
	out := model.Say("Still possible: a wrong clock, or another device.")
	if c.Below == 0 {
		out = model.Say("Still possible: another process on the device, a wrong clock, or another device.")
	}
	for _, o := range v.run.CrossChecks {
		if o.Sampler == c.Sampler && o.Trace == c.Trace && o.TraceDevice == c.TraceDevice && !o.SameName && o.Verdict == report.CheckAgrees {
			return model.Say("{} The readings of device {} would fit.", out, o.Device)
		}
	}
	return out
}
