package hoststat

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tracemerge/ingest"
	"tracemerge/model"
)

const data = "../../../shared/data/host/"

func read(t *testing.T, text string) *model.Capture {
	t.Helper()
	c, err := readAll(context.Background(), strings.NewReader(text), 1)
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	return c
}

// facts is what the catalogue states of a file.
type facts struct {
	form        string
	used, aside int64 // rows
	stamps      int   // distinct ones
	unknown     int   // samples without a value
	domains     string
	first, last string // of the first piece, on its own calendar
}

func factsOf(c *model.Capture) facts {
	f := facts{form: c.Source.Form, used: c.Account.Used}
	for _, a := range c.Account.SetAside {
		f.aside += a.N
	}
	seen := map[int64]bool{}
	for b := range c.Samples.Batches() {
		for i := range b.At {
			seen[b.At[i]] = true
			if b.Why[i] != model.Present {
				f.unknown++
			}
		}
	}
	f.stamps = len(seen)
	for _, d := range c.Domains {
		f.domains += d.Kind.String() + " "
	}
	f.domains = strings.TrimSpace(f.domains)
	d := c.Domains[0]
	if d.Kind != model.DomainNone {
		f.first = time.Unix(0, int64(d.Valid.Start)).UTC().Format("2006-01-02 15:04:05")
		f.last = time.Unix(0, int64(d.Valid.End-1)).UTC().Format("15:04:05")
		if d.Kind == model.DomainDay {
			f.first = f.first[11:]
		}
	}
	return f
}

// Every file of the catalogue: reports and their range, rows that are no interval,
// values that are none. dstat_output.csv holds its six lines of head and no row.
func TestCatalogue(t *testing.T) {
	if _, err := os.Stat(data); err != nil {
		t.Skip("the catalogue of host statistics is not beside the project (../shared/data/host)")
	}
	for name, want := range map[string]facts{
		"atop_P_parseable.txt":                       {"atop", 4, 2, 2, 0, "unix", "2026-12-01 02:11:50", "02:11:51"},
		"iostat_ISO_dst_fallback_NY.txt":             {"iostat", 12, 2, 6, 0, "unix", "2025-11-02 05:59:57", "06:00:02"},
		"iostat_x_notime.txt":                        {"iostat", 6, 2, 1, 0, "none", "", ""},
		"iostat_xt.json":                             {"sysstat-json", 6, 2, 3, 0, "time_of_day", "02:09:41", "02:09:43"},
		"iostat_xt_C.txt":                            {"iostat", 8, 2, 4, 0, "time_of_day", "02:09:41", "02:09:44"},
		"iostat_xt_ISO.txt":                          {"iostat", 8, 2, 4, 0, "unix", "2026-12-01 02:09:41", "02:09:44"},
		"pidstat_across_newyear_midnight.txt":        {"pidstat", 49, 20, 6, 0, "civil", "2025-12-31 23:59:57", "00:00:02"},
		"pidstat_ctrl_c_average.txt":                 {"pidstat", 3, 1, 3, 0, "time_of_day", "02:28:35", "02:28:37"},
		"pidstat_d_no_permission_minus1.txt":         {"pidstat", 3, 1, 3, 9, "time_of_day", "02:28:29", "02:28:31"},
		"pidstat_hH_TZ_NewYork.txt":                  {"pidstat", 229, 0, 3, 0, "unix", "2026-12-01 02:09:41", "02:09:43"},
		"pidstat_h_H_epoch.txt":                      {"pidstat", 74, 0, 5, 0, "unix", "2026-12-01 02:09:41", "02:09:45"},
		"pidstat_p_tudrw_one_pid.txt":                {"pidstat", 80, 24, 4, 0, "time_of_day", "02:28:21", "02:28:24"},
		"pidstat_tud_S_TIME_FORMAT_ISO.txt":          {"pidstat", 191, 35, 5, 0, "civil", "2026-12-01 02:09:41", "02:09:45"},
		"pidstat_tud_default_C_24h.txt":              {"pidstat", 183, 27, 5, 0, "time_of_day", "02:09:41", "02:09:45"},
		"pidstat_tud_enUS_ampm.txt":                  {"pidstat", 195, 39, 5, 0, "civil", "2026-12-01 02:09:41", "02:09:45"},
		"real_iostat_old_sysstat_ampm_no_banner.txt": {"iostat", 40, 4, 10, 0, "civil", "2022-01-25 06:47:55", "06:48:04"},
		"real_iostat_x_mixed_devices.txt":            {"iostat", 76, 4, 1, 0, "none", "", ""},
		"real_jc_pidstat_hdlrsuw_old_minus1.txt":     {"pidstat", 36, 0, 5, 93, "unix", "2022-03-09 20:53:41", "20:53:49"},
		"real_pidstat_ampm_runs_appended_nohup.txt":  {"pidstat", 78, 141, 26, 0, "civil", "2025-10-23 10:55:29", "01:25:48"},
		"real_top_decimal_comma_cut_80_columns.txt":  {"top", 318, 171, 2, 0, "time_of_day", "09:14:39", "09:14:42"},
		"real_vmstat_t_cet_2h_header_repeats.txt":    {"vmstat", 637, 1, 637, 0, "civil", "2018-03-21 09:03:10", "09:13:47"},
		"sadf_d_T_Tokyo.csv":                         {"sadf", 6, 0, 6, 0, "civil", "2026-12-01 11:10:09", "11:10:14"},
		"sadf_d_U_epoch.csv":                         {"sadf", 6, 0, 6, 0, "unix", "2026-12-01 02:10:09", "02:10:14"},
		"sadf_d_cpu_disk.csv":                        {"sadf", 12, 0, 6, 0, "unix", "2026-12-01 02:10:09", "02:10:14"},
		"sadf_d_t_originaltime.csv":                  {"sadf", 6, 0, 6, 0, "civil", "2026-11-30 02:10:09", "02:10:14"},
		"sadf_j.json":                                {"sysstat-json", 12, 0, 6, 0, "unix", "2026-12-01 02:10:09", "02:10:14"},
		"sar_u_C.txt":                                {"sar", 6, 1, 6, 0, "time_of_day", "02:10:09", "02:10:14"},
		"top_b_H_one_pid_threads.txt":                {"top", 10, 14, 2, 0, "time_of_day", "02:28:19", "02:28:20"},
		"top_b_d1_n5.txt":                            {"top", 289, 95, 4, 0, "time_of_day", "02:09:42", "02:09:45"},
		"top_b_deDE_comma.txt":                       {"top", 158, 89, 2, 0, "time_of_day", "02:09:42", "02:09:43"},
		"vmstat_notime.txt":                          {"vmstat", 4, 1, 1, 0, "none", "", ""},
		"vmstat_t.txt":                               {"vmstat", 4, 1, 4, 0, "unix", "2026-12-01 02:09:41", "02:09:44"},
		"vmstat_t_TZ_Kolkata.txt":                    {"vmstat", 2, 1, 2, 0, "civil", "2026-12-01 07:39:42", "07:39:43"},
		"vmstat_t_dst_fallback_NY.txt":               {"vmstat", 6, 1, 6, 0, "civil civil", "2025-11-02 01:59:57", "01:59:59"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := ingest.Open(data+name, 1, model.Text{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close() //nolint:errcheck // only read from
			if got := match(f.Head()); got != ingest.Certain {
				t.Errorf("confidence %d, want certain", got)
			}
			c, err := readAll(context.Background(), f, 1)
			if err != nil {
				t.Fatal(err)
			}
			if got := factsOf(c); got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			checkAccount(t, c)
		})
	}
	for _, name := range []string{"proc_snapshots_with_date.txt", "sadf_r_raw.txt"} {
		f, err := ingest.Open(filepath.Join(data, name), 1, model.Text{})
		if err != nil {
			t.Fatal(err)
		}
		if got := match(f.Head()); got > ingest.Maybe {
			t.Errorf("%s: confidence %d: its counters are not read", name, got)
		}
		f.Close() //nolint:errcheck // only read from
	}
}

func checkAccount(t *testing.T, c *model.Capture) {
	t.Helper()
	a := c.Account
	sum := a.Used
	for _, x := range append(a.SetAside, a.Rejected...) {
		sum += x.N
	}
	if sum != a.Read {
		t.Errorf("read %d, used, set aside and rejected %d", a.Read, sum)
	}
	for _, d := range c.Domains {
		if d.Kind != model.DomainNone && d.Valid.Empty() {
			t.Errorf("piece %d has no extent", d.ID)
		}
	}
	for _, tr := range c.Tracks {
		for _, h := range tr.Unknown {
			if h.At.Empty() {
				t.Errorf("track %d: empty hole %v", tr.ID, h.At)
			}
		}
	}
}
