package align

import (
	"context"
	"testing"
	"time"

	"tracemerge/model"
)

// dayRun is a log in UTC from 01:00:00 to 01:02:00 on 4 May 2026, for so many days,
// and a file with times of day.
func dayRun(days int, of model.Domain) []*model.Capture {
	start := time.Date(2026, 5, 4, 1, 0, 0, 0, time.UTC).UnixNano()
	end := start + int64(2*time.Minute) + int64(days-1)*int64(24*time.Hour)
	log := &model.Capture{Source: model.Source{ID: 1, Kind: model.KindLog, File: model.NewText("app.log", model.ClassFile)},
		Domains: []model.Domain{{Kind: model.DomainUnix, Step: time.Millisecond, Valid: model.Interval[model.ClockTime]{Start: model.ClockTime(start), End: model.ClockTime(end)}}}}
	host := &model.Capture{Source: model.Source{ID: 2, Kind: model.KindHost, File: model.NewText("pidstat.txt", model.ClassFile)}, Domains: []model.Domain{of}}
	return []*model.Capture{log, host}
}

func ofDay(from, to time.Duration, days ...time.Time) model.Domain {
	d := model.Domain{Kind: model.DomainDay, Step: time.Second, Valid: model.Interval[model.ClockTime]{Start: model.ClockTime(from), End: model.ClockTime(to)}}
	for _, x := range days {
		d.Days = append(d.Days, model.ClockTime(x.UnixNano()))
	}
	return d
}

func TestTimesOfDay(t *testing.T) {
	may4, april5 := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC), time.Date(2026, 4, 5, 0, 0, 0, 0, time.UTC)
	morning := 10 * time.Hour // in Seoul, 01:00 UTC
	for _, c := range []struct {
		name   string
		days   int
		of     model.Domain
		zone   string
		placed bool
		others int
	}{
		{"the one of two days on which it meets the log", 1, ofDay(morning, morning+time.Minute, april5, may4), "Asia/Seoul", true, 0},
		{"any day is possible and one meets the log", 1, ofDay(morning, morning+time.Minute), "Asia/Seoul", true, 0},
		{"no zone is declared", 1, ofDay(morning, morning+time.Minute, may4), "", false, 0},
		{"it meets the log on no day", 1, ofDay(20*time.Hour, 20*time.Hour+time.Minute), "Asia/Seoul", false, 0},
		{"neither of two days meets it", 1, ofDay(morning, morning+time.Minute, april5), "Asia/Seoul", false, 0},
		{"it meets a long run on several days", 3, ofDay(morning, morning+time.Minute), "Asia/Seoul", false, 3},
		{"over midnight", 1, ofDay(25*time.Hour, 25*time.Hour+time.Minute, may4.AddDate(0, 0, -1)), "UTC", true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			tl, err := Align(context.Background(), dayRun(c.days, c.of), nil, Options{Zone: c.zone})
			if err != nil {
				t.Fatal(err)
			}
			m := tl.Captures[1].Mappings[0]
			if m.Placed != c.placed || len(m.Other) != c.others {
				t.Fatalf("placed %v with %d other days, want %v, %d", m.Placed, len(m.Other), c.placed, c.others)
			}
			if !c.placed {
				return
			}
			at, width, ok := m.Place(c.of.Valid.Start)
			if want := time.Date(2026, 5, 4, 1, 0, 0, 0, time.UTC).UnixNano(); !ok || int64(at) != want || width != 0 || m.Method != model.MethodDay {
				t.Errorf("got %v ± %v by %s, want %v", at.UTC(), width, m.Method, time.Unix(0, want).UTC())
			}
		})
	}
}

// That files of one run meet is assumed, and --strict-clock uses no assumption.
func TestStrictClockTakesNoDay(t *testing.T) {
	tl, err := Align(context.Background(), dayRun(1, ofDay(10*time.Hour, 10*time.Hour+time.Minute)), nil, Options{Zone: "Asia/Seoul", StrictClock: true})
	if err != nil {
		t.Fatal(err)
	}
	if m := tl.Captures[1].Mappings[0]; m.Placed || len(m.Other) != 1 || m.Other[0] != time.Duration(time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC).UnixNano())-9*time.Hour {
		t.Errorf("placed %v, other %v; want the day named and not used", m.Placed, m.Other)
	}
}
