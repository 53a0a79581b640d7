package smi

import (
	"bytes"
	"io"

	"tracemerge/ingest"
)

// maxLine is the longest line that is read; a longer one is rejected whole. A
// query of every field of driver 590 is 6 KB.
const maxLine = 1 << 20

// A quoted cell may run over line ends, but an unmatched quote must not swallow
// the file: a record ends after this many lines at most.
const maxQuotedLines = 16

// A record is one logical line: a physical line, or several where a quoted cell
// holds line ends.
type record struct {
	text  []byte // without line end, NUL bytes removed; valid until the next record
	line  int32
	off   int64
	ended bool // a line end follows
	long  bool // longer than maxLine: text is its beginning
}

// lines cuts a stream into records. Two facts about real files shape it: a file
// that was truncated under a writer has holes of NUL bytes before the next line,
// and a killed collector leaves a line without an end.
type lines struct {
	r          io.Reader
	buf        []byte
	start, end int   // unread bytes
	off        int64 // offset of buf[start]
	line       int32 // line number of buf[start], from 1
	done       bool
	err        error // what ended the stream, unless io.EOF
}

func newLines(r io.Reader) *lines {
	return &lines{r: r, buf: make([]byte, 256<<10), line: 1}
}

// fill reads more; it reports false when no byte can be added.
func (s *lines) fill() bool {
	if s.done {
		return false
	}
	if s.start > 0 {
		s.end = copy(s.buf, s.buf[s.start:s.end])
		s.start = 0
	}
	if s.end == len(s.buf) {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		if err != nil {
			s.done = true
			if err != io.EOF {
				s.err = ingest.Unreadable(s.off+int64(s.end-s.start), err)
			}
		}
		if n > 0 || err != nil {
			return n > 0
		}
	}
	s.done, s.err = true, io.ErrNoProgress
	return false
}

// skip moves past n bytes.
func (s *lines) skip(n int) {
	s.start += n
	s.off += int64(n)
}

// skipHole drops NUL bytes before a line, so that a hole of any length costs no
// memory.
func (s *lines) skipHole() {
	for {
		for s.start < s.end && s.buf[s.start] == 0 {
			s.skip(1)
		}
		if s.start < s.end || !s.fill() {
			return
		}
	}
}

// find returns the length of the line that begins from bytes after start, without
// its end, and whether an end was found. ok is false if nothing is left or the
// record grew beyond maxLine.
func (s *lines) find(from int) (n int, ended, ok bool) {
	seen := from
	for {
		if i := bytes.IndexByte(s.buf[s.start+seen:s.end], '\n'); i >= 0 {
			return seen + i - from, true, seen+i <= maxLine
		}
		seen = s.end - s.start
		if seen > maxLine {
			return seen - from, false, false
		}
		if !s.fill() {
			return seen - from, false, seen > from
		}
	}
}

// next returns the next record; open says whether a text ends inside a quoted
// cell, and is asked only about text that holds a quote.
func (s *lines) next(open func([]byte) bool) (record, bool) {
	s.skipHole()
	n, ended, ok := s.find(0)
	if n == 0 && !ended {
		return record{}, false
	}
	rec := record{line: s.line, off: s.off, ended: ended}
	if !ok {
		return s.overlong(rec), true
	}
	size, extra := n, int32(0)
	if ended && bytes.IndexByte(s.buf[s.start:s.start+n], '"') >= 0 && open(s.buf[s.start:s.start+n]) {
		size, extra, rec.ended = s.quoted(n, open)
	}
	raw := s.buf[s.start : s.start+size]
	rec.text = bytes.TrimRight(raw, "\r")
	if bytes.IndexByte(rec.text, 0) >= 0 {
		rec.text = dropNULs(rec.text)
	}
	s.line += extra
	if rec.ended {
		size++
		s.line++
	}
	s.skip(size)
	return rec, true
}

// quoted extends a record whose first line of n bytes ends inside a quoted cell.
// If the quote is not closed soon, the first line stands alone.
func (s *lines) quoted(n int, open func([]byte) bool) (size int, extra int32, ended bool) {
	size = n
	for extra = 1; extra < maxQuotedLines; extra++ {
		m, end, ok := s.find(size + 1)
		if !ok {
			break
		}
		size += 1 + m
		if !open(s.buf[s.start : s.start+size]) {
			return size, extra, end
		}
		if !end {
			break
		}
	}
	return n, 0, true
}

// overlong drops the rest of a line that exceeds maxLine.
func (s *lines) overlong(rec record) record {
	rec.long = true
	rec.text = bytes.Clone(s.buf[s.start : s.start+64])
	for {
		if i := bytes.IndexByte(s.buf[s.start:s.end], '\n'); i >= 0 {
			s.skip(i + 1)
			s.line++
			rec.ended = true
			return rec
		}
		s.skip(s.end - s.start)
		if !s.fill() {
			return rec
		}
	}
}

// dropNULs removes NUL bytes in place.
func dropNULs(b []byte) []byte {
	out := b[:0]
	for _, c := range b {
		if c != 0 {
			out = append(out, c)
		}
	}
	return out
}
