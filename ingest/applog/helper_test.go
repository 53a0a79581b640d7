package applog

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"tracemerge/model"
)

// readText reads a log given as text, with what run.yaml declares.
func readText(t testing.TB, text string, decl model.Declaration) *model.Capture {
	t.Helper()
	return readFrom(t, strings.NewReader(text), text, decl)
}

func readFrom(t testing.TB, in io.Reader, head string, decl model.Declaration) *model.Capture {
	t.Helper()
	r, err := newReader(1, &decl, "")
	if err != nil {
		t.Fatalf("reader: %v", err)
	}
	r.learnDates([]byte(head))
	if err := r.readAll(context.Background(), split(in, []byte(head))); err != nil {
		t.Fatalf("reading: %v", err)
	}
	c := r.capture(model.NewText("app.log", model.ClassFile))
	checkLaws(t, c)
	return c
}

// checkLaws checks what holds for every capture of a log.
func checkLaws(t testing.TB, c *model.Capture) {
	t.Helper()
	if !c.Account.Balanced() {
		t.Errorf("account: read %d is not used %d + set aside %v + rejected %v", c.Account.Read, c.Account.Used, c.Account.SetAside, c.Account.Rejected)
	}
	if len(c.Domains) == 0 {
		t.Fatal("domains: got none, want at least one")
	}
	for i, d := range c.Domains {
		if d.ID != model.DomainID(i) {
			t.Errorf("domain %d: id: got %d", i, d.ID)
		}
		checkPhrase(t, d.Why)
		for _, n := range d.Notes {
			checkPhrase(t, n)
		}
	}
	for _, n := range c.Notices {
		checkPhrase(t, n.Text)
		if n.N < 1 || len(n.At) == 0 {
			t.Errorf("notice %s: %d times at %v", n.Code, n.N, n.At)
		}
	}
	offset := int64(-1)
	for m := range marks(c) {
		if int(m.Domain) >= len(c.Domains) || !c.Domains[m.Domain].Valid.Contains(m.At) {
			t.Fatalf("line %d: mark at %d outside its domain %d", m.From.Line, m.At, m.Domain)
		}
		if m.From.Offset <= offset {
			t.Errorf("line %d: mark at offset %d, not behind the one before at %d", m.From.Line, m.From.Offset, offset)
		}
		offset = m.From.Offset
	}
}

// checkPhrase checks that a sentence has as many arguments as places for them.
func checkPhrase(t testing.TB, p model.Phrase) {
	t.Helper()
	format, args := p.Format()
	if n := strings.Count(format, "{}"); format == "" || n != len(args) {
		t.Errorf("sentence %q: %d places, %d arguments", format, n, len(args))
	}
}

func marks(c *model.Capture) func(func(model.Mark) bool) {
	if c.Marks == nil {
		return func(func(model.Mark) bool) {}
	}
	return c.Marks.All()
}

// only returns the one mark of the capture.
func only(t testing.TB, c *model.Capture) model.Mark {
	t.Helper()
	var got []model.Mark
	for m := range marks(c) {
		got = append(got, m)
	}
	if len(got) != 1 {
		t.Fatalf("marks: got %d, want 1", len(got))
	}
	return got[0]
}

// words spells a reading as a calendar time.
func spell(c model.ClockTime) string {
	return time.Unix(0, int64(c)).UTC().Format("2006-01-02 15:04:05.999999999")
}

func tally(ts []model.Tally, code string) int64 {
	for _, e := range ts {
		if e.Code == code {
			return e.N
		}
	}
	return 0
}

func noticed(c *model.Capture, code string) int64 {
	for _, n := range c.Notices {
		if n.Code == code {
			return n.N
		}
	}
	return 0
}
