package render

import (
	"io"
	"strconv"
	"strings"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/render/redact"
)

// RecordMark is the first line of every record: an output of the program, which no
// build reads as a file of the run.
const RecordMark = `<!-- <meta name="generator" content="tracemerge record"> -->`

// Record writes the record of the diagnosis as Markdown, to paste into a ticket:
// symptom, hypotheses, change, conditions, result, excluded paths, next
// observation. What nobody declared and nothing shows is said to be so. bare gets
// the same without Markdown's escapes, for the redactor's gate.
func Record(w, bare io.Writer, d redact.Document, opt Options) error {
	p := &page{doc: d, rep: d.Report, opt: opt, stages: newPalette(d.Report)}
	var m markdown
	m.own(RecordMark + "\n")
	if len(p.rep.Runs) == 0 {
		m.paragraph("There is no run to record.")
	} else {
		p.recordParts(&m)
	}
	m.own("\n")
	m.paragraph("Written by tracemerge " + opt.Version + " from redacted text; the report has the evidence, the coverage of each figure and the clocks.")
	if _, err := io.WriteString(w, m.text.String()); err != nil {
		return err
	}
	_, err := io.WriteString(bare, m.bare.String())
	return err
}

func (p *page) recordParts(m *markdown) {
	title := "Record of the diagnosis: " + p.runName(0)
	if len(p.rep.Comparisons) == 1 {
		title += " against " + p.runName(1)
	}
	m.heading(1, title)
	p.recordBasis(m)
	p.recordResult(m)
	p.recordPaths(m)
}

const notDeclaredWord = "not declared"

func orNot(s string) string {
	if s == "" {
		return notDeclaredWord
	}
	return s
}

// recordBasis is what the runs were: symptom, hypothesis, change, conditions.
func (p *page) recordBasis(m *markdown) {
	base := p.view(0)
	d := declarationOf(base.run)
	m.heading(2, "Symptom")
	m.paragraph(orNot(joinWith(": ", symptomKinds[d.SymptomKind], base.doc.Field("symptom", d.SymptomText).String())))
	m.heading(2, "Hypothesis and change")
	last := p.view(len(p.rep.Runs) - 1)
	l := declarationOf(last.run)
	m.item("under test", orNot(last.doc.Field("hypothesis", l.Hypothesis.Text).String()))
	m.item("change", orNot(last.doc.Field("change", l.Hypothesis.Change).String()))
	m.item("would reject it", orNot(last.doc.Field("rejects_if", l.Hypothesis.RejectsIf).String()))
	m.heading(2, "Conditions")
	for n := range p.rep.Runs {
		v := p.view(n)
		m.item("run "+strconv.Itoa(n+1), p.runName(n)+", "+v.windowText())
		for _, c := range v.declared() {
			all := ""
			for _, s := range c.parts {
				all = joinWith(", ", all, s)
			}
			m.own("  ")
			m.item(c.name, orNot(all))
		}
	}
}

func declarationOf(r *report.Run) *model.Declaration {
	if r.Declared == nil {
		return &model.Declaration{}
	}
	return r.Declared
}

// recordResult is what came of it: each comparison with its reservations and the
// side effects beside the gain, else what the one run shows.
func (p *page) recordResult(m *markdown) {
	m.heading(2, "Result")
	if len(p.rep.Comparisons) == 0 {
		m.paragraph("One run, so nothing is compared. A comparison needs a second run with the same input, quality and definition of done.")
	}
	if p.rep.Protocol {
		m.paragraph(protocolWords)
	}
	for i := range p.rep.Comparisons {
		c := &p.rep.Comparisons[i]
		v := p.view(c.Candidate)
		word := "not comparable"
		switch {
		case c.Comparable:
			word = "comparable"
		case c.Undeclared:
			word = "comparability not established"
		}
		m.heading(3, "Run "+strconv.Itoa(c.Candidate+1)+" against run "+strconv.Itoa(c.Baseline+1)+": "+word)
		for _, w := range c.Warnings {
			m.item("", v.phrase(w))
		}
		for _, k := range c.Conditions {
			if k.State == "different" {
				m.item("changed", v.phrase(k.Name)+": "+p.view(c.Baseline).phrase(k.Base)+" to "+v.phrase(k.Next))
			}
		}
		m.own("\n")
		m.row([]string{"quantity", "unit", "baseline", "candidate", "ratio", "verdict"}, true)
		for _, list := range [][]report.MetricChange{c.Metrics, c.Stages} {
			for _, k := range list {
				m.row([]string{v.changeName(k), k.Unit, v.rangeText(k.Base), v.rangeText(k.Next), v.rangeText(k.Ratio), verdictWord(c, k)}, false)
			}
		}
		m.own("\n")
		for _, k := range c.Predictions {
			total, ok := k.Total.Get()
			outcome, ok2 := k.Outcome.Get()
			if ok && ok2 {
				m.item("what-if", v.phrase(k.Scenario)+": "+v.plain.DurationRange(total)+" by the baseline; it took "+v.plain.Duration(outcome)+", "+outcomes[k.Where])
			}
		}
		if len(c.Predictions) == 0 {
			m.item("what-if", v.phrase(c.NoPrediction))
		}
	}
	for n := range p.rep.Runs {
		v := p.view(n)
		if t := v.doc.Field("result", declarationOf(v.run).Result.Text).String(); t != "" {
			m.item("as written for run "+strconv.Itoa(n+1), t)
		}
	}
}

// rangeText is a range in words, or why there is none.
func (v *view) rangeText(m model.Maybe[model.Range[float64]]) string {
	r, ok := m.Get()
	if !ok {
		return unknown(m)
	}
	return v.plain.NumberRange(r)
}

// recordPaths is what the observations are consistent with, what they speak
// against, and what to look at next.
func (p *page) recordPaths(m *markdown) {
	each := func(title, none string, write func(v *view, say func(string))) {
		m.heading(2, title)
		n := 0
		for i := range p.rep.Runs {
			v := p.view(i)
			write(v, func(text string) {
				n++
				m.item("run "+strconv.Itoa(i+1), text)
			})
		}
		if n == 0 {
			m.paragraph(none)
		}
	}
	each("Supported by observations", "No hypothesis is supported by what was observed.", func(v *view, say func(string)) {
		for _, h := range v.run.Hypotheses {
			if h.State == report.Supported {
				say(v.phrase(h.Statement) + " " + strconv.Itoa(len(h.Supports)) + " for, " + strconv.Itoa(len(h.Against)) + " against.")
			}
		}
	})
	each("Excluded paths", "None is excluded.", func(v *view, say func(string)) {
		for _, e := range declarationOf(v.run).Result.Excluded {
			say(v.doc.Field("excluded", e).String())
		}
		for _, h := range v.run.Hypotheses {
			if h.State == report.NotSupported {
				say("Not supported by what was observed: " + strings.TrimPrefix(v.phrase(h.Statement), "Consistent with: "))
			}
		}
	})
	each("Next observation", "None is named.", func(v *view, say func(string)) {
		if t := v.doc.Field("next_observation", declarationOf(v.run).Result.NextObservation).String(); t != "" {
			say(t)
		}
		for _, h := range v.run.Hypotheses {
			if h.State == report.Supported && !h.NextCheck.Empty() {
				say(v.phrase(h.NextCheck))
			}
		}
	})
}
