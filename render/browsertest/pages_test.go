package browsertest

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A page is a report on disk.
type page struct {
	name, url string
	hand      bool // hand-made: every section and picture is there
}

// The reports are built once for all tests.
var (
	built    []page
	buildDir string
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "pages")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	buildDir = dir
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// pages builds the reports to look at.
func pages(t *testing.T) []page {
	t.Helper()
	if built != nil {
		return built
	}
	dir := buildDir
	cmd := exec.Command("go", "test", "-count=1", "-run", "^TestPages$", "./render", "-args", "-pages="+dir)
	cmd.Dir = filepath.Join("..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building the hand-made pages: %v\n%s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.html"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no hand-made page in %s (%v)", dir, err)
	}
	slices.Sort(files)
	var out []page
	for _, f := range files {
		out = append(out, page{strings.TrimSuffix(filepath.Base(f), ".html"), fileURL(f), true})
	}
	built = append(out, builtPages(t)...)
	return built
}

// builtPages are the reports of a built program, where one is given.
func builtPages(t *testing.T) []page {
	t.Helper()
	bin := os.Getenv("TRACEMERGE_BIN")
	if bin == "" {
		return nil
	}
	var out []page
	for i, run := range filepath.SplitList(os.Getenv("TRACEMERGE_RUNS")) {
		file := filepath.Join(buildDir, "run"+strconv.Itoa(i+1)+".html")
		if msg, err := exec.Command(bin, "build", "--quiet", "--cache", "off", "-o", file, run).CombinedOutput(); err != nil {
			t.Fatalf("building the report of run %d: %v\n%s", i+1, err, msg)
		}
		out = append(out, page{"built-" + strconv.Itoa(i+1), fileURL(file), false})
	}
	return out
}

func fileURL(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}
