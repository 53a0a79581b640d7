package render

import (
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// batchGroups sums the batches, those of the warm-up apart from the others.
func (v *view) batchGroups(b *report.Batches, by string) {
	if b.Of < 2 {
		return
	}
	v.elem("p", "Warm-up: "+v.phrase(b.WarmUpBy)+".", "class", "note")
	if b.Open > 0 {
		v.elem("p", plural(b.Open, by)+" with an edge that was not observed: in no figure of this table.", "class", "note")
	}
	steady := "Steady"
	if b.Early.N == 0 {
		steady = "All"
	}
	for _, g := range []struct {
		name string
		*report.BatchGroup
	}{{"Warm-up", &b.Early}, {steady, &b.Steady}} {
		if g.N > 0 {
			v.batchGroup(b, g.BatchGroup, g.name+": "+plural(g.N, by)+", each over its own time", by)
		}
	}
}

func (v *view) batchGroup(b *report.Batches, g *report.BatchGroup, caption, by string) {
	spreads := append([]report.Spread{g.Length}, g.Stages...)
	var ds []time.Duration
	for _, s := range spreads {
		m, _ := s.Max.Get()
		ds = append(ds, m)
	}
	scale, sums := ScaleFor(ds...), ScaleFor(g.Length.Sum)
	u := ", " + scale.Unit()
	t := table{caption: caption, headed: true, cols: []column{words("stage of the " + by), figure("least" + u), figure("median" + u),
		figure("most" + u), figure("sum, " + sums.Unit()), figure("alone, sum, " + sums.Unit())}}
	row := func(first cell, s report.Spread, alone cell) {
		t.rows = append(t.rows, append(append([]cell{first}, spreadCells(scale, s)...), sums.in(s.Sum), alone))
	}
	row(cell{text: "the whole " + by}, g.Length, none(reason(model.NotApplicable)))
	for n, id := range b.Stages {
		if g.Stages[n].Sum > 0 {
			row(cell{text: v.stage(id), swatch: v.stages.style(id), own: true}, g.Stages[n], sums.in(g.Exclusive[n]))
		}
	}
	v.table(t)
	if g.Waiting > 0 {
		v.elem("p", "In "+v.inScale(sums, g.Waiting)+" of it no stage of the "+by+" itself ran; it may have waited while another one ran.", "class", "note")
	}
	if g.Unknown > 0 {
		v.elem("p", v.inScale(sums, g.Unknown)+" of it were not observed.", "class", "note")
	}
}
