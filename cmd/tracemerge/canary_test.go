package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// canaries are private words that stand in every place of a run from which text
// could come: none may reach an output.
type canaries struct {
	r    *rand.Rand
	word map[string]string // by the place where it was put
}

func newCanaries(seed uint64) *canaries {
	return &canaries{rand.New(rand.NewPCG(seed, 11)), map[string]string{}}
}

// at makes the canary of a place: consonants only, so that it is part of no word.
func (c *canaries) at(place string) string {
	const letters = "bcdfghjklmnpqrstvwxz"
	if c.word[place] != "" {
		return c.word[place]
	}
	var b strings.Builder
	for range 10 {
		b.WriteByte(letters[c.r.IntN(len(letters))])
	}
	c.word[place] = b.String()
	return b.String()
}

// fill puts canaries in the place of each ⟦place⟧ of a text.
func (c *canaries) fill(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "⟦")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		place, after, _ := strings.Cut(rest, "⟧")
		b.WriteString(c.at(place))
		text = after
	}
}

// forms are the ways in which a word can stand in an output: as it is, in another
// case, reversed, escaped for HTML, JSON or a URL, in hexadecimal. They are
// compared in lower case.
func forms(word string) []string {
	js, _ := json.Marshal(word)
	var numeric, percent, unicode strings.Builder
	for _, c := range []byte(word) {
		fmt.Fprintf(&numeric, "&#%d;", c)
		fmt.Fprintf(&percent, "%%%02x", c)
		fmt.Fprintf(&unicode, `\u%04x`, c)
	}
	back := []byte(word)
	slices.Reverse(back)
	return []string{word, string(back), html.EscapeString(word), strings.Trim(string(js), `"`), url.QueryEscape(word),
		numeric.String(), percent.String(), unicode.String(), hex.EncodeToString([]byte(word))}
}

// base64Of is what a word contributes to base64 at each of the three alignments.
func base64Of(word string) []string {
	var out []string
	for k := range 3 {
		e := base64.StdEncoding.EncodeToString(append(make([]byte, k), word...))
		out = append(out, e[(k*8+5)/6:(k+len(word))*8/6])
	}
	return out
}

// seen lists the places whose canary stands in the output in any form, also cut
// short to its first or last seven letters.
func (c *canaries) seen(output string) []string {
	folded := strings.ToLower(output)
	var out []string
	for place, word := range c.word {
		found := false
		for _, w := range []string{word, word[:7], word[3:]} {
			for _, f := range forms(w) {
				found = found || strings.Contains(folded, f)
			}
			for _, spelt := range []string{w, strings.ToUpper(w)} {
				for _, e := range base64Of(spelt) {
					found = found || strings.Contains(output, e)
				}
			}
		}
		if found {
			out = append(out, place)
		}
	}
	slices.Sort(out)
	return out
}

func TestCanariesAreSeen(t *testing.T) {
	c := newCanaries(1)
	w := c.at("here")
	js, _ := json.Marshal("<" + w + "&>")
	for name, text := range map[string]string{
		"as it is":                 "x " + w + " y",
		"in capitals":              strings.ToUpper(w),
		"in mixed case":            strings.ToUpper(w[:3]) + w[3:],
		"inside a longer word":     "aaa" + w + "aaa",
		"its beginning":            w[:7],
		"its end":                  w[3:],
		"in JSON":                  string(js),
		"in HTML":                  html.EscapeString(`"` + w + `"`),
		"in a URL":                 "?q=" + url.QueryEscape("a b/"+w),
		"as numeric references":    forms(w)[5],
		"as JSON unicode escapes":  forms(w)[7],
		"in base64":                base64.StdEncoding.EncodeToString([]byte(w)),
		"in base64, one byte in":   base64.RawURLEncoding.EncodeToString([]byte("x" + w + "y")),
		"in base64, two bytes in":  base64.StdEncoding.EncodeToString([]byte("xx" + w + "yyy")),
		"in base64, in capitals":   base64.StdEncoding.EncodeToString([]byte(strings.ToUpper(w))),
		"in hexadecimal, capitals": strings.ToUpper(hex.EncodeToString([]byte(w))),
		"reversed":                 forms(w)[1],
	} {
		if got := c.seen(text); !slices.Equal(got, []string{"here"}) {
			t.Errorf("%s: not noticed in %q", name, text)
		}
	}
	if got := c.seen("an output without any of it " + newCanaries(2).at("elsewhere")); len(got) != 0 {
		t.Errorf("noticed %v in a text that holds none", got)
	}
}

// The files of the run. ⟦place⟧ is a canary.
var canaryFiles = map[string]string{
	"⟦folder⟧/⟦log file⟧.jsonl": `{"time":"2026-05-04T09:00:00.000+09:00","task":"⟦log task⟧","stage":"cpu_preparation","edge":"start","input":"/mnt/⟦log input⟧/a.bin","progress":"1/4","accepted":0,"rejected":0,"host":"⟦log host⟧.corp.example","⟦log key⟧":"⟦log value⟧","logger":"⟦log logger⟧"}
{"time":"2026-05-04T09:00:20.000+09:00","task":"⟦log task⟧","stage":"cpu_preparation","edge":"end","input":"⟦log input 2⟧","msg":"prepared ⟦log message⟧ for ⟦log user⟧@corp.example","progress":"2/4"}
{"time":"2026-05-04T09:00:20.000+09:00","task":"t1","stage":"⟦log stage⟧","edge":"start","rank":"⟦log rank⟧"}
{"time":"2026-05-04T09:00:30.000+09:00","task":"t1","stage":"⟦log stage⟧","edge":"end"}
{"time":"2026-05-04T09:00:31.000+09:00","level":"ERROR","msg":"failed: ⟦log error⟧","error":"open /home/⟦log path⟧/key.pem: password=⟦log password⟧","token":"hf_⟦log token⟧"}
{"time":"2026-05-04T09:00:32.000+09:00","stage":"gpu_compute","edge":"start"}
{"time":"2026-05-04T09:01:10.000+09:00","stage":"gpu_compute","edge":"end","accepted":3,"rejected":1,"reason":"⟦log reason⟧"}
{"time":"2026-05-04T09:01:10.500+09:00","stage":"write","edge":"start","task":{"⟦log nested key⟧":["⟦log nested value⟧"]}}
{"time":"2026-05-04T09:01:11.000+09:00","stage":"write","edge":"end"}
{"time":"2026-05-04T09:01:11.200+09:00", "broken ⟦log broken line⟧
`,
	"train_⟦text file⟧.log": `2026-05-04 09:00:00,000+0900 INFO ⟦text logger⟧: starting on ⟦text host⟧.corp.example as ⟦text user⟧
2026-05-04 09:00:10,000+0900 WARNING retrying s3://⟦text bucket⟧/shard-1.tar (attempt 2) [⟦text bracket⟧]
2026-05-04 09:00:30,000+0900 ERROR CUDA out of memory while loading ⟦text object⟧
Traceback (most recent call last):
  File "/srv/⟦text traceback path⟧/train.py", line 3, in ⟦text function⟧
⟦text exception⟧Error: no such row '⟦text exception value⟧'
2026-05-04 09:01:00,000+0900 INFO step 3 loss 0.5 sample=⟦text sample⟧
`,
	"plain.logfmt": `time=2026-05-04T09:00:05+09:00 level=info stage=transfer edge=start task=⟦logfmt task⟧ ⟦logfmt key⟧=1
time=2026-05-04T09:00:09+09:00 level=error stage=transfer edge=end msg="⟦logfmt message⟧" user=⟦logfmt user⟧
`,
	"own_pattern.txt": `[2026-05-04T09:00:12+09:00] ⟦pattern stage⟧ begins ⟦pattern input⟧ [⟦pattern rest⟧]
[2026-05-04T09:00:15+09:00] ⟦pattern stage⟧ ends ⟦pattern input⟧ [⟦pattern rest⟧]
`,
	"⟦gpu file⟧.csv": `timestamp, index, uuid, name, serial, pci.bus_id, utilization.gpu [%], memory.used [MiB], ⟦csv header⟧, ⟦csv header 2⟧ [%]
2026/05/04 09:00:01.000, 0, GPU-⟦csv uuid⟧, ⟦csv gpu name⟧ 9000, ⟦csv serial⟧, 00000000:⟦csv bus⟧:00.0, 10 %, 100 MiB, ⟦csv cell⟧, 3 %
2026/05/04 09:00:02.000, 0, GPU-⟦csv uuid⟧, ⟦csv gpu name⟧ 9000, ⟦csv serial⟧, 00000000:⟦csv bus⟧:00.0, ⟦csv bad number⟧, 100 MiB, ⟦csv cell⟧, 4 %
2026/05/04 09:00:03.000, 0, GPU-⟦csv uuid⟧, ⟦csv gpu name⟧ 9000, ⟦csv serial⟧, 00000000:⟦csv bus⟧:00.0, [⟦csv absent⟧], 100 MiB
⟦csv stamp⟧, 0, GPU-⟦csv uuid⟧, ⟦csv gpu name⟧ 9000, x, y, 12 %, 100 MiB, z, 4 %
`,
	"apps.csv": `timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]
2026/05/04 09:00:01.000, GPU-⟦apps uuid⟧, 4210, /opt/⟦apps process⟧/serve, 500 MiB
2026/05/04 09:00:02.000, GPU-⟦apps uuid⟧, 4210, /opt/⟦apps process⟧/serve, 500 MiB
`,
	"rank0_⟦trace file⟧.json": `{"schemaVersion": 1, "traceName": "/home/⟦trace name⟧/t.json", "⟦trace metadata key⟧": "⟦trace metadata value⟧",
"deviceProperties": [{"id": 0, "name": "⟦trace device⟧ 80GB"}],
"distributedInfo": {"backend": "⟦trace backend⟧", "rank": 0, "world_size": 1, "pg_config": [{"pg_name": "⟦trace group⟧", "pg_desc": "⟦trace group text⟧"}]},
"baseTimeNanoseconds": 1777852800000000000, "displayTimeUnit": "ms", "traceEvents": [
{"ph": "M", "name": "process_name", "pid": 4210, "tid": 0, "ts": 1000000, "args": {"name": "⟦trace process⟧"}},
{"ph": "M", "name": "process_labels", "pid": 4210, "tid": 0, "ts": 1000000, "args": {"labels": "⟦trace label⟧"}},
{"ph": "M", "name": "thread_name", "pid": 4210, "tid": 7, "ts": 1000000, "args": {"name": "⟦trace thread⟧"}},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 4210, "tid": 7, "ts": 1000000, "dur": 9000000, "args": {}},
{"ph": "X", "cat": "user_annotation", "name": "⟦trace annotation⟧", "pid": 4210, "tid": 7, "ts": 1000000, "dur": 3000000, "args": {"⟦trace args key⟧": "⟦trace args value⟧"}},
{"ph": "X", "cat": "user_annotation", "name": "load_⟦trace mapped⟧", "pid": 4210, "tid": 7, "ts": 4000000, "dur": 1000000, "args": {}},
{"ph": "X", "cat": "cpu_op", "name": "aten::⟦trace operation⟧", "pid": 4210, "tid": 7, "ts": 5000000, "dur": 1000000, "args": {"External id": 1, "Input Dims": [["⟦trace dims⟧"]]}},
{"ph": "X", "cat": "python_function", "name": "/srv/⟦trace source⟧/train.py(12): ⟦trace python⟧", "pid": 4210, "tid": 7, "ts": 5000000, "dur": 2000000, "args": {"Python id": 1}},
{"ph": "X", "cat": "kernel", "name": "void ⟦trace kernel⟧<float>(int)", "pid": 0, "tid": 7, "ts": 5500000, "dur": 2500000, "args": {"device": 0, "stream": 7, "correlation": 5}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (⟦trace memcpy⟧ -> Device)", "pid": 0, "tid": 7, "ts": 4500000, "dur": 400000, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "⟦trace category⟧", "name": "⟦trace other⟧", "pid": "⟦trace pid⟧", "tid": "⟦trace tid⟧", "ts": 5500000, "dur": 500000},
{"ph": "i", "cat": "x", "name": "⟦trace instant⟧", "pid": 4210, "tid": 7, "ts": 6000000, "s": "t"},
{"ph": "X", "cat": "cpu_op", "name": "⟦trace bad event⟧", "pid": 4210, "tid": 7, "ts": "⟦trace bad stamp⟧", "dur": 1}
]}
`,
	"⟦unknown file⟧.dat":        "⟦unknown content⟧ and nothing else\n",
	"⟦broken file⟧.json.gz":     "\x1f\x8bno gzip ⟦broken content⟧",
	"notes ⟦spaced file⟧ x.txt": "⟦note⟧\n",
	"run.yaml": `# ⟦yaml comment⟧
name: ⟦yaml name⟧
symptom: {kind: pause, text: "⟦yaml symptom⟧ pauses"}
window: {start: 2026-05-04T09:00:00+09:00, end: 2026-05-04T09:01:11+09:00}
temperature: warm
input: {dataset: ⟦yaml dataset⟧@3, location: /mnt/⟦yaml location⟧}
application: {name: ⟦yaml application⟧, version: 1.0-⟦yaml version⟧}
settings: {batch_size: 4, ⟦yaml setting⟧: 3, optimizer: ⟦yaml setting value⟧, nested: {⟦yaml nested setting⟧: [⟦yaml list⟧]}}
done_when: ⟦yaml done⟧ is published
quality: {metric: ⟦yaml metric⟧, value: 0.01, at_most: 0.02}
hypothesis: {text: "⟦yaml hypothesis⟧", change: "⟦yaml change⟧ 4 -> 8", rejects_if: "⟦yaml rejects⟧"}
result: {text: "⟦yaml result⟧", excluded: ["⟦yaml excluded⟧"], next_observation: "⟦yaml next⟧"}
clocks:
  ⟦gpu file⟧.csv: {zone: Asia/Seoul}
  apps.csv: {zone: Asia/Seoul, offset: 1ms, uncertainty: 1ms}
stages:
  - {stage: cpu_preparation, source: pytorch-trace, name: "^load_⟦trace mapped⟧"}
  - {stage: ⟦yaml stage⟧, source: pytorch-trace, name: "⟦trace annotation⟧"}
  - {stage: write, source: app-log, field: stage, value: ⟦log stage⟧}
log_patterns:
  - '^\[(?P<time>[^\]]+)\] (?P<stage>⟦pattern stage⟧) (?P<edge>begins|ends) (?P<input>\S+)'
redact: {words: [⟦yaml word⟧, gpu_⟦yaml word 2⟧]SHOW}
`,
}

// canaryRun builds the run folder; show is added to the key redact.
func canaryRun(t *testing.T, c *canaries, show string) string {
	t.Helper()
	base := c.at("run folder")
	files := map[string]string{}
	for _, name := range slices.Sorted(keysOf(canaryFiles)) { // the same canaries every time
		files[base+"/"+c.fill(name)] = strings.Replace(c.fill(canaryFiles[name]), "SHOW", show, 1)
	}
	return filepath.Join(folder(t, files), base)
}

func keysOf(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// canaryBuild builds and inspects the run; it returns every byte that a program
// or person elsewhere could see, by what holds it, and standard error.
func canaryBuild(t *testing.T, c *canaries, dir string, flags ...string) (outputs map[string]string, messages string) {
	t.Helper()
	out := t.TempDir()
	args := append([]string{"build", dir, "-o", filepath.Join(out, "r.html"), "--record", filepath.Join(out, "r.md"), "--json", "-", "--progress", "plain",
		"--what-if", c.at("what-if stage") + "=0.5"}, flags...)
	b := call(args...).wantCode(t, exitDone)
	i := call("inspect", dir, "--json").wantCode(t, exitDone)
	return map[string]string{"report": read(t, filepath.Join(out, "r.html")), "record": read(t, filepath.Join(out, "r.md")), "summary": b.out, "inspect --json": i.out}, b.err + i.err
}

// fileName reports whether a canary stands in a name of a file or folder: those
// the terminal may show.
func fileName(place string) bool {
	return strings.HasSuffix(place, " file") || place == "folder" || place == "run folder"
}

// No private text of any place of a run reaches an output, in any spelling.
func TestNoCanaryReachesAnOutput(t *testing.T) {
	for _, flags := range [][]string{nil, {"--relative-time"}} {
		t.Run(strings.Join(append([]string{"build"}, flags...), " "), func(t *testing.T) {
			c := newCanaries(20260504)
			outputs, messages := canaryBuild(t, c, canaryRun(t, c, ""), flags...)
			if len(c.word) < 90 {
				t.Fatalf("%d canaries only: the check would prove little", len(c.word))
			}
			for name, text := range outputs {
				if !utf8.ValidString(text) || len(text) < 500 {
					t.Errorf("%s: %d bytes, no text to look into", name, len(text))
				}
				if got := c.seen(text); len(got) > 0 {
					t.Errorf("%s shows the text of: %s", name, strings.Join(got, ", "))
				}
			}
			named := 0
			for _, place := range c.seen(messages) {
				if !fileName(place) {
					t.Errorf("standard error shows the text of: %s", place)
				}
				named++
			}
			if named == 0 {
				t.Errorf("standard error names no file of the run: %s", messages)
			}
		})
	}
}

// Nor does any that only a comparison of two runs would show.
func TestNoCanaryReachesAComparison(t *testing.T) {
	c, d := newCanaries(1), newCanaries(2)
	first, second := canaryRun(t, c, ""), canaryRun(t, d, "")
	outputs, messages := canaryBuild(t, c, first, second)
	for _, each := range []*canaries{c, d} {
		for name, text := range outputs {
			if got := each.seen(text); len(got) > 0 {
				t.Errorf("%s shows the text of: %s", name, strings.Join(got, ", "))
			}
		}
		if got := slices.DeleteFunc(each.seen(messages), fileName); len(got) > 0 {
			t.Errorf("standard error shows the text of: %s", strings.Join(got, ", "))
		}
	}
	list, ok := object(t, decoded(t, outputs["summary"]), "comparison").([]any)
	if !ok || len(object(t, list[0], "changed_settings").([]any)) == 0 {
		t.Error("no changed settings in the summary: their texts are not tried")
	}
}

// Every kind of file of the canary run is read as what it is meant to be, so that
// its canaries had their chance.
func TestCanaryRunIsRead(t *testing.T) {
	c := newCanaries(20260504)
	dir := canaryRun(t, c, "")
	table := call("inspect", dir).wantCode(t, exitDone).out
	for place, kind := range map[string]string{
		c.at("log file") + ".jsonl": "app-log", c.at("text file") + ".log": "app-log", "plain.logfmt": "app-log", "own_pattern.txt": "app-log",
		c.at("gpu file") + ".csv": "nvidia-smi", "apps.csv": "nvidia-smi", c.at("trace file") + ".json": "pytorch-trace",
		"run.yaml": "run-file", c.at("unknown file") + ".dat": "not-recognised",
	} {
		found := false
		for _, line := range strings.Split(table, "\n") {
			if strings.Contains(line, place) && strings.Contains(line, " "+kind+" ") {
				found = !strings.Contains(line, "not read") || kind == "not-recognised"
			}
		}
		if !found {
			t.Errorf("%s is not read as %s:\n%s", place, kind, table)
		}
	}
	for _, place := range c.seen(table) {
		if !fileName(place) {
			t.Errorf("the table shows the text of: %s", place)
		}
	}
	r := firstRun(t, summary(t, dir))
	for _, key := range []string{"stages", "devices", "pauses", "hypotheses"} {
		if len(object(t, r, key).([]any)) == 0 {
			t.Errorf("the run has no %s: their texts are not tried", key)
		}
	}
	if n, _ := object(t, summary(t, dir), "redaction", "excerpts").(json.Number).Int64(); n == 0 {
		t.Error("the report cites no record: excerpts are not tried")
	}
}

// The check would notice: what the person asks to be shown is found.
func TestShownTextIsSeen(t *testing.T) {
	c := newCanaries(20260504)
	fields := []string{"yaml symptom", "yaml dataset", "yaml location", "yaml application", "yaml done", "yaml hypothesis"}
	outputs, _ := canaryBuild(t, c, canaryRun(t, c, ", show: [symptom, dataset, location, application, done_when, hypothesis, file]"))
	for output, want := range map[string][]string{
		"report":         append(fields, "gpu file"),
		"summary":        append(fields, "gpu file"),
		"inspect --json": {"gpu file", "log file"},
	} {
		got := c.seen(outputs[output])
		for _, place := range want {
			if !slices.Contains(got, place) {
				t.Errorf("%s: %s was to be shown, and is not found", output, place)
			}
		}
		for _, place := range got {
			asked := slices.Contains(fields, place) || fileName(place) ||
				slices.Contains([]string{"yaml version", "yaml change", "yaml rejects"}, place) // of the same fields
			if !asked {
				t.Errorf("%s shows the text of %s, which nobody asked for", output, place)
			}
		}
	}
}

// An error about run.yaml tells the place and not the text.
func TestErrorsShowNoText(t *testing.T) {
	c := newCanaries(7)
	for _, yaml := range []string{
		"⟦key⟧: 1\n", "name: [⟦list⟧\n", "temperature: ⟦word⟧\n", "clocks: {app.log: {zone: ⟦zone⟧}}\n", "clocks: {⟦file⟧.csv: {zone: UTC}}\n",
		"settings: {a: {⟦nested⟧: {b: &x ⟦anchor⟧}}, c: *⟦alias⟧}\n", "log_patterns: ['(?P<⟦group⟧>x']\n", "stages: [{stage: write, name: '(⟦expression⟧'}]\n",
		"window: {start: ⟦instant⟧}\n", "targets: {deadline_seconds: ⟦number⟧}\n", "anchors: [{a: {file: ⟦anchor file⟧, line: 1}, b: {file: app.log, line: 1}}]\n",
		"redact: {⟦redact key⟧: [x]}\n", "symptom: {kind: ⟦kind⟧}\n", "name: \"⟦quote⟧\n", "name: !!binary ⟦tag⟧\n", "⟦only⟧",
	} {
		dir := folder(t, map[string]string{"app.log": read(t, fixtures+"mockreview/app.log"), "run.yaml": "# \n" + c.fill(yaml)})
		out := filepath.Join(t.TempDir(), "r.html")
		got := call("build", dir, "-o", out)
		if got.code != exitNothing && !strings.Contains(yaml, "!!binary") {
			t.Errorf("%q: exit status %d, want %d", yaml, got.code, exitNothing)
		}
		if got.code == exitNothing && !strings.Contains(got.err, "run.yaml:") {
			t.Errorf("%q: got %q, want the place in run.yaml", yaml, got.err)
		}
		if places := c.seen(got.out + got.err); len(places) > 0 && !slices.Equal(places, []string{"file"}) && !slices.Equal(places, []string{"anchor file"}) {
			t.Errorf("%q: the message shows the text of %v: %s", yaml, places, got.err)
		}
	}
}
