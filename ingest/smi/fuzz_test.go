package smi

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/iotest"

	"tracemerge/ingest"
)

// seeds show every form of table once.
var seeds = []string{
	head2 + day + "14:05:00.113, 0, 7 %, 12 MiB\n" + day + "14:04:00.113, 0, [N/A], 0 MiB\n",
	head2 + "Failed to initialize NVML: Unknown Error\n" + day + "14:05:00.113, \"0\", 7 %, \"1\n2\"\n",
	"timestamp;index;power.draw [W]\r\n2026/03/02 14:05:00,113;0;301,25 W\r\n",
	"timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n2026/03/02 14:05:00.113, GPU-a, 42, run, a \"b\", 7 MiB\n",
	"#Date       Time        gpu     sm\n#YYYYMMDD   HH:MM:SS    Idx      %\n 20260302   14:05:00      0      5\n",
	"# gpu  pid type sm command\n# Idx  #  C/G %  name\n  0  12  C  5  a b\n",
	"#Entity   GPUTL  \nID     \nGPU 0  5\n",
	"elapsed_sec,gpu_util_pct,gpu_util_pct,\n0.5,1,2,3\n",
	"Time,GPU_ID,Utilization\n1736203508.750246,0,0\n1736203508.75,0,1e2\n",
	"timestamp,gpu_name,memory_used_MB\n2025-05-06 10:11:03,2025/05/06 10:11:03.469,0\n",
	head2 + day + "14:05:00.113, 0, 7timestamp, index, memory.used [MiB]\n" + day + "14:05:01.113, 0, 13 MiB\n\x00\x00",
	"| NVIDIA-SMI 550.54.15 |\n+----+\n",
	printedTable,
	"13:25:50\n1623, 2308\n13:25:52\n1623, 2\n",
	day + "14:05:00.113, 0, 7 %\n" + day + "14:05:00.114, 1, 7 %\n" + day + "14:05:01.113, 0, 7 %\n" + day + "14:05:01.114, 1, 7 %\n",
	"===== 2026-03-02 14:05:00.1 =====\ncuda:0 A: 5 MiB free out of 9 MiB total, temperature: 7 C\n",
	queryText,
	queryXML,
	"n: timestamp, index, memory.used [MiB]\nn: " + day + "14:05:00.113, 0, 1 MiB\n",
}

func FuzzRead(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := readAll(context.Background(), bytes.NewReader(text), 1)
		checkCapture(t, c, int64(len(text)))
		if err != nil && c.Account.Used > 0 {
			t.Errorf("%d rows were used and yet: %v", c.Account.Used, err)
		}
		whole := summary(c, err)
		if got := summary(readAll(context.Background(), iotest.OneByteReader(bytes.NewReader(text)), 1)); got != whole {
			t.Errorf("byte by byte the file reads otherwise:\n%s\nat once:\n%s", got, whole)
		}
		match(text)
	})
}

// FuzzCutting holds the direct way of cutting a row to what gocsv makes of it.
func FuzzCutting(f *testing.F) {
	for _, row := range []string{"2026/03/02 14:05:00.113, 0, 7 %, 12 MiB", ",,,", " a ,b,  c\t, d", "a,b,c", "[N/A],-, ,x y"} {
		f.Add(row)
	}
	f.Fuzz(func(t *testing.T, row string) {
		// Quoted rows take gocsv's way; line ends and other control characters do not
		// reach a row, and blanks beyond ASCII are a cell's own text.
		if strings.ContainsFunc(row, func(c rune) bool { return c == '"' || c < ' ' && c != '\t' || c > '~' }) || strings.TrimSpace(row) == "" {
			t.Skip()
		}
		h, _ := headingOf([]byte(strings.TrimSpace(head2)))
		s, err := newSheet(head2, h.sep, h.cols, h.form)
		if err != nil {
			t.Fatal(err)
		}
		direct := s.split([]byte(row), nil)
		typed, err := s.readQuoted([]byte(row))
		if err != nil {
			t.Fatal(err)
		}
		if len(direct) != len(s.cols) {
			if typed != nil {
				t.Errorf("%q: gocsv found %d cells, the separators make %d", row, len(typed), len(direct))
			}
			return
		}
		for i := range direct {
			if !bytes.Equal(direct[i], typed[i]) {
				t.Errorf("%q: cell %d: got %q, gocsv has %q", row, i, direct[i], typed[i])
			}
		}
	})
}

func TestMatchLeavesOthersAlone(t *testing.T) {
	for _, text := range []string{
		"",
		"2026/12/01 02:16:09.930068 starting\n2026/12/01 02:16:09.930069 ready\n",
		"timestamp,level,message,gpu\n",
		"step,loss,gpu_mem\n1,2.5,10\n",
		"1,2,3\n4,5,6\n",
		"time,task,stage,edge\n",
		`{"time":"2026-05-04T09:00:00.000+09:00","stage":"gpu_compute","edge":"start"}` + "\n",
		"Linux 6.1.0 (node)\t03/02/26\t_x86_64_\t(2 CPU)\n",
	} {
		if got := match([]byte(text)); got != ingest.No {
			t.Errorf("%q: got confidence %d, want none", text, got)
		}
	}
}
