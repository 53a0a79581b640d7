package applog

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tracemerge/ingest"
	"tracemerge/model"
)

// readFile reads the text as a file on disk, with the variant that run.yaml
// declares for it.
func readFile(t *testing.T, content []byte, form string) *model.Capture {
	t.Helper()
	path := filepath.Join(t.TempDir(), "app.log")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := ingest.Open(path, 1, model.NewText("app.log", model.ClassFile))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Format().Read(t.Context(), f, ingest.Options{Declared: &model.Declaration{}, Form: form})
	if err != nil {
		t.Fatalf("reading: %v", err)
	}
	sum, err := f.Sum()
	if want := sha256.Sum256(content); err != nil || sum != hex.EncodeToString(want[:]) {
		t.Errorf("sum of the file: got %s, error %v; want that of its bytes once", sum, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	checkLaws(t, c)
	return c
}

// guesses spells the guesses of a capture.
func guesses(c *model.Capture) string {
	var out []string
	for _, g := range c.Source.Guess {
		out = append(out, fmt.Sprintf("%s %d/%d", g.Form, g.Fits, g.Of))
	}
	return strings.Join(out, ", ")
}

const twoHandlers = "2026-05-04 09:00:00,100 - a - INFO - step 1\n05/04/2026 09:00:00 - INFO - step 1\n" +
	"2026-05-04 09:00:01,100 - a - INFO - step 2\n05/04/2026 09:00:01 - INFO - step 2\n" +
	"2026-05-04 09:00:02,100 - a - INFO - step 3\n"

func TestGuesses(t *testing.T) {
	for _, k := range []struct{ name, text, want string }{
		{"nothing", "a\nb\n", ""},
		{"python logging", "2026-05-04 09:00:00,123 INFO a\n", "python-logging 1/1"},
		{"loguru", "2026-05-04 09:00:00.123 | INFO     | m:f:1 - a\n", "loguru 1/1"},
		{"a point is no loguru", "2026-05-04 09:00:00.123 INFO a\n", "iso-8601 1/1"},
		{"a zone", "2026-05-04T09:00:00+02:00 a\n20260504T090000Z b\n", "iso-8601 2/2"},
		{"glog", "I0504 09:00:00.123456 7 a.cc:1] a\nW504 09:00:00.1 x\n", "glog 2/2"},
		{"syslog", "May  4 09:00:00 host a[1]: b\n", "syslog 1/1"},
		{"vLLM", "INFO 05-04 09:00:00 [a.py:1] b\n", "month-day 1/1"},
		{"words", "[Mon May  4 09:00:00 2026] a\n04/May/2026:09:00:00 +0000 b\n4 May 2026 09:00:00 c\n", "date-in-words 3/3"},
		{"epoch", "1772460300.123 a\n", "epoch 1/1"},
		{"time of day", "09:00:00 a\n", "time-of-day 1/1"},
		{"uptime", "[   12.345678] a\n", "uptime 1/1"},
		{"month first", "05/16/26 09:00:00 a\n05/04/26 09:00:00 a\n", "month-first 2/2, day-first 1/2, year-first 1/2"},
		{"undecidable", "05/04/2026 09:00:00 a\n", "month-first 1/1, day-first 1/1"},
		{"points", "02.03.2026 09:00:00 a\n", "day-first 1/1"},
		{"json and its competitors", `{"time":"2026-05-04T09:00:00Z"}` + "\n" + `{"time":"2026-05-04T09:00:01Z"}` + "\nlevel=info time=2026-05-04T09:00:01Z\n",
			"json 2/3, logfmt 1/3"},
		{"mlperf", `:::MLLOG {"time_ms": 1714993490208, "key": "a"}` + "\n", "mlperf 1/1"},
		{"csv", "time,step\n2026-05-04 09:00:00,1\n", "csv 1/1"},
		{"two handlers", twoHandlers, "python-logging 3/5, month-first 2/5, day-first 2/5"},
		{"a restart with another logger", strings.Repeat("I0504 09:00:00.1 7 a.cc:1] a\n", 98) + "2026-05-04 10:00:00,123 INFO a\n2026-05-04 10:00:01,123 INFO a\n",
			"glog 98/100, python-logging 2/100"},
	} {
		if got := guesses(readText(t, k.text, model.Declaration{})); got != k.want {
			t.Errorf("%s: got %q, want %q", k.name, got, k.want)
		}
	}
}

// Every guess is a form that run.yaml can declare, and every such form is obeyed:
// only its records begin one, or only its order is a date.
func TestDeclaredForm(t *testing.T) {
	for _, k := range []struct {
		name, text, form string
		used             int64
		first            string
	}{
		{"one of two handlers", twoHandlers, "python-logging", 3, "2026-05-04 09:00:00.1"},
		{"day first", twoHandlers, "day-first", 5, "2026-04-05 09:00:00"},
		{"month first", twoHandlers, "month-first", 5, "2026-05-04 09:00:00"},
		{"points, month first", "02.03.2026 09:00:00 a\n", "month-first", 1, "2026-02-03 09:00:00"},
		{"year first", "05/04/03 09:00:00 a\n", "year-first", 1, "2005-04-03 09:00:00"},
		{"a date that the order excludes", "16/05/2026 09:00:00 a\n05/04/2026 09:00:00 b\n", "month-first", 1, "2026-05-04 09:00:00"},
		{"a table after a preamble", "# made by x\ntime,step\n2026-05-04 09:00:00,1\n", "csv", 1, "2026-05-04 09:00:00"},
		{"a head like that of a table is text", "time,step\n2026-05-04 09:00:00 a\n", "iso-8601", 1, "2026-05-04 09:00:00"},
		{"json in a text log", "2026-05-04 09:00:00 a\n{\"time\":\"2026-05-04T10:00:00Z\"}\n", "json", 1, "2026-05-04 10:00:00"},
		{"logfmt only", "2026-05-04 09:00:00 a\ntime=2026-05-04T10:00:00Z\n", "logfmt", 1, "2026-05-04 10:00:00"},
		{"mlperf only", "2026-05-04 09:00:00 a\n:::MLLOG {\"time_ms\": 1777888800000, \"key\": \"a\"}\n", "mlperf", 1, "2026-05-04 10:00:00"},
		{"text behind a bar", " 9%|x | 9/9 [00:01<00:00, 1.0it/s]2026-05-04 09:00:00,5 a\n", "glog", 0, ""},
	} {
		c := readFile(t, []byte(k.text), k.form)
		first := ""
		if c.Account.Used > 0 {
			first = spell(c.Domains[0].Valid.Start)
			for _, d := range c.Domains {
				if s := spell(d.Valid.Start); s < first {
					first = s
				}
			}
		}
		if c.Account.Used != k.used || first != k.first {
			t.Errorf("%s: got %d used from %s, want %d from %s", k.name, c.Account.Used, first, k.used, k.first)
		}
	}
	if _, err := newReader(1, &model.Declaration{}, "morse"); err == nil {
		t.Error("a form that does not exist: got no error")
	}
}

// A date that tells the order of day and month far behind the beginning counts
// for all of the file, packed or not.
func TestOrderToldLate(t *testing.T) {
	var early strings.Builder
	for i := range 90000 {
		fmt.Fprintf(&early, "%02d/04/2026 09:00:00 step %d\n", 1+i/30000, i)
	}
	for _, k := range []struct {
		name, last, first string
		used, ambiguous   int64
	}{
		{"day first", "16/04/2026 09:00:00 a\n", "2026-04-01 09:00:00", 90001, 0},
		{"month first", "04/16/2026 09:00:00 a\n", "2026-01-04 09:00:00", 90001, 0},
		{"nothing tells", "05/04/2026 09:00:00 a\n", "", 0, 90001},
		{"both", "16/04/2026 09:00:00 a\n04/16/2026 09:00:00 b\n", "2026-04-16 09:00:00", 2, 90000},
	} {
		plain := []byte(early.String() + k.last)
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write(plain); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for _, content := range [][]byte{plain, packed.Bytes()} {
			c := readFile(t, content, "")
			first := ""
			if c.Account.Used > 0 {
				first = spell(c.Domains[0].Valid.Start)
			}
			if got := tally(c.Account.SetAside, "applog/ambiguous-date"); c.Account.Used != k.used || got != k.ambiguous || first != k.first {
				t.Errorf("%s: got %d used from %s, %d ambiguous; want %d from %s, %d", k.name, c.Account.Used, first, got, k.used, k.first, k.ambiguous)
			}
		}
	}
}

// An order that the beginning tells and a later date contradicts is not kept for
// the dates before.
func TestOrderContradicted(t *testing.T) {
	c := readFile(t, []byte("05/16/2026 09:00:00 a\n05/04/2026 09:00:00 b\n"+strings.Repeat("x\n", ingest.HeadSize)+"16/05/2026 09:00:00 c\n"), "")
	if got := tally(c.Account.SetAside, "applog/ambiguous-date"); c.Account.Used != 2 || got != 1 {
		t.Errorf("got %d used, %d ambiguous; want 2, 1", c.Account.Used, got)
	}
}

// A log in another encoding, and one with a lump of other bytes in it, reads like
// the plain one; the lump belongs to the record above it.
func TestContentThatIsNotPlain(t *testing.T) {
	const text = "2026-05-04 09:00:00,1 step 1\n2026-05-04 09:00:01,1 ERROR step 2\n"
	var wide []byte
	for _, c := range "\ufeff" + text {
		wide = append(wide, byte(c), byte(c>>8))
	}
	lump := bytes.Repeat([]byte{0, 1, 2, 0xff, 0xfe, '{', '[', '"', '=', 0x1b, '\r', '\n'}, 1000)
	for _, k := range []struct {
		name    string
		content []byte
	}{
		{"plain", []byte(text)},
		{"UTF-16", wide},
		{"a lump at the end", append([]byte(text), lump...)},
		{"a lump within", bytes.Replace([]byte(text), []byte("\n"), append([]byte("\n"), lump...), 1)},
		{"a line of 17 MB", append([]byte(text), append(bytes.Repeat([]byte{'x'}, 17<<20), '\n')...)},
	} {
		c := readFile(t, k.content, "")
		var steps []int64
		for m := range marks(c) {
			steps = append(steps, figureOf(m.Step))
		}
		if fmt.Sprint(steps) != "[1 2]" || c.Account.Used != 2 || spell(c.Domains[0].Valid.Start) != "2026-05-04 09:00:00.1" {
			t.Errorf("%s: got steps %v, %d used; want [1 2], 2", k.name, steps, c.Account.Used)
		}
	}
}
