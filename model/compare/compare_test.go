package compare

import (
	"math/rand/v2"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// fresh is a run with everything declared and 48 batches of about the given length.
func fresh(batch time.Duration) report.Run {
	return simulated(batch, 0.01, rand.New(rand.NewPCG(uint64(batch), 1)))
}

// simulated is a run whose batches follow each other and differ from the length
// by a normal noise, given as a part of it.
func simulated(batch time.Duration, noise float64, r *rand.Rand) report.Run {
	d := &model.Declaration{Temperature: "warm", Dataset: model.NewText("d", model.ClassDataset), DoneWhen: model.NewText("done", model.ClassFree),
		Settings: []model.Setting{{Key: model.NewText("workers", model.ClassSetting), Value: model.NewText("2", model.ClassSetting)}}}
	w := report.Waterfall{}
	at := model.Time(0)
	for range 48 {
		end := at + model.Time(float64(batch)*max(0.01, 1+noise*r.NormFloat64()))
		w.Spans = append(w.Spans, model.Interval[model.Time]{Start: at, End: end})
		at = end
	}
	return report.Run{Declared: d, Primary: -1, Window: report.Window{Known: true, At: model.Interval[model.Time]{End: at}}, Waterfalls: []report.Waterfall{w}}
}

func verdict(c report.Comparison, name string) string {
	for _, m := range c.Metrics {
		if m.Name == name {
			return m.Verdict
		}
	}
	return "absent"
}

func TestVerdictNeedsASpread(t *testing.T) {
	const latency = "batch latency, median"
	cases := []struct {
		name       string
		base, next report.Run
		want       string
	}{
		{"shorter beyond the spread", fresh(time.Second), fresh(time.Second / 2), "improved"},
		{"longer beyond the spread", fresh(time.Second / 2), fresh(time.Second), "worse"},
		{"within the noise", fresh(time.Second), fresh(time.Second + time.Millisecond), "not_distinguishable"},
	}
	for _, c := range cases {
		if got := verdict(Runs([]report.Run{c.base, c.next}, 0, 1), latency); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
	few := fresh(time.Second / 4)
	few.Waterfalls[0].Spans = few.Waterfalls[0].Spans[:17]
	if got := verdict(Runs([]report.Run{fresh(time.Second), few}, 0, 1), latency); got != "too_few" {
		t.Errorf("17 batches: got %s, want no verdict", got)
	}
	if got := verdict(Runs([]report.Run{fresh(time.Second), fresh(time.Minute)}, 0, 1), "window"); got != "one_observation" {
		t.Errorf("one window in each run: got %s, want no verdict", got)
	}
}

func TestConditions(t *testing.T) {
	cases := []struct {
		name       string
		change     func(*report.Run)
		comparable bool
		warnings   int
		settings   int
	}{
		{"the same", func(*report.Run) {}, true, 0, 0},
		{"cold against warm", func(r *report.Run) { r.Declared.Temperature = "cold" }, false, 1, 0},
		{"another data set", func(r *report.Run) { r.Declared.Dataset = model.NewText("e", model.ClassDataset) }, false, 1, 0},
		{"not declared is not established", func(r *report.Run) { r.Declared.Temperature = "" }, false, 1, 0},
		{"one setting", func(r *report.Run) { r.Declared.Settings[0].Value = model.NewText("4", model.ClassSetting) }, true, 0, 1},
		{"two settings cannot be told apart", func(r *report.Run) {
			r.Declared.Settings[0].Value = model.NewText("4", model.ClassSetting)
			r.Declared.Settings = append(r.Declared.Settings, model.Setting{Key: model.NewText("batch", model.ClassSetting), Value: model.NewText("8", model.ClassSetting)})
		}, true, 1, 2},
		{"another version and another place", func(r *report.Run) {
			r.Declared.AppVersion, r.Declared.Location = model.NewText("2", model.ClassVersion), model.NewText("nfs", model.ClassFree)
		}, true, 1, 0},
		{"recorded by a profiler", func(r *report.Run) { r.Sources = []report.Source{traced(&model.TraceFacts{})} }, false, 2, 0},
		{"quality outside its limit", func(r *report.Run) {
			r.Declared.Quality = model.Quality{Value: model.Known(0.5), AtMost: model.Known(0.1)}
		}, false, 1, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			base, next := fresh(time.Second), fresh(time.Second/2)
			base.Declared.AppVersion, base.Declared.Location = model.NewText("1", model.ClassVersion), model.NewText("disk", model.ClassFree)
			next.Declared.AppVersion, next.Declared.Location = base.Declared.AppVersion, base.Declared.Location
			c.change(&next)
			got := Runs([]report.Run{base, next}, 0, 1)
			if got.Comparable != c.comparable || len(got.Warnings) != c.warnings || len(got.ChangedSettings) != c.settings {
				t.Errorf("comparable %v, %d warnings, %d changed settings; want %v, %d, %d", got.Comparable, len(got.Warnings), len(got.ChangedSettings), c.comparable, c.warnings, c.settings)
			}
			if undeclared := c.name == "not declared is not established"; got.Undeclared != undeclared {
				t.Errorf("undeclared %v, want %v", got.Undeclared, undeclared)
			}
			if v := verdict(got, "batch latency, median"); !got.Comparable && v != "not_comparable" {
				t.Errorf("verdict %s for runs that cannot be compared", v)
			}
		})
	}
}

func TestRatioOfRanges(t *testing.T) {
	r := func(lo, hi float64) model.Maybe[model.Range[float64]] {
		return model.Known(model.Range[float64]{Lo: lo, Hi: hi})
	}
	if got, _ := ratio(r(2, 4), r(4, 8)).Get(); got != (model.Range[float64]{Lo: 1, Hi: 4}) {
		t.Errorf("got %v, want 1..4", got)
	}
	if ratio(r(0, 1), r(1, 1)).Known() {
		t.Error("a base that may be 0 has no ratio")
	}
}

// traced is a source that is a trace with the facts.
func traced(f *model.TraceFacts) report.Source {
	return report.Source{Source: model.Source{Kind: model.KindTrace}, Trace: &report.Trace{Facts: f}}
}

// What the files show of the recording decides, where both say it.
func TestInstruments(t *testing.T) {
	yes, no := model.Known(true), model.Known(false)
	for _, c := range []struct {
		name       string
		base, next *model.TraceFacts
		comparable bool
	}{
		{"the same options", &model.TraceFacts{WithStack: yes}, &model.TraceFacts{WithStack: yes}, true},
		{"stacks in one", &model.TraceFacts{WithStack: no}, &model.TraceFacts{WithStack: yes}, false},
		{"stacks by their frames", &model.TraceFacts{WithStack: no}, &model.TraceFacts{PythonFrames: 9}, false},
		{"shapes in one", &model.TraceFacts{RecordShapes: yes}, &model.TraceFacts{RecordShapes: no}, false},
		{"memory in one", &model.TraceFacts{ProfileMemory: yes}, &model.TraceFacts{ProfileMemory: no}, false},
		{"one does not say", &model.TraceFacts{}, &model.TraceFacts{WithStack: yes}, true},
	} {
		a, b := fresh(time.Second), fresh(time.Second/2)
		a.Sources, b.Sources = []report.Source{traced(c.base)}, []report.Source{traced(c.next)}
		got := Runs([]report.Run{a, b}, 0, 1)
		if got.Comparable != c.comparable {
			t.Errorf("%s: comparable %v", c.name, got.Comparable)
		}
		if v := verdict(got, "batch latency, median"); (v == report.Improved) != c.comparable {
			t.Errorf("%s: verdict %s", c.name, v)
		}
	}
}

func TestThreeRunProtocol(t *testing.T) {
	instrumented := func(d time.Duration) report.Run {
		r := fresh(d)
		r.Sources = []report.Source{traced(&model.TraceFacts{WithStack: model.Known(true)})}
		return r
	}
	before, after, light := instrumented(time.Second), instrumented(time.Second/2), fresh(time.Second/3)
	rep := report.Report{Runs: []report.Run{before, after, light}}
	Fill(&rep)
	if !rep.Protocol || len(rep.Comparisons) != 2 || len(rep.Previous) != 1 {
		t.Errorf("protocol %v, %d comparisons, %d with the previous", rep.Protocol, len(rep.Comparisons), len(rep.Previous))
	}
	for _, runs := range [][]report.Run{{before, after}, {before, light, after}, {light, light, light}, {before, after, after}} {
		if protocol(runs) {
			t.Errorf("%d runs were taken for the protocol", len(runs))
		}
	}
	light.Declared.Settings = []model.Setting{{Key: model.NewText("workers", model.ClassSetting), Value: model.NewText("9", model.ClassSetting)}}
	if protocol([]report.Run{before, after, light}) {
		t.Error("a third run with other settings is no observation of the second's change")
	}
}

// Pairs of whole runs with a known change and known noise: see stat for the rates
// of one quantity.
func TestSimulatedPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	const pairs, noise = 100, 0.05
	right, wrong := 0, 0
	for range pairs {
		base := simulated(time.Second, noise, r)
		if v := verdict(Runs([]report.Run{base, simulated(900*time.Millisecond, noise, r)}, 0, 1), "batch latency, median"); v == report.Improved {
			right++
		}
		if v := verdict(Runs([]report.Run{base, simulated(time.Second, noise, r)}, 0, 1), "batch latency, median"); v != report.NotDistinguishable {
			wrong++
		}
	}
	if right < 95 || wrong > 5 {
		t.Errorf("of %d pairs: %d effects of twice the noise found, %d identical pairs told apart", pairs, right, wrong)
	}
}

// Where a repeat of the baseline differs from it by more than the candidate does,
// nothing can be told apart.
func TestRepeatsAreTheFloor(t *testing.T) {
	changed := fresh(900 * time.Millisecond)
	changed.Declared.Settings = []model.Setting{{Key: model.NewText("workers", model.ClassSetting), Value: model.NewText("4", model.ClassSetting)}}
	const latency = "batch latency, median"
	for _, c := range []struct {
		name   string
		repeat time.Duration
		want   string
	}{{"a close repeat", 990 * time.Millisecond, report.Improved}, {"a repeat as far away", 880 * time.Millisecond, report.NotDistinguishable}} {
		runs := []report.Run{fresh(time.Second), changed, fresh(c.repeat)}
		if got := verdict(Runs(runs, 0, 1), latency); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// staged is a run of one stage table: its window, what was not observed of it, and
// the time of a stage.
func staged(window, unknown, busy time.Duration) report.Run {
	r := fresh(time.Second)
	r.Window.At = model.Interval[model.Time]{End: model.Time(window)}
	r.Accounted = report.Accounted{Known: true, Stages: busy, Unknown: unknown}
	r.Primary, r.Stages = 0, []report.StageTable{{Window: r.Window.At, Accounted: r.Accounted, Rows: []report.StageRow{{Stage: model.StageCPUPreparation, Busy: busy}}}}
	return r
}

func TestTotalsAreWiderByWhatWasNotObserved(t *testing.T) {
	c := Runs([]report.Run{staged(10*time.Second, 0, 4*time.Second), staged(10*time.Second, 3*time.Second, 2*time.Second)}, 0, 1)
	got := c.Stages[0]
	if next, _ := got.Next.Get(); next != (model.Range[float64]{Lo: 2, Hi: 5}) {
		t.Errorf("2 s seen with 3 s unknown: got %v", next)
	}
	if ratio, _ := got.Ratio.Get(); ratio != (model.Range[float64]{Lo: 0.5, Hi: 1.25}) {
		t.Errorf("ratio %v, want 0.5..1.25", ratio)
	}
	if part, _ := got.NextCovered.Get(); part != 0.7 {
		t.Errorf("observed %v of the window, want 0.7", part)
	}
}

func TestPredictionAgainstOutcome(t *testing.T) {
	scenario := func(factor float64, asked bool) report.Scenario {
		return report.Scenario{Name: model.Say("scenario"), Asked: asked, Changes: []report.Change{{Stage: model.StageCPUPreparation, Factor: factor}},
			Total: model.Known(model.Range[time.Duration]{Lo: 7 * time.Second, Hi: 9 * time.Second})}
	}
	for _, c := range []struct {
		name   string
		row    report.Scenario
		window time.Duration
		want   string // "none" where the scenario is about something else
	}{
		{"as bounded", scenario(0.5, false), 8 * time.Second, "inside"},
		{"better", scenario(0.5, false), 6 * time.Second, "shorter"},
		{"not reached", scenario(0.5, false), 10 * time.Second, "longer"},
		{"about another factor", scenario(0, false), 8 * time.Second, "none"},
		{"asked for", scenario(0, true), 8 * time.Second, "inside"},
	} {
		base := staged(10*time.Second, 0, 4*time.Second)
		base.WhatIf.Rows = []report.Scenario{c.row}
		got := Runs([]report.Run{base, staged(c.window, 0, 2*time.Second)}, 0, 1)
		where := "none"
		if len(got.Predictions) > 0 {
			where = got.Predictions[0].Where
		}
		if where != c.want || (where == "none") == got.NoPrediction.Empty() {
			t.Errorf("%s: got %s, want %s; said instead: %v", c.name, where, c.want, !got.NoPrediction.Empty())
		}
	}
}
