// Package compare sets runs beside each other.
//
// It compares finished reports, never their files. Conditions come first: what is
// known to differ in what the runs were (input, definition of done, cold or warm)
// or in how they were recorded makes them not comparable; what nobody declared is
// said and cannot be checked, so that comparability is not established.
//
// A verdict needs a spread: the values of the batches or steps of each run, held
// against each other in blocks (stat.Compare), and the difference must exceed the
// noise floor: the drift within either run and, where repeats of one of the runs
// are given, the difference between those. A quantity with one value in each run
// gets no verdict, however far apart the two are. With one run on either side
// nothing is known of how runs differ from each other, and the note says so.
// More than one changed condition means that a difference cannot be attributed.
package compare

import (
	"tracemerge/model"
	"tracemerge/model/report"
)

// Fill compares every further run with the first and with the one before it.
func Fill(rep *report.Report) {
	for i := 1; i < len(rep.Runs); i++ {
		rep.Comparisons = append(rep.Comparisons, Runs(rep.Runs, 0, i))
		if i > 1 {
			rep.Previous = append(rep.Previous, Runs(rep.Runs, i-1, i))
		}
	}
	rep.Protocol = protocol(rep.Runs)
}

// Runs compares runs[next] with runs[base]; the others serve as repeats.
func Runs(runs []report.Run, base, next int) report.Comparison {
	a, b := &runs[base], &runs[next]
	c := checked(a, b)
	c.Baseline, c.Candidate = base, next
	c.Metrics = metrics(a, b, floors(runs, base, next))
	c.Stages = stages(&c, a, b)
	predictions(&c, a, b)
	if !c.Comparable {
		for i := range c.Metrics {
			refuse(&c.Metrics[i])
		}
		for i := range c.Stages {
			refuse(&c.Stages[i])
		}
	}
	return c
}

// checked holds the conditions of two runs against each other.
func checked(a, b *report.Run) report.Comparison {
	c := report.Comparison{Comparable: true}
	conditions(&c, a, b)
	coverage(&c, a, b)
	c.Undeclared = c.Undeclared && c.Comparable
	c.Comparable = c.Comparable && !c.Undeclared
	return c
}

func refuse(m *report.MetricChange) {
	if m.Verdict != report.NotObserved {
		m.Verdict = report.NotComparable
	}
}

// alike reports whether the second run repeats the first: comparable, settings
// declared, and no condition known to differ.
func alike(a, b *report.Run) bool {
	c := checked(a, b)
	return c.Comparable && len(c.Changed) == 0 && len(a.Declared.Settings) > 0
}

// protocol reports whether three runs are before, after with the same instruments,
// and after without heavy ones: the second and the third differ in nothing that is
// declared.
func protocol(runs []report.Run) bool {
	if len(runs) != 3 {
		return false
	}
	x, y, z := instrumentsOf(&runs[0]), instrumentsOf(&runs[1]), instrumentsOf(&runs[2])
	if !x.heavy() || !y.heavy() || z.heavy() {
		return false
	}
	for _, k := range checked(&runs[0], &runs[1]).Conditions {
		if k.State == "different" && k.Decides {
			return false
		}
	}
	var c report.Comparison
	settings(&c, runs[1].Declared, runs[2].Declared)
	return len(c.ChangedSettings) == 0
}

// floors is, by series, the greatest factor between the medians of two runs that
// repeat each other, one of them a repeat of what is compared; empty without
// repeats.
func floors(runs []report.Run, base, next int) map[string]float64 {
	out := map[string]float64{}
	for i := range runs {
		for _, k := range []int{base, next} {
			if i == base || i == next || !alike(&runs[k], &runs[i]) {
				continue
			}
			for _, s := range seriesTable {
				if f, ok := apart(s.of(&runs[k]), s.of(&runs[i])); ok {
					out[s.name] = max(out[s.name], f)
				}
			}
		}
	}
	return out
}

// ratio is next/base over all values of both ranges.
func ratio(base, next model.Maybe[model.Range[float64]]) model.Maybe[model.Range[float64]] {
	a, ok := base.Get()
	b, ok2 := next.Get()
	if !ok || !ok2 || a.Lo <= 0 {
		return model.Missing[model.Range[float64]](model.NotComputable)
	}
	return model.Known(model.Range[float64]{Lo: b.Lo / a.Hi, Hi: b.Hi / a.Lo})
}
