package align

import (
	"slices"
	"testing"
	"time"

	"tracemerge/model"
)

// every gives the stamps from one second to another, by the second.
func every(start time.Time, from, to, by int) []model.ClockTime {
	var out []model.ClockTime
	for s := from; s <= to; s += by {
		out = append(out, model.ClockTime(start.Add(time.Duration(s)*time.Second).UnixNano()))
	}
	return out
}

// What is stated of a clock holds every offset that it had within the file.
func TestStatedOffsetsHoldForTheWholeFile(t *testing.T) {
	may := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)
	const seoul = 9 * time.Hour
	local := func(at time.Time, east time.Duration, from, to int) []model.ClockTime {
		return every(at.Add(east), from, to, 10)
	}
	// Berlin sets its clocks back at 01:00 UTC: a file from 00:30 to 02:30.
	october := time.Date(2025, 10, 26, 1, 0, 0, 0, time.UTC)
	fold := append(local(october, 2*time.Hour, -1800, -10), local(october, time.Hour, 0, 5400)...)
	// and forward: from 00:30 to 01:30.
	march := time.Date(2026, 3, 29, 1, 0, 0, 0, time.UTC)
	forward := append(local(march, time.Hour, -1800, -10), local(march, 2*time.Hour, 0, 1800)...)
	setBack := append(local(may, seoul+30*time.Second, 0, 600), local(may, seoul, 610, 1200)...)

	log := func(at time.Time, from, to int) *model.Capture {
		return logged(2, "app.log", model.DomainUnix, every(at, from, to, to-from)...)
	}
	off := func(d, within time.Duration) *model.Declaration {
		return &model.Declaration{Clocks: []model.DeclaredClock{clockFor("app.log", "", d, within)}}
	}
	for _, c := range []struct {
		name   string
		stamps []model.ClockTime
		log    *model.Capture
		decl   *model.Declaration
		want   []time.Duration // offsets that the first piece had
	}{
		{"only the part after the change meets the log", fold, log(october, 5000, 5460), nil, []time.Duration{-2 * time.Hour}},
		{"only the part before it does", forward, log(march, -1800, -1700), nil, []time.Duration{-time.Hour, -2 * time.Hour}},
		{"the clock was ahead before it was set", setBack, log(may, 0, 1200), nil, []time.Duration{-seoul - 30*time.Second}},
		{"only the part before the set meets the log", setBack, log(may, -20, -5), nil, []time.Duration{-seoul - 30*time.Second}},
		{"the log may be off by more than they are apart", local(may, seoul, 0, 600), log(may, 900, 1200), off(0, 10*time.Minute), []time.Duration{-seoul}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tl := mustAlign(t, []*model.Capture{sampler(1, "gpu.csv", model.DomainCivil, c.stamps...), c.log}, c.decl, Options{})
			m := tl.Captures[0].Mappings[0]
			ranges := m.Ranges
			if m.Placed {
				ranges = []model.OffsetRange{m.Segments[0].Offset}
			}
			for _, want := range c.want {
				if !slices.ContainsFunc(ranges, func(o model.OffsetRange) bool { return o.Lo <= want && want <= o.Hi }) {
					t.Errorf("%v is in none of %v (%s)", want, ranges, m.Status)
				}
			}
			if m.Placed && m.Status == model.ClockExact && ranges[0].Lo != ranges[0].Hi {
				t.Errorf("exact, and %v wide", ranges[0].Hi-ranges[0].Lo)
			}
		})
	}
}

// Steps are compared where the log has one clock with one offset: not where its stamps
// go back, nor where its zone changes within it.
func TestStepsNeedOneOffset(t *testing.T) {
	steps := func(kind model.DomainKind, zone string, stamps ...model.ClockTime) *model.Constraint {
		l := logged(1, "app.log", kind, stamps...)
		for j := range l.Domains {
			l.Domains[j].Notes = []model.Phrase{model.Say("the clock goes back")}
		}
		rows := l.Marks.(model.MarkRows)
		for i := range rows {
			rows[i].Step = model.Known(int64(i))
		}
		tr := traced(2, "rank0.json", model.DomainRelative, 0, "step")
		tr.Trace = &model.TraceFacts{}
		for n := range int64(4) {
			at := model.ClockTime(n) * model.ClockTime(10*time.Second)
			tr.Trace.Steps = append(tr.Trace.Steps, model.TraceStep{N: model.Known(n), At: model.Interval[model.ClockTime]{Start: at, End: at + model.ClockTime(10*time.Second)}})
		}
		return constraintOf(mustAlign(t, []*model.Capture{l, tr}, nil, Options{Zone: zone}), "step_markers")
	}
	march := time.Date(2026, 3, 29, 1, 0, 0, 0, time.UTC)
	rising := every(march, 0, 100, 10)
	for _, c := range []struct {
		name string
		got  *model.Constraint
		says bool
	}{
		{"one clock", steps(model.DomainUnix, "", rising...), true},
		{"two pieces", steps(model.DomainUnix, "", append(rising, every(march, 50, 150, 10)...)...), false},
		{"a zone that does not change", steps(model.DomainCivil, "Asia/Seoul", rising...), true},
		{"a zone that does", steps(model.DomainCivil, "Europe/Berlin", append(every(march.Add(time.Hour), -60, -10, 10), every(march.Add(2*time.Hour), 0, 50, 10)...)...), false},
	} {
		if c.got == nil || len(c.got.Allowed) > 0 != c.says {
			t.Errorf("%s: %+v", c.name, c.got)
		}
	}
}
