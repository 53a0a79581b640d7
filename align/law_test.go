package align

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tracemerge/model"
)

func TestShiftingStampsAgainstTheOffsetChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		base := civil(t, "2026-05-04T09:00:00.000")
		var stamps []model.ClockTime
		at := base
		for range 1 + r.IntN(8) {
			at += model.ClockTime(r.Int64N(int64(3*time.Second)) - int64(time.Second/2))
			stamps = append(stamps, at)
		}
		kind := []model.DomainKind{model.DomainUnix, model.DomainCivil, model.DomainRelative}[r.IntN(3)]
		by := time.Duration(r.Int64N(int64(time.Hour)))
		off, within := time.Duration(r.Int64N(int64(time.Hour))), time.Duration(r.Int64N(int64(time.Second)))
		run := func(shift, extra time.Duration) (at []model.Time, width []time.Duration) {
			moved := slices.Clone(stamps)
			for i := range moved {
				moved[i] += model.ClockTime(shift)
			}
			tl := mustAlign(t, []*model.Capture{sampler(1, "g", kind, moved...)}, &model.Declaration{Clocks: []model.DeclaredClock{clockFor("g", "", off-shift, within+extra)}}, Options{})
			at, width, _ = placed(tl.Captures[0])
			return at, width
		}
		at0, w0 := run(0, 0)
		at1, w1 := run(by, 0)
		if !slices.Equal(at0, at1) || !slices.Equal(w0, w1) {
			t.Fatalf("shift by %v: got %v ± %v, want %v ± %v", by, at1, w1, at0, w0)
		}
		_, w2 := run(0, time.Duration(r.Int64N(int64(time.Second))))
		for i := range w0 {
			if w2[i] < w0[i] {
				t.Fatalf("more uncertainty shrank a width: %v < %v", w2[i], w0[i])
			}
		}
	}
}

func TestPlacingIsMonotoneAndInvertsTheZone(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, name := range witnesses {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 40 {
			start := time.Date(2015+r.IntN(15), time.Month(1+r.IntN(12)), 1+r.IntN(28), r.IntN(24), r.IntN(60), 0, 0, time.UTC)
			var truth []model.Time
			var stamps []model.ClockTime
			step := time.Duration(1 + r.Int64N(int64(90*time.Minute)))
			for i := range 60 {
				at := start.Add(time.Duration(i) * step)
				_, sec := at.In(loc).Zone()
				truth = append(truth, model.Time(at.UnixNano()))
				stamps = append(stamps, model.ClockTime(at.UnixNano()+int64(sec)*1e9))
			}
			tl := mustAlign(t, []*model.Capture{sampler(1, "g", model.DomainCivil, stamps...)}, nil, Options{Zone: name})
			p := tl.Captures[0]
			i := 0
			eachReading(p.Capture, func(d model.DomainID, c model.ClockTime, _ model.Pos) {
				at, w, ok := p.At(d, c)
				if !ok || at+model.Time(w) < truth[i] || at-model.Time(w) > truth[i] {
					t.Fatalf("%s %v: got %v ± %v (%v), want %v inside", name, stamps[i], at.UTC(), w, ok, truth[i].UTC())
				}
				i++
			})
			for _, m := range p.Mappings {
				for k, s := range m.Segments {
					if s.Valid.Empty() || k > 0 && s.Valid.Start < m.Segments[k-1].Valid.End {
						t.Fatalf("%s: segments overlap or are empty: %v", name, m.Segments)
					}
					if o := s.Offset; o.Lo > o.Estimate || o.Estimate > o.Hi {
						t.Fatalf("%s: estimate outside its interval: %v", name, o)
					}
				}
			}
		}
	}
}
