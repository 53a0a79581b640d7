package diagnosis

import (
	"time"

	"tracemerge/model"
	"tracemerge/model/breakdown"
	"tracemerge/model/device"
	"tracemerge/model/report"
)

// source describes one file of the run.
func source(p model.Placed, window model.Interval[model.Time], seen model.Set[model.Time]) report.Source {
	s := report.Source{Source: p.Source, Capture: p.Capture, Placed: p.OnTimeline(), Own: p.Window,
		Covered: model.Missing[time.Duration](model.ClockUnplaced)}
	for i, d := range p.Domains {
		c := report.Clock{Domain: d}
		if i < len(p.Mappings) {
			c.Mapping = p.Mappings[i]
		}
		s.Clocks = append(s.Clocks, c)
	}
	if s.Placed {
		in := seen.Within(window)
		s.Observed = in.Parts()
		s.Covered = model.Known(in.Len())
	}
	if p.Trace != nil {
		sets := device.BusySets(p.Capture)
		s.Trace = &report.Trace{Facts: p.Trace, Devices: device.TabulateSets(sets), Breakdown: breakdown.Of(p.Capture, sets), Reserve: reservation(p.Trace)}
	}
	return s
}

// reservation says what recording does to the figures, and in which direction:
// the recorder works on the host, so host work and the gaps on the device grow,
// while kernels take about their usual time (kineto#325, PyProf#171).
func reservation(f *model.TraceFacts) model.Phrase {
	on := func(m model.Maybe[bool]) bool {
		v, ok := m.Get()
		return ok && v
	}
	switch stack, shapes := on(f.WithStack), on(f.RecordShapes); {
	case stack && shapes:
		return model.Say("Recorded with stacks and shapes. Recording lengthens host work and the gaps between kernels; kernel times are about as usual. The trace's total time is not the program's normal time.")
	case stack:
		return model.Say("Recorded with stacks. Recording lengthens host work and the gaps between kernels; kernel times are about as usual. The trace's total time is not the program's normal time.")
	case shapes:
		return model.Say("Recorded with shapes. Recording lengthens host work and the gaps between kernels; kernel times are about as usual. The trace's total time is not the program's normal time.")
	}
	return model.Say("Recording lengthens host work and the gaps between kernels; kernel times are about as usual. The trace's total time is not the program's normal time.")
}
