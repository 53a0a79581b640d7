package ingest

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tracemerge/model"
)

func TestCollectSymbolicLinks(t *testing.T) {
	outside := folder(t, map[string]string{"private.csv": "smi\n"})
	dir := folder(t, map[string]string{"a.csv": "smi\n", ".data/gpu.csv": "smi\n1\n", "sub/b.csv": "smi\n"})
	for name, target := range map[string]string{
		"out.csv":       filepath.Join(outside, "private.csv"),
		"out-dir":       outside,
		"dangling.csv":  "nowhere",
		"same.csv":      "a.csv",
		"loop":          ".",
		"sub-link":      "sub",
		"mounted.csv":   ".data/gpu.csv",
		"mounted2.csv":  ".data/gpu.csv",
		"sub/up-and-in": "../a.csv",
		".hidden-link":  "a.csv",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skipf("this file system has no symbolic links: %v", err)
		}
	}
	link := filepath.Join(t.TempDir(), "run")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	want := "1 a.csv nvidia-smi read=1\n2 mounted.csv nvidia-smi read=2\n3 sub/b.csv nvidia-smi read=1\n"
	for _, d := range []string{dir, link} {
		got := collect(t, d, 2)
		if l := lines(got.Captures); l != want {
			t.Errorf("got\n%swant\n%s", l, want)
		}
		wantNotes := []string{"ingest/link-broken 1", "ingest/link-folder 2", "ingest/link-inside 3", "ingest/link-outside 2"}
		if c := codes(got.Notices); !reflect.DeepEqual(slices.Sorted(slices.Values(c)), wantNotes) {
			t.Errorf("notices: got %v, want %v", slices.Sorted(slices.Values(c)), wantNotes)
		}
	}
}

func TestReadSingleFile(t *testing.T) {
	dir := folder(t, map[string]string{"sub/a.csv": "smi\n1\n", "own.json": `{"tracemerge":{}}`, "run.yaml": "x"})
	opt := CollectOptions{RunFile: testRunFile()}
	for _, c := range []struct{ path, want string }{
		{"sub/a.csv", "1 a.csv nvidia-smi read=2\n"},
		{"own.json", "1 own.json not-recognised read=0\n"},
		{"run.yaml", "1 run.yaml run-file read=0\n"},
	} {
		got, err := Read(t.Context(), filepath.Join(dir, c.path), testFormats(), opt)
		if err != nil || lines([]*model.Capture{got}) != c.want {
			t.Errorf("%s: got %+v, %v; want %s", c.path, got, err, c.want)
		}
	}
	for path, want := range map[string]string{"none": "no such file", "sub": "not a file"} {
		if got, err := Read(t.Context(), filepath.Join(dir, path), testFormats(), opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, %v; want an error with %q", path, got, err, want)
		}
	}
}
