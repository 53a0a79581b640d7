package render

import (
	"math"
	"strconv"
	"strings"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/render/chart"
)

// sharePart is an observed share as a cell, empty where the quantity has none.
func (v *view) sharePart(m model.Maybe[float64]) cell {
	f, ok := m.Get()
	switch {
	case ok:
		return cell{text: v.plain.Percent(f), exact: exactFloat(f)}
	case m.Why() == model.NotApplicable:
		return cell{}
	}
	return none(unknown(m))
}

// coverageTable sets beside each other what either run observed.
func (v *view) coverageTable(c *report.Comparison) {
	if len(c.Coverage) == 0 {
		return
	}
	t := table{caption: "Share of the window that was observed", headed: true, cols: []column{words("by"), figure("baseline"), figure("candidate")}}
	for _, k := range c.Coverage {
		t.rows = append(t.rows, []cell{txt(kindName(k.Kind)), v.sharePart(k.Base), v.sharePart(k.Next)})
	}
	v.table(t)
}

// outcomes say where the candidate's window fell.
var outcomes = map[string]string{
	"inside":  "inside the bounds",
	"shorter": "shorter than the least: the run changed by more than this scenario",
	"longer":  "longer than the most: something else grew, or the stage did not change as supposed",
	"":        "not decidable",
}

// predictions holds what the baseline's what-if said against what happened.
func (v *view) predictions(c *report.Comparison) {
	if len(c.Predictions) == 0 {
		v.say(c.NoPrediction, "note")
		return
	}
	t := table{caption: "What the what-if of the baseline said, and what happened", headed: true, cols: []column{words("scenario"), words("supposed"), figure("observed"),
		figure("window by the scenario"), figure("window of the candidate"), words("outcome")}}
	for _, p := range c.Predictions {
		supposed, observed := "", ""
		for _, s := range p.Supposed {
			supposed = joinWith(", ", supposed, v.stage(s.Stage)+" × "+v.plain.Number(s.Factor))
			r, ok := s.Observed.Get()
			part := unknown(s.Observed)
			if ok {
				part = v.ratio(r)
			}
			observed = joinWith(", ", observed, part)
		}
		total, outcome := none(unknown(p.Total)), none(unknown(p.Outcome))
		if r, ok := p.Total.Get(); ok {
			total = ScaleFor(r.Lo, r.Hi).withUnit(r)
		}
		if d, ok := p.Outcome.Get(); ok {
			outcome = cell{text: v.plain.Duration(d), exact: Exact(d), unit: "s"}
		}
		t.rows = append(t.rows, []cell{file(v.phrase(p.Scenario)), file(supposed), txt(observed), total, outcome, {text: outcomes[p.Where], class: "wide"}})
	}
	v.table(t)
	v.elem("p", "A scenario is about one change and supposes factors; it says something of this outcome only as far as the observed factors are those.", "class", "note")
}

// withUnit is a range of durations as a cell that names its unit itself.
func (s Scale) withUnit(r model.Range[time.Duration]) cell {
	c := s.between(r)
	c.text = s.Range(r.Lo, r.Hi)
	return c
}

// trend sets more than two runs beside each other, one column for each; the first
// is the baseline. Verdicts stand in the tables that follow.
func (p *page) trend() {
	if len(p.rep.Comparisons) < 2 {
		return
	}
	v := p.view(0)
	t := table{caption: "All runs", headed: true, cols: []column{words("quantity"), words("unit"), figure("run 1")}}
	for _, c := range p.rep.Comparisons {
		t.cols = append(t.cols, figure("run "+strconv.Itoa(c.Candidate+1)))
	}
	for i, m := range p.rep.Comparisons[0].Metrics {
		row := []cell{txt(m.Name), txt(m.Unit), v.plain.rangeCell(m.Base, v.plain.NumberRange)}
		for _, c := range p.rep.Comparisons {
			row = append(row, v.plain.rangeCell(c.Metrics[i].Next, v.plain.NumberRange))
		}
		t.rows = append(t.rows, row)
	}
	v.table(t)
	v.chartOfRuns()
}

// chartOfRuns draws what has a spread, run by run: each run is a bar of its own from
// the lower to the upper end of the median's interval, and nothing joins two runs.
func (v *view) chartOfRuns() {
	const half = 0.3 // of a bar's width, in runs
	id := v.id("chart")
	f := chart.Frame{ID: id, XName: "run", YName: "s", From: 0, To: float64(len(v.rep.Runs) + 1)}
	var bands []chart.Band
	for i, m := range v.rep.Comparisons[0].Metrics {
		if !strings.HasSuffix(m.Name, ", median") {
			continue
		}
		b := chart.Band{Name: m.Name, Colour: chartColours[len(bands)%len(chartColours)]}
		add := func(run int, m model.Maybe[model.Range[float64]]) {
			if r, ok := m.Get(); ok {
				x := float64(run + 1)
				b.X = append(b.X, x-half, x+half, x+half)
				b.Lo, b.Hi = append(b.Lo, r.Lo, r.Lo, math.NaN()), append(b.Hi, r.Hi, r.Hi, math.NaN())
			}
		}
		add(0, m.Base)
		for _, c := range v.rep.Comparisons {
			add(c.Candidate, c.Metrics[i].Next)
		}
		if len(b.X) > 0 {
			bands = append(bands, b)
		}
	}
	if len(bands) == 0 {
		return
	}
	j, err := chart.Bands(f, bands, nil)
	v.embed(id, "Medians with their intervals, run by run", j, err)
}
