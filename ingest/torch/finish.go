package torch

import (
	"cmp"
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/frame"
)

// quarter is the unit of baseTimeNanoseconds: three months of 2,629,746 s
// (Kineto since 2024-04).
const quarter = 7_889_238 * int64(time.Second)

// absolute is the reading from which on times are Unix time without a base:
// 1e15 us are 2001, and a relative trace would have to last 31 years.
const absolute = model.ClockTime(1e18)

// finish decides what only the whole document shows, and fills the capture in.
//
//  1. Join begin and end events, and settle provisional kinds.
//  2. Find where most of the records lie; decide the clock by them.
//  3. Keep out what the rules of the quarantine name.
//  4. Move the columns to the clock's zero.
//  5. State window, tracks, steps, facts, account and notices.
func (r *reader) finish() {
	table := r.joined()
	r.settleKinds(table)
	most := r.body(table)
	kind, shift := r.clock(most)
	j := &judge{body: most, zero: r.zerosAreNoTimes(kind, most), rec: r.recorded(most)}
	j.window = j.rec.any && r.windowEnd.any && r.iteration.any
	table, extent := r.quarantine(table, j)
	move(table, int64(shift))
	if table.Len() > 0 {
		r.cap.Spans = table
	}
	r.cap.Names = r.names.list
	r.window(kind, shift, extent, j.rec)
	r.facts.Process = r.tracks.process()
	r.cap.Tracks = r.tracks.build()
	r.holes()
	r.describe(shift)
	r.checkLaunches()
	r.reportQuarantine()
	r.ends()
	r.settle()
	r.cap.Source = model.Source{ID: r.src, Kind: model.KindTrace, Form: r.form(kind)}
}

// form names the variant of the format.
func (r *reader) form(kind model.DomainKind) string {
	container := "object"
	if r.top.array {
		container = "bare array"
	}
	switch {
	case r.top.base.Known():
		return container + ", stamps from baseTimeNanoseconds"
	case kind == model.DomainUnix:
		return container + ", absolute stamps"
	}
	return container + ", relative stamps without a base"
}

// body finds where most of the records lie. Without a stretch that could hold
// anything far, that is everywhere.
func (r *reader) body(table model.Columns[model.SpanBatch]) body {
	lo, hi := int64(r.hull.lo), int64(r.hull.hi)
	if !r.hull.any || apart(lo, hi) <= uint64(farLeast) {
		return body{lo, hi, r.hull.any}
	}
	return bodyOf(table, lo)
}

// clock decides the kind of the clock and what is added to every time. One record
// whose time is broken does not decide it.
func (r *reader) clock(most body) (model.DomainKind, model.ClockTime) {
	if base, ok := r.top.base.Get(); ok {
		return model.DomainUnix, model.ClockTime(base)
	}
	smallest := r.smallest
	if most.any {
		smallest = model.ClockTime(most.lo)
	}
	if smallest >= absolute {
		return model.DomainUnix, 0
	}
	return model.DomainRelative, 0
}

// zerosAreNoTimes decides whether ts 0 means "no time" in this file. Kineto
// clamps times before its base to 0, and CUPTI gives 0 for times that it has not
// collected. The legacy profiler counts from its own start, so events near 0 are
// real there.
func (r *reader) zerosAreNoTimes(kind model.DomainKind, most body) bool {
	if r.zeros == 0 {
		return false
	}
	if !r.hull.any { // every record is at 0
		base, ok := r.top.base.Get()
		return ok && base%quarter == 0
	}
	extent := apart(int64(r.hull.lo), int64(r.hull.hi))
	if most.any {
		extent = apart(most.lo, most.hi)
	}
	extent = min(max(extent, uint64(time.Second)), 1<<60)
	return kind == model.DomainUnix || r.hull.lo > 0 && uint64(r.hull.lo) > farFromAll*extent
}

// joined is the table of all spans, those of begin and end events at the place of
// their begin.
func (r *reader) joined() model.Columns[model.SpanBatch] {
	late := r.pairs()
	table := r.spans.Table()
	if table == nil {
		table = model.SpanRows(nil)
	}
	if len(late) == 0 {
		return table
	}
	var out frame.Spans
	add := func(s model.Span) {
		out.Append(int64(s.At.Start), int64(s.At.End), s.Track, s.Name, s.Kind, s.Link, s.Offset)
	}
	for b := range table.Batches() {
		for i := range b.Start {
			for len(late) > 0 && late[0].Offset < b.Offset[i] {
				add(late[0])
				late = late[1:]
			}
			out.Append(b.Start[i], b.End[i], model.TrackID(b.Track[i]), b.Name[i], model.SpanKind(b.Kind[i]), b.Link[i], b.Offset[i])
		}
	}
	for _, s := range late {
		add(s)
	}
	return out.Table()
}

// settleKinds gives spans without a category their kind. It writes to columns that
// nobody else has seen yet.
func (r *reader) settleKinds(table model.Columns[model.SpanBatch]) {
	if !r.provisional {
		return
	}
	npu := r.tracks.ascend()
	for b := range table.Batches() {
		for i, k := range b.Kind {
			if model.SpanKind(k) != uncategorised {
				continue
			}
			b.Kind[i] = uint8(model.SpanOther)
			if npu[model.TrackID(b.Track[i])] {
				b.Kind[i] = uint8(model.SpanDeviceOther)
			}
		}
	}
}

// move adds the base to every time.
func move(table model.Columns[model.SpanBatch], shift int64) {
	if shift == 0 {
		return
	}
	for b := range table.Batches() {
		for i := range b.Start {
			b.Start[i] += shift
			b.End[i] += shift
		}
	}
}

// recorded is the window that the recorder states, not yet moved to the clock's
// zero; none if it lies far from the records.
func (r *reader) recorded(most body) hull {
	rec := hull{}
	switch {
	case r.iteration.any:
		rec.lo = r.iteration.lo
		rec.any = true
	case r.traceSpan.any:
		rec.lo = r.traceSpan.lo
		rec.any = true
	}
	switch {
	case r.windowEnd.any:
		rec.hi = r.windowEnd.hi
	case r.traceSpan.any:
		rec.hi = r.traceSpan.hi
	default:
		rec.any = false
	}
	if !rec.any || rec.hi <= rec.lo {
		return hull{}
	}
	if most.any && !most.near(int64(rec.lo), int64(rec.hi), windowLeast) {
		r.note(windowFar, r.windowAt)
		r.iteration, r.windowEnd = hull{}, hull{}
		return hull{}
	}
	return rec
}

// window states the clock, the recorder's window and the capture's. extent is that
// of the records that are used.
func (r *reader) window(kind model.DomainKind, shift model.ClockTime, extent, rec hull) {
	if rec.any {
		r.facts.Record = model.Interval[model.ClockTime]{Start: rec.lo + shift, End: rec.hi + shift}
	}
	valid := extent
	for _, h := range []hull{r.iteration, r.windowEnd} {
		if h.any {
			valid.add(h.lo, h.hi)
		}
	}
	if !valid.any {
		r.cap.Domains = []model.Domain{{Kind: model.DomainNone, Why: model.Say("no event with a time")}}
		return
	}
	d := model.Domain{Kind: kind, Step: time.Microsecond, From: model.Pos{Source: r.src}, Valid: model.Interval[model.ClockTime]{Start: valid.lo + shift, End: valid.hi + shift + 1}}
	if r.fine {
		d.Step = time.Nanosecond
	}
	switch {
	case r.top.base.Known():
		base, _ := r.top.base.Get()
		d.Why = model.Say("the file states baseTimeNanoseconds; stamps count from it")
		if base%quarter != 0 {
			d.Notes = append(d.Notes, model.Say("baseTimeNanoseconds is no multiple of 7889238 s, which PyTorch's recorder uses: another tool may have written it"))
		}
	case kind == model.DomainUnix:
		d.Why = model.Say("the smallest stamp is above 1e15 us: stamps count from the Unix epoch")
	default:
		d.Why = model.Say("no baseTimeNanoseconds, and the smallest stamp is below 1e15 us: stamps count from an unknown start")
	}
	r.cap.Domains = []model.Domain{d}
	r.cap.Window = model.Interval[model.ClockTime]{Start: d.Valid.Start, End: d.Valid.End - 1}
	if !r.facts.Record.Empty() {
		r.cap.Window = r.facts.Record
	}
}

// holes states where the recorder did not look within its window. A file that is cut
// off shows what happened, never that nothing did, for events do not stand in
// the order of time.
func (r *reader) holes() {
	w := r.cap.Window
	if w.Empty() || !r.cap.Truncated {
		return
	}
	for i := range r.cap.Tracks {
		t := &r.cap.Tracks[i]
		t.Unknown = []model.Hole{{At: w, Why: model.TruncatedFile,
			Note: model.Say("events do not stand in the order of time: any instant may lack records of the missing part"),
			From: []model.Pos{r.at(r.win.End)}}}
	}
}

// describe fills in the facts of the trace.
func (r *reader) describe(shift model.ClockTime) {
	f := r.facts
	f.Schema = r.top.schema
	f.WithStack = orNotDeclared(r.top.stack)
	f.RecordShapes = orNotDeclared(r.top.shapes)
	f.ProfileMemory = orNotDeclared(r.top.memory)
	r.origin()
	r.count()
	for _, s := range r.steps {
		n, _ := r.names.step(s.span.Name)
		f.Steps = append(f.Steps, model.TraceStep{
			Name: model.Text{Raw: r.names.list[s.span.Name], Class: model.ClassOperation}, N: model.Known(n), From: s.at,
			At: model.Interval[model.ClockTime]{Start: s.span.At.Start + shift, End: s.span.At.End + shift}})
	}
	for _, m := range r.markers {
		r.cap.Markers = append(r.cap.Markers, model.Marker{Name: model.NewRaw(r.names.facts[m.span.Name].marker), From: m.at,
			At: model.Interval[model.ClockTime]{Start: m.span.At.Start + shift, End: m.span.At.End + shift}})
	}
	slices.SortStableFunc(f.Steps, func(a, b model.TraceStep) int {
		an, _ := a.N.Get()
		bn, _ := b.N.Get()
		return cmp.Or(cmp.Compare(a.At.Start, b.At.Start), cmp.Compare(an, bn))
	})
}

func orNotDeclared[T any](m model.Maybe[T]) model.Maybe[T] {
	if !m.Known() && m.Why() == model.NotSet {
		return model.Missing[T](model.NotDeclared)
	}
	return m
}

// count states what was recorded beside the work itself, and how many kernels each
// rule for communication named.
func (r *reader) count() {
	for _, rule := range r.names.rules {
		r.facts.Communication = append(r.facts.Communication, model.NameRule{Pattern: rule.Pattern, Source: rule.Source})
	}
	if r.cap.Spans == nil {
		return
	}
	for b := range r.cap.Spans.Batches() {
		for i, k := range b.Kind {
			switch model.SpanKind(k) {
			case model.SpanCommunication:
				r.facts.Communication[r.names.facts[b.Name[i]].rule].N++
			case model.SpanPython:
				r.facts.PythonFrames++
			}
		}
	}
}

// ends says how the document ends, and what an empty one is.
func (r *reader) ends() {
	end := r.at(r.win.End)
	switch {
	case r.top.array && !r.top.closed && r.read > 0 && !r.cap.Truncated:
		r.say("torch/array-not-closed", model.Note, end,
			model.Say("the array of events is not closed, which its format allows; {} events were read", r.facts.Events))
	case r.cap.Truncated:
		r.say("torch/truncated", model.DataLoss, end,
			model.Say("the file is cut off after {} bytes of text: {} events were read whole; what followed, and with it which parts of the window have no records, is not known",
				end.Offset, r.facts.Events))
	}
	if r.read == 0 && r.top.hasEvents {
		r.say("torch/no-events", model.DataLoss, end, model.Say("the trace holds no events: expected at least one"))
	}
}
