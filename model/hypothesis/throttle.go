package hypothesis

import (
	"slices"
	"strings"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/model/stat"
)

// slowdownBits are the bits of NVML's clocks event reasons that lower clocks
// below what was asked for: software power cap 0x4, hardware slowdown 0x8,
// software thermal 0x20, hardware thermal 0x40, hardware power brake 0x80.
const slowdownBits = 0x4 | 0x8 | 0x20 | 0x40 | 0x80

// slowdown reports whether a reading of a throttle metric states such a reason.
// A metric named for one reason is a flag; gpu_idle and the settings of an
// operator are no slowdown.
func slowdown(name string, value float64) bool {
	if strings.HasSuffix(name, ".active") {
		return int64(value)&slowdownBits != 0
	}
	for _, r := range []string{"sw_power_cap", "hw_slowdown", "sw_thermal_slowdown", "hw_thermal_slowdown", "hw_power_brake_slowdown"} {
		if strings.HasSuffix(name, r) {
			return value != 0
		}
	}
	return false
}

func throttled(v *view) (f finding) {
	for _, c := range v.tl.Captures {
		names := map[int32]string{}
		for _, m := range c.Metrics {
			if m.Role == model.RoleThrottle {
				names[int32(m.ID)] = m.Name.Raw.Reveal()
			}
		}
		if c.Samples == nil || len(names) == 0 {
			continue
		}
		slow, known := 0, 0
		var slowAt, clearAt []model.Time
		var first model.Pos
		for b := range c.Samples.Batches() {
			for i := range b.At {
				name, ok := names[b.Metric[i]]
				if !ok || b.Why[i] != model.Present {
					continue
				}
				known++
				at, _, placed := c.At(c.DomainAt(b.Offset[i]), model.ClockTime(b.At[i]))
				slowed := slowdown(name, b.Value[i])
				switch {
				case !placed:
				case slowed:
					slowAt = append(slowAt, at)
				default:
					clearAt = append(clearAt, at)
				}
				if slowed {
					if slow == 0 {
						first = model.Pos{Source: c.Source.ID, Line: b.Line[i], Offset: b.Offset[i]}
					}
					slow++
				}
			}
		}
		if known == 0 {
			continue
		}
		f.evaluated = true
		if slow > 0 {
			f.pro(report.Evidence{At: first, What: model.Say("{} of {} samples state a slowdown reason", slow, known)})
			v.slowedSteps(&f, first, slowAt, clearAt)
		} else {
			f.con(report.Evidence{At: model.Pos{Source: c.Source.ID}, What: model.Say("none of {} samples states a slowdown reason", known)})
		}
	}
	if !f.evaluated {
		f.lacks(model.Say("clocks event reasons in the GPU samples (clocks_event_reasons.active)"))
	}
	return f
}

// slowedSteps compares the steps or batches with a sample that states a slowdown
// with those whose samples state none.
func (v *view) slowedSteps(f *finding, at model.Pos, slowAt, clearAt []model.Time) {
	slices.Sort(slowAt)
	slices.Sort(clearAt)
	var slowed, free []float64
	for _, s := range v.serialSpans() {
		switch {
		case anyIn(slowAt, s):
			slowed = append(slowed, s.Len().Seconds())
		case anyIn(clearAt, s):
			free = append(free, s.Len().Seconds())
		}
	}
	a, b := stat.MedianOf(slowed), stat.MedianOf(free)
	apart, known := stat.Apart(a, b)
	if !known {
		f.lacks(model.Say("enough steps or batches with and without slowdown, one after the other, to compare their times"))
		return
	}
	x, _ := a.Value.Get()
	y, _ := b.Value.Get()
	e := report.Evidence{At: at, When: v.run.Window.At, What: model.Say("{} steps or batches with a slowdown sample took {} s, {} without one {} s (medians)", len(slowed), x, len(free), y)}
	if apart && x > y {
		f.pro(e)
		return
	}
	f.con(e)
}

// anyIn reports whether one of the ordered instants lies in the span.
func anyIn(at []model.Time, s model.Interval[model.Time]) bool {
	i, _ := slices.BinarySearch(at, s.Start)
	return i < len(at) && at[i] < s.End
}
