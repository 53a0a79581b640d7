package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What init writes declares nothing; with every # taken away it is a run.yaml that can
// be read, and names the files as they are called.
func TestInit(t *testing.T) {
	dir := folder(t, map[string]string{
		"gpu log.csv": "timestamp, index, utilization.gpu [%]\n2026/05/04 10:00:00.000, 0, 7 %\n2026/05/04 10:00:01.000, 0, 8 %\n",
		"app.log":     "2026-05-04T01:00:00Z INFO step 1\n2026-05-04T01:00:03Z INFO step 2\n",
		"t.json":      `{"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1000000,"dur":5,"args":{"device":0,"stream":7}}]}`,
		"notes.bin":   "\x00\x01\x02",
	})
	got := call("init", dir).wantCode(t, exitDone)
	path := filepath.Join(dir, "run.yaml")
	text := read(t, path)
	if !strings.Contains(got.out, "run.yaml") {
		t.Errorf("got %q", got.out)
	}
	for _, want := range []string{`"gpu log.csv": {zone: Asia/Seoul}`, `"t.json": {offset: `, `"app.log" states UTC`, `"notes.bin"`, "#symptom: "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	commented := call("build", dir, "-qo", filepath.Join(t.TempDir(), "r.html"), "--json", "-").wantCode(t, exitDone)
	if !strings.Contains(commented.out, `"name": null`) {
		t.Error("the commented file declares a name")
	}
	open := regexp.MustCompile(`(?m)^#([a-z])`).ReplaceAllString(text, "$1")
	if err := os.WriteFile(path, []byte(open), 0o600); err != nil {
		t.Fatal(err)
	}
	all := call("build", dir, "-qo", filepath.Join(t.TempDir(), "r.html"), "--json", "-").wantCode(t, exitDone)
	for _, want := range []string{`"name": "baseline"`, `"Asia/Seoul"`} {
		if !strings.Contains(all.out, want) {
			t.Errorf("%q is missing in the summary of the opened file", want)
		}
	}
	again := call("init", dir).wantCode(t, exitNothing)
	if read(t, path) != open || !strings.Contains(again.err, "there already") {
		t.Errorf("an existing run.yaml: %q", again.err)
	}
}

func TestInitWithoutAFolder(t *testing.T) {
	call("init").wantCode(t, exitUsage)
	call("init", "a", "b").wantCode(t, exitUsage)
	missing := filepath.Join(t.TempDir(), "none")
	if got := call("init", missing).wantCode(t, exitNothing); !strings.Contains(got.err, "no such folder") && !strings.Contains(got.err, "no such file") {
		t.Errorf("got %q", got.err)
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("the folder was made")
	}
}
