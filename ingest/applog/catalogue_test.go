package applog

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"tracemerge/ingest"
	"tracemerge/model"
)

// dataDir is where the sample files lie, beside the repository.
const dataDir = "../../../shared/data"

// sample is what the catalogue of the sample files says of one log, as far as it
// can be read from the file alone.
type sample struct {
	file        string
	used, aside int64 // records with a time, and those set aside
	kind        model.DomainKind
	first, last string // of the first domain
	domains     int
	back        int64 // small steps back, "applog/out-of-order"
}

const (
	unix  = model.DomainUnix
	civil = model.DomainCivil
	day   = model.DomainDay // of a month without a year too: counts from midnight of the first day
	none0 = model.DomainNone
)

// The figures are those of the catalogue; where it counts stamps by a pattern,
// those were counted again by hand for records (a stamp in mid-line begins none).
var samples = []sample{
	{"derived_docker_json_file.log", 32, 0, unix, "2025-11-02 05:59:59.47531", "2025-11-02 06:00:02.121310147", 1, 0},
	{"gen_glog_year_in_prefix.log", 10, 0, civil, "2025-12-31 23:59:59.300948", "2026-01-01 00:00:00.708788", 1, 0},
	{"gen_go_slog_json_nanos.jsonl", 8, 0, unix, "2026-12-01 02:16:09.929256828", "2026-12-01 02:16:11.287128156", 1, 0},
	{"gen_go_slog_text_logfmt.log", 8, 0, unix, "2026-12-01 02:16:09.929", "2026-12-01 02:16:11.287", 1, 0},
	{"gen_go_stdlog_default_local_and_utc.log", 15, 0, civil, "2026-11-30 21:16:09.930058", "2026-11-30 21:16:11.287925", 2, 0},
	{"gen_go_zap_production_epoch_float.jsonl", 8, 0, unix, "2026-12-01 02:16:09.9297602", "2026-12-01 02:16:11.287158", 1, 0},
	{"gen_go_zerolog_unix_and_rfc3339_mixed.jsonl", 8, 0, unix, "2026-12-01 02:16:09", "2026-12-01 02:16:11.287", 1, 2},
	{"gen_py_absl_glog_noyear_newyear.log", 8, 1, day, "1970-01-01 23:59:59.739297", "1970-01-02 00:00:00.750313", 1, 0},
	{"gen_py_jsonlogger_asctime.jsonl", 15, 0, civil, "2025-11-02 01:59:59.475", "2025-11-02 01:59:59.825", 2, 0},
	{"gen_py_logging_asctime_dst_fallback.log", 15, 0, civil, "2025-11-02 01:59:59.475", "2025-11-02 01:59:59.825", 2, 0},
	{"gen_py_logging_basicconfig_notime.log", 0, 30, none0, "", "", 1, 0},
	{"gen_py_logging_created_epoch_float.log", 15, 0, unix, "2025-11-02 05:59:59.475597", "2025-11-02 06:00:02.121841", 1, 0},
	{"gen_py_logging_utc_converter_same_format.log", 15, 0, civil, "2025-11-02 05:59:59.475", "2025-11-02 06:00:02.121", 1, 0},
	{"gen_py_loguru_ansi_colour.log", 14, 0, civil, "2025-11-02 01:59:59.475", "2025-11-02 01:59:59.825", 2, 0},
	{"gen_py_loguru_default.log", 14, 0, civil, "2025-11-02 01:59:59.475", "2025-11-02 01:59:59.825", 2, 0},
	{"gen_py_structlog_json_iso_utc.jsonl", 14, 0, unix, "2025-11-02 05:59:59.476705", "2025-11-02 06:00:02.121673", 1, 0},
	{"gen_py_tqdm_cr_plus_logging.log", 3, 11, civil, "2025-11-02 01:00:00.202", "2025-11-02 01:00:02.103", 1, 0},
	{"real_deepspeed_brackets_then_stdout.log", 26, 0, civil, "2025-09-11 22:29:25.313", "2025-09-11 22:30:01.069", 1, 0},
	{"real_dmesg_T_xid119.log", 43, 0, civil, "2025-02-23 16:24:18", "2025-02-23 16:30:13", 1, 0},
	{"real_double_handler_two_formats_and_slurm_utc.log", 4, 5, civil, "2023-09-11 17:25:09.214", "2023-09-11 17:25:33.128", 1, 0},
	{"real_fabricmanager_month_name_multiline.log", 54, 0, civil, "2025-02-25 13:59:45", "2025-02-27 15:10:02", 1, 0},
	{"real_lnav_caddy_zap_epoch_prefix.log", 39, 0, unix, "2025-10-21 04:10:22.3152757", "2025-10-21 04:12:37.9247544", 1, 0},
	{"real_lnav_docker_compose_ts_ansi.log", 22, 0, unix, "2024-04-25 05:32:35.019558005", "2024-04-25 05:54:43.948541926", 1, 1},
	{"real_lnav_ecs.jsonl", 5, 0, unix, "2025-01-13 09:58:13.631", "2025-01-13 09:58:13.634", 1, 0},
	{"real_lnav_epoch_ms_plain.log", 2, 0, unix, "2015-04-10 02:58:07.123", "2015-04-10 02:58:07.456", 1, 0},
	{"real_lnav_glog.log", 7, 0, day, "1970-01-01 15:04:22.619632", "1970-01-01 15:04:22.619776", 1, 0},
	{"real_lnav_journald.json", 2, 0, unix, "2018-08-21 14:04:21.221373", "2018-08-21 14:04:21.221373", 1, 0},
	{"real_lnav_mixed_json_logfmt_panic.log", 14, 0, unix, "2013-09-06 20:00:48.124817", "2013-09-06 22:01:49.124817", 1, 0},
	{"real_lnav_muxed_local_vs_utc.jsonl", 14, 0, civil, "2007-11-03 06:24:38", "2022-11-03 09:23:38", 1, 0},
	{"real_lnav_pino_time_ms.jsonl", 1, 0, unix, "2025-04-24 22:08:37.537", "2025-04-24 22:08:37.537", 1, 0},
	{"real_lnav_syslog_dst_noyear.log", 10, 0, day, "1970-01-01 01:01:03", "1970-01-01 01:59:14", 2, 0},
	{"real_lnav_time_only_rollover.log", 6, 0, day, "1970-01-01 00:00:00", "1970-01-01 03:00:00", 2, 0},
	{"real_loguru_default_numpy_multiline.log", 6, 0, civil, "2023-12-07 22:03:58.149", "2023-12-07 22:04:00.029", 1, 0},
	{"real_mlperf_event_type_contradicts_key.txt", 64, 0, unix, "2024-05-07 19:41:48.744", "2024-05-07 21:01:17.255", 1, 0},
	{"real_mlperf_gnn_8_ranks_init_start_repeated.txt", 80, 0, unix, "2024-05-15 07:06:12.432", "2024-05-15 07:22:16.953", 1, 0},
	{"real_mlperf_llama2_lora_h200.txt", 52, 2, unix, "2024-05-06 11:04:50.207", "2024-05-06 11:29:48.899", 1, 0},
	{"real_mlperf_missing_newline_before_mllog.txt", 267, 13, unix, "2021-10-16 19:39:30.247", "2021-10-16 20:40:19.53", 1, 0},
	{"real_mlperf_srun_rank_prefix_nemo.txt", 101, 29, unix, "2025-04-23 02:47:27.549", "2025-04-23 03:10:59.814", 3, 0},
	{"real_mlperf_v05_old_format_float_epoch.txt", 300, 0, unix, "2018-12-02 21:14:01.948041916", "2018-12-02 21:14:22.746188164", 1, 0},
	{"real_oom_jvm_gc_log_locale_switch.log", 300, 0, unix, "2020-09-22 20:53:20.503", "2020-09-22 21:53:54.822", 1, 0},
	{"real_oom_kern_log_dmesg_uptime.log", 94, 0, day, "1970-01-01 01:56:42", "1970-01-01 01:56:43", 1, 0},
	{"real_oom_top_log_noyear_decimal_comma.log", 40, 1, day, "1970-01-01 01:50:09", "1970-01-01 01:56:42", 1, 0},
	{"real_paddle_logging_plus_glog_mixed.log", 150, 1, civil, "2022-04-12 17:05:16.552", "2022-04-12 23:23:44.559", 2, 0},
	{"real_python_logging_with_cr_bar_540kB_line.log", 5, 906, civil, "2023-11-11 11:45:14.866", "2023-11-11 12:28:58.359", 1, 0},
	{"real_sglang_bracket_time_ansi_bars.log", 275, 173, civil, "2026-08-01 23:37:38", "2026-08-02 00:07:50", 1, 0},
	{"real_slurm_out_tf_glog_traceback_nul.log", 57, 18, civil, "2025-08-17 00:40:32", "2025-08-21 01:32:16.074981", 1, 3},
	{"real_vllm_apiserver_prefix_noyear_crlf.log", 219, 70, day, "1970-01-01 23:19:54", "1970-01-01 23:37:28", 2, 0},
	{"real_wandb_debug_internal_slog_json_nanos_plus0900.jsonl", 16, 0, unix, "2024-11-23 06:40:46.189322543", "2024-11-23 06:49:48.441228763", 1, 0},
	{"real_wandb_debug_python_logging_nozone.log", 25, 0, civil, "2024-11-23 15:40:46.187", "2024-11-23 15:49:45.792", 1, 0},
	{"real_wandb_output_tqdm_cr_traceback_notime.log", 0, 16, none0, "", "", 1, 0},
	{"real_xlm_mmddyy_indented_continuation.log", 37, 0, civil, "2021-05-16 22:08:20", "2021-05-16 22:08:27", 1, 0},
	{"syn_lightning_cr_bar_fused_message.log", 0, 20, none0, "", "", 1, 0},
	{"syn_long_line_150k_json.jsonl", 2, 0, unix, "2026-03-02 14:05:00", "2026-03-02 14:05:01", 1, 0},
	{"syn_megatron_iterations.log", 12, 6, civil, "2026-03-02 14:05:03", "2026-03-02 14:13:30", 1, 0},
	{"syn_mixed_timestamp_formats_one_file.log", 15, 1, unix, "2026-03-02 14:05:00", "2026-03-02 14:05:04.5", 4, 0},
	{"syn_nemo_multiline.log", 7, 1, day, "1970-01-01 14:06:02.123456789", "1970-09-13 03:04:05.000000123", 3, 0},
	{"syn_no_final_newline_half_utf8.log", 1, 1, unix, "2026-03-02 14:05:00", "2026-03-02 14:05:00", 1, 0},
	{"syn_threads_out_of_order_small.log", 8, 0, unix, "2026-03-02 14:05:00.099", "2026-03-02 14:05:03.101", 1, 4},
}

func readSample(t *testing.T, file string) (*model.Capture, ingest.Confidence) {
	t.Helper()
	f, err := ingest.Open(filepath.Join(dataDir, "logs", file), 1, model.NewText(file, model.ClassFile))
	if err != nil {
		t.Fatal(err)
	}
	sure := Format().Match(f.Head())
	c, err := Format().Read(context.Background(), f, ingest.Options{Declared: &model.Declaration{}})
	if err != nil {
		t.Fatalf("reading: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	checkLaws(t, c)
	return c, sure
}

func skipWithoutData(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dataDir, "logs")); err != nil {
		t.Skip("the sample files (shared/data/logs beside the repository) are not here")
	}
}

func TestCatalogue(t *testing.T) {
	skipWithoutData(t)
	for _, k := range samples {
		t.Run(k.file, func(t *testing.T) {
			c, sure := readSample(t, k.file)
			if sure == ingest.No {
				t.Error("match: got no, want at least maybe")
			}
			if got := model.Sum(c.Account.SetAside); c.Account.Used != k.used || got != k.aside {
				t.Errorf("got %d used, %d set aside; want %d, %d (%+v)", c.Account.Used, got, k.used, k.aside, c.Account)
			}
			d := c.Domains[0]
			if d.Kind != k.kind || len(c.Domains) != k.domains {
				t.Fatalf("got kind %v, %d domains; want %v, %d", d.Kind, len(c.Domains), k.kind, k.domains)
			}
			if got := noticed(c, "applog/out-of-order"); got != k.back {
				t.Errorf("small steps back: got %d, want %d", got, k.back)
			}
			if k.kind == none0 {
				return
			}
			if first, last := spell(d.Valid.Start), spell(d.Valid.End-1); first != k.first || last != k.last {
				t.Errorf("range: got %s .. %s, want %s .. %s", first, last, k.first, k.last)
			}
		})
	}
}

// Every log of the folder stands in the table above.
func TestCatalogueIsComplete(t *testing.T) {
	skipWithoutData(t)
	files, err := os.ReadDir(filepath.Join(dataDir, "logs"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, k := range samples {
		known[k.file] = true
	}
	for _, f := range files {
		if !known[f.Name()] {
			t.Errorf("%s: not in the table", f.Name())
		}
	}
}

// The three renderings of one run, on an unambiguous clock and on a local one:
// the local one differs by the offset of New York before and after the change.
func TestSisterFilesAgree(t *testing.T) {
	skipWithoutData(t)
	truth, _ := readSample(t, "gen_py_logging_created_epoch_float.log")
	local, _ := readSample(t, "gen_py_logging_asctime_dst_fallback.log")
	var want []model.Mark
	for m := range marks(truth) {
		want = append(want, m)
	}
	i := 0
	for m := range marks(local) {
		offset := int64(4 * 3600e9)
		if m.Domain == 1 {
			offset = 5 * 3600e9
		}
		at, exact := int64(m.At)+offset, int64(want[i].At)
		if at > exact || at <= exact-1e6 || m.Step != want[i].Step || m.Duration != want[i].Duration {
			t.Errorf("mark %d: got %d, want within a millisecond before %d", i, at, exact)
		}
		i++
	}
	if i != len(want) || i == 0 {
		t.Errorf("marks: got %d, want %d", i, len(want))
	}
}

func TestEdgesOfMLPerfLogs(t *testing.T) {
	skipWithoutData(t)
	for _, k := range []struct {
		file          string
		starts, ends  int
		contradiction int64
	}{
		// event_type says 9 starts and 11 ends; the key decides the first record
		{"real_mlperf_event_type_contradicts_key.txt", 10, 10, 1},
		{"real_mlperf_gnn_8_ranks_init_start_repeated.txt", 27, 20, 0},
		{"real_mlperf_llama2_lora_h200.txt", 12, 12, 0},
		{"real_mlperf_missing_newline_before_mllog.txt", 91, 90, 0},
		{"real_mlperf_srun_rank_prefix_nemo.txt", 12, 12, 0},
	} {
		c, _ := readSample(t, k.file)
		var starts, ends int
		for m := range marks(c) {
			switch m.Edge {
			case model.EdgeStart:
				starts++
			case model.EdgeEnd:
				ends++
			}
		}
		if starts != k.starts || ends != k.ends || noticed(c, "applog/mllog-contradiction") != k.contradiction {
			t.Errorf("%s: got %d starts, %d ends, %d contradictions; want %d, %d, %d", k.file, starts, ends,
				noticed(c, "applog/mllog-contradiction"), k.starts, k.ends, k.contradiction)
		}
	}
}

// Tables and traces are left to their own readers.
func TestOtherKindsAreNotClaimed(t *testing.T) {
	skipWithoutData(t)
	for _, pattern := range []string{"smi/real_*gpu*.csv", "smi/syn_utf8_bom_crlf.csv", "host/pidstat_t*", "host/vmstat*", "host/top_b*", "host/sadf_d*", "traces/*.json.gz"} {
		files, err := filepath.Glob(filepath.Join(dataDir, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: got %d files, error %v", pattern, len(files), err)
		}
		for _, p := range files {
			f, err := ingest.Open(p, 1, model.Text{})
			if err != nil {
				t.Fatal(err)
			}
			if got := Format().Match(f.Head()); got > ingest.Maybe {
				t.Errorf("%s: got %d, want at most maybe", filepath.Base(p), got)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// Levels, steps and ranks, counted in the files by hand.
func TestMarksOfTheCatalogue(t *testing.T) {
	skipWithoutData(t)
	for _, k := range []struct {
		file                 string
		errors, fatal, steps int
		ranks                int
	}{
		{"derived_docker_json_file.log", 1, 0, 12, 0},
		{"gen_glog_year_in_prefix.log", 1, 0, 8, 0},
		{"gen_go_slog_json_nanos.jsonl", 1, 0, 6, 0},
		{"gen_go_slog_text_logfmt.log", 1, 0, 6, 0},
		{"gen_go_zap_production_epoch_float.jsonl", 1, 0, 6, 0},
		{"gen_go_zerolog_unix_and_rfc3339_mixed.jsonl", 1, 0, 6, 0},
		{"gen_py_absl_glog_noyear_newyear.log", 1, 0, 6, 0},
		{"gen_py_jsonlogger_asctime.jsonl", 1, 0, 12, 0},
		{"gen_py_logging_asctime_dst_fallback.log", 1, 0, 12, 0},
		{"gen_py_loguru_ansi_colour.log", 1, 0, 12, 0},
		{"gen_py_loguru_default.log", 1, 0, 12, 0},
		{"gen_py_structlog_json_iso_utc.jsonl", 1, 0, 12, 0},
		{"real_deepspeed_brackets_then_stdout.log", 0, 0, 0, 1},
		{"real_fabricmanager_month_name_multiline.log", 1, 0, 0, 0},
		{"real_lnav_ecs.jsonl", 1, 1, 0, 0},
		{"real_lnav_glog.log", 2, 0, 3, 0},
		{"real_slurm_out_tf_glog_traceback_nul.log", 21, 0, 0, 0},
		{"real_vllm_apiserver_prefix_noyear_crlf.log", 8, 0, 0, 1},
		{"syn_megatron_iterations.log", 0, 0, 12, 0},
		{"syn_threads_out_of_order_small.log", 0, 0, 8, 0},
	} {
		c, _ := readSample(t, k.file)
		var errors, fatal, steps int
		for m := range marks(c) {
			switch m.Level {
			case model.LevelError:
				errors++
			case model.LevelFatal:
				fatal++
			}
			if m.Step.Known() {
				steps++
			}
		}
		ranks := len(c.Tracks) - len(c.Domains)
		if errors != k.errors || fatal != k.fatal || steps != k.steps || ranks != k.ranks {
			t.Errorf("%s: got %d errors, %d fatal, %d steps, %d ranks; want %d, %d, %d, %d", k.file,
				errors, fatal, steps, ranks, k.errors, k.fatal, k.steps, k.ranks)
		}
	}
}
