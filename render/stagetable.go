package render

import (
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// stageTable is the table beside the pictures of a basis.
func (v *view) stageTable(t *report.StageTable) {
	v.heading("Stages by " + v.basisName(t.Basis))
	var ds []time.Duration
	for _, r := range t.Rows {
		ds = append(ds, r.Busy, r.Exclusive, r.Overlap)
	}
	scale := ScaleFor(ds...)
	u := ", " + scale.Unit()
	tab := table{caption: "Stages, " + v.basisName(t.Basis) + ", of " + v.plain.Duration(t.Window.Len()), headed: true,
		cols: []column{words("stage"), figure("time" + u), figure("alone" + u), figure("together with others" + u),
			figure("share of window"), figure("intervals"), figure("longest" + u), figure("clock uncertainty" + u)}}
	for _, r := range t.Rows {
		shareCell := v.plain.rangeless(r.Share, v.plain.Percent)
		tab.rows = append(tab.rows, []cell{{text: v.stage(r.Stage), swatch: v.stages.style(r.Stage), own: true},
			scale.in(r.Busy), scale.in(r.Exclusive), scale.in(r.Overlap), shareCell,
			v.plain.countCell(r.Intervals), scale.in(r.Longest), scale.in(r.Unsure)})
	}
	v.table(tab)
	v.accounted(t)
	v.sayAll(t.Notes, "notes")
}

// accounted says how the window is filled, exactly.
func (v *view) accounted(t *report.StageTable) {
	a := t.Accounted
	if !a.Known {
		return
	}
	s := ScaleFor(a.Stages, a.Unattributed, a.Unknown)
	v.elem("p", "The window is filled exactly: "+v.inScale(s, a.Stages)+" with at least one stage, "+v.inScale(s, a.Unattributed)+
		" observed without a stage (unattributed), "+v.inScale(s, a.Unknown)+" not observed. Overlapping stages are counted once here.", "class", "note")
	if len(t.Overlap) == 0 {
		return
	}
	var ds []time.Duration
	for _, o := range t.Overlap {
		ds = append(ds, o.Both)
	}
	so := ScaleFor(ds...)
	tab := table{caption: "Stages that ran together", cols: []column{words("stage"), words("and"), figure("together, " + so.Unit())}}
	for _, o := range t.Overlap {
		tab.rows = append(tab.rows, []cell{file(v.stage(o.A)), file(v.stage(o.B)), so.in(o.Both)})
	}
	v.table(tab)
}

// differences sets the bases that state one stage side by side.
func (v *view) differences() {
	if len(v.run.Differences) == 0 {
		return
	}
	v.heading("One stage by two sources")
	var ds []time.Duration
	for _, d := range v.run.Differences {
		ds = append(ds, d.InA, d.InB)
	}
	s := ScaleFor(ds...)
	u := ", " + s.Unit()
	tab := table{caption: "The same stage by two sources, within the time that both observed", headed: true,
		cols: []column{words("stage"), words("one"), figure("time" + u), words("other"), figure("time" + u), figure("both say so" + u),
			figure("observed by both" + u)}}
	for _, d := range v.run.Differences {
		tab.rows = append(tab.rows, []cell{{text: v.stage(d.Stage), swatch: v.stages.style(d.Stage), own: true}, file(v.basisName(d.A)), s.in(d.InA),
			file(v.basisName(d.B)), s.in(d.InB), s.in(d.Together), s.in(d.Common)})
	}
	v.table(tab)
	v.elem("p", "A log states when the program entered and left a stage, a trace what was recorded inside it: a difference contradicts neither by itself. The first basis above fills the window; --basis chooses another.", "class", "note")
}

// rangeless writes a number that may be unknown in the given form.
func (p Plain) rangeless(m model.Maybe[float64], write func(float64) string) cell {
	f, ok := m.Get()
	if !ok {
		return none(unknown(m))
	}
	return cell{text: write(f), exact: exactFloat(f)}
}
