package replay

import (
	"math"
	"math/big"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/model/stage"
)

// Total is how long the window becomes when the spans of each row of the table last
// factor(row) times as long; nil stands for 1. Each is rounded outward to the
// nanosecond. Where a start is no longer held up by its stream, it follows its launch
// at once, or after the least time that any did, and so a wait that was none; device work whose launch is not
// recorded follows its stream, or comes when it came: the range holds both.
func (g *Launches) Total(factor func(row int) *big.Rat) model.Range[time.Duration] {
	out := model.Range[time.Duration]{Lo: math.MaxInt64}
	for _, slow := range []bool{false, true} {
		for _, up := range []bool{false, true} {
			d := g.run(factor, slow, up)
			out.Lo, out.Hi = min(out.Lo, d), max(out.Hi, d)
		}
	}
	return out
}

// run replays the trace. Points and ops are taken in the order of the run, in which
// everything stands behind what it waited for.
func (g *Launches) run(factor func(row int) *big.Rat, slow, up bool) time.Duration {
	by := make([]*big.Rat, len(g.t.Rows))
	for row := range by {
		by[row] = factor(row)
	}
	scale := func(d model.Time, row int32) model.Time {
		if row == stage.NoRow {
			return d
		}
		return model.Time(scaled(time.Duration(d), by[row], up))
	}
	w := g.t.Window
	host, ends := make([]model.Time, len(g.host)), make([]model.Time, len(g.ops))
	now, was, finish := w.Start, w.Start, w.Start
	k, ended, done := 0, 0, w.Start
	var least, back, call model.Time
	if slow {
		least, back, call = g.slow, g.back, g.call
	}
	hostTo := func(at model.Time) { // all points up to an instant of the run
		for ; k < len(g.host) && g.host[k].at <= at; k++ {
			p := &g.host[k]
			for ; ended < len(g.ends) && g.ops[g.ends[ended]].at.End <= p.at; ended++ {
				done = max(done, ends[g.ends[ended]])
			}
			after := func(end, ended model.Time) { now = max(now, end+min(back, p.at-ended)) }
			switch {
			case p.wait == none, p.idle && !slow:
				now += scale(p.at-was, p.row)
			case p.all:
				now = max(now+min(call, p.at-was), finish+p.at-g.ops[p.wait].at.End)
			default:
				now = max(now+min(call, p.at-was), ends[p.wait]+p.at-g.ops[p.wait].at.End)
			}
			if ended > 0 && (p.all || p.some && slow) {
				last := g.ops[g.ends[ended-1]].at.End
				if p.all {
					after(finish, last)
				} else {
					after(done, last)
				}
			}
			was, host[k] = p.at, now
		}
	}
	for i := range g.ops {
		x := &g.ops[i]
		hostTo(x.at.Start)
		start := w.Start
		lag := func(c cause, at model.Time) model.Time {
			if x.base == c {
				return x.at.Start - at
			}
			return 0
		}
		if x.base == fromNothing {
			start = x.at.Start
		}
		if x.before != none {
			start = max(start, ends[x.before]+lag(fromStream, g.ops[x.before].at.End))
		}
		if x.other != none {
			start = max(start, ends[x.other]+lag(fromOther, g.ops[x.other].at.End))
		}
		if x.launch == none && x.base == fromStream && slow && x.at.Start-g.ops[x.before].at.End > near {
			start = max(start, x.at.Start)
		}
		if x.launch != none {
			start = max(start, host[x.launch]+max(lag(fromLaunch, g.host[x.launch].at), min(least, x.at.Start-g.host[x.launch].at)))
		}
		ends[i] = start + scale(x.at.End-x.at.Start, x.row)
		finish = max(finish, ends[i])
	}
	hostTo(w.End)
	return time.Duration(max(finish, now) + g.tail - w.Start)
}

// Path is the critical path by stage: the chain that leads back from the end of the
// trace, each part to what it waited for last. Host is what the host did beside its
// stages.
//
// Law: the stages + Host + Lag + Unrecorded = the window.
func (g *Launches) Path() report.CriticalPath {
	var out report.CriticalPath
	sums, counts := make([]time.Duration, len(g.t.Rows)), make([]int64, len(g.t.Rows))
	w := g.t.Window
	out.Unrecorded = time.Duration(g.tail)
	at, onHost := int32(len(g.host)-1), true
	for i := range g.ops {
		if g.ops[i].at.End > g.host[len(g.host)-1].at && (onHost || g.ops[i].at.End > g.ops[at].at.End) {
			at, onHost = int32(i), false
		}
	}
	last := int32(stage.NoRow) // row of the host's part before
	for {
		if onHost {
			if at < 0 { // the beginning of the window
				break
			}
			p, before := &g.host[at], w.Start
			if at > 0 {
				before = g.host[at-1].at
			}
			if p.wait != none {
				out.Lag += time.Duration(p.at - g.ops[p.wait].at.End)
				at, onHost, last = p.wait, false, stage.NoRow
				continue
			}
			switch d := time.Duration(p.at - before); {
			case at == 0:
				out.Unrecorded += d
			case p.row == stage.NoRow:
				out.Host += d
			default:
				sums[p.row] += d
				if p.row != last {
					counts[p.row]++
				}
			}
			last = p.row
			at--
			continue
		}
		x := &g.ops[at]
		sums[x.row] += time.Duration(x.at.End - x.at.Start)
		counts[x.row]++
		switch x.base {
		case fromStream:
			out.Lag += time.Duration(x.at.Start - g.ops[x.before].at.End)
			at = x.before
		case fromOther:
			out.Lag += time.Duration(x.at.Start - g.ops[x.other].at.End)
			at = x.other
		case fromLaunch:
			out.Lag += time.Duration(x.at.Start - g.host[x.launch].at)
			at, onHost, last = x.launch, true, stage.NoRow
		default:
			out.Unrecorded += time.Duration(x.at.Start - w.Start)
			at, onHost = -1, true
		}
	}
	for i, r := range g.t.Rows {
		if counts[i] > 0 {
			out.Stages = append(out.Stages, report.PathShare{Stage: r.Stage, Time: sums[i], N: counts[i]})
		}
	}
	return out
}
