package render

import (
	"strconv"
	"strings"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// devices shows what samplers saw of each device, and what traces show of it.
func (p *page) devices() {
	p.elem("p", "Names and units stand as the source exports them; the definitions stand beside the picture that uses them.", "class", "note")
	p.eachRun("devices", func(v *view) {
		if len(v.run.Devices) == 0 {
			v.elem("p", "No file of this run samples a device ("+reason(model.NoSource)+").", "class", "none")
		}
		if len(v.run.Devices) > 1 {
			v.deviceOverview()
		}
		for i := range v.run.Devices {
			v.device(i)
		}
		v.hosts()
		v.traceDevices()
		v.crossChecks()
		v.ranks()
		v.insideTraces()
	})
}

// definitions are the meaning of a role: what it shows and what it does not.
var definitions = map[model.Role][2]string{
	model.RoleGPUBusy: {"Share of the past sample period in which at least one kernel was executing.",
		"It does not say how much of the device was used, nor whether the work was useful."},
	model.RoleMemoryBusy: {"Share of the past sample period in which device memory was being read or written.",
		"It does not say how full the memory was."},
	model.RoleMemoryUsed: {"Device memory allocated at the sample.",
		"It does not say that the data is in use; held data counts as well."},
	model.RoleMemoryTotal: {"Device memory installed.", "It does not say how much a job may allocate."},
	model.RolePower:       {"Power drawn, as the driver reports it.", "It does not say how much work was done."},
	model.RoleTemperature: {"Temperature at the sample.", "It does not say whether clocks were lowered."},
	model.RoleClockSM:     {"Clock of the multiprocessors at the sample.", "It does not say whether anything ran."},
	model.RoleThrottle:    {"Reasons the driver gives for the present clocks.", "It does not say how much time was lost."},
	model.RoleCPUBusy:     {"Share of one core used by the thread or process.", "It does not say what the thread did, and an average over cores can hide one full core."},
	model.RoleIOWait:      {"Share of time in which a core was idle while input or output was pending.", "It does not say which process waited."},
	model.RoleReadRate:    {"Bytes read in the sample period.", "It does not say whether anybody waited for them."},
	model.RoleWriteRate:   {"Bytes written in the sample period.", "It does not say whether anybody waited for them."},
	model.RoleCPUIdle:     {"Share of time in which a core, or all cores on average, had nothing to run.", "An average over cores can hide one full core."},
	model.RoleDiskBusy:    {"Share of time in which the block device had a request outstanding.", "It does not say that the device was full: many serve requests in parallel."},
}

// define returns what a metric shows and what it does not.
func define(r model.Role) (shows, not string) {
	if d, ok := definitions[r]; ok {
		return d[0], d[1]
	}
	return "Shown as the source exports it.", "The report does not interpret it."
}

// metricName is the name as exported, with its unit.
func (v *view) metricName(m *report.Metric) string {
	n := v.shown(m.Name)
	if u := v.shown(m.Unit); u != "" {
		n += " [" + u + "]"
	}
	return n
}

func (v *view) deviceName(d *report.Device) string { return v.shown(d.ID) }

// valueText is the mean beside a lane.
func (p Plain) valueText(m model.Maybe[float64]) string {
	f, ok := m.Get()
	if !ok {
		return unknown(m)
	}
	return "mean " + p.Number(f)
}

func (v *view) metricWords(m *report.Metric) string {
	lo, ok := m.Min.Get()
	hi, ok2 := m.Max.Get()
	if !ok || !ok2 {
		return "no known value, " + unknown(m.Min)
	}
	return plural(int(m.Samples), "sample") + " from " + v.plain.Number(lo) + " to " + v.plain.Number(hi) +
		", known for " + v.plain.Duration(m.Known) + ", not known for " + v.plain.Duration(m.Unknown)
}

// deviceOverview is one table over all devices, so that 64 of them can be
// compared at a glance.
func (v *view) deviceOverview() {
	t := table{caption: "Devices at a glance", headed: true, cols: []column{words("device"), words("source"),
		figure("share of the window with a kernel"), words("from")}}
	by := v.phrase(v.run.Devices[0].BusyBy)
	for i := range v.run.Devices {
		if v.phrase(v.run.Devices[i].BusyBy) != by {
			by = ""
		}
	}
	for i := range v.run.Devices {
		d := &v.run.Devices[i]
		from := v.phrase(d.BusyBy)
		if from == by {
			from = ""
		}
		t.rows = append(t.rows, []cell{{text: v.deviceName(d), own: true, link: v.deviceID(i)}, file(v.source(d.Source)),
			v.plain.rangeCell(d.BusyShare, v.plain.PercentRange), txt(from)})
	}
	if by != "" {
		v.elem("p", "Share of the window with a kernel, for all devices: "+by+".", "class", "note")
	}
	v.table(t)
}

func (v *view) deviceID(i int) string {
	return "device-" + strconv.Itoa(v.n+1) + "-" + strconv.Itoa(i+1)
}

// openDevices is how many devices are shown opened; the others unfold.
const openDevices = 4

func (v *view) device(i int) {
	d := &v.run.Devices[i]
	v.start("div", "class", "device", "id", v.deviceID(i))
	v.deviceHead(d)
	folded := i >= openDevices
	if folded {
		v.fold("Pictures and table")
	}
	if d.Placed && v.run.Window.Known {
		v.metricPicture(d)
	} else {
		v.elem("p", "Not drawn on the run's axis ("+reason(model.ClockUnplaced)+"): the samples keep their own clock.", "class", "note")
		v.ownAxisPicture(d)
	}
	v.chartOf(i)
	v.metricTable(d)
	if folded {
		v.foldEnd()
	}
	v.end("div")
}

func (v *view) deviceHead(d *report.Device) {
	v.start("p", "class", "device-name")
	v.start("strong")
	v.text("Device ")
	v.name(v.deviceName(d))
	v.end("strong")
	v.text(" in ")
	v.name(v.source(d.Source))
	v.end("p")
	if share, ok := d.BusyShare.Get(); ok {
		v.elem("p", "A kernel was executing during "+v.plain.PercentRange(share)+" of the window.")
	} else {
		v.elem("p", "Share of the window with a kernel executing: "+unknown(d.BusyShare)+".")
	}
	v.say(d.BusyBy, "note")
	if w := v.halfWidth(d.Source); d.Placed && v.window().visible(2*int64(w)) {
		v.elem("p", "Its clock is placed ± "+briefly(w)+": the samples may lie that much earlier or later against other sources, and the order of two edges closer than that is not decidable.", "class", "note")
	}
	if len(d.Facts) == 0 {
		return
	}
	v.start("dl", "class", "facts")
	for _, f := range d.Facts {
		v.start("div")
		v.start("dt")
		v.name(v.shown(f.Name))
		v.end("dt")
		v.start("dd")
		v.name(v.shown(f.Value))
		v.end("dd")
		v.end("div")
	}
	v.end("dl")
}

func (v *view) metricPicture(d *report.Device) {
	v.metricLanes(v.window(), d)
}

// ownAxisPicture draws a device that is not placed on the axis of its samples.
func (v *view) ownAxisPicture(d *report.Device) {
	var all []model.Interval[model.Time]
	for _, m := range d.Metrics {
		for _, b := range m.Series {
			all = append(all, b.Support)
		}
	}
	hull := model.NewSet(all...).Hull()
	if hull.Empty() {
		return
	}
	plain := v.plain
	plain.OwnClock, plain.Start, plain.Windows = true, hull.Start, nil
	v.metricLanes(axis{hull, plain}, d)
}

func (v *view) metricLanes(x axis, d *report.Device) {
	if len(d.Metrics) == 0 {
		return
	}
	v.picture("Samples of device "+v.deviceName(d)+".",
		"Each box spans the lowest to the highest value over the time that the samples speak for; lighter where that time is not certain.",
		"It does not show what happened between samples, and hatched parts have no value.")
	v.axisLane(x)
	columns := false
	for k := range d.Metrics {
		m := &d.Metrics[k]
		shows, not := define(m.Role)
		v.start("div", "class", "lane-head")
		v.name(v.metricName(m))
		v.elem("span", " "+shows+" "+not, "class", "lane-def")
		v.end("div")
		lo, hi := valueRange(m)
		name := "no value"
		if m.Max.Known() {
			name = v.plain.Number(lo) + " to " + v.plain.Number(hi)
		}
		v.metricLane(x, d, m, lane{name: name}, v.boxBudget())
		columns = v.metricNote(x, d, m) || columns
	}
	if columns {
		v.elem("p", "Columns are of equal width: "+columnHalves, "class", "note")
	}
	v.pictureEnd()
}

// metricNote says how many boxes stand for how many samples.
func (v *view) metricNote(x axis, d *report.Device, m *report.Metric) (columns bool) {
	boxes, columns := v.metricSeries(x, d, m, v.boxBudget())
	n := v.plain.Count(int64(len(boxes)))
	switch {
	case !m.Max.Known():
	case columns:
		v.elem("p", v.plain.Count(m.Of)+" samples in "+n+" columns.", "class", "note")
		return true
	case m.Of > 2*int64(len(boxes)):
		v.elem("p", n+" boxes of "+v.plain.Count(m.Of)+" samples; each keeps the lowest and the highest value.", "class", "note")
	}
	return false
}

func (v *view) metricTable(d *report.Device) {
	s := scaleOfMetrics(d)
	t := table{caption: "Metrics of device " + v.deviceName(d), headed: true, cols: []column{words("metric"), figure("samples"),
		figure("rows without a value"), figure("known, " + s.Unit()), figure("not known, " + s.Unit()),
		figure("lowest"), figure("mean"), figure("highest"), words("what it shows, what it does not")}}
	for k := range d.Metrics {
		m := &d.Metrics[k]
		shows, not := define(m.Role)
		t.rows = append(t.rows, []cell{file(v.metricName(m)), v.plain.countCell(m.Samples), v.plain.countCell(m.NotKnown),
			s.in(m.Known), s.in(m.Unknown), v.plain.numberCell(m.Min), v.plain.numberCell(m.Mean), v.plain.numberCell(m.Max),
			{text: strings.TrimSpace(shows + " " + not), class: "wide"}})
	}
	v.table(t)
}

func scaleOfMetrics(d *report.Device) Scale {
	var ds []time.Duration
	for _, m := range d.Metrics {
		ds = append(ds, m.Known, m.Unknown)
	}
	return ScaleFor(ds...)
}
