package ingest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"tracemerge/model"
)

func gz(t *testing.T, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, s); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zst(t *testing.T, s string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(s), nil)
}

// utf16Bytes spells units in UTF-16 with the mark first.
func utf16Bytes(big bool, units ...uint16) []byte {
	var b []byte
	for _, u := range append([]uint16{0xfeff}, units...) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

// opened writes the bytes to a file and opens it.
func opened(t *testing.T, content []byte) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, 1, model.Text{})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return f
}

func TestFileDecodes(t *testing.T) {
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	long := strings.Repeat("0123456789abcdef", 20000)
	for _, c := range []struct {
		name string
		disk []byte
		want string
	}{
		{"plain text stays", []byte("a,b\n"), "a,b\n"},
		{"an empty file is empty", nil, ""},
		{"one byte", []byte("x"), "x"},
		{"UTF-8 byte order mark is dropped", []byte("\xef\xbb\xbfab"), "ab"},
		{"UTF-16 little endian", utf16Bytes(false, 'h', 0xe4, '\n'), "hä\n"},
		{"UTF-16 big endian", utf16Bytes(true, 'h', 0xe4, '\n'), "hä\n"},
		{"UTF-16 surrogate pair", utf16Bytes(false, 0xd83d, 0xde00), "😀"},
		{"UTF-16 lone high surrogate keeps its neighbour", utf16Bytes(false, 0xd83d, 'x'), "\uFFFDx"},
		{"UTF-16 lone high surrogate before a pair", utf16Bytes(true, 0xd83d, 0xd83d, 0xde00), "\uFFFD😀"},
		{"UTF-16 lone low surrogate", utf16Bytes(false, 0xde00, 'x'), "\uFFFDx"},
		{"UTF-16 high surrogate at the end", utf16Bytes(false, 'x', 0xd83d), "x\uFFFD"},
		{"UTF-16 half a unit at the end", append(utf16Bytes(false, 'x'), 'y'), "x\uFFFD"},
		{"gzip", gz(t, "abc"), "abc"},
		{"gzip of several members", join(gz(t, "abc"), gz(t, ""), gz(t, "def")), "abcdef"},
		{"gzip of UTF-16", gz(t, string(utf16Bytes(false, 'o', 'k'))), "ok"},
		{"gzip of a text with a mark", gz(t, "\xef\xbb\xbfab"), "ab"},
		{"zstd", zst(t, "abc"), "abc"},
		{"zstd of several frames", join(zst(t, "abc"), zst(t, "def")), "abcdef"},
		{"longer than any buffer of the head", gz(t, long), long},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := opened(t, c.disk)
			head := string(f.Head())
			if want := c.want[:min(len(c.want), HeadSize)]; head != want {
				t.Errorf("Head: got %d bytes %.20q, want %d bytes %.20q", len(head), head, len(want), want)
			}
			got, err := io.ReadAll(f)
			if err != nil || string(got) != c.want {
				t.Errorf("got %d bytes %.40q, %v; want %d bytes %.40q", len(got), got, err, len(c.want), c.want)
			}
			sum, err := f.Sum()
			want := sha256.Sum256(c.disk)
			if err != nil || sum != hex.EncodeToString(want[:]) {
				t.Errorf("Sum: got %s, %v; want %x", sum, err, want)
			}
		})
	}
}

func TestFileSumNeedsNoReading(t *testing.T) {
	disk := gz(t, strings.Repeat("never read ", 100000))
	f := opened(t, disk)
	f.Head()
	sum, err := f.Sum()
	if want := sha256.Sum256(disk); err != nil || sum != hex.EncodeToString(want[:]) {
		t.Errorf("got %s, %v; want %x", sum, err, want)
	}
}

func TestFileCutOff(t *testing.T) {
	text := noise(1000000)
	for _, c := range []struct {
		name string
		disk []byte
	}{
		{"gzip", gz(t, text)},
		{"zstd", zst(t, text)},
	} {
		for _, keep := range []int{20, len(c.disk) / 2, len(c.disk) - 3} {
			t.Run(c.name, func(t *testing.T) {
				f := opened(t, c.disk[:keep])
				f.Head() // looking at the head must not swallow the error
				got, err := io.ReadAll(f)
				if !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("cut at %d of %d: got error %v, want %v", keep, len(c.disk), err, io.ErrUnexpectedEOF)
				}
				if !strings.HasPrefix(text, string(got)) {
					t.Errorf("cut at %d: what was read is not what stands before the cut", keep)
				}
				if keep > len(c.disk)/3 && len(got) < 1000 {
					t.Errorf("cut at %d of %d: only %d bytes came before the error", keep, len(c.disk), len(got))
				}
			})
		}
	}
}

// What stands behind the last member is not read, and the data before it is whole;
// the beginning of a further member that is not there is a cut.
func TestBytesBehindGzip(t *testing.T) {
	text := noise(100000)
	for _, c := range []struct {
		name   string
		behind string
		n      int64
		zeros  bool
		err    error
	}{
		{"nothing", "", 0, false, nil},
		{"zeros", strings.Repeat("\x00", 700), 700, true, nil},
		{"text", "garbage\n", 8, false, nil},
		{"zeros and text", "\x00\x00x", 3, false, nil},
		{"one byte of a header", "\x1f", 0, false, io.ErrUnexpectedEOF},
		{"half a header", "\x1f\x8b\x08", 0, false, io.ErrUnexpectedEOF},
		{"a member and zeros", string(gz(t, "")) + "\x00", 1, true, nil},
	} {
		f := opened(t, append(gz(t, text), c.behind...))
		got, err := io.ReadAll(f)
		n, zeros := f.Behind()
		if string(got) != text || !errors.Is(err, c.err) || n != c.n || zeros != c.zeros {
			t.Errorf("%s: %d bytes, %v, %d behind, zeros %v; want %d, %v, %d, %v", c.name, len(got), err, n, zeros, len(text), c.err, c.n, c.zeros)
		}
		if sum, err := f.Sum(); err != nil || len(sum) != 64 {
			t.Errorf("%s: sum %q, %v", c.name, sum, err)
		}
	}
	f := opened(t, append(gz(t, text), "\x1f\x8bgarbage in place of a header"...))
	if _, err := io.ReadAll(f); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a damaged second header: %v", err)
	}
}

// noise is text that does not compress to nothing.
func noise(n int) string {
	var b strings.Builder
	for i, x := 0, uint32(1); i < n; i++ {
		x = x*1664525 + 1013904223
		b.WriteByte("abcdefgh\n"[(x>>24)%9])
	}
	return b.String()
}

func TestFileRefusesADecompressionBomb(t *testing.T) {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	zero := make([]byte, 1<<20)
	for range 200 {
		if _, err := w.Write(zero); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f := opened(t, b.Bytes())
	n, err := io.Copy(io.Discard, f)
	if err == nil || n > 100<<20 {
		t.Errorf("%d bytes on disk: got %d bytes and error %v, want an error soon after 64 MiB", b.Len(), n, err)
	}
}

func TestOpenErrorsHoldNoPath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret-name")
	_, err := Open(path, 1, model.Text{})
	if err == nil || strings.Contains(err.Error(), "secret-name") || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: got %v, want an error for which os.ErrNotExist holds, without the path", err)
	}
	if err := os.WriteFile(path, []byte("\x1f\x8bgarbage that is no gzip"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err = Open(path, 1, model.Text{}); err == nil || !strings.Contains(err.Error(), "the gzip header is damaged") {
		t.Errorf("bad gzip header: got %v, want an error that says so", err)
	}
}

func TestFileDamagedInside(t *testing.T) {
	for name, disk := range map[string][]byte{"gzip": gz(t, noise(300000)), "zstd": zst(t, noise(300000))} {
		for i := range 40 {
			disk[len(disk)/2+i] ^= 0x5a
		}
		_, err := io.ReadAll(opened(t, disk))
		var fault *model.Refusal
		if !errors.As(err, &fault) || fault.Error() == "the compressed data is damaged" || !strings.HasPrefix(fault.Error(), "the compressed data is damaged: ") {
			t.Errorf("%s: got %v, want a Refusal that says so, with the decoder's error", name, err)
		}
	}
}

// Whatever the bytes on disk: no panic, an end, a head that is the beginning, and
// the hash of exactly those bytes.
func FuzzFile(f *testing.F) {
	for _, s := range []string{"", "a", "\xff\xfe", "\xfe\xff\xd8", "\xff\xfea\x00\x00\xd8b", "\xef\xbb\xbf", "\x1f\x8b", "\x28\xb5\x2f\xfd",
		"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xffKLJ\x06\x00\xc2A$5\x03\x00\x00\x00", "\x28\xb5\x2f\xfd\x04\x00\x19\x00\x00abc\xf5\xd2\x91\xc5"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, disk []byte) {
		path := filepath.Join(t.TempDir(), "in")
		if err := os.WriteFile(path, disk, 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := Open(path, 1, model.Text{})
		if err != nil {
			return
		}
		head := string(in.Head())
		got, err := io.ReadAll(io.LimitReader(in, 32<<20))
		if err == nil && !strings.HasPrefix(string(got), head) {
			t.Errorf("head %.40q is not the beginning of %.40q", head, got)
		}
		sum, err := in.Sum()
		if want := sha256.Sum256(disk); err != nil || sum != hex.EncodeToString(want[:]) {
			t.Errorf("got hash %s, %v; want %x", sum, err, want)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	})
}
