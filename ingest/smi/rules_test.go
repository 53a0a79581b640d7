package smi

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"tracemerge/model"
)

const (
	head2 = "timestamp, index, utilization.gpu [%], memory.used [MiB]\n"
	day   = "2026/03/02 "
)

func TestRows(t *testing.T) {
	tests := []struct {
		rule    string
		text    string
		metric  string // whose values to show; memory.used where empty
		values  string
		used    int64
		tracks  int
		account string // tallies set aside and rejected
		notices string
	}{
		{rule: "values carry the unit of the header", text: head2 + day + "14:05:00.113, 0, 7 %, 12 MiB\n", values: "12", used: 1, tracks: 1},
		{rule: "nounits", text: "timestamp, index, memory.used\n" + day + "14:05:00.113, 0, 12\n", values: "12", used: 1, tracks: 1},
		{rule: "percent with decimals", text: "timestamp, edpp_multiplier [%], power.draw [W]\n" + day + "14:05:00.113, 100.00 %, 1.5 W\n", metric: "edpp_multiplier", values: "100", used: 1, tracks: 1},
		{
			rule: "each word of the N/A family has its reason",
			text: "timestamp, memory.used [MiB]\n" + rows("[N/A]", "N/A", "[Not Supported]", "[Insufficient Permissions]", "[Not Found]",
				"[Requested functionality has been deprecated]", "-", "", "[Unknown Error]", "[GPU is lost]", "[GPU requires reset]", "ERR!", "[a word we do not know]"),
			values: strings.Repeat("not_available ", 8) + "read_error read_error read_error read_error read_error", used: 13, tracks: 1,
		},
		{rule: "another unit than the header's is unknown, not converted", text: head2 + day + "14:05:00.113, 0, 7 %, 12 GiB\n", values: "read_error", used: 1, tracks: 1, notices: "smi/bad-cell=1"},
		{rule: "a share above 100 % is unknown", text: head2 + day + "14:05:00.113, 0, 250 %, 12 MiB\n", metric: "utilization.gpu", values: "read_error", used: 1, tracks: 1, notices: "smi/no-share=1"},
		{rule: "0 MiB beside a failure is unknown", text: head2 + day + "14:05:00.113, 0, [GPU requires reset], 0 MiB\n", values: "read_error", used: 1, tracks: 1, notices: "smi/zero-beside-error=1"},
		{rule: "0 MiB beside N/A is a measurement", text: head2 + day + "14:05:00.113, 0, [N/A], 0 MiB\n", values: "0", used: 1, tracks: 1},
		{rule: "bit masks", text: "timestamp, index, clocks_event_reasons.active\n" + day + "14:05:00.113, 0, 0x0000000000000048\n", metric: "clocks_event_reasons.active", values: "72", used: 1, tracks: 1},
		{rule: "a mask that float64 cannot hold is unknown", text: "timestamp, index, clocks_event_reasons.active\n" + day + "14:05:00.113, 0, 0xFFFFFFFFFFFFFFFF\n", metric: "clocks_event_reasons.active", values: "read_error", used: 1, tracks: 1, notices: "smi/bad-cell=1"},
		{rule: "Not Active contains Active", text: "timestamp, index, clocks_event_reasons.sw_power_cap\n" + day + "14:05:00.113, 0, Not Active\n" + day + "14:05:01.113, 0, Active\n", metric: "clocks_event_reasons.sw_power_cap", values: "0 1", used: 2, tracks: 1},
		{rule: "pstate is shown by its number", text: "timestamp, index, pstate\n" + day + "14:05:00.113, 0, P8\n", metric: "pstate", values: "8", used: 1, tracks: 1},
		{rule: "a header in the middle is obeyed", text: head2 + day + "14:05:00.113, 0, 7 %, 12 MiB\n" + "timestamp, index, memory.used [MiB], utilization.gpu [%]\n" + day + "14:05:01.113, 0, 13 MiB, 8 %\n", values: "12 13", used: 2, tracks: 1},
		{rule: "a restart with nounits continues the metric", text: head2 + day + "14:05:00.113, 0, 7 %, 12 MiB\n" + "timestamp, index, memory.used\n" + day + "14:05:01.113, 0, 13\n", values: "12 13", used: 2, tracks: 1},
		{rule: "a header glued to a cut row is obeyed", text: head2 + day + "14:05:00.113, 0, 7timestamp, index, memory.used [MiB]\n" + day + "14:05:01.113, 0, 13 MiB\n", values: "13", used: 1, tracks: 1, account: "smi/columns=1", notices: "smi/columns=1 smi/glued-header=1"},
		{rule: "a cut number looks good and is set aside", text: head2 + day + "14:05:00.113, 0, 7 %, 12 MiB\n" + day + "14:05:01.113, 0, 7 %, 1", values: "12", used: 1, tracks: 1, account: "smi/cut-last-line=1", notices: "smi/cut-last-line=1"},
		{rule: "a last row that ends in its unit is whole", text: head2 + day + "14:05:00.113, 0, 7 %, 12 MiB", values: "12", used: 1, tracks: 1},
		{rule: "a cut unit is set aside", text: head2 + day + "14:05:00.113, 0, 7 %, 12 MiB\n" + day + "14:05:01.113, 0, 7 %, 1 Mi", values: "12", used: 1, tracks: 1, account: "smi/cut-last-line=1", notices: "smi/cut-last-line=1"},
		{rule: "a wrong number of cells is rejected", text: head2 + day + "14:05:00.113, 0, 7 %\n" + day + "14:05:01.113, 0, 7 %, 12 MiB\n", values: "12", used: 1, tracks: 1, account: "smi/columns=1", notices: "smi/columns=1"},
		{rule: "a date that does not exist is rejected", text: head2 + "2026/02/30 14:05:00.113, 0, 7 %, 12 MiB\n" + day + "14:05:01.113, 0, 7 %, 13 MiB\n", values: "13", used: 1, tracks: 1, account: "smi/stamp=1", notices: "smi/stamp=1"},
		{rule: "hour 24 is rejected", text: head2 + day + "24:00:00.000, 0, 7 %, 12 MiB\n" + day + "14:05:01.113, 0, 7 %, 13 MiB\n", values: "13", used: 1, tracks: 1, account: "smi/stamp=1", notices: "smi/stamp=1"},
		{rule: "a row of error words alone is set aside", text: head2 + "[Unknown Error], [Unknown Error], [Unknown Error], [Unknown Error]\n" + day + "14:05:01.113, 0, 7 %, 13 MiB\n", values: "13", used: 1, tracks: 1, account: "smi/no-identity=1", notices: "smi/error-row=1"},
		{rule: "messages are set aside", text: head2 + day + "14:05:00.113, 0, 7 %, 12 MiB\nWARNING: infoROM is corrupted at gpu 0000:17:00.0\n", values: "12", used: 1, tracks: 1, account: "smi/error-text=1", notices: "smi/error-text=1"},
		{rule: "CRLF, blank lines and NUL holes", text: head2 + "\r\n\x00\x00\x00" + day + "14:05:00.113, 0, 7 %, 12 MiB\r\n\r\n", values: "12", used: 1, tracks: 1},
		{rule: "quoted cells", text: head2 + `"` + day + `14:05:00.113", "0", "7 %", "12 MiB"` + "\n", values: "12", used: 1, tracks: 1},
		{rule: "a quoted cell over two lines is one row", text: "elapsed_sec,gpu_util_pct,power_w\n1,2,\"26.1\n0\"\n2,3,25.0\n", metric: "power_w", values: "read_error 25", used: 2, tracks: 1, notices: "smi/own-header=1 smi/bad-cell=1"},
		{rule: "an unmatched quote does not swallow the file", text: head2 + day + "14:05:00.113, \"0, 7 %, 12 MiB\n" + strings.Repeat(day+"14:05:01.113, 0, 7 %, 13 MiB\n", 20), values: strings.TrimSpace(strings.Repeat("13 ", 20)), used: 20, tracks: 1, account: "smi/columns=1", notices: "smi/columns=1 smi/repeated-row=19"},
		{rule: "semicolons and decimal commas", text: "timestamp;index;power.draw [W]\n" + day + "14:05:00,113;0;301,25 W\n", metric: "power.draw", values: "301.25", used: 1, tracks: 1},
		{rule: "two indexes are two tracks", text: head2 + day + "14:05:00.113, 0, 7 %, 12 MiB\n" + day + "14:05:00.114, 1, 7 %, 13 MiB\n", values: "12 13", used: 2, tracks: 2},
		{rule: "the uuid is followed when indexes move", text: "timestamp, index, uuid, memory.used [MiB]\n" + day + "14:05:00.113, 0, GPU-a, 1 MiB\n" + day + "14:05:00.113, 1, GPU-b, 2 MiB\n" + day + "14:05:01.113, 0, GPU-b, 3 MiB\n", values: "1 2 3", used: 3, tracks: 2, notices: "smi/index-renumbered=1"},
		{rule: "without identity in its cells a row goes to no GPU", text: head2 + day + "14:05:00.113, 0, 7 %, 12 MiB\n" + day + "14:05:01.113, [GPU is lost], [GPU is lost], [GPU is lost]\n", values: "12", used: 1, tracks: 1, account: "smi/no-identity=1", notices: "smi/no-identity=1"},
		{rule: "one index with two product names is two GPUs", text: "index, name, memory.used [MiB]\n0, Tesla V100-SXM2-32GB, 1 MiB\n0, Tesla V100-PCIE-32GB, 2 MiB\n", values: "1 2", used: 2, tracks: 2, notices: "smi/index-of-two-gpus=1"},
		{rule: "the maker's name may come and go", text: "index, name, memory.used [MiB]\n0, GeForce GT 730, 1 MiB\n0, NVIDIA GeForce GT 730, 2 MiB\n", values: "1 2", used: 2, tracks: 1},
		{rule: "a section without uuid joins the GPU of its index", text: "timestamp, index, uuid, memory.used [MiB]\n" + day + "14:05:00.113, 0, GPU-a, 1 MiB\n" + head2 + day + "14:05:01.113, 0, 7 %, 2 MiB\n", values: "1 2", used: 2, tracks: 1},
		{rule: "equal stamps with different values stay both", text: head2 + day + "14:05:00.113, 0, 7 %, 12 MiB\n" + day + "14:05:00.113, 0, 7 %, 13 MiB\n", values: "12 13", used: 2, tracks: 1, notices: "smi/equal-stamps=1"},
		{rule: "a repeated row is noticed and kept", text: head2 + strings.Repeat(day+"14:05:00.113, 0, 7 %, 12 MiB\n", 2), values: "12 12", used: 2, tracks: 1, notices: "smi/repeated-row=1"},
		{rule: "process names with commas", text: "timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n" + day + "14:05:00.113, GPU-a, 42, run, --layers 1,2, 7 MiB\n", metric: "used_gpu_memory", values: "7", used: 1, tracks: 1},
		{rule: "pmon row without a process", text: "# gpu         pid   type     sm    command \n# Idx           #    C/G      %    name \n    0          -     -      -    -\n    0         12     C      5    a b c\n", metric: "sm", values: "5", used: 1, tracks: 1, account: "smi/no-process=1"},
		{rule: "dmon in CSV", text: "#gpu, pwr, sm\n#Idx, W, %\n0, 60, -\n", metric: "sm", values: "not_available", used: 1, tracks: 1},
		{rule: "rows before any header are set aside", text: day + "14:05:00.113, 0, 7 %, 12 MiB\n" + head2 + day + "14:05:01.113, 0, 7 %, 13 MiB\n", values: "13", used: 1, tracks: 1, account: "smi/no-header=1"},
		{rule: "a line of a megabyte is rejected", text: head2 + day + strings.Repeat("x", maxLine) + "\n" + day + "14:05:01.113, 0, 7 %, 13 MiB\n", values: "13", used: 1, tracks: 1, account: "smi/long-line=1", notices: "smi/long-line=1"},
		{rule: "rows of several GPUs without identity are noticed", text: "timestamp, memory.used [MiB]\n" + pairs(6), values: "1 1 1 1 1 1 1 1 1 1 1 1", used: 12, tracks: 1, notices: "smi/gap=5 smi/several-unnamed=1"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			c := readText(t, tt.text)
			if tt.metric == "" {
				tt.metric = "memory.used"
			}
			if got := valuesOf(c, tt.metric); got != tt.values {
				t.Errorf("values: got %q, want %q", got, tt.values)
			}
			if c.Account.Used != tt.used || len(c.Tracks) != tt.tracks {
				t.Errorf("got %d rows of %d tracks, want %d of %d", c.Account.Used, len(c.Tracks), tt.used, tt.tracks)
			}
			if got := strings.TrimSpace(tallies(c.Account.SetAside) + " " + tallies(c.Account.Rejected)); got != tt.account {
				t.Errorf("account: got %q, want %q", got, tt.account)
			}
			if got := noticesOf(c); got != tt.notices {
				t.Errorf("notices: got %q, want %q", got, tt.notices)
			}
		})
	}
}

// rows makes one row a second with the cells.
func rows(cells ...string) string {
	var b strings.Builder
	at := time.Date(2026, 3, 2, 14, 5, 0, 0, time.UTC)
	for i, c := range cells {
		b.WriteString(at.Add(time.Duration(i)*time.Second).Format("2006/01/02 15:04:05.000") + ", " + c + "\n")
	}
	return b.String()
}

// pairs makes rounds of two rows a millisecond apart.
func pairs(n int) string {
	var b strings.Builder
	at := time.Date(2026, 3, 2, 14, 5, 0, 0, time.UTC)
	for i := range n {
		for ms := range 2 {
			b.WriteString(at.Add(time.Duration(i)*time.Second+time.Duration(ms)*time.Millisecond).Format("2006/01/02 15:04:05.000") + ", 1 MiB\n")
		}
	}
	return b.String()
}

func TestRefusals(t *testing.T) {
	tests := []struct{ rule, text, want string }{
		{"nothing at all", "", "empty"},
		{"blank lines", "\n\n", "empty"},
		{"a header and no row", head2, "a header and no row"},
		{"rows under a header that cannot be read", head2 + "2026/13/02 14:05:00.113, 0, 7 %, 12 MiB\n", "line 2"},
		{"a driver message alone", "Failed to initialize NVML: Driver/library version mismatch\n", "cannot be reached"},
		{"a header and a driver message", head2 + "No devices were found\n", "cannot be reached"},
		{"nvidia-smi -q", "==============NVSMI LOG==============\n\nTimestamp : Mon Mar  2 14:05:00 2026\n", "-q text"},
		{"nvidia-smi -q -x", "<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n", "-q -x"},
		{"nvidia-smi -L", "GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-a)\n", "no samples"},
		{"several hosts in one file", "a: " + day + "14:05:00.113, 0, 7 %\nb: " + day + "14:05:00.113, 0, 7 %\n", "several hosts"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			c, err := readAll(context.Background(), strings.NewReader(tt.text), 1)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "Driver/library") {
				t.Error("the error repeats text of the file")
			}
			checkCapture(t, c, int64(len(tt.text)))
		})
	}
}

func TestClocks(t *testing.T) {
	tests := []struct {
		rule, text string
		kind       model.DomainKind
		step       time.Duration
		first      string
		pieces     int
	}{
		{"nvidia-smi stamps are civil milliseconds", head2 + day + "14:05:00.113, 0, 7 %, 12 MiB\n", model.DomainCivil, time.Millisecond, "2026-03-02T14:05:00.113", 1},
		{"ISO with a zone is unix", "timestamp,gpu,memory.used\n2026-03-02T14:05:00+08:00,0,1\n", model.DomainUnix, time.Second, "2026-03-02T06:05:00", 1},
		{"ISO with Z and microseconds", "timestamp,gpu,memory.used\n2026-03-02T14:05:00.000001Z,0,1\n", model.DomainUnix, time.Microsecond, "2026-03-02T14:05:00.000001", 1},
		{"ISO without a zone is civil", "timestamp,gpu,memory.used\n2026-03-02 14:05:00,0,1\n", model.DomainCivil, time.Second, "2026-03-02T14:05:00", 1},
		{"seconds since 1970 are exact", "Time,GPU_ID,Utilization\n1736203508.1234567,0,1\n", model.DomainUnix, 100 * time.Nanosecond, "2025-01-06T22:45:08.1234567", 1},
		{"milliseconds since 1970", "Time,GPU_ID,Utilization\n1736203508123,0,1\n", model.DomainUnix, time.Millisecond, "2025-01-06T22:45:08.123", 1},
		{"dmon -o DT", "#Date       Time        gpu     sm\n#YYYYMMDD   HH:MM:SS    Idx      %\n 20260302   14:05:00      0      5\n", model.DomainCivil, time.Second, "2026-03-02T14:05:00", 1},
		{"dmon -o T has no date", "#Time        gpu     sm\n#HH:MM:SS    Idx      %\n 14:05:00      0      5\n", model.DomainDay, time.Second, "1970-01-01T14:05:00", 1},
		{"dmon has no clock", "# gpu     sm\n# Idx      %\n    0      5\n", model.DomainNone, 0, "1970-01-01T00:00:00", 1},
		{"elapsed seconds have no start", "elapsed_sec,gpu_util_pct\n0.25,3\n", model.DomainRelative, 10 * time.Millisecond, "1970-01-01T00:00:00.25", 1},
		{"a step back begins a piece", "timestamp, index, memory.used [MiB]\n" + day + "14:05:00.113, 0, 1 MiB\n" + day + "14:04:58.000, 0, 1 MiB\n", model.DomainCivil, time.Millisecond, "2026-03-02T14:05:00.113", 2},
		{"the interleave of rows is no step", "timestamp, index, memory.used [MiB]\n" + day + "14:05:00.114, 0, 1 MiB\n" + day + "14:05:00.113, 1, 1 MiB\n" + day + "14:05:00.110, 0, 1 MiB\n", model.DomainCivil, time.Millisecond, "2026-03-02T14:05:00.11", 1},
		{"both GPUs step into one piece", "timestamp, index, memory.used [MiB]\n" + day + "14:05:00.113, 0, 1 MiB\n" + day + "14:05:00.113, 1, 1 MiB\n" + day + "14:00:00.113, 0, 1 MiB\n" + day + "14:00:00.113, 1, 1 MiB\n", model.DomainCivil, time.Millisecond, "2026-03-02T14:05:00.113", 2},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			c := readText(t, tt.text)
			d := c.Domains[0]
			first := model.Time(d.Valid.Start).UTC().Format("2006-01-02T15:04:05.999999999")
			if d.Kind != tt.kind || d.Step != tt.step || first != tt.first || len(c.Domains) != tt.pieces {
				t.Errorf("got %v, step %v, from %s, %d pieces; want %v, %v, %s, %d",
					d.Kind, d.Step, first, len(c.Domains), tt.kind, tt.step, tt.first, tt.pieces)
			}
		})
	}
}

func TestStepNotes(t *testing.T) {
	tests := []struct {
		rule string
		back time.Duration
		kind model.DomainKind
		want string
	}{
		{"an hour less one period", time.Hour - 1001*time.Millisecond, model.DomainCivil, "a daylight saving fold is possible"},
		{"half an hour", 30*time.Minute - time.Second, model.DomainCivil, "a daylight saving fold is possible"},
		{"36 s", 36411 * time.Millisecond, model.DomainCivil, "no daylight saving step"},
		{"an hour of a clock with a zone", time.Hour, model.DomainUnix, "no daylight saving step"},
		{"midnight", 24*time.Hour - time.Second, model.DomainDay, "midnight may have passed"},
		{"a count that begins anew", time.Hour, model.DomainRelative, "started again"},
	}
	for _, tt := range tests {
		if got, _ := stepNote(tt.back, tt.kind).Format(); !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want %q in it", tt.rule, got, tt.want)
		}
	}
}

func TestCoverage(t *testing.T) {
	const table = "timestamp, index, memory.used [MiB]\n"
	row := func(at string) string { return day + at + ", 0, 1 MiB\n" }
	regular := table + row("14:05:00.000") + row("14:05:01.000") + row("14:05:02.000") + row("14:05:03.000")
	tests := []struct {
		rule, text, holes string
	}{
		{"no hole within the period", regular, ""},
		{"1.5 times the period is no hole", regular + row("14:05:04.500"), ""},
		{"more is one", regular + row("14:05:04.501"), "1.501s collector_gap"},
		{"a fast loop has 0.25 s of slack", table + row("14:05:00.000") + row("14:05:00.100") + row("14:05:00.200") + row("14:05:00.550"), ""},
		{"rows that could not be read make a hole", regular + "14:05:04, broken\n" + row("14:05:06.000"), "3s malformed_records"},
		{"a driver message makes the time to the next row unknown", regular + "Failed to initialize NVML: Unknown Error\n" + row("14:05:04.000"), "1s read_error"},
		{"pieces of a clock do not join", table + row("14:05:00.000") + row("14:05:01.000") + row("13:05:00.000") + row("13:05:01.000"), ""},
		{"whole seconds are cut off: 2 s may be 1.1 s", "timestamp,gpu,memory.used\n2026-03-02 14:05:00,0,1\n2026-03-02 14:05:01,0,1\n2026-03-02 14:05:02,0,1\n2026-03-02 14:05:04,0,1\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			c := readText(t, tt.text)
			var holes []string
			for _, h := range c.Tracks[0].Unknown {
				holes = append(holes, h.At.Len().String()+" "+h.Why.String())
			}
			if got := strings.Join(holes, ", "); got != tt.holes {
				t.Errorf("got holes %q, want %q", got, tt.holes)
			}
		})
	}
}

func TestProcessesAreUnobservedOnlyWithTheCollector(t *testing.T) {
	const text = "timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n"
	row := func(at, pid string) string { return day + at + ", GPU-a, " + pid + ", a, 1 MiB\n" }
	c := readText(t, text+
		row("14:05:00.000", "1")+row("14:05:00.000", "2")+
		row("14:05:01.000", "1")+row("14:05:02.000", "1")+ // 2 is not listed
		row("14:05:03.000", "1")+row("14:05:03.000", "2")+
		row("14:05:13.000", "1")+row("14:05:13.000", "2")) // nothing was listed
	for _, tr := range c.Tracks {
		if len(tr.Unknown) != 1 || tr.Unknown[0].At.Len() != 10*time.Second {
			t.Errorf("track %d: got holes %v, want one of 10 s", tr.ID, tr.Unknown)
		}
	}
}

func TestIdentityIsKeptAsExported(t *testing.T) {
	c := readText(t, "timestamp, index, name, uuid, pci.bus_id, driver_version, mig.mode.current, utilization.gpu [%]\n"+
		day+"14:05:00.113, 3, NVIDIA A100-SXM4-80GB, GPU-a, 00000000:17:00.0, 550.54.15, Disabled, 5 %\n")
	want := []struct {
		name, value string
		class       model.Class
	}{
		{"index", "3", model.ClassCell},
		{"uuid", "GPU-a", model.ClassGPUIdentity},
		{"pci.bus_id", "00000000:17:00.0", model.ClassGPUIdentity},
		{"name", "NVIDIA A100-SXM4-80GB", model.ClassGPUModel},
		{"driver_version", "550.54.15", model.ClassVersion},
		{"mig.mode.current", "Disabled", model.ClassCell},
	}
	tr := c.Tracks[0]
	if len(tr.Facts) != len(want) {
		t.Fatalf("got %d facts, want %d", len(tr.Facts), len(want))
	}
	for i, w := range want {
		f := tr.Facts[i]
		if f.Name.Raw.Reveal() != w.name || f.Value.Raw.Reveal() != w.value || f.Value.Class != w.class {
			t.Errorf("fact %d: got %q = %q of class %d, want %+v", i, f.Name.Raw.Reveal(), f.Value.Raw.Reveal(), f.Value.Class, w)
		}
	}
	if tr.Kind != model.TrackDevice || tr.Device.Reveal() != "3" || len(c.Metrics) != 1 || c.Metrics[0].Unit.Raw.Reveal() != "%" {
		t.Errorf("got kind %d, device %q, metrics %+v", tr.Kind, tr.Device.Reveal(), c.Metrics)
	}
}

func TestRoles(t *testing.T) {
	tests := []struct {
		name string
		form form
		want model.Role
	}{
		{"utilization.gpu", formQuery, model.RoleGPUBusy},
		{"utilization.memory", formQuery, model.RoleMemoryBusy},
		{"memory.used", formQuery, model.RoleMemoryUsed},
		{"memory.total", formQuery, model.RoleMemoryTotal},
		{"memory.free", formQuery, model.RoleNone},
		{"power.draw.instant", formQuery, model.RolePower},
		{"power.limit", formQuery, model.RoleNone},
		{"temperature.gpu", formQuery, model.RoleTemperature},
		{"temperature.gpu.tlimit", formQuery, model.RoleNone},
		{"clocks.current.sm", formQuery, model.RoleClockSM},
		{"clocks.max.sm", formQuery, model.RoleNone},
		{"clocks_throttle_reasons.active", formQuery, model.RoleThrottle},
		{"clocks_event_reasons.supported", formQuery, model.RoleNone},
		{"clocks_event_reasons_counters.sw_power_cap", formQuery, model.RoleNone},
		{"used_gpu_memory", formApps, model.RoleNone},
		{"sm", formPmon, model.RoleNone},
		{"sm", formDmon, model.RoleGPUBusy},
		{"Utilization", formOwn, model.RoleNone},
	}
	for _, tt := range tests {
		if got := roleOf(tt.name, tt.form); got != tt.want {
			t.Errorf("%s: got role %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestReadingStops(t *testing.T) {
	good := head2 + day + "14:05:00.113, 0, 7 %, 12 MiB\n"
	t.Run("an error keeps what was read", func(t *testing.T) {
		broken := errors.New("disk gone")
		c, err := readAll(context.Background(), io.MultiReader(strings.NewReader(good), failing{broken}), 1)
		if !errors.Is(err, broken) || c.Account.Used != 1 || c.Truncated {
			t.Errorf("got error %v, %d rows, truncated %v", err, c.Account.Used, c.Truncated)
		}
	})
	t.Run("a compressed file that is cut off is truncated", func(t *testing.T) {
		c, err := readAll(context.Background(), io.MultiReader(strings.NewReader(good), failing{io.ErrUnexpectedEOF}), 1)
		if !errors.Is(err, io.ErrUnexpectedEOF) || c.Account.Used != 1 || !c.Truncated {
			t.Errorf("got error %v, %d rows, truncated %v", err, c.Account.Used, c.Truncated)
		}
	})
	t.Run("a cancelled context ends the reading", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := readAll(ctx, strings.NewReader(good), 1); !errors.Is(err, context.Canceled) {
			t.Errorf("got error %v, want %v", err, context.Canceled)
		}
	})
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
