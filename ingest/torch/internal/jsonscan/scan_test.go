package jsonscan

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// padded is text as a window holds it.
func padded(s string) ([]byte, int) {
	w := NewWindow(strings.NewReader(s))
	w.Fill(0)
	return w.Buf, w.End
}

func TestValueEndsWhereItEnds(t *testing.T) {
	for _, c := range []struct {
		text string
		want int // -1: more text is needed; -2: no JSON
	}{
		{`"a",`, 3}, {`"a\"b",`, 6}, {`"a\\",`, 5}, {`"` + strings.Repeat("x", 100) + `\"",`, 104},
		{`{"a":[1,{"b":"}]"}]},`, 20}, {`[],`, 2}, {`12.5e3,`, 6}, {`null]`, 4}, {`nan}`, 3},
		{`"a`, -1}, {`"a\`, -1}, {`{"a":1`, -1}, {`[[[`, -1}, {`12`, -1}, {`{"a":"b`, -1}, {``, -1},
		{`{"a":"b"c"}`, -2}, {`{"a":[1}]`, -2}, {`["a" "b"]`, -2}, {`,`, -2},
	} {
		b, end := padded(c.text)
		next, ok := Value(b, 0, end)
		got := next
		if !ok {
			got = -2
			if next >= end {
				got = -1
			}
		}
		if got != c.want {
			t.Errorf("%q: got %d, want %d", c.text, got, c.want)
		}
	}
}

func TestKeyIsPacked(t *testing.T) {
	for _, k := range []string{"", "a", "ph", "device", "sevench"} {
		b, _ := padded(k + `":1`)
		got, end, long := Key(b, 0)
		if got != Pack(k) || end != len(k) || long {
			t.Errorf("%q: got %x, %d, %v", k, got, end, long)
		}
	}
	for _, k := range []string{"eightchr", `a\"b`, `\u0070`} {
		b, _ := padded(k + `":1`)
		if _, _, long := Key(b, 0); !long {
			t.Errorf("%q: not long", k)
		}
	}
}

func TestDeepNestingNeedsNoStack(t *testing.T) {
	text := strings.Repeat(`[{"a":`, 100_000) + "1" + strings.Repeat("}]", 100_000)
	w := NewWindow(strings.NewReader(text))
	for w.Fill(0) {
	}
	if next, ok := Nested(w.Buf, 0, w.End); !ok || next != len(text) {
		t.Errorf("got %d, %v; want %d", next, ok, len(text))
	}
}

func TestPrefetchGivesTheReadersOwnError(t *testing.T) {
	for _, c := range []struct {
		name string
		r    io.Reader
		err  error
	}{
		{"plain end", strings.NewReader("abc"), io.EOF},
		{"cut stream", io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(io.ErrUnexpectedEOF)), io.ErrUnexpectedEOF},
		{"a reader that gives nothing", io.MultiReader(strings.NewReader("abc"), idle{}), io.ErrNoProgress},
	} {
		p := NewPrefetcher(c.r)
		got := make([]byte, 0, 8)
		var err error
		for err == nil {
			var n int
			n, err = p.Read(got[len(got):cap(got)])
			got = got[:len(got)+n]
		}
		p.Close()
		if string(got) != "abc" || err != c.err {
			t.Errorf("%s: got %q, %v; want abc, %v", c.name, got, err, c.err)
		}
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

func TestClosingEarlyStopsTheReader(t *testing.T) {
	p := NewPrefetcher(endless{})
	if _, err := p.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	p.Close() // returns only when the goroutine has ended
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

// FuzzUnescape holds strings that are JSON against encoding/json.
func FuzzUnescape(f *testing.F) {
	for _, s := range []string{`a\"b`, `\u00e9\ud83d\ude00`, `\ud800x`, "\xff", `\q`, `\ud83d\u0041`, "é\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, flaws := Unescape([]byte(raw))
		var want string
		if json.Unmarshal([]byte(`"`+raw+`"`), &want) != nil {
			return
		}
		if got != want || flaws&^NotUTF8 != 0 {
			t.Errorf("%q: got %q (flaws %b), want %q", raw, got, flaws, want)
		}
	})
}
