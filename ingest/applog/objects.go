package applog

import (
	"bufio"
	"bytes"
	"io"

	"tracemerge/model"
)

// A splitter cuts content into what may be a record.
type splitter interface {
	// next returns the next segment; ok is false at the end of the content.
	next() (s segment, ok bool)
	// end says where reading stands and how the content ended, io.EOF at a clean end.
	end() (line int32, offset int64, err error)
}

// split chooses the splitter by the beginning of the content.
func split(in io.Reader, head []byte) splitter {
	if isSpread(head) {
		return newObjects(in, maxLine)
	}
	return newLines(in, maxLine)
}

// isSpread reports whether the content begins with JSON that lines do not divide:
// an array of objects, or an object over several lines, where the first has a time
// and says something.
func isSpread(head []byte) bool {
	b := bytes.TrimLeft(head, " \t\r\n")
	if len(b) == 0 {
		return false
	}
	array := b[0] == '['
	if array {
		b = bytes.TrimLeft(b[1:], " \t\r\n")
	}
	if len(b) == 0 || b[0] != '{' {
		return false
	}
	e := entry{dates: &dateOrder{set: orderAny}}
	n, ok := scanObject(b, &e)
	switch {
	case !ok, !e.timed, bytes.Contains(b[:n], []byte(`"ph"`)): // events of a trace have a phase
		return false
	case e.message == nil && e.level == model.LevelNone && !e.says(): // a document with a date
		return false
	}
	return array || bytes.IndexByte(b[:n], '\n') >= 0
}

// objects splits content into JSON objects, whether they stand one behind the
// other, in an array, or over several lines each; a line that begins with none is
// a segment as it stands. Memory is bounded by the limit.
type objects struct {
	in    *bufio.Reader
	limit int

	buf    []byte
	offset int64 // of the next byte
	line   int32
	err    error
}

func newObjects(in io.Reader, limit int) *objects {
	return &objects{in: bufio.NewReaderSize(in, 256<<10), limit: limit, line: 1}
}

func (o *objects) end() (int32, int64, error) { return o.line, o.offset, o.err }

// read returns the next byte; ok is false at the end.
func (o *objects) read() (c byte, ok bool) {
	c, err := o.in.ReadByte()
	if err != nil {
		o.err = err
		return 0, false
	}
	o.offset++
	if c == '\n' {
		o.line++
	}
	return c, true
}

// unread takes back the byte that was read last, which is no line feed.
func (o *objects) unread() {
	_ = o.in.UnreadByte() // cannot fail behind ReadByte
	o.offset--
}

func (o *objects) next() (s segment, ok bool) {
	for {
		c, ok := o.read()
		switch {
		case !ok:
			return segment{}, false
		case bytes.IndexByte([]byte(" \t\r\n,[]"), c) >= 0:
			continue
		}
		s = segment{line: o.line, offset: o.offset - 1}
		o.buf = append(o.buf[:0], c)
		if c == '{' {
			o.object(&s)
		} else {
			o.text(&s)
		}
		s.text = o.buf
		return s, true
	}
}

// keep takes a byte into the segment, up to the limit.
func (o *objects) keep(s *segment, c byte) {
	if len(o.buf) > o.limit {
		s.tooLong = true
		return
	}
	o.buf = append(o.buf, c)
}

// object reads to the brace that closes the one at hand. A brace at the start of a
// line begins the next record: nested ones are indented, so the record at hand
// was not closed.
func (o *objects) object(s *segment) {
	depth, quoted, escaped := 1, false, false
	last := byte('{')
	for depth > 0 {
		c, ok := o.read()
		if !ok {
			return
		}
		if c == '{' && last == '\n' {
			o.unread()
			break
		}
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped = c == '\\'
			quoted = c != '"' && c != '\n' // no string goes on over the end of a line
		case c == '"':
			quoted = true
		case c == '{':
			depth++
		case c == '}':
			depth--
		}
		o.keep(s, c)
		last = c
	}
	s.ended = true
}

// text reads to the end of the line.
func (o *objects) text(s *segment) {
	for {
		c, ok := o.read()
		if !ok {
			return
		}
		if c == '\n' || c == '\r' {
			s.ended = true
			return
		}
		o.keep(s, c)
	}
}
