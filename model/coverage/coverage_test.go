package coverage

import (
	"math/rand/v2"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

func at(a, b float64) model.Interval[model.Time] {
	return model.Interval[model.Time]{Start: model.Time(a * 1e9), End: model.Time(b * 1e9)}
}

func clock(a, b float64) model.Interval[model.ClockTime] {
	return model.Interval[model.ClockTime]{Start: model.ClockTime(a * 1e9), End: model.ClockTime(b * 1e9)}
}

// source is a placed capture without records whose only clock runs over valid.
func source(kind model.SourceKind, valid model.Interval[model.ClockTime]) model.Placed {
	c := &model.Capture{Source: model.Source{ID: 4, Kind: kind}, Domains: []model.Domain{{Kind: model.DomainUnix, Valid: valid}}}
	if kind == model.KindTrace {
		c.Trace = &model.TraceFacts{}
	}
	wide := model.Interval[model.ClockTime]{Start: -1 << 60, End: 1 << 60}
	return model.Placed{Capture: c, Mappings: []model.Mapping{{Placed: true, Segments: []model.Segment{{Valid: wide}}}}}
}

func TestEveryKindHasItsUnobservedTime(t *testing.T) {
	window := at(0, 100)
	cut := func(p model.Placed) model.Placed { p.Truncated = true; return p }
	recorded := source(model.KindTrace, clock(30, 40))
	recorded.Trace.Record = clock(20, 50)
	unplaced := source(model.KindLog, clock(10, 90))
	unplaced.Mappings = []model.Mapping{{Why: model.ClockUnplaced}}
	type unknown struct {
		at  model.Interval[model.Time]
		why model.Reason
	}
	for _, tc := range []struct {
		name     string
		p        model.Placed
		observed time.Duration
		unknown  []unknown
	}{
		{"a log, from first to last record", source(model.KindLog, clock(10, 90)), 80 * time.Second, []unknown{{at(0, 10), model.OutsideObservation}, {at(90, 100), model.OutsideObservation}}},
		{"a log that is cut off", cut(source(model.KindLog, clock(10, 90))), 80 * time.Second, []unknown{{at(0, 10), model.OutsideObservation}, {at(90, 100), model.TruncatedFile}}},
		{"a trace without a stated window, from first to last record", source(model.KindTrace, clock(30, 40)), 10 * time.Second, []unknown{{at(0, 30), model.ProfilerNotRecording}, {at(40, 100), model.ProfilerNotRecording}}},
		{"a trace with the recorder's window", recorded, 30 * time.Second, []unknown{{at(0, 20), model.ProfilerNotRecording}, {at(50, 100), model.ProfilerNotRecording}}},
		{"a trace that is cut off observed nothing in full", cut(source(model.KindTrace, clock(30, 40))), 0, []unknown{{at(30, 40), model.TruncatedFile}, {at(0, 30), model.ProfilerNotRecording}, {at(40, 100), model.ProfilerNotRecording}}},
		{"a source outside the window", source(model.KindLog, clock(200, 300)), 0, []unknown{{at(0, 100), model.OutsideObservation}}},
		{"a source that is not placed", unplaced, 0, []unknown{{at(0, 100), model.ClockUnplaced}}},
		{"a sampler without rows", source(model.KindSMI, clock(0, 0)), 0, []unknown{{at(0, 100), model.OutsideObservation}}},
		{"a file without records", model.Placed{Capture: &model.Capture{Source: model.Source{Kind: model.KindRunFile}}}, 0, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			observed, got := Of(tc.p, window)
			if observed.Len() != tc.observed || len(got) != len(tc.unknown) {
				t.Fatalf("got %v observed, unknown %v; want %v, %v", observed.Len(), got, tc.observed, tc.unknown)
			}
			for i, w := range tc.unknown {
				if got[i].At != w.at || got[i].Why != w.why || !got[i].Placed {
					t.Errorf("%d: got %v %v, want %v %v", i, got[i].At, got[i].Why, w.at, w.why)
				}
			}
		})
	}
}

func TestHolesOfSingleTracksComeOnTop(t *testing.T) {
	p := source(model.KindTrace, clock(0, 10))
	p.Tracks = []model.Track{{Name: model.NewText("stream 7", model.ClassProcess), Unknown: []model.Hole{{At: clock(4, 20), Why: model.KernelRecordMissing, From: []model.Pos{{Offset: 7}}}}}}
	_, got := Of(p, at(0, 10))
	if len(got) != 1 || got[0].At != at(4, 10) || got[0].Why != model.KernelRecordMissing || got[0].Track.Empty() || len(got[0].From) != 1 {
		t.Errorf("got %v, want the hole cut to the window with its track and place", got)
	}
}

func TestObservedAndUnknownFillTheWindow(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 2000 {
		kind := []model.SourceKind{model.KindLog, model.KindTrace, model.KindSMI}[r.IntN(3)]
		a, l := r.Float64()*10, r.Float64()*10
		p := source(kind, clock(a, a+l))
		p.Truncated = r.IntN(2) == 0
		if kind == model.KindTrace && r.IntN(2) == 0 {
			b := r.Float64() * 10
			p.Trace.Record = clock(b, b+5)
		}
		w := at(r.Float64()*10, 10+r.Float64()*10)
		observed, unknown := Of(p, w)
		if sum := observed.Len() + whole(unknown); sum != w.Len() {
			t.Fatalf("%s: observed %v + unknown %v, want %v", kind, observed.Len(), whole(unknown), w.Len())
		}
	}
}

// whole is the time that is unknown for the whole source.
func whole(us []report.Unknown) time.Duration {
	var d time.Duration
	for _, u := range us {
		if u.Track.Empty() {
			d += u.At.Len()
		}
	}
	return d
}

func TestPlaceFollowsTheSegments(t *testing.T) {
	m := model.Mapping{Placed: true, Segments: []model.Segment{
		{Valid: clock(0, 10), Offset: model.OffsetRange{Estimate: 5 * time.Second}},
		{Valid: clock(20, 30), Offset: model.OffsetRange{Estimate: -5 * time.Second}}, // the hour between never occurred
	}}
	if got := Place(m, clock(0, 30)); len(got.Parts()) != 1 || got.Hull() != at(5, 25) {
		t.Errorf("got %v, want one stretch 5 s to 25 s", got.Parts())
	}
	if got := Place(model.Mapping{Segments: m.Segments}, clock(0, 30)); !got.Empty() {
		t.Errorf("not placed: got %v, want nothing", got.Parts())
	}
}
