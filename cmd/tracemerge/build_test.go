package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// cutTrace is a folder with a log and a trace whose compressed file ends early.
func cutTrace(t *testing.T) string {
	t.Helper()
	trace := read(t, fixtures+"loader-before/rank0.pt.trace.json.gz")
	return folder(t, map[string]string{
		"app.log":             read(t, fixtures+"mockreview/app.log"),
		"sub/rank0.json.gz":   trace[:len(trace)/2],
		"sub/notes":           "nobody knows what this is",
		"sub/.hidden.json.gz": trace[:100],
	})
}

// A file that is cut off costs a warning that names it, and with --strict the
// exit status; the report is written in both cases.
func TestStrict(t *testing.T) {
	dir := cutTrace(t)
	file := filepath.Join(dir, "sub", "rank0.json.gz")
	for _, c := range []struct {
		name string
		args []string
		code int
		warn bool
	}{
		{"without --strict", nil, exitDone, true},
		{"with --strict", []string{"--strict"}, exitPartial, true},
		{"--quiet keeps the warning back", []string{"--quiet"}, exitDone, false},
		{"--quiet does not change the status", []string{"--quiet", "--strict"}, exitPartial, false},
		{"--strict switched off", []string{"--strict=false"}, exitDone, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "r.html")
			got := call(append([]string{"build", dir, "-o", out}, c.args...)...).wantCode(t, c.code)
			if warned := strings.Contains(got.err, "warning: "+file+": "); warned != c.warn {
				t.Errorf("warning that names the file: got %v, want %v\n%s", warned, c.warn, got.err)
			}
			if strings.Contains(got.err, "notes") || strings.Contains(got.err, ".hidden") {
				t.Errorf("a file that is not recognised, or is hidden, is no trouble:\n%s", got.err)
			}
			if !strings.Contains(read(t, out), generatorMark) {
				t.Error("no report was written")
			}
		})
	}
	sound := call("build", fixtures+"mockreview", "--strict", "-o", filepath.Join(t.TempDir(), "r.html")).wantCode(t, exitDone)
	if strings.Contains(sound.err, "warning") {
		t.Errorf("a sound run: got %q, want no warning", sound.err)
	}
}

// The contract: a file that is not recognised is listed, never an error, so a
// folder of such files gives a report in which everything is unknown.
func TestNothingRecognised(t *testing.T) {
	dir := folder(t, map[string]string{"notes": "nobody knows what this is", "empty.csv": "", "archive": "PK\x03\x04 and so on"})
	v := summary(t, dir, "--strict")
	r := firstRun(t, v)
	sources := object(t, r, "sources").([]any)
	if len(sources) != 3 {
		t.Errorf("got %d sources, want all 3 files listed", len(sources))
	}
	for _, s := range sources {
		if object(t, s, "kind") != "not-recognised" || object(t, s, "why") == nil || object(t, s, "records") != nil {
			t.Errorf("got %v, want a file that is not recognised, with the reason and without a number of records", s)
		}
	}
	for _, path := range [][]string{{"gpu_share"}, {"window", "seconds"}, {"accounted", "stage_seconds"}, {"accounted", "unknown_seconds"}, {"progress", "accepted"}} {
		if v := object(t, r, path...); v != nil {
			t.Errorf("%v: got %v, want null", path, v)
		}
		path[len(path)-1] += "_unknown"
		if why, _ := object(t, r, path...).(string); why == "" {
			t.Errorf("%v: no reason", path)
		}
	}
	if got := object(t, r, "stages").([]any); len(got) != 0 {
		t.Errorf("got %d stages, want none", len(got))
	}
}

// An existing file is replaced only if it is one of ours, is empty, or --force
// is given.
func TestExistingOutputs(t *testing.T) {
	ours := buildBoth(t, fixtures+"loader-after")
	for _, c := range []struct {
		name   string
		before string
		flag   string // which output
		force  bool
		code   int
	}{
		{"a foreign page is kept", "<html>my page</html>", "-o", false, exitNothing},
		{"a foreign page is replaced with --force", "<html>my page</html>", "-o", true, exitDone},
		{"a page that only mentions us is kept", "<html>tracemerge</html>", "-o", false, exitNothing},
		{"an own report is replaced", ours.html, "-o", false, exitDone},
		{"an empty file is replaced", "", "-o", false, exitDone},
		{"a summary is no report", ours.json, "-o", false, exitNothing},
		{"foreign JSON is kept", `{"results": []}`, "--json", false, exitNothing},
		{"foreign JSON is replaced with --force", `{"results": []}`, "--json", true, exitDone},
		{"an own summary is replaced", ours.json, "--json", false, exitDone},
		{"a report is no summary", ours.html, "--json", false, exitNothing},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := folder(t, map[string]string{"target": c.before})
			target := filepath.Join(dir, "target")
			args := []string{"build", fixtures + "mockreview", c.flag, target}
			if c.flag == "--json" {
				args = append(args, "-o", filepath.Join(dir, "r.html"))
			}
			if c.force {
				args = append(args, "--force")
			}
			got := call(args...).wantCode(t, c.code)
			now := read(t, target)
			if kept := now == c.before; kept != (c.code != exitDone) {
				t.Errorf("the old file is still there: got %v, want %v", kept, c.code != exitDone)
			}
			if c.code == exitNothing {
				if !strings.Contains(got.err, "--force") || !strings.Contains(got.err, target) {
					t.Errorf("got %q, want the file named and --force offered", got.err)
				}
				if n := names(t, dir); len(n) != 1 {
					t.Errorf("got files %v, want only the old one", n)
				}
			}
		})
	}
}

// Data goes to standard output, messages to standard error.
func TestStandardOutput(t *testing.T) {
	dir := t.TempDir()
	args := []string{"build", fixtures + "mockreview", "-o", filepath.Join(dir, "r.html")}
	got := call(append(args, "--json", "-")...).wantCode(t, exitDone)
	if _, ok := decoded(t, got.out).(map[string]any); !ok {
		t.Errorf("standard output is no JSON object: %.200s", got.out)
	}
	if want := buildBoth(t, fixtures+"mockreview").json; got.out != want {
		t.Errorf("--json - and --json FILE differ:\n%s", diff(want, got.out))
	}
	if got := call(args...).wantCode(t, exitDone); got.out != "" || got.err != "report: "+filepath.Join(dir, "r.html")+"\n" {
		t.Errorf("got %q on standard output and %q on standard error, want only the report's place on standard error", got.out, got.err)
	}
	if got := call(append(args, "-q")...).wantCode(t, exitDone); got.out+got.err != "" {
		t.Errorf("--quiet: got %q and %q, want silence", got.out, got.err)
	}
	if n := names(t, dir); !slices.Equal(n, []string{"r.html"}) {
		t.Errorf("got files %v, want the report only", n)
	}
}

func TestProgress(t *testing.T) {
	for _, c := range []struct {
		value string
		lines int // that tell how far the reading is; standard error is no terminal here
	}{{"plain", 4}, {"off", 0}, {"auto", 0}} {
		t.Run(c.value, func(t *testing.T) {
			got := call("build", fixtures+"loader-before", "-o", filepath.Join(t.TempDir(), "r.html"), "--progress", c.value).wantCode(t, exitDone)
			if n := strings.Count(got.err, " of 4 files"); n < c.lines || c.lines == 0 && n > 0 {
				t.Errorf("got %d lines of progress, want %d\n%s", n, c.lines, got.err)
			}
			if strings.Contains(got.err, "\r") {
				t.Errorf("got %q, want whole lines", got.err)
			}
		})
	}
}

// An interrupted build leaves neither an output nor a part of one.
func TestInterrupted(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  func(o *buildOptions, w *bytes.Buffer) (context.Context, *watched)
	}{
		{"before it began", func(*buildOptions, *bytes.Buffer) (context.Context, *watched) { return gone, nil }},
		{"in the middle of reading", func(o *buildOptions, w *bytes.Buffer) (context.Context, *watched) {
			// The first line of progress is where the person presses Ctrl-C.
			ctx, cancel := context.WithCancel(t.Context())
			o.progress.value = "plain"
			return ctx, &watched{w, cancel}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			o := new(buildOptions)
			if _, err := parse(o.flags(), []string{"-o", filepath.Join(dir, "r.html"), "--json", filepath.Join(dir, "s.json"), "-j", "1"}); err != nil {
				t.Fatal(err)
			}
			var out, msg bytes.Buffer
			io := stdio{strings.NewReader(""), &out, &msg}
			ctx, w := c.ctx(o, &msg)
			if w != nil {
				io.err = w
			}
			if err := build(ctx, o, []string{fixtures + "loader-before", fixtures + "mockreview"}, io); err == nil || ctx.Err() == nil {
				t.Fatalf("got error %v, want that of an interrupted build", err)
			}
			if n := names(t, dir); len(n) > 0 {
				t.Errorf("files left behind: %v", n)
			}
			if out.Len() > 0 {
				t.Errorf("standard output: got %q, want nothing", out.String())
			}
		})
	}
}

// watched calls back at the first write.
type watched struct {
	*bytes.Buffer
	first func()
}

func (w *watched) Write(b []byte) (int, error) {
	w.first()
	return w.Buffer.Write(b)
}

// An output that cannot take its place is removed.
func TestOutputThatCannotBeRenamed(t *testing.T) {
	dir := t.TempDir()
	o, err := create(filepath.Join(dir, "r.html"), false, isReport)
	if err != nil {
		t.Fatal(err)
	}
	// A folder that appears meanwhile cannot be replaced by a file.
	if err := os.MkdirAll(filepath.Join(dir, "r.html", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := o.finish([]byte("page")); err == nil || !strings.Contains(err.Error(), "r.html") {
		t.Errorf("got %v, want an error that names the output", err)
	}
	if n := names(t, dir); !slices.Equal(n, []string{"r.html"}) {
		t.Errorf("got files %v, want no part of the output", n)
	}
}

func runsOf(t *testing.T, v map[string]any) []any { t.Helper(); return object(t, v, "runs").([]any) }

func TestSeveralRuns(t *testing.T) {
	a, b, c := fixtures+"loader-before", fixtures+"loader-after", fixtures+"mockreview"
	t.Run("one run has no comparison", func(t *testing.T) {
		if v := object(t, summary(t, a), "comparison"); v != nil {
			t.Errorf("got %v, want null", v)
		}
	})
	t.Run("of two runs the first is the baseline", func(t *testing.T) {
		v := summary(t, a, b)
		if n := len(runsOf(t, v)); n != 2 {
			t.Errorf("got %d runs, want 2", n)
		}
		list := object(t, v, "comparison").([]any)
		if len(list) != 1 {
			t.Fatalf("got %d comparisons, want 1", len(list))
		}
		for key, i := range map[string]int{"baseline": 0, "candidate": 1} {
			if got, want := object(t, list[0], key), object(t, runsOf(t, v)[i], "name"); got != want || want == nil {
				t.Errorf("%s: got %v, want %v", key, got, want)
			}
		}
	})
	t.Run("a further run is a further entry of a list", func(t *testing.T) {
		v := summary(t, a, b, c)
		list, ok := object(t, v, "comparison").([]any)
		if !ok || len(list) != 2 || len(runsOf(t, v)) != 3 {
			t.Fatalf("got %T of comparisons for %d runs, want a list of 2 for 3", object(t, v, "comparison"), len(runsOf(t, v)))
		}
		for i, x := range list {
			base, next := object(t, x, "baseline_run").(json.Number), object(t, x, "candidate_run").(json.Number)
			if base != "0" || next.String() != fmt.Sprint(i+1) {
				t.Errorf("comparison %d: got run %s against run %s, want run 0 against run %d", i, base, next, i+1)
			}
		}
	})
	t.Run("the same folder twice is two runs that do not differ", func(t *testing.T) {
		v := summary(t, a, a)
		runs := runsOf(t, v)
		if len(runs) != 2 {
			t.Fatalf("got %d runs, want 2", len(runs))
		}
		for _, key := range []string{"stages", "accounted", "progress", "devices"} {
			if x, y := indented(t, object(t, runs[0], key)), indented(t, object(t, runs[1], key)); x != y {
				t.Errorf("%s differs between a run and itself:\n%s", key, diff(x, y))
			}
		}
	})
	t.Run("two folders of one name are two runs", func(t *testing.T) {
		dir := folder(t, map[string]string{"x/run/app.log": read(t, fixtures+"mockreview/app.log"), "y/run/app.log": read(t, fixtures+"mockreview/app.log")})
		if n := len(runsOf(t, summary(t, dir+"/x/run", dir+"/y/run"))); n != 2 {
			t.Errorf("got %d runs, want 2", n)
		}
	})
}

// A report written into a run folder is not taken for one of its files.
func TestOwnOutputInTheRunFolder(t *testing.T) {
	dir := folder(t, map[string]string{"app.log": read(t, fixtures+"mockreview/app.log"), "run.yaml": read(t, fixtures+"mockreview/run.yaml")})
	args := []string{"build", dir, "-o", filepath.Join(dir, "report.html"), "--json", filepath.Join(dir, "summary.json"), "--strict"}
	var second built
	for i := range 3 {
		call(args...).wantCode(t, exitDone)
		now := built{read(t, filepath.Join(dir, "report.html")), read(t, filepath.Join(dir, "summary.json"))}
		sources := object(t, firstRun(t, decoded(t, now.json).(map[string]any)), "sources").([]any)
		if len(sources) != 2 {
			t.Errorf("build %d: got %d sources, want the log and run.yaml", i+1, len(sources))
		}
		switch i {
		case 1:
			second = now
		case 2:
			if now != second {
				t.Errorf("with its own outputs beside the run, a build differs from the one before:\n%s", diff(second.json, now.json))
			}
		}
	}
	if n := names(t, dir); !slices.Equal(n, []string{"app.log", "report.html", "run.yaml", "summary.json"}) {
		t.Errorf("got files %v", n)
	}
}

// The window can be cut from the command line, in any zone.
func TestWindowFlags(t *testing.T) {
	r := firstRun(t, summary(t, fixtures+"mockreview", "--from", "2026-05-04T09:00:30+09:00", "--to", "2026-05-04T00:01:10.5Z"))
	if got := ns(t, object(t, r, "window", "seconds")); got != 40_500_000_000 {
		t.Errorf("window: got %d ns, want 40.5 s", got)
	}
	stages := map[string]int64{}
	for _, s := range object(t, r, "stages").([]any) {
		stages[object(t, s, "stage").(string)] = ns(t, object(t, s, "seconds"))
	}
	if stages["cpu_preparation"] != 30e9 || stages["gpu_compute"] != 10_500_000_000 {
		t.Errorf("got %v, want 30 s of preparation and 10.5 s of compute inside the window", stages)
	}
}

// The folder of the person may be the run folder, and the report has a name
// where none is given.
func TestRunFolderDot(t *testing.T) {
	dir := folder(t, map[string]string{"app.log": read(t, fixtures+"mockreview/app.log")})
	got := spawn(t, dir, nil, "build", ".").wantCode(t, exitDone)
	if got.out != "" || got.err != "report: tracemerge-report.html\n" {
		t.Errorf("got %q and %q, want the report's default name on standard error", got.out, got.err)
	}
	if n := names(t, dir); !slices.Equal(n, []string{"app.log", "tracemerge-report.html"}) {
		t.Errorf("got files %v", n)
	}
	table := spawn(t, dir, nil, "inspect", ".").wantCode(t, exitDone)
	if !strings.Contains(table.out, "app.log") {
		t.Errorf("inspect .: got %q, want the log listed", table.out)
	}
}

// What the terminal shows of a folder's name is what was typed.
func TestRunName(t *testing.T) {
	for _, c := range []struct{ dir, want string }{{"a/b", "b"}, {"a/b/", "b"}, {"a/b/.", "b"}, {"a/b/../c", "c"}} {
		if got := runName(c.dir); got != c.want {
			t.Errorf("%s: got %q, want %q", c.dir, got, c.want)
		}
	}
	if got := runName("."); got == "." || got == "" {
		t.Errorf("the run in the folder .: got %q, want that folder's own name", got)
	}
}
