package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/golden")

// asProgram makes the test binary be tracemerge. What a process fixes at its
// start, such as the zone of the machine, needs a process of its own to change.
const asProgram = "TRACEMERGE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// fixtures is the folder of the fixtures as seen from the tests.
const fixtures = "../../fixtures/"

// ran is what one call of the program gave.
type ran struct {
	code     int
	out, err string
}

// call runs the program in this process.
func call(args ...string) ran {
	var out, msg bytes.Buffer
	code := run(args, stdio{strings.NewReader(""), &out, &msg})
	return ran{code, out.String(), msg.String()}
}

// spawn runs the program in a process of its own, in the folder dir and with
// further variables of the environment.
func spawn(t *testing.T, dir string, env []string, args ...string) ran {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self, args...)
	c.Dir, c.Env = dir, append(append(os.Environ(), asProgram+"=1"), env...)
	var out, msg bytes.Buffer
	c.Stdout, c.Stderr = &out, &msg
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return ran{c.ProcessState.ExitCode(), out.String(), msg.String()}
}

// wantCode ends the test if the call did not give the exit status.
func (r ran) wantCode(t *testing.T, code int) ran {
	t.Helper()
	if r.code != code {
		t.Fatalf("exit status: got %d, want %d\nstandard error:\n%s", r.code, code, r.err)
	}
	return r
}

// folder writes files into a new folder and returns its path.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// read returns a file's content.
func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// names lists a folder, hidden files too.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// built is the pair of outputs of one build.
type built struct{ html, json string }

// buildBoth builds the report and the summary into a new folder. The outputs have
// fixed names, so that they cannot differ by them.
func buildBoth(t *testing.T, args ...string) built {
	t.Helper()
	dir := t.TempDir()
	h, j := filepath.Join(dir, "r.html"), filepath.Join(dir, "s.json")
	call(append([]string{"build", "-o", h, "--json", j}, args...)...).wantCode(t, exitDone)
	return built{read(t, h), read(t, j)}
}

// decoded reads a JSON text, numbers as they are spelt.
func decoded(t *testing.T, text string) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("not JSON: %v\n%.400s", err, text)
	}
	if dec.More() {
		t.Fatalf("more than one JSON value")
	}
	return v
}

// golden compares a text with testdata/golden/NAME.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; go test ./cmd/tracemerge -update writes it", err)
	}
	if d := diff(string(want), got); d != "" {
		t.Errorf("%s (- want, + got; go test ./cmd/tracemerge -update takes the new text):\n%s", path, d)
	}
}

// diff shows what lies between the common beginning and the common end of two
// texts, "" if they are equal.
func diff(want, got string) string {
	if want == got {
		return ""
	}
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	head := 0
	for head < min(len(w), len(g)) && w[head] == g[head] {
		head++
	}
	tail := 0
	for tail < min(len(w), len(g))-head && w[len(w)-1-tail] == g[len(g)-1-tail] {
		tail++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "at line %d\n", head+1)
	show := func(sign string, lines []string) {
		for i, l := range lines {
			if i == 30 {
				fmt.Fprintf(&b, "%s … and %d lines more\n", sign, len(lines)-i)
				break
			}
			fmt.Fprintf(&b, "%s %s\n", sign, l)
		}
	}
	show("-", w[head:len(w)-tail])
	show("+", g[head:len(g)-tail])
	return b.String()
}

func TestDiffShowsWhatDiffers(t *testing.T) {
	for _, c := range []struct{ name, want, got, diff string }{
		{"equal texts have none", "a\nb", "a\nb", ""},
		{"a changed line", "a\nb\nc", "a\nx\nc", "at line 2\n- b\n+ x\n"},
		{"a line more", "a\nc", "a\nb\nc", "at line 2\n+ b\n"},
		{"a line fewer", "a\nb\nb", "a\nb", "at line 3\n- b\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := diff(c.want, c.got); d != c.diff {
				t.Errorf("got\n%q\nwant\n%q", d, c.diff)
			}
		})
	}
}
