package align

import (
	"context"
	"time"

	"tracemerge/align/network"
	"tracemerge/model"
	"tracemerge/model/agree"
	"tracemerge/model/device"
	"tracemerge/model/sample"
)

// shortest is the length of a trace below which its kernels say nothing about an
// unknown offset: real traces of half a second excluded no wrong zone.
const shortest = 5 * time.Second

// maxTests bounds the offsets that are tried for one sampler.
const maxTests = 64

// utilisation compares the samples of an unplaced sampler with the kernels of placed
// traces, for each offset that its zone leaves. A sampler need not watch all devices
// that are traced, nor be of the host of a trace; that it watches one of them is
// assumed, and printed. It refutes offsets and finds none: an offset goes if no traced
// device can be any of the sampled ones with it, and if with another offset one can.
func (e *evidence) utilisation(ctx context.Context) error {
	var traced []agree.Work
	looked := false
	for _, n := range e.a.unplaced() {
		p := &e.a.tl.Captures[n.capture]
		d := &p.Domains[n.domain]
		if p.Source.Kind != model.KindSMI || d.Kind != model.DomainCivil || len(p.Domains) > 1 {
			continue
		}
		offsets, changing := e.offsetsOf(e.a.ref(n.capture, int(n.domain)))
		if len(offsets)+len(changing) < 2 || len(offsets) > maxTests {
			continue
		}
		if !looked {
			traced, looked = e.a.tracedWork(), true
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		e.refute(p, n, offsets, changing, traced)
	}
	return nil
}

// offsetsOf are the offsets that the zones leave a clock and with which it meets another
// source: the single ones, and those that change within the file, which are not tried.
func (e *evidence) offsetsOf(r model.ClockRef) (single []time.Duration, changing []network.Range) {
	for _, c := range e.list {
		if c.A != r || c.Rule != "same_run" {
			continue
		}
		var run []network.Range
		for _, x := range c.Allowed {
			run = append(run, network.Range{Lo: int64(x.Lo), Hi: int64(x.Hi)})
		}
		for _, z := range meeting(e.zonesOf(r), run) {
			if z.Lo == z.Hi {
				single = append(single, z.Lo)
			} else {
				changing = append(changing, network.Range{Lo: int64(z.Lo), Hi: int64(z.Hi)})
			}
		}
	}
	return single, changing
}

// tracedWork is what the traces recorded, by device; nil where some device cannot be
// compared, since its trace is cut off, too short, or not placed exactly: the sampler
// may watch just that one.
func (a *aligner) tracedWork() []agree.Work {
	var out []agree.Work
	for _, p := range a.tl.Captures {
		if p.Trace == nil {
			continue
		}
		sets := device.BusySets(p.Capture)
		if len(sets) == 0 {
			continue
		}
		if p.Truncated || len(p.Mappings) != 1 || !p.Mappings[0].Placed || len(p.Mappings[0].Segments) != 1 {
			return nil
		}
		by := p.Mappings[0].Segments[0].Offset
		for _, s := range sets {
			if by.Lo != by.Hi || s.Span.Len() < shortest {
				return nil
			}
			out = append(out, agree.WorkOf(s, device.Unseen(p.Capture), moved(by.Estimate)))
		}
	}
	return out
}

// moved shifts a set by an offset.
func moved(by time.Duration) func(model.Set[model.ClockTime]) model.Set[model.Time] {
	return func(s model.Set[model.ClockTime]) model.Set[model.Time] {
		var b model.SetBuilder[model.Time]
		for i := range s.All() {
			b.Add(model.Interval[model.Time]{Start: model.Time(i.Start) + model.Time(by), End: model.Time(i.End) + model.Time(by)})
		}
		return b.Set()
	}
}

func (e *evidence) refute(p *model.Placed, n node, offsets []time.Duration, changing []network.Range, traced []agree.Work) {
	c := model.Constraint{Rule: "utilisation_signal", Strength: model.StrengthStatistical, A: e.a.ref(n.capture, int(n.domain)), From: []model.Pos{{Source: p.Source.ID}}}
	readings := sample.Utilizations(unshifted(p))
	if len(traced) == 0 || len(readings) == 0 {
		c.What = model.Say("the utilization in {} was to be compared with kernels: there is no reading or no trace, or not every trace is whole, placed exactly and at least {} long", p.Source.File, shortest)
		e.add(c)
		return
	}
	doubt := sample.Doubt{Step: p.Domains[n.domain].Step}
	var left []network.Range
	explained := false
	for _, add := range offsets {
		agrees, tested := compared(readings, traced, add, doubt)
		if agrees || !tested {
			left = append(left, network.Range{Lo: int64(add), Hi: int64(add)})
		}
		explained = explained || agrees
	}
	switch {
	case len(left) == len(offsets):
		c.What = model.Say("the utilization in {} can be that of a traced device with each of the {} offsets: it excludes none", p.Source.File, len(offsets))
	case !explained:
		c.What = model.Say("the utilization in {} is that of no traced device with any of the {} offsets that can be compared: other devices, other processes, or a clock that is off", p.Source.File, len(offsets))
	default:
		c.Allowed, c.Assumed = durations(network.United(append(left, changing...))), true
		c.What = model.Say("the utilization in {} can be that of a traced device with {} of {} offsets; that the sampler watched one of the traced devices is assumed", p.Source.File, len(left), len(offsets))
	}
	e.add(c)
}

// compared reports whether some traced device can be one of the sampled ones, and
// whether every such pair could be tested.
func compared(readings []sample.Utilization, traced []agree.Work, add time.Duration, doubt sample.Doubt) (agrees, tested bool) {
	tested = true
	for _, u := range readings {
		at := make([]sample.Reading, len(u.Readings))
		for i, r := range u.Readings {
			at[i] = sample.Reading{At: r.At + model.Time(add), Percent: r.Percent}
		}
		for _, w := range traced {
			r := agree.Compare(w, at, doubt)
			tested = tested && r.Enough()
			agrees = agrees || r.Enough() && r.Agrees()
		}
	}
	return agrees, tested
}

// unshifted is the capture with its readings as they stand, taken for instants.
func unshifted(p *model.Placed) model.Placed {
	q := *p
	q.Mappings = make([]model.Mapping, len(p.Domains))
	for j := range q.Mappings {
		q.Mappings[j] = model.Mapping{Placed: true, Segments: whole(validOf(p.Capture, &p.Domains[j]))}
	}
	return q
}
