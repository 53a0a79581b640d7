package hoststat

import (
	"context"
	"strings"
	"testing"
	"time"

	"tracemerge/model"
)

// value is the sample of a metric on a track, by name, in the order of the file.
type value struct {
	track, metric, unit string
	v                   float64
}

func values(c *model.Capture, metric string) (out []value) {
	if c.Samples == nil {
		return nil
	}
	for b := range c.Samples.Batches() {
		for i := range b.At {
			m := c.Metrics[b.Metric[i]]
			if name := m.Name.Raw.Reveal(); name == metric && b.Why[i] == model.Present {
				out = append(out, value{c.Tracks[b.Track[i]].Name.Raw.Reveal(), name, m.Unit.Raw.Reveal(), b.Value[i]})
			}
		}
	}
	return out
}

func aside(c *model.Capture, code string) (n int64) {
	for _, a := range c.Account.SetAside {
		if a.Code == code {
			n = a.N
		}
	}
	return n
}

// The same file in the stamps of several locales gives the same samples at the same
// times.
func TestLocales(t *testing.T) {
	const c = "Linux 6.1.0 (node1) \t2026-12-01 \t_x86_64_\t(2 CPU)\n\n" +
		"14:09:40      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command\n" +
		"14:09:41        0       842    1.00    2.00    0.00    0.00    3.00     1  02시 지난\n"
	want := read(t, c)
	if len(want.Domains) != 1 || want.Domains[0].Kind != model.DomainCivil {
		t.Fatalf("got %+v", want.Domains)
	}
	for name, swap := range map[string][]string{
		"ko_KR": {"2026-12-01", "2026년 12월 01일", "14:09:40", "14시 09분 40초", "14:09:41", "14시 09분 41초"},
		"ja_JP": {"2026-12-01", "2026年12月01日", "14:09:40", "14時09分40秒", "14:09:41", "14時09分41秒"},
		"zh_CN": {"2026-12-01", "2026年12月01日", "14:09:40", "14时09分40秒", "14:09:41", "14时09分41秒"},
		"en_US": {"2026-12-01", "12/01/2026", "14:09:40", "02:09:40 PM", "14:09:41", "02:09:41 PM"},
		"en_CA": {"14:09:40", "02:09:40 p.m.", "14:09:41", "02:09:41 p.m."},
		"de_DE": {"2026-12-01", "01.12.2026", "1.00", "1,00", "3.00", "3,00"},
	} {
		text := strings.NewReplacer(swap...).Replace(c)
		got := read(t, text)
		checkAccount(t, got)
		if got.Window != want.Window || len(got.Domains) != 1 || got.Domains[0].Kind != model.DomainCivil {
			t.Errorf("%s: window %v of %+v, want %v", name, got.Window, got.Domains, want.Window)
		}
		v := values(got, "%CPU")
		if len(v) != 1 || v[0] != (value{"02시 지난", "%CPU", "%", 3}) {
			t.Errorf("%s: got %+v", name, v)
		}
	}
}

// iostat's line above a report in Korean.
func TestLocaleAboveAReport(t *testing.T) {
	table := "Device            r/s     rkB/s   r_await  %util\nvda              1.00      8.00     0.25   0.10\n\n"
	c := read(t, "2026년 12월 01일 02시 09분 40초\n"+table+"2026년 12월 01일 02시 09분 41초\n"+table)
	if v := values(c, "rkB/s"); len(v) != 1 || v[0].unit != "kB/s" || c.Domains[0].Kind != model.DomainCivil || aside(c, "hoststat/since-boot") != 1 {
		t.Errorf("got %+v, %+v, %+v", v, c.Domains, c.Account)
	}
}

func TestSinceStartIsNoInterval(t *testing.T) {
	vm := " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
	row := " 1  0      0      1      1      1    0    0     1     2    3    4 30 12 58  0  0\n"
	for _, c := range []struct {
		name, text string
		used, boot int64
	}{
		{"pidstat without an interval", banner + "10:00:00      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command\n10:00:00        0         1    0.01    0.02    0.00    0.00    0.03     1  init\n", 0, 1},
		{"one run of vmstat over two pages", vm + strings.Repeat(row, 21) + vm + strings.Repeat(row, 3), 23, 1},
		{"two runs of vmstat", vm + strings.Repeat(row, 5) + vm + strings.Repeat(row, 5), 8, 2},
	} {
		got, _ := readAll(context.Background(), strings.NewReader(c.text), 1) // a file without a used row is refused
		checkAccount(t, got)
		if got.Account.Used != c.used || aside(got, "hoststat/since-boot") != c.boot {
			t.Errorf("%s: got %+v, want %d used and %d since boot", c.name, got.Account, c.used, c.boot)
		}
	}
}

// A table of sar that is not known ends the table above it: its rows are none of
// that table's, whatever their number of columns.
func TestTablesOfSar(t *testing.T) {
	c := read(t, banner+`02:10:08       rxpck       CPU  %user
02:10:08        CPU     %user     %idle
02:10:09        all     53.47     46.53

02:10:08        CPU       MHz      volt
02:10:09        all   2500.00      1.00

02:10:08       INTR    intr/s    intr/2
02:10:09        sum     11.00      7.00

02:10:08        tps      rtps      wtps
02:10:09       3.00      1.00      2.00

02:10:08   MBfsfree  MBfsused FILESYSTEM
02:10:09     100.00     50.00     /dev/vda
`)
	checkAccount(t, c)
	if v := values(c, "%user"); len(v) != 1 || v[0].v != 53.47 {
		t.Errorf("%%user: %+v", v)
	}
	if v := values(c, "MHz"); len(v) != 1 || v[0].v != 2500 {
		t.Errorf("MHz: %+v", v)
	}
	if v := values(c, "wtps"); len(v) != 1 || v[0] != (value{"node1", "wtps", "1/s", 2}) {
		t.Errorf("wtps: %+v", v)
	}
	if n := aside(c, "hoststat/table"); n != 2 {
		t.Errorf("%d rows of unknown tables set aside, want 2: %+v", n, c.Account)
	}
}

func TestDeviceStandsLast(t *testing.T) {
	table := "     r/s     rkB/s   wkB/s  %util Device\n    1.00      1.5M    512B   5.2% vda\n\n"
	c := read(t, table+table)
	if v := values(c, "rkB/s"); len(v) != 1 || v[0] != (value{"vda", "rkB/s", "kB/s", 1.5 * 1024}) {
		t.Errorf("rkB/s: %+v, %+v", v, c.Account)
	}
	if v := values(c, "wkB/s"); len(v) != 1 || v[0].v != 0.5 {
		t.Errorf("wkB/s: %+v", v)
	}
	if v := values(c, "%util"); len(v) != 1 || v[0].v != 5.2 {
		t.Errorf("%%util: %+v", v)
	}
}

// Cutting a file anywhere gives the samples of the whole one, as far as they go: a
// number that lost its last digits is no sample, nor is a name a process of its own.
func TestCutAnywhere(t *testing.T) {
	whole := values(read(t, threads), "%CPU")
	for n := range len(threads) {
		c, _ := readAll(context.Background(), strings.NewReader(threads[:n]), 1)
		checkAccount(t, c)
		got := values(c, "%CPU")
		if len(got) > len(whole) {
			t.Fatalf("cut at %d: %d samples", n, len(got))
		}
		for i := range got {
			if got[i] != whole[i] {
				t.Errorf("cut at %d: %+v, want %+v", n, got[i], whole[i])
			}
		}
	}
	table := "Device  r/s  %util\nvda  1.00  10.25\nDevice  r/s  %util\nvda  1.00  10.25\nvdb  1.00  10.25"
	for cut, want := range map[int]int{0: 2, 1: 1, 2: 1, 3: 1} {
		c, _ := readAll(context.Background(), strings.NewReader(table[:len(table)-cut]), 1)
		if v := values(c, "%util"); len(v) != want {
			t.Errorf("%d bytes less: %+v, want %d values", cut, v, want)
		}
	}
}

func TestDeclaredForm(t *testing.T) {
	first := "Linux 6.1.0 (node1) \t12/01/26 \t_x86_64_\t(2 CPU)\n\n02:10:08        CPU     %user     %idle\n02:10:09        all     53.47     46.53\n"
	for form, want := range map[string]string{"": "time_of_day", "month-first": "civil", "day-first": "civil", "sar": "time_of_day"} {
		c, err := readForm(context.Background(), strings.NewReader(first), 1, form)
		if err != nil || c.Domains[0].Kind.String() != want {
			t.Errorf("%q: %v, %+v, want %s", form, err, c.Domains, want)
			continue
		}
		at := model.Time(c.Window.Start).UTC().Format(time.DateOnly)
		switch {
		case form == "month-first" && !strings.HasPrefix(at, "2026-12-01"), form == "day-first" && !strings.HasPrefix(at, "2026-01-12"):
			t.Errorf("%q: %s", form, at)
		case form == "" && len(c.Source.Guess) != 3:
			t.Errorf("an open order of day and month is no guess: %+v", c.Source.Guess)
		}
	}
	c, err := readForm(context.Background(), strings.NewReader(first), 1, "pidstat")
	if err == nil || c.Account.Used != 0 || aside(c, "hoststat/other-form") != 1 {
		t.Errorf("declared as another tool: %v, %+v", err, c.Account)
	}
	if _, err := readForm(context.Background(), strings.NewReader(first), 1, "nothing"); err == nil {
		t.Error("an unknown form is not refused")
	}
}

func TestUnits(t *testing.T) {
	for name, want := range map[string]quantity{
		"%CPU": {"%", model.WindowPrevious}, "kB_rd/s": {"kB/s", model.WindowPrevious}, "wMB/s": {"MB/s", model.WindowPrevious}, "cswch/s": {"1/s", model.WindowPrevious},
		"rd_sec/s": {"sectors/s", model.WindowPrevious}, "RES": {"KiB", model.WindowInstant}, "kbmemused": {"kB", model.WindowInstant}, "aqu-sz": {"", model.WindowPrevious},
	} {
		if got := quantityOf(name); got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}
