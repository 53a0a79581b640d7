package applog

import (
	"bytes"
	"io"
)

// maxLine is the longest line that is read, in bytes; a longer one is rejected
// with its place. The longest real line seen is a 540 kB progress bar.
const maxLine = 16 << 20

// A segment is a line up to a line feed or carriage return. Its bytes are valid
// until the next call of lines.next.
type segment struct {
	text    []byte
	line    int32 // 1-based, counts line feeds
	offset  int64
	ended   bool // a line end follows; false only for the last
	tooLong bool // the line exceeds maxLine: text holds its beginning
}

// lines splits decoded content into segments. Memory is bounded by maxLine.
type lines struct {
	in    io.Reader
	limit int

	buf       []byte
	start, to int    // unread part of buf
	feed, ret finder // line feeds and carriage returns: every byte is looked at once for each
	base      int64  // offset of buf[0]
	line      int32
	err       error // of the reader; io.EOF at a clean end
}

// A finder remembers where the next occurrence of its byte is, or how far there
// is none.
type finder struct {
	c     byte
	at    int // index of the next occurrence if found
	found bool
	seen  int // no occurrence before
}

func (f *finder) next(buf []byte, start, end int) (int, bool) {
	if f.found && f.at >= start {
		return f.at, true
	}
	from := max(f.seen, start)
	i := bytes.IndexByte(buf[from:end], f.c)
	f.at, f.found, f.seen = from+i, i >= 0, end
	if f.found {
		f.seen = f.at + 1
	}
	return f.at, f.found
}

func (f *finder) shift(n int) { f.at, f.seen = f.at-n, max(f.seen-n, 0) }

func newLines(in io.Reader, limit int) *lines {
	return &lines{in: in, limit: limit, buf: make([]byte, 256<<10), line: 1, feed: finder{c: '\n'}, ret: finder{c: '\r'}}
}

func (l *lines) end() (int32, int64, error) { return l.line, l.base + int64(l.to), l.err }

// next returns the next segment; ok is false at the end of the content.
func (l *lines) next() (s segment, ok bool) {
	for {
		if i, ok := l.lineEnd(); ok {
			return l.cut(i), true
		}
		if l.to-l.start > l.limit {
			return l.skip(), true
		}
		if l.err != nil {
			if l.start == l.to {
				return segment{}, false
			}
			s = segment{text: l.buf[l.start:l.to], line: l.line, offset: l.base + int64(l.start)}
			l.start = l.to
			return s, true
		}
		l.fill()
	}
}

// lineEnd returns the index in buf of the next line feed or carriage return.
func (l *lines) lineEnd() (int, bool) {
	n, okN := l.feed.next(l.buf, l.start, l.to)
	r, okR := l.ret.next(l.buf, l.start, l.to)
	if okN && (!okR || n < r) {
		return n, true
	}
	return r, okR
}

// cut ends the segment at index i of buf, where a line end stands.
func (l *lines) cut(i int) segment {
	s := segment{text: l.buf[l.start:i], line: l.line, offset: l.base + int64(l.start), ended: true}
	s.tooLong = len(s.text) > l.limit
	if l.buf[i] == '\n' {
		l.line++
	}
	l.start = i + 1
	return s
}

// skip passes over a line that is longer than the limit.
func (l *lines) skip() segment {
	s := segment{text: bytes.Clone(l.buf[l.start : l.start+min(64, l.to-l.start)]), line: l.line, offset: l.base + int64(l.start), tooLong: true}
	for {
		if i, ok := l.lineEnd(); ok {
			l.cut(i)
			s.ended = true
			return s
		}
		l.start = l.to
		if l.err != nil {
			return s
		}
		l.fill()
	}
}

// fill reads more, moving or growing the buffer as needed.
func (l *lines) fill() {
	if l.to == len(l.buf) {
		if l.start > 0 {
			copy(l.buf, l.buf[l.start:l.to])
			l.base += int64(l.start)
			l.to -= l.start
			l.feed.shift(l.start)
			l.ret.shift(l.start)
			l.start = 0
		}
		if l.to == len(l.buf) {
			l.buf = append(l.buf, make([]byte, len(l.buf))...)
		}
	}
	for tries := 0; tries < 100; tries++ {
		n, err := l.in.Read(l.buf[l.to:])
		l.to += n
		if err != nil {
			l.err = err
		}
		if n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}
