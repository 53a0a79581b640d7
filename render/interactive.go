package render

import (
	"math"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/render/chart"
)

// chartsPerRun bounds how many devices get interactive charts; the pictures
// drawn here show all of them.
const chartsPerRun = 4

// embed writes the options of a chart and the place where the script draws it.
// Without the chart script it says that the picture above is all there is.
func (v *view) embed(id, label string, options []byte, err error) {
	if err != nil {
		v.elem("p", "The interactive chart could not be built; the picture and the table beside it are complete.", "class", "note")
		return
	}
	if v.script.charts == "" {
		v.elem("p", "This page was built without the chart script; the picture and the table beside it show the same figures.", "class", "note nochart")
		return
	}
	v.start("div", "class", "chart", "id", id, "role", "img", "aria-label", label+"; the table beside it has the figures", "hidden", "hidden")
	v.end("div")
	v.start("script", "type", "application/json", "data-chart", id)
	v.raw(jsonText(options))
	v.end("script")
	v.line()
}

// chartColours are the colours of series that belong to no stage.
var chartColours = []string{"--series-1", "--series-2", "--series-3", "--series-4", "--series-5", "--series-6"}

// chartOf writes the charts of a device: metrics that share a unit share a
// chart, because two scales in one invite comparing what cannot be compared.
func (v *view) chartOf(device int) {
	d := &v.run.Devices[device]
	if device >= chartsPerRun || !d.Placed || !v.run.Window.Known {
		return
	}
	var units []model.Text
	byUnit := map[model.Text][]*report.Metric{}
	for k := range d.Metrics {
		m := &d.Metrics[k]
		if len(m.Series) == 0 || !m.Min.Known() {
			continue
		}
		if byUnit[m.Unit] == nil {
			units = append(units, m.Unit)
		}
		byUnit[m.Unit] = append(byUnit[m.Unit], m)
	}
	for _, u := range units {
		v.unitChart(d, u, byUnit[u])
	}
}

func (v *view) unitChart(d *report.Device, unit model.Text, ms []*report.Metric) {
	id := v.id("chart")
	f := chart.Frame{ID: id, XName: "s since the window's start", YName: v.shown(unit), From: 0, To: v.run.Window.At.Len().Seconds()}
	if ms[0].Role == model.RoleGPUBusy || ms[0].Role == model.RoleMemoryBusy {
		f.Top = 100
	}
	var bands []chart.Band
	columns := false
	for i, m := range ms {
		b := chart.Band{Name: v.metricName(m), Colour: chartColours[i%len(chartColours)]}
		boxes, inColumns := v.metricSeries(v.window(), d, m, v.chartBudget())
		columns = columns || inColumns
		v.bandOf(&b, boxes)
		bands = append(bands, b)
	}
	var gaps []chart.Gap
	if holes := knownSet(ms[0].Series).Gaps(v.run.Window.At); len(holes.Parts()) <= gapsPerChart {
		for i := range holes.All() {
			gaps = append(gaps, chart.Gap{From: v.seconds(i.Start), To: v.seconds(i.End), Why: "not observed"})
		}
	}
	j, err := chart.Bands(f, bands, gaps)
	if columns {
		v.elem("p", "The chart is drawn in columns of equal width as well: what is known of a column stands at its left, and the line is interrupted for the rest.", "class", "note")
	}
	v.embed(id, "Samples of device "+v.deviceName(d)+" in "+v.shown(unit)+" over time", j, err)
}

// Bounds on what the charts of a run hold together. With more holes than can be
// shaded the bands are interrupted all the same.
const (
	boxesPerChart  = 800
	boxesInCharts  = 16000
	gapsPerChart   = 200
	fewestInCharts = 150
)

// chartBudget shares the boxes among the metrics that have a chart.
func (v *view) chartBudget() int {
	n := 1
	for i := range min(len(v.run.Devices), chartsPerRun) {
		n += len(v.run.Devices[i].Metrics)
	}
	return min(max(boxesInCharts/n, fewestInCharts), boxesPerChart)
}

// seconds is an instant on a chart's axis.
func (v *view) seconds(t model.Time) float64 {
	return time.Duration(t - v.plain.Start).Seconds()
}

// bandOf writes each bucket as a step over the time it speaks for; where one
// begins inside its neighbour the later one takes over, and where there is a
// hole the band is interrupted.
func (v *view) bandOf(b *chart.Band, series []drawn) {
	add := func(at model.Time, lo, hi float64) {
		b.X, b.Lo, b.Hi = append(b.X, v.seconds(at)), append(b.Lo, lo), append(b.Hi, hi)
	}
	last, open := model.Time(math.MinInt64), false
	for _, s := range series {
		if !s.Known {
			continue
		}
		start := max(s.Support.Start, last)
		if open && s.Support.Start > last {
			add(last, math.NaN(), math.NaN())
		}
		end := max(s.Support.End, start)
		add(start, s.Lo, s.Hi)
		add(end, s.Lo, s.Hi)
		last, open = end, true
	}
}

// knownSet is the time for which the known samples speak.
func knownSet(series []report.Bucket) model.Set[model.Time] {
	var parts []model.Interval[model.Time]
	for _, b := range series {
		if b.Known {
			parts = append(parts, b.Support)
		}
	}
	return model.NewSet(parts...)
}

// coarsen joins neighbouring buckets until at most n are left. It keeps the
// lowest and the highest value, and never joins across a hole or across known
// and unknown, so more than n can be left.
func coarsen(series []report.Bucket, n int) []report.Bucket {
	for len(series) > n {
		out := make([]report.Bucket, 0, len(series)/2+1)
		for i := 0; i < len(series); i++ {
			b := series[i]
			if i+1 < len(series) && joinable(b, series[i+1]) {
				o := series[i+1]
				b.Support.End = max(b.Support.End, o.Support.End)
				b.Lo, b.Hi, b.N = min(b.Lo, o.Lo), max(b.Hi, o.Hi), b.N+o.N
				i++
			}
			out = append(out, b)
		}
		if len(out) == len(series) {
			break
		}
		series = out
	}
	return series
}

func joinable(a, b report.Bucket) bool {
	if a.Known != b.Known || !a.Known && a.Why != b.Why {
		return false
	}
	return b.Support.Start <= a.Support.End
}

// chartOfWhatIf draws the total against the factor of each stage.
func (v *view) chartOfWhatIf() {
	w := &v.run.WhatIf
	if len(w.Curves) == 0 {
		return
	}
	id := v.id("chart")
	f := chart.Frame{ID: id, XName: "factor on the stage's time", YName: "total, s"}
	var bands []chart.Band
	for _, c := range w.Curves {
		b := chart.Band{Name: v.stage(c.Stage), Colour: "--" + v.stages.style(c.Stage)}
		for i := range min(len(c.Factor), len(c.Total)) {
			b.X = append(b.X, c.Factor[i])
			b.Lo, b.Hi = append(b.Lo, c.Total[i].Lo.Seconds()), append(b.Hi, c.Total[i].Hi.Seconds())
			f.To = max(f.To, c.Factor[i])
		}
		bands = append(bands, b)
	}
	j, err := chart.Bands(f, bands, nil)
	v.elem("p", "Total against the factor of one stage, the others as observed: the band reaches from the lowest to the highest total. It does not say which factor can be reached.", "class", "note")
	v.embed(id, "Total against the factor of one stage", j, err)
}

// chartOfProgress draws the running totals.
func (v *view) chartOfProgress() {
	g := &v.run.Progress
	if len(g.Points) == 0 || !v.run.Window.Known {
		return
	}
	accepted := chart.Line{Name: "accepted", Colour: "--series-1"}
	rejected := chart.Line{Name: "rejected", Colour: "--series-2"}
	errors := chart.Line{Name: "errors", Colour: "--series-3"}
	add := func(l *chart.Line, at model.Time, m model.Maybe[int64]) {
		if n, ok := m.Get(); ok {
			l.X, l.Y = append(l.X, v.seconds(at)), append(l.Y, float64(n))
		}
	}
	for _, p := range g.Points {
		add(&accepted, p.At, p.Accepted)
		add(&rejected, p.At, p.Rejected)
		add(&errors, p.At, p.Errors)
	}
	var lines []chart.Line
	for _, l := range []chart.Line{accepted, rejected, errors} {
		if len(l.X) > 0 {
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 {
		return
	}
	id := v.id("chart")
	j, err := chart.Steps(chart.Frame{ID: id, XName: "s since the window's start", YName: "running total", To: v.run.Window.At.Len().Seconds()}, lines)
	v.embed(id, "Running totals over time", j, err)
}
