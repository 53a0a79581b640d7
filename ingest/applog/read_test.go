package applog

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tracemerge/ingest"
	"tracemerge/model"
)

func TestRecordsAndWhatBecomesOfThem(t *testing.T) {
	for _, k := range []struct {
		name, text     string
		read, used     int64
		aside, refused string // the one code expected, if any
	}{
		{"blank lines are no records", "\n\r\n  \n2026-05-04 09:00:00 a\n\n", 1, 1, "", ""},
		{"a line without a stamp belongs to the record above", "2026-05-04 09:00:00 a\nb\nc\n2026-05-04 09:00:01 d\n", 2, 2, "", ""},
		{"before the first stamp each line is a record", "a\nb\n2026-05-04 09:00:00 c\nd\n", 3, 1, "applog/no-time", ""},
		{"a file without a stamp", "a\nb\n", 2, 0, "applog/no-time", ""},
		{"json without a time", `{"a":1}` + "\n" + `{"time":"2026-05-04T09:00:00Z"}` + "\n", 2, 1, "applog/no-time", ""},
		{"bars", "2026-05-04 09:00:00 a\n\r 1%|x | 1/9 [00:01<00:02, 1.0it/s]\r 2%|x | 2/9 [00:01<00:02, 1.0it/s]\n", 3, 1, "applog/progress-bar", ""},
		{"a record behind a bar", "\r 9%|x | 9/9 [00:01<00:00, 1.0it/s]2026-05-04 09:00:00 a\n", 1, 1, "", ""},
		{"a stamp in mid-line begins no record", "2026-05-04 09:00:00 a\nsaid 2026-05-04 10:00:00 b\n", 1, 1, "", ""},
		{"a json dump in a text log is part of its record", "2026-05-04 09:00:00 a\n{\"a\":\n1}\n", 1, 1, "", ""},
		{"malformed json among json", `{"time":"2026-05-04T09:00:00Z"}` + "\n" + `{"time":"2026-05-` + "\n", 2, 1, "", "applog/bad-json"},
		{"json cut off at the end", `{"time":"2026-05-04T09:00:00Z"}` + "\n" + `{"time":"2026-05-`, 2, 1, "applog/cut-record", ""},
		{"text cut in a character", "2026-05-04 09:00:00 a\n2026-05-04 09:00:01 b\xe5\xa7", 2, 1, "applog/cut-record", ""},
		{"invalid utf-8 within is tolerated", "2026-05-04 09:00:00 a\xff\n2026-05-04 09:00:01 \xe5b\n", 2, 2, "", ""},
		{"an impossible date is rejected with its record", "2026-05-04 09:00:00 a\n2026-02-30 09:00:00 b\nc\n", 2, 1, "", "applog/impossible-time"},
		{"csv", "time,stage,edge\n2026-05-04 09:00:00,write,start\n2026-05-04 09:00:01,write,end\n", 3, 2, "applog/csv-header", ""},
		{"a csv row of other cells", "time,stage\n2026-05-04 09:00:00,a,b\n", 2, 0, "applog/csv-header", "applog/csv-row"},
		{"a logger takes over a csv", "time,step\n2026-05-04 09:00:00,1\n2026-05-04 09:00:01,100 - INFO - a, b\nTraceback, of x, y\n{\"time\":\"2026-05-04T09:00:02Z\"}\n2026-05-04 09:00:03,2\n", 5, 4, "applog/csv-header", ""},
		{"a csv row cut off", "time,stage\n2026-05-04 09:00:00,a\n2026-05", 3, 1, "applog/csv-header", ""},
	} {
		t.Run(k.name, func(t *testing.T) {
			c := readText(t, k.text, model.Declaration{})
			if c.Account.Read != k.read || c.Account.Used != k.used {
				t.Errorf("got %d read, %d used; want %d, %d (%+v)", c.Account.Read, c.Account.Used, k.read, k.used, c.Account)
			}
			if (tally(c.Account.SetAside, k.aside) > 0) != (k.aside != "") || (k.aside == "") != (len(c.Account.SetAside) == 0) {
				t.Errorf("set aside: got %v, want %q", c.Account.SetAside, k.aside)
			}
			if (tally(c.Account.Rejected, k.refused) > 0) != (k.refused != "") || (k.refused == "") != (len(c.Account.Rejected) == 0) {
				t.Errorf("rejected: got %v, want %q", c.Account.Rejected, k.refused)
			}
		})
	}
}

func TestTracebackMakesTheRecordAboveAnError(t *testing.T) {
	text := "2026-05-04 09:00:00 a\nTraceback (most recent call last):\n  File x\n2026-05-04 09:00:01 b\n"
	m := only(t, readText(t, text, model.Declaration{}))
	if want := int32(strings.Index(text, "\n2026-05-04 09:00:01")); !m.Error || m.From.Line != 1 || m.From.Len != want {
		t.Errorf("got error %v at line %d, %d bytes; want true, 1, %d", m.Error, m.From.Line, m.From.Len, want)
	}
}

// A figure at the very end of a line without a line end may have lost digits.
func TestFigureAtACutEndIsNotTaken(t *testing.T) {
	for _, k := range []struct {
		name, text string
		want       int64
	}{
		{"cut", "2026-05-04 09:00:00 step=1 accepted=12", none},
		{"a step in words, cut", "2026-05-04 09:00:00 ERROR step 12", none},
		{"whole", "2026-05-04 09:00:00 step=1 accepted=12\n", 12},
		{"json shows its end", `{"time":"2026-05-04T09:00:00Z","accepted":12}`, 12},
		{"csv cut", "time,step,accepted\n2026-05-04 09:00:00,1,12", none},
	} {
		m := only(t, readText(t, k.text, model.Declaration{}))
		if got := figureOf(m.Accepted); got != k.want {
			t.Errorf("%s: accepted: got %d, want %d", k.name, got, k.want)
		}
		if step := figureOf(m.Step); step == 12 {
			t.Errorf("%s: step: got %d of a cut line", k.name, step)
		}
	}
}

func TestDockerKeepsTheOuterClockAndTheInnerFields(t *testing.T) {
	c := readText(t, `{"log":"2025-11-02 01:59:59,653 - trainer - ERROR - step 1/12\n","stream":"stderr","time":"2025-11-02T05:59:59.65Z"}`+"\n"+
		`{"log":"{\"time\":1,\"stage\":\"write\",\"edge\":\"end\"}\n","stream":"stderr","time":"2025-11-02T05:59:59.66Z"}`+"\n", model.Declaration{})
	var got []said
	for m := range marks(c) {
		got = append(got, sum(m))
	}
	want := []said{says(func(s *said) { s.step, s.done, s.err = 1, 1, true }), says(func(s *said) { s.stage, s.edge = "write", model.EdgeEnd })}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if len(c.Domains) != 1 || c.Domains[0].Kind != model.DomainUnix {
		t.Errorf("domains: got %+v, want one of Unix time", c.Domains)
	}
}

func TestClocksOfAFile(t *testing.T) {
	civil, unix, tod := model.DomainCivil, model.DomainUnix, model.DomainDay
	at := func(days, h, m int) time.Duration {
		return time.Duration(days)*24*time.Hour + time.Duration(h*60+m)*time.Minute
	}
	for _, k := range []struct {
		name, text string
		kinds      []model.DomainKind
		last       time.Duration // the last reading of the first domain, in days of the stamp's own count
	}{
		{"the majority is the file's domain", "2026-05-04 09:00:00 a\n2026-05-04T09:00:00Z b\n2026-05-04T09:00:01Z c\n", []model.DomainKind{unix, civil}, -1},
		{"epoch and zone are one clock", "1772460300.402 a\n2026-03-02T14:05:01Z b\n", []model.DomainKind{unix}, -1},
		{"a small step back is buffering", "2026-05-04 09:00:01 a\n2026-05-04 09:00:00 b\n", []model.DomainKind{civil}, -1},
		{"a zoneless clock that goes back begins a piece", "2026-05-04 09:00:05 a\n2026-05-04 09:00:00 b\n", []model.DomainKind{civil, civil}, -1},
		{"a clock with a zone does not", "2026-05-04T09:00:05Z a\n2026-05-04T09:00:00Z b\n", []model.DomainKind{unix}, -1},
		{"an abbreviation is a clock of its own", "2026-05-04 09:00:00 a\n2026-05-04 09:00:00 b\n2026-05-04 09:00:00 CET c\n", []model.DomainKind{civil, civil}, -1},
		{"no year: the next day is a day on", "Nov 30 23:00:00 a\nDec  1 01:00:00 b\n", []model.DomainKind{tod}, at(1, 1, 0)},
		{"no year: New Year is a day on", "Dec 31 23:00:00 a\nJan  1 01:00:00 b\n", []model.DomainKind{tod}, at(1, 1, 0)},
		{"no year: over the end of February nobody knows", "Feb 28 23:00:00 a\nMar  1 01:00:00 b\n", []model.DomainKind{tod, tod}, at(0, 23, 0)},
		{"no year: back by a day", "Nov 30 23:00:00 a\nNov 29 23:30:00 b\n", []model.DomainKind{tod, tod}, at(0, 23, 0)},
		{"the kernel's uptime", "[   12.345678] a\n[   13.345678] b\n", []model.DomainKind{model.DomainRelative}, 13345678 * time.Microsecond},
		{"a number of a list is no uptime", "2026-05-04 09:00:00 a\n[0.123]\n", []model.DomainKind{civil}, -1},
		{"uptime that begins anew", "[1,856s][info] a\n[0,002s][info] b\n", []model.DomainKind{model.DomainRelative, model.DomainRelative}, 1856 * time.Millisecond},
		{"a time in ms since a start is no epoch", `{"time_ms":1234}` + "\n2026-05-04 09:00:00 a\n", []model.DomainKind{civil}, -1},
		{"no date: midnight is a new piece", "23:59:59 a\n00:00:01 b\n", []model.DomainKind{tod, tod}, 86399 * time.Second},
	} {
		t.Run(k.name, func(t *testing.T) {
			c := readText(t, k.text, model.Declaration{})
			var got []model.DomainKind
			for _, d := range c.Domains {
				got = append(got, d.Kind)
			}
			if fmt.Sprint(got) != fmt.Sprint(k.kinds) {
				t.Fatalf("domains: got %v, want %v", got, k.kinds)
			}
			if k.last >= 0 && c.Domains[0].Valid.End != model.ClockTime(k.last)+1 {
				t.Errorf("last reading: got %d, want %d", c.Domains[0].Valid.End-1, k.last)
			}
			if c.Window != c.Domains[0].Valid || len(c.Tracks) != len(c.Domains) {
				t.Errorf("window %v and %d tracks, want %v and %d", c.Window, len(c.Tracks), c.Domains[0].Valid, len(c.Domains))
			}
		})
	}
}

func TestStepBackThatMayBeAFold(t *testing.T) {
	for _, k := range []struct {
		back time.Duration
		want time.Duration
	}{{time.Hour, time.Hour}, {time.Hour - 20*time.Second, time.Hour}, {30 * time.Minute, 30 * time.Minute}, {2 * time.Hour, 2 * time.Hour},
		{3*time.Hour - 30*time.Second, 3 * time.Hour}, {5 * time.Second, 0}, {70 * time.Minute, 0}, {9 * time.Hour, 0}} {
		if got := fold(&piece{n: 1}, k.back); got != k.want {
			t.Errorf("back by %v: got fold of %v, want %v", k.back, got, k.want)
		}
	}
}

func TestClockThatGoesBackAgainAndAgainIsOnePieceInTheEnd(t *testing.T) {
	var s strings.Builder
	for range 3 * maxPieces {
		s.WriteString("2026-05-04 09:00:00 a step 1\n2026-05-04 10:00:00 b step 1\n")
	}
	c := readText(t, s.String(), model.Declaration{})
	if len(c.Domains) != maxPieces || c.Account.Used != 6*maxPieces || noticed(c, "applog/many-steps") == 0 {
		t.Errorf("got %d domains, %d used, notices %d; want %d, %d, some", len(c.Domains), c.Account.Used, noticed(c, "applog/many-steps"), maxPieces, 6*maxPieces)
	}
}

func TestResolutionIsTheCoarsestThatIsNotTrimming(t *testing.T) {
	var trimmed strings.Builder
	for i := range 100 {
		trimmed.WriteString(strings.TrimRight(fmt.Sprintf("2026-05-04T09:00:00.%03d", i*7), "0") + "Z x\n")
	}
	for _, k := range []struct {
		name, text string
		want       time.Duration
	}{
		{"two forms", "2026-05-04T09:00:00.123Z a\n2026-05-04T09:00:01Z b\n", time.Second},
		{"zeros trimmed at the end", trimmed.String(), time.Millisecond},
		{"nanoseconds", "2026-05-04T09:00:00.123456789Z a\n", time.Nanosecond},
		{"epoch in milliseconds", "1772460300402 a\n", time.Millisecond},
	} {
		if got := readText(t, k.text, model.Declaration{}).Domains[0].Step; got != k.want {
			t.Errorf("%s: got %v, want %v", k.name, got, k.want)
		}
	}
}

func TestRanksHaveTracks(t *testing.T) {
	c := readText(t, "0: 2026-05-04 09:00:00 a\n1: 2026-05-04 09:00:01 b\n0: 2026-05-04 09:00:02 c\n", model.Declaration{})
	if len(c.Tracks) != 3 {
		t.Fatalf("tracks: got %d, want the file's and two ranks'", len(c.Tracks))
	}
	for i, want := range []string{"", "rank 0", "rank 1"} {
		if got := c.Tracks[i]; want != "" && got.Name.Raw.Reveal() != want || got.Kind != model.TrackLog {
			t.Errorf("track %d: %q of kind %d, want %q of a log", i, got.Name.Raw.Reveal(), got.Kind, want)
		}
	}
}

func TestOrderOfDayAndMonthIsLearnt(t *testing.T) {
	c := readText(t, "05/04/21 22:08:20 a step 1\n05/16/21 22:08:20 b\n", model.Declaration{})
	if got, want := spell(only(t, c).At), "2021-05-04 22:08:20"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFileOnDisk(t *testing.T) {
	const text = "{\"time\":\"2026-05-04T09:00:00Z\",\"step\":1}\n{\"time\":\"2026-05-04T09:00:01Z\",\"step\":2}\n"
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	for range 2000 {
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "app.log.gz")
	for _, k := range []struct {
		name      string
		bytes     []byte
		truncated bool
	}{{"whole", z.Bytes(), false}, {"cut off", z.Bytes()[:z.Len()/2], true}} {
		if err := os.WriteFile(path, k.bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := ingest.Open(path, 7, model.NewText("app.log.gz", model.ClassFile))
		if err != nil {
			t.Fatal(err)
		}
		c, err := Format().Read(context.Background(), f, ingest.Options{Declared: &model.Declaration{}})
		if err != nil || c.Truncated != k.truncated || c.Account.Used == 0 || !c.Account.Balanced() {
			t.Errorf("%s: error %v, truncated %v, account %+v; want truncated %v", k.name, err, c.Truncated, c.Account, k.truncated)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestReadingStopsWithTheContext(t *testing.T) {
	r, err := newReader(1, &model.Declaration{}, "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	err = r.readAll(ctx, newLines(strings.NewReader(strings.Repeat("2026-05-04 09:00:00 a\n", 2*checkEvery)), maxLine))
	if !errors.Is(err, context.Canceled) || r.account.Used != checkEvery-1 {
		t.Errorf("got error %v after %d records, want %v after %d", err, r.account.Used, context.Canceled, checkEvery-1)
	}
}

func TestInputErrorKeepsWhatWasRead(t *testing.T) {
	r, err := newReader(1, &model.Declaration{}, "")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("disk on fire")
	err = r.readAll(context.Background(), newLines(&failing{"2026-05-04 09:00:00 a\n2026-05", broken}, maxLine))
	c := r.capture(model.Text{})
	if !errors.Is(err, broken) || c.Account.Used != 1 || tally(c.Account.SetAside, "applog/cut-record") != 1 || !c.Truncated {
		t.Errorf("got error %v, account %+v, truncated %v", err, c.Account, c.Truncated)
	}
}

type failing struct {
	text string
	err  error
}

func (f *failing) Read(p []byte) (int, error) {
	n := copy(p, f.text)
	f.text = f.text[n:]
	if f.text == "" {
		return n, f.err
	}
	return n, nil
}

func TestMatch(t *testing.T) {
	for _, k := range []struct {
		name, head string
		want       ingest.Confidence
	}{
		{"empty", "", ingest.No},
		{"binary", "\x7fELF\x01\x02\x03\x04\x05\x06\x07", ingest.No},
		{"a trace", `{"schemaVersion": 1, "traceEvents": [` + "\n", ingest.No},
		{"a trace on many lines", "{\n  \"traceEvents\": [\n", ingest.No},
		{"a bare-array trace", `[{"ph":"X","ts":1}]`, ingest.No},
		{"nvidia-smi", "timestamp, index, utilization.gpu [%]\n2024/11/23 12:23:29.950, 0, 3 %\n", ingest.No},
		{"nvidia-smi without a header", "2024/11/23 12:23:29.950, 0, 3 %\n", ingest.No},
		{"pidstat", "Linux 6.1.0 (x) \t12/01/26 \t_x86_64_\t(2 CPU)\n02:09:41  UID\n", ingest.No},
		{"prose", "This is a text.\nIt has lines.\n", ingest.No},
		{"a program's output", "INFO:trainer:run start\n", ingest.Maybe},
		{"times of day", "12:00:00 a\n12:00:01 b\n", ingest.Maybe},
		{"stamped text", "banner\n2026-05-04 09:00:00 INFO a\n", ingest.Likely},
		{"logfmt", "time=2026-05-04T09:00:00Z level=INFO\n", ingest.Likely},
		{"csv of an application", "timestamp,stage,edge\n2026-05-04 09:00:00,write,start\n", ingest.Likely},
		{"json lines", `{"time":"2026-05-04T09:00:00Z","msg":"a"}` + "\n", ingest.Certain},
		{"json whose first line is longer than the head", `{"time":"2026-05-04T09:00:00Z","level":"info","msg":"` + strings.Repeat("x", 70000), ingest.Certain},
		{"MLPerf", `:::MLLOG {"time_ms": 1714993490208, "key": "a"}` + "\n", ingest.Certain},
	} {
		if got := Format().Match([]byte(k.head)); got != k.want {
			t.Errorf("%s: got %d, want %d", k.name, got, k.want)
		}
	}
}

func TestMarkersOfALog(t *testing.T) {
	c := readText(t, "2026-05-04 09:00:00,125 INFO tracemerge-marker a\n2026-05-04 09:00:01,000 INFO nothing\n"+`{"time":"2026-05-04T09:00:02.5Z","msg":"tracemerge-marker b"}`+"\n", model.Declaration{})
	if len(c.Markers) != 2 {
		t.Fatalf("got %+v", c.Markers)
	}
	for i, want := range []struct {
		name string
		line int32
		long time.Duration
	}{{"a", 1, time.Millisecond}, {"b", 3, 100 * time.Millisecond}} {
		m := c.Markers[i]
		if m.Name.Reveal() != want.name || m.From.Line != want.line || m.At.Len() != want.long || c.Domains[m.Domain].Kind == model.DomainNone {
			t.Errorf("got %+v of %v, want %+v", m, m.At.Len(), want)
		}
	}
}
