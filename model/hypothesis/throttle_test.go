package hypothesis

import (
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// Steps of the second half take slow times the usual second; a sampler of the
// throttle reasons states a slowdown there.
func throttledHalf(slow time.Duration) (*report.Run, *model.Timeline) {
	run := staged(nil)
	w := report.Waterfall{Basis: report.Basis{Placed: true}, By: "step"}
	var values []float64
	at := model.Time(0)
	for i := range 40 {
		d := time.Second + time.Duration(i%20)*time.Millisecond
		if i >= 20 {
			d *= slow
		}
		w.Spans = append(w.Spans, model.Interval[model.Time]{Start: at, End: at + model.Time(d)})
		at += model.Time(d)
	}
	run.Waterfalls = []report.Waterfall{w}
	for t := model.Time(0); t < at; t += second / 2 {
		v := 0.0
		if t >= w.Spans[20].Start {
			v = 4
		}
		values = append(values, v)
	}
	tl := throttleTimeline("clocks_event_reasons.active", values...)
	c := tl.Captures[0].Capture
	rows := c.Samples.(model.SampleRows)
	for i := range rows {
		rows[i].At = model.ClockTime(i) * model.ClockTime(second/2)
	}
	whole := model.Interval[model.ClockTime]{Start: -1 << 60, End: 1 << 60}
	c.Domains = []model.Domain{{Kind: model.DomainUnix}}
	tl.Captures[0].Mappings = []model.Mapping{{Placed: true, Segments: []model.Segment{{Valid: whole}}}}
	return run, tl
}

func TestSlowdownIsSetAgainstTheStepsTimes(t *testing.T) {
	for _, c := range []struct {
		name          string
		slow          time.Duration
		pro, con, not int
		want          report.State
	}{
		{"steps with a slowdown took twice as long", 2, 2, 0, 0, report.Supported},
		{"steps with a slowdown took as long", 1, 1, 1, 0, report.NotSupported},
	} {
		run, tl := throttledHalf(c.slow)
		h := state(t, run, tl, "throttled")
		if h.State != c.want || len(h.Supports) != c.pro || len(h.Against) != c.con || len(h.Missing) != c.not {
			t.Errorf("%s: %s with %d for, %d against, %d missing; want %s, %d, %d, %d", c.name, h.State, len(h.Supports), len(h.Against), len(h.Missing), c.want, c.pro, c.con, c.not)
		}
	}
}
