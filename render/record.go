package render

import (
	"strconv"

	"tracemerge/model"
	"tracemerge/model/report"
)

// record is what the team keeps: symptom, hypothesis under test, change,
// conditions, progress, targets, result.
func (p *page) record() {
	p.elem("p", "What a person declared in run.yaml, and what the logs show of the outcome. A path that was ruled out is worth writing down.", "class", "note")
	p.eachRun("record", func(v *view) {
		v.declaredTable()
		v.progress()
		v.targets()
	})
}

func (v *view) declaredTable() {
	d := v.run.Declared
	if d == nil {
		d = &model.Declaration{}
		v.elem("p", "This run has no run.yaml.", "class", "note")
	}
	t := table{caption: "Declared", headed: true, cols: []column{words("key"), words("value")}}
	add := func(key, value string) {
		c := cell{text: "not declared", class: "unk nd"}
		if value != "" {
			c = file(value)
		}
		t.rows = append(t.rows, []cell{txt(key), c})
	}
	add("symptom", joinWith(": ", symptomKinds[d.SymptomKind], v.doc.Field("symptom", d.SymptomText).String()))
	add("window", v.declaredWindow(d))
	for _, c := range v.declared() {
		all := ""
		for _, s := range c.parts {
			all = joinWith(", ", all, s)
		}
		add(c.name, all)
	}
	add("quality", v.quality(d.Quality))
	add("hypothesis under test", v.doc.Field("hypothesis", d.Hypothesis.Text).String())
	add("change tried", v.doc.Field("change", d.Hypothesis.Change).String())
	add("would reject it", v.doc.Field("rejects_if", d.Hypothesis.RejectsIf).String())
	add("result", v.doc.Field("result", d.Result.Text).String())
	excluded := ""
	for _, e := range d.Result.Excluded {
		excluded = joinWith("; ", excluded, v.doc.Field("excluded", e).String())
	}
	add("excluded", excluded)
	add("next observation", v.doc.Field("next_observation", d.Result.NextObservation).String())
	v.table(t)
}

func joinWith(sep, a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + sep + b
}

func (v *view) declaredWindow(d *model.Declaration) string {
	switch {
	case d.HasStart && d.HasEnd:
		return v.plain.Span(d.Window)
	case d.HasStart:
		return "from " + v.plain.Instant(d.Window.Start)
	case d.HasEnd:
		return "until " + v.plain.Instant(d.Window.End)
	}
	return ""
}

func (v *view) quality(q model.Quality) string {
	out := v.doc.Field("quality", q.Metric).String()
	for _, l := range []struct {
		name string
		m    model.Maybe[float64]
	}{{"value", q.Value}, {"at most", q.AtMost}, {"at least", q.AtLeast}} {
		if f, ok := l.m.Get(); ok {
			out = joinWith(", ", out, l.name+" "+v.plain.Number(f))
		}
	}
	return out
}

func (v *view) progress() {
	g := &v.run.Progress
	v.heading("Progress")
	first := none(unknown(g.FirstResult))
	if d, ok := g.FirstResult.Get(); ok {
		first = cell{text: v.plain.Duration(d), exact: Exact(d), unit: "s"}
	}
	count := func(m model.Maybe[int64]) cell {
		n, ok := m.Get()
		if !ok {
			return none(unknown(m))
		}
		return v.plain.countCell(n)
	}
	v.table(table{caption: "Progress of the application", headed: true, cols: []column{words("quantity"), figure("value"), words("what it shows, what it does not")}, rows: [][]cell{
		{txt("first result after"), first, {text: "Time from the window's start to the first accepted or finished output. It does not say what the time before it was spent on.", class: "wide"}},
		{txt("accepted"), count(g.Accepted), {text: "Outputs the application logged as accepted. It does not say how good they are.", class: "wide"}},
		{txt("rejected"), count(g.Rejected), {text: "Outputs the application logged as rejected. Work on them shows as activity.", class: "wide"}},
		{txt("errors"), count(g.Errors), {text: "Records that state an error. It does not say that the job stopped.", class: "wide"}},
		{txt("retries"), count(g.Retries), {text: "Records that state another try. Work on them shows as activity.", class: "wide"}},
		{txt("accepted per minute"), v.plain.numberCell(g.AcceptedPerMinute), {text: "Accepted outputs over the window. It does not show how evenly they came.", class: "wide"}},
	}})
	v.progressPicture(g)
	v.chartOfProgress()
	v.pace(&g.Pace)
	if len(g.Evidence) > 0 {
		v.evidence("From", g.Evidence)
	}
}

// progressPicture marks the instants of progress on the run's axis, so that
// output and hardware share one.
func (v *view) progressPicture(g *report.Progress) {
	if len(g.Points) == 0 || !v.run.Window.Known {
		return
	}
	x := v.window()
	v.picture("Progress over time.", "Each step is a record that states a running total; the height is the total so far.",
		"Between two records nothing is known; it does not show that work stood still.")
	v.axisLane(x)
	for _, q := range []struct {
		name string
		of   func(report.ProgressPoint) model.Maybe[int64]
	}{
		{"accepted", func(p report.ProgressPoint) model.Maybe[int64] { return p.Accepted }},
		{"rejected", func(p report.ProgressPoint) model.Maybe[int64] { return p.Rejected }},
		{"errors", func(p report.ProgressPoint) model.Maybe[int64] { return p.Errors }},
	} {
		v.progressLane(x, q.name, g.Points, q.of)
	}
	v.pictureEnd()
}

func (v *view) progressLane(x axis, name string, points []report.ProgressPoint, of func(report.ProgressPoint) model.Maybe[int64]) {
	most, known := int64(0), 0
	for _, p := range points {
		if n, ok := of(p).Get(); ok {
			most = max(most, n)
			known++
		}
	}
	if known == 0 {
		return
	}
	v.lane(x, lane{name: name, value: v.plain.Count(most), height: deviceHeight, label: name + ": " + v.plain.Count(most) + " at most, " + plural(known, "record"),
		draw: func(h float64) {
			for i, p := range points {
				n, ok := of(p).Get()
				if !ok {
					continue
				}
				end := x.at.End
				if i+1 < len(points) {
					end = points[i+1].At
				}
				y := h - 2
				if most > 0 {
					y = h - 2 - (h-6)*float64(n)/float64(most)
				}
				v.box(x, model.Interval[model.Time]{Start: p.At, End: max(end, p.At)}, boxStyle{class: "step", y: y, height: h - 2 - y + 0.5,
					title: v.plain.Count(n) + " " + name + " at " + v.plain.Instant(p.At)})
			}
		}})
}

// targetWords are the names of the declared targets in words.
var targetWords = map[string]string{"deadline_seconds": "deadline", "accepted_per_minute": "accepted per minute", "gpu_hours": "GPU hours", "quality": "quality"}

func (v *view) targets() {
	v.heading("Targets")
	if len(v.run.Targets) == 0 {
		v.start("p")
		v.notDeclared()
		v.end("p")
		return
	}
	t := table{caption: "Targets", headed: true, cols: []column{words("target"), figure("wanted"), figure("observed"), words("met")}}
	for _, g := range v.run.Targets {
		name := targetWords[g.Name]
		if name == "" {
			name = g.Name
		}
		if g.Unit != "" {
			name += " [" + g.Unit + "]"
		}
		met := none("not decidable (" + unknown(g.Met) + ")")
		if m, ok := g.Met.Get(); ok {
			met = cell{text: map[bool]string{true: "met", false: "not met"}[m], class: map[bool]string{true: "verdict-better", false: "verdict-worse"}[m]}
		}
		t.rows = append(t.rows, []cell{txt(name), {text: v.plain.Number(g.Wanted), exact: exactFloat(g.Wanted)}, v.plain.numberCell(g.Observed), met})
	}
	v.table(t)
}

var yesNo = map[bool]string{true: "on", false: "off"}

func option(m model.Maybe[bool]) string {
	b, ok := m.Get()
	if !ok {
		return unknown(m)
	}
	return yesNo[b]
}

func (p Plain) intText(m model.Maybe[int64]) string {
	n, ok := m.Get()
	if !ok {
		return unknown(m)
	}
	return strconv.FormatInt(n, 10)
}

// pace says how long one result took and whether that changed, with the rule.
func (v *view) pace(p *report.Pace) {
	if usual, ok := p.Usual.Get(); ok {
		v.elem("p", "Usual time for one result (median): "+v.plain.Duration(usual)+".")
	}
	if c := p.Change; c != nil {
		v.start("p")
		v.text(v.phrase(c.What) + " Most likely between " + v.plain.Span(c.At) + " ")
		v.cite(c.From)
		v.text(" ")
		v.cite(c.To)
		v.end("p")
	} else if !p.Why.Empty() {
		v.elem("p", v.phrase(p.Why), "class", "note")
	}
	v.elem("p", v.phrase(p.Rule), "class", "note")
}
