package compare

import (
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// fresh is a run with everything declared and eight batches from the given length on.
func fresh(batch time.Duration) report.Run {
	d := &model.Declaration{Temperature: "warm", Dataset: model.NewText("d", model.ClassDataset), DoneWhen: model.NewText("done", model.ClassFree),
		Settings: []model.Setting{{Key: model.NewText("workers", model.ClassSetting), Value: model.NewText("2", model.ClassSetting)}}}
	r := report.Run{Declared: d, Primary: -1, Window: report.Window{Known: true, At: model.Interval[model.Time]{End: model.Time(8 * batch)}}}
	w := report.Waterfall{}
	for i := range time.Duration(8) {
		start := model.Time(i * batch)
		w.Spans = append(w.Spans, model.Interval[model.Time]{Start: start, End: start + model.Time(batch+i*time.Millisecond)})
	}
	r.Waterfalls = []report.Waterfall{w}
	return r
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
		{"intervals share a value", fresh(time.Second), fresh(time.Second + 2*time.Millisecond), "not_distinguishable"},
	}
	for _, c := range cases {
		if got := verdict(Runs([]report.Run{c.base, c.next}, 1), latency); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
	few := fresh(time.Second / 4)
	few.Waterfalls[0].Spans = few.Waterfalls[0].Spans[:5]
	if got := verdict(Runs([]report.Run{fresh(time.Second), few}, 1), latency); got != "one_observation" {
		t.Errorf("five batches: got %s, want no verdict", got)
	}
	if got := verdict(Runs([]report.Run{fresh(time.Second), fresh(time.Minute)}, 1), "window"); got != "one_observation" {
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
		{"quality outside its limit", func(r *report.Run) {
			r.Declared.Quality = model.Quality{Value: model.Known(0.5), AtMost: model.Known(0.1)}
		}, true, 1, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			next := fresh(time.Second / 2)
			c.change(&next)
			got := Runs([]report.Run{fresh(time.Second), next}, 1)
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
