package render

import (
	"time"

	"tracemerge/model/report"
)

// stepPartWords are the parts of a step as the TensorBoard plugin names them.
var stepPartWords = [report.StepParts]string{"Kernel", "Memcpy", "Memset", "Communication", "Runtime", "DataLoader", "CPU Exec", "Other"}

// otherTools are the figures that other tools print of the trace, so that their
// users find them again; no statement of the page rests on them.
func (v *view) otherTools(s *report.Source) {
	b := &s.Trace.Breakdown
	if len(b.Steps)+len(b.Splits)+len(b.Idle) == 0 {
		return
	}
	v.fold("The same trace by the definitions of TensorBoard, TraceLens and HTA")
	v.elem("p", "Each in whole nanoseconds, where the tools round, and with communication by the names above. They put overlapping work into one total by a fixed order of precedence; no statement of this page rests on them.", "class", "note")
	of := v.source(s.ID)
	v.tensorboardSteps(of, b.Steps)
	v.traceLensTimeline(of, b.Splits)
	v.htaIdle(of, b.Idle)
	v.foldEnd()
}

func (v *view) tensorboardSteps(of string, steps []report.StepSplit) {
	if len(steps) == 0 {
		return
	}
	var ds []time.Duration
	for _, s := range steps {
		ds = append(ds, s.At.Len())
		ds = append(ds, s.Parts[:]...)
	}
	scale := ScaleFor(ds...)
	t := table{caption: "TensorBoard: steps of " + of + " by the first part that covers each instant, " + scale.Unit(), headed: true, cols: []column{words("step"), figure("length")}}
	for _, w := range stepPartWords {
		t.cols = append(t.cols, figure(w))
	}
	t.cols = append(t.cols, figure("device records"), words("there"))
	rows := longest(steps, func(s report.StepSplit) time.Duration { return s.At.Len() })
	for _, s := range rows {
		row := []cell{file(v.shown(s.Name)), scale.in(s.At.Len())}
		for _, p := range s.Parts {
			row = append(row, scale.in(p))
		}
		there := "shown"
		if s.Tail {
			there = "left out, for want of device records"
		}
		t.rows = append(t.rows, append(row, v.plain.countCell(s.Records), txt(there)))
	}
	v.longestOnly(len(rows), len(steps), "step")
	v.table(t)
}

func (v *view) traceLensTimeline(of string, splits []report.DeviceSplit) {
	if len(splits) == 0 {
		return
	}
	var ds []time.Duration
	for _, s := range splits {
		ds = append(ds, s.Total, s.Compute, s.Idle, s.ExposedComm, s.ExposedMemcpy, s.ExposedOther)
	}
	scale := ScaleFor(ds...)
	t := table{caption: "TraceLens: the time between first and last device record of " + of + ", " + scale.Unit(), headed: true, cols: []column{words("device"), figure("total"), figure("computation"),
		figure("exposed communication"), figure("exposed copies"), figure("exposed other work"), figure("idle")}}
	for _, s := range splits {
		t.rows = append(t.rows, []cell{file(v.shown(s.Device)), scale.in(s.Total), scale.in(s.Compute), scale.in(s.ExposedComm), scale.in(s.ExposedMemcpy), scale.in(s.ExposedOther), scale.in(s.Idle)})
	}
	v.table(t)
}

func (v *view) htaIdle(of string, idle []report.StreamIdle) {
	if len(idle) == 0 {
		return
	}
	var ds []time.Duration
	for _, s := range idle {
		ds = append(ds, s.HostWait, s.KernelWait, s.OtherWait)
	}
	scale := ScaleFor(ds...)
	t := table{caption: "HTA: gaps between the records of a stream of " + of + ", by category, " + scale.Unit(), headed: true, cols: []column{words("device"), words("stream"), figure("records"),
		figure("host wait"), figure("kernel wait"), figure("other wait"), figure("gaps without a launch record")}}
	rows := longest(idle, func(s report.StreamIdle) time.Duration { return s.HostWait + s.KernelWait + s.OtherWait })
	for _, s := range rows {
		t.rows = append(t.rows, []cell{file(v.shown(s.Device)), file(v.shown(s.Stream)), v.plain.countCell(s.Records), scale.in(s.HostWait), scale.in(s.KernelWait), scale.in(s.OtherWait), v.plain.countCell(s.NoLaunch)})
	}
	v.longestOnly(len(rows), len(idle), "stream")
	v.table(t)
}
