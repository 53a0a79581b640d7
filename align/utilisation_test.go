package align

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tracemerge/model"
)

// working is a trace of one device, absolute, with kernels at the given times after
// base.
func working(id model.SourceID, name string, base int64, busy model.Set[model.ClockTime]) *model.Capture {
	c := &model.Capture{Source: model.Source{ID: id, Kind: model.KindTrace, File: model.NewText(name, model.ClassFile)}, Trace: &model.TraceFacts{},
		Tracks: []model.Track{{Kind: model.TrackDevice, Parent: model.NoTrack}}, Names: []model.Raw{model.NewRaw("gemm")}}
	var rows model.SpanRows
	for i := range busy.All() {
		rows = append(rows, model.Span{At: model.Interval[model.ClockTime]{Start: i.Start + model.ClockTime(base), End: i.End + model.ClockTime(base)}, Kind: model.SpanKernel, Link: model.NoLink})
	}
	c.Spans = rows
	c.Window = model.Interval[model.ClockTime]{Start: rows[0].At.Start, End: rows[len(rows)-1].At.End}
	c.Domains = []model.Domain{{Kind: model.DomainUnix, Step: time.Nanosecond, Valid: c.Window}}
	return c
}

// A sampler of 100 minutes, in truth in Seoul, meets a trace of half a minute with
// several offsets. Kernels tell which it is, where the sampled device is traced, and
// only if every trace can be compared; where another is, nothing is excluded.
func TestUtilizationRefutesOffsets(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	base := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC).UnixNano()
	const east = 9 * time.Hour
	random := func() model.Set[model.ClockTime] {
		var b model.SetBuilder[model.ClockTime]
		for at := -3600.; at < 3600; at += 3 * r.ExpFloat64() {
			end := at + 3*r.ExpFloat64()
			b.Add(model.Interval[model.ClockTime]{Start: model.ClockTime(at * 1e9), End: model.ClockTime(end * 1e9)})
			at = end
		}
		return b.Set()
	}
	traced := model.Interval[model.ClockTime]{Start: 0, End: 40e9}
	for range 5 {
		own, other := random(), random()
		stamps := []model.ClockTime{}
		for at := int64(-3000); at <= 3000; at++ {
			stamps = append(stamps, model.ClockTime(base+at*1e9+int64(east)))
		}
		for _, c := range []struct {
			name   string
			traces []*model.Capture
			placed bool
		}{
			{"the sampled device is traced", []*model.Capture{working(1, "a", base, own.Within(traced))}, true},
			{"and another one too", []*model.Capture{working(1, "a", base, own.Within(traced)), working(2, "b", base, other.Within(traced))}, true},
			{"another one is", []*model.Capture{working(1, "a", base, other.Within(traced))}, false},
			{"one trace is short", []*model.Capture{working(1, "a", base, other.Within(traced)), working(2, "b", base, model.NewSet(model.Interval[model.ClockTime]{Start: 0, End: 3e9}))}, false},
		} {
			s := sampler(9, "gpu.csv", model.DomainCivil, stamps...)
			rows := s.Samples.(model.SampleRows)
			for i := range rows {
				end := rows[i].At - model.ClockTime(base) - model.ClockTime(east)
				share := own.Within(model.Interval[model.ClockTime]{Start: end - 1e9, End: end}).Len().Seconds()
				rows[i].Value = model.Known(math.Round(100 * share))
			}
			tl := mustAlign(t, append(c.traces, s), nil, Options{})
			m := tl.Captures[len(c.traces)].Mappings[0]
			truth := slices.ContainsFunc(m.Ranges, func(o model.OffsetRange) bool { return o.Lo <= -east && -east <= o.Hi })
			if m.Placed != c.placed || !truth {
				t.Errorf("%s: placed %v, %v", c.name, m.Placed, m.Ranges)
			}
			if k := constraintOf(tl, "utilisation_signal"); k == nil || c.placed != (len(k.Allowed) > 0) || c.placed != k.Assumed {
				t.Errorf("%s: %+v", c.name, k)
			}
		}
	}
}
