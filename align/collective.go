package align

import (
	"cmp"
	"context"
	"slices"
	"time"

	"tracemerge/align/network"
	"tracemerge/model"
	"tracemerge/model/device"
)

// everyPair is up to how many traces each is compared with each; of more, each with
// the first and with the one before it, in an order of their contents, so that names
// and the order of files change nothing.
const everyPair = 64

// skew is how far the stamps of kernels may be off within one trace: kernels are seen
// to start before their launch by up to some microseconds.
const skew = 10 * time.Microsecond

// maxDrift is how fast two hosts' disciplined clocks may drift apart, in parts per
// billion.
const maxDrift = 100_000

// collectives compares the communication kernels of traces, matched by name and
// order: no rank leaves a collective before the last one has entered it.
func (e *evidence) collectives(ctx context.Context) error {
	type rank struct {
		i, j  int
		calls device.Calls
	}
	var ranks []rank
	for i := range e.a.tl.Captures {
		p := &e.a.tl.Captures[i]
		j, ok := oneClock(p)
		if p.Trace == nil || !ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if calls := device.CommunicationCalls(p.Capture); len(calls) > 0 {
			ranks = append(ranks, rank{i, j, calls})
		}
	}
	content := func(r rank) string { return e.a.tl.Captures[r.i].Source.SHA256 }
	slices.SortStableFunc(ranks, func(x, y rank) int { return cmp.Compare(content(x), content(y)) })
	for n, r := range ranks {
		for k, o := range ranks[:n] {
			if len(ranks) <= everyPair || k == 0 || k == n-1 {
				e.pair(o.i, o.j, o.calls, r.i, r.j, r.calls)
			}
		}
	}
	return nil
}

func (e *evidence) pair(i, j int, a device.Calls, k, l int, b device.Calls) {
	x, y := &e.a.tl.Captures[i], &e.a.tl.Captures[k]
	var met []network.Reading
	for _, name := range x.Names { // in the order of the file: maps have none
		ca, cb := a[name], b[name]
		if len(ca) == 0 || len(ca) != len(cb) {
			continue
		}
		for n := range ca {
			// offset(x) + end(a) >= offset(y) + start(b), and the other way round.
			met = append(met, network.Reading{X: int64(ca[n].Start), Lo: int64(cb[n].Start-ca[n].End) - int64(skew), Hi: int64(cb[n].End-ca[n].Start) + int64(skew)})
		}
	}
	if len(met) == 0 {
		return
	}
	c := model.Constraint{Rule: "collectives", Strength: model.StrengthCausal, A: e.a.ref(i, j), B: e.a.ref(k, l), Assumed: true,
		From: []model.Pos{{Source: x.Source.ID}, {Source: y.Source.ID}}}
	long := max(validOf(x.Capture, &x.Domains[j]).Len(), validOf(y.Capture, &y.Domains[l]).Len())
	same, constant := network.Constant(met)
	line, drifts := network.Line{}, false
	if !constant {
		line, drifts = network.Drift(met, maxDrift)
	}
	switch {
	case constant:
		// One offset fits, but a drift may fit as well: what a reading says at its own
		// time may have changed by the greatest drift over the length of the traces.
		more := drifted(long)
		c.Allowed = between(time.Duration(same.Lo)-more, time.Duration(same.Hi)+more)
		c.What = model.Say("{} communication kernels of {} and {} are taken for the same calls, by name and order: none ends before all ranks have entered it, with an offset that may drift by up to {} parts per billion", len(met), x.Source.File, y.Source.File, maxDrift)
	case drifts:
		// The traces reach beyond the collectives, and drift there too.
		more := drifted(max(0, long-reach(met)))
		c.Allowed = between(time.Duration(line.Values.Lo)-more, time.Duration(line.Values.Hi)+more)
		c.What = model.Say("{} communication kernels of {} and {} are taken for the same calls, by name and order; no one offset lets all of them meet, a drift of {} to {} parts per billion does (at most {} are allowed)",
			len(met), x.Source.File, y.Source.File, line.Rate.Lo, line.Rate.Hi, maxDrift)
	default:
		c.What = model.Say("{} communication kernels of {} and {} bear the same names in the same order, but no offset lets all of them meet, with a drift of up to {} parts per billion: they are not the same calls, or a clock was set", len(met), x.Source.File, y.Source.File, maxDrift)
	}
	e.add(c)
}

// drifted is how far clocks drift apart within a time at most, rounded up.
func drifted(within time.Duration) time.Duration {
	return within/(1_000_000_000/maxDrift) + 1
}

// reach is the time from the first to the last reading.
func reach(readings []network.Reading) time.Duration {
	first, last := readings[0].X, readings[0].X
	for _, r := range readings {
		first, last = min(first, r.X), max(last, r.X)
	}
	return time.Duration(last - first)
}
