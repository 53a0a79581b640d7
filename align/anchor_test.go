package align

import (
	"slices"
	"testing"
	"time"

	"tracemerge/model"
)

func TestAnchors(t *testing.T) {
	day := civil(t, "2026-05-04T00:00:00.000")
	s := model.ClockTime(time.Second)
	anchor := func(line int32, event string, within time.Duration) model.DeclaredAnchor {
		return model.DeclaredAnchor{Within: within, From: model.Pos{Source: 9, Line: line},
			A: model.AnchorPoint{File: model.NewRaw("app.log"), Line: line},
			B: model.AnchorPoint{File: model.NewRaw("r0.json"), Event: model.NewRaw(event), Edge: model.EdgeStart}}
	}
	caps := func() []*model.Capture {
		log := logged(1, "app.log", model.DomainUnix, day, day+s, day+2*s, day+10*s)
		log.Domains[0].Step = 0
		return []*model.Capture{log, traced(2, "r0.json", model.DomainRelative, 100, "load", "step#1", "step#2", "twice", "twice")}
	}
	t.Run("two that agree intersect", func(t *testing.T) {
		tl := mustAlign(t, caps(), &model.Declaration{Anchors: []model.DeclaredAnchor{anchor(2, "step#1", 10*time.Millisecond), anchor(3, "step#2", 5*time.Millisecond)}}, Options{})
		m := tl.Captures[1].Mappings[0]
		want := time.Duration(day) - 100
		if !m.Placed || m.Method != model.MethodAnchor || m.Segments[0].Offset != (model.OffsetRange{Lo: want - 5*time.Millisecond, Estimate: want, Hi: want + 5*time.Millisecond}) {
			t.Fatalf("got %+v, want offset %v ± 5ms by anchor", m, want)
		}
	})
	t.Run("two that disagree place nothing", func(t *testing.T) {
		tl := mustAlign(t, caps(), &model.Declaration{Anchors: []model.DeclaredAnchor{anchor(2, "step#1", 10*time.Millisecond), anchor(4, "step#2", 5*time.Millisecond)}}, Options{})
		m := tl.Captures[1].Mappings[0]
		if m.Placed || m.Why != model.Conflict || len(m.Against) != 2 || !slices.Contains(codes(tl), "align/anchors-disagree") {
			t.Fatalf("got placed %v, why %v, %d against, %v; want both anchors listed", m.Placed, m.Why, len(m.Against), codes(tl))
		}
	})
	t.Run("a record that is missing or not alone is noted", func(t *testing.T) {
		for _, a := range []model.DeclaredAnchor{anchor(77, "step#1", 0), anchor(1, "no such", 0), anchor(1, "twice", 0)} {
			tl := mustAlign(t, caps(), &model.Declaration{Anchors: []model.DeclaredAnchor{a}}, Options{})
			if tl.Captures[1].OnTimeline() || !slices.Contains(codes(tl), "align/anchor-not-found") {
				t.Errorf("got %v, want align/anchor-not-found and not placed", codes(tl))
			}
		}
	})
	t.Run("against a placed clock it is listed on both", func(t *testing.T) {
		cs := caps()
		cs[1] = traced(2, "r0.json", model.DomainUnix, day+5*s, "load")
		tl := mustAlign(t, cs, &model.Declaration{Anchors: []model.DeclaredAnchor{anchor(1, "load", time.Millisecond)}}, Options{})
		if len(tl.Captures[0].Mappings[0].Against) != 1 || len(tl.Captures[1].Mappings[0].Against) != 1 || !tl.Captures[1].OnTimeline() {
			t.Errorf("got %v, want the contradiction on both, both placed", codes(tl))
		}
	})
	t.Run("an anchor to the reference's own axis", func(t *testing.T) {
		cs := caps()
		cs[0].Domains[0].Kind = model.DomainCivil
		tl := mustAlign(t, cs, &model.Declaration{Anchors: []model.DeclaredAnchor{anchor(2, "step#1", 0)}}, Options{})
		if tl.UTC || !tl.Captures[1].OnTimeline() {
			t.Errorf("got UTC %v, placed %v; want placed on the log's axis", tl.UTC, tl.Captures[1].OnTimeline())
		}
	})
}

func TestClockSetBackWidensBothSides(t *testing.T) {
	day := civil(t, "2026-05-04T09:00:00.000")
	s := model.ClockTime(time.Second)
	c := sampler(1, "gpu.csv", model.DomainUnix, day, day+s, day+2*s, day-30*s, day-29*s)
	tl := mustAlign(t, []*model.Capture{c}, nil, Options{})
	ms := tl.Captures[0].Mappings
	reach := 33*time.Second + 501*time.Millisecond // the step of 32 s, one period and a half, and what stamps are cut off by
	if got, want := ms[0].Segments[0].Offset, (model.OffsetRange{Lo: -reach}); got != want {
		t.Errorf("before: got %v, want %v", got, want)
	}
	if got, want := ms[1].Segments[0].Offset, (model.OffsetRange{Hi: reach}); got != want {
		t.Errorf("after: got %v, want %v", got, want)
	}
	if !slices.Contains(codes(tl), "align/clock-set-back") {
		t.Errorf("notices: got %v", codes(tl))
	}
	two := mustAlign(t, []*model.Capture{sampler(1, "gpu.csv", model.DomainUnix, day, day-100000*s)}, nil, Options{})
	if _, w, _ := placed(two.Captures[0]); w[0] != 0 || !slices.Contains(codes(two), "align/recordings-appended") {
		t.Errorf("pieces more than a day apart: got widths %v, %v; want two recordings", w, codes(two))
	}
}
