package ranks

import (
	"cmp"
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

type interval = model.Interval[model.ClockTime]

// collectives matches the communication kernels of the traces, the names with the
// most time first.
func collectives(traces []ranked) []report.Collective {
	var names []model.Raw
	seen := map[model.Raw]bool{}
	for _, t := range traces {
		for _, n := range t.Names { // in the order of the file: maps have none
			if _, ok := t.calls[n]; ok && !seen[n] {
				seen[n] = true
				names = append(names, n)
			}
		}
	}
	var out []report.Collective
	for _, n := range names {
		out = append(out, collective(traces, n))
	}
	held := func(c report.Collective) (sum time.Duration) {
		for _, d := range c.Held {
			sum += d
		}
		return sum
	}
	slices.SortStableFunc(out, func(a, b report.Collective) int { return cmp.Compare(held(b), held(a)) })
	return out
}

func collective(traces []ranked, name model.Raw) report.Collective {
	all := make([][]interval, len(traces)) // the calls of the name on each rank
	c := report.Collective{Name: model.Text{Raw: name, Class: model.ClassOperation},
		Calls: make([]int64, len(traces)), Held: make([]time.Duration, len(traces))}
	for i, t := range traces {
		all[i] = t.calls[name]
		c.Calls[i] = int64(len(all[i]))
		for _, at := range all[i] {
			c.Held[i] += at.Len()
		}
	}
	if slices.Min(c.Calls) != slices.Max(c.Calls) {
		c.Why = model.Say("not matched: the ranks recorded different numbers of them, from {} to {}", slices.Min(c.Calls), slices.Max(c.Calls))
		return c
	}
	checked := true
	for k := range all[0] {
		switch meet(traces, all, k) {
		case apart:
			c.Why = model.Say("not matched: number {} of them does not run at the same time on all ranks", k+1)
			return c
		case undecided:
			checked = false
		}
	}
	c.Matched = true
	c.Why = model.Say("matched by name and order; that they are the same calls is not checked, since the traces share no clock")
	if checked {
		c.Why = model.Say("matched by name and order; all calls of a match ran at the same time")
	}
	c.Waited, c.Last = make([]time.Duration, len(traces)), make([]int64, len(traces))
	for k := range all[0] {
		shortest := 0
		for i := range traces {
			if all[i][k].Len() < all[shortest][k].Len() {
				shortest = i
			}
		}
		c.Shortest += all[shortest][k].Len()
		c.Last[shortest]++
	}
	for i := range traces {
		c.Waited[i] = c.Held[i] - c.Shortest
	}
	return c
}

// meeting says whether matched kernels share an instant.
type meeting int

const (
	undecided meeting = iota // the clocks share no timeline
	met
	apart
)

// meet tells whether the k-th of the kernels can share an instant, each
// moved within the uncertainty of its clock.
func meet(traces []ranked, all [][]interval, k int) meeting {
	var lastStart, firstEnd model.Time
	for i, t := range traces {
		at := all[i][k]
		from, w, ok := t.At(0, at.Start)
		if !ok {
			return undecided
		}
		start, end := from-model.Time(w), from+model.Time(at.Len())+model.Time(w)
		if i == 0 {
			lastStart, firstEnd = start, end
		}
		lastStart, firstEnd = max(lastStart, start), min(firstEnd, end)
	}
	if lastStart > firstEnd {
		return apart
	}
	return met
}

// together sums the matched collectives.
func together(n int, cs []report.Collective) report.Waits {
	var w report.Waits
	for i := range cs {
		c := &cs[i]
		if !c.Matched || c.Calls[0] == 0 {
			continue
		}
		if w.Calls == 0 {
			w = report.Waits{Held: make([]time.Duration, n), Waited: make([]time.Duration, n), Last: make([]int64, n)}
		}
		w.Calls += c.Calls[0]
		for k := range n {
			w.Held[k] += c.Held[k]
			w.Waited[k] += c.Waited[k]
			w.Last[k] += c.Last[k]
		}
	}
	return w
}
