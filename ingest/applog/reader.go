package applog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"tracemerge/ingest"
	"tracemerge/model"
	"tracemerge/model/frame"
)

// checkEvery is how many lines pass between two looks at the context.
const checkEvery = 4096

// maxGroup bounds Pos.Len of a record with its continuation lines, in bytes.
const maxGroup = 64 << 10

// maxWord is the longest stage, task or input that is kept, in bytes.
const maxWord = 1024

// maxMarkers bounds the markers of one file.
const maxMarkers = 10_000

// maxRanks bounds the ranks of one file.
const maxRanks = 4096

// reader reads one file.
type reader struct {
	src      model.SourceID
	patterns []pattern
	entry    entry
	dates    dateOrder
	clean    cleaner
	clocks   clocks
	marks    frame.Marks
	words    map[string]model.Raw
	ranks    map[rankKey]bool

	losses  []model.LostRecords
	markers []model.Marker
	account model.Account
	notices model.Notices
	evidenceCount
	only        variant // that run.yaml declares: no other record begins; the zero variant where it declares none
	begun       bool    // a line has been seen
	table       *table  // the file is CSV
	contradicts bool    // the MLPerf record at hand contradicts itself
	behindBar   bool    // the record at hand stands behind a progress bar

	open    bool // a record has begun: a line without a stamp belongs to it
	pending model.Mark
	has     bool // pending is a record with a time, not yet counted as a mark
	says    bool
	cut     bool
}

type rankKey struct {
	piece model.DomainID
	rank  int64
}

func read(ctx context.Context, f *ingest.File, opt ingest.Options) (*model.Capture, error) {
	r, err := newReader(f.ID, opt.Declared, opt.Form)
	if err != nil {
		return &model.Capture{}, err
	}
	r.learnDates(f.Head())
	err = r.readAll(ctx, split(f, f.Head()))
	if left := r.dates.set; err == nil && !r.dates.declared && r.misread(left) {
		return readAgain(ctx, f, opt, left)
	}
	return r.capture(f.Label), err
}

// readAgain reads a file a second time with the orders of day and month that the
// whole of it leaves. It is rare: only where no date among the first tells the
// order and a later one does, or contradicts them. Holding every record back
// until its order is known would need memory in proportion to the file instead.
func readAgain(ctx context.Context, f *ingest.File, opt ingest.Options, left orders) (*model.Capture, error) {
	r, err := newReader(f.ID, opt.Declared, opt.Form)
	if err != nil {
		return &model.Capture{}, err
	}
	r.dates.set, r.dates.fixed = left, true
	if err := f.Rewind(); err != nil {
		return r.capture(f.Label), err
	}
	err = r.readAll(ctx, split(f, f.Head()))
	return r.capture(f.Label), err
}

func newReader(id model.SourceID, decl *model.Declaration, form string) (*reader, error) {
	r := &reader{src: id, dates: dateOrder{set: orderAny}, words: map[string]model.Raw{}, ranks: map[rankKey]bool{}}
	r.clocks.notices = &r.notices
	r.entry.dates = &r.dates
	err := r.declare(form)
	if err != nil {
		return nil, err
	}
	if r.patterns, err = compilePatterns(decl); err != nil {
		return nil, err
	}
	if r.entry.rules, err = compileRules(decl); err != nil {
		return nil, err
	}
	return r, nil
}

// learnDates finds the order of day and month from the beginning of the file, so
// that the first ambiguous date is read like the last.
func (r *reader) learnDates(head []byte) {
	for line := range bytes.Lines(head) {
		line, _ = stripPrefix(bytes.TrimSpace(line))
		if _, skip := levelFirst(line); skip > 0 {
			line = line[skip:]
		}
		if len(line) > 0 && line[0] == '[' {
			line = line[1:]
		}
		r.dates.parseStamp(line)
	}
}

func (r *reader) readAll(ctx context.Context, in splitter) error {
	for n := 1; ; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			r.flush()
			line, _, _ := in.end()
			return fmt.Errorf("reading stopped at line %d: %w", line, ctx.Err())
		}
		s, ok := in.next()
		if !ok {
			break
		}
		_, _, end := in.end()
		r.segment(s, end)
	}
	r.flush()
	line, offset, err := in.end()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		r.truncated(model.Pos{Source: r.src, Line: line, Offset: offset}, model.Say("the compressed file is cut off; what stands before is read"))
		return nil
	}
	return fmt.Errorf("reading line %d: %w", line, err)
}

func (r *reader) truncated(at model.Pos, why model.Phrase) {
	r.cut = true
	r.notices.Add("applog/cut", model.DataLoss, at, why)
}

func (r *reader) pos(s segment) model.Pos {
	return model.Pos{Source: r.src, Line: s.line, Len: int32(min(len(s.text), math.MaxInt32)), Offset: s.offset}
}

// segment takes one line.
func (r *reader) segment(s segment, end error) {
	at := r.pos(s)
	if s.tooLong {
		r.begin()
		r.reject("applog/line-too-long", at, model.Say("the line is longer than {} bytes: not read", maxLine))
		return
	}
	b := bytes.TrimRight(r.clean.clean(s.text), " \t")
	if len(bytes.TrimLeft(b, " \t")) == 0 {
		return
	}
	if !s.ended && (!errors.Is(end, io.EOF) || cutRune(b)) {
		r.cutRecord(at)
		return
	}
	b, p := stripPrefix(b)
	if len(b) == 0 {
		return
	}
	r.entry.reset()
	r.contradicts, r.behindBar = false, false
	f := r.recognise(b, s.ended)
	if !s.ended && (f == formBadJSON || f == formBadRow) {
		r.cutRecord(at)
		return
	}
	if !s.ended && f != formJSON && f != formMLPerf {
		r.notices.Add("applog/no-final-line-end", model.Info, at, model.Say("the last line has no line end: it may be cut, and a figure at its end is not taken"))
	}
	r.count(f, &r.entry)
	r.record(f, b, p, at)
	r.lost(b, f, at)
}

func (r *reader) cutRecord(at model.Pos) {
	r.begin()
	model.Count(&r.account.SetAside, "applog/cut-record", at)
	r.truncated(at, model.Say("the last line is cut off: it is not read"))
}

// cutRune reports whether b ends inside a UTF-8 sequence.
func cutRune(b []byte) bool {
	for i := 1; i <= min(len(b), 3); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			return c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-i:])
		}
	}
	return false
}

// begin ends the record before and counts a new one.
func (r *reader) begin() {
	r.flush()
	r.account.Read++
	r.open = true
}

func (r *reader) reject(code string, at model.Pos, why model.Phrase) {
	model.Count(&r.account.Rejected, code, at)
	r.notices.Add(code, model.DataLoss, at, why)
}

// record takes a recognised line.
func (r *reader) record(f form, b []byte, p prefix, at model.Pos) {
	switch f {
	case formNone:
		r.untimed(b, at)
		return
	case formBar:
		r.account.Read++
		model.Count(&r.account.SetAside, "applog/progress-bar", at)
		return
	case formHeader:
		r.begin()
		model.Count(&r.account.SetAside, "applog/csv-header", at)
		return
	case formBadRow:
		r.begin()
		r.reject("applog/csv-row", at, model.Say("want {} cells, as in the header; found {}", len(r.table.names), len(r.table.cells)))
		return
	case formBadJSON:
		r.begin()
		r.reject("applog/bad-json", at, model.Say("want one JSON object in the line; found one that is not complete or malformed"))
		return
	}
	r.begin()
	e := &r.entry
	p.into(e)
	switch {
	case !e.timed:
		model.Count(&r.account.SetAside, "applog/no-time", at)
	case e.stamp.verdict == impossible:
		r.reject("applog/impossible-time", at, model.Say("the stamp names no instant that a clock shows (hour 24, second 60, a day that the month does not have, a year after 2261): the record is not placed"))
	case e.stamp.verdict == ambiguous:
		model.Count(&r.account.SetAside, "applog/ambiguous-date", at)
		r.notices.Add("applog/ambiguous-date", model.Note, at, r.dates.doubt())
	default:
		r.timed(at)
	}
}

// untimed takes a line without a stamp: part of the record above, or, before any,
// a record without a time.
func (r *reader) untimed(b []byte, at model.Pos) {
	if !r.open {
		r.account.Read++
		model.Count(&r.account.SetAside, "applog/no-time", at)
		return
	}
	if !r.has {
		return
	}
	if n := at.Offset + int64(at.Len) - r.pending.From.Offset; n <= maxGroup {
		r.pending.From.Len = int32(n)
	}
	if bytes.HasPrefix(b, []byte("Traceback (most recent call last)")) || bytes.HasPrefix(b, []byte("panic: ")) {
		r.pending.Error, r.says = true, true
	}
}

// timed takes a record with a time.
func (r *reader) timed(at model.Pos) {
	e := &r.entry
	e.resolve()
	p, reading := r.clocks.read(e.stamp, at)
	if p == nil {
		model.Count(&r.account.SetAside, "applog/many-steps", at)
		return
	}
	r.account.Used++
	r.remark(at)
	if rank, ok := e.rank.Get(); ok {
		r.rank(rankKey{p.id, rank}, at)
	}
	if e.marker != nil {
		r.marker(e.marker, p, reading, at)
	}
	r.has, r.says = true, e.says()
	r.pending = model.Mark{At: reading, Domain: p.id, From: at, Level: e.level, Edge: e.edge, Retry: e.retry,
		Error: e.failed || e.level >= model.LevelError, Rule: int32(e.rule), Rank: e.rank, Step: e.step,
		Duration: e.duration, Done: e.done, Total: e.total, Accepted: e.accepted, Rejected: e.rejected,
		Errors: e.errors, Retries: e.retries}
	if r.says {
		r.pending.Stage, r.pending.Task, r.pending.Input = r.word(e.stage, at), r.word(e.task, at), r.word(e.input, at)
	}
}

// marker keeps a name that the job wrote to share a moment with other files.
func (r *reader) marker(name []byte, p *piece, reading model.ClockTime, at model.Pos) {
	if len(r.markers) == maxMarkers {
		r.notices.Add("applog/many-markers", model.Note, at, model.Say("the log holds more than {} markers: further ones are not used", maxMarkers))
		return
	}
	r.markers = append(r.markers, model.Marker{Name: model.NewRaw(string(name)), At: model.Interval[model.ClockTime]{Start: reading, End: reading + 1}, Domain: p.id, From: at})
}

// remark notes what the record states and cannot be used.
func (r *reader) remark(at model.Pos) {
	e := &r.entry
	if e.noUnit {
		r.notices.Add("applog/duration-without-unit", model.Note, at, model.Say("a duration has no unit in its name or value: it is not used; loggers write seconds, milliseconds and nanoseconds alike"))
	}
	if e.badEdge {
		r.notices.Add("applog/unknown-edge", model.Note, at, model.Say("the edge is none of start, end and their synonyms: the record names a stage without an edge"))
	}
	if r.behindBar {
		r.notices.Add("applog/behind-bar", model.Info, at, model.Say("the record stands behind a progress bar in the same line"))
	}
	if r.contradicts {
		r.notices.Add("applog/mllog-contradiction", model.Note, at, model.Say("event_type and key of the MLLOG record name different edges: the key is used"))
	}
}

func (r *reader) rank(k rankKey, pos model.Pos) {
	if !r.ranks[k] && len(r.ranks) == maxRanks {
		r.notices.Add("applog/many-ranks", model.Note, pos, model.Say("the log names more than {} ranks: further ones have no track of their own", maxRanks))
		return
	}
	r.ranks[k] = true
}

// word keeps text from the file.
func (r *reader) word(b []byte, at model.Pos) model.Raw {
	if len(b) == 0 {
		return model.Raw{}
	}
	if len(b) > maxWord {
		r.notices.Add("applog/long-word", model.Note, at, model.Say("a stage, task or input is longer than {} bytes: not kept", maxWord))
		return model.Raw{}
	}
	if w, ok := r.words[string(b)]; ok {
		return w
	}
	w := model.NewRaw(string(bytes.ToValidUTF8(b, []byte("\uFFFD"))))
	r.words[string(b)] = w
	return w
}

// flush ends the record that is being read.
func (r *reader) flush() {
	if r.has && r.says {
		r.marks.Append(r.pending)
	}
	r.has = false
}
