package align

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tracemerge/model"
)

// hosted is ranks that meet in collectives, each of the named host ("" if it states
// none) with the offset of that host's clock.
func hosted(r *rand.Rand, hosts []string, offsets map[string]time.Duration) []*model.Capture {
	off := make([]time.Duration, len(hosts))
	for i, h := range hosts {
		off[i] = offsets[h]
	}
	caps := ranksOf(r, off, make([]bool, len(hosts)))
	for i, h := range hosts {
		caps[i].Trace.Host = model.NewText(h, model.ClassHost)
	}
	return caps
}

func offsetOf(t *testing.T, m model.Mapping) model.OffsetRange {
	t.Helper()
	if !m.Placed || len(m.Segments) != 1 {
		t.Fatalf("not placed: %s, %v", m.Status, m.Ranges)
	}
	return m.Segments[0].Offset
}

// The clock of another host is bounded, with the truth inside, by collectives where
// there are any; traces of the reference's host, or of none, stay exact.
func TestClocksOfOtherHosts(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for _, skew := range []time.Duration{0, 7 * time.Millisecond, -30 * time.Millisecond, 3 * time.Second} {
		caps := hosted(r, []string{"node1.lan", "node2", "NODE1", "node2.lan", ""}, map[string]time.Duration{"node2": skew, "node2.lan": skew})
		tl := mustAlign(t, caps, nil, Options{})
		if !slices.Contains(codes(tl), "align/several-hosts") {
			t.Error("several hosts are not said")
		}
		if slices.Contains(codes(tl), "align/clocks-agree") || !slices.Contains(codes(tl), "align/reference-clock") {
			t.Error("the clocks are bounded, and said to agree")
		}
		for i, p := range tl.Captures {
			o := offsetOf(t, p.Mappings[0])
			other := i == 1 || i == 3
			switch truth := -skew; {
			case !other && o != model.OffsetRange{}:
				t.Errorf("rank %d: %v, want exact", i, o)
			case other && (o.Lo > truth || o.Hi < truth || o.Hi-o.Lo > 30*time.Millisecond || o.Lo == o.Hi):
				t.Errorf("rank %d, a clock that is off by %v: %v", i, skew, o)
			}
		}
		a, b := tl.Captures[1].Mappings[0].Segments[0].Offset, tl.Captures[3].Mappings[0].Segments[0].Offset
		if a != b {
			t.Errorf("two traces of one host: %v and %v", a, b)
		}
	}
}

// Without collectives the assumed bound is what is left; --host-skew states another,
// a declaration overrules it, and --strict-clock assumes nothing.
func TestHostSkewIsAnAssumption(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	alone := func() []*model.Capture {
		caps := hosted(r, []string{"a", "a", "b"}, nil)
		for i, c := range caps {
			rows := c.Spans.(model.SpanRows)
			for k := range rows {
				rows[k].Kind = model.SpanKernel
			}
			c.Source.File = model.NewText(string(rune('x'+i))+".json", model.ClassFile)
		}
		return caps
	}
	declared := &model.Declaration{Clocks: []model.DeclaredClock{{File: model.NewRaw("z.json"), HasOffset: true, Offset: time.Millisecond, Uncertainty: time.Microsecond}}}
	for _, c := range []struct {
		name   string
		decl   *model.Declaration
		opt    Options
		lo, hi time.Duration
		placed bool
	}{
		{"assumed", nil, Options{}, -DefaultHostSkew, DefaultHostSkew, true},
		{"by option", nil, Options{HasHostSkew: true, HostSkew: time.Second}, -time.Second, time.Second, true},
		{"no skew at all", nil, Options{HasHostSkew: true}, 0, 0, true},
		{"too much to compare instants", nil, Options{HasHostSkew: true, HostSkew: time.Minute}, 0, 0, false},
		{"strict", nil, Options{StrictClock: true}, 0, 0, false},
		{"declared", declared, Options{}, time.Millisecond - time.Microsecond, time.Millisecond + time.Microsecond, true},
	} {
		m := mustAlign(t, alone(), c.decl, c.opt).Captures[2].Mappings[0]
		if m.Placed != c.placed {
			t.Errorf("%s: placed %v", c.name, m.Placed)
			continue
		}
		if !c.placed {
			continue
		}
		if o := offsetOf(t, m); o.Lo != c.lo || o.Hi != c.hi {
			t.Errorf("%s: %v, want %v to %v", c.name, o, c.lo, c.hi)
		}
	}
}
