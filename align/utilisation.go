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
// traces, for each offset that its zone leaves. It refutes offsets and finds none: an
// offset goes if some traced device can be none of the sampled ones with it.
func (e *evidence) utilisation(ctx context.Context) error {
	var traced []agree.Work
	looked := false
	for _, n := range e.a.unplaced() {
		p := &e.a.tl.Captures[n.capture]
		d := &p.Domains[n.domain]
		if p.Source.Kind != model.KindSMI || d.Kind != model.DomainCivil || len(p.Domains) > 1 {
			continue
		}
		offsets := e.offsetsOf(e.a.ref(n.capture, int(n.domain)))
		if len(offsets) < 2 || len(offsets) > maxTests {
			continue
		}
		if !looked {
			traced, looked = e.a.tracedWork(), true
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		e.refute(p, n, offsets, traced)
	}
	return nil
}

// offsetsOf are the single offsets that the zones leave a clock and with which it
// meets another source.
func (e *evidence) offsetsOf(r model.ClockRef) []time.Duration {
	var zones, run []model.Range[time.Duration]
	for _, c := range e.list {
		switch {
		case c.A != r:
		case c.Rule == "zone_in_force":
			zones = c.Allowed
		case c.Rule == "same_run":
			run = c.Allowed
		}
	}
	var out []time.Duration
	for _, z := range zones {
		for _, x := range run {
			if z.Lo == z.Hi && x.Lo <= z.Lo && z.Lo <= x.Hi {
				out = append(out, z.Lo)
				break
			}
		}
	}
	return out
}

// tracedWork is what placed traces of some length recorded, by device.
func (a *aligner) tracedWork() []agree.Work {
	var out []agree.Work
	for _, p := range a.tl.Captures {
		if p.Trace == nil || p.Truncated || len(p.Mappings) != 1 || !p.Mappings[0].Placed || len(p.Mappings[0].Segments) != 1 {
			continue
		}
		by := p.Mappings[0].Segments[0].Offset
		if by.Lo != by.Hi {
			continue
		}
		for _, s := range device.BusySets(p.Capture) {
			if s.Span.Len() >= shortest {
				out = append(out, agree.WorkOf(s, device.Unseen(p.Capture), moved(by.Estimate)))
			}
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

func (e *evidence) refute(p *model.Placed, n node, offsets []time.Duration, traced []agree.Work) {
	c := model.Constraint{Rule: "utilisation_signal", Strength: model.StrengthStatistical, A: e.a.ref(n.capture, int(n.domain)), From: []model.Pos{{Source: p.Source.ID}}}
	readings := sample.Utilizations(unshifted(p))
	if len(traced) == 0 || len(readings) == 0 {
		c.What = model.Say("the utilization in {} was to be compared with kernels, and no placed trace of at least {} or no reading is there", p.Source.File, shortest)
		e.add(c)
		return
	}
	doubt := sample.Doubt{Step: p.Domains[n.domain].Step}
	var left []network.Range
	for _, add := range offsets {
		if !refuted(readings, traced, add, doubt) {
			left = append(left, network.Range{Lo: int64(add), Hi: int64(add)})
		}
	}
	switch len(left) {
	case len(offsets):
		c.What = model.Say("the utilization in {} can be that of the traced kernels with each of the {} offsets: it excludes none", p.Source.File, len(offsets))
	case 0:
		c.What = model.Say("the utilization in {} can be that of the traced kernels with none of the {} offsets: another device, other processes, or a clock that is off", p.Source.File, len(offsets))
	default:
		c.Allowed = durations(left)
		c.What = model.Say("the utilization in {} can be that of the traced kernels with {} of {} offsets", p.Source.File, len(left), len(offsets))
	}
	e.add(c)
}

// refuted reports whether some traced device can be none of the sampled ones.
func refuted(readings []sample.Utilization, traced []agree.Work, add time.Duration, doubt sample.Doubt) bool {
	for _, w := range traced {
		none := true
		for _, u := range readings {
			at := make([]sample.Reading, len(u.Readings))
			for i, r := range u.Readings {
				at[i] = sample.Reading{At: r.At + model.Time(add), Percent: r.Percent}
			}
			if r := agree.Compare(w, at, doubt); !r.Enough() || r.Agrees() {
				none = false
				break
			}
		}
		if none {
			return true
		}
	}
	return false
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
