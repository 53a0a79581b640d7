package smi

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tracemerge/ingest"
	"tracemerge/model"
)

// shared is the folder of real and derived samples beside the repository root; it
// is not part of the repository.
const shared = "../../../shared/data/smi"

// A sample is what a file of the catalogue must be read as. Figures are those of
// the catalogue's "must read"; where they differ the comment says why.
type sample struct {
	file    string
	match   ingest.Confidence
	used    int64
	aside   string // code=count of rows set aside, headers apart
	reject  string
	tracks  int
	unknown int // samples without a value
	clock   string
	first   string // of the first piece, as its clock shows it
	last    string // of the last piece
	holes   int
	refused string // part of the error
}

var catalogue = []sample{
	{file: "derived_truncated_last_line.csv", match: ingest.Certain, used: 118, aside: "smi/cut-last-line=1", tracks: 2, clock: "civil", first: "2024-11-23T12:23:29.950", last: "2024-11-23T12:24:28.837"},
	{file: "real_10s_period_dotlog.log", match: ingest.Certain, used: 368, tracks: 1, clock: "civil", first: "2026-02-15T06:12:48.455", last: "2026-02-15T07:13:59.549"},
	{file: "real_15s_period_mem_first_no_id.csv", match: ingest.Certain, used: 1639, tracks: 1, clock: "civil", first: "2026-02-02T01:07:37.100", last: "2026-02-02T07:57:08.704"},
	{file: "real_1gpu_v100s_header_units_1s.csv", match: ingest.Certain, used: 107, tracks: 1, clock: "civil", first: "2025-06-13T00:27:52.195", last: "2025-06-13T00:29:38.248"},
	{file: "real_2gpu_a6000_interleaved_1ms_apart.csv", match: ingest.Certain, used: 946, tracks: 2, clock: "civil", first: "2024-11-23T12:23:29.950", last: "2024-11-23T12:31:28.635"},
	{file: "real_50ms_power_only.csv", match: ingest.Certain, used: 73, tracks: 1, clock: "civil", first: "2024-10-30T18:42:33.189", last: "2024-10-30T18:42:36.813"},
	{file: "real_a100_5s_startup_ramp.log", match: ingest.Certain, used: 24, tracks: 1, clock: "civil", first: "2025-12-09T22:56:22.231", last: "2025-12-09T22:58:17.243"},
	// The catalogue says 26: those are the rows of dashes, a row of zeros stands before.
	{file: "real_dmon_notime_dash_unknown.log", match: ingest.Certain, used: 27, tracks: 1, unknown: 156, clock: "none"},
	{file: "real_elapsed_sec_quoted_newline_two_gpus_in_one_cell.csv", match: ingest.Likely, used: 135, tracks: 1, unknown: 135, clock: "relative", first: "1970-01-01T00:00:00.080", last: "1970-01-01T00:00:34.100"},
	{file: "real_epoch_float_crlf_10hz.csv", match: ingest.Likely, used: 2499, tracks: 1, clock: "unix", first: "2025-01-06T22:45:08.750", last: "2025-01-06T22:49:23.459"}, // .4599051, the catalogue rounds it up
	{file: "real_free_memory_text_mixed_gpu_types.txt", match: ingest.Likely, used: 8, tracks: 8, clock: "civil", first: "2024-11-19T19:40:10.286", last: "2024-11-19T19:40:10.286"},
	// 77 cells of the row hold no value; 64 of them are in columns of values.
	{file: "real_h100_mig_all_fields_590.csv", match: ingest.Certain, used: 1, tracks: 1, unknown: 64, clock: "civil", first: "2026-07-14T09:00:44.579", last: "2026-07-14T09:00:44.579"},
	{file: "real_h100_mig_compute_apps.csv", match: ingest.Certain, used: 3, tracks: 3, clock: "civil", first: "2026-07-14T09:00:44.742", last: "2026-07-14T09:00:44.742"},
	{file: "real_h200_pmon_multi_process.txt", match: ingest.Certain, used: 15, tracks: 3, unknown: 78, clock: "none"},
	{file: "real_header_before_every_row_notime.csv", match: ingest.Certain, used: 40, tracks: 1, clock: "none"},
	{file: "real_header_before_every_row_with_time.csv", match: ingest.Certain, used: 224, tracks: 1, clock: "civil", first: "2023-06-22T18:56:56.252", last: "2023-06-22T19:00:45.023"},
	{file: "real_header_names_lie_gpu_name_is_timestamp.csv", match: ingest.Likely, used: 5, tracks: 1, clock: "civil", first: "2025-05-06T10:11:03.469", last: "2025-05-06T10:11:07.612"},
	{file: "real_iso_plus0800_handmade_header_8gpu.csv", match: ingest.Certain, used: 43, tracks: 8, clock: "unix", first: "2025-09-08T09:26:50.000", last: "2025-09-08T09:26:58.000"},
	{file: "real_noheader_notime_units.log", match: ingest.Likely, used: 4000, tracks: 1, clock: "none"},
	{file: "real_noheader_units_7cols_5s.csv", match: ingest.Likely, used: 1923, tracks: 1, clock: "civil", first: "2026-04-25T16:06:06.780", last: "2026-04-25T18:46:43.733"},
	{file: "real_nul_holes_two_writers_one_file.csv", match: ingest.Certain, used: 42, aside: "smi/other-text=1 smi/table=18", tracks: 2, clock: "none"},
	{file: "real_pmon_fb_ccpm_one_row.log", match: ingest.Certain, used: 1, tracks: 1, clock: "none"},
	{file: "real_rtx5090_clocks_pstate_power.csv", match: ingest.Certain, used: 1499, tracks: 1, clock: "civil", first: "2026-06-11T15:24:31.269", last: "2026-06-11T15:49:41.027"},
	// 75 tables, and three lines of a process; the fan of each is N/A.
	{file: "real_table_dump_l40s_60s.log", match: ingest.Certain, used: 78, tracks: 2, unknown: 75, clock: "civil", first: "2024-10-29T19:00:23.000", last: "2024-10-29T19:11:52.000"},
	// 31 tables with 712 processes, of which none has a memory.
	{file: "real_table_dump_windows_wddm_na.log", match: ingest.Certain, used: 743, tracks: 27, unknown: 743, clock: "civil", first: "2025-10-09T23:47:45.000", last: "2025-10-10T00:17:45.000"},
	{file: "real_time_line_then_value_line_mixed_eol.log", match: ingest.Maybe, used: 139, tracks: 1, clock: "time_of_day", first: "1970-01-01T13:25:50.000", last: "1970-01-01T13:31:03.000"},
	{file: "real_utf16le_bom_crlf_powershell.csv", match: ingest.Certain, used: 434, tracks: 1, clock: "civil", first: "2026-08-01T03:59:40.361", last: "2026-08-01T04:06:58.068"},
	{file: "real_watch_ansi_screen_capture.log", match: ingest.Likely, aside: "smi/screen=1", refused: "watch"},
	{file: "real_windows_wddm_compute_apps_na_localtime.csv", match: ingest.Certain, used: 21, tracks: 21, unknown: 21, clock: "civil", first: "2026-06-24T10:17:57.038", last: "2026-06-24T10:17:57.038"},
	{file: "syn_amd_smi_metric_csv_quoted_list_blank_lines.csv", match: ingest.Likely, used: 6, tracks: 2, unknown: 6, clock: "unix", first: "2026-08-12T16:57:32.000", last: "2026-08-12T16:57:34.000"},
	{file: "syn_clock_set_back_37s.csv", match: ingest.Certain, used: 65, tracks: 1, clock: "civil", first: "2026-03-02T14:05:00.113", last: "2026-03-02T14:05:26.765"},
	{file: "syn_clocks_event_reasons_bitmask.csv", match: ingest.Certain, used: 12, tracks: 1, clock: "civil", first: "2026-03-02T14:05:00.113", last: "2026-03-02T14:05:11.124"},
	{file: "syn_compute_apps_process_name_with_commas.csv", match: ingest.Certain, used: 30, tracks: 5, unknown: 18, clock: "civil", first: "2026-03-02T14:05:00.113", last: "2026-03-02T14:05:05.118"},
	{file: "syn_dcgmi_dmon_no_time_na.txt", match: ingest.Certain, used: 24, tracks: 2, unknown: 36, clock: "none"},
	{file: "syn_dmon_oDT_2gpu_header_repeats.txt", match: ingest.Certain, used: 80, tracks: 2, unknown: 80, clock: "civil", first: "2026-03-02T14:05:00.000", last: "2026-03-02T14:05:39.000"},
	{file: "syn_dst_fall_back_new_york.csv", match: ingest.Certain, used: 30, tracks: 1, clock: "civil", first: "2025-11-02T01:59:50.250", last: "2025-11-02T01:00:19.279"},
	{file: "syn_duplicate_timestamps_one_gpu.csv", match: ingest.Certain, used: 25, tracks: 1, clock: "civil", first: "2026-03-02T14:05:00.113", last: "2026-03-02T14:05:19.132"},
	{file: "syn_empty_file.csv", match: ingest.No, refused: "empty"},
	{file: "syn_excel_resave_semicolon_decimal_comma.csv", match: ingest.Certain, used: 12, tracks: 1, clock: "civil", first: "2026-03-02T14:05:00.113", last: "2026-03-02T14:05:11.124"},
	{file: "syn_field_not_valid_only_error.csv", match: ingest.Likely, aside: "smi/error-text=1", refused: "field of the query does not exist"},
	{file: "syn_gb10_unified_memory_na.csv", match: ingest.Certain, used: 20, tracks: 1, unknown: 40, clock: "civil", first: "2026-03-02T14:05:00.113", last: "2026-03-02T14:05:19.132"},
	// 80 rows, 9 of which name no GPU; the other 9 of GPU 1 hold 4 unknown cells each.
	{file: "syn_gpu_is_lost_midway_2gpu.csv", match: ingest.Certain, used: 71, aside: "smi/no-identity=9", tracks: 2, unknown: 36, clock: "civil", first: "2026-03-02T14:05:00.113", last: "2026-03-02T14:05:39.152", holes: 8},
	{file: "syn_gpu_requires_reset_memory_reads_zero.csv", match: ingest.Certain, used: 16, tracks: 1, unknown: 45, clock: "civil", first: "2026-03-02T14:05:00.113", last: "2026-03-02T14:05:15.128"},
	{file: "syn_gpustat_json_concatenated.json", match: ingest.Certain, used: 8, tracks: 2, unknown: 15, clock: "civil", first: "2026-03-02T14:05:00.113", last: "2026-03-02T14:05:15.114"},
	{file: "syn_index_renumbered_after_reboot_uuid_stable.csv", match: ingest.Certain, used: 70, tracks: 4, clock: "civil", first: "2026-03-02T14:05:00.113", last: "2026-03-02T14:09:19.132", holes: 3},
	// Holes: three behind the driver messages, two where broken lines stood.
	{file: "syn_interleaved_stderr_and_two_writers.csv", match: ingest.Certain, used: 12, aside: "smi/error-text=4", reject: "smi/columns=3", tracks: 1, clock: "civil", first: "2026-03-02T14:05:00.113", last: "2026-03-02T14:05:13.126", holes: 5},
	{file: "syn_mig_one_of_two_gpus_insufficient_permissions.csv", match: ingest.Certain, used: 20, tracks: 2, unknown: 20, clock: "civil", first: "2026-03-02T14:05:00.113", last: "2026-03-02T14:05:09.122"},
	{file: "syn_new_year_crossing.csv", match: ingest.Certain, used: 10, tracks: 1, clock: "civil", first: "2027-12-31T23:59:55.900", last: "2028-01-01T00:00:04.909"},
	{file: "syn_not_supported_then_na_after_driver_upgrade.csv", match: ingest.Certain, used: 24, tracks: 1, unknown: 60, clock: "civil", first: "2026-03-02T14:05:00.113", last: "2026-03-02T14:05:23.136"},
	{file: "syn_pdsh_prefix_two_hosts_clock_skew_8gpu.csv", match: ingest.Likely, aside: "smi/host-prefix=96", refused: "several hosts"},
	{file: "syn_restart_with_other_column_order.csv", match: ingest.Certain, used: 25, tracks: 1, clock: "civil", first: "2026-03-02T14:05:00.113", last: "2026-03-02T14:06:48.137", holes: 2},
	{file: "syn_utf8_bom_crlf.csv", match: ingest.Certain, used: 12, tracks: 1, clock: "civil", first: "2026-03-02T14:05:00.113", last: "2026-03-02T14:05:11.124"},
}

func sharedFile(t *testing.T, name string) *ingest.File {
	t.Helper()
	f, err := ingest.Open(filepath.Join(shared, name), 1, model.NewText(name, model.ClassFile))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func TestCatalogue(t *testing.T) {
	files, err := os.ReadDir(shared)
	if err != nil {
		t.Skip("the shared samples are not here: ", err)
	}
	if len(files) != len(catalogue) {
		t.Errorf("got %d files in the catalogue's folder, want the %d of the table", len(files), len(catalogue))
	}
	for _, want := range catalogue {
		t.Run(want.file, func(t *testing.T) {
			f := sharedFile(t, want.file)
			if got := Format().Match(f.Head()); got != want.match {
				t.Errorf("match: got %d, want %d", got, want.match)
			}
			c, err := Format().Read(context.Background(), f, ingest.Options{Declared: &model.Declaration{}})
			checkSample(t, c, err, want)
		})
	}
}

func checkSample(t *testing.T, c *model.Capture, err error, want sample) {
	t.Helper()
	if want.refused == "" && err != nil {
		t.Fatalf("got error %v, want none", err)
	}
	if want.refused != "" && (err == nil || !strings.Contains(err.Error(), want.refused)) {
		t.Errorf("got error %v, want one with %q", err, want.refused)
	}
	got := sample{file: want.file, match: want.match, refused: want.refused, used: c.Account.Used,
		aside: tallies(c.Account.SetAside), reject: tallies(c.Account.Rejected), tracks: len(c.Tracks)}
	for _, s := range samplesOf(c) {
		if !s.Value.Known() {
			got.unknown++
		}
	}
	if n := len(c.Domains); n > 0 {
		got.clock = c.Domains[0].Kind.String()
		if c.Domains[0].Kind != model.DomainNone {
			const layout = "2006-01-02T15:04:05.000"
			got.first = model.Time(c.Domains[0].Valid.Start).UTC().Format(layout)
			got.last = model.Time(c.Domains[n-1].Valid.End - 1).UTC().Format(layout)
		}
	}
	for _, tr := range c.Tracks {
		got.holes += len(tr.Unknown)
	}
	if got != want {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
	checkCapture(t, c, 1<<40)
}

// figures are those of the catalogue's own count of a file: data rows, the largest gap
// between neighbouring rows in milliseconds, steps back and equal neighbours.
var figures = regexp.MustCompile(`(\d+) data rows, \d+ header row\(s\), \d+ other non-blank line\(s\); .*; largest gap (-?\d+)\.(\d{3}) s; (\d+) step\(s\) back, (\d+) equal neighbouring timestamps`)

// The rows of every file lie as far apart as the catalogue counted independently.
func TestDistancesOfTheCatalogue(t *testing.T) {
	text, err := os.ReadFile("../../../shared/FORMAT-samples.md")
	if err != nil {
		t.Skip("the shared samples do not lie beside the repository")
	}
	name, compared := "", 0
	for line := range strings.Lines(string(text)) {
		if m := regexp.MustCompile(`^\*\*([^*]+)\*\* \(`).FindStringSubmatch(line); m != nil {
			name = m[1]
		}
		m := figures.FindStringSubmatch(line)
		if m == nil || !slices.ContainsFunc(catalogue, func(s sample) bool { return s.file == name }) {
			continue
		}
		var want [5]int64
		for i, s := range m[1:] {
			want[i], _ = strconv.ParseInt(s, 10, 64)
		}
		c, _ := Format().Read(context.Background(), sharedFile(t, name), ingest.Options{Declared: &model.Declaration{}})
		rows, gap, back, equal := distances(c)
		if rows < 2 || want[0] < 2 || int64(rows) != want[0] {
			continue // rows without samples, or a form that the catalogue did not count by rows
		}
		compared++
		if gap != want[1]*1000+want[2] || back != want[3] || equal != want[4] {
			t.Errorf("%s: largest gap %d ms, %d back, %d equal; the catalogue has %d, %d, %d", name, gap, back, equal, want[1]*1000+want[2], want[3], want[4])
		}
	}
	if compared < 13 {
		t.Errorf("%d files compared, want most of the catalogue", compared)
	}
}

// distances are those of the rows of a capture in file order.
func distances(c *model.Capture) (rows int, gap, back, equal int64) {
	var last model.ClockTime
	off := int64(-1)
	for _, s := range samplesOf(c) {
		if s.Offset == off {
			continue
		}
		if off = s.Offset; rows > 0 {
			d := (int64(s.At) - int64(last)) / int64(time.Millisecond)
			gap = max(gap, d)
			if d < 0 {
				back++
			} else if s.At == last {
				equal++
			}
		}
		last = s.At
		rows++
	}
	return rows, gap, back, equal
}
