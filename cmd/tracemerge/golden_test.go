package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// transcript runs commands and writes down what each gave.
func transcript(t *testing.T, commands ...[]string) string {
	t.Helper()
	var b strings.Builder
	for _, args := range commands {
		got := call(args...)
		fmt.Fprintf(&b, "$ tracemerge %s\n%s%s", strings.Join(args, " "), got.out, got.err)
		if got.code != exitDone {
			fmt.Fprintf(&b, "exit status %d\n", got.code)
		}
		b.WriteString("\n")
	}
	return strings.ReplaceAll(b.String(), fixtures, "fixtures/")
}

func TestGoldenHelp(t *testing.T) {
	golden(t, "help.txt", transcript(t, []string{"help"}, []string{"help", "build"}, []string{"help", "inspect"},
		[]string{"help", "help"}, []string{"help", "version"}, nil, []string{"frobnicate"}))
}

// The several ways of asking for help answer alike.
func TestHelpAnywhere(t *testing.T) {
	for _, same := range [][][]string{
		{{"help"}, {"--help"}, {"-h"}},
		{{"help", "build"}, {"build", "--help"}, {"build", "-h"}, {"build", "nowhere", "--json", "x", "--help"}},
		{{"help", "inspect"}, {"inspect", "-h"}},
		{{"version"}, {"--version"}},
	} {
		want := call(same[0]...).wantCode(t, exitDone)
		if want.out == "" || want.err != "" {
			t.Errorf("%v: got %q and %q, want an answer on standard output only", same[0], want.out, want.err)
		}
		for _, args := range same[1:] {
			if got := call(args...); got != want {
				t.Errorf("%v answers differently from %v:\n%s", args, same[0], diff(want.out, got.out))
			}
		}
	}
}

func TestVersion(t *testing.T) {
	form := regexp.MustCompile(`^tracemerge \S+ \(go1\.\d+\S*( \S+)?, [a-z0-9]+/[a-z0-9]+\)\n$`)
	if got := call("version").wantCode(t, exitDone); !form.MatchString(got.out) {
		t.Errorf("got %q, want %s", got.out, form)
	}
}

func TestGoldenInspect(t *testing.T) {
	golden(t, "inspect.txt", transcript(t,
		[]string{"inspect", fixtures + "loader-before", fixtures + "mockreview"},
		[]string{"inspect", fixtures + "loader-before/gpu.csv"},
		[]string{"inspect", fixtures + "loader-before/gpu.csv", "--zone", "Asia/Seoul"},
		[]string{"inspect", fixtures + "loader-before", "--clock"}))
	golden(t, "inspect.json", call("inspect", fixtures+"mockreview", "--json").wantCode(t, exitDone).out)
}

// pick keeps the named keys of an object.
func pick(t *testing.T, v any, keys ...string) map[string]any {
	t.Helper()
	out := map[string]any{}
	for _, k := range keys {
		out[k] = object(t, v, k)
	}
	return out
}

// figures are those parts of a summary that say what was measured, without the
// sentences around them.
func figures(t *testing.T, v map[string]any) map[string]any {
	t.Helper()
	out := map[string]any{}
	var runs []any
	for _, r := range runsOf(t, v) {
		p := pick(t, r, "name", "temperature", "not_declared", "window", "accounted", "gpu_share", "what_if", "progress", "targets")
		for _, list := range []struct {
			key  string
			keys []string
		}{
			{"sources", []string{"file", "kind", "sha256", "bytes", "records", "rejected", "truncated", "placed", "observed"}},
			{"stages", []string{"stage", "basis", "seconds", "exclusive_seconds", "overlap_seconds", "share", "intervals"}},
			{"pauses", []string{"start", "end", "seconds", "stage"}},
			{"hypotheses", []string{"id"}},
		} {
			var rows []any
			for _, x := range object(t, r, list.key).([]any) {
				rows = append(rows, pick(t, x, list.keys...))
			}
			p[list.key] = rows
		}
		runs = append(runs, p)
	}
	out["runs"] = runs
	if list, ok := object(t, v, "comparison").([]any); ok {
		var rows []any
		for _, c := range list {
			rows = append(rows, pick(t, c, "comparable", "changed_settings", "metrics", "stages"))
		}
		out["comparison"] = rows
	}
	return out
}

func TestGoldenSummaries(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
	}{
		{"mockreview.json", []string{fixtures + "mockreview", "-w", "cpu_preparation=0.5", "-w", "gpu_compute=0.5"}},
		{"loader.json", []string{fixtures + "loader-before", fixtures + "loader-after"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			golden(t, c.name, indented(t, figures(t, summary(t, c.args...))))
		})
	}
}

// The keys that the contract fixes are there, in every run.
func TestContractKeys(t *testing.T) {
	v := summary(t, fixtures+"loader-before", fixtures+"loader-after")
	pick(t, v, "tracemerge", "runs", "comparison", "redaction")
	pick(t, object(t, v, "tracemerge"), "version", "schema")
	pick(t, object(t, v, "redaction"), "replaced", "excerpts", "withheld_lines")
	seen := map[string]int{}
	each := func(list any, what string, keys ...string) {
		t.Helper()
		for _, x := range list.([]any) {
			pick(t, x, keys...)
			seen[what]++
		}
	}
	each(object(t, v, "comparison"), "comparisons", "baseline", "candidate", "comparable", "warnings", "changed_settings", "metrics", "stages")
	for _, r := range runsOf(t, v) {
		pick(t, r, "name", "temperature", "declared", "not_declared", "window", "sources", "devices", "stages", "accounted", "gpu_share",
			"what_if", "progress", "pauses", "hypotheses", "targets")
		pick(t, object(t, r, "window"), "start", "end", "seconds")
		pick(t, object(t, r, "accounted"), "stage_seconds", "unattributed_seconds", "unknown_seconds")
		pick(t, object(t, r, "gpu_share"), "lo", "hi")
		pick(t, object(t, r, "progress"), "first_result_seconds", "accepted", "rejected", "errors", "retries", "accepted_per_minute")
		each(object(t, r, "stages"), "stages", "stage", "basis", "seconds", "exclusive_seconds", "overlap_seconds", "share", "intervals", "uncertainty_seconds")
		each(object(t, r, "what_if"), "what-if rows", "scenario", "strength", "best_case_only", "changes", "total_seconds", "saved_seconds", "speedup", "gpu_share", "limit_speedup")
		each(object(t, r, "pauses"), "pauses", "start", "end", "seconds", "stage", "evidence", "unknown_share")
		each(object(t, r, "hypotheses"), "hypotheses", "id", "statement", "supports", "against", "missing", "next_check")
		each(object(t, r, "targets"), "targets", "name", "wanted", "observed", "met")
		each(object(t, r, "devices"), "devices", "id", "metrics", "busy_share")
		for _, d := range object(t, r, "devices").([]any) {
			each(object(t, d, "metrics"), "metrics", "name", "unit", "samples", "known_seconds", "unknown_seconds", "min", "mean", "max")
		}
		for _, s := range object(t, r, "sources").([]any) {
			pick(t, s, "file", "kind", "sha256", "bytes", "records", "rejected", "truncated", "placed", "clock", "observed", "unknown", "problems", "trace")
			pick(t, object(t, s, "clock"), "domain", "zone", "offset_seconds", "method", "evidence", "ambiguous", "contradictions")
			each(object(t, s, "problems"), "problems", "line", "byte", "message", "count")
			if object(t, s, "kind") != "pytorch-trace" {
				continue
			}
			pick(t, object(t, s, "trace"), "events", "rank", "world_size", "options", "steps", "devices")
			pick(t, object(t, s, "trace", "options"), "with_stack", "record_shapes", "profile_memory")
			each(object(t, s, "trace", "devices"), "trace devices", "device", "kernels", "kernel_busy_seconds", "memcpy_busy_seconds", "memset_busy_seconds",
				"gpu_busy_seconds", "span_seconds", "idle_seconds", "communication_busy_seconds", "communication_overlap_seconds")
		}
	}
	for _, what := range []string{"comparisons", "stages", "what-if rows", "pauses", "hypotheses", "targets", "devices", "metrics", "problems", "trace devices"} {
		if seen[what] == 0 {
			t.Errorf("the fixtures show no %s: their keys are not checked", what)
		}
	}
}

// A number that is unknown is null and has a reason beside it; none is a bare 0
// or NaN. Every null of the summary is held to that.
func TestEveryNullHasItsReason(t *testing.T) {
	nulls := 0
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch x := v.(type) {
		case map[string]any:
			for k, y := range x {
				if y != nil {
					walk(path+"."+k, y)
					continue
				}
				nulls++
				if why, _ := x[k+"_unknown"].(string); why == "" && path+"."+k != ".comparison" {
					t.Errorf("%s.%s is null without a reason", path, k)
				}
			}
		case []any:
			for i, y := range x {
				if y == nil {
					t.Errorf("%s[%d] is null: there is no place for a reason", path, i)
				}
				walk(fmt.Sprintf("%s[%d]", path, i), y)
			}
		}
	}
	for _, args := range [][]string{
		{fixtures + "mockreview"},
		{fixtures + "loader-before", fixtures + "loader-after"},
		{folder(t, map[string]string{"gpu.csv": read(t, fixtures+"loader-before/gpu.csv"), "other": "?"})},
	} {
		walk("", summary(t, args...))
	}
	if nulls == 0 {
		t.Error("no null in any summary: the check proves nothing")
	}
}

// The sections of the report have the ids that the contract fixes, once each, and
// nothing in it asks for the network.
func TestReportSections(t *testing.T) {
	page := buildBoth(t, fixtures+"loader-before", fixtures+"loader-after").html
	var markup strings.Builder // the scripts are two megabytes and hold no sections
	for i, part := range strings.Split(page, "<script") {
		if i > 0 {
			_, part, _ = strings.Cut(part, "</script>")
		}
		markup.WriteString(part)
	}
	page = markup.String()
	ids := map[string]int{}
	for _, m := range regexp.MustCompile(`<[a-z0-9]+ (?:[^<>]* )?id="?([a-z-]+)`).FindAllStringSubmatch(page, -1) {
		ids[m[1]]++
	}
	for _, id := range []string{"summary", "waterfall", "devices", "what-if", "pauses", "hypotheses", "comparison", "record", "clock", "unknown", "excerpts", "method"} {
		if ids[id] != 1 {
			t.Errorf("section %s: got %d elements of that id, want 1", id, ids[id])
		}
	}
	if !strings.Contains(page, generatorMark) || !isReport([]byte(page[:4096])) {
		t.Error("the generator mark does not stand in the first 4 KiB: the report would not be known as our own")
	}
	if !strings.Contains(page, `http-equiv="Content-Security-Policy"`) {
		t.Error("no Content-Security-Policy")
	}
	if m := regexp.MustCompile(`(?i)(src|href)\s*=\s*["']?(https?:)?//[^"' >]*`).FindString(page); m != "" {
		t.Errorf("the page refers to %s", m)
	}
}
