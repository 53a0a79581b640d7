package smi

import (
	"bufio"
	"context"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tracemerge/ingest"
	"tracemerge/model"
)

// ownStamp is a stamp of nvidia-smi, wherever it stands in a line.
var ownStamp = regexp.MustCompile(`\d{4}/\d\d/\d\d \d\d:\d\d:\d\d[.,]\d{3}`)

// Whatever a file's form, a row has the time that stands in its line, and no line with a
// time is lost: it is a row, or it is accounted for.
func TestStampsAsALineSearchFindsThem(t *testing.T) {
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the shared samples do not lie beside the repository")
	}
	compared := int64(0)
	for _, s := range catalogue {
		f := sharedFile(t, s.file)
		c, _ := Format().Read(context.Background(), f, ingest.Options{Declared: &model.Declaration{}})
		rows := map[int32]model.ClockTime{}
		for _, v := range samplesOf(c) {
			rows[v.Line] = v.At
		}
		stamped, read, line := int64(0), int64(0), int32(0)
		in := bufio.NewReader(sharedFile(t, s.file))
		for {
			text, err := in.ReadString('\n')
			line++
			if m := ownStamp.FindString(text); m != "" {
				stamped++
				at, perr := time.Parse("2006/01/02 15:04:05.000", strings.Replace(m, ",", ".", 1))
				if perr != nil {
					t.Fatal(perr)
				}
				if got, ok := rows[line]; ok {
					read++
					if int64(got) != at.UnixNano() {
						t.Errorf("%s:%d: got the time %d, want %d", s.file, line, got, at.UnixNano())
					}
				}
			}
			if err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if n := c.Account.Read - c.Account.Used; stamped-read > n {
			t.Errorf("%s: %d lines with a time, %d rows, and only %d accounted for otherwise", s.file, stamped, read, n)
		}
		compared += read
	}
	if compared < 7800 {
		t.Errorf("only %d rows compared", compared)
	}
}

// named lists the values of the metric with the name, of every track; unknown ones too.
func named(c *model.Capture, name string) (out []model.Sample) {
	for _, s := range samplesOf(c) {
		if c.Metrics[s.Metric].Name.Raw.Reveal() == name {
			out = append(out, s)
		}
	}
	return out
}

func knownOf(ss []model.Sample) (n int) {
	for _, s := range ss {
		if s.Value.Known() {
			n++
		}
	}
	return n
}

// What the catalogue states about single files in words.
func TestStatementsOfTheCatalogue(t *testing.T) {
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the shared samples do not lie beside the repository")
	}
	rowsOf := func(c *model.Capture) (out []int) {
		for _, tr := range c.Tracks {
			lines := map[int64]bool{}
			for _, s := range samplesOf(c) {
				if s.Track == tr.ID {
					lines[s.Offset] = true
				}
			}
			out = append(out, len(lines))
		}
		return out
	}
	ones := func(c *model.Capture, name string) (n int) {
		for _, s := range named(c, name) {
			if v, ok := s.Value.Get(); ok && v == 1 {
				n++
			}
		}
		return n
	}
	for _, k := range []struct {
		file, what string
		got        func(*model.Capture) []int
		want       []int
	}{
		{"real_2gpu_a6000_interleaved_1ms_apart.csv", "rounds of each GPU", rowsOf, []int{473, 473}},
		{"real_nul_holes_two_writers_one_file.csv", "rows of the two GPUs with index 0", rowsOf, []int{41, 1}},
		{"syn_index_renumbered_after_reboot_uuid_stable.csv", "rows of each uuid", rowsOf, []int{20, 10, 20, 20}},
		{"syn_duplicate_timestamps_one_gpu.csv", "distinct times", func(c *model.Capture) []int {
			at := map[model.ClockTime]bool{}
			for _, s := range samplesOf(c) {
				at[s.At] = true
			}
			return []int{len(at)}
		}, []int{20}},
		{"syn_clocks_event_reasons_bitmask.csv", "rows with 0x04, 0x48", func(c *model.Capture) []int {
			var n [2]int
			for _, s := range named(c, "clocks_event_reasons.active") {
				switch v, _ := s.Value.Get(); v {
				case 0x4:
					n[0]++
				case 0x48:
					n[1]++
				}
			}
			return n[:]
		}, []int{3, 3}},
		{"syn_clocks_event_reasons_bitmask.csv", "power cap, slowdown", func(c *model.Capture) []int {
			return []int{ones(c, "clocks_event_reasons.sw_power_cap"), ones(c, "clocks_event_reasons.hw_slowdown")}
		}, []int{3, 3}},
		{"syn_not_supported_then_na_after_driver_upgrade.csv", "known utilisation, fan", func(c *model.Capture) []int {
			return []int{knownOf(named(c, "utilization.gpu")), knownOf(named(c, "fan.speed"))}
		}, []int{0, 12}},
		{"syn_gb10_unified_memory_na.csv", "known memory, utilisation", func(c *model.Capture) []int {
			return []int{knownOf(named(c, "memory.used")), knownOf(named(c, "utilization.gpu"))}
		}, []int{0, 20}},
		{"syn_gpu_requires_reset_memory_reads_zero.csv", "known utilisation, memory", func(c *model.Capture) []int {
			return []int{knownOf(named(c, "utilization.gpu")), knownOf(named(c, "memory.used"))}
		}, []int{7, 7}},
		{"syn_mig_one_of_two_gpus_insufficient_permissions.csv", "known utilisation, free memory", func(c *model.Capture) []int {
			return []int{knownOf(named(c, "utilization.gpu")), knownOf(named(c, "memory.free"))}
		}, []int{10, 10}},
		{"syn_gpu_is_lost_midway_2gpu.csv", "known utilisation", func(c *model.Capture) []int {
			return []int{knownOf(named(c, "utilization.gpu"))}
		}, []int{40 + 22}},
		{"syn_compute_apps_process_name_with_commas.csv", "known memory, all", func(c *model.Capture) []int {
			m := named(c, "used_gpu_memory")
			return []int{knownOf(m), len(m)}
		}, []int{12, 30}},
		{"syn_gpustat_json_concatenated.json", "known utilisation", func(c *model.Capture) []int {
			return []int{knownOf(named(c, "utilization.gpu"))}
		}, []int{5}},
		{"syn_dmon_oDT_2gpu_header_repeats.txt", "known mtemp, all", func(c *model.Capture) []int {
			m := named(c, "mtemp")
			return []int{knownOf(m), len(m)}
		}, []int{0, 80}},
	} {
		c, err := Format().Read(context.Background(), sharedFile(t, k.file), ingest.Options{Declared: &model.Declaration{}})
		if err != nil {
			t.Errorf("%s: %v", k.file, err)
			continue
		}
		if got := k.got(c); !slices.Equal(got, k.want) {
			t.Errorf("%s: %s: got %v, want %v", k.file, k.what, got, k.want)
		}
	}
}
