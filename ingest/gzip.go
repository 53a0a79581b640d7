package ingest

import (
	"bufio"
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
)

var gzipMagic = []byte{0x1f, 0x8b}

// members reads the members of a gzip file one after the other (RFC 1952, section
// 2.2). What follows the last member and begins like none is not read, as gzip(1)
// does; the data before it is whole, for each member states its length and sum.
type members struct {
	in  *bufio.Reader // a ByteReader, so that the decoder reads no further than a member
	z   *gzip.Reader
	pos func() int64 // bytes on disk that were taken from in

	end  int64 // where other bytes begin; 0 if none were seen
	zero bool  // those that were looked at are zeros
}

func newMembers(in *bufio.Reader, pos func() int64) (*members, error) {
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &members{in: in, z: z, pos: pos}, nil
}

func (m *members) Read(p []byte) (int, error) {
	if m.end > 0 {
		return 0, io.EOF
	}
	n, err := m.z.Read(p)
	if err != io.EOF {
		return n, err
	}
	return n, m.next()
}

// next begins the next member; io.EOF if there is none.
func (m *members) next() error {
	head, err := m.in.Peek(len(gzipMagic))
	switch {
	case len(head) == 0:
		return err // io.EOF, or that of reading
	case bytes.HasPrefix(gzipMagic, head):
		if err := m.z.Reset(m.in); err != nil {
			if err == io.EOF {
				return io.ErrUnexpectedEOF
			}
			return err
		}
		m.z.Multistream(false)
		return nil
	}
	m.end = m.pos()
	rest, _ := m.in.Peek(m.in.Size())
	m.zero = len(bytes.Trim(rest, "\x00")) == 0
	return io.EOF
}
