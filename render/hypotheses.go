package render

import (
	"strconv"

	"tracemerge/model"
	"tracemerge/model/report"
)

// stateWords are the states of a hypothesis in words.
var stateWords = map[report.State]string{
	report.Supported:    "supported by observations",
	report.NotSupported: "not supported",
	report.NotEvaluated: "could not be evaluated",
}

// hypotheses stand beside what speaks for and against them. Several can hold at
// once.
func (p *page) hypotheses() {
	p.elem("p", "Several can hold at once. A clue is not a conclusion: each names the observation that would separate it from the others.", "class", "note")
	p.eachRun("hypotheses", func(v *view) {
		if len(v.run.Hypotheses) == 0 {
			v.elem("p", "No hypothesis was evaluated ("+reason(model.NoSource)+").", "class", "none")
			return
		}
		v.hypothesisTable()
		for _, state := range []report.State{report.Supported, report.NotSupported, report.NotEvaluated} {
			v.hypothesesIn(state)
		}
	})
}

func (v *view) hypothesisTable() {
	t := table{caption: "Hypotheses at a glance", headed: true, cols: []column{words("hypothesis"), words("state"), figure("for"), figure("against"),
		figure("not observed"), words("would settle it")}}
	for i := range v.run.Hypotheses {
		h := &v.run.Hypotheses[i]
		t.rows = append(t.rows, []cell{{text: v.phrase(h.Statement), link: v.hypothesisID(i), class: "wide"}, {text: stateWords[h.State], class: "state-" + stateClass(h.State)},
			v.plain.countCell(int64(len(h.Supports))), v.plain.countCell(int64(len(h.Against))), v.plain.countCell(int64(len(h.Missing))),
			{text: v.phrase(h.NextCheck), class: "wide"}})
	}
	v.table(t)
}

func stateClass(s report.State) string {
	switch s {
	case report.Supported:
		return "for"
	case report.NotSupported:
		return "against"
	}
	return "open"
}

// hypothesesIn writes the hypotheses of one state; those without support fold.
func (v *view) hypothesesIn(state report.State) {
	n := 0
	for _, h := range v.run.Hypotheses {
		if h.State == state {
			n++
		}
	}
	if n == 0 {
		return
	}
	if state != report.Supported {
		v.fold(strconv.Itoa(n) + " " + stateWords[state])
		defer v.foldEnd()
	} else {
		v.heading("Supported by observations")
	}
	for i := range v.run.Hypotheses {
		if v.run.Hypotheses[i].State == state {
			v.hypothesis(i)
		}
	}
}

func (v *view) hypothesis(i int) {
	h := &v.run.Hypotheses[i]
	v.start("div", "class", "card", "id", v.hypothesisID(i))
	v.start("p")
	v.elem("strong", v.phrase(h.Statement))
	v.text(" ")
	v.elem("code", h.ID)
	v.end("p")
	v.start("div", "class", "sides")
	v.start("div")
	v.evidence("Speaks for it", h.Supports)
	v.end("div")
	v.start("div")
	v.evidence("Speaks against it", h.Against)
	v.end("div")
	v.end("div")
	if len(h.Missing) > 0 {
		v.elem("p", "Not observed", "class", "label")
		v.sayAll(h.Missing, "notes")
	}
	if !h.NextCheck.Empty() {
		v.elem("p", "Would settle it", "class", "label")
		v.say(h.NextCheck, "")
	}
	if len(h.Threshold) > 0 {
		v.elem("p", "Thresholds", "class", "label")
		v.sayAll(h.Threshold, "notes")
	}
	v.end("div")
	v.line()
}
