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
	"too_few":             "not judged (too few independent values)",
}

// protocolWords lay out the three-run protocol.
const protocolWords = "These are the three runs of the usual protocol: before; after, with the same instruments; after, without heavy ones. The first two are the comparison. The third against the second shows what the instruments took; against the first it says nothing of the change by itself."

// verdictWord is a verdict in words; where nothing is known to differ but not all is
// declared, runs are not called incomparable.
func verdictWord(c *report.Comparison, m report.MetricChange) string {
	word := verdictWords[m.Verdict]
	switch {
	case m.Verdict == report.NotComparable && c.Undeclared:
		return "no verdict (comparability not established)"
	case word == "":
		return "not stated"
	}
	return word
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
	for _, verdict := range []string{"improved", "worse", "not_distinguishable", "too_few", "one_observation"} {
		shown := 0
		for _, m := range c.Metrics {
			r, ok := m.Ratio.Get()
			if m.Verdict != verdict || !ok {
				continue
			}
			if (verdict == "one_observation" || verdict == "too_few") && (shown == unjudgedInBrief || r.Lo <= 1 && r.Hi >= 1) {
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
		v.text("One observation each, or too few values, is not judged. ")
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
	switch {
	case m.HasStage && m.Name == "stage in a batch, median":
		return v.stage(m.Stage) + " (median of a batch)"
	case m.HasStage:
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
	if p.rep.Protocol {
		p.elem("p", protocolWords)
	}
	p.trend()
	for i := range p.rep.Comparisons {
		p.oneComparison(&p.rep.Comparisons[i], "comparison-"+strconv.Itoa(i+1))
	}
	if len(p.rep.Previous) > 0 {
		p.fold("Each run against the one before it")
		for i := range p.rep.Previous {
			p.oneComparison(&p.rep.Previous[i], "previous-"+strconv.Itoa(i+1))
		}
		p.foldEnd()
	}
}

func (p *page) oneComparison(c *report.Comparison, id string) {
	v := p.view(c.Candidate)
	p.start("div", "class", "run", "id", id)
	p.start("h3", "class", "run-name")
	p.name(p.runName(c.Candidate))
	p.text(" against ")
	p.name(p.runName(c.Baseline))
	p.end("h3")
	p.verdictLine(v, c)
	v.changes(c, "What changed, with its side effects", c.Metrics)
	v.changes(c, "Stages", c.Stages)
	v.predictions(c)
	v.coverageTable(c)
	v.conditionsTable(c)
	p.end("div")
	p.line()
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
	switch {
	case len(c.ChangedSettings) == 0:
		p.elem("p", "No declared setting differs.", "class", "note")
	case len(c.ChangedSettings) == 1 && len(c.Changed) < 2:
		p.start("p", "class", "note")
		p.text("One declared setting differs: ")
		p.name(p.shown(c.ChangedSettings[0]))
		p.text(".")
		p.end("p")
	default:
		p.start("p", "class", "note")
		p.text(plural(len(c.ChangedSettings), "declared setting") + " changed (")
		for i, s := range c.ChangedSettings {
			if i > 0 {
				p.text(", ")
			}
			p.name(p.shown(s))
		}
		p.text("); with more than one change a difference cannot be attributed to one of them.")
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

func (v *view) changes(c *report.Comparison, caption string, ms []report.MetricChange) {
	t := table{caption: caption, headed: true, cols: []column{words("quantity"), words("unit"), figure("baseline"), figure("candidate"),
		figure("candidate / baseline"), words("verdict"), figure("baseline observed"), figure("candidate observed"), words("note")}}
	for _, m := range ms {
		name := cell{text: m.Name}
		if m.HasStage {
			name = cell{text: v.changeName(m), swatch: v.stages.style(m.Stage), own: true}
		}
		t.rows = append(t.rows, []cell{name, txt(m.Unit), v.plain.rangeCell(m.Base, v.plain.NumberRange), v.plain.rangeCell(m.Next, v.plain.NumberRange),
			v.plain.rangeCell(m.Ratio, v.ratio), {text: verdictWord(c, m), class: "verdict-" + verdictClass(m.Verdict)},
			v.sharePart(m.BaseCovered), v.sharePart(m.NextCovered), {text: v.phrase(m.Note), class: "wide"}})
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
