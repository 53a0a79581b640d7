package render

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// summary is the first screen: symptom, what was observed, where the time went,
// what a change could buy, what it is consistent with, what cannot be decided.
func (p *page) summary() {
	if p.rep.Protocol {
		p.elem("p", protocolWords, "class", "note")
	}
	for i := range p.rep.Comparisons {
		p.verdictBox(&p.rep.Comparisons[i])
	}
	p.eachRun("summary", func(v *view) {
		v.symptom()
		v.observed()
		v.whereTimeWent()
		v.start("div", "class", "answers")
		v.whatIfInBrief()
		v.start("div")
		v.hypothesesInBrief()
		v.targetsInBrief()
		v.end("div")
		v.undecidable()
		v.end("div")
	})
}

// symptomKinds are the declared kinds in words.
var symptomKinds = map[string]string{
	"late_first_result": "the first result arrives late",
	"pause":             "a pause in a stage",
	"output_rate_drop":  "accepted outputs per unit of time fall",
}

func (v *view) symptom() {
	d := v.run.Declared
	v.start("p", "class", "symptom")
	v.elem("span", "Symptom", "class", "label")
	v.text(" ")
	kind, text := "", ""
	if d != nil {
		kind, text = symptomKinds[d.SymptomKind], v.doc.Field("symptom", d.SymptomText).String()
	}
	switch {
	case kind == "" && text == "":
		v.notDeclared()
	default:
		v.text(kind)
		if kind != "" && text != "" {
			v.text(": ")
		}
		v.name(text)
	}
	v.end("p")
}

// whereTimeWent draws the stages of the primary basis against the window.
func (v *view) whereTimeWent() {
	t := v.primary()
	if t == nil && len(v.run.Stages) > 0 {
		v.heading("Where the time went")
		v.elem("p", "Not known: the stages of this run were observed on a clock that is not placed in the window. An offset, a zone or an anchor in run.yaml would place it.", "class", "none")
		return
	}
	if t == nil {
		v.heading("Where the time went")
		v.elem("p", "Not known: no source of this run shows stages. A log line with the fields stage and edge, or a rule in run.yaml, would show them.", "class", "none")
		return
	}
	v.heading("Where the " + v.plain.Duration(t.Window.Len()) + " went (" + v.basisName(t.Basis) + ")")
	v.stageBars(t)
	if len(v.run.Findings) > 0 {
		v.findings()
	}
}

// primary is the stage table that the first screen and the scenarios rest on.
func (v *view) primary() *report.StageTable {
	if v.run.Primary < 0 || v.run.Primary >= len(v.run.Stages) {
		return nil
	}
	return &v.run.Stages[v.run.Primary]
}

// basisName says which kind of source the stages come from.
func (v *view) basisName(b report.Basis) string {
	t := kindName(b.Kind)
	if len(b.Sources) > 1 {
		t += " × " + strconv.Itoa(len(b.Sources))
	}
	if !b.Placed {
		t += ", on its own clock"
	}
	return t
}

// findings are the strongest statements, but for those about scenarios, which
// stand beside them with both bounds.
func (v *view) findings() {
	v.start("ul", "class", "findings")
	for _, f := range v.run.Findings {
		if f.Link == "what-if" && len(v.briefScenarios()) > 0 {
			continue
		}
		v.start("li")
		v.text(v.phrase(f.Text))
		v.text(" ")
		if isSection(f.Link) {
			v.elem("a", "evidence", "href", "#"+f.Link, "class", "more")
		}
		v.end("li")
	}
	v.end("ul")
}

func isSection(id string) bool {
	for _, s := range sectionIDs {
		if s == id {
			return true
		}
	}
	return false
}

func plural(n int, one string) string {
	switch {
	case n == 1:
		return "1 " + one
	case strings.HasSuffix(one, "ch"):
		one += "e"
	case strings.HasSuffix(one, "ty"):
		one = strings.TrimSuffix(one, "y") + "ie"
	}
	return tidy(strconv.Itoa(n)) + " " + one + "s"
}

// whatIfInBrief writes the scenarios of the first screen as sentences.
func (v *view) whatIfInBrief() {
	v.start("div", "class", "answer")
	v.start("p", "class", "label")
	v.elem("a", "What if", "href", "#what-if")
	v.end("p")
	defer v.end("div")
	rows := v.briefScenarios()
	if len(rows) == 0 {
		v.elem("p", "No scenario could be computed: "+v.noScenario(), "class", "none")
		return
	}
	total, _ := v.run.WhatIf.Total.Get()
	for _, s := range rows {
		if s.Asked || s.Changes[0].Stage != model.StageGPUCompute || v.run.WhatIf.FasterGPU.Empty() {
			v.elem("p", v.scenarioSentence(total, s))
		}
	}
	if !v.run.WhatIf.FasterGPU.Empty() {
		v.elem("p", v.phrase(v.run.WhatIf.FasterGPU))
	}
}

const scenariosInSummary = 2

// briefScenarios are the ones that were asked for, then those that may save most,
// and always what a faster GPU would change.
func (v *view) briefScenarios() []*report.Scenario {
	var asked, usual, gpu []*report.Scenario
	for i := range v.run.WhatIf.Rows {
		s := &v.run.WhatIf.Rows[i]
		switch {
		case s.Strength == "hidden_waits" || s.Strength == "observed_only" || len(s.Changes) == 0 || !s.Asked && s.Changes[0].Factor == 0:
		case s.Asked:
			asked = append(asked, s)
		case len(s.Changes) == 1 && s.Changes[0].Stage == model.StageGPUCompute:
			if s.Total.Known() {
				gpu = append(gpu, s)
			}
		default:
			usual = append(usual, s)
		}
	}
	asked = asked[:min(len(asked), scenariosInSummary)]
	for len(usual) > 0 && len(asked)+len(usual)+len(gpu) > scenariosInSummary {
		least := 0
		for i, s := range usual {
			if savedAtMost(s) < savedAtMost(usual[least]) {
				least = i
			}
		}
		usual = append(usual[:least], usual[least+1:]...)
	}
	return slices.Concat(asked, usual, gpu)
}

// savedAtMost is what a scenario may save; below 0 if that is unknown.
func savedAtMost(s *report.Scenario) time.Duration {
	r, ok := s.Saved.Get()
	if !ok {
		return -1
	}
	return r.Hi
}

func (v *view) noScenario() string {
	if v.primary() == nil && len(v.run.Stages) > 0 {
		return "the stages of this run are on a clock that is not placed in the window."
	}
	if v.primary() == nil {
		return "no source shows stages."
	}
	if !v.run.WhatIf.Total.Known() {
		return unknown(v.run.WhatIf.Total) + "."
	}
	return "no stage was observed to which a factor could be applied."
}

// scenarioSentence says what the scenario bounds, in both strengths.
func (v *view) scenarioSentence(total time.Duration, s *report.Scenario) string {
	become, ok := s.Total.Get()
	if !ok {
		return v.scenarioName(s) + ": " + notComputable(s.Total) + "."
	}
	worst, stated := s.Worst.Get()
	scale := ScaleFor(total, become.Lo, become.Hi)
	var b strings.Builder
	b.WriteString("If ")
	for i, c := range s.Changes {
		if i > 0 {
			b.WriteString(" and ")
		}
		b.WriteString(v.changeWords(c))
	}
	b.WriteString(", the " + scale.Text(total) + " would become ")
	b.WriteString(scale.Range(become.Lo, become.Hi))
	b.WriteString(", if nothing unobserved runs alongside")
	if stated && worst != become {
		b.WriteString("; without that assumption ")
		b.WriteString(scale.Range(worst.Lo, worst.Hi))
	}
	b.WriteString(".")
	return b.String()
}

func (v *view) changeWords(c report.Change) string {
	switch c.Factor {
	case 0:
		return v.stage(c.Stage) + " took no time"
	case 0.5:
		return v.stage(c.Stage) + " took half the time"
	case 1:
		return v.stage(c.Stage) + " took the same time"
	}
	return v.stage(c.Stage) + " took " + factor(c.Factor) + " times as long"
}

// hypothesesInBrief names what the observations are consistent with.
func (v *view) hypothesesInBrief() {
	v.start("div", "class", "answer")
	v.start("p", "class", "label")
	v.elem("a", "Hypotheses", "href", "#hypotheses")
	v.end("p")
	defer v.end("div")
	shown := 0
	for i := range v.run.Hypotheses {
		h := &v.run.Hypotheses[i]
		if h.State != report.Supported || shown == 3 {
			continue
		}
		shown++
		v.start("p")
		v.text(v.phrase(h.Statement) + " ")
		v.start("a", "href", "#"+v.hypothesisID(i), "class", "more")
		v.text(strconv.Itoa(len(h.Supports)) + " for, " + strconv.Itoa(len(h.Against)) + " against")
		v.end("a")
		if !h.NextCheck.Empty() {
			v.start("span", "class", "settle")
			v.text(" Would settle it: " + v.phrase(h.NextCheck))
			v.end("span")
		}
		v.end("p")
	}
	if shown == 0 {
		v.elem("p", "No hypothesis is supported by what was observed. "+v.countStates(), "class", "none")
	}
}

func (v *view) countStates() string {
	against, open := 0, 0
	for _, h := range v.run.Hypotheses {
		switch h.State {
		case report.NotSupported:
			against++
		case report.NotEvaluated:
			open++
		}
	}
	return strconv.Itoa(against) + " not supported, " + strconv.Itoa(open) + " could not be evaluated."
}

func (v *view) hypothesisID(i int) string {
	return "hypothesis-" + strconv.Itoa(v.n+1) + "-" + strconv.Itoa(i+1)
}

// targetsInBrief says whether the declared targets were met.
func (v *view) targetsInBrief() {
	if len(v.run.Targets) == 0 {
		return
	}
	met, missed, open := 0, 0, 0
	for _, t := range v.run.Targets {
		m, ok := t.Met.Get()
		switch {
		case !ok:
			open++
		case m:
			met++
		default:
			missed++
		}
	}
	v.start("div", "class", "answer")
	v.start("p", "class", "label")
	v.elem("a", "Targets", "href", "#record")
	v.end("p")
	text := strconv.Itoa(met) + " met, " + strconv.Itoa(missed) + " not met, " + strconv.Itoa(open) + " not decidable."
	if missed == 0 && open == 0 {
		text += " A run that meets its targets may be left as it is; low activity alone does not call for a change."
	}
	v.elem("p", text)
	v.end("div")
}
