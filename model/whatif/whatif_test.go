package whatif

import (
	"math/big"
	"strconv"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/model/stage"
)

const second = time.Second

// logOf is a timeline of one placed log with the marks.
func logOf(window time.Duration, marks ...model.Mark) *model.Timeline {
	c := &model.Capture{
		Source:  model.Source{ID: 1, Kind: model.KindLog},
		Domains: []model.Domain{{Kind: model.DomainUnix, Valid: model.Interval[model.ClockTime]{Start: 0, End: model.ClockTime(window) + 1}}},
		Marks:   model.MarkRows(marks),
	}
	return &model.Timeline{UTC: true, Window: model.Interval[model.Time]{Start: 0, End: model.Time(window)},
		Captures: []model.Placed{{Capture: c, Mappings: []model.Mapping{placed(0)}}}}
}

func placed(width time.Duration) model.Mapping {
	return model.Mapping{Placed: true, Segments: []model.Segment{{
		Valid:  model.Interval[model.ClockTime]{Start: -1 << 60, End: 1 << 60},
		Offset: model.OffsetRange{Lo: -width, Hi: width}}}}
}

func mark(name string, edge model.Edge, at time.Duration) model.Mark {
	return model.Mark{At: model.ClockTime(at), Edge: edge, Stage: model.NewRaw(name), Task: model.NewRaw("t1")}
}

func one100() *model.Timeline {
	return logOf(100*second,
		mark("preparation", model.EdgeStart, 0), mark("preparation", model.EdgeEnd, 60*second),
		mark("gpu_compute", model.EdgeStart, 60*second), mark("gpu_compute", model.EdgeEnd, 80*second),
		mark("export", model.EdgeStart, 80*second), mark("export", model.EdgeEnd, 100*second))
}

func find(t *testing.T, w report.WhatIf, changes ...report.Change) report.Scenario {
	t.Helper()
	for _, r := range w.Rows {
		if len(r.Changes) != len(changes) {
			continue
		}
		same := true
		for i, c := range r.Changes {
			same = same && c == changes[i]
		}
		if same {
			return r
		}
	}
	t.Fatalf("no scenario with the changes %v", changes)
	return report.Scenario{}
}

func TestWorkedExampleComesOutExactly(t *testing.T) {
	tables := stage.Tabulate(one100())
	if len(tables) != 1 {
		t.Fatalf("got %d tables, want 1", len(tables))
	}
	base, _ := tables[0].GPUShare().Get()
	if want := (model.Range[float64]{Lo: .2, Hi: .2}); base != want {
		t.Errorf("GPU share of the run: got %v, want %v", base, want)
	}
	all := []report.Change{{Stage: model.StageCPUPreparation, Factor: .5}, {Stage: model.StageGPUCompute, Factor: .5}}
	w := Bound(&tables[0], []report.Requested{{Changes: all}})
	for _, c := range []struct {
		name  string
		row   report.Scenario
		total time.Duration
		share *big.Rat
		limit *big.Rat
	}{
		{"preparation halved", find(t, w, all[0]), 70 * second, big.NewRat(20, 70), big.NewRat(100, 40)},
		{"GPU compute halved", find(t, w, all[1]), 90 * second, big.NewRat(10, 90), big.NewRat(100, 80)},
		{"both halved", find(t, w, all...), 60 * second, big.NewRat(10, 60), big.NewRat(100, 20)},
	} {
		if got, want := c.row.Total, model.Known(model.Exactly(c.total)); got != want {
			t.Errorf("%s: total: got %v, want %v", c.name, got, want)
		}
		if got, want := c.row.Saved, model.Known(model.Exactly(100*second-c.total)); got != want {
			t.Errorf("%s: saved: got %v, want %v", c.name, got, want)
		}
		share, _ := c.share.Float64()
		if got, _ := c.row.GPUShare.Get(); got != model.Exactly(share) {
			t.Errorf("%s: GPU share: got %v, want %v", c.name, got, share)
		}
		limit, _ := c.limit.Float64()
		if got, _ := c.row.Limit.Get(); got != model.Exactly(limit) {
			t.Errorf("%s: limit: got %v, want %v", c.name, got, limit)
		}
		if want := model.Known(model.Range[time.Duration]{Lo: c.total, Hi: 100 * second}); c.row.Worst != want {
			t.Errorf("%s: best case only: got %v, want %v", c.name, c.row.Worst, want)
		}
	}
}

// A serial job that logs one task per stage is exact: nothing overlaps, however
// long each task waits for the others.
func TestSerialTasksNamedAfterTheirStageAreExact(t *testing.T) {
	var marks model.MarkRows
	at := model.ClockTime(0)
	for batch := range 5 {
		for _, s := range []struct {
			name string
			secs model.ClockTime
		}{{"cpu_preparation", 3}, {"gpu_compute", 1}, {"write", 1}} {
			for _, edge := range []model.Edge{model.EdgeStart, model.EdgeEnd} {
				marks = append(marks, model.Mark{At: at, Edge: edge, Stage: model.NewRaw(s.name), Task: model.NewRaw(s.name),
					Input: model.NewRaw(strconv.Itoa(batch)), From: model.Pos{Source: 1, Line: int32(len(marks) + 1), Offset: int64(len(marks))}})
				if edge == model.EdgeStart {
					at += s.secs * model.ClockTime(time.Second)
				}
			}
		}
	}
	valid := model.Interval[model.ClockTime]{Start: 0, End: at + 1}
	c := &model.Capture{Source: model.Source{ID: 1, Kind: model.KindLog}, Marks: marks, Window: valid,
		Domains: []model.Domain{{Kind: model.DomainUnix, Valid: valid, Step: time.Microsecond}},
		Tracks:  []model.Track{{Kind: model.TrackLog}}}
	tl := &model.Timeline{Declared: &model.Declaration{}, UTC: true, Window: model.Interval[model.Time]{End: model.Time(at)},
		Captures: []model.Placed{{Capture: c, Mappings: []model.Mapping{{Placed: true, Segments: []model.Segment{{Valid: valid}}}}}}}
	a := stage.Analyse(tl, "")
	for _, row := range Bound(&a.Tables[a.Primary], nil).Rows {
		total, ok := row.Total.Get()
		if !ok || total.Lo != total.Hi {
			t.Errorf("%v: total %v, want an exact one", row.Changes, row.Total)
		}
	}
}
