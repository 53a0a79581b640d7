package align

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"tracemerge/model"
)

// civil reads a calendar stamp as a civil clock counts it.
func civil(t *testing.T, stamp string) model.ClockTime {
	t.Helper()
	at, err := time.ParseInLocation("2006-01-02T15:04:05.000", stamp, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	return model.ClockTime(at.UnixNano())
}

// utc reads an RFC 3339 stamp.
func utc(t *testing.T, stamp string) model.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil {
		t.Fatal(err)
	}
	return model.Time(at.UnixNano())
}

// sampler is a capture with one row per stamp, cut into pieces where the stamps
// go back.
func sampler(id model.SourceID, name string, kind model.DomainKind, stamps ...model.ClockTime) *model.Capture {
	c := &model.Capture{Source: model.Source{ID: id, File: model.NewText(name, model.ClassFile), Kind: model.KindSMI}}
	c.Tracks = []model.Track{{ID: 0, Kind: model.TrackDevice}}
	c.Metrics = []model.Metric{{ID: 0, Role: model.RoleGPUBusy}}
	var rows model.SampleRows
	for i, at := range stamps {
		pos := model.Pos{Source: id, Line: int32(i + 2), Offset: int64(100 * (i + 1))}
		if i == 0 || at < stamps[i-1] {
			c.Domains = append(c.Domains, model.Domain{ID: model.DomainID(len(c.Domains)), Kind: kind, Step: time.Millisecond,
				Valid: model.Interval[model.ClockTime]{Start: at, End: at + 1}, From: pos})
		}
		d := &c.Domains[len(c.Domains)-1]
		d.Valid.End = max(d.Valid.End, at+1)
		rows = append(rows, model.Sample{At: at, Line: pos.Line, Offset: pos.Offset, Value: model.Known(50.0)})
	}
	if len(rows) > 0 {
		c.Samples = rows
		c.Window = c.Domains[0].Valid
	}
	return c
}

// logged is a log capture with one mark per stamp.
func logged(id model.SourceID, name string, kind model.DomainKind, stamps ...model.ClockTime) *model.Capture {
	c := sampler(id, name, kind, stamps...)
	c.Source.Kind, c.Samples, c.Metrics = model.KindLog, nil, nil
	var marks model.MarkRows
	for i, at := range stamps {
		marks = append(marks, model.Mark{At: at, From: model.Pos{Source: id, Line: int32(i + 1), Offset: int64(100 * (i + 1))}, Domain: c.DomainAt(int64(100 * (i + 1)))})
	}
	c.Marks = marks
	return c
}

// stated makes the first record of a log state a whole stage by its duration.
func stated(c *model.Capture, d time.Duration) *model.Capture {
	m := c.Marks.(model.MarkRows)
	m[0].Edge, m[0].Duration = model.EdgeWhole, model.Known(d)
	return c
}

// traced is a trace capture with host spans of the given names, 1 s each.
func traced(id model.SourceID, name string, kind model.DomainKind, start model.ClockTime, names ...string) *model.Capture {
	c := &model.Capture{Source: model.Source{ID: id, File: model.NewText(name, model.ClassFile), Kind: model.KindTrace}}
	c.Tracks = []model.Track{{ID: 0, Kind: model.TrackThread}}
	var rows model.SpanRows
	for i, n := range names {
		at := start + model.ClockTime(i)*model.ClockTime(time.Second)
		c.Names = append(c.Names, model.NewRaw(n))
		rows = append(rows, model.Span{At: model.Interval[model.ClockTime]{Start: at, End: at + model.ClockTime(time.Second)}, Name: int32(i), Kind: model.SpanStep, Offset: int64(10 * i)})
	}
	c.Spans = rows
	c.Domains = []model.Domain{{ID: 0, Kind: kind, Valid: model.Interval[model.ClockTime]{Start: start, End: start + model.ClockTime(len(names))*model.ClockTime(time.Second) + 1}}}
	return c
}

func clockFor(file, zone string, offset ...time.Duration) model.DeclaredClock {
	d := model.DeclaredClock{File: model.NewRaw(file), From: model.Pos{Source: 99, Line: 7}}
	if zone != "" {
		d.Zone = model.NewText(zone, model.ClassZone)
	}
	if len(offset) > 0 {
		d.HasOffset, d.Offset = true, offset[0]
	}
	if len(offset) > 1 {
		d.Uncertainty = offset[1]
	}
	return d
}

func mustAlign(t *testing.T, caps []*model.Capture, decl *model.Declaration, opt Options) *model.Timeline {
	t.Helper()
	tl, err := Align(context.Background(), caps, decl, opt)
	if err != nil {
		t.Fatalf("Align: %v", err)
	}
	return tl
}

func codes(tl *model.Timeline) []string {
	var out []string
	for _, n := range tl.Notices {
		out = append(out, n.Code)
	}
	return out
}

// placed lists where the rows of a capture fall, with their widths.
func placed(p model.Placed) (at []model.Time, width []time.Duration, missing int) {
	eachReading(p.Capture, func(d model.DomainID, c model.ClockTime, _ model.Pos) {
		t, w, ok := p.At(d, c)
		if !ok {
			missing++
			return
		}
		at, width = append(at, t), append(width, w)
	})
	return at, width, missing
}

func TestWhatPlacesASource(t *testing.T) {
	at := civil(t, "2026-05-04T09:00:00.000")
	for _, tc := range []struct {
		name   string
		kind   model.DomainKind
		clock  []model.DeclaredClock
		zone   string
		placed bool
		method model.Method
		offset model.OffsetRange
	}{
		{"stamps with a zone need nothing", model.DomainUnix, nil, "", true, model.MethodAbsolute, model.OffsetRange{}},
		{"a declared offset is added to absolute stamps", model.DomainUnix, []model.DeclaredClock{clockFor("gpu.csv", "", 2*time.Second, time.Second)}, "", true,
			model.MethodOffset, model.OffsetRange{Lo: time.Second, Estimate: 2 * time.Second, Hi: 3 * time.Second}},
		{"the option's zone", model.DomainCivil, nil, "Asia/Seoul", true, model.MethodZone, model.OffsetRange{Lo: -9 * time.Hour, Estimate: -9 * time.Hour, Hi: -9 * time.Hour}},
		{"run.yaml goes before the option", model.DomainCivil, []model.DeclaredClock{clockFor("gpu.csv", "+01:00")}, "Asia/Seoul", true,
			model.MethodZone, model.OffsetRange{Lo: -time.Hour, Estimate: -time.Hour, Hi: -time.Hour}},
		{"zone and offset add up", model.DomainCivil, []model.DeclaredClock{clockFor("gpu.csv", "Asia/Seoul", 1250*time.Millisecond, 5*time.Millisecond)}, "", true, model.MethodOffset,
			model.OffsetRange{Lo: -9*time.Hour + 1245*time.Millisecond, Estimate: -9*time.Hour + 1250*time.Millisecond, Hi: -9*time.Hour + 1255*time.Millisecond}},
		{"an offset alone is the whole difference", model.DomainCivil, []model.DeclaredClock{clockFor("gpu.csv", "", -9*time.Hour)}, "", true,
			model.MethodOffset, model.OffsetRange{Lo: -9 * time.Hour, Estimate: -9 * time.Hour, Hi: -9 * time.Hour}},
		{"a calendar without zone is placed by the one offset with which it meets another file", model.DomainCivil, nil, "", true, model.MethodInferred, model.OffsetRange{}},
		{"a time of day is not placed", model.DomainDay, nil, "Asia/Seoul", false, model.MethodNone, model.OffsetRange{}},
		{"no clock is not placed", model.DomainNone, nil, "Asia/Seoul", false, model.MethodNone, model.OffsetRange{}},
		{"a relative clock is not placed", model.DomainRelative, nil, "Asia/Seoul", false, model.MethodNone, model.OffsetRange{}},
		{"a relative clock needs its Unix offset", model.DomainRelative, []model.DeclaredClock{clockFor("gpu.csv", "", time.Hour)}, "", true,
			model.MethodOffset, model.OffsetRange{Lo: time.Hour, Estimate: time.Hour, Hi: time.Hour}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			caps := []*model.Capture{sampler(1, "sub/gpu.csv", tc.kind, at), logged(2, "app.log", model.DomainUnix, at, at+1)}
			tl := mustAlign(t, caps, &model.Declaration{Clocks: tc.clock}, Options{Zone: tc.zone})
			m := tl.Captures[0].Mappings[0]
			if m.Placed != tc.placed || m.Method != tc.method {
				t.Fatalf("got placed %v by %v, want %v by %v", m.Placed, m.Method, tc.placed, tc.method)
			}
			if len(m.Evidence) == 0 {
				t.Error("no evidence")
			}
			if !tc.placed {
				if m.Why != model.ClockUnplaced || !slices.Contains(codes(tl), "align/unplaced") {
					t.Errorf("got %v, %v; want clock_unplaced with a notice", m.Why, codes(tl))
				}
				return
			}
			if got := m.Segments[0].Offset; got != tc.offset {
				t.Errorf("offset: got %v, want %v", got, tc.offset)
			}
			if !tl.UTC {
				t.Error("UTC: got false, want true")
			}
		})
	}
}

func TestUnusableDeclarationsAreTypedErrors(t *testing.T) {
	caps := []*model.Capture{sampler(1, "a/gpu.csv", model.DomainCivil, 0), sampler(2, "b/gpu.csv", model.DomainCivil, 0)}
	for name, tc := range map[string]struct {
		decl model.Declaration
		opt  Options
	}{
		"no such file":             {decl: model.Declaration{Clocks: []model.DeclaredClock{clockFor("gpus.csv", "UTC")}}},
		"no such zone":             {decl: model.Declaration{Clocks: []model.DeclaredClock{clockFor("a/gpu.csv", "Mars/Base")}}},
		"no such zone option":      {opt: Options{Zone: "+25:00"}},
		"local without a zone":     {opt: Options{Zone: "local"}},
		"an offset for two clocks": {decl: model.Declaration{Clocks: []model.DeclaredClock{clockFor("gpu.csv", "", time.Second)}}},
		"anchor to a missing file": {decl: model.Declaration{Anchors: []model.DeclaredAnchor{{A: model.AnchorPoint{File: model.NewRaw("x")}, From: model.Pos{Line: 3}}}}},
		"window that ends first":   {opt: Options{From: 5, To: 5, HasFrom: true, HasTo: true}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Align(context.Background(), caps, &tc.decl, tc.opt)
			var de *DeclarationError
			if !errors.As(err, &de) || de.Text.Empty() {
				t.Fatalf("got %v, want a *DeclarationError with a text", err)
			}
		})
	}
	tl := mustAlign(t, caps, &model.Declaration{Clocks: []model.DeclaredClock{clockFor("gpu.csv", "Asia/Seoul")}}, Options{})
	if !tl.Captures[0].OnTimeline() || !tl.Captures[1].OnTimeline() {
		t.Error("a zone by base name: want both files placed")
	}
}

func TestWithoutUTCOneSourceIsTheReference(t *testing.T) {
	day := civil(t, "2026-05-04T09:00:00.000")
	caps := []*model.Capture{sampler(1, "gpu.csv", model.DomainCivil, day), traced(2, "r0.json", model.DomainRelative, 5, "x"),
		logged(3, "app.log", model.DomainCivil, day, day+1000)}
	tl := mustAlign(t, caps, nil, Options{})
	if tl.UTC || tl.Reference != 3 {
		t.Fatalf("got UTC %v, reference %d; want false, 3 (the log)", tl.UTC, tl.Reference)
	}
	for i, want := range []bool{false, false, true} {
		if got := tl.Captures[i].OnTimeline(); got != want {
			t.Errorf("source %d on the timeline: got %v, want %v", i+1, got, want)
		}
	}
	if m := tl.Captures[2].Mappings[0]; m.Method != model.MethodReference || m.Segments[0].Offset != (model.OffsetRange{}) {
		t.Errorf("reference: got %v %v, want own_axis at 0", m.Method, m.Segments[0].Offset)
	}
	if got, want := tl.Window, (model.Interval[model.Time]{Start: model.Time(day), End: model.Time(day + 1000)}); got != want {
		t.Errorf("window: got %v, want %v", got, want)
	}
	if none := mustAlign(t, []*model.Capture{sampler(1, "gpu.csv", model.DomainNone)}, nil, Options{}); none.Reference != 0 || !none.Window.Empty() {
		t.Errorf("no clock at all: got reference %d, window %v; want 0 and empty", none.Reference, none.Window)
	}
	rel := []*model.Capture{traced(1, "r0.json", model.DomainRelative, 5, "x"), traced(2, "r1.json", model.DomainRelative, 5, "x"), logged(3, "app.log", model.DomainCivil, day)}
	two := &model.Declaration{Clocks: []model.DeclaredClock{clockFor("r0.json", "", 0), clockFor("r1.json", "", time.Second)}}
	tl = mustAlign(t, rel, two, Options{})
	if tl.UTC || tl.Reference != 1 || !tl.Captures[1].OnTimeline() || tl.Captures[2].OnTimeline() {
		t.Errorf("declared relative clocks share an axis: got UTC %v, reference %d", tl.UTC, tl.Reference)
	}
	tl = mustAlign(t, append(rel, logged(4, "utc.log", model.DomainUnix, day)), two, Options{})
	if !tl.UTC || tl.Captures[0].OnTimeline() || tl.Captures[0].Mappings[0].Why != model.Conflict {
		t.Errorf("an offset that leads to 1970 is refused beside UTC: got UTC %v, placed %v", tl.UTC, tl.Captures[0].OnTimeline())
	}
}

func TestWindow(t *testing.T) {
	s := model.ClockTime(time.Second)
	from, to := model.Time(15*s), model.Time(18*s)
	for _, tc := range []struct {
		name string
		caps []*model.Capture
		decl model.Declaration
		opt  Options
		want [2]model.Time // in seconds
		code string
	}{
		{"logs and traces before samplers", []*model.Capture{sampler(1, "g", model.DomainUnix, 0, 100*s), logged(2, "l", model.DomainUnix, 10*s, 20*s), traced(3, "t", model.DomainUnix, 19*s, "a", "b")}, model.Declaration{}, Options{}, [2]model.Time{10, 21}, "align/one-run"},
		{"samplers if there is nothing else", []*model.Capture{sampler(1, "g", model.DomainUnix, 0, 100*s)}, model.Declaration{}, Options{}, [2]model.Time{0, 100}, "align/one-run"},
		{"a stage that a duration states began before its record", []*model.Capture{stated(logged(2, "l", model.DomainUnix, 10*s, 20*s), 12*time.Second)}, model.Declaration{}, Options{}, [2]model.Time{-2, 20}, "align/one-run"},
		{"one declared end", []*model.Capture{logged(2, "l", model.DomainUnix, 10*s, 20*s)}, model.Declaration{HasStart: true, Window: model.Interval[model.Time]{Start: from}}, Options{}, [2]model.Time{15, 20}, "align/one-run"},
		{"the option goes before run.yaml", []*model.Capture{logged(2, "l", model.DomainUnix, 10*s, 20*s)}, model.Declaration{HasStart: true, Window: model.Interval[model.Time]{Start: from}}, Options{From: from + 1e9, HasFrom: true, To: to, HasTo: true}, [2]model.Time{16, 18}, "align/one-run"},
		{"a window that touches nothing is noted", []*model.Capture{logged(2, "l", model.DomainUnix, 100*s, 200*s)}, model.Declaration{HasStart: true, HasEnd: true, Window: model.Interval[model.Time]{Start: from, End: to}}, Options{}, [2]model.Time{15, 18}, "align/window-touches-nothing"},
		{"a UTC window cannot cut another axis", []*model.Capture{logged(2, "l", model.DomainCivil, 10*s, 20*s)}, model.Declaration{HasStart: true, Window: model.Interval[model.Time]{Start: from}}, Options{}, [2]model.Time{10, 20}, "align/window-not-applied"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tl := mustAlign(t, tc.caps, &tc.decl, tc.opt)
			if want := (model.Interval[model.Time]{Start: tc.want[0] * 1e9, End: tc.want[1] * 1e9}); tl.Window != want {
				t.Errorf("got %v, want %v", tl.Window, want)
			}
			if tl.WindowBy.Empty() || !slices.Contains(codes(tl), tc.code) {
				t.Errorf("got %v, want a reason and %s", codes(tl), tc.code)
			}
		})
	}
}

func TestAlternatingClocksOfALogAreNoStep(t *testing.T) {
	day := civil(t, "2026-05-04T09:00:00.000")
	s := model.ClockTime(time.Second)
	c := logged(1, "app.log", model.DomainCivil, day, day+100*s)
	c.Domains = append(c.Domains, model.Domain{ID: 1, Kind: model.DomainCivil, From: model.Pos{Offset: 150},
		Valid: model.Interval[model.ClockTime]{Start: day + s, End: day + 99*s}})
	tl := mustAlign(t, []*model.Capture{c}, nil, Options{Zone: "UTC"})
	for i, m := range tl.Captures[0].Mappings {
		if o := m.Segments[0].Offset; o != (model.OffsetRange{}) {
			t.Errorf("clock %d: got %v, want 0 exactly: two writers are no step back", i, o)
		}
	}
	c.Domains[1].Notes = []model.Phrase{model.Say("the clock goes back")}
	c.Domains[1].From.Offset = 1000
	tl = mustAlign(t, []*model.Capture{c}, nil, Options{Zone: "UTC"})
	if o := tl.Captures[0].Mappings[1].Segments[0].Offset; o.Hi < 99*time.Second {
		t.Errorf("a noted step: got %v, want the offset to reach over it", o)
	}
}

func TestTimeOfDayPassesMidnightOnItsOwnAxis(t *testing.T) {
	s := model.ClockTime(time.Second)
	c := sampler(1, "dmon.txt", model.DomainDay, 86398*s, 86399*s, 0, s)
	at, _, missing := placed(mustAlign(t, []*model.Capture{c}, nil, Options{}).Captures[0])
	if missing != 0 || len(at) != 4 || at[2]-at[1] != model.Time(s) {
		t.Errorf("got %v, %d missing; want 1 s over midnight", at, missing)
	}
}

func TestEveryNoticeAndDeclarationErrorHasAPlace(t *testing.T) {
	day := civil(t, "2025-10-26T02:30:00.000")
	tl := mustAlign(t, []*model.Capture{sampler(1, "gpu.csv", model.DomainCivil, day), traced(2, "r.json", model.DomainRelative, 1, "x"), logged(3, "l", model.DomainNone, 1)},
		&model.Declaration{Clocks: []model.DeclaredClock{clockFor("gpu.csv", "Europe/Berlin")}}, Options{})
	if len(tl.Notices) < 4 {
		t.Fatalf("got %v, want fold, two unplaced, one run", codes(tl))
	}
	for _, n := range tl.Notices {
		if len(n.At) == 0 || n.At[0].Source == 0 || n.Text.Empty() || n.N < 1 {
			t.Errorf("%s: at %v, N %d", n.Code, n.At, n.N)
		}
	}
}
