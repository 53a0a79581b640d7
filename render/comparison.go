package render

import (
	"strconv"

	"tracemerge/model"
	"tracemerge/model/report"
)

// verdictWords are the verdicts of a metric in words.
var verdictWords = map[string]string{
	"improved":            "improved",
	"worse":               "worse",
	"not_distinguishable": "not distinguishable",
	"not_comparable":      "not comparable",
	"not_observed":        "not observed",
	"one_observation":     "not judged (one observation each)",
}

// verdictBox says at the top of the page whether two runs can be compared.
func (p *page) verdictBox(c *report.Comparison) {
	class := "verdict"
	if !c.Comparable || len(c.Warnings) > 0 {
		class += " warn"
	}
	p.start("div", "class", class, "role", "note")
	p.start("p")
	p.start("strong")
	p.text("Run " + strconv.Itoa(c.Candidate+1) + " against run " + strconv.Itoa(c.Baseline+1))
	switch {
	case c.Comparable:
		p.text(": comparable")
	case c.Undeclared:
		p.text(": comparability not established")
	default:
		p.text(": not comparable")
	}
	p.end("strong")
	p.text(" ")
	p.elem("a", "conditions and figures", "href", "#comparison", "class", "more")
	p.end("p")
	v := p.view(c.Candidate)
	v.sayAll(c.Warnings, "notes")
	v.changesInBrief(c)
	p.end("div")
	p.line()
}

// changesInBrief states what became better, beside it what became worse, and of
// what one observation each cannot judge the quantities that differ most.
func (v *view) changesInBrief(c *report.Comparison) {
	v.start("ul", "class", "changes")
	rest := 0
	for _, verdict := range []string{"improved", "worse", "not_distinguishable", "one_observation"} {
		shown := 0
		for _, m := range c.Metrics {
			r, ok := m.Ratio.Get()
			if m.Verdict != verdict || !ok {
				continue
			}
			if verdict == "one_observation" && (shown == unjudgedInBrief || r.Lo <= 1 && r.Hi >= 1) {
				rest++
				continue
			}
			shown++
			v.change(m, r)
		}
	}
	v.end("ul")
	if rest > 0 {
		v.start("p", "class", "note")
		v.text("One observation each is not judged. ")
		v.elem("a", plural(rest, "further quantity")+" in Comparison", "href", "#comparison")
		v.end("p")
	}
}

// unjudgedInBrief is how many quantities of one observation each stand in the
// first screen.
const unjudgedInBrief = 3

func (v *view) change(m report.MetricChange, r model.Range[float64]) {
	v.start("li")
	if m.HasStage {
		v.name(v.changeName(m))
	} else {
		v.text(v.changeName(m))
	}
	a, ok := m.Base.Get()
	b, ok2 := m.Next.Get()
	if ok && ok2 {
		unit := m.Unit
		if unit == "1" {
			unit = ""
		}
		v.text(": " + join(v.plain.NumberRange(a), unit) + " to " + join(v.plain.NumberRange(b), unit) + ", " + v.ratio(r))
	}
	v.text(", ")
	word := verdictWords[m.Verdict]
	if m.Verdict == "one_observation" {
		word = "one observation each"
	}
	v.elem("span", word, "class", "verdict-"+verdictClass(m.Verdict))
	v.end("li")
}

func (v *view) changeName(m report.MetricChange) string {
	if m.HasStage {
		return v.stage(m.Stage)
	}
	return m.Name
}

// comparison sets each further run against the first, side effects beside gains.
func (p *page) comparison() {
	if len(p.rep.Comparisons) == 0 {
		p.elem("p", "There is one run, so nothing is compared. A comparison needs a second run with the same input, the same quality and the same definition of done.", "class", "none")
		return
	}
	p.elem("p", "Every change stands beside its side effects. A difference is attributed to a setting only where that setting alone changed.", "class", "note")
	for i := range p.rep.Comparisons {
		c := &p.rep.Comparisons[i]
		v := p.view(c.Candidate)
		p.start("div", "class", "run", "id", "comparison-"+strconv.Itoa(i+1))
		p.start("h3", "class", "run-name")
		p.name(p.runName(c.Candidate))
		p.text(" against ")
		p.name(p.runName(c.Baseline))
		p.end("h3")
		p.verdictLine(v, c)
		v.conditionsTable(c)
		v.changes("What changed, with its side effects", c.Metrics)
		v.changes("Stages", c.Stages)
		p.end("div")
		p.line()
	}
}

func (p *page) verdictLine(v *view, c *report.Comparison) {
	switch {
	case c.Comparable:
		p.elem("p", "The two runs are comparable by what they declare.")
	case c.Undeclared:
		p.elem("p", "Nothing is known to differ in what the runs were, but not everything that decides is declared in run.yaml; the figures stand side by side without a verdict.", "class", "warn")
	default:
		p.elem("p", "The two runs are not comparable by what they declare; the figures stand side by side without a verdict.", "class", "warn")
	}
	v.sayAll(c.Warnings, "notes")
	switch len(c.ChangedSettings) {
	case 0:
		p.elem("p", "No declared setting differs.", "class", "note")
	case 1:
		p.start("p", "class", "note")
		p.text("One declared setting differs: ")
		p.name(p.shown(c.ChangedSettings[0]))
		p.text(".")
		p.end("p")
	default:
		p.start("p", "class", "note")
		p.text(strconv.Itoa(len(c.ChangedSettings)) + " declared settings differ together (")
		for i, s := range c.ChangedSettings {
			if i > 0 {
				p.text(", ")
			}
			p.name(p.shown(s))
		}
		p.text("), so a difference cannot be attributed to one of them.")
		p.end("p")
	}
}

var conditionStates = map[string]string{"equal": "equal", "different": "different", "not_declared": "not declared"}

func (v *view) conditionsTable(c *report.Comparison) {
	base := v.page.view(c.Baseline)
	t := table{caption: "Conditions", headed: true, cols: []column{words("condition"), words("baseline"), words("candidate"), words("state")}}
	declared := func(s string) cell {
		if s == "" {
			return cell{text: "not declared", class: "unk"}
		}
		return file(s)
	}
	for _, k := range c.Conditions {
		state := cell{text: conditionStates[k.State]}
		if k.State != "equal" {
			state.class = "state-open"
		}
		t.rows = append(t.rows, []cell{txt(v.phrase(k.Name)), declared(base.phrase(k.Base)), declared(v.phrase(k.Next)), state})
	}
	v.table(t)
}

func (v *view) changes(caption string, ms []report.MetricChange) {
	t := table{caption: caption, headed: true, cols: []column{words("quantity"), words("unit"), figure("baseline"), figure("candidate"),
		figure("candidate / baseline"), words("verdict"), words("note")}}
	for _, m := range ms {
		name := cell{text: m.Name}
		if m.HasStage {
			name = cell{text: v.changeName(m), swatch: v.stages.style(m.Stage), own: true}
		}
		verdict := verdictWords[m.Verdict]
		if verdict == "" {
			verdict = "not stated"
		}
		t.rows = append(t.rows, []cell{name, txt(m.Unit), v.plain.rangeCell(m.Base, v.plain.NumberRange), v.plain.rangeCell(m.Next, v.plain.NumberRange),
			v.plain.rangeCell(m.Ratio, v.ratio), {text: verdict, class: "verdict-" + verdictClass(m.Verdict)}, {text: v.phrase(m.Note), class: "wide"}})
	}
	v.table(t)
}

func (v *view) ratio(r model.Range[float64]) string { return v.plain.NumberRange(r) + "×" }

func verdictClass(s string) string {
	switch s {
	case "improved":
		return "better"
	case "worse":
		return "worse"
	}
	return "open"
}
