package align

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"tracemerge/model"
)

func constraintOf(tl *model.Timeline, rule string) *model.Constraint {
	for i := range tl.Clocks.Constraints {
		if tl.Clocks.Constraints[i].Rule == rule {
			return &tl.Clocks.Constraints[i]
		}
	}
	return nil
}

// A sampler of so many minutes without a zone, in truth in Seoul, and a log in UTC
// that begins with it and is as long.
func seoul(minutes int, logMinutes int) []*model.Capture {
	start := time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
	var stamps []model.ClockTime
	for m := range minutes + 1 {
		stamps = append(stamps, model.ClockTime(start.Add(time.Duration(m)*time.Minute).UnixNano()))
	}
	utcStart := start.Add(-9 * time.Hour)
	return []*model.Capture{sampler(1, "gpu.csv", model.DomainCivil, stamps...),
		logged(2, "app.log", model.DomainUnix, model.ClockTime(utcStart.UnixNano()), model.ClockTime(utcStart.Add(time.Duration(logMinutes)*time.Minute).UnixNano()))}
}

func TestZoneIsInferredWhereOneIsLeft(t *testing.T) {
	east := -9 * time.Hour
	for _, c := range []struct {
		name    string
		minutes int
		strict  bool
		placed  bool
		status  model.ClockStatus
	}{
		{"ten minutes: one offset meets the log", 10, false, true, model.ClockExact},
		{"ten hours: several do", 600, false, false, model.ClockAmbiguous},
		{"strict: that they are one run is an assumption", 10, true, false, model.ClockAmbiguous},
	} {
		t.Run(c.name, func(t *testing.T) {
			tl := mustAlign(t, seoul(c.minutes, c.minutes), nil, Options{StrictClock: c.strict})
			m := tl.Captures[0].Mappings[0]
			if m.Placed != c.placed || m.Status != c.status {
				t.Fatalf("placed %v, %s, want %v, %s", m.Placed, m.Status, c.placed, c.status)
			}
			truth := false
			for _, r := range m.Ranges {
				truth = truth || r.Lo <= east && east <= r.Hi
			}
			if !truth {
				t.Errorf("the truth is in none of %v", m.Ranges)
			}
			if c.status == model.ClockAmbiguous && (len(m.Other) < 2 || !slices.Contains(m.Other, east) || len(tl.Clocks.Tighten) == 0) {
				t.Errorf("listed %v, want several with %v, and what would decide", m.Other, east)
			}
			if z := constraintOf(tl, "zone_in_force"); z == nil || z.Use != model.ConstraintTight || len(z.Allowed) < 30 {
				t.Errorf("zone constraint: %+v", z)
			}
			if r := constraintOf(tl, "same_run"); r == nil || !r.Assumed {
				t.Errorf("the assumption of one run is not listed: %+v", r)
			}
		})
	}
}

// A log that misses the short trace, but meets the sampler that meets it.
func TestAFileMayMeetTheOthersThroughOne(t *testing.T) {
	caps := seoul(20, 1) // the sampler for twenty minutes, and one minute of a source in UTC
	later := time.Date(2026, 5, 4, 9, 15, 0, 0, time.UTC)
	caps = append(caps, logged(3, "second.log", model.DomainCivil, model.ClockTime(later.UnixNano()), model.ClockTime(later.Add(time.Minute).UnixNano())))
	tl := mustAlign(t, caps, nil, Options{})
	if m := tl.Captures[0].Mappings[0]; !m.Placed {
		t.Errorf("the sampler: %s, %v", m.Status, m.Ranges)
	}
	m := tl.Captures[2].Mappings[0]
	truth := false
	for _, r := range m.Ranges {
		truth = truth || r.Lo <= -9*time.Hour && -9*time.Hour <= r.Hi
	}
	if !truth {
		t.Errorf("the log: %s, %v does not hold the truth", m.Status, m.Ranges)
	}
}

// ranksOf makes traces of ranks that meet in the same collectives, each with its
// own clock; those in relative count from an unknown start.
func ranksOf(r *rand.Rand, offsets []time.Duration, relative []bool) []*model.Capture {
	base := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC).UnixNano()
	caps := make([]*model.Capture, len(offsets))
	rows := make([]model.SpanRows, len(offsets))
	at := base
	for range 30 {
		entered := make([]int64, len(offsets))
		last := int64(0)
		for i := range offsets {
			entered[i] = at + r.Int64N(int64(20*time.Millisecond))
			last = max(last, entered[i])
		}
		end := last + int64(time.Millisecond)
		for i, off := range offsets {
			rows[i] = append(rows[i], model.Span{At: model.Interval[model.ClockTime]{Start: model.ClockTime(entered[i] + int64(off)), End: model.ClockTime(end + r.Int64N(50_000) + int64(off))},
				Kind: model.SpanCommunication, Link: model.NoLink})
		}
		at = end + int64(50*time.Millisecond)
	}
	for i := range offsets {
		kind := model.DomainUnix
		if relative[i] {
			kind = model.DomainRelative
		}
		valid := model.Interval[model.ClockTime]{Start: rows[i][0].At.Start, End: rows[i][29].At.End}
		caps[i] = &model.Capture{Source: model.Source{ID: model.SourceID(i + 1), Kind: model.KindTrace, File: model.NewText("rank"+strconv.Itoa(i)+".json", model.ClassFile)},
			Domains: []model.Domain{{Kind: kind, Step: time.Nanosecond, Valid: valid}}, Window: valid, Trace: &model.TraceFacts{},
			Tracks: []model.Track{{Kind: model.TrackStream}}, Names: []model.Raw{model.NewRaw("ncclDevKernel_AllReduce_Sum_f32_RING_LL")}, Spans: rows[i]}
	}
	return caps
}

// A rank that counts from an unknown start is placed by the collectives that it
// shares; the truth is inside.
func TestCollectivesPlaceARank(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	width := time.Duration(0)
	for range 100 {
		off := -time.Duration(time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC).UnixNano()) + time.Duration(r.Int64N(int64(time.Hour)))
		tl := mustAlign(t, ranksOf(r, []time.Duration{0, off, 0}, []bool{false, true, false}), nil, Options{})
		m := tl.Captures[1].Mappings[0]
		if !m.Placed || m.Method != model.MethodEvidence || m.Status != model.ClockBounded {
			t.Fatalf("placed %v by %s, %s", m.Placed, m.Method, m.Status)
		}
		o := m.Segments[0].Offset
		if -off < o.Lo || -off > o.Hi {
			t.Fatalf("%v is not in %v", -off, o)
		}
		width = max(width, o.Hi-o.Lo)
	}
	if width > 50*time.Millisecond {
		t.Errorf("widths up to %v", width)
	}
}

func TestCollectivesCheckClocks(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, c := range []struct {
		off  time.Duration
		want model.ConstraintUse
	}{{0, model.ConstraintAgrees}, {time.Second, model.ConstraintContradicted}} {
		tl := mustAlign(t, ranksOf(r, []time.Duration{0, c.off}, []bool{false, false}), nil, Options{})
		if k := constraintOf(tl, "collectives"); k == nil || k.Use != c.want {
			t.Errorf("a rank that is off by %v: %+v, want %s", c.off, k, c.want)
		}
	}
}

// Renaming and reordering the files changes nothing but the numbers of the sources.
func TestOrderOfFilesChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	off := []time.Duration{0, -time.Duration(time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC).UnixNano()), 3 * time.Millisecond}
	caps := ranksOf(r, off, []bool{false, true, false})
	first := mustAlign(t, caps, nil, Options{})
	turned := []*model.Capture{caps[2], caps[0], caps[1]}
	for i, c := range turned {
		c.Source.ID = model.SourceID(i + 1)
		for j := range c.Domains {
			c.Domains[j].From.Source = c.Source.ID
		}
	}
	second := mustAlign(t, turned, nil, Options{})
	if a, b := first.Captures[1].Mappings[0], second.Captures[2].Mappings[0]; a.Status != b.Status || a.Placed != b.Placed || !slices.Equal(a.Ranges, b.Ranges) {
		t.Errorf("%s %v, in another order %s %v", a.Status, a.Ranges, b.Status, b.Ranges)
	}
}

func TestExportTimeInANameBoundsATrace(t *testing.T) {
	for name, want := range map[string]bool{"worker0.1623143089861.pt.trace.json.gz": true, "a/host_42.1730000000123456789.pt.trace.json": true,
		"rank0.json": false, "1623143089861.csv": false, "w.162314308986.pt.trace.json": false} {
		if _, ok := exportTime(name); ok != want {
			t.Errorf("%s: %v, want %v", name, ok, want)
		}
	}
}

// The name that the profiler gave the file counts before the one that it has now.
func TestTheNameThatTheProfilerGave(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	caps := stepped(r, 0, 0, false)
	caps[1].Trace.WrittenAs = model.NewText("/log/worker0.1623143089861.pt.trace.json", model.ClassPath)
	caps[1].Trace.WrittenFrom = model.Pos{Source: 2, Offset: 77}
	k := constraintOf(mustAlign(t, caps, nil, Options{}), "export_time")
	if k == nil || len(k.From) != 1 || k.From[0].Offset != 77 || k.Use != model.ConstraintContradicted { // the trace is of 2026, the name of 2021
		t.Errorf("got %+v", k)
	}
}

// Clocks that drift so slowly that one offset lets all collectives meet: what is
// stated still holds every value that the offset had.
func TestDriftThatOneOffsetHidesIsInside(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, ppm := range []int64{0, 1, -2, 5, -5, 20} {
		caps := ranksOf(r, []time.Duration{0, 0}, []bool{false, true})
		gained := drift(caps, 10*time.Second, ppm)
		k := constraintOf(mustAlign(t, caps, nil, Options{}), "collectives")
		if k == nil || len(k.Allowed) != 1 {
			t.Fatalf("%d ppm: %+v", ppm, k)
		}
		if lo, hi := k.Allowed[0].Lo, k.Allowed[0].Hi; lo > min(0, gained) || hi < max(0, gained) {
			t.Errorf("%d ppm: %v does not hold 0 and %v", ppm, k.Allowed[0], gained)
		}
	}
}

// drift sets the collectives of two ranks so far apart, on clocks of which the second
// gains so much; it returns what offset(rank 0) - offset(rank 1) gains in all.
func drift(caps []*model.Capture, every time.Duration, ppm int64) time.Duration {
	for k, c := range caps {
		s := c.Spans.(model.SpanRows)
		for i := range s {
			by := model.ClockTime(i) * model.ClockTime(every)
			by += model.ClockTime(k) * by * model.ClockTime(ppm) / 1_000_000
			s[i].At.Start += by
			s[i].At.End += by
		}
		c.Domains[0].Valid.End, c.Window.End = s[29].At.End, s[29].At.End
	}
	return 29 * every * time.Duration(ppm) / 1_000_000
}

// A rank whose clock drifts is bounded by all values that its offset has; one that
// drifts faster than clocks do fits nothing.
func TestCollectivesOfADriftingRank(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, c := range []struct {
		ppm  int64
		want bool
	}{{50, true}, {-80, true}, {2000, false}} {
		caps := ranksOf(r, []time.Duration{0, 0}, []bool{false, true})
		gained := drift(caps, time.Minute, c.ppm) // as in a run of half an hour
		k := constraintOf(mustAlign(t, caps, nil, Options{}), "collectives")
		if k == nil || (len(k.Allowed) > 0) != c.want {
			t.Fatalf("%d ppm: %+v", c.ppm, k)
		}
		if !c.want {
			continue
		}
		if lo, hi := k.Allowed[0].Lo, k.Allowed[0].Hi; lo > min(0, gained) || hi < max(0, gained) {
			t.Errorf("%d ppm: %v does not hold 0 and %v", c.ppm, k.Allowed[0], gained)
		}
	}
}

// More combinations than are tried are said, and leave the truth inside.
func TestTooManyCombinationsAreSaid(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var caps []*model.Capture
	for i := range 6 {
		pair := stepped(r, 0, 0, false)
		pair[1].Domains[0].Kind = model.DomainCivil
		pair[1].Source.ID = model.SourceID(2 + i)
		caps = append(caps, pair[1])
		if i == 0 {
			pair[0].Domains[0].Kind = model.DomainCivil
			caps = append(caps, pair[0])
		}
	}
	placed := stepped(r, 0, 0, false)[0]
	placed.Source.ID, placed.Marks = 9, nil
	tl := mustAlign(t, append(caps, placed), nil, Options{})
	said := slices.Contains(codes(tl), "align/too-many-combinations")
	if !said {
		t.Fatalf("nothing is said: %+v", tl.Clocks.Constraints)
	}
}
