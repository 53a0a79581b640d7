package torch

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"tracemerge/model"
)

func readText(t testing.TB, text []byte) (*model.Capture, error) {
	t.Helper()
	return readFrom(context.Background(), bytes.NewReader(text), 1, model.Text{})
}

// TestDamageCostsItsNeighboursLittle damages one place of a real trace and
// counts the events that are lost: the damaged one, and at most the next.
func TestDamageCostsItsNeighboursLittle(t *testing.T) {
	for _, name := range []string{"D17_mi250_base_of_derived", "D15_ascend_string_ts", "D16_legacy_int"} {
		t.Run(name, func(t *testing.T) { damage(t, decoded(t, "traces/"+name+".json.gz")) })
	}
}

func damage(t *testing.T, text []byte) {
	t.Helper()
	whole, err := readText(t, text)
	if err != nil {
		t.Fatal(err)
	}
	from := max(0, bytes.Index(text, []byte(`"traceEvents"`))) + 20
	to := bytes.LastIndexByte(text, ']') - 1
	damages := []struct {
		name string
		do   func(text []byte, at int) []byte
	}{
		{"a byte is missing", func(b []byte, at int) []byte { return append(b[:at], b[at+1:]...) }},
		{"a quotation mark too many", func(b []byte, at int) []byte { return insert(b, at, `"`) }},
		{"a brace too many", func(b []byte, at int) []byte { return insert(b, at, `{`) }},
		{"a closing brace too many", func(b []byte, at int) []byte { return insert(b, at, `}`) }},
		{"a backslash", func(b []byte, at int) []byte { return insert(b, at, `\`) }},
		{"a line of a log", func(b []byte, at int) []byte {
			return insert(b, at, "\n[W socket.cpp:697] \"host\" {said] no\n")
		}},
		{"zero bytes", func(b []byte, at int) []byte { return insert(b, at, "\x00\x00\x00") }},
	}
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for range 40 {
				at := from + r.IntN(to-from)
				c, err := readText(t, d.do(bytes.Clone(text), at))
				if err != nil {
					t.Fatalf("at %d: %v", at, err)
				}
				if !c.Account.Balanced() {
					t.Fatalf("at %d: account does not balance: %+v", at, c.Account)
				}
				if lost := whole.Account.Used - c.Account.Used; lost > 2 || lost < -2 || c.Truncated {
					t.Errorf("at %d (%q): %d used events lost, truncated %v: %s", at, text[max(0, at-40):at+40], lost, c.Truncated, said(c))
				}
			}
		})
	}
}

func insert(b []byte, at int, s string) []byte {
	return append(append(append([]byte{}, b[:at]...), s...), b[at:]...)
}

func said(c *model.Capture) string {
	var s string
	for _, n := range c.Notices {
		s += fmt.Sprint(n.Code, " ", n.N, "; ")
	}
	return s
}

// TestCutAnywhere cuts a real trace at many places: the events before the cut
// are read, and no more.
func TestCutAnywhere(t *testing.T) {
	text := decoded(t, "traces/D17_mi250_base_of_derived.json.gz")
	from := bytes.Index(text, []byte(`"traceEvents"`)) + 20
	last := int64(0)
	for at := from; at < len(text)-1; at += 41 {
		c, err := readText(t, text[:at])
		if err != nil {
			t.Fatalf("cut at %d: %v", at, err)
		}
		n := c.Trace.Events
		if n < last || n > last+1 || !c.Truncated || !c.Account.Balanced() {
			t.Fatalf("cut at %d: got %d events after %d, truncated %v, account %+v", at, n, last, c.Truncated, c.Account)
		}
		last = n
	}
	if last != 220 {
		t.Errorf("got %d events at the last cut, want 220", last)
	}
}
