package render

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// traceDevices are the devices as traces show them, on the trace's own clock.
func (v *view) traceDevices() {
	var all []report.TraceDevice
	for i := range v.run.Sources {
		if t := v.run.Sources[i].Trace; t != nil {
			all = append(all, t.Devices...)
		}
	}
	if len(all) == 0 {
		return
	}
	v.heading("Devices in traces")
	v.elem("p", "Unions over all streams of a device, exact to the nanosecond. Idle is the time between the first and the last device record in which no kernel, copy or fill was recorded. "+
		"It does not say why, and outside the trace nothing is known.", "class", "note")
	scaleOf := func(of func(report.TraceDevice) []time.Duration) Scale {
		var ds []time.Duration
		for _, d := range all {
			ds = append(ds, of(d)...)
		}
		return ScaleFor(ds...)
	}
	s := scaleOf(func(d report.TraceDevice) []time.Duration {
		return []time.Duration{d.Span.Len(), d.Busy, d.Idle, d.KernelBusy}
	})
	copies := scaleOf(func(d report.TraceDevice) []time.Duration { return []time.Duration{d.MemcpyBusy} })
	fills := scaleOf(func(d report.TraceDevice) []time.Duration { return []time.Duration{d.MemsetBusy} })
	comm := scaleOf(func(d report.TraceDevice) []time.Duration { return []time.Duration{d.CommBusy, d.CommOverlap} })
	u := ", " + s.Unit()
	t := table{caption: "Devices in traces", headed: true, cols: []column{words("trace"), words("device"), figure("covers" + u), figure("busy" + u), figure("idle" + u), figure("idle share"),
		figure("kernels" + u), figure("copies, " + copies.Unit()), figure("fills, " + fills.Unit()), figure("communication, " + comm.Unit()), figure("of it under other kernels, " + comm.Unit()), figure("kernel records"), figure("records of no known kind")}}
	others := slices.ContainsFunc(all, func(d report.TraceDevice) bool { return d.Others > 0 })
	for i := range v.run.Sources {
		src := &v.run.Sources[i]
		if src.Trace == nil {
			continue
		}
		for _, d := range src.Trace.Devices {
			idle := none(reason(model.NotComputable))
			if n := d.Span.Len(); n > 0 {
				f := share(d.Idle, n)
				idle = cell{text: v.plain.Percent(f), exact: exactFloat(f)}
			}
			t.rows = append(t.rows, []cell{file(v.source(src.ID)), file(v.shown(d.Device)), s.in(d.Span.Len()), s.in(d.Busy), s.in(d.Idle), idle,
				s.in(d.KernelBusy), copies.in(d.MemcpyBusy), fills.in(d.MemsetBusy), comm.in(d.CommBusy), comm.in(d.CommOverlap), v.plain.countCell(d.Kernels), cell{}})
			if others {
				last := t.rows[len(t.rows)-1]
				last[len(last)-1] = v.plain.countCell(d.Others)
			}
		}
	}
	v.table(t)
	v.reserves()
}

// reserves writes what a trace's own recording adds to its times, once for all
// traces of which the same is said.
func (v *view) reserves() {
	var texts []string
	names := map[string][]string{}
	for i := range v.run.Sources {
		src := &v.run.Sources[i]
		if src.Trace == nil || src.Trace.Reserve.Empty() {
			continue
		}
		text := v.phrase(src.Trace.Reserve)
		if names[text] == nil {
			texts = append(texts, text)
		}
		names[text] = append(names[text], v.source(src.ID))
	}
	for _, text := range texts {
		v.start("p", "class", "note")
		if of := names[text]; len(of) > 3 {
			v.text(plural(len(of), "trace"))
		} else {
			for i, n := range of {
				if i > 0 {
					v.text(", ")
				}
				v.name(n)
			}
		}
		v.text(": " + text)
		v.end("p")
	}
}

// tracesTogether is the number of traces from which their details lie in one
// fold.
const tracesTogether = 5

// insideTraces is one folded part for each trace: how much of it can be relied
// on, and what other tools print of it. A single trace stands open.
func (v *view) insideTraces() {
	var all []*report.Source
	for i := range v.run.Sources {
		if t := v.run.Sources[i].Trace; t != nil && t.Facts != nil {
			all = append(all, &v.run.Sources[i])
		}
	}
	if len(all) == 0 {
		return
	}
	v.heading("Inside the traces")
	if len(all) >= tracesTogether {
		v.fold("Each of " + plural(len(all), "trace"))
		defer v.foldEnd()
	}
	for _, s := range all {
		open := ""
		if len(all) == 1 {
			open = "open"
		}
		v.start("details", "class", "card", "id", "trace-"+strconv.Itoa(v.n+1)+"-"+strconv.Itoa(int(s.ID)), "open", open)
		v.start("summary")
		v.text("Inside ")
		v.name(v.source(s.ID))
		v.end("summary")
		if len(s.Trace.Devices) == 0 {
			v.elem("p", "No record of device work was read from this trace: whether a device ran, and when, is not known.", "class", "none")
		}
		v.gapsOf(s)
		v.coverage(s)
		v.launchOrder(s.Trace)
		v.quarantine(s)
		v.communicationRules(s)
		v.otherTools(s)
		v.end("details")
		v.line()
	}
}

// part opens a part of a trace's details.
func (v *view) part(title, note string) {
	v.start("p", "class", "part")
	v.elem("strong", title)
	v.text(" ")
	v.elem("span", note, "class", "shows")
	v.end("p")
}

// coverage is each step on each device. A device without a record in a step was
// not observed then, which is not idle.
func (v *view) coverage(s *report.Source) {
	tr := s.Trace
	steps := len(tr.Facts.Steps)
	if steps == 0 || len(tr.Devices) == 0 {
		return
	}
	v.part("Steps on devices.", "What of a device's work lies in the time of a step on the host, whichever step launched it. A device without a record in a step was not observed then; that is not idle.")
	var ds []time.Duration
	for _, d := range tr.StepDevices {
		if w, ok := d.Work.Get(); ok {
			ds = append(ds, w.Busy, w.Idle)
		}
	}
	scale := ScaleFor(ds...)
	var seen []string
	for i := range tr.Devices {
		if d := &tr.Devices[i]; d.StepsSeen < int64(steps) {
			seen = append(seen, "device "+v.shown(d.Device)+" has records in "+v.plain.Count(d.StepsSeen)+" of "+plural(steps, "step"))
		}
	}
	if len(seen) > 0 {
		v.elem("p", "Not every step was observed on every device: "+strings.Join(seen, "; ")+".", "class", "warn")
	}
	u := ", " + scale.Unit()
	t := table{caption: "Steps on devices, of " + v.source(s.ID), headed: true, cols: []column{words("step"), words("device"), figure("records"), figure("kernel records"),
		figure("busy" + u), figure("idle" + u), figure("kernels" + u), figure("communication" + u), figure("copies" + u), figure("fills" + u)}}
	rows := longest(tr.StepDevices, func(d report.StepDevice) time.Duration { return tr.Facts.Steps[d.Step].At.Len() })
	for _, d := range rows {
		row := []cell{file(v.shown(tr.Facts.Steps[d.Step].Name)), file(v.shown(tr.Devices[d.Device].Device)), v.plain.countCell(d.Records), v.plain.countCell(d.Kernels)}
		w, ok := d.Work.Get()
		for i, part := range []time.Duration{w.Busy, w.Idle, w.Kernel, w.Comm, w.Memcpy, w.Memset} {
			switch {
			case ok:
				row = append(row, scale.in(part))
			case i == 0:
				row = append(row, none(unknown(d.Work)))
			default:
				row = append(row, none("not observed"))
			}
		}
		t.rows = append(t.rows, row)
	}
	v.fold("Table: " + plural(steps, "step") + " on " + plural(len(tr.Devices), "device"))
	v.longestOnly(len(rows), len(tr.StepDevices), "line")
	v.table(t)
	v.foldEnd()
}

// launchOrder says what impossible orders show of the trace's clocks: a kernel
// that starts before its launch bounds their error from below.
func (v *view) launchOrder(tr *report.Trace) {
	if len(tr.Devices) == 0 {
		return
	}
	v.part("Order of records.", "")
	v.start("ul", "class", "notes")
	defer v.end("ul")
	switch d, ok := tr.Facts.BeforeLaunch.Get(); {
	case !ok:
		v.elem("li", "Whether a device record starts before the call that launched it cannot be told ("+unknown(tr.Facts.BeforeLaunch)+").")
	case d > 0:
		v.elem("li", "A device record starts "+v.plain.Duration(d)+" before the call that launched it: the clocks of host and device in this trace disagree by at least that. Shorter differences between host and device say nothing.", "class", "warn")
	default:
		v.elem("li", "No device record starts before the call that launched it. It does not show that the clocks of host and device agree.")
	}
	for i := range tr.Devices {
		d := &tr.Devices[i]
		if d.Overlaps > 0 {
			v.elem("li", "Device "+v.shown(d.Device)+": "+plural(int(d.Overlaps), "kernel")+" began before an earlier one of the same stream had ended, together "+v.plain.Duration(d.OverlapTime)+
				". Either their launch lets them overlap or the recorded times are off by as much; the trace does not say which. Their time is counted once.")
		} else {
			v.elem("li", "Device "+v.shown(d.Device)+": no kernel began before an earlier one of the same stream had ended.")
		}
	}
}

// quarantine lists the events that were read and kept out of every figure.
func (v *view) quarantine(s *report.Source) {
	f := s.Trace.Facts
	if len(f.Quarantine) == 0 {
		return
	}
	v.part("Kept out of every figure.", "Events that were read, and whose times cannot be used.")
	var ds []time.Duration
	for _, q := range f.Quarantine {
		ds = append(ds, q.Would)
	}
	scale := ScaleFor(ds...)
	t := table{caption: "Events of " + v.source(s.ID) + " kept out of every figure", headed: true, cols: []column{words("rule"), words("what is wrong with them"), figure("events"), figure("time they state, " + scale.Unit()), words("first place")}}
	for _, q := range f.Quarantine {
		t.rows = append(t.rows, []cell{txt(q.Rule), {text: v.phrase(q.Why), class: "wide"}, v.plain.countCell(q.N), scale.in(q.Would), {places: places(q.First)}})
	}
	v.table(t)
}

// communicationRules says which names made a kernel count as communication.
func (v *view) communicationRules(s *report.Source) {
	tr := s.Trace
	kernels := int64(0)
	for i := range tr.Devices {
		kernels += tr.Devices[i].Kernels
	}
	if kernels == 0 || len(tr.Facts.Communication) == 0 {
		return
	}
	if !slices.ContainsFunc(tr.Facts.Communication, func(r model.NameRule) bool { return r.N > 0 }) {
		v.part("Communication by name.", "None of the "+plural(len(tr.Facts.Communication), "rule")+" named one of the "+v.plain.Count(kernels)+" kernel records: all count as computation, also a communication kernel under another name.")
		return
	}
	v.part("Communication by name.", "Of "+v.plain.Count(kernels)+" kernel records those whose name holds one of these are communication, and all others computation, also a communication kernel under another name.")
	t := table{caption: "Rules that named a communication kernel of " + v.source(s.ID), headed: true, cols: []column{words("name holds"), words("where the naming comes from"), figure("kernel records")}}
	silent := 0
	for _, r := range tr.Facts.Communication {
		if r.N == 0 {
			silent++
			continue
		}
		t.rows = append(t.rows, []cell{txt(r.Pattern), {text: r.Source, class: "wide"}, v.plain.countCell(r.N)})
	}
	v.table(t)
	if silent > 0 {
		v.elem("p", plural(silent, "rule")+" named no kernel of this trace.", "class", "note")
	}
}
