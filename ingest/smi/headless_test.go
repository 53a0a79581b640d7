package smi

import (
	"context"
	"slices"
	"strings"
	"testing"

	"tracemerge/model"
)

// printedTable is the table for people of two GPUs, in the layout of drivers since 2020,
// with processes.
const printedTable = `Mon Mar  2 14:05:00 2026
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 550.00.01              Driver Version: 550.00.01      CUDA Version: 12.4     |
|-----------------------------------------+------------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|                                         |                        |               MIG M. |
|=========================================+========================+======================|
|   0  NVIDIA Test 40                 On  |   00000000:4A:00.0 Off |                    0 |
| 30%   53C    P0            305W /  350W |   11948MiB /  46068MiB |     97%      Default |
|                                         |                        |                  N/A |
+-----------------------------------------+------------------------+----------------------+
|   1  NVIDIA Test With A Long Na...  Off |   00000000:4B:00.0 Off |                  N/A |
| N/A   31C    P8             N/A /  N/A  |       3MiB /  46068MiB |      N/A     Default |
|                                         |                        |                  N/A |
+-----------------------------------------+------------------------+----------------------+

+-----------------------------------------------------------------------------------------+
| Processes:                                                                              |
|  GPU   GI   CI        PID   Type   Process name                              GPU Memory |
|        ID   ID                                                               Usage      |
|=========================================================================================|
|    0   N/A  N/A   3794277      C   python train.py, step                       11944MiB |
|    1   N/A  N/A       604    C+G   C:\some\viewer.exe                               N/A |
+-----------------------------------------------------------------------------------------+
`

// oldTable is the layout of drivers before 2020.
const oldTable = `Mon Mar  2 14:05:02 2020
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 440.33.01    Driver Version: 440.33.01    CUDA Version: 10.2     |
|-------------------------------+----------------------+----------------------+
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |
|===============================+======================+======================|
|   0  Tesla T100         On    | 00000000:00:1E.0 Off |                    0 |
| N/A   41C    P0    41W / 300W |      0MiB / 16160MiB |      0%      Default |
+-------------------------------+----------------------+----------------------+

+-----------------------------------------------------------------------------+
| Processes:                                                       GPU Memory |
|  GPU       PID   Type   Process name                             Usage      |
|=============================================================================|
|    0      2345      C   python                                      1234MiB |
|  No running processes found                                                 |
+-----------------------------------------------------------------------------+
`

// cellsOf writes the samples of a capture as "track metric=value".
func cellsOf(c *model.Capture) []string {
	var out []string
	for _, s := range samplesOf(c) {
		v, ok := s.Value.Get()
		text := "unknown"
		if ok {
			text = strings.TrimSuffix(strings.TrimSuffix(model.Say("{}", int64(v)).Plain(nil), ".0"), " ")
		}
		m := c.Metrics[s.Metric]
		out = append(out, c.Tracks[s.Track].Device.Reveal()+" "+m.Name.Raw.Reveal()+"="+text+m.Unit.Raw.Reveal())
	}
	return out
}

func TestPrintedTables(t *testing.T) {
	c := readText(t, printedTable+strings.Replace(printedTable, "14:05:00", "14:05:05", 1))
	got := cellsOf(c)
	for _, want := range []string{"0 Fan=30%", "0 Temp=53C", "0 Pwr:Usage=305W", "0 Pwr:Cap=350W", "0 Memory-Usage=11948MiB", "0 Memory-Usage total=46068MiB", "0 GPU-Util=97%",
		"1 Fan=unknown%", "1 Pwr:Usage=unknownW", "1 GPU-Util=unknown%", "1 Memory-Usage=3MiB", "0 GPU Memory Usage=11944MiB", "1 GPU Memory Usage=unknownMiB"} {
		if n := len(slices.DeleteFunc(slices.Clone(got), func(s string) bool { return s != want })); n != 2 {
			t.Errorf("%q stands %d times, want 2, in %q", want, n, got)
		}
	}
	if c.Account.Read != 8 || c.Account.Used != 8 || len(c.Domains) != 1 || c.Domains[0].Kind != model.DomainCivil || c.Window.Len() != 5_000_000_001 {
		t.Errorf("account %+v, clocks %+v", c.Account, c.Domains)
	}
	if name := c.Tracks[0].Name.Raw.Reveal(); name != "NVIDIA Test 40" {
		t.Errorf("name %q", name)
	}
	roles := map[model.Role]bool{}
	for _, m := range c.Metrics {
		roles[m.Role] = true
	}
	for _, want := range []model.Role{model.RoleGPUBusy, model.RoleMemoryUsed, model.RoleMemoryTotal, model.RolePower, model.RoleTemperature} {
		if !roles[want] {
			t.Errorf("no metric has the role %v", want)
		}
	}
}

func TestOldAndDamagedTables(t *testing.T) {
	c := readText(t, oldTable)
	if got := cellsOf(c); c.Account.Used != 2 || !slices.Contains(got, "0 GPU Memory Usage=1234MiB") || !slices.Contains(got, "0 Pwr:Usage=41W") {
		t.Errorf("old layout: %+v, %q", c.Account, got)
	}
	// Cut in the line of values, and in that of a process.
	for _, at := range []string{"11948MiB /  460", "python train.py, st"} {
		i := strings.Index(printedTable, at)
		whole := oldTable + printedTable[:i+len(at)]
		c := readText(t, whole)
		if !c.Truncated || c.Account.Used != 2 && c.Account.Used != 4 || len(c.Account.SetAside) != 1 {
			t.Errorf("cut at %q: truncated %v, %+v", at, c.Truncated, c.Account)
		}
	}
	c = readText(t, strings.Replace(printedTable, "305W /  350W", "305W    350W", 1)+"some other text\n")
	if len(c.Account.Rejected) != 1 || c.Account.Rejected[0].Code != "smi/table" || len(c.Account.SetAside) != 1 || c.Account.Used != 3 {
		t.Errorf("a damaged line: %+v", c.Account)
	}
	// A table whose line of the time was lost has not the time of the one before.
	i := strings.IndexByte(printedTable, '\n') + 1
	if c = readText(t, printedTable+printedTable[i:]); c.Window.Len() != 1 || len(c.Domains) != 2 || c.Domains[1].Kind != model.DomainNone {
		t.Errorf("a lost time: %v, clocks %+v", c.Window, c.Domains)
	}
	// Without a time nothing is placed, and the samples are there.
	if c := readText(t, printedTable[strings.IndexByte(printedTable, '\n')+1:]); c.Account.Used != 4 || c.Domains[0].Kind != model.DomainNone {
		t.Errorf("without a time: %+v, %+v", c.Account, c.Domains)
	}
}

// Rows without a header: what proves itself is used, a column of numbers has no role.
func TestRowsWithoutAHeader(t *testing.T) {
	for _, k := range []struct {
		name, text string
		tracks     int
		clock      model.DomainKind
		has        []string
	}{
		{"one GPU, every number the same", day + "14:05:00.113, 0, 7 %, 12 MiB\n" + day + "14:05:01.113, 0, 8 %, 12 MiB\n", 1, model.DomainCivil, []string{" column 3=7%", " column 4=12MiB", " column 2=0"}},
		{"a column counts the GPUs", day + "14:05:00.113, 0, 7 %\n" + day + "14:05:00.114, 1, 9 %\n" + day + "14:05:01.113, 0, 8 %\n" + day + "14:05:01.114, 1, 6 %\n", 2, model.DomainCivil, []string{"0 column 3=7%", "1 column 3=6%"}},
		{"readings that count by chance", day + "14:05:00.113, 0, 7 %\n" + day + "14:05:01.113, 1, 9 %\n" + day + "14:05:02.113, 0, 8 %\n" + day + "14:05:03.113, 1, 6 %\n", 1, model.DomainCivil, []string{" column 2=1", " column 3=6%"}},
		{"too few readings without time", "0, 7\n1, 9\n0, 8\n1, 6\n", 1, model.DomainNone, []string{" column 1=1", " column 2=6"}},
		{"turns without time", "0, 7\n1, 9\n0, 8\n1, 6\n0, 8\n1, 6\n", 2, model.DomainNone, []string{"1 column 2=9"}},
		{"a column that does not count", day + "14:05:00.113, 0, 7 %\n" + day + "14:05:00.114, 2, 9 %\n" + day + "14:05:01.113, 0, 8 %\n" + day + "14:05:01.114, 1, 6 %\n", 1, model.DomainCivil, []string{" column 2=2", " column 3=7%"}},
		{"a uuid", day + "14:05:00.113, GPU-01234567-89ab-cdef-0123-456789abcdef, 7 %\n" + day + "14:05:00.113, GPU-11234567-89ab-cdef-0123-456789abcdef, 9 %\n", 2, model.DomainCivil, []string{"GPU-01234567-89ab-cdef-0123-456789abcdef column 3=7%"}},
		{"no time", "2 %, 588 MiB\n3 %, 589 MiB\n", 1, model.DomainNone, []string{" column 1=2%", " column 2=589MiB"}},
		{"a time above each row", "13:25:50\n1623, 2308\n13:25:52\n1600, 2309\n", 1, model.DomainDay, []string{" column 1=1600", " column 2=2308"}},
		{"one host before every line", "n1: " + day + "14:05:00.113, 0, 7 %\nn1: " + day + "14:05:01.113, 0, 8 %\n", 1, model.DomainCivil, []string{" column 3=8%"}},
	} {
		c := readText(t, k.text)
		got := cellsOf(c)
		for _, want := range k.has {
			if !slices.Contains(got, want) {
				t.Errorf("%s: %q is not in %q", k.name, want, got)
			}
		}
		if len(c.Tracks) != k.tracks || c.Domains[0].Kind != k.clock {
			t.Errorf("%s: %d tracks, clock %v", k.name, len(c.Tracks), c.Domains[0].Kind)
		}
		for _, m := range c.Metrics {
			if m.Role != model.RoleNone {
				t.Errorf("%s: %q has the role %v", k.name, m.Name.Raw.Reveal(), m.Role)
			}
		}
	}
}

// xpu-smi dump of Intel GPUs: names with blanks, a time of day, the device by its number.
func TestXPUDump(t *testing.T) {
	c := readText(t, "Timestamp, DeviceId, GPU Utilization (%), GPU Power (W)\n06:14:46.000,    0, 0.00, 14.61\n06:14:46.000,    1, 12.50, 15.5\n06:14:47.000,    0, 99.00, 54.61\n06:14:47.000,    1, 3.00, 15.5\n")
	if len(c.Tracks) != 2 || c.Account.Used != 4 || c.Domains[0].Kind != model.DomainDay || !slices.Contains(cellsOf(c), "0 GPU Utilization (%)=99") {
		t.Errorf("%d tracks, %+v, clock %v, %q", len(c.Tracks), c.Account, c.Domains[0].Kind, cellsOf(c))
	}
}

func TestDeclaredForms(t *testing.T) {
	read := func(text, form string) (*model.Capture, error) {
		c, err := readForm(context.Background(), strings.NewReader(text), 1, form)
		checkCapture(t, c, int64(len(text)))
		return c, err
	}
	rows := day + "14:05:00.113, 3, 7 %, 12 MiB\n" + day + "14:05:01.113, 3, 8 %, 12 MiB\n"
	c, err := read(rows, "columns timestamp, index, utilization.gpu, memory.used [MiB]")
	if err != nil || !slices.Contains(cellsOf(c), "3 utilization.gpu=8%") || c.Metrics[0].Role != model.RoleGPUBusy {
		t.Errorf("declared columns: %v, %q", err, cellsOf(c))
	}
	for _, bad := range []string{"columns ", "columns timestamp,,index", "columns 3", "csv"} {
		if _, err := read(rows, bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	both := head2 + rows + "#Date       Time        gpu     sm\n#YYYYMMDD   HH:MM:SS    Idx      %\n 20260302   14:05:09      0      5\n"
	if c, err = read(both, ""); err != nil || c.Account.Used != 3 || len(c.Source.Guess) != 2 || c.Source.Guess[0].Form != "query-gpu" || c.Source.Guess[0].Fits != 2 {
		t.Errorf("two forms: %v, %+v, %+v", err, c.Account, c.Source.Guess)
	}
	if c, err = read(both, "dmon"); err != nil || c.Account.Used != 1 || c.Account.SetAside[0].Code != "smi/other-form" || c.Account.SetAside[0].N != 2 {
		t.Errorf("only dmon: %v, %+v", err, c.Account)
	}
}

// A loop with clear before each turn leaves whole screens, each read as it stands.
func TestClearedScreens(t *testing.T) {
	for _, text := range []string{printedTable, queryText, queryXML, head2 + day + "14:05:00.113, 0, 7 %, 12 MiB\n"} {
		for _, clearing := range []string{"\x1b[H\x1b[2J\x1b[3J", "\x1b[H\x1b[J"} {
			loop := text + strings.Replace(text, "14:05:00", "14:05:05", 1)
			cleared := clearing + text + clearing + strings.Replace(text, "14:05:00", "14:05:05", 1)
			plain, c := readText(t, loop), readText(t, cleared)
			if !slices.Equal(cellsOf(c), cellsOf(plain)) || c.Account.Read != plain.Account.Read || c.Window != plain.Window {
				t.Errorf("%q: %q, want %q", clearing, cellsOf(c), cellsOf(plain))
			}
			if match([]byte(cleared)) != match([]byte(loop)) {
				t.Errorf("%q: match %d, want %d", clearing, match([]byte(cleared)), match([]byte(loop)))
			}
		}
	}
}
