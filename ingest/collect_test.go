package ingest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"tracemerge/model"
)

// folder writes files into a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// format is a test format: files that begin with mark, read as one record per
// line.
func format(kind model.SourceKind, mark string, sure Confidence) Format {
	return Format{
		Kind: kind,
		Name: string(kind),
		Match: func(head []byte) Confidence {
			if bytes.HasPrefix(head, []byte(mark)) {
				return sure
			}
			return No
		},
		Read: func(_ context.Context, f *File, opt Options) (*model.Capture, error) {
			b, err := io.ReadAll(f)
			c := &model.Capture{}
			c.Account.Read = int64(bytes.Count(b, []byte("\n")))
			c.Account.Used = c.Account.Read
			c.Tracks = []model.Track{{Name: opt.Declared.Name}}
			return c, err
		},
	}
}

func testFormats() []Format {
	boom := format(model.KindTrace, "boom", Certain)
	boom.Read = func(context.Context, *File, Options) (*model.Capture, error) {
		var none []int
		none[3] = 1
		return nil, nil
	}
	quoting := format(model.KindTrace, "quote", Certain)
	quoting.Read = func(_ context.Context, f *File, _ Options) (*model.Capture, error) {
		panic("the line is " + string(f.Head()))
	}
	nothing := format(model.KindTrace, "nothing", Certain)
	nothing.Read = func(context.Context, *File, Options) (*model.Capture, error) { return nil, nil }
	early := format(model.KindHost, "early", Certain)
	early.Read = func(context.Context, *File, Options) (*model.Capture, error) {
		return &model.Capture{Account: model.Account{Read: 7, Used: 7}}, errors.New("line 8 makes no sense")
	}
	return []Format{
		format(model.KindSMI, "smi", Certain), format(model.KindLog, "smi", Likely),
		format(model.KindLog, "either", Likely), format(model.KindHost, "either", Likely), format(model.KindSMI, "either", Maybe),
		format(model.KindSMI, "two", Likely), format(model.KindSMI, "two", Likely),
		boom, quoting, nothing, early,
	}
}

// testRunFile takes the whole content of run.yaml as the run's name.
func testRunFile() RunFile {
	return RunFile{
		Read: func(_ context.Context, f *File) (*model.Capture, *model.Declaration, error) {
			b, err := io.ReadAll(f)
			if bytes.HasPrefix(b, []byte("bad")) {
				err = errors.New("wrong in line 1")
			}
			return &model.Capture{}, &model.Declaration{Name: model.NewText(string(b), model.ClassFree)}, err
		},
		None: func() *model.Declaration { return &model.Declaration{NotDeclared: []string{"everything"}} },
	}
}

func collect(t *testing.T, dir string, jobs int) *Collected {
	t.Helper()
	c, err := Collect(t.Context(), Run{dir}, testFormats(), CollectOptions{Jobs: jobs, RunFile: testRunFile()})
	if err != nil {
		t.Fatalf("Collect: %v", err)
	}
	return c
}

// lines describes captures for comparison, one line each.
func lines(caps []*model.Capture) string {
	var b strings.Builder
	for _, c := range caps {
		s := c.Source
		fmt.Fprintf(&b, "%d %s %s read=%d", s.ID, s.File.Raw.Reveal(), s.Kind, c.Account.Read)
		if c.Truncated {
			b.WriteString(" truncated")
		}
		if c.Err != nil {
			b.WriteString(" err")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func codes(ns []model.Notice) []string {
	var out []string
	for _, n := range ns {
		out = append(out, fmt.Sprintf("%s %d", n.Code, n.N))
	}
	return out
}

func TestCollectListsAFolder(t *testing.T) {
	dir := folder(t, map[string]string{
		"b.csv":              "smi\n1\n",
		"a/deep/er/c.csv":    "smi\n1\n2\n",
		"a.csv":              "smi\n",
		"run.yml.gz":         string(gz(t, "baseline")),
		"z.gz":               string(gz(t, "smi\nx\n")),
		".hidden.csv":        "smi\n",
		".git/config":        "smi\n",
		"notes.txt":          "who knows",
		"empty":              "",
		"archive.csv":        "PK\x03\x04....",
		"old-report.html":    "<!doctype html>\n<html><head><meta charset=utf-8><meta name=\"generator\" content=\"tracemerge 1.0\">",
		"old-summary.json":   "{\n  \"tracemerge\": {\"version\": \"1\"}}",
		"old-summary.gz":     string(gz(t, `{"tracemerge": {}}`)),
		"not-ours.json":      `{"traceEvents": [], "tracemerge": 1}`,
		"quotes-ours.log":    `smi <meta name="generator" content="tracemerge`,
		"other/run.yaml.txt": "smi\n",
	})
	got := collect(t, dir, 4)
	want := `1 a.csv nvidia-smi read=1
2 a/deep/er/c.csv nvidia-smi read=3
3 archive.csv not-recognised read=0
4 b.csv nvidia-smi read=2
5 empty not-recognised read=0
6 not-ours.json not-recognised read=0
7 notes.txt not-recognised read=0
8 other/run.yaml.txt nvidia-smi read=1
9 quotes-ours.log nvidia-smi read=0
10 run.yml.gz run-file read=0
11 z.gz nvidia-smi read=2
`
	if l := lines(got.Captures); l != want {
		t.Errorf("got\n%swant\n%s", l, want)
	}
	if c := codes(got.Notices); !reflect.DeepEqual(c, []string{"ingest/own-output 3"}) {
		t.Errorf("notices: got %v, want three own outputs skipped", c)
	}
	if name := got.Declared.Name.Raw.Reveal(); name != "baseline" || got.Declared.Source != 10 {
		t.Errorf("declared: got name %q of source %d, want baseline of source 10", name, got.Declared.Source)
	}
	for _, c := range got.Captures {
		disk, err := os.ReadFile(filepath.Join(dir, c.Source.File.Raw.Reveal()))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(disk)
		if c.Source.SHA256 != hex.EncodeToString(sum[:]) || c.Source.Bytes != int64(len(disk)) {
			t.Errorf("source %d: got %d bytes %s, want %d bytes %x", c.Source.ID, c.Source.Bytes, c.Source.SHA256, len(disk), sum)
		}
		if c.Source.File.Class != model.ClassFile {
			t.Errorf("source %d: got class %d for its path, want ClassFile", c.Source.ID, c.Source.File.Class)
		}
		if (c.Source.Kind == model.KindUnknown) == c.Source.Why.Empty() {
			t.Errorf("source %d (%s): a file has a Why exactly if it was not recognised", c.Source.ID, c.Source.Kind)
		}
	}
}

func TestCollectGivesReadersTheDeclaration(t *testing.T) {
	dir := folder(t, map[string]string{"a.csv": "smi\n", "run.yaml": "candidate"})
	if got := collect(t, dir, 1).Captures[0].Tracks[0].Name.Raw.Reveal(); got != "candidate" {
		t.Errorf("the reader of a file listed before run.yaml saw %q, want what run.yaml declares", got)
	}
	dir = folder(t, map[string]string{"a.csv": "smi\n"})
	if got := collect(t, dir, 1).Declared; got == nil || !reflect.DeepEqual(got.NotDeclared, []string{"everything"}) {
		t.Errorf("without run.yaml: got %+v, want the declaration of RunFile.None", got)
	}
}

func TestCollectOneBadFileLosesNoOther(t *testing.T) {
	text := "smi\n" + noise(300000)
	dir := folder(t, map[string]string{
		"1-good":    "smi\n1\n",
		"2-boom":    "boom",
		"3-quote":   "quote the-secret",
		"4-nothing": "nothing",
		"5-early":   "early",
		"6-cut.gz":  string(gz(t, text)[:60000]),
		"7-bad.gz":  "\x1f\x8bnot gzip at all, only its mark",
		"8-bad.zst": "\x28\xb5\x2f\xfdno zstd at all",
		"9-good":    "smi\n1\n",
	})
	got := collect(t, dir, 3)
	for i, want := range []struct {
		kind      model.SourceKind
		read      int64
		truncated bool
		err       string
	}{
		{model.KindSMI, 2, false, ""},
		{model.KindTrace, 0, false, "please report it: runtime error: index out of range [3] with length 0 at tracemerge/ingest.testFormats."},
		{model.KindTrace, 0, false, "please report it: string at tracemerge/ingest.testFormats."},
		{model.KindTrace, 0, false, "internal error: the reader gave nothing"},
		{model.KindHost, 7, false, "line 8 makes no sense"},
		{model.KindSMI, -1, true, "unexpected EOF"},
		{model.KindUnknown, 0, false, "the gzip header is damaged"},
		{model.KindUnknown, 0, false, "the compressed data is damaged"},
		{model.KindSMI, 2, false, ""},
	} {
		c := got.Captures[i]
		if c.Source.Kind != want.kind || c.Truncated != want.truncated || want.read >= 0 && c.Account.Read != want.read || want.read < 0 && c.Account.Read < 1000 {
			t.Errorf("source %d: got %s read %d truncated %v, want %+v", i+1, c.Source.Kind, c.Account.Read, c.Truncated, want)
		}
		if (c.Err == nil) != (want.err == "") || c.Err != nil && !strings.Contains(c.Err.Error(), want.err) {
			t.Errorf("source %d: got error %v, want one with %q", i+1, c.Err, want.err)
		}
		if c.Err != nil && (strings.Contains(c.Err.Error(), "secret") || strings.Contains(c.Err.Error(), dir)) {
			t.Errorf("source %d: the error quotes the file or its path: %v", i+1, c.Err)
		}
		if len(c.Source.SHA256) != 64 {
			t.Errorf("source %d: got hash %q, want one", i+1, c.Source.SHA256)
		}
	}
}

func TestCollectUnreadable(t *testing.T) {
	dir := folder(t, map[string]string{"a.csv": "smi\n", "b.csv": "smi\n", "sub/c.csv": "smi\n"})
	if err := os.Chmod(filepath.Join(dir, "b.csv"), 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "sub"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "sub"), 0o700) })
	want := "1 a.csv nvidia-smi read=1\n2 b.csv not-recognised read=0 err\n3 sub not-recognised read=0 err\n"
	if os.Geteuid() == 0 { // permissions do not bind root
		want = "1 a.csv nvidia-smi read=1\n2 b.csv nvidia-smi read=1\n3 sub/c.csv nvidia-smi read=1\n"
	}
	got := collect(t, dir, 2)
	if l := lines(got.Captures); l != want {
		t.Errorf("got\n%swant\n%s", l, want)
	}
}

// A file that vanishes between listing and reading stands for every file that
// cannot be opened, whoever runs the test.
func TestReadOneKeepsAnOpenError(t *testing.T) {
	col := &collector{formats: testFormats(), opt: CollectOptions{RunFile: testRunFile()}}
	f := col.lookInto(entry{rel: "gone.csv", path: filepath.Join(t.TempDir(), "gone.csv")})
	f.id = 3
	c, err := col.readOne(t.Context(), f)
	if err == nil || !errors.Is(c.Err, os.ErrNotExist) || c.Source.ID != 3 || c.Source.Kind != model.KindUnknown || c.Source.Why.Empty() {
		t.Errorf("got %+v with %v, want source 3, not recognised, with the error of opening it", c.Source, c.Err)
	}
}

func TestCollectTiesAreDecidedByOrderAndSaid(t *testing.T) {
	dir := folder(t, map[string]string{"a": "either\n", "b": "smi\n", "c": "two forms\n"})
	got := collect(t, dir, 1).Captures
	if got[2].Source.Kind != model.KindSMI || len(got[2].Notices) != 0 {
		t.Errorf("two readers of one kind: got %s with %v, want nvidia-smi without a notice", got[2].Source.Kind, got[2].Notices)
	}
	if got[0].Source.Kind != model.KindLog {
		t.Errorf("tie: got %s, want the earlier of the two, app-log", got[0].Source.Kind)
	}
	if len(got[0].Notices) != 1 || got[0].Notices[0].Code != "ingest/ambiguous" || got[0].Notices[0].At[0].Source != 1 {
		t.Fatalf("tie: got notices %+v, want one ingest/ambiguous at source 1", got[0].Notices)
	}
	_, args := got[0].Notices[0].Text.Format()
	if s := fmt.Sprint(args...); s != fmt.Sprint(model.Lit("app-log"), model.Lit("host-stats"), model.Lit("app-log")) {
		t.Errorf("tie: the notice names %v, want app-log and host-stats", args)
	}
	if got[1].Source.Kind != model.KindSMI || len(got[1].Notices) != 0 {
		t.Errorf("the surer format wins: got %s with %v, want nvidia-smi without a notice", got[1].Source.Kind, got[1].Notices)
	}
}

func TestCollectErrors(t *testing.T) {
	file := filepath.Join(folder(t, map[string]string{"f": "smi"}), "f")
	for _, c := range []struct{ name, dir, want string }{
		{"no such folder", filepath.Join(t.TempDir(), "none"), "no such folder"},
		{"a file is no run", file, "not a folder"},
		{"an empty folder", t.TempDir(), "no files"},
		{"only hidden files", folder(t, map[string]string{".x": "smi"}), "no files"},
		{"only own outputs", folder(t, map[string]string{"r.json": `{"tracemerge":{}}`}), "no files"},
		{"two run files", folder(t, map[string]string{"run.yaml": "a", "sub/run.yml.zst": string(zst(t, "b"))}), "run.yaml and sub/run.yml.zst"},
		{"a wrong run file", folder(t, map[string]string{"run.yaml": "bad", "a": "smi"}), "wrong in line 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Collect(t.Context(), Run{c.dir}, testFormats(), CollectOptions{RunFile: testRunFile()})
			if err == nil || !strings.Contains(err.Error(), c.want) || got != nil {
				t.Errorf("got %v, %v; want no result and an error with %q", got, err, c.want)
			}
		})
	}
}

func TestCollectTolerantOfAWrongRunFile(t *testing.T) {
	dir := folder(t, map[string]string{"run.yaml": "bad", "a": "smi\n"})
	got, err := Collect(t.Context(), Run{dir}, testFormats(), CollectOptions{RunFile: testRunFile(), Tolerant: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := "1 a nvidia-smi read=1\n2 run.yaml run-file read=0 err\n"; lines(got.Captures) != want {
		t.Errorf("got\n%swant\n%s", lines(got.Captures), want)
	}
	if !reflect.DeepEqual(got.Declared.NotDeclared, []string{"everything"}) {
		t.Errorf("declared: got %+v, want nothing taken from a wrong run file", got.Declared)
	}
}

func TestCollectSameResultForAnyNumberOfJobs(t *testing.T) {
	files := map[string]string{"run.yaml": "n", "x.gz": "\x1f\x8bno"}
	for i := range 60 {
		files[fmt.Sprintf("d%d/f%02d.csv", i%7, i)] = "smi\n" + strings.Repeat("1\n", i)
	}
	dir := folder(t, files)
	one := collect(t, dir, 1)
	for range 5 {
		if many := collect(t, dir, 8); !reflect.DeepEqual(one.Captures, many.Captures) {
			t.Fatalf("1 job and 8 jobs differ:\n%s\n%s", lines(one.Captures), lines(many.Captures))
		}
	}
}

func TestCollectStopsWhenInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stop := format(model.KindSMI, "smi", Certain)
	stop.Read = func(ctx context.Context, _ *File, _ Options) (*model.Capture, error) {
		cancel()
		return &model.Capture{}, ctx.Err()
	}
	dir := folder(t, map[string]string{"a": "smi", "b": "smi"})
	if got, err := Collect(ctx, Run{dir}, []Format{stop}, CollectOptions{Jobs: 1}); !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("got %v, %v; want no result and context.Canceled", got, err)
	}
}

func TestCollectReportsProgressToTheEnd(t *testing.T) {
	dir := folder(t, map[string]string{"a": "smi\n" + noise(9<<20), "b": "smi\n", "c": "?"})
	var mu sync.Mutex
	var seen []Progress
	_, err := Collect(t.Context(), Run{dir}, testFormats(), CollectOptions{Jobs: 3, Progress: func(p Progress) {
		if !mu.TryLock() {
			t.Error("called twice at once")
			return
		}
		defer mu.Unlock()
		seen = append(seen, p)
	}})
	if err != nil {
		t.Fatal(err)
	}
	last := seen[len(seen)-1]
	if last.Files != 3 || last.OfFiles != 3 || last.OfBytes != 9<<20+9 || last.Bytes != last.OfBytes {
		t.Errorf("last report: got %+v, want 3 of 3 files and %d bytes", last, 9<<20+9)
	}
	if len(seen) < 4 {
		t.Errorf("got %d reports, want some within the large file", len(seen))
	}
}

// A file that no format knows is asked about again once run.yaml is read; one
// that some format knows is not taken from it.
func TestDeclaredFormat(t *testing.T) {
	known, other := format(model.KindTrace, "TRACE", Certain), format(model.KindLog, "LOG", Certain)
	other.Declared = func(head []byte, d *model.Declaration) Confidence {
		if bytes.HasPrefix(head, []byte(d.Name.Raw.Reveal())) {
			return Likely
		}
		return No
	}
	rf := RunFile{
		Read: func(context.Context, *File) (*model.Capture, *model.Declaration, error) {
			return &model.Capture{}, &model.Declaration{Name: model.NewText("@@", model.ClassFree)}, nil
		},
		None: func() *model.Declaration { return &model.Declaration{Name: model.NewText("never", model.ClassFree)} },
	}
	files := map[string]string{"run.yaml": "log_patterns: [x]\n", "a.out": "@@ one\n", "b.out": "## two\n", "c.out": "TRACE @@\n"}
	want := map[string]model.SourceKind{"a.out": model.KindLog, "b.out": model.KindUnknown, "c.out": model.KindTrace, "run.yaml": model.KindRunFile}
	got, err := Collect(context.Background(), Run{folder(t, files)}, []Format{known, other}, CollectOptions{RunFile: rf})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range got.Captures {
		if name := c.Source.File.Raw.Reveal(); c.Source.Kind != want[name] {
			t.Errorf("%s is %s, want %s", name, c.Source.Kind, want[name])
		}
	}
}

// Copies of one file, packed or not, are the same observations: they are used once.
func TestCopiesAreUsedOnce(t *testing.T) {
	dir := folder(t, map[string]string{"a.csv": "smi\n1\n", "b.csv": "smi\n1\n", "c.csv.gz": string(gz(t, "smi\n1\n")), "d.csv": "smi\n2\n"})
	got := collect(t, dir, 2)
	for i, used := range []int64{2, 0, 0, 2} {
		c := got.Captures[i]
		if c.Account.Used != used || !c.Account.Balanced() || c.Account.Read != 2 {
			t.Errorf("source %d: account %+v, want %d used of 2", i+1, c.Account, used)
		}
		if said := len(c.Notices) == 1 && c.Notices[0].Code == "ingest/copy"; said != (used == 0) {
			t.Errorf("source %d: notices %+v", i+1, c.Notices)
		}
	}
}
