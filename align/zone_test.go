package align

import (
	"slices"
	"testing"
	"time"

	"tracemerge/model"
)

func TestNewYorkFallBackFileSpansItsTrueTime(t *testing.T) {
	var stamps []model.ClockTime // the figures of syn_dst_fall_back_new_york.csv: 30 rows, 1.001 s apart
	at := civil(t, "2025-11-02T01:59:50.250")
	turn := civil(t, "2025-11-02T02:00:00.000")
	for i := range 30 {
		c := at + model.ClockTime(i)*model.ClockTime(1001*time.Millisecond)
		if c >= turn {
			c -= model.ClockTime(time.Hour)
		}
		stamps = append(stamps, c)
	}
	c := sampler(1, "gpu.csv", model.DomainCivil, stamps...)
	if len(c.Domains) != 2 {
		t.Fatalf("pieces: got %d, want 2", len(c.Domains))
	}
	tl := mustAlign(t, []*model.Capture{c}, nil, Options{Zone: "America/New_York"})
	got, width, missing := placed(tl.Captures[0])
	if missing != 0 || len(got) != 30 {
		t.Fatalf("placed %d, missing %d; want 30, 0", len(got), missing)
	}
	if want := utc(t, "2025-11-02T05:59:50.250Z"); got[0] != want {
		t.Errorf("first: got %v, want %v", got[0].UTC(), want.UTC())
	}
	if d := time.Duration(got[29] - got[0]); d != 29029*time.Millisecond {
		t.Errorf("true span: got %v, want 29.029s", d)
	}
	if tl.Window.Len() != 29029*time.Millisecond {
		t.Errorf("window: got %v, want 29.029s", tl.Window.Len())
	}
	for i := range width {
		if width[i] != 0 {
			t.Errorf("row %d: width %v, want 0: the step decides the pass", i, width[i])
		}
	}
}

func TestFoldWithoutStepCoversBothPasses(t *testing.T) {
	for _, tc := range []struct {
		zone, stamp string
		shift       time.Duration
		first       string
	}{
		{"Europe/Berlin", "2025-10-26T02:30:00.000", time.Hour, "2025-10-26T00:30:00Z"},
		{"America/New_York", "2025-11-02T01:30:00.000", time.Hour, "2025-11-02T05:30:00Z"},
		{"Australia/Lord_Howe", "2025-04-06T01:45:00.000", 30 * time.Minute, "2025-04-05T14:45:00Z"},
	} {
		t.Run(tc.zone, func(t *testing.T) {
			at := civil(t, tc.stamp)
			tl := mustAlign(t, []*model.Capture{sampler(1, "gpu.csv", model.DomainCivil, at)}, nil, Options{Zone: tc.zone})
			m := tl.Captures[0].Mappings[0]
			if !m.Placed || len(m.Segments) != 1 {
				t.Fatalf("got %+v, want one segment", m)
			}
			o := m.Segments[0].Offset
			if o.Hi-o.Lo != tc.shift {
				t.Errorf("interval: got %v wide, want %v", o.Hi-o.Lo, tc.shift)
			}
			if got, want := model.Time(at)+model.Time(o.Lo), utc(t, tc.first); got != want {
				t.Errorf("first pass: got %v, want %v", got.UTC(), want.UTC())
			}
			if !slices.Contains(codes(tl), "align/fold") {
				t.Errorf("notices: got %v, want align/fold", codes(tl))
			}
		})
	}
}

func TestReadingInSkippedHourContradictsTheZone(t *testing.T) {
	for _, tc := range []struct{ zone, before, in, after string }{
		{"Europe/Berlin", "2025-03-30T01:59:00.000", "2025-03-30T02:30:00.000", "2025-03-30T03:00:01.000"},
		{"America/New_York", "2025-03-09T01:59:00.000", "2025-03-09T02:30:00.000", "2025-03-09T03:00:01.000"},
		{"Australia/Lord_Howe", "2025-10-05T01:59:00.000", "2025-10-05T02:15:00.000", "2025-10-05T02:30:01.000"},
	} {
		t.Run(tc.zone, func(t *testing.T) {
			c := sampler(1, "gpu.csv", model.DomainCivil, civil(t, tc.before), civil(t, tc.in), civil(t, tc.after))
			tl := mustAlign(t, []*model.Capture{c}, nil, Options{Zone: tc.zone})
			at, _, missing := placed(tl.Captures[0])
			if missing != 1 || len(at) != 2 {
				t.Fatalf("placed %d, missing %d; want 2, 1", len(at), missing)
			}
			if d := time.Duration(at[1] - at[0]); d != 61*time.Second {
				t.Errorf("distance over the gap: got %v, want 61s", d)
			}
			if n := len(tl.Captures[0].Mappings[0].Against); n != 1 {
				t.Errorf("contradictions: got %d, want 1", n)
			}
			if !slices.Contains(codes(tl), "align/zone-gap") {
				t.Errorf("notices: got %v, want align/zone-gap", codes(tl))
			}
			only := mustAlign(t, []*model.Capture{sampler(1, "g", model.DomainCivil, civil(t, tc.in)), logged(2, "l", model.DomainUnix, civil(t, tc.in))}, nil, Options{Zone: tc.zone}).Captures[0].Mappings[0]
			if only.Placed || only.Why != model.Conflict {
				t.Errorf("only impossible readings: placed %v, why %v; want not placed, conflict", only.Placed, only.Why)
			}
			without := mustAlign(t, []*model.Capture{sampler(1, "g", model.DomainCivil, civil(t, tc.before), civil(t, tc.after))}, nil, Options{Zone: tc.zone})
			if n := len(without.Captures[0].Mappings[0].Against); n != 0 {
				t.Errorf("no reading in the gap: got %d contradictions, want 0", n)
			}
		})
	}
}

func TestAllZoneOffsetsPlaceExactly(t *testing.T) {
	hours := []float64{-11, -10, -9.5, -9, -8, -7, -6, -5, -4.5, -4, -3.5, -3, -2.5, -2, -1, 0, 1, 2, 3, 3.5, 4, 4.5, 5, 5.5, 5.75,
		6, 6.5, 7, 8, 8.5, 8.75, 9, 9.5, 10, 10.5, 11, 11.5, 12, 12.75, 13, 13.75, 14}
	if len(hours) != 42 {
		t.Fatalf("got %d offsets, want 42", len(hours))
	}
	stamp := "2026-05-04T09:00:00.250"
	for _, h := range hours {
		minutes := int(h * 60)
		zone := time.Time{}.In(time.FixedZone("", minutes*60)).Format("-07:00")
		tl := mustAlign(t, []*model.Capture{sampler(1, "gpu.csv", model.DomainCivil, civil(t, stamp))}, nil, Options{Zone: zone})
		at, width, _ := placed(tl.Captures[0])
		want := utc(t, stamp+zone)
		if len(at) != 1 || at[0] != want || width[0] != 0 {
			t.Errorf("%s: got %v ± %v, want %v exactly", zone, at, width, want.UTC())
		}
		undeclared := mustAlign(t, []*model.Capture{
			sampler(1, "gpu.csv", model.DomainCivil, civil(t, stamp)), logged(2, "app.log", model.DomainUnix, model.ClockTime(want), model.ClockTime(want+1)),
		}, nil, Options{})
		m := undeclared.Captures[0].Mappings[0]
		add := -time.Duration(minutes) * time.Minute
		reading := civil(t, stamp)
		inUse := slices.Contains(possibleZones(model.Interval[model.ClockTime]{Start: reading, End: reading + 1}), model.Range[time.Duration]{Lo: add, Hi: add})
		if m.Placed != inUse {
			t.Errorf("%s undeclared: placed %v, why %v; want %v, as it was in force on that day", zone, m.Placed, m.Why, inUse)
		}
		if o := (model.OffsetRange{Lo: add, Estimate: add, Hi: add}); m.Placed && (m.Method != model.MethodInferred || m.Segments[0].Offset != o) {
			t.Errorf("%s undeclared: %v by %s, want %v", zone, m.Segments[0].Offset, m.Method, o)
		}
		strict := mustAlign(t, []*model.Capture{
			sampler(1, "gpu.csv", model.DomainCivil, civil(t, stamp)), logged(2, "app.log", model.DomainUnix, model.ClockTime(want), model.ClockTime(want+1)),
		}, nil, Options{StrictClock: true})
		if strict.Captures[0].Mappings[0].Placed {
			t.Errorf("%s, nothing but declarations allowed: placed", zone)
		}
	}
}

func TestZonesAreReadAsWritten(t *testing.T) {
	local := time.FixedZone("", -3600)
	for _, tc := range []struct {
		zone    string
		ok      bool
		seconds int
	}{
		{"UTC", true, 0}, {"Z", true, 0}, {"utc", true, 0}, {"+09:00", true, 32400}, {"-03:30", true, -12600}, {"+0545", true, 20700}, {"-11", true, -39600},
		{"local", true, -3600}, {"Asia/Seoul", true, 32400}, {" Asia/Seoul ", true, 32400},
		{"", false, 0}, {"+9", false, 0}, {"+09:60", false, 0}, {"+25:00", false, 0}, {"+9:000", false, 0}, {"+", false, 0}, {"+0x:00", false, 0}, {"Mars/Base", false, 0}, {"../UTC", false, 0},
	} {
		loc, ok := parseZone(tc.zone, local)
		if ok != tc.ok {
			t.Errorf("%q: got %v, want %v", tc.zone, ok, tc.ok)
			continue
		}
		if !ok {
			continue
		}
		if _, got := time.Unix(1777852800, 0).In(loc).Zone(); got != tc.seconds {
			t.Errorf("%q: got %d s, want %d s", tc.zone, got, tc.seconds)
		}
	}
}

// From 2038 on the library computes periods from a rule and may return one that
// ends where it was asked for; the list of periods must go on and be right.
func TestPeriodsGoOnInAnyYear(t *testing.T) {
	for _, name := range []string{"America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Seoul", "Africa/Casablanca"} {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for year := 2036; year < 2120; year++ {
			start := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
			ps := periods(loc, model.Interval[model.ClockTime]{Start: model.ClockTime(start.UnixNano()), End: model.ClockTime(start.AddDate(1, 0, 0).UnixNano())})
			for day := range 365 {
				at := start.AddDate(0, 0, day).Add(12 * time.Hour)
				_, seconds := at.In(loc).Zone()
				civil := model.ClockTime(at.UnixNano() + int64(seconds)*int64(time.Second))
				found := false
				for _, p := range ps {
					found = found || p.civil.Contains(civil) && p.add == -time.Duration(seconds)*time.Second
				}
				if !found {
					t.Fatalf("%s: no period has %v with its offset", name, at)
				}
			}
		}
	}
}

// A file that lies across a change of any zone's offset has no single offset of that
// zone: British time changes an hour before that of Central Europe.
func TestAChangeWithinAFileIsARange(t *testing.T) {
	from := time.Date(2022, 3, 27, 0, 27, 0, 0, time.UTC).UnixNano()
	to := time.Date(2022, 3, 27, 2, 32, 0, 0, time.UTC).UnixNano()
	for _, r := range possibleZones(model.Interval[model.ClockTime]{Start: model.ClockTime(from), End: model.ClockTime(to)}) {
		if r.Lo <= -time.Hour && 0 <= r.Hi {
			return
		}
	}
	t.Error("no range holds both offsets of London")
}
