package report

import (
	"testing"
	"time"

	"tracemerge/model"
)

func TestResidual(t *testing.T) {
	placed := func(o time.Duration) Clock {
		return Clock{Mapping: model.Mapping{Placed: true, Segments: []model.Segment{{Offset: model.OffsetRange{Estimate: o}}}}}
	}
	two := placed(5)
	two.Mapping.Segments = append(two.Mapping.Segments, model.Segment{})
	run := Run{Sources: []Source{
		{Source: model.Source{ID: 1}, Clocks: []Clock{placed(100), {Mapping: model.Mapping{Ranges: []model.OffsetRange{{Estimate: 7}}}}}},
		{Source: model.Source{ID: 2}, Clocks: []Clock{placed(40), {}, two}},
	}}
	ref := func(s model.SourceID, d model.DomainID) model.ClockRef { return model.ClockRef{Source: s, Domain: d} }
	between := func(ends ...time.Duration) (out []model.Range[time.Duration]) {
		for i := 0; i < len(ends); i += 2 {
			out = append(out, model.Range[time.Duration]{Lo: ends[i], Hi: ends[i+1]})
		}
		return out
	}
	missing := model.Missing[time.Duration]
	for name, test := range map[string]struct {
		a, b    model.ClockRef
		allowed []model.Range[time.Duration]
		want    model.Maybe[time.Duration]
	}{
		"holds":                     {ref(1, 0), ref(2, 0), between(50, 60), model.Known(time.Duration(0))},
		"above":                     {ref(1, 0), ref(2, 0), between(50, 57), model.Known(time.Duration(3))},
		"below":                     {ref(1, 0), ref(2, 0), between(65, 70), model.Known(time.Duration(5))},
		"the nearer of two":         {ref(1, 0), ref(2, 0), between(0, 50, 64, 90), model.Known(time.Duration(4))},
		"open below":                {ref(1, 0), ref(2, 0), between(model.OpenLow, 58), model.Known(time.Duration(2))},
		"open above":                {ref(1, 0), ref(2, 0), between(10, model.OpenHigh), model.Known(time.Duration(0))},
		"against the reference":     {ref(1, 0), model.ClockRef{}, between(0, 99), model.Known(time.Duration(1))},
		"bounded and not placed":    {ref(1, 1), model.ClockRef{}, between(0, 9), model.Known(time.Duration(0))},
		"no offset":                 {ref(2, 1), model.ClockRef{}, between(0, 9), missing(model.ClockUnplaced)},
		"several offsets":           {model.ClockRef{}, ref(2, 2), between(0, 9), missing(model.NotComputable)},
		"a clock that is not there": {ref(3, 0), model.ClockRef{}, between(0, 9), missing(model.ClockUnplaced)},
		"nothing allowed":           {ref(1, 0), ref(2, 0), nil, missing(model.NotApplicable)},
	} {
		if got := run.Residual(&model.Constraint{A: test.a, B: test.b, Allowed: test.allowed}); got != test.want {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}
