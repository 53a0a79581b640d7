package torch

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"tracemerge/ingest/torch/internal/jsonscan"
	"tracemerge/model"
)

// same reports whether two captures hold the same spans, facts and account.
func same(t *testing.T, got, want *model.Capture) {
	t.Helper()
	if !slices.Equal(spanRows(got), spanRows(want)) {
		t.Error("spans differ")
	}
	if got.Account.Read != want.Account.Read || got.Account.Used != want.Account.Used || got.Window != want.Window ||
		got.Trace.Events != want.Trace.Events || said(got) != said(want) || !slices.Equal(got.Names, want.Names) {
		t.Errorf("got %+v (%s), want %+v (%s)", got.Account, said(got), want.Account, said(want))
	}
}

func TestCompressedReadsTheSame(t *testing.T) {
	texts := [][]byte{decoded(t, "traces/D04_hta_a100_nccl_base_last.json.gz")}
	for _, s := range seeds() {
		texts = append(texts, []byte(s))
	}
	for _, text := range texts {
		compressed(t, text)
	}
}

func compressed(t *testing.T, text []byte) {
	t.Helper()
	want, wantErr := readText(t, text)
	dir := t.TempDir()
	plain, packed := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json.gz")
	if err := os.WriteFile(plain, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	for half := range slices.Chunk(text, len(text)/2+1) { // two members, as concatenation makes them
		if _, err := w.Write(half); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		w.Reset(&z)
	}
	if err := os.WriteFile(packed, z.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{plain, packed} {
		got, err := load(t, path)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: got error %v, want %v", text[:min(len(text), 80)], err, wantErr)
		}
		same(t, got, want)
	}
}

func TestPiecesOfAnySizeReadTheSame(t *testing.T) {
	for _, name := range []string{"traces/D17_mi250_base_of_derived.json.gz", "traces/D16_legacy_unescaped_quote.json.gz"} {
		text := decoded(t, name)
		want, err := readText(t, text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readFrom(context.Background(), iotest.HalfReader(iotest.DataErrReader(bytes.NewReader(text))), 1, model.Text{})
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, want)
		got, err = readFrom(context.Background(), iotest.OneByteReader(bytes.NewReader(text)), 1, model.Text{})
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, want)
	}
}

func TestEventsLongerThanTheWindow(t *testing.T) {
	long := bytes.Repeat([]byte("n"), 3<<20)
	c := mustRead(t, doc(x("cpu_op", "first", 1, 1, ""), x("cpu_op", string(long), 2, 1, ""), x("cpu_op", "last", 3, 1, "")))
	if c.Spans.Len() != 3 || len(c.Notices) != 0 || len(c.Names[1].Reveal()) != len(long) {
		t.Errorf("got %d spans, notices %s; want 3 and none", c.Spans.Len(), said(c))
	}
}

// TestRecordsBeyondTheLimit: one record may take 64 MiB of text and no more.
func TestRecordsBeyondTheLimit(t *testing.T) {
	long := strings.Repeat("n", jsonscan.Limit)
	c := mustRead(t, doc(x("cpu_op", "first", 1, 1, ""), x("cpu_op", long, 2, 1, ""), x("cpu_op", "last", 3, 1, "")))
	if c.Spans.Len() != 2 || codesOf(c)["torch/record-too-long"] != 1 || c.Truncated {
		t.Errorf("got %d spans, %s; want 2 and one record that is too long", c.Spans.Len(), said(c))
	}
}

func TestReadingStopsWhenAsked(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c, err := readFrom(ctx, bytes.NewReader([]byte(doc(x("cpu_op", "a", 1, 1, "")))), 1, model.Text{})
	if err == nil || c == nil {
		t.Errorf("got %v, want an error and what was read", err)
	}
}

func TestFailingDiskKeepsWhatWasRead(t *testing.T) {
	text := doc(x("cpu_op", "a", 1, 1, ""), x("cpu_op", "b", 2, 1, ""))
	in := iotest.TimeoutReader(iotest.DataErrReader(bytes.NewReader([]byte(text[:len(text)-20]))))
	c, err := readFrom(context.Background(), in, 1, model.Text{})
	if c == nil || c.Trace.Events != 1 || !c.Truncated {
		t.Fatalf("got %+v, %v; want one event of a file that is cut off", c, err)
	}
}

func TestFactsOfTheTrace(t *testing.T) {
	c := mustRead(t, `{"schemaVersion":1,"with_stack":1,"record_shapes":0,"host_name":"node-1","traceName":"/log/w.1.pt.trace.json","distributedInfo":{"rank":3,"world_size":8},
		"traceEvents":[`+x("cpu_op", "a", 1.001, 1, "")+`,{"ph":"M","name":"process_name","pid":0,"args":{"name":"python"}}]}`)
	f := c.Trace
	stack, _ := f.WithStack.Get()
	shapes, known := f.RecordShapes.Get()
	if !stack || shapes || !known || f.ProfileMemory.Known() || f.ProfileMemory.Why() != model.NotDeclared {
		t.Errorf("options: got %+v %+v %+v", f.WithStack, f.RecordShapes, f.ProfileMemory)
	}
	if f.WrittenAs.Raw.Reveal() != "/log/w.1.pt.trace.json" || f.WrittenAs.Class != model.ClassPath || f.WrittenFrom.Offset == 0 {
		t.Errorf("written as %+v, %+v", f.WrittenAs, f.WrittenFrom)
	}
	if f.Schema != "1" || f.Host.Raw.Reveal() != "node-1" || f.Host.Class != model.ClassHost || c.Domains[0].Step != 1 {
		t.Errorf("got schema %q, host class %d, step %v", f.Schema, f.Host.Class, c.Domains[0].Step)
	}
	if c.Account.Used != 2 || len(c.Tracks[0].Unknown) > 0 {
		t.Errorf("got %+v, holes %v", c.Account, c.Tracks[0].Unknown)
	}
}

// The window of a cut file ends where its events end: Record Window End, which
// stands last, is not there.
func TestWindowOfACutFileEndsWithItsEvents(t *testing.T) {
	text := doc(join(window(5, 900)[:1], crowd(9, 10), window(5, 900)[1:])...)
	whole, cut := mustRead(t, text), mustRead(t, text[:strings.Index(text, `"ts":80`)])
	if got := whole.Window.Len(); got != 895*time.Microsecond {
		t.Errorf("whole: got a window of %v, want the stated 895us", got)
	}
	if got := cut.Window.Len(); got != 67*time.Microsecond || !cut.Truncated || !cut.Trace.Record.Empty() {
		t.Errorf("cut: got a window of %v, truncated %v; want 67us from the stated start to the last end", got, cut.Truncated)
	}
}

func TestCutFileShowsNoGaps(t *testing.T) {
	text := doc(x("kernel", "a", 1, 1, ""), x("kernel", "b", 9, 1, ""))
	c := mustRead(t, text[:len(text)-60])
	for _, tr := range c.Tracks {
		if len(tr.Unknown) != 1 || tr.Unknown[0].Why != model.TruncatedFile || tr.Unknown[0].At != c.Window {
			t.Errorf("track %d: got %+v, want the whole window unknown", tr.ID, tr.Unknown)
		}
	}
}

// TestAscendHardwareIsADevice: torch_npu names the process after its events.
func TestAscendHardwareIsADevice(t *testing.T) {
	c := mustRead(t, `[{"ph":"X","name":"MatMul","pid":800,"tid":2,"ts":"1704161511420306.491","dur":4},
		{"ph":"M","name":"process_name","pid":800,"args":{"name":"Ascend Hardware"}}]`)
	s := spanRows(c)[0]
	tr := c.Tracks[s.Track]
	if s.Kind != model.SpanDeviceOther || tr.Kind != model.TrackStream || c.Tracks[tr.Parent].Device.Reveal() != "800" {
		t.Errorf("got kind %d on a track of kind %d", s.Kind, tr.Kind)
	}
}

func TestEveryCodeHasItsOwnName(t *testing.T) {
	seen := map[string]bool{}
	for c, r := range rules() {
		if r.name == "" || seen[r.name] {
			t.Errorf("code %d: name %q is missing or taken", c, r.name)
		}
		seen[r.name] = true
	}
}
