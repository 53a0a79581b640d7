package stage

import (
	"strings"

	"tracemerge/model"
)

// A Trace is the spans of one trace, with what each of them counts as.
type Trace struct {
	Capture *model.Placed

	names  *verdicts
	device bool // it holds device work, so that the host's claims of it do not count
	rows   map[model.StageID]int
	judged [model.SpanKinds][]int32 // rows by kind and name, from 1 on; 0: not judged yet
}

// only is the trace that a basis rests on, if it rests on one alone.
func (b *basis) only(t Table) *Trace {
	if len(b.traces) != 1 || len(b.sources) != 1 {
		return nil
	}
	out := *b.traces[0]
	out.rows = map[model.StageID]int{}
	for i, r := range t.Rows {
		out.rows[r.Stage] = i
	}
	return &out
}

// Row is the row of the table to which a span counts; NoRow if to none.
func (t *Trace) Row(kind model.SpanKind, name int32) int {
	if int(kind) >= len(t.judged) || name < 0 || int(name) >= len(t.Capture.Names) {
		return t.row(kind, name)
	}
	known := &t.judged[kind]
	if *known == nil {
		*known = make([]int32, len(t.Capture.Names))
	}
	if (*known)[name] == 0 {
		(*known)[name] = int32(t.row(kind, name)-NoRow) + 1
	}
	return int((*known)[name]) - 1 + NoRow
}

func (t *Trace) row(kind model.SpanKind, name int32) int {
	s, claim, ok := t.names.stage(kind, name)
	if !ok || claim && t.device {
		return NoRow
	}
	if row, has := t.rows[s]; has {
		return row
	}
	return NoRow // work that is no stage, or waiting
}

// Shift is what places a reading of the trace on the clock of the table; ok is false
// where that is not one value for all of its readings.
func (t *Trace) Shift() (by model.Time, ok bool) {
	w := t.Capture.Window
	first, ok1 := place(t.Capture, 0, w.Start)
	last, ok2 := place(t.Capture, 0, w.End-1)
	by = first.at - model.Time(w.Start)
	return by, ok1 && ok2 && last.at-model.Time(w.End-1) == by && len(t.Capture.Domains) == 1
}

// A Wait is what a call of the host waits for.
type Wait uint8

// What calls wait for.
const (
	WaitsForNothing Wait = iota
	WaitsForCopy         // the copy that it launched
	WaitsForEvent        // the work of a stream up to an event
	WaitsForStream       // the work of a stream
	WaitsForDevice       // all work of the devices
)

// Waits is what runtime calls of each name of the trace wait for, as the CUDA and HIP
// runtimes document them: copies that are not asynchronous return when they are done.
func (t *Trace) Waits() []Wait {
	out := make([]Wait, len(t.Capture.Names))
	for i, n := range t.Capture.Names {
		name := n.Reveal()
		runtime := strings.HasPrefix(name, "cu") || strings.HasPrefix(name, "hip")
		switch has := func(s string) bool { return strings.Contains(name, s) }; {
		case !runtime:
		case has("DeviceSynchronize"), has("CtxSynchronize"):
			out[i] = WaitsForDevice
		case has("StreamSynchronize"):
			out[i] = WaitsForStream
		case has("Synchronize"):
			out[i] = WaitsForEvent
		case has("Memcpy") && !has("Async"):
			out[i] = WaitsForCopy
		}
	}
	return out
}
