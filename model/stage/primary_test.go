package stage

import (
	"testing"
	"time"

	"tracemerge/model"
)

func TestTableOnAnotherClockIsNeverPrimary(t *testing.T) {
	off := source(2, model.KindLog, false, 0)
	off.Marks = model.MarkRows([]model.Mark{at(10, "load", s, ""), at(30, "load", e, "")})
	off.Domains[0].Valid = model.Interval[model.ClockTime]{Start: 0, End: 41}
	on := logSource(1, 0, 500, at(600, "gpu", s, ""), at(700, "gpu", e, ""))
	for _, c := range []struct {
		name    string
		tl      *model.Timeline
		primary int
		placed  bool
	}{
		{"the only stages are not on the run's clock", timeline(0, 500, off), -1, false},
		{"a placed table without a stage in the window stands before it", timeline(0, 500, off, on), 0, true},
		{"a run without a window is about the source's own axis", timeline(0, 0, off), 0, false},
	} {
		a := Analyse(c.tl, "")
		if a.Primary != c.primary || a.Tables[0].Basis.Placed != c.placed {
			t.Errorf("%s: got primary %d, placed %v; want %d, %v", c.name, a.Primary, a.Tables[0].Basis.Placed, c.primary, c.placed)
		}
	}
	if a := Unplaced(interval{Start: 0, End: 500}); a.Stages+a.Unattributed+a.Unknown != 500 {
		t.Errorf("got %+v, want 500 ns unknown", a)
	}
}

func TestUncertaintyHoldsTheResolutionOfTheStamps(t *testing.T) {
	whole := at(90, "save", model.EdgeWhole, "")
	whole.Duration = model.Known(20 * time.Nanosecond)
	tl := timeline(0, 100, logSource(1, 0, 100, at(10, "load", s, ""), at(30, "load", e, ""), at(40, "load", s, ""), at(60, "load", e, ""), whole))
	tl.Captures[0].Domains[0].Step = 5
	tb := Tabulate(tl)[0]
	for stage, want := range map[model.StageID]time.Duration{model.StageCPUPreparation: 20, model.StageWrite: 0} {
		if got := tb.Rows[tb.Row(stage)].Unsure; got != want {
			t.Errorf("%s: got %d ns, want %d", stage.Builtin(), got, want)
		}
	}
}
