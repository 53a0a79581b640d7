package ingest

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"tracemerge/model"
)

// MaxExpansion bounds how many decoded bytes a compressed file may hold for each
// byte on disk; beyond it the file is refused as a decompression bomb. Real
// traces compress 10 to 40 times.
const MaxExpansion = 2000

// maxZstdWindow bounds the memory of a zstd stream; --long=27 needs as much.
const maxZstdWindow = 1 << 27

// A File is one open input file. Read returns its decoded content: decompressed
// (gzip with any number of members, zstd), without byte order mark, UTF-16
// converted to UTF-8. Read returns io.ErrUnexpectedEOF where a compressed stream
// is cut off; what came before is valid.
type File struct {
	ID    model.SourceID
	Label model.Text // path relative to the run folder
	Bytes int64      // on disk

	disk *os.File
	sum  hash.Hash
	raw  *countingReader
	zstd *zstd.Decoder
	gzip *members
	in   *bufio.Reader
	out  int64
	crc  uint32

	packed bool // compressed
}

// Open opens a file and looks at its first bytes to find out how it is encoded.
func Open(path string, id model.SourceID, label model.Text) (*File, error) {
	disk, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening: %w", pathless(err))
	}
	st, err := disk.Stat()
	if err != nil {
		return nil, closeAfter(disk, fmt.Errorf("opening: %w", pathless(err)))
	}
	f := &File{ID: id, Label: label, Bytes: st.Size(), disk: disk, sum: sha256.New()}
	f.raw = &countingReader{r: io.TeeReader(disk, f.sum)}
	if err := f.decode(); err != nil {
		return nil, closeAfter(disk, err)
	}
	return f, nil
}

func closeAfter(c io.Closer, err error) error {
	if cerr := c.Close(); cerr != nil {
		return fmt.Errorf("%w (and closing: %w)", err, cerr)
	}
	return err
}

// buffer is the size of the buffers of a file of so many bytes: no more than it can
// fill, since folders of many small files are usual, and never less than Head shows.
func buffer(bytes int64) int { return int(max(HeadSize, min(bytes, 1<<20))) }

func (f *File) decode() error {
	size := buffer(f.Bytes)
	disk := bufio.NewReaderSize(f.raw, size)
	head, err := disk.Peek(4)
	if err != nil && err != io.EOF {
		return fmt.Errorf("reading: %w", pathless(err))
	}
	plain := disk
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		m, err := newMembers(disk, func() int64 { return f.raw.n - int64(disk.Buffered()) })
		if err != nil {
			return &model.Refusal{Text: model.Say("the gzip header is damaged"), Err: err}
		}
		f.packed, f.gzip, plain = true, m, bufio.NewReaderSize(m, max(size, 256<<10))
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(disk, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxZstdWindow))
		if err != nil {
			return &model.Refusal{Text: model.Say("the zstd header is damaged"), Err: err}
		}
		f.packed, f.zstd, plain = true, z, bufio.NewReaderSize(z, max(size, 256<<10))
	}
	head, _ = plain.Peek(3) // an error shows again at the first Read
	switch {
	case bytes.HasPrefix(head, []byte{0xef, 0xbb, 0xbf}):
		_, _ = plain.Discard(3)
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		big := head[0] == 0xfe
		_, _ = plain.Discard(2)
		plain = bufio.NewReaderSize(&utf16Reader{r: plain, big: big}, size)
	}
	f.in = plain
	return nil
}

// Head returns up to HeadSize first bytes of the decoded content without
// consuming them; an unreadable file gives what could be read.
func (f *File) Head() []byte {
	head, _ := f.in.Peek(HeadSize)
	return head
}

// Damage returns why not even the first byte can be read, nil if it can be or if
// there is none.
func (f *File) Damage() error {
	if _, err := f.in.Peek(1); err != nil && err != io.EOF {
		return f.fault(err)
	}
	return nil
}

// Read reads decoded content.
func (f *File) Read(p []byte) (int, error) {
	n, err := f.in.Read(p)
	f.out += int64(n)
	f.crc = crc32.Update(f.crc, crc32.IEEETable, p[:n])
	if f.raw.n > 0 && f.out > 64<<20 && f.out/MaxExpansion > f.raw.n {
		return n, &model.Refusal{Text: model.Say("the compressed file expands more than {} times: refused", MaxExpansion)}
	}
	return n, f.fault(err)
}

// fault words an error of decompressing; the ends of a stream stay what they are.
func (f *File) fault(err error) error {
	if f.packed && err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return &model.Refusal{Text: model.Say("the compressed data is damaged"), Err: err}
	}
	return err
}

// Rewind makes Read begin at the first byte again, for a reader that learns at the
// end of a file how its beginning is to be read. What is read twice counts once.
func (f *File) Rewind() error {
	if f.zstd != nil {
		f.zstd.Close()
		f.zstd = nil
	}
	if _, err := f.disk.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("reading a second time: %w", pathless(err))
	}
	f.sum.Reset()
	f.raw = &countingReader{r: io.TeeReader(f.disk, f.sum)}
	f.out, f.crc = 0, 0
	return f.decode()
}

// Behind returns the bytes on disk that follow the last member of a gzip file and are
// none, and whether they hold anything but zeros; n is 0 before the end is read.
func (f *File) Behind() (n int64, zeros bool) {
	if f.gzip == nil || f.gzip.end == 0 {
		return 0, false
	}
	return f.Bytes - f.gzip.end, f.gzip.zero
}

// Unreadable is the error of a file that cannot be read beyond an offset of its
// decoded content.
func Unreadable(offset int64, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return &model.Refusal{Text: model.Say("the compressed data ends early, after {} bytes of text", offset), Err: err}
	}
	return &model.Refusal{Text: model.Say("it could not be read beyond byte {} of its text", offset), Err: err}
}

// Content is a fingerprint of the decoded content read so far: its length and its
// CRC-32. Two files read to their ends with one fingerprint are taken for copies.
func (f *File) Content() model.Content { return model.Content{Bytes: f.out, CRC: f.crc} }

// Sum reads the rest of the file on disk and returns the SHA-256 of all its
// bytes, in hexadecimal.
func (f *File) Sum() (string, error) {
	if _, err := io.Copy(io.Discard, f.raw); err != nil {
		return "", fmt.Errorf("reading: %w", pathless(err))
	}
	return hex.EncodeToString(f.sum.Sum(nil)), nil
}

// Close closes the file.
func (f *File) Close() error {
	if f.zstd != nil {
		f.zstd.Close()
	}
	return f.disk.Close()
}

type countingReader struct {
	r    io.Reader
	n    int64
	seen func(n int) // told of every read; may be nil
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	if c.seen != nil {
		c.seen(n)
	}
	if err != nil && err != io.EOF {
		err = pathless(err)
	}
	return n, err
}

// utf16Reader converts UTF-16 to UTF-8. A lone surrogate and a half unit at the
// end become U+FFFD.
type utf16Reader struct {
	r    *bufio.Reader
	big  bool
	rest []byte
	next rune // a unit read ahead, plus 1; 0 if none
	err  error
}

func (u *utf16Reader) unit() (rune, error) {
	if u.next > 0 {
		c := u.next - 1
		u.next = 0
		return c, nil
	}
	var b [2]byte
	n, err := io.ReadFull(u.r, b[:])
	if err == io.ErrUnexpectedEOF && n == 1 {
		return utf8.RuneError, nil
	}
	if err != nil {
		return 0, err
	}
	if u.big {
		b[0], b[1] = b[1], b[0]
	}
	return rune(b[0]) | rune(b[1])<<8, nil
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.rest) < len(p) && u.err == nil {
		c, err := u.unit()
		if err != nil {
			u.err = err
			break
		}
		if utf16.IsSurrogate(c) {
			d, err := u.unit()
			switch both := utf16.DecodeRune(c, d); {
			case err != nil:
				c, u.err = utf8.RuneError, err
			case both == utf8.RuneError: // the second may be a character by itself
				c, u.next = both, d+1
			default:
				c = both
			}
		}
		u.rest = utf8.AppendRune(u.rest, c)
	}
	n := copy(p, u.rest)
	u.rest = u.rest[n:]
	if n == 0 {
		return 0, u.err
	}
	return n, nil
}
