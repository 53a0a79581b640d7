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

// rangeless writes a number that may be unknown in the given form.
func (p Plain) rangeless(m model.Maybe[float64], write func(float64) string) cell {
	f, ok := m.Get()
	if !ok {
		return none(unknown(m))
	}
	return cell{text: write(f), exact: exactFloat(f)}
}
