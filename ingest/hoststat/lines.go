package hoststat

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine is the longest line that is read; a longer one is rejected whole. A row
// of top with -c holds a command line of up to 4 KB.
const maxLine = 1 << 20

// A record is one line.
type record struct {
	text  []byte // without line end, valid until the next record
	line  int32
	off   int64
	ended bool // a line end follows
	long  bool // longer than maxLine: text is its beginning
}

// lines cuts a stream into records.
type lines struct {
	r    *bufio.Reader
	buf  []byte
	off  int64
	line int32
	err  error // what ended the stream, unless io.EOF
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 256<<10)} }

// next returns the next record; ok is false at the end.
func (s *lines) next() (rec record, ok bool) {
	rec = record{line: s.line + 1, off: s.off}
	s.buf = s.buf[:0]
	for {
		part, err := s.r.ReadSlice('\n')
		s.off += int64(len(part))
		if len(s.buf) <= maxLine {
			s.buf = append(s.buf, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		rec.ended = err == nil
		if err != nil && !errors.Is(err, io.EOF) {
			s.err = err
		}
		break
	}
	if s.off == rec.off {
		return record{}, false
	}
	s.line++
	rec.long = len(s.buf) > maxLine
	rec.text = bytes.TrimRight(s.buf, "\r\n")
	return rec, true
}
