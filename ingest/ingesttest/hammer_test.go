package ingesttest

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"tracemerge/ingest"
	"tracemerge/ingest/applog"
	"tracemerge/ingest/hoststat"
	"tracemerge/ingest/smi"
	"tracemerge/ingest/torch"
	"tracemerge/model"
)

// largest is the most bytes of a file that is mutated: small files meet more of a
// reader's rules in the same time.
const largest = 3 << 10

// seedTexts are the beginnings of the project's fixtures and, where they lie beside
// it, of real files.
func seedTexts(t *testing.T) [][]byte {
	t.Helper()
	var out [][]byte
	for _, pattern := range []string{"../../fixtures/*/*", "../../../shared/data/*/*", "../../../shared/data/*/*/*"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			f, err := ingest.Open(name, 1, model.Text{})
			if err != nil {
				continue // a folder, or no readable file
			}
			text, _ := io.ReadAll(io.LimitReader(f, largest))
			f.Close() //nolint:errcheck // only read from
			if len(text) > 0 {
				out = append(out, text)
			}
		}
	}
	return out
}

// Mutated files of every kind, each given to the reader that is surest of it: nothing
// panics, every account balances, every place lies in the file, and packed content is
// read as the content itself. HAMMER says how many (make hammer: a million).
func TestHammer(t *testing.T) {
	n := 3000
	if s := os.Getenv("HAMMER"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatalf("HAMMER: want a number, found %q", s)
		}
	}
	seed := uint64(1)
	if s := os.Getenv("HAMMER_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	r := rand.New(rand.NewPCG(seed, 2))
	texts := seedTexts(t)
	if len(texts) < 5 {
		t.Fatalf("%d files to mutate, want the fixtures at least", len(texts))
	}
	formats := []ingest.Format{torch.Format(), smi.Format(), hoststat.Format(), applog.Format()}
	path := filepath.Join(t.TempDir(), "mutated")
	read := map[string]int{}
	for i := range n {
		text := Mutate(r, texts[r.IntN(len(texts))])
		format := surest(formats, text)
		if format == nil {
			read["none"]++
			continue
		}
		read[string(format.Kind)]++
		c := readFile(t, format, path, text)
		if wrong := Check(c, int64(len(text))+16); len(wrong) > 0 {
			keep := filepath.Join(os.TempDir(), "hammer-"+strconv.FormatUint(seed, 10)+"-"+strconv.Itoa(i))
			if err := os.WriteFile(keep, text, 0o600); err != nil {
				t.Log(err)
			}
			t.Errorf("%s, kept as %s: %v", format.Name, keep, wrong)
		}
		if i%64 == 0 {
			packed := readFile(t, format, path, pack(t, text))
			if packed.Account.Read != c.Account.Read || packed.Account.Used != c.Account.Used || packed.Window != c.Window {
				t.Errorf("%s: packed: read %d, used %d, window %v; plain: %d, %d, %v", format.Name, packed.Account.Read, packed.Account.Used, packed.Window, c.Account.Read, c.Account.Used, c.Window)
			}
		}
	}
	t.Logf("%d mutations of %d files: %v", n, len(texts), read)
}

func surest(formats []ingest.Format, text []byte) *ingest.Format {
	var best *ingest.Format
	sure := ingest.No
	for i := range formats {
		if c := formats[i].Match(text[:min(len(text), ingest.HeadSize)]); c > sure {
			best, sure = &formats[i], c
		}
	}
	return best
}

func readFile(t *testing.T, format *ingest.Format, path string, text []byte) *model.Capture {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := ingest.Open(path, 1, model.Text{})
	if err != nil {
		return &model.Capture{}
	}
	defer f.Close() //nolint:errcheck // only read from
	c, _ := format.Read(context.Background(), f, ingest.Options{Declared: &model.Declaration{}})
	return c
}

func pack(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The check finds what is wrong: a check that cannot fail would be none.
func TestCheckFinds(t *testing.T) {
	whole := func() *model.Capture {
		return &model.Capture{Domains: []model.Domain{{Valid: model.Interval[model.ClockTime]{Start: 1, End: 5}}}, Tracks: []model.Track{{Parent: model.NoTrack}},
			Metrics: []model.Metric{{}}, Samples: model.SampleRows{{At: 2, Value: model.Known(1.0)}}, Account: model.Account{Read: 1, Used: 1}}
	}
	if wrong := Check(whole(), 100); len(wrong) > 0 {
		t.Fatalf("a good capture: %v", wrong)
	}
	for name, spoil := range map[string]func(*model.Capture){
		"account": func(c *model.Capture) { c.Account.Read++ },
		"domain":  func(c *model.Capture) { c.Domains[0].Valid.End = 0 },
		"track":   func(c *model.Capture) { c.Tracks[0].Parent = 7 },
		"hole":    func(c *model.Capture) { c.Tracks[0].Unknown = []model.Hole{{}} },
		"sample":  func(c *model.Capture) { c.Samples = model.SampleRows{{Track: 3}} },
		"place": func(c *model.Capture) {
			c.Notices = []model.Notice{{N: 1, Text: model.Say("x"), At: []model.Pos{{Offset: 1000}}}}
		},
		"silent notice": func(c *model.Capture) { c.Notices = []model.Notice{{N: 0, Text: model.Say("x")}} },
	} {
		c := whole()
		spoil(c)
		if len(Check(c, 100)) == 0 {
			t.Errorf("%s: nothing is found", name)
		}
	}
}
