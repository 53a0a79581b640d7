package torch

import (
	"bytes"
	"strings"
	"time"

	"tracemerge/ingest/torch/internal/jsonscan"
	"tracemerge/model"
)

// classify looks the category up; consecutive events mostly share it.
func (r *reader) classify(b []byte, t token) {
	raw := b[t.from:t.to]
	if t.kind != tokString && t.kind != tokEscaped {
		raw = nil
	}
	if bytes.Equal(raw, r.lastCat) {
		return
	}
	r.lastCat = append(r.lastCat[:0], raw...)
	if class, ok := r.spelled[string(raw)]; ok {
		r.class = class
		return
	}
	r.class = r.meaning(raw)
	if len(r.spelled) < maxSpelled {
		r.spelled[string(raw)] = r.class
	}
}

// maxSpelled bounds the memory for categories; real files have some twenty.
const maxSpelled = 1 << 12

// meaning finds the category by its spelling in the file.
func (r *reader) meaning(raw []byte) category {
	if len(raw) == 0 {
		return category{kind: uncategorised}
	}
	s, _ := jsonscan.Unescape(raw)
	if class, ok := r.categories[strings.ToLower(s)]; ok {
		return class
	}
	return category{kind: model.SpanOther, args: true, unknown: true}
}

// record takes one element that was read whole; it began at from in the window.
func (r *reader) record(b []byte, e *element, from, to int) {
	at := model.Pos{Source: r.src, Offset: r.win.Off + int64(from), Len: int32(to - from)}
	r.read++
	r.facts.Events++
	if e.bare != 0 {
		r.note(bareWord, r.at(int(e.bare)))
	}
	if e.comma != 0 {
		r.note(strayComma, r.at(int(e.comma)))
	}
	if e.cat.kind == tokNone {
		r.classify(b, token{})
	}
	if (e.ph == 'X' && r.class.args || e.ph == 'M' || e.ph == 'B' && r.class.args) && !e.parsed {
		r.lateArguments(b, e)
	}
	switch e.ph {
	case 'X':
		r.complete(b, e, at)
	case 'B', 'E':
		r.edge(b, e, at)
	case 'i', 'I', 'R':
		r.instant(b, e, at)
	case 'M':
		r.metadata(b, e, at)
	case 's', 't', 'f':
		r.other(b, e, flowEvent, at)
	case 'C':
		r.other(b, e, counterEvent, at)
	case 'b', 'n', 'e', 'S', 'T', 'p', 'F':
		r.other(b, e, asyncEvent, at)
	case 0:
		r.note(noPhase, at)
	default:
		r.other(b, e, otherPhase, at)
	}
}

// lateArguments reads args that stood before what tells that they are needed.
func (r *reader) lateArguments(b []byte, e *element) {
	if e.args.kind != tokNested || b[e.args.from] != '{' {
		e.device, e.stream, e.link, e.label = token{}, token{}, token{}, token{}
		return
	}
	if _, ok := r.arguments(b, int(e.args.from), e); !ok {
		r.note(repairedQuote, r.at(int(e.args.from)))
	}
}

// other counts an element that becomes no span; without a time it is rejected
// like any other.
func (r *reader) other(b []byte, e *element, c code, at model.Pos) {
	if _, ok := r.time(b, e, at); ok {
		r.note(c, at)
	}
}

// time reads ts.
func (r *reader) time(b []byte, e *element, at model.Pos) (exact, bool) {
	text := number(b, e.ts)
	if ns, ok := fastMicros(text); ok {
		return exact{ns: ns}, true
	}
	if e.ts.kind == tokNone || e.ts.kind == tokBare && string(text) == "null" {
		r.note(tsMissing, at)
		return exact{}, false
	}
	x, err := exactMicros(text)
	if err != nil {
		r.note(tsNotNumber, at)
		return exact{}, false
	}
	return x, true
}

// complete takes an X event.
func (r *reader) complete(b []byte, e *element, at model.Pos) {
	start, ok := r.time(b, e, at)
	if !ok {
		return
	}
	var dur exact
	text := number(b, e.dur)
	if ns, ok := fastMicros(text); ok {
		dur.ns = ns
	} else if e.dur.kind == tokNone || string(text) == "null" {
		r.note(durMissing, at)
	} else if x, err := exactMicros(text); err != nil {
		r.note(durNotNumber, at)
	} else {
		dur = x
	}
	if dur.ns < 0 {
		r.note(durNegative, at)
		r.would[durNegative] = sum(r.would[durNegative], time.Duration(dur.round()))
		dur = exact{}
	}
	end := start.plus(dur).round()
	if start.ns > maxNS || start.ns < -maxNS || end > maxNS {
		r.note(tsOutOfRange, at)
		return
	}
	r.used++
	track, name := r.place(b, e, at), r.nameOf(b, e.name, at)
	r.emit(model.Span{
		At:    model.Interval[model.ClockTime]{Start: model.ClockTime(start.round()), End: model.ClockTime(end)},
		Track: track, Name: name, Kind: r.kindOf(name), Link: r.linkOf(b, e), Offset: at.Offset,
	}, at)
}

// maxMarkers bounds the markers that are used of one file; further ones are spans as
// any other.
const maxMarkers = 10_000

// emit hands a span on.
func (r *reader) emit(s model.Span, at model.Pos) {
	r.observe(s, at)
	r.spans.Append(int64(s.At.Start), int64(s.At.End), s.Track, s.Name, s.Kind, s.Link, s.Offset)
}

// observe keeps what the spans say about the file as a whole.
func (r *reader) observe(s model.Span, at model.Pos) {
	if s.Kind == model.SpanStep {
		r.steps = append(r.steps, step{s, at})
	} else if s.Kind == model.SpanAnnotation && r.names.facts[s.Name].marker != "" && len(r.markers) < maxMarkers {
		r.markers = append(r.markers, step{s, at})
	}
	if s.Kind == uncategorised {
		r.provisional = true
	}
	if s.At.Start%1000 != 0 {
		r.fine = true
	}
	if s.At.Start == 0 {
		r.zeros++
		r.zeroEnd = max(r.zeroEnd, s.At.End)
		return
	}
	r.stamp(s.At.Start)
	r.hull.add(s.At.Start, s.At.End)
	if s.Kind == model.SpanRecordWindow {
		r.traceSpan.add(s.At.Start, s.At.End)
	}
}

// stamp keeps the smallest non-zero reading, which decides the clock.
func (r *reader) stamp(t model.ClockTime) {
	if t > 0 && (r.smallest == 0 || t < r.smallest) {
		r.smallest = t
	}
}

// kindOf gives the kind of a span of the current category under that name.
func (r *reader) kindOf(name int32) model.SpanKind {
	k := r.class.kind
	switch k {
	case model.SpanKernel:
		if r.names.communication(name) {
			return model.SpanCommunication
		}
	case model.SpanDeviceNote:
		if _, ok := r.names.step(name); ok {
			return model.SpanDeviceStep
		}
	case model.SpanAnnotation, model.SpanOperator, model.SpanOther, uncategorised:
		// torch_npu and some early files write cpu_op here, files of 2020 Operator,
		// the legacy profiler nothing.
		if _, ok := r.names.step(name); ok {
			return model.SpanStep
		}
	}
	return k
}

// linkOf returns the correlation id. Id 0 is what recorders write where they have
// none. One that does not fit int64 is told from others by its text, and stands as
// a number that no recorder writes.
func (r *reader) linkOf(b []byte, e *element) int64 {
	if !r.class.args {
		return model.NoLink
	}
	switch v, ok := integer(b, e.link); {
	case ok && v == 0:
		return model.NoLink
	case ok:
		return v
	}
	text := number(b, e.link)
	if len(text) < 19 || bytes.ContainsFunc(text, func(c rune) bool { return c < '0' || c > '9' }) {
		return model.NoLink
	}
	v, ok := r.wide[string(text)]
	if !ok {
		v = model.NoLink + 1 + int64(len(r.wide))
		r.wide[string(text)] = v
	}
	return v
}

// instant takes an instant event: two of them state the recorder's window.
func (r *reader) instant(b []byte, e *element, at model.Pos) {
	t, ok := r.time(b, e, at)
	if !ok {
		return
	}
	ns := t.round()
	if ns > maxNS || ns < -maxNS {
		r.note(tsOutOfRange, at)
		return
	}
	r.stamp(model.ClockTime(ns))
	name := b[e.name.from:e.name.to]
	switch {
	case ns != 0 && bytes.HasPrefix(name, []byte("Iteration Start")):
		r.iteration.add(model.ClockTime(ns), model.ClockTime(ns))
		r.windowAt = at
	case ns != 0 && bytes.Equal(name, []byte("Record Window End")):
		r.windowEnd.add(model.ClockTime(ns), model.ClockTime(ns))
		r.windowAt = at
	default:
		if bytes.Equal(name, []byte("[memory]")) {
			r.facts.MemoryRecords++
		}
		r.note(instantEvent, at)
		return
	}
	r.used++
}

// metadata takes an M event: names of processes and threads. All M events carry
// the window's start as ts, which says nothing.
func (r *reader) metadata(b []byte, e *element, at model.Pos) {
	name := b[e.name.from:e.name.to]
	label := r.text(b, e.label)
	switch {
	case label == "":
		r.note(metadataEvent, at)
		return
	case string(name) == "process_name":
		r.tracks.processes[r.text(b, e.pid)] = label
	case string(name) == "thread_name":
		r.tracks.threads[r.text(b, e.pid)+"\x00"+r.text(b, e.tid)] = label
	default:
		r.note(metadataEvent, at)
		return
	}
	r.used++
}

// text returns a scalar token as text.
func (r *reader) text(b []byte, t token) string {
	if t.kind == tokEscaped {
		s, _ := jsonscan.Unescape(b[t.from:t.to])
		return s
	}
	return string(b[t.from:t.to])
}
