package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "tracemerge/"

// mayImport is the house's plan: which packages of ours a package may import,
// by path below the module. A trailing /… stands for a whole tree.
var mayImport = map[string][]string{
	"model":          {},
	"model/report":   {"model"},
	"model/frame":    {"model"},
	"model/…":        {"model", "model/…"},
	"ingest":         {"model"},
	"ingest/…":       {"ingest", "ingest/…", "model", "model/frame"},
	"align":          {"model", "model/agree", "model/device", "model/sample", "align/…"}, // the last three: evidence from kernels and samples
	"align/…":        {"model", "align/…"},
	"render/redact":  {"model", "model/report"},
	"render/chart":   {"model", "model/report", "render/redact"},
	"render/require": {},
	"render":         {"model", "model/…", "render/…"},
	"cmd/tracemerge": {"model", "model/…", "ingest", "ingest/…", "align", "render", "render/…"},
	"fixtures/gen":   {},
}

// mayReveal lists who may look at text from files: those who classify by it and
// the redactor.
var mayReveal = []string{"ingest", "ingest/…", "align", "model", "model/stage", "model/breakdown", "model/device", "model/hypothesis", "render/redact", "cmd/tracemerge"}

type goPackage struct {
	ImportPath string
	Dir        string
	Imports    []string
	GoFiles    []string
	Standard   bool
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,GoFiles", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []goPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) < 10 {
		t.Fatalf("found %d packages only: the check would prove nothing", len(all))
	}
	return all
}

func covers(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		tree, whole := strings.CutSuffix(p, "/…")
		return path == p || whole && strings.HasPrefix(path, tree+"/")
	})
}

// allowed returns the rule of the package: its own, else that of its tree.
func allowed(path string) ([]string, bool) {
	if r, ok := mayImport[path]; ok {
		return r, true
	}
	for p, r := range mayImport {
		if tree, whole := strings.CutSuffix(p, "/…"); whole && strings.HasPrefix(path, tree+"/") {
			return r, true
		}
	}
	return nil, false
}

func TestImportsFollowThePlan(t *testing.T) {
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module)
		rule, ok := allowed(path)
		if !ok {
			t.Errorf("%s has no place in the plan", path)
			continue
		}
		for _, imp := range p.Imports {
			ours, inside := strings.CutPrefix(imp, module)
			if inside && !covers(rule, ours) {
				t.Errorf("%s imports %s", path, ours)
			}
		}
	}
}

// Every third-party module is imported by one package of ours, so that it can be
// replaced in one place.
func TestOneImporterPerThirdParty(t *testing.T) {
	users := map[string][]string{}
	for _, p := range packages(t) {
		for _, imp := range p.Imports {
			host, _, _ := strings.Cut(imp, "/")
			if !strings.Contains(host, ".") {
				continue
			}
			parts := strings.Split(imp, "/")
			mod := strings.Join(parts[:min(3, len(parts))], "/")
			if !slices.Contains(users[mod], p.ImportPath) {
				users[mod] = append(users[mod], p.ImportPath)
			}
		}
	}
	for _, fixed := range []string{"github.com/apache/arrow", "github.com/gocarina/gocsv", "github.com/go-echarts/go-echarts", "github.com/spf13/pflag"} {
		if len(users[fixed]) == 0 {
			t.Errorf("%s is not used", fixed)
		}
	}
	for mod, by := range users {
		if len(by) > 1 {
			t.Errorf("%s is imported by %v", mod, by)
		}
	}
}

// calls lists the names called or selected in a package's files.
func calls(t *testing.T, p goPackage, name string) []string {
	t.Helper()
	var at []string
	for _, f := range p.GoFiles {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, filepath.Join(p.Dir, f), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == name {
				at = append(at, set.Position(s.Pos()).String())
			}
			return true
		})
	}
	return at
}

func TestOnlyClassifiersReveal(t *testing.T) {
	found := 0
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module)
		at := calls(t, p, "Reveal")
		found += len(at)
		if len(at) > 0 && !covers(mayReveal, path) {
			t.Errorf("%s looks at raw text: %v", path, at)
		}
	}
	if found == 0 {
		t.Error("nobody calls Reveal: the check proves nothing")
	}
}

// What depends on the machine or the moment would make two builds differ.
func TestNoClockNoExitOutsideCmd(t *testing.T) {
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module)
		if path == "cmd/tracemerge" || strings.HasPrefix(path, "fixtures/") {
			continue
		}
		for _, banned := range []string{"Exit", "Now"} {
			for _, at := range calls(t, p, banned) {
				t.Errorf("%s: %s", at, banned)
			}
		}
	}
}

// The top level of the repository is fixed.
func TestTopLevel(t *testing.T) {
	want := []string{"LICENSE", "Makefile", "README.md", "align", "cmd", "fixtures", "go.mod", "go.sum", "ingest", "model", "render"}
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	made := []string{"bin", "demo-report.html", "demo-summary.json", "tracemerge-report.html"}
	var got []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(made, e.Name()) {
			got = append(got, e.Name())
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("top level is %v, want %v", got, want)
	}
}

// A file fits in the head: 400 lines, 600 for a tokenizer or a table.
func TestFileSizes(t *testing.T) {
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if n := strings.Count(string(text), "\n"); n > 600 {
			t.Errorf("%s has %d lines", path, n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
