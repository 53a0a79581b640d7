package diagnosis

import (
	"context"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

const second = model.Time(time.Second)

func TestTargets(t *testing.T) {
	gpu := report.Device{Metrics: []report.Metric{{Role: model.RoleGPUBusy}, {Role: model.RoleMemoryUsed}}}
	run := report.Run{Declared: &model.Declaration{Targets: model.Targets{DeadlineSeconds: model.Known(3600.0),
		AcceptedPerMinute: model.Known(2.0), GPUHours: model.Known(3.0)}},
		Window:   report.Window{Known: true, At: model.Interval[model.Time]{End: 7200 * second}},
		Devices:  []report.Device{gpu, gpu},
		Progress: report.Progress{AcceptedPerMinute: model.Missing[float64](model.NotRecorded)}}
	got := targets(&run)
	if len(got) != 3 {
		t.Fatalf("%d targets, want 3", len(got))
	}
	if met, ok := got[0].Met.Get(); !ok || met {
		t.Errorf("7200 s against a deadline of 3600 s: met %v, known %v", met, ok)
	}
	if got[1].Met.Known() || got[1].Met.Why() != model.NotRecorded {
		t.Errorf("a rate that was not recorded: %v", got[1].Met)
	}
	if v, ok := got[2].Observed.Get(); !ok || v != 4 {
		t.Errorf("two GPUs for two hours: %v GPU-hours", got[2].Observed)
	}
	if met, _ := got[2].Met.Get(); met {
		t.Error("4 GPU-hours do not meet a target of 3")
	}
}

func TestUndeclaredTargetsAreNotListed(t *testing.T) {
	if got := targets(&report.Run{Declared: &model.Declaration{}}); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

func TestCitedRecords(t *testing.T) {
	at := func(line int32) report.Evidence {
		return report.Evidence{At: model.Pos{Source: 1, Line: line, Offset: int64(line)}}
	}
	run := report.Run{
		Pauses:     []report.Pause{{Evidence: []report.Evidence{at(9), at(3), at(9)}}},
		Hypotheses: []report.Hypothesis{{Supports: []report.Evidence{at(3), {At: model.Pos{Source: 1}}, {}}}},
	}
	got := Cited(&run)
	if len(got) != 2 || got[0].At.Line != 3 || got[1].At.Line != 9 {
		t.Errorf("got %v, want lines 3 and 9, each once", got)
	}
	run.Clocks.Constraints = []model.Constraint{
		{Use: model.ConstraintTight, From: []model.Pos{at(5).At}}, {Use: model.ConstraintAgrees, From: []model.Pos{at(6).At}}, {Use: model.ConstraintContradicted, From: []model.Pos{at(7).At}}}
	if got := Cited(&run); len(got) != 4 || got[1].At.Line != 5 || got[2].At.Line != 7 {
		t.Errorf("got %v, want also lines 5 and 7: what is tight and what is contradicted", got)
	}
	for i := range int32(500) {
		run.Progress.Evidence = append(run.Progress.Evidence, at(i+1))
	}
	if n := len(Cited(&run)); n != mostExcerpts {
		t.Errorf("%d excerpts, want at most %d", n, mostExcerpts)
	}
}

// A run of which nothing is known still has every part, and says unknown.
func TestNothingKnown(t *testing.T) {
	run, err := Run(context.Background(), &model.Timeline{Declared: &model.Declaration{}}, model.NewText("empty", model.ClassFile), report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if run.Window.Known || run.Primary != -1 || run.GPUShare.Known() || run.Accounted.Known || run.Progress.Accepted.Known() {
		t.Errorf("something is known of nothing: %+v", run)
	}
	for _, h := range run.Hypotheses {
		if h.State != report.NotEvaluated {
			t.Errorf("%s is %s without any source", h.ID, h.State)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	tl := &model.Timeline{Declared: &model.Declaration{}, Captures: []model.Placed{{Capture: &model.Capture{}}}}
	if _, err := Run(ctx, tl, model.Text{}, report.Options{}); err == nil {
		t.Error("a cancelled run went on")
	}
}

// The stages are known only from a log whose clock is not placed, and the window
// from elsewhere: nothing of the window is accounted for, and the table is shown.
func TestStagesOnAnotherClock(t *testing.T) {
	mark := func(e model.Edge, at time.Duration) model.Mark {
		return model.Mark{At: model.ClockTime(at), Edge: e, Stage: model.NewRaw("gpu_compute")}
	}
	c := &model.Capture{Source: model.Source{ID: 1, Kind: model.KindLog},
		Domains: []model.Domain{{Kind: model.DomainRelative, Valid: model.Interval[model.ClockTime]{End: model.ClockTime(2*second) + 1}}},
		Marks:   model.MarkRows([]model.Mark{mark(model.EdgeStart, 0), mark(model.EdgeEnd, 2*time.Second)})}
	tl := &model.Timeline{Declared: &model.Declaration{}, UTC: true, Window: model.Interval[model.Time]{Start: 100 * second, End: 159 * second},
		Captures: []model.Placed{{Capture: c, Mappings: []model.Mapping{{Why: model.ClockUnplaced}}}}}
	run, err := Run(context.Background(), tl, model.NewText("r", model.ClassFile), report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a := run.Accounted; !a.Known || a.Stages != 0 || a.Unattributed != 0 || a.Unknown != 59*time.Second {
		t.Errorf("accounted: got %+v, want 59 s unknown and nothing else", a)
	}
	if run.Primary != -1 || run.GPUShare.Known() || run.GPUShare.Why() != model.ClockUnplaced || len(run.WhatIf.Rows) != 0 || run.WhatIf.Total.Known() {
		t.Errorf("got primary %d, GPU share %v, what-if %+v; want none of them", run.Primary, run.GPUShare, run.WhatIf)
	}
	if len(run.Stages) != 1 || run.Stages[0].Basis.Placed || run.Stages[0].Window.Len() != 2*time.Second {
		t.Errorf("stages: got %+v, want the log's own table", run.Stages)
	}
}
