package render

import (
	"math"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/render/redact"
)

// Hand-made reports: the states of REPORT.md without any reader or analysis.

type (
	span = model.Interval[model.Time]
	dur  = time.Duration
)

const sec = time.Second

// nine is 2026-05-04T00:00:00Z, which is 09:00:00 in the runs' zone.
var nine = model.Time(time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC).UnixNano())

var seoul = time.FixedZone("", 9*3600)

func at(from, to float64) span {
	return span{Start: nine + model.Time(from*1e9), End: nine + model.Time(to*1e9)}
}

func secs(v float64) dur { return dur(v * 1e9) }

func name(s string, c model.Class) model.Text { return model.NewText(s, c) }

func known[T any](v T) model.Maybe[T] { return model.Known(v) }

func bounds(lo, hi float64) model.Range[float64] { return model.Range[float64]{Lo: lo, Hi: hi} }

func total(lo, hi float64) model.Range[dur] { return model.Range[dur]{Lo: secs(lo), Hi: secs(hi)} }

// document redacts a report the way a build does.
func document(rep *report.Report, opt Options) redact.Document {
	return redact.New(redact.Policy{RelativeTime: opt.Relative}, PlainFor(rep, opt)).Document(rep)
}

const (
	srcLog model.SourceID = iota + 1
	srcGPU
	srcTrace
	srcRun
	srcOther
)

// pauseRun is the run of REPORT.md's first screen.
func pauseRun() report.Run {
	w := at(0, 300)
	gap := at(150, 201)
	r := report.Run{
		Label:    name("baseline", model.ClassFile),
		Declared: declared(),
		Window:   report.Window{At: w, Known: true, UTC: true, By: model.Say("declared in run.yaml")},
		Sources:  sources(w, gap),
		Devices:  []report.Device{device(gap)},
		Stages:   []report.StageTable{stages(w)},
		GPUShare: known(bounds(0.203, 0.204)),
		Progress: progress(),
	}
	argued(&r)
	r.Accounted = r.Stages[0].Accounted
	r.WhatIf = scenarios()
	r.PauseRule = model.Say("A stretch of {} or more without a stage edge, and longer than {} times the median of its kind.", 5*sec, 3)
	r.Pauses = []report.Pause{{At: at(150, 190), Kind: "long_stage", Stage: model.StageCPUPreparation, HasStage: true,
		Why:          model.Say("{} lasted {}, the median of its kind is {}", model.StageCPUPreparation, 40*sec, secs(5.8)),
		Evidence:     []report.Evidence{{At: pos(srcLog, 120, 9120), When: at(150, 190), What: model.Say("stage {} from {} to {}", model.StageCPUPreparation, at(150, 190).Start, at(150, 190).End)}},
		UnknownShare: known(0.5), NotSeen: []model.Phrase{model.Say("GPU samples: the collector wrote nothing from {} to {}", gap.Start, gap.End)}}}
	r.Hypotheses = hypotheses(gap)
	r.Targets = []report.Target{
		{Name: "deadline_seconds", Wanted: 7200, Unit: "s", Observed: known(300.0), Met: known(true)},
		{Name: "accepted_per_minute", Wanted: 60, Unit: "1/min", Observed: known(41.2), Met: known(false)},
		{Name: "gpu_hours", Wanted: 16, Unit: "h", Observed: model.Missing[float64](model.NotRecorded), Met: model.Missing[bool](model.NotRecorded)},
	}
	r.Waterfalls = []report.Waterfall{batches(w)}
	r.Unknown = []report.Unknown{
		{Source: srcGPU, At: gap, Placed: true, Why: model.CollectorGap, Note: model.Say("{} rows were due at a period of {}", 51, sec), From: []model.Pos{pos(srcGPU, 151, 7001)}},
		{Source: srcTrace, At: at(0, 60), Placed: true, Why: model.ProfilerNotRecording},
		{Source: srcTrace, At: at(78, 300), Placed: true, Why: model.ProfilerNotRecording},
		{Source: srcGPU, Metric: name("power.draw", model.ClassMetric), At: at(0, 300), Placed: true, Why: model.NotAvailable},
	}
	r.Findings = []report.Finding{
		{Text: model.Say("{} ran for {} of {} and alone for {}.", model.StageCPUPreparation, secs(180.2), 300*sec, secs(171)), Evidence: 31, Link: "waterfall"},
		{Text: model.Say("GPU 0 had no kernel running for {} of the {} that the trace covers.", secs(13.9), 18*sec), Evidence: 214, Link: "devices"},
		{Text: model.Say("The longest pause lasted {}; half of its sources were not observed.", 40*sec), Evidence: 1, Link: "pauses"},
	}
	r.Notices = []model.Notice{{Code: "align/assumption", Severity: model.Info, N: 1, Text: model.Say("The files are taken to have been recorded during the same run.")}}
	return r
}

func pos(s model.SourceID, line int32, off int64) model.Pos {
	return model.Pos{Source: s, Line: line, Offset: off}
}

func declared() *model.Declaration {
	return &model.Declaration{
		Source: srcRun, SymptomKind: "pause", SymptomText: name("a 40 s pause between batches", model.ClassFree), Window: at(0, 300), HasStart: true, HasEnd: true,
		Temperature: "warm", Dataset: name("corpus-a@3", model.ClassDataset), Location: name("nfs", model.ClassPath), AppName: name("trainer", model.ClassProcess), AppVersion: name("1.4.2", model.ClassVersion),
		Settings: []model.Setting{{Key: name("batch_size", model.ClassMetric), Value: name("32", model.ClassSetting)}, {Key: name("precision", model.ClassMetric), Value: name("bf16", model.ClassSetting)}},
		Stages:   []model.StageRule{{Stage: model.StageCPUPreparation, Source: model.KindTrace, Name: model.NewRaw("^load_batch"), From: pos(srcRun, 14, 300)}},
	}
}

func sources(w, gap span) []report.Source {
	absolute := func(half dur) []report.Clock {
		return []report.Clock{{Domain: model.Domain{Kind: model.DomainUnix, Step: time.Millisecond, Why: model.Say("stamps carry the zone +09:00")},
			Mapping: model.Mapping{Placed: true, Method: model.MethodAbsolute, Segments: []model.Segment{{Offset: model.OffsetRange{Lo: -half, Hi: half}}},
				Evidence: []model.Phrase{model.Say("the stamps state their own zone")}}}}
	}
	civil := []report.Clock{{Domain: model.Domain{Kind: model.DomainCivil, Step: time.Millisecond, Why: model.Say("stamps have no zone")},
		Mapping: model.Mapping{Placed: true, Method: model.MethodZone, Zone: name("Asia/Seoul", model.ClassZone),
			Segments: []model.Segment{{Offset: model.OffsetRange{Lo: -9*3600*sec - 40*time.Millisecond, Estimate: -9 * 3600 * sec, Hi: -9*3600*sec + 25*time.Millisecond}}},
			Evidence: []model.Phrase{model.Say("run.yaml declares the zone"), model.Say("the busy edges of {} agree within {}", srcLog, 65*time.Millisecond)},
			Other:    []dur{-8 * 3600 * sec}}}}
	one := func(id model.SourceID, file string, kind model.SourceKind, a model.Account) report.Source {
		return report.Source{Source: model.Source{ID: id, File: name(file, model.ClassFile), Kind: kind, Bytes: 48_211, Form: "exported text"}, Placed: true,
			Capture: &model.Capture{Account: a}}
	}
	log := one(srcLog, "app.log", model.KindLog, model.Account{Read: 1204, Used: 1190, SetAside: []model.Tally{{Code: "applog/no-field", N: 12}}, Rejected: []model.Tally{{Code: "applog/no-time", N: 2, First: pos(srcLog, 77, 6100)}}})
	log.Observed, log.Covered, log.Clocks = []span{w}, known(w.Len()), absolute(0)
	gpu := one(srcGPU, "gpu.csv", model.KindSMI, model.Account{Read: 250, Used: 249, Rejected: []model.Tally{{Code: "smi/short-row", N: 1, First: pos(srcGPU, 251, 12000)}}})
	gpu.Observed, gpu.Covered, gpu.Clocks = []span{{Start: w.Start, End: gap.Start}, {Start: gap.End, End: w.End}}, known(w.Len()-gap.Len()), civil
	gpu.Capture.Notices = []model.Notice{{Code: "smi/na", Severity: model.Note, N: 250, Text: model.Say("{} is {} in each row; kept as unknown", name("power.draw", model.ClassMetric), name("[N/A]", model.ClassCell)), At: []model.Pos{pos(srcGPU, 2, 90)}}}
	trace := one(srcTrace, "rank0.json", model.KindTrace, model.Account{Read: 48211, Used: 48211})
	trace.Observed, trace.Covered, trace.Clocks = []span{at(60, 78)}, known(18*sec), absolute(2*time.Millisecond)
	trace.Trace = inside(&report.Trace{Facts: &model.TraceFacts{Events: 48211, Rank: known(int64(0)), WorldSize: known(int64(1)), WithStack: known(true), RecordShapes: known(false)},
		Devices: []report.TraceDevice{{Device: name("0", model.ClassCell), Kernels: 2140, Memcpys: 88, Span: model.Interval[model.ClockTime]{Start: 0, End: 18e9}, KernelBusy: secs(3.9), MemcpyBusy: secs(0.31), MemsetBusy: 5210, Busy: secs(4.1), Idle: secs(13.9), CommBusy: 0}},
		Reserve: model.Say("Stacks were recorded, which adds time on the host; durations are at least those of a run without.")})
	run := one(srcRun, "run.yaml", model.KindRunFile, model.Account{Read: 1, Used: 1})
	other := one(srcOther, "core.bin", model.KindUnknown, model.Account{})
	other.Capture, other.Placed, other.Why = nil, false, model.Say("no known format begins like this")
	return []report.Source{log, gpu, trace, run, other}
}

func stages(w span) report.StageTable {
	set := func(offset, length float64, n int) model.Set[model.Time] {
		var in []span
		for i := range n {
			s := float64(i)*10 + offset
			in = append(in, at(s, min(s+length, 300)))
		}
		return model.NewSet(in...)
	}
	row := func(id model.StageID, s model.Set[model.Time], alone float64, unsure dur) report.StageRow {
		return report.StageRow{Stage: id, Busy: s.Len(), Exclusive: secs(alone), Overlap: s.Len() - secs(alone), Share: known(float64(s.Len()) / float64(w.Len())),
			Intervals: int64(len(s.Parts())), Longest: 40 * sec, Unsure: unsure, Set: s}
	}
	prep, gpu, write := set(0, 6.006, 30), set(5.7, 2.033, 30), set(7.6, 2.013, 30)
	return report.StageTable{Basis: report.Basis{Kind: model.KindLog, Placed: true, Sources: []model.SourceID{srcLog}}, Window: w,
		Rows:      []report.StageRow{row(model.StageCPUPreparation, prep, 171, 0), row(model.StageGPUCompute, gpu, 48.0, 3*sec), row(model.StageWrite, write, 56.3, 0)},
		Overlap:   []report.Overlap{{A: model.StageCPUPreparation, B: model.StageGPUCompute, Both: secs(9.18)}, {A: model.StageGPUCompute, B: model.StageWrite, Both: secs(3.99)}},
		Accounted: report.Accounted{Known: true, Stages: secs(286.1), Unattributed: secs(11.8), Unknown: secs(2.1), UnknownSet: model.NewSet(at(297.9, 300))},
		Notes:     []model.Phrase{model.Say("Stages follow the fields {} and {} of the log.", model.Lit("stage"), model.Lit("edge"))}}
}

func device(gap span) report.Device {
	metric := func(n, unit string, role model.Role, value func(t float64) float64) report.Metric {
		m := report.Metric{Name: name(n, model.ClassMetric), Unit: name(unit, model.ClassMetric), Role: role, Known: 249 * sec, Unknown: 51 * sec, Samples: 249, Of: 249}
		lo, hi, sum := math.Inf(1), math.Inf(-1), 0.0
		for t := 2.0; t <= 300; t++ {
			if t > 150 && t < 203 {
				continue
			}
			v := value(t)
			lo, hi, sum = min(lo, v), max(hi, v), sum+v
			m.Series = append(m.Series, report.Bucket{Support: at(t-2, t), Unsure: sec, Lo: v, Hi: v, Known: true, N: 1})
		}
		m.Shown = int64(len(m.Series))
		m.Min, m.Max, m.Mean = known(lo), known(hi), known(sum/float64(len(m.Series)))
		return m
	}
	busy := metric("utilization.gpu", "%", model.RoleGPUBusy, func(t float64) float64 {
		if f := math.Mod(t, 10); f >= 5.7 && f < 8.7 {
			return math.Round(80 + 15*math.Sin(t))
		}
		return 0
	})
	mem := metric("memory.used", "MiB", model.RoleMemoryUsed, func(t float64) float64 { return 18230 + 400*math.Floor(t/60) })
	power := report.Metric{Name: name("power.draw", model.ClassMetric), Unit: name("W", model.ClassMetric), Role: model.RolePower, NotKnown: 250, Unknown: 300 * sec,
		Min: model.Missing[float64](model.NotAvailable), Mean: model.Missing[float64](model.NotAvailable), Max: model.Missing[float64](model.NotAvailable),
		Series: []report.Bucket{{Support: at(0, 300), Why: model.NotAvailable, N: 250}}, Shown: 1, Of: 250}
	return report.Device{Source: srcGPU, ID: name("0", model.ClassCell), Placed: true, Metrics: []report.Metric{busy, mem, power},
		Facts:     []model.Fact{{Name: name("name", model.ClassMetric), Value: name("NVIDIA H200", model.ClassGPUModel)}, {Name: name("driver_version", model.ClassMetric), Value: name("570.86.15", model.ClassVersion)}},
		BusyShare: known(bounds(0.173, 0.371)), BusyBy: model.Say("a reading speaks for a window of up to {} that ended up to {} before its stamp", sec, sec)}
}

func scenarios() report.WhatIf {
	s := func(id model.StageID, lo, hi float64, asked bool) report.Scenario {
		return report.Scenario{Asked: asked, Changes: []report.Change{{Stage: id, Factor: 0.5}}, Strength: "hidden_activity", Total: known(total(lo, hi)), Saved: known(total(300-hi, 300-lo)), Worst: known(total(lo, 300)),
			Speedup: known(bounds(300/hi, 300/lo)), GPUShare: known(bounds(60/hi, 61/lo)), Limit: known(bounds(300/(2*hi-300), 300/(2*lo-300)))}
	}
	unknowable := report.Scenario{Changes: []report.Change{{Stage: model.StageTransfer, Factor: 0.5}}, Strength: "hidden_activity"}.Unknowable(model.NotRecorded, model.Say("{} was not observed", model.StageTransfer))
	var curve report.Curve
	curve.Stage = model.StageCPUPreparation
	for f := 0.0; f <= 2.001; f += 0.25 {
		curve.Factor = append(curve.Factor, f)
		curve.Total = append(curve.Total, total(119.8+180.2*f, 132+176*f))
	}
	gpu := report.Curve{Stage: model.StageGPUCompute, Factor: []float64{0, 0.5, 1, 2}, Total: []model.Range[dur]{total(239, 248), total(269.5, 273.9), total(300, 300), total(348, 361)}}
	return report.WhatIf{Total: known(300 * sec), Rows: []report.Scenario{s(model.StageCPUPreparation, 209.9, 214.5, true), s(model.StageGPUCompute, 269.5, 273.9, false), s(model.StageWrite, 269.8, 271.9, false), unknowable},
		Curves:  []report.Curve{curve, gpu},
		Assumes: []model.Phrase{model.Say("Gaps that end without an observed edge within {} may hide work.", 10*time.Millisecond)},
		Limits:  []model.Phrase{model.Say("A GPU share computed this way does not predict what a sampling tool will show.")}}
}

func progress() report.Progress {
	p := report.Progress{FirstResult: known(secs(9.613)), Accepted: known(int64(206)), Rejected: known(int64(4)), Errors: known(int64(0)), Retries: model.Missing[int64](model.NotRecorded), AcceptedPerMinute: known(41.2),
		Evidence: []report.Evidence{{At: pos(srcLog, 1203, 48100), When: at(299, 299.001), What: model.Say("accepted {}, rejected {}", 206, 4)}}}
	for i := range 30 {
		p.Points = append(p.Points, report.ProgressPoint{At: at(float64(i)*10+9.6, 0).Start, Accepted: known(int64(i * 7)), Rejected: known(int64(i / 7))})
	}
	return p
}

func hypotheses(gap span) []report.Hypothesis {
	return []report.Hypothesis{
		{ID: "input_bound", State: report.Supported, Statement: model.Say("consistent with: limited by data supply"),
			Supports: []report.Evidence{
				{At: pos(srcLog, 120, 9120), When: at(150, 190), What: model.Say("{} ran {} while no kernel was seen", model.StageCPUPreparation, 40*sec)},
				{At: pos(srcGPU, 149, 6900), When: at(146, 148), What: model.Say("{} read {} %", name("utilization.gpu", model.ClassMetric), 0)},
				{At: pos(srcTrace, 0, 120034), When: at(62, 63), What: model.Say("{} waited {}", name("DataLoader", model.ClassOperation), secs(4.21))}},
			Missing:   []model.Phrase{model.Say("reads of the process: no file of this run shows them")},
			NextCheck: model.Say("run the prepared subset with the same input and settings"),
			Threshold: []model.Phrase{model.Say("a stage counts as long from {} times its median, a heuristic", 3)}},
		{ID: "costly_or_rejected_work", State: report.NotSupported, Statement: model.Say("consistent with: expensive work, retries or rejected results"),
			Against:   []report.Evidence{{At: pos(srcLog, 1203, 48100), When: at(299, 299.001), What: model.Say("{} of {} outputs were rejected", 4, 210)}},
			NextCheck: model.Say("tie each period to progress and errors")},
		{ID: "cpu_thread_bound", State: report.NotEvaluated, Statement: model.Say("consistent with: one thread's preparation or launch sets the pace"),
			Missing: []model.Phrase{model.Say("per-thread processor use: {}", model.NoSource)}, NextCheck: model.Say("record pidstat for the threads of the process")},
	}
}

func batches(w span) report.Waterfall {
	out := report.Waterfall{Basis: report.Basis{Kind: model.KindLog, Placed: true, Sources: []model.SourceID{srcLog}}, By: "input", Of: 30, Axis: at(100, 240)}
	for i := 10; i < 24; i++ {
		s, long := float64(i)*10, 6.006
		if i == 15 {
			long = 40
		}
		row := report.WaterfallRow{Label: model.Say("batch {}", i), Intervals: []report.StageInterval{
			{Stage: model.StageCPUPreparation, At: at(s, s+long), Unsure: 20 * time.Millisecond, From: pos(srcLog, int32(i*8), int64(i*760)), To: pos(srcLog, int32(i*8+1), int64(i*760+90))},
			{Stage: model.StageGPUCompute, At: at(s+long-0.3, s+long+1.733), Unsure: 800 * time.Millisecond, From: pos(srcLog, int32(i*8+2), int64(i*760+180)), To: pos(srcLog, int32(i*8+3), int64(i*760+270))},
			{Stage: model.StageWrite, At: at(s+long+1.6, s+long+3.613), From: pos(srcLog, int32(i*8+4), int64(i*760+360)), Open: i == 23}}}
		if i == 15 {
			row.Unknown = []report.Unknown{{Source: srcLog, At: at(197, 205), Placed: true, Why: model.EdgeNotObserved}}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

func excerpts() []report.Excerpt {
	return []report.Excerpt{
		{At: pos(srcLog, 120, 9120), Why: model.Say("start of the longest preparation"), Text: name(`{"time":"2026-05-04T09:02:30.000+09:00","stage":"cpu_preparation","edge":"start","input":"/data/secret/batch-15"}`, model.ClassLogLine)},
		{At: pos(srcGPU, 149, 6900), Why: model.Say("idle sample before the gap"), Text: name("2026/05/04 09:02:28.113, GPU-5a1, 0 %, 18230 MiB", model.ClassTableRow)},
		{At: pos(srcTrace, 0, 120034), Why: model.Say("waiting for input"), Text: name("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", model.ClassOperation)},
	}
}
