package redact

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tracemerge/model"
	"tracemerge/model/report"
)

// honestTexts are what a user may call things: words of the page, of English, of
// the field, numbers, and what looks like text of ours.
var honestTexts = []string{"summary", "waterfall", "device", "devices", "scenario", "comparable", "comparison", "throughput", "reward", "drawer", "claims", "pain",
	"batch-1 1", "batch-1", "node 12", "step 3", "step 3 started", "load, save", "run 1", "run 1, baseline", "stage load", "not declared", "GPU compute", "function", "const", "chart",
	"chart-1", "zoom", "0.5", "12", "1234567890", "UTC", "nfs", "ssd", "projectx", "file open", "line 7", "bucket", "secret", "dataset", "placeholder", "ordinary words",
	"⟨host:1⟩", "2026-05-04T09:00", "09:00:00", "rank 3", "rank0.json", "aten::addmm", "addmm", "index", "indexing", "word", "text", "number", "found", "found at", "html", "margin",
	"a", "x y", "the", "it's", "a & b", "<b>", "no run", "40 s pause", "pause between", "gpu 0", "NVIDIA H100", "localhost", "train", "eval/load", "/data/train", "b'x", "nodes"}

// honest draws texts that collide with each other and with the page.
func honest(seed uint64) func() string {
	rnd := rand.New(rand.NewPCG(seed, 5))
	m := newMinter(seed)
	var some []string // few of them, so that the same text stands in several classes
	for range 12 {
		switch rnd.IntN(6) {
		case 0:
			some = append(some, m.mint([]string{"aaaaa", "aaa-00", "f0f0f0f0f0", "000000000000"}[rnd.IntN(4)]))
		case 1:
			some = append(some, honestTexts[rnd.IntN(len(honestTexts))]+" "+honestTexts[rnd.IntN(len(honestTexts))])
		default:
			some = append(some, honestTexts[rnd.IntN(len(honestTexts))])
		}
	}
	return func() string { return some[rnd.IntN(len(some))] }
}

// honestReport is a small report with a text of every class and several fields.
func honestReport(seed uint64) *report.Report {
	draw := honest(seed)
	at := func(c model.Class) model.Text { return model.NewText(draw(), c) }
	d := &model.Declaration{Name: at(model.ClassFree), SymptomText: at(model.ClassFree), Dataset: at(model.ClassDataset), Location: at(model.ClassPath),
		AppName: at(model.ClassProcess), DoneWhen: at(model.ClassFree)}
	run := report.Run{Label: at(model.ClassFile), Declared: d}
	for i := range 3 {
		run.Sources = append(run.Sources, report.Source{Source: model.Source{ID: model.SourceID(i + 1), File: at(model.ClassFile)}})
	}
	for _, c := range allClasses {
		run.Findings = append(run.Findings, report.Finding{Text: model.Say("found {} at {}, stage {}, run {}", at(c), model.Pos{Source: 1, Line: 7}, model.StageNamed(draw()), 1)})
	}
	rep := &report.Report{Runs: []report.Run{run}}
	for range 4 {
		rep.Excerpts = append(rep.Excerpts, report.Excerpt{Text: model.NewText("09:00:00 INFO "+draw()+" step 3 "+draw()+" host="+draw(), model.ClassLogLine)})
	}
	return rep
}

const pageStyle = ".chart{margin:0} function zoom(index){const reward=1}"

// honestPage renders as the page and the summary do: sentences of ours around
// texts, lists, figures, attributes, a style sheet, and JSON.
func honestPage(d Document) ([][]byte, error) {
	var b strings.Builder
	d.Own([]byte(pageStyle))
	fmt.Fprintf(&b, "<html><style>%s</style><h2 id=summary>Summary</h2><h2>Waterfall</h2><p>No run is comparable with one that was not declared: 1234567890 of 12 ordinary words.</p>", pageStyle)
	run := d.Report.Runs[0]
	fmt.Fprintf(&b, "<p title=\"chart-1\">Run 1, baseline: %s; 2026-05-04T09:00:00Z</p>", html.EscapeString(d.Text(run.Label).String()))
	var names []Shown
	for _, s := range run.Sources {
		names = append(names, d.Text(s.File))
	}
	fmt.Fprintf(&b, "<p>%s</p><table>", html.EscapeString(Join(", ", names...).String()))
	for i, f := range run.Findings {
		fmt.Fprintf(&b, "<tr id=found-%d><td>%s</td></tr>\n", i, html.EscapeString(d.Phrase(0, f.Text).String()))
	}
	b.WriteString("</table>")
	for i, e := range d.Report.Excerpts {
		fmt.Fprintf(&b, "<pre>line %d: %s</pre>", i, html.EscapeString(d.Text(e.Text).String()))
	}
	var texts strings.Builder
	writeAll(d, 0, reflect.ValueOf(*run.Declared), &texts)
	j, err := json.Marshal(map[string]any{"declared": strings.Split(texts.String(), "\n"), "dataset": d.Field("dataset", run.Declared.Dataset),
		"bytes": 1234567890, "replaced": d.Counts()})
	return [][]byte{[]byte(b.String()), j}, err
}

var honestPolicies = []Policy{{}, {Words: []model.Raw{model.NewRaw("projectx"), model.NewRaw("index")}}, {Show: []string{"symptom", "dataset", "name"}},
	{Show: []string{"task", "file", "host"}, RelativeTime: true}}

var honestReports = flag.Uint64("reports", 400, "how many random reports the gate must let pass")

// No honest input is refused, whatever its texts are and wherever they stand too.
func TestAnHonestReportIsNeverRefused(t *testing.T) {
	reports := *honestReports
	healed, program := 0, sync.OnceValue(programImage)
	for seed := range reports {
		renders := 0
		_, err := write(honestPolicies[seed%4], plainValues{}, honestReport(seed), func(d Document) ([][]byte, error) {
			renders++
			return honestPage(d)
		}, program)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if renders > 1 {
			healed++
		}
	}
	t.Logf("%d of %d reports were healed", healed, reports)
	if healed < int(reports/20) {
		t.Errorf("only %d of %d reports had to be healed: they collide too little to show anything", healed, reports)
	}
}

// After healing, what was found is shown nowhere.
func TestWhatIsHiddenAnywhereIsHiddenEverywhere(t *testing.T) {
	for _, tt := range []struct {
		rule  string
		class model.Class
		text  string
		line  string // of a log
		want  string // how the line is shown
		show  []string
	}{
		{"a host and a log line", model.ClassHost, "node 12", "node 12 started", "⟨word:1⟩ started", nil},
		{"its reverse", model.ClassHost, "drawer", "mean reward 3", "mean ⟨word:1⟩ 3", nil},
		{"not inside a longer word", model.ClassUser, "rank 3", "rank 31 started", "rank 31 started", nil},
		{"a word of a list is public", model.ClassHost, "training", "training started", "training started", nil},
		{"so is the same text in full by Show", model.ClassDataset, "acme claims", "step 3", "step 3", []string{"dataset"}},
	} {
		run := report.Run{Label: model.NewText(tt.text, tt.class), Declared: &model.Declaration{Dataset: model.NewText(tt.text, model.ClassDataset)}}
		rep := &report.Report{Runs: []report.Run{run}, Excerpts: []report.Excerpt{{Text: model.NewText(tt.line, model.ClassLogLine)}}}
		outs, err := Write(Policy{Show: tt.show}, plainValues{}, rep, func(d Document) ([][]byte, error) {
			return [][]byte{[]byte(d.Text(run.Label).String() + "|" + d.Field("dataset", run.Declared.Dataset).String() + "|" + d.Text(rep.Excerpts[0].Text).String())}, nil
		})
		if err != nil {
			t.Errorf("%s: %v", tt.rule, err)
			continue
		}
		if got := strings.Split(string(outs[0]), "|")[2]; got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.rule, got, tt.want)
		}
	}
}

// Bytes that come into an output past the redactor are found in spite of healing:
// into the final one only, into every rendering, and words of the page.
func TestAPlantedLeakIsFoundAfterHealing(t *testing.T) {
	program := sync.OnceValue(programImage)
	for seed := range uint64(10) {
		m := newMinter(seed + 9000)
		secret := m.mint([]string{"aaaaaaaa", "aaaa-0a0a-aaaa", "/aaaaa/aaaaaa/aaa", "f0f0f0f0f0f0f0f0", "aaaaaa aaaaaaa"}[seed%5])
		for name, plant := range map[string]func(render int) string{
			"in every rendering":    func(int) string { return secret },
			"in all but the second": func(n int) string { return map[bool]string{true: secret}[n != 2] },
			"a word of the page":    func(n int) string { return map[bool]string{true: " waterfall "}[n != 2] },
		} {
			rep := honestReport(seed)
			rep.Runs[0].Findings = append(rep.Runs[0].Findings,
				report.Finding{Text: model.Say("{} {}", model.NewText(secret, model.ClassUser), model.NewText("waterfall", model.ClassUser))})
			rep.Excerpts = append(rep.Excerpts, report.Excerpt{Text: model.NewText("node 12 on "+strconv.Itoa(7), model.ClassLogLine)})
			n := 0
			_, err := write(Policy{}, plainValues{}, rep, func(d Document) ([][]byte, error) {
				n++
				outs, err := honestPage(d)
				outs[0] = append(outs[0], "<p>"+html.EscapeString(plant(n))+"</p>"...)
				return outs, err
			}, program)
			var leak *LeakError
			if !errors.As(err, &leak) {
				t.Errorf("seed %d: %s, %q: not found (%v)", seed, name, secret, err)
			} else if strings.Contains(err.Error(), secret) || len(leak.Found) == 0 {
				t.Errorf("seed %d: %s: the error says %q", seed, name, err)
			}
		}
	}
}
