package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/render/redact"
)

const oneSecond = time.Second

func jsonInstant(s string) model.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return model.Time(t.UnixNano())
}

func jsonInterval(a, b model.Time) model.Interval[model.Time] {
	return model.Interval[model.Time]{Start: a, End: b}
}

// fullReport has two runs; the first has something in every part, the second
// nothing but its window.
func fullReport() *report.Report {
	start := jsonInstant("2026-05-04T00:00:00Z")
	end := start + model.Time(100*oneSecond+1)
	first := report.Run{
		Label:    model.NewText("baseline", model.ClassFile),
		Declared: &model.Declaration{Temperature: "warm", NotDeclared: []string{"name", "window"}, Settings: []model.Setting{{Key: model.NewText("batch_size", model.ClassSetting), Value: model.NewText("32", model.ClassSetting)}}, Clocks: []model.DeclaredClock{{Offset: 1250 * time.Millisecond, HasOffset: true, From: model.Pos{Line: 15}}}, Anchors: []model.DeclaredAnchor{{Within: 1}}, Stages: []model.StageRule{{Stage: model.StageWrite, Source: model.KindLog}}, Patterns: []model.LogPattern{{}}},
		Window:   report.Window{At: jsonInterval(start, end), Known: true, UTC: true, By: model.Say("declared")},
		Stages: []report.StageTable{{Basis: report.Basis{Kind: model.KindLog, Placed: true}, Rows: []report.StageRow{
			{Stage: model.StageCPUPreparation, Busy: 60 * oneSecond, Exclusive: 60*oneSecond - 1, Overlap: 1, Share: model.Known(0.6), Intervals: 3, Unsure: 2}}}},
		Accounted: report.Accounted{Known: true, Stages: 60 * oneSecond, Unattributed: 40 * oneSecond, Unknown: 1},
		GPUShare:  model.Known(model.Range[float64]{Lo: 0.2, Hi: 0.25}),
		WhatIf: report.WhatIf{Total: model.Known(100*oneSecond + 1), Rows: []report.Scenario{{Name: model.Say("preparation halved"), Strength: "hidden_activity",
			Changes: []report.Change{{Stage: model.StageCPUPreparation, Factor: 0.5}}, Total: model.Known(model.Exactly(70 * oneSecond)), Saved: model.Known(model.Exactly(30 * oneSecond)),
			Worst: model.Known(model.Range[time.Duration]{Lo: 70 * oneSecond, Hi: 100 * oneSecond}), Speedup: model.Known(model.Exactly(1.25)),
			GPUShare: model.Known(model.Exactly(2.0 / 7)), Limit: model.Known(model.Range[float64]{Lo: 2.5, Hi: math.Inf(1)})}}},
		Progress: report.Progress{FirstResult: model.Known(time.Duration(1)), Accepted: model.Known[int64](0), Rejected: model.Missing[int64](model.NotRecorded)},
		Pauses: []report.Pause{{At: jsonInterval(start+5, start+6), Kind: "no_stage", UnknownShare: model.Known(0.5),
			Evidence: []report.Evidence{{At: model.Pos{Source: 1, Line: 7, Offset: 99}, When: jsonInterval(start, start+1), What: model.Say("a line")}, {What: model.Say("no record")}, {At: model.Pos{Source: 4}, What: model.Say("a whole file")}}}},
		Hypotheses: []report.Hypothesis{{ID: "input_bound", State: report.NotEvaluated, Statement: model.Say("consistent with slow input"),
			Supports: []report.Evidence{{At: model.Pos{Source: 2, Offset: 5}, What: model.Say("an event")}}, Missing: []model.Phrase{model.Say("host statistics")}}},
		Targets: []report.Target{{Name: "deadline_seconds", Wanted: 7200, Unit: "s", Observed: model.Missing[float64](model.NotRecorded)}},
		Devices: []report.Device{{Source: 1, ID: model.NewText("0", model.ClassCell), Placed: true, Metrics: []report.Metric{{
			Name: model.NewText("utilization.gpu", model.ClassMetric), Unit: model.NewText("%", model.ClassMetric), Samples: 3, NotKnown: 1,
			Known: 3 * oneSecond, Unknown: 97*oneSecond + 1, Min: model.Known(0.0), Mean: model.Known(33.25), Max: model.Known(1e9)}},
			BusyShare: model.Missing[model.Range[float64]](model.WindowUnknown)}},
		Unknown: []report.Unknown{{Source: 1, At: jsonInterval(start+10, start+20), Placed: true, Why: model.CollectorGap}, {Source: 2, At: jsonInterval(0, 7), Why: model.DroppedRecords}},
		Sources: []report.Source{
			{Source: model.Source{ID: 1, File: model.NewText("gpu.csv", model.ClassFile), Kind: model.KindSMI, SHA256: strings.Repeat("ab", 32), Bytes: 1234},
				Capture: &model.Capture{Account: model.Account{Read: 5, Used: 3, SetAside: []model.Tally{{Code: "smi/blank", N: 1}}, Rejected: []model.Tally{{Code: "smi/short", N: 1, First: model.Pos{Source: 1, Line: 9, Offset: 500}}}},
					Notices: []model.Notice{{Code: "smi/na", Severity: model.Note, N: 3, Text: model.Say("not available"), At: []model.Pos{{Source: 1, Line: 4, Offset: 80}}}, {Code: "smi/info", Text: model.Say("only informs"), N: 1}}},
				Placed: true, Clocks: []report.Clock{{Domain: model.Domain{Kind: model.DomainCivil, Step: time.Millisecond}, Mapping: model.Mapping{Placed: true, Method: model.MethodZone,
					Zone: model.NewText("Asia/Seoul", model.ClassZone), Segments: []model.Segment{{Offset: model.OffsetRange{Lo: -9*3600*oneSecond - 1, Estimate: -9 * 3600 * oneSecond, Hi: -9*3600*oneSecond + 1}}},
					Evidence: []model.Phrase{model.Say("run.yaml declares it")}, Other: []time.Duration{-8 * 3600 * oneSecond}}}},
				Observed: []model.Interval[model.Time]{jsonInterval(start, start+10)}, Covered: model.Known(time.Duration(10))},
			{Source: model.Source{ID: 2, File: model.NewText("trace.json", model.ClassFile), Kind: model.KindTrace},
				Capture: &model.Capture{Truncated: true, Account: model.Account{Read: 2, Used: 2}},
				Trace: &report.Trace{Facts: &model.TraceFacts{Events: 2, Rank: model.Known[int64](0), WithStack: model.Known(false), Steps: []model.TraceStep{{Name: model.NewText("ProfilerStep#3", model.ClassOperation), At: model.Interval[model.ClockTime]{Start: 5, End: 12}}}},
					Devices: []report.TraceDevice{{Device: model.NewText("0", model.ClassCell), Kernels: 2, Span: model.Interval[model.ClockTime]{Start: 3, End: 1000000003}, KernelBusy: 12, Idle: 999999988}}}},
			{Source: model.Source{ID: 3, File: model.NewText("notes.txt", model.ClassFile), Kind: model.KindUnknown, Why: model.Say("text in which no reader finds its records")},
				Capture: &model.Capture{}},
			{Source: model.Source{ID: 4, File: model.NewText("log.gz", model.ClassFile), Kind: model.KindLog}, Capture: &model.Capture{Err: errors.New("zanzibar of somebody")}},
		},
	}
	other := report.Run{Label: model.NewText("candidate", model.ClassFile), Declared: &model.Declaration{HasEnd: true, Window: jsonInterval(0, end)}, Primary: -1}
	return &report.Report{Runs: []report.Run{first, other}, Comparisons: []report.Comparison{{Candidate: 1,
		Warnings:        []model.Phrase{model.Say("cold and warm runs are not comparable")},
		ChangedSettings: []model.Text{model.NewText("batch_size", model.ClassSetting)},
		Conditions:      []report.Condition{{Name: model.Say("input"), State: "not_declared"}},
		Metrics:         []report.MetricChange{{Name: "wall_seconds", Unit: "s", Base: model.Known(model.Exactly(100.0)), Verdict: "not_observed"}},
		Stages:          []report.MetricChange{{Name: "stage", HasStage: true, Stage: model.StageWrite, Unit: "s", Base: model.Known(model.Range[float64]{Lo: 1, Hi: 2})}},
	}}}
}

func writeJSON(t *testing.T, rep *report.Report, opt Options) string {
	t.Helper()
	d := redact.New(redact.Policy{}, PlainFor(rep, opt)).Document(rep)
	var b bytes.Buffer
	if err := JSON(&b, d, opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// contractKeys are the keys of the interface description: "a[].b" stands in each
// object of list a.
var contractKeys = strings.Fields(`
tracemerge.version tracemerge.schema
runs[].name runs[].temperature runs[].declared runs[].not_declared
runs[].window.start runs[].window.end runs[].window.seconds
runs[].sources[].file runs[].sources[].kind runs[].sources[].sha256 runs[].sources[].bytes runs[].sources[].records
runs[].sources[].rejected runs[].sources[].truncated runs[].sources[].placed
runs[].sources[].clock.domain runs[].sources[].clock.zone runs[].sources[].clock.offset_seconds runs[].sources[].clock.method
runs[].sources[].clock.evidence runs[].sources[].clock.ambiguous runs[].sources[].clock.contradictions
runs[].sources[].clock.offset_seconds.lo runs[].sources[].clock.offset_seconds.estimate runs[].sources[].clock.offset_seconds.hi
runs[].sources[].observed[].start runs[].sources[].observed[].end
runs[].sources[].unknown[].start runs[].sources[].unknown[].end runs[].sources[].unknown[].reason
runs[].sources[].problems[].line runs[].sources[].problems[].byte runs[].sources[].problems[].message runs[].sources[].problems[].count
runs[].sources[].trace.events runs[].sources[].trace.rank runs[].sources[].trace.world_size
runs[].sources[].trace.options.with_stack runs[].sources[].trace.options.record_shapes runs[].sources[].trace.options.profile_memory
runs[].sources[].trace.steps[].name runs[].sources[].trace.steps[].start runs[].sources[].trace.steps[].seconds
runs[].sources[].trace.devices[].device runs[].sources[].trace.devices[].kernels runs[].sources[].trace.devices[].kernel_busy_seconds
runs[].sources[].trace.devices[].memcpy_busy_seconds runs[].sources[].trace.devices[].memset_busy_seconds
runs[].sources[].trace.devices[].gpu_busy_seconds runs[].sources[].trace.devices[].span_seconds runs[].sources[].trace.devices[].idle_seconds
runs[].sources[].trace.devices[].communication_busy_seconds runs[].sources[].trace.devices[].communication_overlap_seconds
runs[].devices[].id runs[].devices[].metrics[].name runs[].devices[].metrics[].unit runs[].devices[].metrics[].samples
runs[].devices[].metrics[].known_seconds runs[].devices[].metrics[].unknown_seconds runs[].devices[].metrics[].min
runs[].devices[].metrics[].mean runs[].devices[].metrics[].max runs[].devices[].busy_share
runs[].stages[].stage runs[].stages[].basis runs[].stages[].seconds runs[].stages[].exclusive_seconds runs[].stages[].overlap_seconds
runs[].stages[].share runs[].stages[].intervals runs[].stages[].uncertainty_seconds
runs[].accounted.stage_seconds runs[].accounted.unattributed_seconds runs[].accounted.unknown_seconds
runs[].gpu_share runs[].gpu_share.lo runs[].gpu_share.hi
runs[].what_if[].scenario runs[].what_if[].strength runs[].what_if[].best_case_only.lo runs[].what_if[].best_case_only.hi
runs[].what_if[].changes[].stage runs[].what_if[].changes[].factor runs[].what_if[].total_seconds.lo runs[].what_if[].total_seconds.hi
runs[].what_if[].saved_seconds.lo runs[].what_if[].saved_seconds.hi runs[].what_if[].speedup.lo runs[].what_if[].speedup.hi
runs[].what_if[].gpu_share.lo runs[].what_if[].gpu_share.hi runs[].what_if[].limit_speedup.lo runs[].what_if[].limit_speedup.hi
runs[].progress.first_result_seconds runs[].progress.accepted runs[].progress.rejected runs[].progress.errors
runs[].progress.retries runs[].progress.accepted_per_minute
runs[].pauses[].start runs[].pauses[].end runs[].pauses[].seconds runs[].pauses[].stage runs[].pauses[].unknown_share
runs[].pauses[].evidence[].source runs[].pauses[].evidence[].line runs[].pauses[].evidence[].byte runs[].pauses[].evidence[].what
runs[].hypotheses[].id runs[].hypotheses[].statement runs[].hypotheses[].supports[].source runs[].hypotheses[].supports[].line
runs[].hypotheses[].supports[].byte runs[].hypotheses[].supports[].what runs[].hypotheses[].against runs[].hypotheses[].missing
runs[].hypotheses[].next_check
runs[].targets[].name runs[].targets[].wanted runs[].targets[].observed runs[].targets[].met
comparison[].baseline comparison[].candidate comparison[].comparable comparison[].warnings comparison[].changed_settings
comparison[].metrics[].name comparison[].metrics[].unit comparison[].metrics[].baseline comparison[].metrics[].candidate
comparison[].metrics[].ratio comparison[].metrics[].verdict comparison[].stages[].name
redaction.replaced redaction.excerpts redaction.withheld_lines
`)

// walkJSON visits every key with its path, and checks the law of unknown values
// and that no list is null.
func walkJSON(t *testing.T, v any, path string, seen map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			p := strings.TrimPrefix(path+"."+k, ".")
			seen[p] = true
			why, has := v[k+"_unknown"]
			if s, ok := why.(string); (x == nil) != has || has && (!ok || s == "") {
				t.Errorf("%s is %v, and %s_unknown is %v: want a reason exactly if the value is null", p, x, k, why)
			}
			if lo, ok := v["lo"]; ok && v["hi"] == nil && v["hi_unknown"] == nil {
				t.Errorf("%s: a pair with lo %v and no hi", path, lo)
			}
			walkJSON(t, x, p, seen)
		}
	case []any:
		for _, x := range v {
			if x == nil {
				t.Errorf("%s holds null", path)
			}
			walkJSON(t, x, path+"[]", seen)
		}
	}
}

func TestJSONHoldsEveryKeyOfTheContract(t *testing.T) {
	text := writeJSON(t, fullReport(), Options{})
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, text)
	}
	seen := map[string]bool{}
	walkJSON(t, v, "", seen)
	for _, k := range contractKeys {
		if !seen[k] {
			t.Errorf("%s is missing", k)
		}
	}
}

// A run in which nothing is known has the same keys, each with a reason.
func TestJSONOfAnEmptyRunHasReasonsAndNoNumbers(t *testing.T) {
	rep := &report.Report{Runs: []report.Run{{Declared: &model.Declaration{}, Primary: -1}}}
	text := writeJSON(t, rep, Options{})
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	walkJSON(t, v, "", seen)
	for _, k := range []string{"runs[].window.start_unknown", "runs[].gpu_share_unknown", "runs[].accounted.stage_seconds_unknown", "runs[].progress.accepted_unknown",
		"runs[].temperature_unknown", "comparison_unknown", "runs[].declared.targets.gpu_hours_unknown"} {
		if !seen[k] {
			t.Errorf("%s is missing", k)
		}
	}
	for _, k := range []string{"sources", "devices", "stages", "what_if", "pauses", "hypotheses", "targets", "not_declared"} {
		if _, ok := v["runs"].([]any)[0].(map[string]any)[k].([]any); !ok {
			t.Errorf("%s: got no list, want an empty one", k)
		}
	}
	if strings.Contains(text, "_seconds\": 0") {
		t.Errorf("an unknown duration is written as 0:\n%s", text)
	}
}

// A scenario about which nothing can be said is null, not 0, in both outputs.
func TestUnknownScenarioIsNoNumber(t *testing.T) {
	rep := stagesElsewhere()
	text := writeJSON(t, rep, Options{})
	for _, k := range []string{"total_seconds", "saved_seconds", "best_case_only", "speedup"} {
		if want := `"` + k + `": null, "` + k + `_unknown": "clock_unplaced"`; !strings.Contains(oneLine(text), want) {
			t.Errorf("got no %s", want)
		}
	}
	page := pageOf(t, state{"stages on another clock", rep, Options{}})
	if got := strings.Count(page, "not computable (clock not placed)"); got < 3 {
		t.Errorf("got %d cells that say not computable and why, want 3", got)
	}
	if want := "a clock that is not placed in the window"; !strings.Contains(page, want) {
		t.Errorf("the first screen does not say %q", want)
	}
}

// oneLine makes indentation irrelevant.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// lines of the output as they must stand, by the rule that they show.
func TestJSONValues(t *testing.T) {
	text := writeJSON(t, fullReport(), Options{Version: "1.2.3"})
	for rule, want := range map[string]string{
		"seconds keep their nanoseconds":          `"seconds": 100.000000001`,
		"a small duration is no power of ten":     `"first_result_seconds": 0.000000001`,
		"a negative offset":                       `"lo": -32400.000000001`,
		"a whole number of seconds":               `"stage_seconds": 60,`,
		"instants have nine decimals in UTC":      `"end": "2026-05-04T00:01:40.000000001Z"`,
		"an instant also counts from the window":  `"start_seconds": 0.000000005`,
		"a measured 0 is 0":                       `"accepted": 0,`,
		"unknown is null with its reason":         "\"rejected\": null,\n        \"rejected_unknown\": \"not_recorded\"",
		"an infinite bound is null":               "\"hi\": null,\n            \"hi_unknown\": \"unbounded\"",
		"a shortest float":                        `"hi": 0.25`,
		"a large float is exact":                  `"max": 1e+09`,
		"a false option is known":                 `"with_stack": false`,
		"a rejected record without a notice":      `"code": "smi/short"`,
		"version":                                 `"version": "1.2.3"`,
		"ambiguous offsets in seconds":            "\"ambiguous\": [\n            -28800\n          ]",
		"an empty list":                           `"contradictions": []`,
		"a target whose result is not known":      "\"met\": null,\n          \"met_unknown\": \"not_set\"",
		"a trace that is not placed":              "\"start\": null,\n              \"start_unknown\": \"clock_unplaced\"",
		"a file that was not read has no counts":  "\"records\": null,\n          \"records_unknown\": \"not_read\"",
		"the file as a whole has no line or byte": "\"source\": \"log.gz\", \"line\": null, \"line_unknown\": \"not_applicable\", \"byte\": null",
		"stages by their identifier":              `"stage": "cpu_preparation"`,
	} {
		if !strings.Contains(oneLine(text), oneLine(want)) {
			t.Errorf("%s: want %s in\n%s", rule, want, text)
		}
	}
	for rule, not := range map[string]string{"a notice that only informs": "only informs", "text of an error": "zanzibar"} {
		if strings.Contains(text, not) {
			t.Errorf("%s: %q must not stand in the summary", rule, not)
		}
	}
}

func TestJSONSecondsAreExact(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0", 1: "0.000000001", -1: "-0.000000001", 999999999: "0.999999999", oneSecond: "1",
		-oneSecond - 1: "-1.000000001", 12345678901: "12.345678901", 1500 * time.Millisecond: "1.5", 1e15: "1000000",
		math.MaxInt64: "9223372036.854775807", math.MinInt64: "-9223372036.854775808"} {
		var j jsonWriter
		j.within('{', '}', func() { j.seconds("s", d) })
		var v struct{ S json.Number }
		if err := json.Unmarshal(j.out.Bytes(), &v); err != nil || v.S.String() != want {
			t.Errorf("%d ns: got %s, %v; want %s", d, v.S, err, want)
		}
	}
}

func TestJSONIsTheSameEveryTime(t *testing.T) {
	a, b := writeJSON(t, fullReport(), Options{}), writeJSON(t, fullReport(), Options{})
	if a != b {
		t.Error("two summaries of one report differ")
	}
	if !strings.HasPrefix(a, "{\n  \"tracemerge\": {\n    \"version\"") || !strings.HasSuffix(a, "}\n") {
		t.Errorf("the first key must be tracemerge, by which a summary is recognised; got %.60q", a)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(strings.TrimSuffix(a, "\n")), "", "  "); err != nil || indented.String()+"\n" != a {
		t.Errorf("the indentation is not that of two spaces (%v)", err)
	}
}

func TestJSONWithoutDates(t *testing.T) {
	relative := writeJSON(t, fullReport(), Options{Relative: true})
	rep := fullReport()
	rep.Runs[0].Window.UTC = false
	rep.Runs[1].Declared = &model.Declaration{}
	own := writeJSON(t, rep, Options{})
	for name, c := range map[string]struct{ text, why string }{"relative": {relative, "relative_time"}, "own clock": {own, "clock_unplaced"}} {
		if strings.Contains(c.text, "2026-05-04") {
			t.Errorf("%s: a date stands in the summary", name)
		}
		for _, want := range []string{"\"start\": null,\n        \"start_unknown\": \"" + c.why + "\"", `"seconds": 100.000000001`, `"start_seconds": 0.000000005`} {
			if !strings.Contains(c.text, want) {
				t.Errorf("%s: want %s", name, want)
			}
		}
		var v any
		if err := json.Unmarshal([]byte(c.text), &v); err != nil {
			t.Fatal(err)
		}
		walkJSON(t, v, "", map[string]bool{})
	}
}

func TestJSONEscapesText(t *testing.T) {
	var j jsonWriter
	hostile := "\"\\\n\x00\x1b\u2028</script>\xff漢字 ⟨file:1⟩"
	j.within('{', '}', func() { j.word("k", hostile, model.NotSet) })
	var v struct{ K string }
	if err := json.Unmarshal(j.out.Bytes(), &v); err != nil || v.K != strings.ToValidUTF8(hostile, "\uFFFD") {
		t.Errorf("got %q, %v; want the text back", v.K, err)
	}
}

func TestInspect(t *testing.T) {
	rep := fullReport()
	d := redact.New(redact.Policy{}, PlainFor(rep, Options{})).Document(rep)
	var b bytes.Buffer
	if err := InspectJSON(&b, d, Options{}); err != nil {
		t.Fatal(err)
	}
	var inspected, whole map[string]any
	if err := json.Unmarshal(b.Bytes(), &inspected); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(writeJSON(t, rep, Options{})), &whole); err != nil {
		t.Fatal(err)
	}
	sources := inspected["sources"].([]any)
	want := whole["runs"].([]any)[0].(map[string]any)["sources"].([]any)
	if len(sources) != len(want) || len(inspected) != 2 {
		t.Fatalf("got %d sources and keys %d, want the %d of the summary, and the clocks", len(sources), len(inspected), len(want))
	}
	for i := range want {
		got := sources[i].(map[string]any)
		if got["run"] != "baseline" {
			t.Errorf("source %d: run is %v, want baseline", i, got["run"])
		}
		delete(got, "run")
		a, _ := json.Marshal(got)
		w, _ := json.Marshal(want[i])
		if !bytes.Equal(a, w) {
			t.Errorf("source %d differs from the summary's:\n%s\n%s", i, a, w)
		}
	}
	b.Reset()
	if err := InspectTable(&b, d, Options{FileName: func(t model.Text) string { return t.Raw.Reveal() + "\x1b" }}); err != nil {
		t.Fatal(err)
	}
	wantTable := `file         kind             records  rejected  clock                            covers
gpu.csv?     nvidia-smi             5         1  civil, declared zone Asia/Seoul  2026-05-04 00:00:00–00:00:00.000000010 UTC
    line 4: not available (3 times) [smi/na]
    line 9: records that could not be read [smi/short]
trace.json?  pytorch-trace          2         0  none                             no clock
    the file is cut off; what stands before the cut is used
notes.txt?   not-recognised  not read  not read  none                             no clock
    text in which no reader finds its records
log.gz?      app-log         not read  not read  none                             no clock
`
	if got := b.String(); !strings.HasPrefix(got, wantTable) || strings.Contains(got, "zanzibar") {
		t.Errorf("got\n%s\nwant\n%s", got, wantTable)
	}
}
