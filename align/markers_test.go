package align

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tracemerge/model"
)

// marked adds a marker of a name to a log and to a trace whose clocks are off by the
// offsets: the range takes 4 ms, and the line is written within it.
func marked(r *rand.Rand, caps []*model.Capture, logOff, traceOff time.Duration, names ...string) {
	at := caps[0].Window.Start - model.ClockTime(logOff)
	for _, name := range names {
		at += model.ClockTime(time.Second)
		line := at + model.ClockTime(r.Int64N(int64(4*time.Millisecond)))
		read := (line + model.ClockTime(logOff)) / 1_000_000 * 1_000_000 // to the millisecond
		caps[0].Markers = append(caps[0].Markers, model.Marker{Name: model.NewRaw(name), At: model.Interval[model.ClockTime]{Start: read, End: read + 1_000_000}, From: model.Pos{Source: 1, Line: 1}})
		caps[1].Markers = append(caps[1].Markers, model.Marker{Name: model.NewRaw(name), From: model.Pos{Source: 2, Offset: 1},
			At: model.Interval[model.ClockTime]{Start: at + model.ClockTime(traceOff), End: at + model.ClockTime(4*time.Millisecond) + model.ClockTime(traceOff)}})
	}
}

// A shared marker places a trace that counts from an unknown start to some
// milliseconds, with the truth inside; it is certain enough for StrictClock.
func TestAMarkerPlacesATrace(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for n := range 100 {
		off := -time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC).UnixNano() + r.Int64N(int64(time.Hour))
		caps := stepped(r, 0, time.Duration(off), true)
		marked(r, caps, 0, time.Duration(off), "a", "b")
		m := mustAlign(t, caps, nil, Options{StrictClock: n%2 == 0}).Captures[1].Mappings[0]
		if !m.Placed || m.Method != model.MethodEvidence || len(m.Evidence) == 0 {
			t.Fatalf("not placed: %s, %v", m.Status, m.Ranges)
		}
		o := m.Segments[0].Offset
		if truth := -time.Duration(off); truth < o.Lo || truth > o.Hi || o.Hi-o.Lo > 5*time.Millisecond {
			t.Fatalf("%v is not in %v, or that is too wide", truth, o)
		}
	}
}

// A name that a file has twice says nothing, markers that contradict one another say
// so, and a marker checks clocks that are placed.
func TestMarkersThatSayNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	caps := stepped(r, 0, 0, true)
	marked(r, caps, 0, 0, "a", "a")
	if k := constraintOf(mustAlign(t, caps, nil, Options{}), "marker"); k != nil {
		t.Errorf("a name that stands twice: %+v", k)
	}
	caps = stepped(r, 0, 0, true)
	marked(r, caps, 0, 0, "a", "b")
	caps[0].Markers[1].At.Start += model.ClockTime(time.Second)
	caps[0].Markers[1].At.End += model.ClockTime(time.Second)
	if k := constraintOf(mustAlign(t, caps, nil, Options{}), "marker"); k == nil || len(k.Allowed) > 0 || k.Use != model.ConstraintUntestable {
		t.Errorf("markers that do not fit: %+v", k)
	}
	caps = stepped(r, time.Second, 0, false)
	marked(r, caps, time.Second, 0, "a")
	if k := constraintOf(mustAlign(t, caps, nil, Options{}), "marker"); k == nil || k.Use != model.ConstraintContradicted {
		t.Errorf("a log that is off by a second: %+v", k)
	}
}

// A marker tells the offset of a log at one moment: where its zone may change within
// the log, that is not the offset of all of it.
func TestAMarkerNeedsOneOffset(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	march := time.Date(2026, 3, 29, 1, 0, 0, 0, time.UTC) // when Berlin goes forward
	stamps := append(every(march.Add(time.Hour), -600, -10, 10), every(march.Add(2*time.Hour), 0, 600, 10)...)
	caps := []*model.Capture{logged(1, "app.log", model.DomainCivil, stamps...), traced(2, "rank0.json", model.DomainUnix, model.ClockTime(march.Add(-10*time.Minute).UnixNano()), "x", "y")}
	caps[1].Trace = &model.TraceFacts{}
	marked(r, caps, time.Hour, 0, "a")
	tl := mustAlign(t, caps, nil, Options{})
	m := tl.Captures[0].Mappings[0]
	if k := constraintOf(tl, "marker"); k == nil || len(k.Allowed) > 0 || m.Placed {
		t.Errorf("placed %v by %+v", m.Placed, k)
	}
	for _, want := range []time.Duration{-time.Hour, -2 * time.Hour} {
		if !slices.ContainsFunc(m.Ranges, func(o model.OffsetRange) bool { return o.Lo <= want && want <= o.Hi }) {
			t.Errorf("%v is in none of %v", want, m.Ranges)
		}
	}
}
