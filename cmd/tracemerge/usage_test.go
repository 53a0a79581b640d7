package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A mistake in the command line ends with status 2 before anything is read or
// written, says what is wrong, and where to read on.
func TestUsageErrors(t *testing.T) {
	run := fixtures + "mockreview"
	for _, c := range []struct {
		name string
		args []string
		want string // on standard error
	}{
		{"no command", nil, "which command?"},
		{"unknown command", []string{"frobnicate"}, `no command "frobnicate"`},
		{"the commands are named", []string{"frobnicate"}, "build, check, inspect, init, completion, help, version"},
		{"unknown command after help", []string{"help", "frobnicate"}, `no command "frobnicate"`},
		{"help of two commands", []string{"help", "build", "inspect"}, "one command at a time"},
		{"version with an argument", []string{"version", "1"}, "no arguments"},
		{"build without a run", []string{"build"}, "at least one run folder"},
		{"a run without a name", []string{"build", ""}, "empty name"},
		{"inspect without a path", []string{"inspect"}, "at least one file or folder"},
		{"check without a run", []string{"check", "-r", "gpu_share < 1"}, "at least one run folder"},
		{"check without a requirement", []string{"check", run}, "at least one requirement"},
		{"a requirement that is none", []string{"check", run, "-r", "gpu_share"}, "want PATH OP VALUE"},
		{"a requirement on what the summary does not have", []string{"check", run, "-r", "gpu.share < 1"}, `no key "gpu"`},
		{"unknown long flag", []string{"build", run, "--frob"}, "unknown flag: --frob"},
		{"unknown short flag", []string{"build", run, "-X"}, "unknown shorthand flag"},
		{"unknown flag of inspect", []string{"inspect", run, "--strict"}, "unknown flag: --strict"},
		{"a flag without its value", []string{"build", run, "--json"}, "needs an argument"},
		{"what-if without a factor", []string{"build", run, "--what-if", "gpu_compute"}, "want STAGE=FACTOR"},
		{"what-if with an empty factor", []string{"build", run, "--what-if", "gpu_compute="}, "want a factor"},
		{"what-if without a stage", []string{"build", run, "--what-if", "=0.5"}, "want STAGE=FACTOR"},
		{"what-if with a negative factor", []string{"build", run, "--what-if", "gpu_compute=-0.5"}, "want a factor between 0"},
		{"what-if with no number", []string{"build", run, "--what-if", "gpu_compute=nan"}, "want a factor between 0"},
		{"what-if with an endless factor", []string{"build", run, "--what-if", "gpu_compute=inf"}, "want a factor between 0"},
		{"what-if beyond any number", []string{"build", run, "--what-if", "gpu_compute=1e400"}, "want a factor between 0"},
		{"what-if naming a stage twice", []string{"build", run, "--what-if", "gpu_compute=0.5,gpu_compute=0.4"}, "twice in one scenario"},
		{"what-if ending in a comma", []string{"build", run, "--what-if", "gpu_compute=0.5,"}, "want STAGE=FACTOR"},
		{"from that is no time", []string{"build", run, "--from", "yesterday"}, "want an instant with its zone"},
		{"from without a zone", []string{"build", run, "--from", "2026-05-04T09:00:00"}, "want an instant with its zone"},
		{"to that does not exist", []string{"build", run, "--to", "2026-02-30T09:00:00Z"}, "want an instant with its zone"},
		{"from equal to to", []string{"build", run, "--from", "2026-05-04T09:00:00+09:00", "--to", "2026-05-04T00:00:00Z"}, "--from must lie before --to"},
		{"from after to", []string{"build", run, "--from", "2026-05-04T09:00:01Z", "--to", "2026-05-04T09:00:00Z"}, "--from must lie before --to"},
		{"to before the first record", []string{"build", run, "--to", "2020-01-01T00:00:00Z"}, "leave nothing of the run"},
		{"from after the last record", []string{"build", run, "--from", "2030-01-01T00:00:00Z"}, "leave nothing of the run"},
		{"a language that is not there yet", []string{"build", run, "--lang", "ko"}, `want en, found "ko"`},
		{"a cache that is not there yet", []string{"build", run, "--cache", "somewhere"}, "only off"},
		{"progress of an unknown kind", []string{"build", run, "--progress", "loud"}, "want auto or plain or off"},
		{"jobs below zero", []string{"build", run, "--jobs", "-1"}, "want 0 or more"},
		{"jobs of inspect below zero", []string{"inspect", run, "--jobs", "-1"}, "want 0 or more"},
		{"jobs that are no number", []string{"build", run, "--jobs", "many"}, "invalid argument"},
		{"a zone that does not exist", []string{"build", run, "--zone", "Mars/Phobos"}, "the time zone Mars/Phobos is not known"},
		{"a zone of inspect that does not exist", []string{"inspect", run, "--zone", "Mars/Phobos"}, "the time zone Mars/Phobos is not known"},
		{"no output", []string{"build", run, "--output", ""}, "name a file"},
		{"the report on standard output", []string{"build", run, "--output", "-"}, "name a file"},
		{"the record on standard output", []string{"build", run, "--record", "-"}, "name a file"},
		{"a record over the report", []string{"build", run, "-o", "DIR/x", "--record", "DIR/./x"}, "file of another output"},
		{"two outputs of one name", []string{"build", run, "-o", "DIR/x", "--json", "DIR/./x"}, "name the same file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			args := slices.Clone(c.args)
			for i, a := range args {
				if rest, ok := strings.CutPrefix(a, "DIR/"); ok {
					args[i] = dir + "/" + rest
				}
			}
			// The last of a flag's values counts, so a place in dir comes first.
			if len(args) > 1 && args[0] == "build" {
				args = slices.Insert(args, 1, "-o", filepath.Join(dir, "r.html"))
			}
			got := call(args...)
			if got.code != exitUsage {
				t.Errorf("exit status: got %d, want %d", got.code, exitUsage)
			}
			if !strings.Contains(got.err, c.want) {
				t.Errorf("standard error: got %q, want it to hold %q", got.err, c.want)
			}
			if !strings.HasPrefix(got.err, "tracemerge: ") || !strings.Contains(got.err, "\nsee: tracemerge help") {
				t.Errorf("standard error: got %q, want the program's name and where to read on", got.err)
			}
			if got.out != "" {
				t.Errorf("standard output: got %q, want nothing", got.out)
			}
			if n := names(t, dir); len(n) > 0 {
				t.Errorf("files left behind: %v", n)
			}
		})
	}
}

// What cannot be built ends with status 1, names the place, and leaves nothing.
func TestNothingWritten(t *testing.T) {
	broken := folder(t, map[string]string{"app.log": read(t, fixtures+"mockreview/app.log"), "run.yaml": "name: x\nsymptm: {kind: pause}\n"})
	zone := folder(t, map[string]string{"gpu.csv": read(t, fixtures+"loader-before/gpu.csv"), "run.yaml": "name: x\nclocks:\n  gpu.csv: {zone: Mars/Phobos}\n"})
	other := folder(t, map[string]string{"gpu.csv": read(t, fixtures+"loader-before/gpu.csv"), "run.yaml": "clocks: {gpus.csv: {zone: Asia/Seoul}}\n"})
	form := folder(t, map[string]string{"app.log": "2026-05-04 09:00:00,1 a\n", "run.yaml": "formats:\n  app.log: python-loging\n"})
	lost := folder(t, map[string]string{"app.log": "2026-05-04 09:00:00,1 a\n", "run.yaml": "formats: {ap.log: glog}\n"})
	file := filepath.Join(folder(t, map[string]string{"plain": "a file\n"}), "plain")
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"no such folder", []string{"nowhere"}, []string{"nowhere: no such folder"}},
		{"an empty folder", []string{t.TempDir()}, []string{"no files"}},
		{"a file is no run", []string{fixtures + "mockreview/app.log"}, []string{"not a folder"}},
		{"the second run is missing", []string{fixtures + "mockreview", "nowhere"}, []string{"nowhere: no such folder"}},
		{"a folder of runs is no run", []string{fixtures}, []string{"two run files"}},
		{"an unknown key names line and nearest key", []string{broken}, []string{"run.yaml:2:", "symptom"}},
		{"an unknown zone names its line", []string{zone}, []string{"run.yaml:3:", "Asia/Seoul"}},
		{"a clock of a file that is not there names the nearest", []string{other}, []string{"run.yaml:1:", "the nearest name is gpu.csv"}},
		{"an unknown format names its line and the nearest", []string{form}, []string{"run.yaml:2:", "formats:", "did you mean \"python-logging\"?"}},
		{"a format of a file that is not there names the nearest", []string{lost}, []string{"run.yaml:1:", "the nearest name is app.log"}},
		{"the output's folder is missing", []string{fixtures + "mockreview", "-o", "DIR/none/r.html"}, []string{"cannot write into the folder"}},
		{"the output's folder is a file", []string{fixtures + "mockreview", "-o", file + "/r.html"}, []string{"output:"}},
		{"the output is a folder", []string{fixtures + "mockreview", "-o", fixtures}, []string{"is a folder; name a file"}},
		{"the output is a device", []string{fixtures + "mockreview", "-o", os.DevNull}, []string{"not a regular file"}},
		{"the summary's folder is missing", []string{fixtures + "mockreview", "--json", "DIR/none/s.json"}, []string{"cannot write into the folder"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			args := []string{"build", "-o", filepath.Join(dir, "r.html")}
			for _, a := range c.args {
				args = append(args, strings.Replace(a, "DIR", dir, 1))
			}
			got := call(args...)
			if got.code != exitNothing {
				t.Errorf("exit status: got %d, want %d", got.code, exitNothing)
			}
			for _, w := range c.want {
				if !strings.Contains(got.err, w) {
					t.Errorf("standard error: got %q, want it to hold %q", got.err, w)
				}
			}
			if got.out != "" {
				t.Errorf("standard output: got %q, want nothing", got.out)
			}
			if n := names(t, dir); len(n) > 0 {
				t.Errorf("files left behind: %v", n)
			}
		})
	}
}

// inspect says what it can about a run whose run.yaml is wrong: it is the
// command that shows what is wrong.
func TestInspectToleratesAWrongRunFile(t *testing.T) {
	dir := folder(t, map[string]string{"app.log": read(t, fixtures+"mockreview/app.log"), "run.yaml": "name: x\nsymptm: {kind: pause}\n"})
	got := call("inspect", dir).wantCode(t, exitDone)
	for _, w := range []string{"app.log", "line 2", "symptom"} {
		if !strings.Contains(got.out, w) {
			t.Errorf("got\n%s\nwant it to hold %q", got.out, w)
		}
	}
	missing := call("inspect", "nowhere").wantCode(t, exitNothing)
	if !strings.Contains(missing.err, "nowhere: no such file") {
		t.Errorf("got %q, want the missing path named", missing.err)
	}
}

// Flags and arguments stand in any order; behind -- everything is an argument.
func TestOrderOfArguments(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "r.html")
	want := buildBoth(t, fixtures+"mockreview", "--what-if", "write=0.5").html
	for _, args := range [][]string{
		{"build", fixtures + "mockreview", "-o", out, "--what-if", "write=0.5"},
		{"build", "-o", out, "--what-if", "write=0.5", fixtures + "mockreview"},
		{"build", "-w", "write=0.5", fixtures + "mockreview", "--output=" + out},
		{"build", "-wwrite=0.5", "-qo" + out, "--", fixtures + "mockreview"},
	} {
		call(args...).wantCode(t, exitDone)
		if read(t, out) != want {
			t.Errorf("%v: another report than with the flags in another place", args[1:])
		}
		if err := os.Remove(out); err != nil {
			t.Fatal(err)
		}
	}
	got := call("build", "-o", out, "--", "--strict").wantCode(t, exitNothing)
	if !strings.Contains(got.err, "--strict: no such folder") {
		t.Errorf("got %q, want --strict behind -- taken as a folder", got.err)
	}
	help := call("build", "-o", out, "--", "--help").wantCode(t, exitNothing)
	if !strings.Contains(help.err, "--help: no such folder") {
		t.Errorf("got %q, want --help behind -- taken as a folder", help.err)
	}
}

func TestHelpLimitsNamesEveryReader(t *testing.T) {
	got := call("help", "limits").wantCode(t, exitDone)
	for _, f := range formats() {
		if len(f.Limits) == 0 || !strings.Contains(got.out, f.Name+"\n") {
			t.Errorf("%s: %d limits, in the help: %v", f.Name, len(f.Limits), strings.Contains(got.out, f.Name))
		}
	}
	for _, want := range []string{"2000 times its size on disk", "67108864 bytes", "run.yaml"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing in:\n%s", want, got.out)
		}
	}
}
