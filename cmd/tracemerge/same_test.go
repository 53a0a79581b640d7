package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// indented writes a decoded value with its keys in order.
func indented(t *testing.T, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

func (b built) wantSame(t *testing.T, what string, other built) {
	t.Helper()
	if d := diff(b.json, other.json); d != "" {
		t.Errorf("%s: the summaries differ\n%s", what, d)
	}
	if b.html != other.html {
		t.Errorf("%s: the reports differ\n%.2000s", what, diff(b.html, other.html))
	}
}

// The same input gives the same bytes, however it is read.
func TestSameBytes(t *testing.T) {
	runs := []string{fixtures + "loader-before", fixtures + "loader-after"}
	first := buildBoth(t, runs...)
	first.wantSame(t, "built twice", buildBoth(t, runs...))
	for _, jobs := range []string{"1", "8"} {
		first.wantSame(t, jobs+" files at a time", buildBoth(t, append(runs, "--jobs", jobs)...))
	}
	first.wantSame(t, "with progress", buildBoth(t, append(runs, "--progress", "plain")...))
	if other := buildBoth(t, runs[1], runs[0]); other.json == first.json {
		t.Error("another baseline gives the same summary: the comparison proves nothing")
	}
}

// Where a run lies does not change its report: only the folder's own name is of
// it, and the dates of files are not read.
func TestSameBytesElsewhere(t *testing.T) {
	files := map[string]string{}
	for _, f := range []string{"gpu.csv", "rank0.pt.trace.json.gz", "run.yaml", "train.log.jsonl"} {
		files["run/"+f] = read(t, fixtures+"loader-before/"+f)
	}
	a, b := folder(t, files), folder(t, files)
	for _, f := range names(t, b+"/run") {
		old := mustTime(t, "2001-02-03T04:05:06Z")
		if err := os.Chtimes(filepath.Join(b, "run", f), old, old); err != nil {
			t.Fatal(err)
		}
	}
	buildBoth(t, a+"/run").wantSame(t, "in another place", buildBoth(t, b+"/run/"))
}

// The zone and language of the machine are no part of the input, unless the
// person says --zone local.
func TestSameBytesOnAnotherMachine(t *testing.T) {
	dir := folder(t, map[string]string{
		"app.log": read(t, fixtures+"mockreview/app.log"),
		// A civil clock: nothing declares its zone.
		"gpu.csv": read(t, fixtures+"loader-before/gpu.csv"),
	})
	on := func(t *testing.T, env []string, flags ...string) built {
		out := t.TempDir()
		args := append([]string{"build", "-q", dir, "-o", filepath.Join(out, "r.html"), "--json", filepath.Join(out, "s.json")}, flags...)
		spawn(t, ".", env, args...).wantCode(t, exitDone)
		return built{read(t, filepath.Join(out, "r.html")), read(t, filepath.Join(out, "s.json"))}
	}
	seoul := []string{"TZ=Asia/Seoul", "LANG=ko_KR.UTF-8", "LC_ALL=ko_KR.UTF-8"}
	york := []string{"TZ=America/New_York", "LANG=C", "LC_ALL=C", "HOME=/nonexistent", "GOMAXPROCS=1"}
	on(t, seoul).wantSame(t, "in Seoul and in New York", on(t, york))
	local, there := on(t, seoul, "--zone", "local"), on(t, york, "--zone", "local")
	if local.json == there.json {
		t.Error("--zone local gives the same in Seoul and in New York: the zones of this test do not reach the program")
	}
}

func mustTime(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
