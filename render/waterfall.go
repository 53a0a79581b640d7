package render

import (
	"strconv"

	"tracemerge/model"
	"tracemerge/model/report"
)

// waterfall draws everything that has a place on the run's clock under one axis,
// and then the batches or steps one by one.
func (p *page) waterfall() {
	p.legend()
	p.eachRun("waterfall", func(v *view) {
		if !v.run.Window.Known {
			v.elem("p", "There is no common window: no source has a clock that could give one.", "class", "none")
		} else {
			v.timeline()
		}
		for i := range v.run.Waterfalls {
			v.batches(&v.run.Waterfalls[i])
		}
		if len(v.run.Waterfalls) == 0 {
			v.elem("p", "No record names a batch, a step or a task together with a stage, so there is no picture batch by batch.", "class", "none")
		}
		for i := range v.run.Stages {
			v.stageTable(&v.run.Stages[i])
		}
		v.differences()
	})
}

// legend names the fills of the pictures.
func (p *page) legend() {
	p.start("ul", "class", "legend", "aria-label", "Legend of the pictures")
	for _, s := range p.stagesShown() {
		p.start("li")
		p.swatch(p.stages.style(s))
		p.name(p.stage(s))
		p.end("li")
	}
	for _, k := range []struct{ class, fill, text string }{
		{"idle", "", "observed, nothing ran"},
		{"unknown", "url(#hatch)", "not observed"},
	} {
		p.start("li")
		p.start("svg", "class", "swatch", "width", "12", "height", "12", "aria-hidden", "true", "focusable", "false")
		p.shape("rect", "class", k.class, "x", "0.5", "y", "0.5", "width", "11", "height", "11", "fill", k.fill)
		p.end("svg")
		p.text(k.text)
		p.end("li")
	}
	p.end("ul")
	p.line()
}

// stagesShown are the stages of the whole report: built-in ones in the order of
// a job, then the users' own in order of appearance.
func (p *page) stagesShown() []model.StageID {
	met := map[model.StageID]bool{}
	var own []model.StageID
	meet := func(s model.StageID) {
		if !met[s] && s.Builtin() == "" {
			own = append(own, s)
		}
		met[s] = true
	}
	for i := range p.rep.Runs {
		for _, t := range p.rep.Runs[i].Stages {
			for _, r := range t.Rows {
				meet(r.Stage)
			}
		}
		for _, w := range p.rep.Runs[i].Waterfalls {
			for _, r := range w.Rows {
				for _, s := range r.Intervals {
					meet(s.Stage)
				}
			}
		}
	}
	var out []model.StageID
	for _, s := range model.BuiltinStages() {
		if met[s] {
			out = append(out, s)
		}
	}
	return append(out, own...)
}

// timeline draws coverage, stages, devices and pauses under one axis.
func (v *view) timeline() {
	x := v.window()
	v.picture("All lanes on one clock.",
		"Each lane shows when something ran or was sampled, in seconds from the window's start.",
		"It does not show which lane waited for which.")
	v.axisLane(x)
	for _, g := range groupSources(v.run.Sources) {
		v.coverageLane(x, g, false)
	}
	for i := range v.run.Stages {
		v.stageLanes(x, &v.run.Stages[i])
	}
	v.busyLanes(x)
	v.pauseLane(x)
	v.axisLane(x)
	v.pictureEnd()
}

// stageLanes draws one lane for each stage of a basis that lies on the run's
// clock.
func (v *view) stageLanes(x axis, t *report.StageTable) {
	if !t.Basis.Placed || len(t.Rows) == 0 {
		return
	}
	v.elem("div", "Stages by "+v.basisName(t.Basis), "class", "lane-head")
	for _, r := range t.Rows {
		name := v.stage(r.Stage)
		v.lane(x, lane{name: name, own: r.Stage.Builtin() == "", swatch: v.stages.style(r.Stage),
			value: v.shareText(r.Share), height: laneHeight,
			label: name + " ran in " + plural(int(r.Intervals), "interval") + ", " + v.plain.Duration(r.Busy) + " in all",
			draw: func(h float64) {
				v.box(x, x.at, boxStyle{class: "idle", y: 3, height: h - 6})
				v.observedAndNot(band{boxStyle{class: "stage", fill: v.stages.fillOf(r.Stage), title: name, y: 3, height: h - 6}, x, v.stageColumns()},
					r.Set.Parts(), v.notByBasis(t))
			}})
	}
}

// stageColumns is how many columns a stage's lane may draw in this run.
func (v *view) stageColumns() int {
	lanes := 0
	for _, t := range v.run.Stages {
		lanes += len(t.Rows)
	}
	return columnsFor(lanes)
}

// notByBasis is where the sources of a basis did not observe.
func (v *view) notByBasis(t *report.StageTable) []stretch {
	why := "not observed by " + v.basisName(t.Basis)
	var out []stretch
	for i := range t.Accounted.UnknownSet.All() {
		out = append(out, stretch{i, why, why})
	}
	return out
}

// pauseLane marks the pauses.
func (v *view) pauseLane(x axis) {
	if len(v.run.Pauses) == 0 {
		return
	}
	v.lane(x, lane{name: "pauses", value: strconv.Itoa(len(v.run.Pauses)), height: laneHeight,
		label: plural(len(v.run.Pauses), "pause"),
		draw: func(h float64) {
			for i, p := range v.run.Pauses {
				v.box(x, p.At, boxStyle{class: "pause", y: 4, height: h - 8,
					title: "pause " + strconv.Itoa(i+1) + ", " + pauseKinds[p.Kind] + ", " + v.plain.Span(p.At)})
			}
		}})
}
