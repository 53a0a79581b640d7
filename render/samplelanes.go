package render

import (
	"tracemerge/model"
	"tracemerge/model/report"
)

// busyLanes draws, for each device on the run's clock, the share of time with a
// kernel.
func (v *view) busyLanes(x axis) {
	head, columns := false, false
	n := min(max(boxesInTimeline/max(len(v.run.Devices), 1), fewestBoxes), mostBoxes)
	for i := range v.run.Devices {
		d := &v.run.Devices[i]
		if !d.Placed {
			continue
		}
		for k := range d.Metrics {
			m := &d.Metrics[k]
			if m.Role != model.RoleGPUBusy {
				continue
			}
			if !head {
				shows, not := define(m.Role)
				v.start("div", "class", "lane-head")
				v.text("Devices: ")
				v.name(v.metricName(m))
				v.elem("span", " "+shows+" "+not+" Lighter parts of a box may lie outside its measurement.", "class", "lane-def")
				v.end("div")
				head = true
			}
			columns = v.metricLane(x, d, m, lane{name: "device " + v.deviceName(d)}, n) || columns
		}
	}
	if columns {
		v.elem("p", "Device lanes with more holes than can be told apart are drawn in columns of equal width: "+columnHalves, "class", "note")
	}
}

// columnHalves says how a column of samples is to be read.
const columnHalves = "each keeps the lowest and the highest value; what is known of it stands at its left, what was not observed at its right, hatched."

// metricLane draws the samples of a metric as boxes from their lowest to their
// highest value over the time that they speak for.
func (v *view) metricLane(x axis, d *report.Device, m *report.Metric, l lane, n int) (columns bool) {
	lo, hi := valueRange(m)
	l.own, l.height, l.value = true, deviceHeight, v.plain.valueText(m.Mean)
	if len(v.run.Devices) > manyLanes {
		l.height = deviceHeight / 2
	}
	l.label = l.name + ", " + v.metricName(m) + ": " + v.metricWords(m)
	boxes, columns := v.metricSeries(x, d, m, n)
	l.draw = func(h float64) {
		if !columns {
			v.metricGround(x, d, m, h)
		}
		for i := range boxes {
			v.bucket(x, &boxes[i], h, lo, hi)
		}
	}
	v.lane(x, l)
	return columns
}

// boxesPerRun bounds the size of all device pictures of a run together: 64
// devices with seven metrics each get fewer boxes a lane than one device.
const (
	boxesPerRun     = 8000
	boxesInTimeline = 1600 // of the device lanes under the stages
	fewestBoxes     = 60
	mostBoxes       = 600
)

// manyLanes is how many devices make lanes of half the height.
const manyLanes = 12

func (v *view) boxBudget() int {
	lanes := 1
	for i := range v.run.Devices {
		lanes += len(v.run.Devices[i].Metrics)
	}
	return min(max(boxesPerRun/lanes, fewestBoxes), mostBoxes)
}

// valueRange is the scale of a metric's lane: 0 to 100 for percentages, else
// from 0 to its largest value.
func valueRange(m *report.Metric) (lo, hi float64) {
	switch m.Role {
	case model.RoleGPUBusy, model.RoleMemoryBusy, model.RoleIOWait, model.RoleCPUIdle, model.RoleDiskBusy:
		return 0, 100
	}
	for _, b := range m.Series {
		if b.Known {
			lo, hi = min(lo, b.Lo), max(hi, b.Hi)
		}
	}
	if hi == lo {
		hi = lo + 1
	}
	return lo, hi
}

// metricGround draws where the metric is known and where it is not, with the
// reason that the report lists for it.
func (v *view) metricGround(x axis, d *report.Device, m *report.Metric, h float64) {
	var not []model.Interval[model.Time]
	for _, u := range v.unknownOfMetric(d, m) {
		not = append(not, u.at)
	}
	known := knownSet(m.Series).Subtract(model.NewSet(not...))
	for i := range known.All() {
		v.box(x, i, boxStyle{class: "idle", y: 1, height: h - 2})
	}
	for i := range known.Gaps(x.at).All() {
		v.hatched(x, i, h, v.whyMetric(d, m, i))
	}
}

// whyMetric finds the reason that covers most of a gap of a metric.
func (v *view) whyMetric(d *report.Device, m *report.Metric, at model.Interval[model.Time]) string {
	best, why := int64(0), ""
	consider := func(i model.Interval[model.Time], text string) {
		if n := int64(i.Intersect(at).Len()); n > best {
			best, why = n, text
		}
	}
	for _, b := range m.Series {
		if !b.Known {
			consider(b.Support, reason(b.Why))
		}
	}
	for _, u := range v.unknownOfMetric(d, m) {
		consider(u.at, u.why)
	}
	if why == "" {
		return reason(model.OutsideObservation)
	}
	return why
}

// bucket draws one sample or several: strong at its value, and from the
// lowest to the highest where it holds several, over the time that the samples
// certainly speak for; light over the part that may lie outside, and a pale
// column below. Of a column the rest, which was not observed, is hatched.
func (v *view) bucket(x axis, b *drawn, h, lo, hi float64) {
	if !b.of.Empty() {
		if !b.not.Empty() {
			v.box(x, b.not, boxStyle{class: "unknown", fill: "url(#hatch)", title: "not observed: " + b.why, y: 0.5, height: h - 1})
		}
		if b.Known {
			v.box(x, b.Support, boxStyle{class: "idle", y: 1, height: h - 2})
		}
	}
	if !b.Known {
		return
	}
	level := func(f float64) float64 { return h - 2 - (h-4)*min(max((f-lo)/(hi-lo), 0), 1) }
	top, bottom := level(b.Hi), level(b.Lo)
	title := v.plain.Number(b.Lo)
	if b.Lo != b.Hi {
		title = v.plain.NumberRange(model.Range[float64]{Lo: b.Lo, Hi: b.Hi})
	}
	if b.of.Empty() {
		title += ", " + plural(int(b.N), "sample") + ", " + x.plain.Span(b.Support)
	} else {
		title += ", known for " + v.plain.Percent(share(b.Support.Len(), b.of.Len())) + " of " + x.plain.Brief(b.of)
	}
	sure := b.Support
	sure.Start += model.Time(b.Unsure)
	unsure := model.Interval[model.Time]{Start: b.Support.Start, End: sure.Start}
	if b.Hi > lo {
		v.box(x, b.Support, boxStyle{class: "sample-column", y: top, height: h - 2 - top})
	}
	y, height := top-1, max(bottom-top, 0)+2
	class := "sample"
	if b.N > 1 && b.Hi > b.Lo {
		class += " range"
	}
	if !unsure.Empty() {
		v.box(x, unsure, boxStyle{class: class + " unsure", y: y, height: height, title: title + "; this part may lie outside the measurement"})
	}
	v.box(x, sure, boxStyle{class: class, y: y, height: height, title: title, keep: true})
}
