package render

import (
	"strconv"
	"strings"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// A state is a report that a page must be able to show.
type state struct {
	name string
	rep  *report.Report
	opt  Options
}

// states are those of REPORT.md that need no reader.
func states() []state {
	opt := Options{Version: "0.0-test", Zone: seoul}
	return []state{
		{"one run", oneRun(), opt},
		{"two comparable runs", twoRuns(true), opt},
		{"two incomparable runs", twoRuns(false), opt},
		{"three runs by the protocol", threeRuns(), opt},
		{"no trace, no csv, relative time", logOnly(), Options{Relative: true}},
		{"no stages", noStages(), opt},
		{"nothing placed", nothingPlaced(), opt},
		{"all unknown", allUnknown(), opt},
		{"stages on another clock", stagesElsewhere(), opt},
		{"nothing recognised", &report.Report{Runs: []report.Run{{Label: name("empty", model.ClassFile), Primary: -1}}}, opt},
		{"no run", &report.Report{}, opt},
		{"hostile names", renamed(`</script><script>alert(1)</script>"'&<img src=x onerror=alert(1)>`), opt},
		{"long names", renamed(strings.Repeat("qzwv-xkjq-", 40)), opt},
		{"right to left", renamed("مرحلة التحضير \u202eabc"), opt},
		{"three days", threeDays(), opt},
		{"fifty milliseconds", fiftyMilliseconds(), opt},
		{"64 devices", manyDevices(64), opt},
		{"8 ranks", manyRanks(8), opt},
		{"clocks in doubt", clocksInDoubt(), opt},
	}
}

func oneRun() *report.Report {
	return &report.Report{Runs: []report.Run{pauseRun()}, Excerpts: excerpts(),
		Options: report.Options{Command: model.Say("made with: build RUN --what-if {}={}", model.StageCPUPreparation, 0.5)}}
}

func twoRuns(comparable bool) *report.Report {
	rep := oneRun()
	next := pauseRun()
	next.Label = name("more-workers", model.ClassFile)
	rep.Runs = append(rep.Runs, next)
	c := report.Comparison{Candidate: 1, Comparable: comparable,
		Conditions: []report.Condition{
			{Name: model.Say("input"), Base: model.Say("{}", name("corpus-a@3", model.ClassDataset)), Next: model.Say("{}", name("corpus-a@3", model.ClassDataset)), State: "equal"},
			{Name: model.Say("temperature"), Base: model.Say("warm"), Next: model.Say("cold"), State: "different"},
			{Name: model.Say("done when"), State: "not_declared"}},
		ChangedSettings: []model.Text{name("loader_workers", model.ClassMetric)},
		Metrics: []report.MetricChange{
			{Name: "window", Unit: "s", Base: known(bounds(300, 300)), Next: known(bounds(212.4, 212.4)), Ratio: known(bounds(0.708, 0.708)), Verdict: "improved"},
			{Name: "accepted per minute", Unit: "1/min", Base: known(bounds(41.2, 41.2)), Next: known(bounds(41.6, 41.6)), Ratio: known(bounds(1.01, 1.01)), Verdict: "not_distinguishable", Note: model.Say("within the spread of one run")},
			{Name: "highest device memory", Unit: "MiB", Base: known(bounds(19830, 19830)), Next: known(bounds(27011, 27011)), Ratio: known(bounds(1.362, 1.362)), Verdict: "worse"},
			{Name: "errors", Base: model.Missing[model.Range[float64]](model.NotRecorded), Next: model.Missing[model.Range[float64]](model.NotRecorded), Ratio: model.Missing[model.Range[float64]](model.NotRecorded), Verdict: "not_observed"}},
		Stages: []report.MetricChange{{Stage: model.StageCPUPreparation, HasStage: true, Unit: "s", Base: known(bounds(180.2, 180.2)), Next: known(bounds(91, 93.5)), Ratio: known(bounds(0.505, 0.519)), Verdict: "improved"}}}
	if !comparable {
		c.Warnings = []model.Phrase{model.Say("A warm run stands against a cold one: the first run holds stages that the second does not."), model.Say("{} settings changed together; a difference cannot be attributed to one of them.", 3)}
		c.ChangedSettings = append(c.ChangedSettings, name("batch_size", model.ClassMetric), name("precision", model.ClassMetric))
		for i := range c.Metrics {
			c.Metrics[i].Verdict = "not_comparable"
		}
	}
	rep.Comparisons = []report.Comparison{c}
	return rep
}

func threeRuns() *report.Report {
	rep := twoRuns(true)
	light := pauseRun()
	light.Label = name("without-profiler", model.ClassFile)
	rep.Runs = append(rep.Runs, light)
	c := twoRuns(false).Comparisons[0]
	c.Candidate, c.Undeclared = 2, true
	rep.Comparisons = append(rep.Comparisons, c)
	c.Baseline = 1
	c.Coverage = []report.Coverage{{Kind: model.KindTrace, Base: model.Known(0.06), Next: model.Missing[float64](model.ClockUnplaced)}}
	c.Predictions = []report.Prediction{{Scenario: model.Say("CPU preparation takes half the time"), Where: "inside", Outcome: model.Known(200 * time.Second),
		Total:    model.Known(model.Range[time.Duration]{Lo: 180 * time.Second, Hi: 240 * time.Second}),
		Supposed: []report.Supposed{{Change: report.Change{Stage: model.StageCPUPreparation, Factor: 0.5}, Observed: known(bounds(0.48, 0.52))}}}}
	rep.Previous, rep.Protocol = []report.Comparison{c}, true
	for i := range rep.Comparisons {
		ms := rep.Comparisons[i].Metrics
		rep.Comparisons[i].Metrics = append([]report.MetricChange{{Name: "batch interval, median", Unit: "s", Base: known(bounds(1, 1.2)), Next: known(bounds(0.8, 0.9)),
			Ratio: known(bounds(0.7, 0.9)), Verdict: report.Improved, BaseCovered: model.Known(1.0), NextCovered: model.Known(0.9)}}, ms...)
	}
	return rep
}

func logOnly() *report.Report {
	rep := oneRun()
	r := &rep.Runs[0]
	r.Sources, r.Devices, r.Unknown, r.Declared = r.Sources[:1], nil, nil, nil
	return rep
}

func noStages() *report.Report {
	rep := oneRun()
	r := &rep.Runs[0]
	r.Stages, r.Primary, r.Waterfalls, r.WhatIf, r.Pauses, r.Findings = nil, -1, nil, report.WhatIf{Total: model.Missing[time.Duration](model.NoSource)}, nil, nil
	r.GPUShare = model.Missing[model.Range[float64]](model.NoSource)
	r.Hypotheses = nil
	return rep
}

func nothingPlaced() *report.Report {
	rep := oneRun()
	r := &rep.Runs[0]
	r.Window, r.Primary = report.Window{}, 0
	for i := range r.Sources {
		r.Sources[i].Placed, r.Sources[i].Observed, r.Sources[i].Covered = false, nil, model.Missing[time.Duration](model.ClockUnplaced)
		for k := range r.Sources[i].Clocks {
			r.Sources[i].Clocks[k].Mapping = model.Mapping{Why: model.ClockUnplaced, Method: model.MethodNone, Against: []model.Phrase{model.Say("no zone under which the windows touch")}}
		}
	}
	for i := range r.Unknown {
		r.Unknown[i].Placed = false
	}
	r.Devices[0].Placed, r.Stages[0].Basis.Placed, r.Waterfalls[0].Basis.Placed = false, false, false
	r.Pauses, r.Progress.Points = nil, nil
	return rep
}

// stagesElsewhere is a run whose window is known and whose stages are not on its
// clock; one scenario was asked for.
func stagesElsewhere() *report.Report {
	rep := oneRun()
	r := &rep.Runs[0]
	r.Primary, r.Findings, r.Pauses, r.Hypotheses = -1, nil, nil, nil
	r.Stages[0].Basis.Placed, r.Waterfalls[0].Basis.Placed = false, false
	r.Accounted = report.Accounted{Known: true, Unknown: r.Window.At.Len(), UnknownSet: model.NewSet(r.Window.At)}
	r.GPUShare = model.Missing[model.Range[float64]](model.ClockUnplaced)
	asked := report.Scenario{Asked: true, Changes: []report.Change{{Stage: model.StageWrite, Factor: 0.25}}, Strength: "hidden_activity"}
	r.WhatIf = report.WhatIf{Total: model.Missing[time.Duration](model.ClockUnplaced),
		Rows: []report.Scenario{asked.Unknowable(model.ClockUnplaced, model.Say("no stage was observed on the clock of the window"))}}
	return rep
}

func allUnknown() *report.Report {
	rep := oneRun()
	r := &rep.Runs[0]
	none := model.Missing[float64](model.NotAvailable)
	for k := range r.Devices[0].Metrics {
		m := &r.Devices[0].Metrics[k]
		m.Min, m.Mean, m.Max, m.Known, m.Unknown, m.Samples = none, none, none, 0, 300*time.Second, 0
		m.Series = []report.Bucket{{Support: at(0, 300), Why: model.NotAvailable, N: 300}}
	}
	r.Devices[0].BusyShare = model.Missing[model.Range[float64]](model.NotAvailable)
	r.Stages, r.Primary, r.Waterfalls, r.WhatIf, r.Findings, r.Hypotheses, r.Pauses = nil, -1, nil, report.WhatIf{}, nil, nil, nil
	r.Progress = report.Progress{}
	for i := range r.Sources {
		r.Sources[i].Observed = nil
	}
	return rep
}

// renamed puts one text into every field that a file can fill.
func renamed(s string) *report.Report {
	rep := oneRun()
	r := &rep.Runs[0]
	r.Label = name(s, model.ClassFile)
	own := model.StageNamed(s)
	r.Stages[0].Rows[0].Stage = own
	r.Declared.Dataset, r.Declared.SymptomText, r.Declared.AppName = name(s, model.ClassDataset), name(s, model.ClassFree), name(s, model.ClassProcess)
	r.Declared.Settings[0] = model.Setting{Key: name(s, model.ClassMetric), Value: name(s, model.ClassSetting)}
	for i := range r.Sources {
		r.Sources[i].File = name(s+strconv.Itoa(i), model.ClassFile)
	}
	r.Devices[0].ID = name(s, model.ClassGPUIdentity)
	for k := range r.Devices[0].Metrics {
		r.Devices[0].Metrics[k].Name = name(s+strconv.Itoa(k), model.ClassMetric)
	}
	for i := range r.Waterfalls[0].Rows {
		r.Waterfalls[0].Rows[i].Label = model.Say("batch {}", name(s, model.ClassInput))
		r.Waterfalls[0].Rows[i].Intervals[0].Stage = own
	}
	r.WhatIf.Rows[0].Changes[0].Stage, r.WhatIf.Curves[0].Stage = own, own
	r.Findings[0].Text = model.Say("{} stands out", name(s, model.ClassFree))
	for i := range rep.Excerpts {
		rep.Excerpts[i].Text = name(s, rep.Excerpts[i].Text.Class)
	}
	return rep
}

func threeDays() *report.Report {
	rep := oneRun()
	r := &rep.Runs[0]
	w := at(0, 3*86400)
	r.Window.At = w
	for i := range r.Sources {
		r.Sources[i].Observed = []span{w}
	}
	var in []span
	for t := 0.0; t < 3*86400; t += 30 {
		in = append(in, at(t, t+18))
	}
	row := &r.Stages[0].Rows[0]
	row.Set, r.Stages[0].Window = model.NewSet(in...), w
	row.Busy, row.Intervals, row.Share = row.Set.Len(), int64(len(in)), known(0.6)
	r.Unknown, r.Pauses = nil, nil
	m := &r.Devices[0].Metrics[0]
	m.Series, m.Of = nil, 3*86400
	for t := 0.0; t < 3*86400; t += 120 {
		m.Series = append(m.Series, report.Bucket{Support: at(t, t+120), Lo: float64(int(t/120) % 40), Hi: float64(60 + int(t/120)%40), Known: true, N: 120})
	}
	m.Shown = int64(len(m.Series))
	r.Devices[0].Metrics = r.Devices[0].Metrics[:1]
	return rep
}

func fiftyMilliseconds() *report.Report {
	rep := oneRun()
	r := &rep.Runs[0]
	w := at(0, 0.05)
	r.Window.At = w
	r.Sources, r.Devices, r.Unknown, r.Pauses, r.Waterfalls, r.Progress = r.Sources[2:3], nil, nil, nil, nil, report.Progress{}
	r.Sources[0].Observed, r.Sources[0].Covered = []span{w}, known(w.Len())
	t := &r.Stages[0]
	t.Window, t.Basis.Kind, t.Basis.Sources = w, model.KindTrace, []model.SourceID{srcTrace}
	for i := range t.Rows {
		s := model.NewSet(at(float64(i)*0.01, float64(i)*0.01+0.0123))
		t.Rows[i].Set, t.Rows[i].Busy, t.Rows[i].Exclusive, t.Rows[i].Overlap = s, s.Len(), s.Len()/2, s.Len()/2
		t.Rows[i].Longest, t.Rows[i].Unsure, t.Rows[i].Intervals = s.Len(), 0, 1
	}
	t.Overlap, t.Accounted = nil, report.Accounted{Known: true, Stages: 41 * time.Millisecond, Unattributed: 9 * time.Millisecond}
	return rep
}

func manyDevices(n int) *report.Report {
	rep := manyRanks(n)
	r := &rep.Runs[0]
	r.Devices = []report.Device{device(at(150, 201))}
	for i := range n - 1 {
		d := device(at(150, 201))
		d.ID = name(strconv.Itoa(i+1), model.ClassCell)
		r.Devices = append(r.Devices, d)
	}
	return rep
}
