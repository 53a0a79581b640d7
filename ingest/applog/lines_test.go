package applog

import (
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// plainLines is the slow, obvious splitter: the oracle.
func plainLines(text string) (out []segment) {
	line, start := int32(1), 0
	for i := 0; i <= len(text); i++ {
		switch {
		case i == len(text):
			if start < i {
				out = append(out, segment{text: []byte(text[start:]), line: line, offset: int64(start)})
			}
		case text[i] == '\n' || text[i] == '\r':
			out = append(out, segment{text: []byte(text[start:i]), line: line, offset: int64(start), ended: true})
			start = i + 1
			if text[i] == '\n' {
				line++
			}
		}
	}
	return out
}

func allLines(in io.Reader, limit int) (out []segment, err error) {
	l := newLines(in, limit)
	for {
		s, ok := l.next()
		if !ok {
			return out, l.err
		}
		s.text = slices.Clone(s.text)
		out = append(out, s)
	}
}

func sameSegments(a, b []segment) bool {
	return slices.EqualFunc(a, b, func(a, b segment) bool {
		return string(a.text) == string(b.text) && a.line == b.line && a.offset == b.offset && a.ended == b.ended && a.tooLong == b.tooLong
	})
}

func TestLinesAreThoseOfTheOracle(t *testing.T) {
	big := strings.Repeat("x", 300<<10) + "\r" + strings.Repeat("bar\r", 100_000) + "\nlast"
	for _, text := range []string{"", "a", "a\n", "\n", "\r\n", "a\r\nb\rc\n\nd", big, big + "\n" + big} {
		for name, in := range map[string]io.Reader{"at once": strings.NewReader(text), "in halves": iotest.HalfReader(strings.NewReader(text)),
			"data with the end": iotest.DataErrReader(strings.NewReader(text))} {
			got, err := allLines(in, maxLine)
			if want := plainLines(text); !sameSegments(got, want) || err != io.EOF {
				t.Errorf("%.20q %s: got %d lines, error %v; want %d lines", text, name, len(got), err, len(want))
			}
		}
	}
}

func TestLineOverTheLimitIsPassedOver(t *testing.T) {
	long := strings.Repeat("x", 600<<10)
	got, err := allLines(strings.NewReader("a\n"+long+"\nb\n"+long), 100)
	if err != io.EOF || len(got) != 4 {
		t.Fatalf("got %d lines, error %v; want 4", len(got), err)
	}
	for i, want := range []struct {
		line    int32
		offset  int64
		tooLong bool
	}{{1, 0, false}, {2, 2, true}, {3, int64(len(long)) + 3, false}, {4, int64(len(long)) + 5, true}} {
		if got[i].line != want.line || got[i].offset != want.offset || got[i].tooLong != want.tooLong {
			t.Errorf("line %d: got line %d at %d, too long %v; want %+v", i, got[i].line, got[i].offset, got[i].tooLong, want)
		}
	}
}

func TestReaderThatNeverProgressesEnds(t *testing.T) {
	if _, err := allLines(stuck{}, maxLine); err != io.ErrNoProgress {
		t.Errorf("got error %v, want %v", err, io.ErrNoProgress)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestControlCodesAreRemoved(t *testing.T) {
	for _, k := range []struct{ name, in, want string }{
		{"colours", "\x1b[32m2025\x1b[0m | \x1b[1mINFO\x1b[0m", "2025 | INFO"},
		{"erase line", "\x1b[2Kweb-1  | x", "web-1  | x"},
		{"window title", "\x1b]0;title\x07x\x1b]8;;y\x1b\\z", "xz"},
		{"NUL and backspace", "a\x00\x00b\bc", "abc"},
		{"cut sequences", "a\x1b", "a"}, {"cut parameters", "a\x1b[3", "a"},
		{"no sequence", "a\x1b[\nb", "a\nb"},
		{"nothing to do", "plain", "plain"},
	} {
		var c cleaner
		if got := string(c.clean([]byte(k.in))); got != k.want {
			t.Errorf("%s: got %q, want %q", k.name, got, k.want)
		}
	}
}
