package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shared is where real exports lie, beside the repository; they are not part of
// it.
const shared = "../../../shared/data/"

// sharedFolders are its folders; each is also built as one run.
var sharedFolders = []struct {
	name  string
	large bool // left out with -short
	mixed bool // traces of one rank from several runs: no run, so only inspect reads it whole
}{
	{"smi", false, false}, {"logs", false, false}, {"host", false, false}, {"published", true, false},
	{"traces/derived", false, true}, {"traces", true, true},
}

func TestSharedFiles(t *testing.T) {
	if _, err := os.Stat(shared); err != nil {
		t.Skipf("no folder %s beside the repository: %v", shared, err)
	}
	for _, f := range sharedFolders {
		t.Run(f.name, func(t *testing.T) {
			if f.large && testing.Short() {
				t.Skip("large files: not with -short")
			}
			t.Parallel()
			dir := filepath.Join(shared, f.name)
			want := countFiles(t, dir)
			if !f.large || f.mixed { // of large files the summary below holds the same
				got := call("inspect", "--json", dir).wantCode(t, exitDone)
				sound(t, object(t, decoded(t, got.out), "sources").([]any), want)
			}
			out := filepath.Join(t.TempDir(), "r.html")
			if f.mixed {
				call("build", "-q", "-o", out, dir).wantCode(t, exitNothing)
				return
			}
			got := call("build", "-q", "-o", out, "--json", "-", dir).wantCode(t, exitDone)
			sound(t, object(t, firstRun(t, decoded(t, got.out).(map[string]any)), "sources").([]any), want)
		})
	}
}

// Each file by itself gives a report too, whatever is wrong with it.
func TestSharedFilesOneByOne(t *testing.T) {
	for _, f := range sharedFolders {
		if f.large {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(shared, f.name)
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Skipf("no folder %s beside the repository: %v", shared, err)
			}
			for _, e := range entries {
				if e.IsDir() || strings.HasPrefix(e.Name(), ".") {
					continue
				}
				got := call("inspect", filepath.Join(dir, e.Name()))
				if got.code != exitDone || !strings.Contains(got.out, e.Name()) || strings.Contains(got.out+got.err, "internal error") {
					t.Errorf("%s: exit status %d\n%s%s", e.Name(), got.code, got.out, got.err)
				}
			}
		})
	}
}

func countFiles(t *testing.T, dir string) int {
	t.Helper()
	n := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(d.Name(), ".") && d.IsDir() && path != dir:
			return fs.SkipDir
		case d.Type().IsRegular() && !strings.HasPrefix(d.Name(), "."):
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// sound checks that every file is there and is accounted for.
func sound(t *testing.T, sources []any, files int) {
	t.Helper()
	if len(sources) != files || files == 0 {
		t.Errorf("got %d sources, want one for each of the %d files", len(sources), files)
	}
	for i, s := range sources {
		balanced(t, i, s)
		for _, p := range object(t, s, "problems").([]any) {
			if text, _ := object(t, p, "message").(string); strings.Contains(text, "internal error") {
				t.Errorf("source %d: %s", i, text)
			}
		}
	}
}

// balanced checks that each record of a source is accounted for, and that what is
// not used has a reason.
func balanced(t *testing.T, i int, s any) {
	t.Helper()
	count := func(key string) (n int64, known bool) {
		v, ok := object(t, s, key).(json.Number)
		if !ok {
			if why, _ := object(t, s, key+"_unknown").(string); why == "" {
				t.Errorf("source %d: %s is unknown without a reason", i, key)
			}
			return 0, false
		}
		n, err := v.Int64()
		if err != nil || n < 0 {
			t.Errorf("source %d: %s is %s", i, key, v)
		}
		return n, true
	}
	read, known := count("records")
	used, _ := count("used")
	aside, _ := count("set_aside")
	rejected, _ := count("rejected")
	if known && read != used+aside+rejected {
		t.Errorf("source %d: %d records are not %d used + %d set aside + %d rejected", i, read, used, aside, rejected)
	}
	problems := len(object(t, s, "problems").([]any))
	why, _ := object(t, s, "why").(string)
	kind := object(t, s, "kind")
	switch {
	case kind == "not-recognised" && why == "":
		t.Errorf("source %d: not recognised without a reason", i)
	case !known && why == "" && problems == 0:
		t.Errorf("source %d (%v): not read, and nothing says why", i, kind)
	case object(t, s, "readable") == false && problems == 0 && why == "":
		t.Errorf("source %d (%v): not readable, and nothing says why", i, kind)
	case rejected > 0 && problems == 0:
		t.Errorf("source %d (%v): %d records rejected, and nothing says why", i, kind, rejected)
	case object(t, s, "truncated") == true && problems == 0:
		t.Errorf("source %d (%v): cut off, and nothing says where", i, kind)
	}
	if len(object(t, s, "sha256").(string)) != 64 {
		t.Errorf("source %d (%v): no hash of its bytes", i, kind)
	}
}
