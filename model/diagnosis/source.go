package diagnosis

import (
	"time"

	"tracemerge/model"
	"tracemerge/model/breakdown"
	"tracemerge/model/device"
	"tracemerge/model/report"
)

// source describes one file of the run; sets are the busy times of a trace.
func source(p model.Placed, window model.Interval[model.Time], seen model.Set[model.Time], sets []device.Sets) report.Source {
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
		rows := device.TabulateSets(sets)
		s.Trace = &report.Trace{Facts: p.Trace, Devices: rows, StepDevices: device.Coverage(p.Capture, sets, rows),
			Breakdown: breakdown.Of(p.Capture, sets), Reserve: reservation(p.Trace)}
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
	var with []model.Phrase
	for _, o := range []struct {
		on   bool
		what model.Phrase
	}{{on(f.WithStack) || f.PythonFrames > 0, model.Say("stacks")}, {on(f.RecordShapes), model.Say("shapes")}, {on(f.ProfileMemory) || f.MemoryRecords > 0, model.Say("memory")}} {
		if o.on {
			with = append(with, o.what)
		}
	}
	rest := model.Say("Recording lengthens host work and the gaps between kernels; kernel times are about as usual. The trace's total time is not the program's normal time.")
	switch len(with) {
	case 1:
		return model.Say("Recorded with {}. {}", with[0], rest)
	case 2:
		return model.Say("Recorded with {} and {}. {}", with[0], with[1], rest)
	case 3:
		return model.Say("Recorded with {}, {} and {}. {}", with[0], with[1], with[2], rest)
	}
	return rest
}
