package smi

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"

	"tracemerge/model"
	"tracemerge/model/frame"
)

// cacheSize bounds the memory of which row belongs to which track.
const cacheSize = 1 << 14

// placesKept bounds the remembered places of rows that could not be used.
const placesKept = 1 << 16

// A reader turns the records of one file into a capture.
type reader struct {
	src     model.SourceID
	cap     *model.Capture
	notices model.Notices
	samples frame.Samples
	tracks  trackTable
	metrics map[string][]model.MetricID // by name; one for each unit

	sheet  *sheet
	sheets map[string]madeSheet // of headers that we make, by form and names
	report report               // of nvidia-smi -q
	table  table                // printed for people, in a file that is headless

	headless bool   // no line at the beginning of the file names columns
	above    string // time of a line above, where rows have none of their own
	counts   int    // column that counts the GPUs of rows without a header; -1 if none
	names    string // of the columns of such rows
	width    int    // their number
	host     string // stands before every line, with a colon

	only     *form            // the variant that run.yaml declares; nil if it declares none
	declared bool             // run.yaml names the columns
	fits     [formCount]int64 // rows used, by variant
	units    bool             // the sheet's header may be followed by a line of units
	heading  heading          // of the sheet
	dates    dater
	shapes   [shapeCount]int64 // what the rows before any header look like

	cells    [][]byte
	readings []reading
	key      []byte
	joined   []byte            // date and time of day in one
	cache    map[string]*track // by the cells that identify a row

	failures []place // the collector said that it cannot reach the driver
	losses   []place // rows that could not be read
	nameless []place // rows that name no GPU
}

// readAll reads a stream to its end, as its content shows.
func readAll(ctx context.Context, in io.Reader, src model.SourceID) (*model.Capture, error) {
	return readForm(ctx, in, src, "")
}

// readForm reads a stream to its end, as run.yaml declares it.
func readForm(ctx context.Context, in io.Reader, src model.SourceID, declared string) (*model.Capture, error) {
	r := &reader{src: src, cap: &model.Capture{}, metrics: map[string][]model.MetricID{}, cache: map[string]*track{}}
	r.cap.Source = model.Source{ID: src, Kind: model.KindSMI}
	r.tracks.byUUID, r.tracks.byIndex, r.tracks.processes = map[string]*track{}, map[string]*track{}, map[string]*track{}
	if err := r.declare(declared); err != nil {
		return r.finish(err)
	}
	buffered := bufio.NewReaderSize(in, 64<<10)
	head, _ := buffered.Peek(64 << 10)
	if looksGpustat(head) {
		return r.finish(r.gpustat(ctx, buffered))
	}
	if r.host = writer(head); r.host != "" {
		head = bytes.ReplaceAll(head, []byte(r.host+": "), nil)
	}
	take := r.take
	if r.report.begin(head) {
		if take = r.reportLine; r.report.xml {
			r.shapes[shapeXML]++
		}
	}
	r.headless, r.counts = !r.declared && !hasHeading(head), counting(head)
	lines := newLines(buffered)
	open := func(text []byte) bool { return r.sheet != nil && r.sheet.insideQuotes(text) }
	var err error
	for n := 0; ; n++ {
		if n&0xfff == 0 {
			if err = ctx.Err(); err != nil {
				break
			}
		}
		rec, ok := lines.next(open)
		if !ok {
			err = lines.err
			break
		}
		take(rec, r.own(trim(rec.text)))
	}
	r.closeGPU()
	return r.finish(err)
}

// clearings are what clear(1) writes, so that each turn of a loop begins with it.
var clearings = []string{"\x1b[H", "\x1b[2J", "\x1b[3J", "\x1b[J"}

// uncleared is a line without the clearing of a screen before it.
func uncleared(text []byte) []byte {
	for len(text) > 0 && text[0] == 0x1b {
		n := len(text)
		for _, c := range clearings {
			text = bytes.TrimPrefix(text, []byte(c))
		}
		if len(text) == n {
			break
		}
	}
	return text
}

// own is a line without the host before it.
func (r *reader) own(text []byte) []byte {
	text = uncleared(text)
	if r.host != "" && bytes.HasPrefix(text, []byte(r.host)) && bytes.HasPrefix(text[len(r.host):], []byte(":")) {
		return trim(text[len(r.host)+1:])
	}
	return text
}

// hasHeading reports whether one of the lines names columns.
func hasHeading(head []byte) bool {
	for line := range bytes.SplitSeq(head, []byte{'\n'}) {
		text := uncleared(trim(bytes.Trim(line, "\x00")))
		if _, ok := tableHeading(text); ok {
			return true
		}
		if _, ok := headingOf(text); ok {
			return true
		}
	}
	return false
}

// finish completes the capture. Records without any that could be used are an
// error that says what the file is instead.
func (r *reader) finish(err error) (*model.Capture, error) {
	c := r.cap
	if errors.Is(err, io.ErrUnexpectedEOF) {
		c.Truncated = true
	}
	if err == nil && c.Account.Used == 0 {
		err = r.refusal()
	}
	r.cover()
	for _, t := range r.tracks.all {
		c.Tracks = append(c.Tracks, t.Track)
	}
	for _, d := range c.Domains {
		if d.Kind != model.DomainNone {
			c.Window = d.Valid
			break
		}
	}
	c.Samples, c.Source.Guess = r.samples.Table(), r.guess()
	c.Notices = r.notices.List
	c.Err = err
	return c, err
}

func (r *reader) pos(rec record) model.Pos {
	return model.Pos{Source: r.src, Line: rec.line, Len: int32(len(rec.text)), Offset: rec.off}
}

func (r *reader) aside(code string, rec record) {
	model.Count(&r.cap.Account.SetAside, code, r.pos(rec))
}

// reject counts a record that could not be read and remembers where it stood.
func (r *reader) reject(code string, rec record) {
	model.Count(&r.cap.Account.Rejected, code, r.pos(rec))
	if len(r.losses) < placesKept {
		r.losses = append(r.losses, place{rec.line, rec.off})
	}
}

// take accounts for one record.
func (r *reader) take(rec record, text []byte) {
	if len(text) == 0 {
		return
	}
	r.cap.Account.Read++
	units := r.units
	r.units = false
	switch {
	case rec.long:
		r.reject("smi/long-line", rec)
		r.notices.Add("smi/long-line", model.DataLoss, r.pos(rec), model.Say(
			"a line is longer than {} bytes and was not read", maxLine))
		return
	case r.headless && (r.sheet == nil || r.heading.form == formTable) && r.printed(rec, text):
		return
	case isDigit(text[0]): // no header and no message begins with a digit
	case units && r.takeUnits(text), r.takeHeader(rec, text):
		r.cap.Account.Read-- // a header is no record: it says how to read those that follow
		return
	case text[0] == '#':
		r.aside("smi/comment", rec)
		return
	case r.foreign(rec, text):
		return
	}
	if r.headless && r.heading.form != formTable && r.unnamed(rec, text) {
		return
	}
	if r.sheet == nil || r.heading.form >= formTable {
		s := shapeOf(text)
		r.shapes[s]++
		r.aside(shapeTable[s].code, rec)
		return
	}
	r.row(rec, text)
}

// takeHeader begins a new sheet if the record is a header.
func (r *reader) takeHeader(rec record, text []byte) bool {
	if r.sheet != nil && r.sheet.header == string(text) {
		r.units = r.sheet.sep == spaces || text[0] == '#'
		return true
	}
	h, ok := tableHeading(text)
	if !ok {
		h, ok = headingOf(text)
	}
	if !ok {
		return false
	}
	s, err := newSheet(string(text), h.sep, h.cols, h.form)
	if err != nil {
		r.notices.Add("smi/header", model.DataLoss, r.pos(rec), model.Say(
			"a header could not be used: the rows after it are not read"))
		r.sheet = nil
		return true
	}
	if r.cap.Source.Form == "" || r.cap.Source.Form == formText[formTable] {
		r.cap.Source.Form = formText[h.form]
		if h.form == formQuery && !bytes.Contains(text, []byte("[")) && unitless(h.cols) {
			r.cap.Source.Form += ", nounits"
		}
	}
	if h.form == formOwn {
		r.notices.Add("smi/own-header", model.Info, r.pos(rec), model.Say(
			"the header is not one of nvidia-smi's: columns are shown under their names and interpreted only where the name leaves no doubt"))
	}
	for _, c := range s.cols {
		if !c.alone {
			r.notices.Add("smi/column-not-read", model.Info, r.pos(rec), model.Say(
				"the header names a column twice or not at all: the second, or the nameless one, is not read"))
		}
	}
	r.sheet, r.heading, r.units = s, h, text[0] == '#'
	clear(r.cache)
	return true
}

// unitless reports whether a header without brackets names a quantity that
// nvidia-smi would give a unit.
func unitless(cols []column) bool {
	for _, c := range cols {
		switch roleOf(c.name, formQuery) {
		case model.RoleGPUBusy, model.RoleMemoryBusy, model.RoleMemoryUsed, model.RoleMemoryTotal, model.RolePower, model.RoleClockSM:
			return true
		}
	}
	return false
}

// takeUnits gives the columns of a dmon or pmon table their units.
func (r *reader) takeUnits(text []byte) bool {
	units, ok := unitsLine(text, r.heading)
	if !ok {
		return false
	}
	for i, u := range units {
		if c := &r.sheet.cols[i]; c.unit == "" && u != "#" && u != "Idx" {
			c.unit = u
		}
	}
	return true
}

// foreign accounts for messages and tables between the rows.
func (r *reader) foreign(rec record, text []byte) bool {
	switch s := shapeOf(text); s {
	case shapeErrorText, shapeBadField, shapeFailure:
		r.shapes[s]++
		r.aside("smi/error-text", rec)
		if s == shapeFailure && len(r.failures) < placesKept {
			r.failures = append(r.failures, place{rec.line, rec.off})
			r.notices.Add("smi/driver-unreachable", model.DataLoss, r.pos(rec), model.Say(
				"the collector reports here that it cannot reach the GPUs: until the next row nothing is known"))
			return true
		}
		r.notices.Add("smi/error-text", model.Note, r.pos(rec), model.Say(
			"a message stands between the rows (standard error in the same file?): it was set aside"))
		return true
	case shapeSMITable:
		r.shapes[s]++
		r.aside("smi/table", rec)
		return true
	}
	return false
}

// row reads one row under the current header.
func (r *reader) row(rec record, text []byte) {
	s := r.sheet
	if r.only != nil && r.heading.form != *r.only {
		r.aside("smi/other-form", rec)
		return
	}
	cells, typed, err := r.cut(text)
	if err != nil || len(cells) != len(s.cols) {
		r.misfit(rec, text, len(cells))
		return
	}
	if !rec.ended && !r.complete(cells) {
		r.cutOff(rec)
		return
	}
	if !s.timed {
		r.chooseClock(rec, cells)
	}
	st, ok := r.stampOf(cells)
	if !ok {
		r.badStamp(rec, cells)
		return
	}
	t := r.lookup(rec, typed, cells)
	if t == nil {
		return
	}
	if !r.tick(t, st, rec) {
		r.reject("smi/clock-steps", rec)
		return
	}
	r.cap.Account.Used++
	r.fits[r.heading.form]++
	r.measure(t, st, rec, cells)
}

// cut separates a row into cells. A row with quotes is read by gocsv, and so is one
// whose unquoted process name holds separators; typed is the text that gocsv can
// read.
func (r *reader) cut(text []byte) (cells [][]byte, typed []byte, err error) {
	s := r.sheet
	if s.sep != spaces && bytes.IndexByte(text, '"') >= 0 {
		cells, err = s.readQuoted(text)
		return cells, text, err
	}
	r.cells = s.split(text, r.cells[:0])
	if len(r.cells) > len(s.cols) {
		if merged := s.mergeProcess(text, len(r.cells)); merged != nil {
			cells, err = s.readQuoted(merged)
			return cells, merged, err
		}
	}
	return r.cells, text, nil
}

// misfit accounts for a row that does not have the header's columns. The header
// of a restarted collector may stand at its end, behind a row that was cut off.
func (r *reader) misfit(rec record, text []byte, n int) {
	if !rec.ended {
		r.cutOff(rec)
		return
	}
	r.reject("smi/columns", rec)
	r.notices.Add("smi/columns", model.DataLoss, r.pos(rec), model.Say(
		"a row has {} cells where the header has {}: it was not read", n, len(r.sheet.cols)))
	for _, first := range []string{"timestamp", r.sheet.cols[0].name} {
		if i := bytes.LastIndex(text, []byte(first)); first != "" && i > 0 && r.takeHeader(rec, text[i:]) {
			r.notices.Add("smi/glued-header", model.Note, r.pos(rec), model.Say(
				"a new header stands at the end of a row that was cut off: it holds from here on"))
			return
		}
	}
}

// complete reports whether the last row of a file without a line end can be whole:
// its last cell ends in the unit of the column or in a bracket. A bare number may
// have lost digits.
func (r *reader) complete(cells [][]byte) bool {
	last := cells[len(cells)-1]
	col := r.sheet.cols[len(cells)-1]
	if len(last) > 1 && last[len(last)-1] == ']' {
		return true
	}
	v := read(last, r.sheet.comma())
	return v.what == holdsNumber && col.unit != "" && string(v.unit) == col.unit
}

// cutOff sets the last, incomplete row aside.
func (r *reader) cutOff(rec record) {
	r.aside("smi/cut-last-line", rec)
	r.cap.Truncated = true
	r.notices.Add("smi/cut-last-line", model.DataLoss, r.pos(rec), model.Say(
		"the last line has no end and may be cut off: a cut number looks like a good one, so the row was set aside"))
}

// lookup finds the track of a row; it accounts for the row and returns nil if there
// is none. Rows with a new combination of identifying cells are read through gocsv.
func (r *reader) lookup(rec record, typed []byte, cells [][]byte) *track {
	r.key = r.key[:0]
	for _, i := range r.sheet.keys {
		r.key = append(append(r.key, cells[i]...), 0)
	}
	if t := r.cache[string(r.key)]; t != nil {
		return t
	}
	k, err := r.sheet.readTyped(typed)
	if err != nil {
		r.reject("smi/quotes", rec)
		r.notices.Add("smi/quotes", model.DataLoss, r.pos(rec), model.Say(
			"the quotes of a row do not enclose whole cells: it was not read"))
		return nil
	}
	t := r.trackOf(k, r.pos(rec))
	switch {
	case t != nil:
		if len(r.cache) >= cacheSize {
			clear(r.cache)
		}
		r.cache[string(r.key)] = t
	case r.full(k):
		r.reject("smi/too-many-tracks", rec)
		r.notices.Add("smi/too-many-tracks", model.DataLoss, r.pos(rec), model.Say(
			"the file names more GPUs or processes than {}: the others were not read", len(r.tracks.all)))
	case r.sheet.process():
		r.aside("smi/no-process", rec) // pmon prints such a row for a GPU without processes
	default:
		r.aside("smi/no-identity", rec)
		if len(r.nameless) < placesKept {
			r.nameless = append(r.nameless, place{rec.line, rec.off})
		}
		r.notices.Add("smi/no-identity", model.DataLoss, r.pos(rec), model.Say(
			"a row does not say which GPU it is about, the identifying cells hold no value: it cannot be given to one"))
	}
	return t
}

// full reports whether the row names something for which there is no room.
func (r *reader) full(k known) bool {
	if r.sheet.process() {
		return k.PID.known() != "" && r.tracks.full(model.TrackProcess)
	}
	return k.UUID.known()+indexOf(k)+k.Bus.known()+k.Name.known() != "" && r.tracks.full(model.TrackDevice)
}

// refusal says why a file without usable rows cannot be read.
func (r *reader) refusal() error {
	if r.cap.Account.Read == 0 && r.sheet == nil && sumShapes(r.shapes) == 0 {
		return model.Refuse("the file is empty, the collector wrote nothing: start it again with {} and look at its standard error", model.Lit(collect))
	}
	if r.sheet != nil && sumShapes(r.shapes) == 0 {
		first := model.Pos{}
		for _, t := range append(r.cap.Account.Rejected, r.cap.Account.SetAside...) {
			if first.Line == 0 || t.First.Line < first.Line {
				first = t.First
			}
		}
		if first.Line == 0 {
			return model.Refuse("the file holds a header and no row: nothing was recorded; collect with {}", model.Lit(collect))
		}
		return model.Refuse("line {}: no row under the header could be read, this is the first; collect with {}", first.Line, model.Lit(collect))
	}
	return refuse(r.shapes)
}
