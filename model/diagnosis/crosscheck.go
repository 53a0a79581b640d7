package diagnosis

import (
	"tracemerge/model"
	"tracemerge/model/agree"
	"tracemerge/model/coverage"
	"tracemerge/model/device"
	"tracemerge/model/report"
	"tracemerge/model/sample"
)

// tracedDevice is one device of a placed trace with its work on the run's clock.
type tracedDevice struct {
	source model.SourceID
	device model.Text
	work   agree.Work
	doubt  sample.Doubt
}

// traced returns the devices of a trace, none of one that is not placed or is cut
// off: what is missing there may be anywhere.
func traced(p model.Placed, sets []device.Sets) []tracedDevice {
	if len(p.Mappings) != 1 || !p.Mappings[0].Placed || p.Truncated || p.Trace == nil {
		return nil
	}
	m := p.Mappings[0]
	doubt := sample.Doubt{Step: p.Domains[0].Step}
	for _, s := range m.Segments {
		doubt.Width = max(doubt.Width, s.Offset.Hi-s.Offset.Estimate, s.Offset.Estimate-s.Offset.Lo)
	}
	place := func(s model.Set[model.ClockTime]) model.Set[model.Time] {
		var b model.SetBuilder[model.Time]
		for i := range s.All() {
			for part := range coverage.Place(m, i).All() {
				b.Add(part)
			}
		}
		return b.Set()
	}
	unseen := device.Unseen(p.Capture)
	var out []tracedDevice
	for _, s := range sets {
		out = append(out, tracedDevice{p.Source.ID, s.Device, agree.WorkOf(s, unseen, place), doubt})
	}
	return out
}

// crossChecks compares every sampled device with every traced one.
func crossChecks(tl *model.Timeline, traces []tracedDevice) []report.CrossCheck {
	if len(traces) == 0 {
		return nil
	}
	var out []report.CrossCheck
	for _, p := range tl.Captures {
		for _, u := range sample.Utilizations(p) {
			for _, d := range traces {
				doubt := sample.Doubt{Step: max(u.Step, d.doubt.Step), Width: u.Width + d.doubt.Width}
				r := agree.Compare(d.work, u.Readings, doubt)
				c := report.CrossCheck{Sampler: p.Source.ID, Device: u.Device, Trace: d.source, TraceDevice: d.device,
					SameName: u.Device.Raw == d.device.Raw, Tested: int64(r.Tested), Above: int64(r.Above), Below: int64(r.Below)}
				switch {
				case !r.Enough():
					c.Verdict = report.CheckUntestable
				case r.Agrees():
					c.Verdict = report.CheckAgrees
				default:
					c.Verdict = report.CheckContradicts
				}
				if r.First >= 0 {
					c.First = u.From[r.First]
				}
				out = append(out, c)
			}
		}
	}
	return out
}
