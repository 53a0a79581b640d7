package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tracemerge/model"
)

// formed are formats with variants; they tell with which they were called.
func formed() []Format {
	with := func(kind model.SourceKind, word string, forms ...model.Word) Format {
		f := format(kind, word, Likely)
		f.Forms = forms
		f.Read = func(_ context.Context, _ *File, opt Options) (*model.Capture, error) {
			return &model.Capture{Source: model.Source{Form: "declared: " + opt.Form, Guess: []model.Guess{{Form: "glog", Fits: 2, Of: 3}}}}, nil
		}
		return f
	}
	return []Format{with(model.KindSMI, "smi", model.Lit("csv"), model.Lit("dmon")), with(model.KindLog, "log", model.Lit("csv"), model.Lit("glog"))}
}

func collectFormed(t *testing.T, decl []model.DeclaredFormat, tolerant bool) (*Collected, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"a.txt": "log", "sub/a.txt": "log", "sub/b.txt": "smi", "c.txt": "?", "run.yaml": ""} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rf := RunFile{None: func() *model.Declaration { return &model.Declaration{} },
		Read: func(context.Context, *File) (*model.Capture, *model.Declaration, error) {
			return &model.Capture{}, &model.Declaration{Formats: decl}, nil
		}}
	return Collect(t.Context(), Run{dir}, formed(), CollectOptions{RunFile: rf, Tolerant: tolerant})
}

// A declared format is obeyed for the files that its name means, whatever the
// content looks like.
func TestDeclaredFormats(t *testing.T) {
	for _, k := range []struct{ file, form, want string }{
		{"a.txt", "glog", "a.txt app-log glog"},
		{"sub/a.txt", "glog", "sub/a.txt app-log glog"},
		{`sub\a.txt`, "glog", "sub/a.txt app-log glog"},
		{"b.txt", "app-log", "sub/b.txt app-log"},
		{"b.txt", "glog", "sub/b.txt app-log glog"},
		{"b.txt", "csv", "sub/b.txt nvidia-smi csv"}, // both have it: the file's own kind
		{"a.txt", "csv", "a.txt app-log csv"},
		{"c.txt", "dmon", "c.txt nvidia-smi dmon"},
		{"c.txt", "csv", "c.txt nvidia-smi csv"}, // both have it, the file is neither: the first
	} {
		c, err := collectFormed(t, []model.DeclaredFormat{{File: model.NewRaw(k.file), Form: k.form}}, false)
		if err != nil {
			t.Errorf("%s as %s: %v", k.file, k.form, err)
			continue
		}
		var got []string
		for _, cp := range c.Captures {
			if len(cp.Notices) > 0 && cp.Notices[0].Code == "ingest/declared-format" {
				form := strings.TrimPrefix(cp.Source.Form, "declared: ")
				got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s", cp.Source.File.Raw.Reveal(), cp.Source.Kind, form)))
				if !cp.Source.Why.Empty() || len(cp.Source.Guess) != 1 {
					t.Errorf("%s as %s: got why %v, guess %v; want none, the reader's", k.file, k.form, cp.Source.Why, cp.Source.Guess)
				}
			} else if cp.Source.Form != "" && cp.Source.Form != "declared: " {
				t.Errorf("%s as %s: %s is read as %s", k.file, k.form, cp.Source.File.Raw.Reveal(), cp.Source.Form)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint([]string{k.want}) {
			t.Errorf("%s as %s: got %v, want [%s]", k.file, k.form, got, k.want)
		}
	}
}

// A declaration that cannot be used is an error with its line and the nearest
// name; a tolerant reading goes on without it.
func TestDeclaredFormatThatCannotBeUsed(t *testing.T) {
	for _, k := range []struct{ file, form, want string }{
		{"a.txt", "golg", `formats: unknown format "golg"; did you mean "glog"?`},
		{"a.txt", "ap-log", `formats: unknown format "ap-log"; did you mean "app-log"?`},
		{"d.txt", "glog", "formats: the run has no file d.txt; the nearest name is a.txt"},
		{"run.yaml", "glog", "formats: the run has no file run.yaml; the nearest name is a.txt"},
	} {
		decl := []model.DeclaredFormat{{File: model.NewRaw(k.file), Form: k.form, From: model.Pos{Source: 3, Line: 7}}}
		_, err := collectFormed(t, decl, false)
		var e *DeclarationError
		if !errors.As(err, &e) || e.At.Line != 7 {
			t.Errorf("%s as %s: got %v, want an error of line 7", k.file, k.form, err)
			continue
		}
		if got := e.Text.Plain(func(x model.Text) string { return x.Raw.Reveal() }); got != k.want {
			t.Errorf("%s as %s: got %q, want %q", k.file, k.form, got, k.want)
		}
		if k.file != "run.yaml" && strings.Contains(err.Error(), k.file) {
			t.Errorf("%s as %s: the error quotes the file: %v", k.file, k.form, err)
		}
		c, err := collectFormed(t, decl, true)
		if err != nil || len(c.Notices) != 1 || c.Notices[0].Code != "ingest/declaration" || c.Notices[0].At[0].Line != 7 {
			t.Errorf("%s as %s, tolerant: got %v, error %v; want one notice", k.file, k.form, c, err)
		}
	}
}
