package render

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// whatIf shows the scenarios as bounds: bars from the lower to the upper one.
func (p *page) whatIf() {
	p.elem("p", "A scenario scales the observed stages by a factor and leaves everything else as it was. It gives bounds on the total, not a forecast.", "class", "note")
	p.eachRun("what-if", func(v *view) {
		w := &v.run.WhatIf
		if len(w.Rows) == 0 {
			v.elem("p", "No scenario could be computed: "+v.noScenario(), "class", "none")
		} else {
			if !w.FasterGPU.Empty() {
				v.elem("p", v.phrase(w.FasterGPU))
			}
			v.scenarioBars(w)
			v.scenarioTable(w)
			v.criticalPath(w)
			v.chartOfWhatIf()
			v.curveTables(w)
		}
		if len(w.Assumes) > 0 {
			v.heading("What the bounds assume")
			v.sayAll(w.Assumes, "notes")
		}
		if len(w.Limits) > 0 {
			v.heading("What they do not predict")
			v.sayAll(w.Limits, "notes")
		}
	})
}

// scenarioName is the scenario in words.
func (v *view) scenarioName(s *report.Scenario) string {
	if !s.Name.Empty() {
		return v.phrase(s.Name)
	}
	var parts []string
	for _, c := range s.Changes {
		parts = append(parts, v.changeWords(c))
	}
	return strings.Join(parts, " and ")
}

// strengths say what each kind of bound assumes about what was not observed.
var strengths = map[string]string{
	"hidden_activity": "gaps that end without an observed trigger may hide work",
	"hidden_waits":    "no assumption about hidden waits",
	"observed_only":   "nothing unobserved ran",
	"replay":          "observed dependencies are replayed",
}

func strengthWords(s string) string {
	if w, ok := strengths[s]; ok {
		return w
	}
	return "not stated"
}

// scenarioBars draws the bounds of each scenario against the window.
func (v *view) scenarioBars(w *report.WhatIf) {
	whole, known := w.Total.Get()
	longest := whole + whole/50 // leaves room for the line at the observed total
	for _, s := range w.Rows {
		t, _ := s.Total.Get()
		worst, _ := s.Worst.Get()
		longest = max(longest, t.Hi, worst.Hi)
	}
	if longest <= 0 {
		return
	}
	var ds []time.Duration
	for _, s := range w.Rows {
		if t, ok := s.Total.Get(); ok {
			ds = append(ds, t.Lo, t.Hi)
		}
	}
	scale := ScaleFor(append(ds, whole)...)
	at := func(d time.Duration) float64 { return share(d, longest) * 100 }
	v.start("figure", "class", "pic")
	v.start("figcaption")
	v.elem("strong", "Total under each scenario.")
	v.text(" ")
	v.elem("span", "The strong bar reaches from the lowest to the highest total, if nothing unobserved runs alongside; the outline is the range without that assumption; the upright line is the observed total.", "class", "shows")
	v.text(" ")
	v.elem("span", "It does not say what the change costs, nor whether it can be made.", "class", "shows-not")
	v.end("figcaption")
	var rows []bar
	for i := range w.Rows {
		s := &w.Rows[i]
		if !s.Asked && s.Changes[0].Factor == 0 {
			continue // in the table, and as the limit of the speed-up
		}
		total, ok := s.Total.Get()
		if !ok {
			rows = append(rows, bar{name: v.scenarioName(s), own: true, values: []string{notComputable(s.Total)},
				label: v.scenarioName(s) + ": " + notComputable(s.Total), draw: func(h float64) {
					v.shape("rect", "class", "bar-ground", "x", "0", "y", "0", "width", "100%", "height", px(h))
				}})
			continue
		}
		worst, stated := s.Worst.Get()
		rows = append(rows, bar{name: v.scenarioName(s), own: true, values: []string{scale.Range(total.Lo, total.Hi)},
			label: v.scenarioName(s) + ": between " + scale.Text(total.Lo) + " and " + scale.Text(total.Hi),
			draw: func(h float64) {
				v.shape("rect", "class", "bar-ground", "x", "0", "y", "0", "width", "100%", "height", px(h))
				if stated {
					v.shape("rect", "class", "bound-worst", "x", per(at(worst.Lo)), "y", "2.5", "width", per(at(worst.Hi)-at(worst.Lo)), "height", px(h-5))
				}
				v.titled("rect", scale.Range(total.Lo, total.Hi), "class", "bound", "x", per(at(total.Lo)), "y", "4",
					"width", per(max(at(total.Hi)-at(total.Lo), 0.5)), "height", px(h-8))
				if known {
					v.shape("line", "class", "mark", "x1", per(at(whole)), "x2", per(at(whole)), "y1", "0", "y2", px(h))
				}
			}})
	}
	v.bars(rows, []string{"total"})
	v.barAxis(longest)
	v.end("figure")
	v.line()
}

func (v *view) scenarioTable(w *report.WhatIf) {
	var ds []time.Duration
	for _, s := range w.Rows {
		for _, m := range []model.Maybe[model.Range[time.Duration]]{s.Total, s.Worst, s.Saved} {
			if r, ok := m.Get(); ok {
				ds = append(ds, r.Lo, r.Hi)
			}
		}
	}
	s := ScaleFor(ds...)
	u := ", " + s.Unit()
	t := table{caption: "Scenarios", headed: true, cols: []column{words("scenario"), words("factors"), figure("total" + u), figure("saved" + u),
		figure("total by replay" + u), figure("total without the assumption" + u), figure("speed-up"), figure("GPU share"), figure("limit of the speed-up"), words("assumes"), words("note")}}
	speed := func(r model.Range[float64]) string { return v.plain.NumberRange(r) + "×" }
	one := len(w.Rows) > 0 && !slices.ContainsFunc(w.Rows, func(r report.Scenario) bool { return r.Strength != w.Rows[0].Strength })
	if one {
		v.elem("p", "All of these bounds assume: "+strengthWords(w.Rows[0].Strength)+".", "class", "note")
	}
	for i := range w.Rows {
		r := &w.Rows[i]
		assumes := cell{text: strengthWords(r.Strength), class: "wide"}
		if one {
			assumes = cell{}
		}
		name := v.scenarioName(r)
		if r.Asked {
			name += " (asked for)"
		}
		t.rows = append(t.rows, []cell{file(name), file(v.factors(r.Changes)), s.maybeBetween(r.Total), s.maybeBetween(r.Saved), s.replayCell(w, r), s.maybeBetween(r.Worst),
			v.plain.rangeCell(r.Speedup, speed), v.plain.rangeCell(r.GPUShare, v.plain.PercentRange), v.plain.rangeCell(r.Limit, speed),
			assumes, {text: v.phrase(r.Note), class: "wide"}})
	}
	v.table(t)
	if g, ok := v.run.GPUShare.Get(); ok {
		v.elem("p", "GPU share of the window as observed: "+v.plain.PercentRange(g)+". A share computed this way does not predict what a sampling tool will show.", "class", "note")
	} else {
		v.elem("p", "GPU share of the window: "+unknown(v.run.GPUShare)+".", "class", "note")
	}
}

// maybeBetween writes bounds that may be unknown.
func (s Scale) maybeBetween(m model.Maybe[model.Range[time.Duration]]) cell {
	r, ok := m.Get()
	if !ok {
		return none(notComputable(m))
	}
	return s.between(r)
}

// replayCell is empty in a run without any replay, so that the column goes away.
func (s Scale) replayCell(w *report.WhatIf, r *report.Scenario) cell {
	if !w.Path.Known() {
		return cell{}
	}
	return s.maybeBetween(r.Replay)
}

// criticalPath shows the chain of waits by stage, and what a replay claims.
func (v *view) criticalPath(w *report.WhatIf) {
	p, ok := w.Path.Get()
	if !ok {
		v.say(w.ReplayBy, "note")
		return
	}
	ds := []time.Duration{p.Host, p.Lag, p.Unrecorded}
	for _, x := range p.Stages {
		ds = append(ds, x.Time)
	}
	s := ScaleFor(ds...)
	whole, _ := w.Total.Get()
	t := table{caption: "Critical path: the chain that leads back from the end, each part to what it waited for last", headed: true,
		cols: []column{words("part"), figure("time, " + s.Unit()), figure("share of window"), figure("intervals")}}
	row := func(first cell, d time.Duration, n cell) {
		f := share(d, whole)
		t.rows = append(t.rows, []cell{first, s.in(d), {text: v.plain.Percent(f), exact: exactFloat(f)}, n})
	}
	for _, x := range p.Stages {
		row(cell{text: v.stage(x.Stage), swatch: v.stages.style(x.Stage), own: true}, x.Time, v.plain.countCell(x.N))
	}
	if p.Host > 0 {
		row(txt("the host, beside its stages"), p.Host, none(reason(model.NotApplicable)))
	}
	row(txt("lag between two of them"), p.Lag, none(reason(model.NotApplicable)))
	row(txt("nothing recorded was waited for"), p.Unrecorded, none(reason(model.NotApplicable)))
	v.table(t)
	v.say(w.ReplayBy, "note")
}

// notComputable says so, and why.
func notComputable(m model.Maybe[model.Range[time.Duration]]) string {
	if m.Why() == model.NotComputable {
		return unknown(m)
	}
	return "not computable (" + unknown(m) + ")"
}

// factor is a factor as it was given: 0.5, not 0.500.
func factor(f float64) string { return tidy(strconv.FormatFloat(f, 'f', -1, 64)) }

func (v *view) factors(cs []report.Change) string {
	var parts []string
	for _, c := range cs {
		parts = append(parts, v.stage(c.Stage)+" × "+factor(c.Factor))
	}
	return strings.Join(parts, ", ")
}

// curveTables are the tables beside the chart of the total against the factor.
func (v *view) curveTables(w *report.WhatIf) {
	if len(w.Curves) == 0 {
		return
	}
	v.fold("Table: total against the factor of one stage")
	for _, c := range w.Curves {
		var ds []time.Duration
		for _, r := range c.Total {
			ds = append(ds, r.Lo, r.Hi)
		}
		s := ScaleFor(ds...)
		t := table{caption: "Total against the factor of " + v.stage(c.Stage), headed: true,
			cols: []column{figure("factor"), figure("lowest total, " + s.Unit()), figure("highest total, " + s.Unit())}}
		for i := range min(len(c.Factor), len(c.Total)) {
			t.rows = append(t.rows, []cell{{text: factor(c.Factor[i]), exact: exactFloat(c.Factor[i])}, s.in(c.Total[i].Lo), s.in(c.Total[i].Hi)})
		}
		v.table(t)
	}
	v.foldEnd()
}
