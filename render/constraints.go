package render

import (
	"strconv"

	"tracemerge/model"
)

// constraints is the table of all evidence between clocks, what was given up
// first.
func (v *view) constraints() {
	cs := v.run.Clocks.Constraints
	if len(cs) == 0 {
		return
	}
	order := byUse(cs)
	t := table{caption: "Evidence between clocks", cols: []column{words("no."), words("use"), words("strength"), words("rule"), words("what was seen or declared"),
		words("offset of"), words("less that of"), words("allowed"), words("the stated offsets"), words("excluded by no.")}}
	for _, i := range order[:min(len(order), rowsInTable)] {
		c := &cs[i]
		strength := c.Strength.String()
		if c.Assumed {
			strength += ", an assumption"
		}
		by := ""
		for _, k := range c.Against {
			by = joinWith(", ", by, strconv.Itoa(k+1))
		}
		holds := txt("not tested")
		if c.Use != model.ConstraintUntestable {
			holds = txt(v.plain.residualText(v.run.Residual(c)))
		}
		t.rows = append(t.rows, []cell{txt(strconv.Itoa(i + 1)), txt(useWords[c.Use]), txt(strength), txt(ruleWords(c.Rule)), {text: v.phrase(c.What), class: "wide", places: withPlace(c.From)},
			v.refCell(c.A), v.refCell(c.B), txt(allowedText(c.Allowed)), holds, txt(by)})
	}
	v.fold("Table: " + plural(len(cs), "constraint") + " between clocks")
	v.elem("p", "Tight: an end of a stated offset rests on it. Agrees: it holds, and something else is tighter. Contradicted: given up, since stronger evidence excludes it. Refused: neither declared nor certain, and --strict-clock asks for such evidence only. Untestable: looked for, and the data cannot say anything.", "class", "note")
	if len(order) > rowsInTable {
		v.elem("p", "The first "+strconv.Itoa(rowsInTable)+" of "+plural(len(order), "constraint")+"; the summary JSON has all of them.", "class", "note")
	}
	v.table(t)
	v.foldEnd()
}

// refCell names a clock of a constraint.
func (v *view) refCell(r model.ClockRef) cell {
	if r == (model.ClockRef{}) {
		return txt("the reference")
	}
	for i := range v.run.Sources {
		if s := &v.run.Sources[i]; s.ID == r.Source {
			return file(joinWith(", ", v.source(s.ID), pieceName(s, r.Domain)))
		}
	}
	return none(reason(model.NoSource))
}
