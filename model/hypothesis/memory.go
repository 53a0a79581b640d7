package hypothesis

import (
	"tracemerge/model"
	"tracemerge/model/report"
)

// memoryPressure weighs how full the memory of each device was at most, and how full
// during the pauses: memory that is full at another time holds nothing up.
func memoryPressure(v *view) (f finding) {
	for _, d := range v.run.Devices {
		var used, total *report.Metric
		for i := range d.Metrics {
			switch d.Metrics[i].Role {
			case model.RoleMemoryUsed:
				used = &d.Metrics[i]
			case model.RoleMemoryTotal:
				total = &d.Metrics[i]
			}
		}
		if used == nil || total == nil {
			continue
		}
		u, ok := used.Max.Get()
		t, ok2 := total.Max.Get()
		if !ok || !ok2 || t <= 0 {
			continue
		}
		f.evaluated = true
		v.fullness(&f, report.Evidence{At: model.Pos{Source: d.Source}, When: v.run.Window.At, What: model.Say("device {}: at most {} of its memory was allocated", d.ID, model.Fraction(u/t))}, u/t)
		if most, n, when := inPauses(used, v.run.Pauses); d.Placed && n > 0 {
			v.fullness(&f, report.Evidence{At: model.Pos{Source: d.Source}, When: when, What: model.Say("device {}: in the {} pauses with samples at most {} of its memory was allocated", d.ID, n, model.Fraction(most/t))}, most/t)
		}
	}
	f.thresholds = append(f.thresholds, model.Say("occupied share at least {} for, below {} against ({})", model.Fraction(v.at[model.MemoryFull]), model.Fraction(v.at[model.MemoryRoom]), v.origin(model.MemoryFull, model.MemoryRoom)))
	if !f.evaluated {
		f.lacks(model.Say("memory.used and memory.total samples"))
	}
	return f
}

func (v *view) fullness(f *finding, e report.Evidence, share float64) {
	switch {
	case share >= v.at[model.MemoryFull]:
		f.pro(e)
	case share < v.at[model.MemoryRoom]:
		f.con(e)
	}
}

// inPauses is the greatest sample that speaks for a part of a pause, in how many
// pauses there is one, and the pause with the greatest.
func inPauses(used *report.Metric, pauses []report.Pause) (most float64, n int, when model.Interval[model.Time]) {
	for _, p := range pauses {
		seen := false
		for _, b := range used.Series {
			if !b.Known || !b.Support.Overlaps(p.At) {
				continue
			}
			if n == 0 && !seen || b.Hi > most {
				most, when = b.Hi, p.At
			}
			seen = true
		}
		if seen {
			n++
		}
	}
	return most, n, when
}
