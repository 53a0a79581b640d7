package runfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tracemerge/ingest"
	"tracemerge/model"
)

// reveal writes the texts of an error in the open, as a terminal would.
func reveal(t model.Text) string { return t.Raw.Reveal() }

// whole is the run file of the contract.
const whole = `name: baseline
symptom: {kind: pause, text: "a 40 s pause between batches"}   # late_first_result | pause | output_rate_drop
window: {start: 2026-05-04T09:00:00+09:00, end: 2026-05-04T09:05:00+09:00}
temperature: warm            # cold | warm
input: {dataset: corpus-a@3, location: nfs}
application: {name: trainer, version: 1.4.2}
settings: {batch_size: 32, precision: bf16, processes: 8, loader_workers: 4}
done_when: 1000 accepted outputs
quality: {metric: reject_rate, value: 0.01, at_most: 0.02}
targets: {deadline_seconds: 7200, accepted_per_minute: 60, gpu_hours: 16}
hypothesis: {text: "preparation starves the GPU", change: "loader_workers 4 -> 8", rejects_if: "the pause stays"}
result: {text: "", excluded: [], next_observation: ""}
clocks:
  gpu.csv: {zone: Asia/Seoul}
  rank0.json: {offset: 1.25s, uncertainty: 5ms}     # added to the source's stamps
anchors:                       # two records that are the same moment
  - {a: {file: app.log, line: 120}, b: {file: rank0.json, event: "ProfilerStep#3", edge: start}, within: 10ms}
stages:                        # first match wins, before the built-in rules
  - {stage: cpu_preparation, source: pytorch-trace, name: "^load_batch"}
  - {stage: write, source: app-log, field: stage, value: export}
log_patterns:                  # Go regular expressions with named groups
  - '^\[(?P<time>[^\]]+)\] (?P<stage>\w+) (?P<edge>start|end)'
redact: {words: [projectx], show: [dataset]}
`

func parse(t *testing.T, text string) (*model.Capture, *model.Declaration) {
	t.Helper()
	c, d, err := Parse([]byte(text), 7)
	if err != nil {
		t.Fatalf("Parse: %v", err)
	}
	return c, d
}

func utc(s string) model.Time {
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return model.Time(at.UnixNano())
}

func TestParseTheContractsExample(t *testing.T) {
	c, d := parse(t, whole)
	text := model.NewText
	at := func(line int) model.Pos {
		return model.Pos{Source: 7, Line: int32(line), Offset: int64(len(strings.Join(strings.SplitAfter(whole, "\n")[:line-1], "")))}
	}
	want := &model.Declaration{
		Source: 7, Name: text("baseline", model.ClassFree),
		SymptomKind: "pause", SymptomText: text("a 40 s pause between batches", model.ClassFree),
		Window:   model.Interval[model.Time]{Start: utc("2026-05-04T00:00:00Z"), End: utc("2026-05-04T00:05:00Z")},
		HasStart: true, HasEnd: true, Temperature: "warm",
		Dataset: text("corpus-a@3", model.ClassDataset), Location: text("nfs", model.ClassPath),
		AppName: text("trainer", model.ClassProcess), AppVersion: text("1.4.2", model.ClassVersion),
		Settings: []model.Setting{
			{Key: text("batch_size", model.ClassSetting), Value: text("32", model.ClassSetting)},
			{Key: text("precision", model.ClassSetting), Value: text("bf16", model.ClassSetting)},
			{Key: text("processes", model.ClassSetting), Value: text("8", model.ClassSetting)},
			{Key: text("loader_workers", model.ClassSetting), Value: text("4", model.ClassSetting)}},
		DoneWhen: text("1000 accepted outputs", model.ClassFree),
		Quality:  model.Quality{Metric: text("reject_rate", model.ClassMetric), Value: model.Known(0.01), AtMost: model.Known(0.02)},
		Targets: model.Targets{DeadlineSeconds: model.Known(7200.0), AcceptedPerMinute: model.Known(60.0),
			GPUHours: model.Known(16.0)},
		Hypothesis: model.DeclaredHypothesis{Text: text("preparation starves the GPU", model.ClassFree),
			Change: text("loader_workers 4 -> 8", model.ClassFree), RejectsIf: text("the pause stays", model.ClassFree)},
		Result: model.DeclaredResult{Text: text("", model.ClassFree), NextObservation: text("", model.ClassFree)},
		Clocks: []model.DeclaredClock{
			{File: model.NewRaw("gpu.csv"), Zone: text("Asia/Seoul", model.ClassZone), From: at(14)},
			{File: model.NewRaw("rank0.json"), HasOffset: true, Offset: 1250 * time.Millisecond, Uncertainty: 5 * time.Millisecond, From: at(15)}},
		Anchors: []model.DeclaredAnchor{{A: model.AnchorPoint{File: model.NewRaw("app.log"), Line: 120},
			B:      model.AnchorPoint{File: model.NewRaw("rank0.json"), Event: model.NewRaw("ProfilerStep#3"), Edge: model.EdgeStart},
			Within: 10 * time.Millisecond, From: at(17)}},
		Stages: []model.StageRule{
			{Stage: model.StageCPUPreparation, Source: model.KindTrace, Name: model.NewRaw("^load_batch"), From: at(19)},
			{Stage: model.StageWrite, Source: model.KindLog, Field: "stage", Value: model.NewRaw("export"), From: at(20)}},
		Patterns:    []model.LogPattern{{Expr: model.NewRaw(`^\[(?P<time>[^\]]+)\] (?P<stage>\w+) (?P<edge>start|end)`), From: at(22)}},
		RedactWords: []model.Raw{model.NewRaw("projectx")}, RedactShow: []string{"dataset"},
		NotDeclared: []string{"result"},
	}
	gv, wv := reflect.ValueOf(*d), reflect.ValueOf(*want)
	for i := range gv.NumField() {
		if g, w := gv.Field(i).Interface(), wv.Field(i).Interface(); !reflect.DeepEqual(g, w) {
			t.Errorf("%s:\n got %+v\nwant %+v", gv.Type().Field(i).Name, g, w)
		}
	}
	if !c.Account.Balanced() || c.Account.Read != 63 || c.Account.Used != 63 {
		t.Errorf("account: got %+v, want 63 keys read and used", c.Account)
	}
}

var everyKey = []string{"name", "symptom", "window", "temperature", "input.dataset", "input.location",
	"application.name", "application.version", "settings", "done_when", "quality", "targets", "hypothesis", "result",
	"clocks", "anchors", "stages", "log_patterns", "redact"}

func TestNotDeclared(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"an empty file declares nothing", "", everyKey},
		{"comments declare nothing", "# name: x\n", everyKey},
		{"a document marker declares nothing", "---\n", everyKey},
		{"null is not declared", "name:\nsymptom: ~\nwindow: {start: , end: null}\n", everyKey},
		{"empty text is not declared", "name: ''\nsymptom: {text: '  '}\nresult: {excluded: ['']}\n", everyKey},
		{"half a window names the other half", "window: {start: 2026-05-04T09:00:00Z}",
			replace(everyKey, "window", "window.end")},
		{"half a symptom names the other half", "symptom: {kind: pause}", replace(everyKey, "symptom", "symptom.text")},
		{"one target names the others", "targets: {gpu_hours: 0}",
			replace(everyKey, "targets", "targets.deadline_seconds", "targets.accepted_per_minute")},
		{"a lower bound is a bound of quality", "quality: {metric: m, value: 1, at_least: 0.5}", replace(everyKey, "quality")},
		{"input is listed key by key", "input: {dataset: d}", replace(everyKey, "input.dataset")},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, d := parse(t, c.in)
			if !slices.Equal(d.NotDeclared, c.want) {
				t.Errorf("got\n%v\nwant\n%v", d.NotDeclared, c.want)
			}
		})
	}
	if d := None(); !slices.Equal(d.NotDeclared, everyKey) || d.Source != 0 {
		t.Errorf("None: got %+v, want every key and no source", d)
	}
}

// replace puts other keys in the place of one.
func replace(keys []string, old string, by ...string) []string {
	i := slices.Index(keys, old)
	return slices.Replace(slices.Clone(keys), i, i+1, by...)
}

func TestValuesAreKeptAsSpelt(t *testing.T) {
	_, d := parse(t, `application: {version: 1.10}
settings:
  lr: 1e-4
  amp: yes
  betas: [0.90, 0.999, [a, b]]
  optimiser: {name: adam, eps: 1e-08, nested: {x: 007}}
  base: &b {k: v}
  copy: *b
  none:
`)
	if v := d.AppVersion.Raw.Reveal(); v != "1.10" {
		t.Errorf("version: got %s, want 1.10 as spelt", v)
	}
	var got []string
	for _, s := range d.Settings {
		got = append(got, s.Key.Raw.Reveal()+"="+s.Value.Raw.Reveal())
	}
	want := []string{"lr=1e-4", "amp=yes", "betas=[0.90, 0.999, [a, b]]", "optimiser.name=adam", "optimiser.eps=1e-08",
		"optimiser.nested.x=007", "base.k=v", "copy.k=v"}
	if !slices.Equal(got, want) {
		t.Errorf("settings:\n got %v\nwant %v", got, want)
	}
}

func TestInstantsAndDurations(t *testing.T) {
	for in, want := range map[string]string{
		"2026-05-04T09:00:00.123456789+09:00": "2026-05-04T00:00:00.123456789Z",
		"2026-05-04 09:00:00Z":                "2026-05-04T09:00:00Z",
		"2026-05-04 09:00:00 +09:00":          "2026-05-04T00:00:00Z",
		"'2026-05-04T09:00-03:30'":            "2026-05-04T12:30:00Z",
	} {
		if _, d := parse(t, "window: {start: "+in+"}"); d.Window.Start != utc(want) || !d.HasStart || d.HasEnd {
			t.Errorf("%s: got %v, want %s", in, d.Window.Start.UTC(), want)
		}
	}
	for in, want := range map[string]time.Duration{
		"1.25s": 1250 * time.Millisecond, "-5ms": -5 * time.Millisecond, "+1h30m": 90 * time.Minute, "1 h 2 min": 62 * time.Minute,
		"0.000000001s": 1, "1.000000001s": time.Second + 1, ".5s": 500 * time.Millisecond, "7µs": 7 * time.Microsecond, "3us": 3 * time.Microsecond,
		"12ns": 12, "0": 0, "2m": 2 * time.Minute, "9223372036.854775807s": 1<<63 - 1,
	} {
		if _, d := parse(t, "clocks: {f: {offset: "+in+"}}"); d.Clocks[0].Offset != want {
			t.Errorf("%s: got %v, want %v", in, d.Clocks[0].Offset, want)
		}
	}
	for _, zone := range []string{"Asia/Seoul", "UTC", "local", "+09:00", "-03:30", "Europe/Berlin"} {
		if _, d := parse(t, "clocks: {f: {zone: "+zone+"}}"); d.Clocks[0].Zone.Raw.Reveal() != zone {
			t.Errorf("zone %s: got %q", zone, d.Clocks[0].Zone.Raw.Reveal())
		}
	}
}

func TestAliasBombsAreBounded(t *testing.T) {
	var in strings.Builder
	in.WriteString("settings:\n  l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(&in, "  l%d: &l%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*l%d, ", i-1), 10), ", "))
	}
	if _, _, err := Parse([]byte(in.String()), 1); err == nil {
		t.Error("a list of 10^9 values: got no error")
	}
	in.Reset()
	in.WriteString("settings:\n  m0: &m0 {a: x, b: x, c: x, d: x, e: x, f: x, g: x, h: x}\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(&in, "  m%d: &m%d {", i, i)
		for _, k := range "abcdefgh" {
			fmt.Fprintf(&in, "%c: *m%d, ", k, i-1)
		}
		in.WriteString("z: x}\n")
	}
	if _, _, err := Parse([]byte(in.String()), 1); err == nil || !strings.Contains(err.Error(), "that aliases repeat") {
		t.Errorf("a mapping of 8^9 values: got %v, want the bound", err)
	}
	for _, in := range []string{"settings: &a {x: *a}", "settings: {x: &a [*a]}", "anchors: &a [*a]", "name: &a [*a]"} {
		if _, _, err := Parse([]byte(in), 1); err == nil {
			t.Errorf("%s: an alias inside itself: got no error", in)
		}
	}
}

func TestTooLargeIsNoRunFile(t *testing.T) {
	_, _, err := Parse([]byte(strings.Repeat("#\n", MaxSize/2+1)), 1)
	if err == nil || err.Error() != "run.yaml: larger than 1048576 bytes: not a run file" {
		t.Errorf("got %v, want that it is too large", err)
	}
}

func TestReadThroughCollect(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"run.yaml": "\xef\xbb\xbfname: b\r\ntemperature: cold\r\n", "a.txt": "?"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ingest.Collect(t.Context(), ingest.Run{Dir: dir}, nil, ingest.CollectOptions{RunFile: Reader()})
	if err != nil {
		t.Fatal(err)
	}
	c := got.Captures[1]
	if got.Declared.Temperature != "cold" || got.Declared.Source != 2 || c.Source.Kind != model.KindRunFile || c.Account.Used != 2 {
		t.Errorf("got %+v of source %+v, want a cold run declared by source 2 with 2 keys", got.Declared, c.Source)
	}
	if err := os.WriteFile(filepath.Join(dir, "run.yaml"), []byte("nme: b"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = ingest.Collect(t.Context(), ingest.Run{Dir: dir}, nil, ingest.CollectOptions{RunFile: Reader()})
	var list *Errors
	if !errors.As(err, &list) || list.List[0].Line != 1 {
		t.Errorf("got %v, want the Errors of the run file", err)
	}
}

// Whatever the bytes: no panic, an end, an account that balances, lines that
// exist, and no text of the file in what Error says.
func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	for _, s := range []string{"", "---\n", "name: [", "a: &a [*a]", "settings: {x: {y: [1, {z: 2}]}}", "clocks: {f: {offset: 1.5h, zone: +09:00}}",
		"? [a]\n: b", "window: {start: 2026-05-04T09:00:00Z}", "\xff\xfe", "name: !!binary gAE=", "!!set {a}", "%YAML 9.9\n---\nname: x"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		c, d, err := Parse(in, 3)
		if c == nil || d == nil || !c.Account.Balanced() {
			t.Fatalf("capture %+v, declaration %v", c, d)
		}
		var list *Errors
		if err != nil && !errors.As(err, &list) {
			t.Fatalf("an error of another type: %v", err)
		}
		if err != nil && len(list.List) == 0 {
			t.Fatal("an error without a problem")
		}
		for _, n := range c.Notices {
			if at := n.At[0]; at.Offset > int64(len(in)) {
				t.Fatalf("position %+v beyond %d bytes", at, len(in))
			}
		}
		for _, x := range d.Clocks {
			if x.Uncertainty < 0 {
				t.Fatalf("negative uncertainty %v", x.Uncertainty)
			}
		}
	})
}

func TestWarmUpIsAWholeNumber(t *testing.T) {
	_, d := parse(t, "warm_up: 2\n")
	if n, ok := d.WarmUp.Get(); !ok || n != 2 {
		t.Errorf("got %v %v, want 2", n, ok)
	}
	for _, bad := range []string{"-1", "1.5", "two", "[2]"} {
		if _, _, err := Parse([]byte("warm_up: "+bad+"\n"), 7); err == nil {
			t.Errorf("warm_up: %q is taken", bad)
		}
	}
}

// A format is kept as written, with its place: the collector knows which there are.
func TestFormats(t *testing.T) {
	c, d := parse(t, "formats:\n  a/b.log: python-logging\n  c.log: ' day-first '\n  d.log:\n")
	want := []model.DeclaredFormat{{File: model.NewRaw("a/b.log"), Form: "python-logging", From: model.Pos{Source: 7, Line: 2, Offset: 9}},
		{File: model.NewRaw("c.log"), Form: "day-first", From: model.Pos{Source: 7, Line: 3, Offset: 35}}}
	if !slices.Equal(d.Formats, want) {
		t.Errorf("got %+v, want %+v", d.Formats, want)
	}
	if !c.Account.Balanced() || model.Sum(c.Account.SetAside) != 1 {
		t.Errorf("account: got %+v, want the empty key set aside", c.Account)
	}
}

func TestThresholdsAreShares(t *testing.T) {
	_, d := parse(t, "thresholds: {alone_much: 0.3, memory_full: 1}\n")
	if len(d.Thresholds) != 2 || d.Thresholds[0].Name != model.AloneMuch || d.Thresholds[0].Value != 0.3 || d.Thresholds[0].From.Line != 1 {
		t.Errorf("got %+v", d.Thresholds)
	}
	for _, bad := range []string{"{alone_much: 30}", "{alone_much: -1}", "{alone: 0.3}", "0.3"} {
		if _, _, err := Parse([]byte("thresholds: "+bad+"\n"), 7); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
	for name := range model.DefaultThresholds() {
		if _, _, err := Parse([]byte("thresholds: {"+string(name)+": 0.5}\n"), 7); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
