package torch

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
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

// farFromAll is how many times the extent of all other events the distance of
// time 0 from them must be for records at 0 to be left out of a trace without a
// clock. A heuristic: the legacy profiler counts from its own start, so events
// near 0 are real there.
const farFromAll = 10

// finish decides what only the whole document shows, and fills the capture in.
//
//  1. Join begin and end events.
//  2. Decide the clock.
//  3. Leave out records at time 0, if 0 means that the recorder had no time.
//  4. Move the columns to the clock's zero and settle provisional kinds.
//  5. State window, tracks, steps, facts, account and notices.
func (r *reader) finish() {
	late := r.pairs()
	kind, shift := r.clock()
	drop := r.zerosAreNoTimes(kind)
	if !drop && r.zeros > 0 {
		r.hull.add(0, r.zeroEnd)
	}
	table := r.spans.Table()
	if table == nil {
		table = model.SpanRows(nil)
	}
	if drop || len(late) > 0 {
		table = rebuild(table, late, drop)
	}
	r.settleRows(table, shift)
	if table != nil && table.Len() > 0 {
		r.cap.Spans = table
	}
	r.cap.Names = r.names.list
	r.window(kind, shift)
	r.cap.Tracks = r.tracks.build()
	r.observed()
	r.describe(shift, drop)
	r.checkDevices()
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

// clock decides the kind of the clock and what is added to every time.
func (r *reader) clock() (model.DomainKind, model.ClockTime) {
	if base, ok := r.top.base.Get(); ok {
		return model.DomainUnix, model.ClockTime(base)
	}
	if r.smallest >= absolute {
		return model.DomainUnix, 0
	}
	return model.DomainRelative, 0
}

// zerosAreNoTimes decides whether ts 0 means "no time" in this file. Kineto
// clamps times before its base to 0, and CUPTI gives 0 for times that it has not
// collected.
func (r *reader) zerosAreNoTimes(kind model.DomainKind) bool {
	if r.zeros == 0 || !r.hull.any {
		return false
	}
	extent := max(r.hull.hi-r.hull.lo, model.ClockTime(time.Second))
	drop := kind == model.DomainUnix || r.hull.lo > farFromAll*extent
	if drop {
		r.used -= r.zeros
		h := &r.seen[tsZero]
		h.n, h.at = r.zeros, r.zeroAt
		text := model.Say("records at time 0, which means that the recorder had no time for them: left out; they state {} of time together, at an unknown place", r.zeroTime)
		r.cap.Notices = append(r.cap.Notices, model.Notice{Code: "torch/ts-zero", Severity: model.DataLoss, Text: text, N: r.zeros, At: r.zeroAt})
	}
	return drop
}

// rebuild merges late spans into the table by their place in the file, and drops
// spans that begin at 0 if asked to.
func rebuild(table model.Columns[model.SpanBatch], late []model.Span, drop bool) model.Columns[model.SpanBatch] {
	var out frame.Spans
	add := func(s model.Span) {
		if !drop || s.At.Start != 0 {
			out.Append(int64(s.At.Start), int64(s.At.End), s.Track, s.Name, s.Kind, s.Link, s.Offset)
		}
	}
	for b := range table.Batches() {
		for i := range b.Start {
			for len(late) > 0 && late[0].Offset < b.Offset[i] {
				add(late[0])
				late = late[1:]
			}
			add(model.Span{At: model.Interval[model.ClockTime]{Start: model.ClockTime(b.Start[i]), End: model.ClockTime(b.End[i])},
				Track: model.TrackID(b.Track[i]), Name: b.Name[i], Kind: model.SpanKind(b.Kind[i]), Link: b.Link[i], Offset: b.Offset[i]})
		}
	}
	for _, s := range late {
		add(s)
	}
	if t := out.Table(); t != nil {
		return t
	}
	return model.SpanRows(nil)
}

// settleRows writes to the columns, which nobody else has seen yet.
func (r *reader) settleRows(table model.Columns[model.SpanBatch], shift model.ClockTime) {
	var npu map[model.TrackID]bool
	if r.provisional {
		npu = r.tracks.ascend()
	}
	if shift == 0 && !r.provisional {
		return
	}
	for b := range table.Batches() {
		for i := range b.Start {
			b.Start[i] += int64(shift)
			b.End[i] += int64(shift)
			if model.SpanKind(b.Kind[i]) == uncategorised {
				b.Kind[i] = uint8(model.SpanOther)
				if npu[model.TrackID(b.Track[i])] {
					b.Kind[i] = uint8(model.SpanDeviceOther)
				}
			}
		}
	}
}

// window states the clock, the recorder's window and the capture's.
func (r *reader) window(kind model.DomainKind, shift model.ClockTime) {
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
	if rec.any && rec.hi > rec.lo {
		r.facts.Record = model.Interval[model.ClockTime]{Start: rec.lo + shift, End: rec.hi + shift}
	}
	valid := r.hull
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

// observed states where the recorder looked: in its window. A file that is cut
// off shows what happened, never that nothing did, for events do not stand in
// the order of time.
func (r *reader) observed() {
	w := r.cap.Window
	if w.Empty() {
		return
	}
	for i := range r.cap.Tracks {
		t := &r.cap.Tracks[i]
		t.Observed = model.NewSet(w)
		if r.cap.Truncated {
			t.Unknown = []model.Hole{{At: w, Why: model.TruncatedFile,
				Note: model.Say("events do not stand in the order of time: any instant may lack records of the missing part"),
				From: []model.Pos{r.at(r.win.End)}}}
		}
	}
}

// describe fills in the facts of the trace.
func (r *reader) describe(shift model.ClockTime, drop bool) {
	f := r.facts
	f.Schema = r.top.schema
	f.Host = model.NewText(r.top.host, model.ClassHost)
	f.WorldSize = orNotDeclared(r.top.world)
	f.WithStack = orNotDeclared(r.top.stack)
	f.RecordShapes = orNotDeclared(r.top.shapes)
	f.ProfileMemory = orNotDeclared(r.top.memory)
	f.Rank = orNotDeclared(r.top.rank)
	if !f.Rank.Known() {
		if n, ok := rankIn(r.label.Raw.Reveal()); ok {
			f.Rank = model.Known(n)
		}
	}
	for _, s := range r.steps {
		if drop && s.span.At.Start == 0 {
			continue
		}
		n, _ := r.names.step(s.span.Name)
		f.Steps = append(f.Steps, model.TraceStep{
			Name: model.Text{Raw: r.names.list[s.span.Name], Class: model.ClassOperation}, N: model.Known(n), From: s.at,
			At: model.Interval[model.ClockTime]{Start: s.span.At.Start + shift, End: s.span.At.End + shift}})
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

// rankIn finds the rank in a path: rank-3, rank_3, rank3, in the last part that
// has one. Numbers of workers are no ranks: the same name is used for loaders.
func rankIn(path string) (int64, bool) {
	path = strings.ToLower(path)
	for end := len(path); ; {
		k := strings.LastIndex(path[:end], "rank")
		if k < 0 {
			return 0, false
		}
		end = k
		if k > 0 && 'a' <= path[k-1] && path[k-1] <= 'z' {
			continue
		}
		rest := strings.TrimLeft(path[k+len("rank"):], "-_=.")
		n := 0
		for n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
			n++
		}
		if v, err := strconv.ParseInt(rest[:n], 10, 32); err == nil {
			return v, true
		}
	}
}

// launch is a runtime call with a correlation id.
type launch struct {
	link, start int64
}

// checkDevices counts device records that contradict the host's: they end after
// the recorder's window, or begin before the call that launched them.
func (r *reader) checkDevices() {
	if r.cap.Spans == nil {
		return
	}
	var calls []launch
	for b := range r.cap.Spans.Batches() {
		for i, k := range b.Kind {
			if model.SpanKind(k) == model.SpanRuntime && b.Link[i] != model.NoLink {
				calls = append(calls, launch{b.Link[i], b.Start[i]})
			}
		}
	}
	byLink := func(a, b launch) int { return cmp.Compare(a.link, b.link) }
	if !slices.IsSortedFunc(calls, byLink) {
		slices.SortStableFunc(calls, byLink)
	}
	end := r.facts.Record.End
	for b := range r.cap.Spans.Batches() {
		for i, k := range b.Kind {
			if !model.SpanKind(k).OnDevice() {
				continue
			}
			at := model.Pos{Source: r.src, Offset: b.Offset[i]}
			if !r.facts.Record.Empty() && b.End[i] > int64(end) {
				r.note(endsLate, at)
			}
			if n, ok := slices.BinarySearchFunc(calls, launch{link: b.Link[i]}, byLink); ok && b.Start[i] < calls[n].start {
				r.note(beforeLaunch, at)
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
