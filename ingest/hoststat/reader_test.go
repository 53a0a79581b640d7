package hoststat

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"tracemerge/ingest"
	"tracemerge/model"
)

const banner = "Linux 6.1.0 (node1) \t2026-12-01 \t_x86_64_\t(8 CPU)\n\n"

const threads = banner + `10:00:00      UID      TGID       TID    %usr %system  %guest   %wait    %CPU   CPU  Command
10:00:01     1000      4711         -   97.00    2.00    0.00    0.00  103.00     3  trainproc
10:00:01     1000         -      4711    4.00    1.00    0.00    0.00    5.00     3  |__trainproc
10:00:01     1000         -      4712   97.00    1.00    0.00    0.00   98.00     3  |__pt data worker
`

func TestThreadsBelongToTheirProcess(t *testing.T) {
	c := read(t, threads)
	if len(c.Tracks) != 3 || c.Tracks[0].Parent != model.NoTrack || c.Tracks[1].Parent != 0 || c.Tracks[2].Parent != 0 {
		t.Fatalf("got %d tracks with parents %v", len(c.Tracks), c.Tracks)
	}
	if n := c.Tracks[2].Name.Raw.Reveal(); n != "pt data worker" {
		t.Errorf("a command with blanks: %q", n)
	}
	for b := range c.Samples.Batches() {
		for i := range b.At {
			m := c.Metrics[b.Metric[i]]
			if m.Name.Raw.Reveal() == "%CPU" && (m.Role != model.RoleCPUBusy || m.Over != model.WindowPrevious || m.Unit.Raw.Reveal() != "%") {
				t.Errorf("%%CPU: %+v", m)
			}
		}
	}
}

func TestWhatIsNoInterval(t *testing.T) {
	for _, c := range []struct {
		name, text string
		used       int64
		aside      string
	}{
		{"the average at the end", threads + "Average:     1000      4711         -   97.00    2.00    0.00    0.00  103.00     -  trainproc\n", 3, "hoststat/average"},
		{"in another language", threads + "Durchschn.:     1000      4711         -   97,00    2,00    0,00    0,00  103,00     -  trainproc\n", 3, "hoststat/average"},
		{"the first report of vmstat", " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 UTC\n" +
			" 1  0      0 1 1 1    0    0  1744  2242  344  653 30 12 58  0  0 2026-12-01 02:09:40\n 1  0      0 1 1 1    0    0  17  22  34  65 30 12 58  0  0 2026-12-01 02:09:41\n", 1, "hoststat/since-boot"},
		{"a message between the rows", threads + "\npidstat: cannot open /proc\n", 3, "hoststat/message"},
		{"a last line that is cut off", threads + "10:00:02     1000      4711         -   97.0", 3, "hoststat/cut-last-line"},
	} {
		got := read(t, c.text)
		checkAccount(t, got)
		found := false
		for _, a := range got.Account.SetAside {
			found = found || a.Code == c.aside && a.N == 1 && a.First.Line > 0
		}
		if got.Account.Used != c.used || !found {
			t.Errorf("%s: %d used, set aside %+v; want %d and %s", c.name, got.Account.Used, got.Account.SetAside, c.used, c.aside)
		}
	}
}

func TestDates(t *testing.T) {
	day := func(y, m, d int) int64 {
		return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC).UnixNano()
	}
	for _, c := range []struct {
		text       string
		monthFirst bool
		want       []int64
	}{
		{"2026-12-01", false, []int64{day(2026, 12, 1)}},
		{"01.12.2026", false, []int64{day(2026, 12, 1)}},
		{"12/01/26", false, []int64{day(2026, 12, 1), day(2026, 1, 12)}},
		{"12/01/2026", true, []int64{day(2026, 12, 1)}},
		{"12/31/25", false, []int64{day(2025, 12, 31)}},
		{"31/12/25", false, []int64{day(2025, 12, 31)}},
		{"31/12/2025", true, nil},
		{"11/11/26", false, []int64{day(2026, 11, 11)}},
		{"13/13/26", false, nil},
		{"host", false, nil},
	} {
		d, ok := dateOf(c.text, c.monthFirst)
		if ok != (c.want != nil) || len(d.days) != len(c.want) {
			t.Errorf("%s: got %v, %v, want %v", c.text, d.days, ok, c.want)
			continue
		}
		for i := range c.want {
			if d.days[i] != c.want[i] {
				t.Errorf("%s: got %v, want %v", c.text, d.days, c.want)
			}
		}
	}
}

func TestOnlyAveragesIsSaid(t *testing.T) {
	said := func(c *model.Capture) bool {
		for _, n := range c.Notices {
			if n.Code == "hoststat/average-only" {
				return true
			}
		}
		return false
	}
	sar := banner + "02:10:08        CPU     %user     %nice   %system   %iowait    %steal     %idle\n02:10:09        all     53.47      0.00     46.53      0.00      0.00      0.00\n"
	if !said(read(t, sar)) {
		t.Error("sar over all cores: nothing is said")
	}
	if said(read(t, threads)) || said(read(t, strings.Replace(sar, "all", "  3", 1))) {
		t.Error("threads, or one core: said that only averages were collected")
	}
}

// Pieces of any size, and the whole at once, give the same.
func TestPiecesOfAnySize(t *testing.T) {
	whole := read(t, threads)
	c, err := readAll(context.Background(), iotest.OneByteReader(strings.NewReader(threads)), 1)
	if err != nil || c.Account.Used != whole.Account.Used || c.Samples.Len() != whole.Samples.Len() || c.Window != whole.Window {
		t.Errorf("byte by byte: %v, %+v, want %+v", err, c.Account, whole.Account)
	}
}

func TestAGapIsAHole(t *testing.T) {
	var b strings.Builder
	b.WriteString(banner + "10:00:00      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command\n")
	for _, s := range []string{"10:00:01", "10:00:02", "10:00:03", "10:00:09", "10:00:10"} {
		b.WriteString(s + "     1000      4711   97.00    2.00    0.00    0.00  99.00     3  trainproc\n")
	}
	c := read(t, b.String())
	if len(c.Tracks[0].Unknown) != 1 || c.Tracks[0].Unknown[0].Why != model.CollectorGap || c.Tracks[0].Unknown[0].At.Len() != 6*time.Second {
		t.Errorf("got %+v", c.Tracks[0].Unknown)
	}
	checkAccount(t, c)
}

func TestOtherFilesAreNotHostStatistics(t *testing.T) {
	for _, text := range []string{"", "hello\n", `{"time":"2026-01-01T00:00:00Z","msg":"x"}` + "\n", "timestamp, utilization.gpu [%]\n2026/01/01 00:00:00.000, 3 %\n",
		"10:00:01 INFO step 3 loss 0.4\n10:00:02 INFO step 4 loss 0.4\n", "10:00:01 [INFO] CPU/GPU sync %done\n"} {
		if got := match([]byte(text)); got > ingest.Maybe {
			t.Errorf("%q: confidence %d", text, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(threads))
	f.Add([]byte("avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n 1 2 3 4 5 6\n\nDevice  r/s rkB/s\nvda 1 2\n"))
	f.Add([]byte("top - 09:14:36 up 1 day\n%Cpu(s):  0,5 us,  0,1 sy\n\n  PID USER PR NI VIRT RES SHR S %CPU %MEM TIME+ COMMAND\n 1 root 20 0 1 1 1 S 0,0 0,5 0:02.96 init\n"))
	f.Add([]byte("# hostname;interval;timestamp;CPU;%user\nn;1;1796091009;-1;5\n"))
	f.Add([]byte(`{"sysstat": {"hosts": [{"nodename": "n", "date": "12/01/26", "statistics": [{"timestamp": "12/01/26 02:09:40", "avg-cpu": {"user": 1.5}}]}]}}`))
	f.Add([]byte("RESET\nCPU n 1796091109 2026/12/01 02:11:49 1 100 2 3 4 5 6 7 8 9 10 11\nSEP\n"))
	f.Add([]byte("Linux 6.1.0 (n) 2026년 12월 01일 _x86_64_ (2 CPU)\n\n14시 09분 40초 PID %CPU CPU Command\n14시 09분 41초 842 3.00 1 a b\n"))
	f.Add([]byte("     r/s     rkB/s  %util Device\n    1.00      1.5M   5.2% vda"))
	f.Add([]byte(banner + "02:10:08 INTR intr/s intr/2\n02:10:09 a.m. sum 11.00 7.00\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, _ := readAll(context.Background(), bytes.NewReader(text), 1)
		checkAccount(t, c)
		match(text)
	})
}

// A date that lies years ahead has a clock of its own, and makes no gap of years.
func TestADamagedYearIsItsOwnPiece(t *testing.T) {
	heading := "Linux 6.1.0 (h) \t%s \t_x86_64_\t(8 CPU)\n"
	row := "10:00:0%d     1000      4711   97.00    2.00    0.00    0.00  99.00     3  trainproc\n"
	cols := "10:00:00      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command\n"
	var b strings.Builder
	for _, date := range []string{"2026-12-01", "2184-12-01", "2026-12-01"} {
		fmt.Fprintf(&b, heading, date)
		b.WriteString("\n" + cols)
		for s := range 3 {
			fmt.Fprintf(&b, row, s+1)
		}
	}
	c := read(t, b.String())
	if len(c.Domains) != 3 || c.Domains[1].Valid.Len() > time.Minute {
		t.Errorf("pieces: %+v", c.Domains)
	}
	for _, tr := range c.Tracks {
		if len(tr.Unknown) > 0 {
			t.Errorf("holes: %+v", tr.Unknown)
		}
	}
	checkAccount(t, c)
}
