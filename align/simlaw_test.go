package align

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tracemerge/model"
)

// runs is how many runs are simulated: as many as fit into a test, or what
// TRACEMERGE_SIM_RUNS states.
func runs(t *testing.T, usual int) int {
	if n, err := strconv.Atoi(os.Getenv("TRACEMERGE_SIM_RUNS")); err == nil && n > 0 {
		return n
	}
	return usual
}

func (s *simRun) align(t *testing.T) *model.Timeline {
	return mustAlign(t, s.caps, &s.decl, s.opt)
}

// wrong lists the files whose true offsets are not in what is stated of their clocks.
func (s *simRun) wrong(tl *model.Timeline) []string {
	var out []string
	for i, p := range tl.Captures {
		for _, known := range s.truth[i] {
			m := &p.Mappings[known.domain]
			if !s.holds(tl, m, known) {
				out = append(out, fmt.Sprintf("%s, clock %d (%s, %s): the offset at %d is %d ns, stated is %v %v",
					p.Source.File.Raw.Reveal(), known.domain, m.Method, m.Status, known.raw, known.off, m.Segments, m.Ranges))
				break
			}
		}
	}
	return out
}

// holds reports whether the offset of one reading is in what is stated.
func (s *simRun) holds(tl *model.Timeline, m *model.Mapping, known simReading) bool {
	axes := []time.Duration{0}
	if !tl.UTC {
		axes = nil
		for i, p := range tl.Captures {
			if p.Source.ID == tl.Reference {
				for _, t := range s.truth[i] {
					axes = append(axes, t.off)
				}
			}
		}
		slices.Sort(axes)
		axes = slices.Compact(axes)
	}
	in := func(o model.OffsetRange) bool {
		return slices.ContainsFunc(axes, func(a time.Duration) bool { return o.Lo <= known.off-a && known.off-a <= o.Hi })
	}
	if !m.Placed {
		return len(m.Ranges) == 0 || slices.ContainsFunc(m.Ranges, in)
	}
	for _, g := range m.Segments {
		if g.Valid.Contains(known.raw) {
			return in(g.Offset)
		}
	}
	return false
}

// A tally counts what became of the clocks of many runs.
type tally struct {
	n      map[string]int
	widths map[string][]time.Duration
}

func (y *tally) take(tl *model.Timeline) {
	for _, p := range tl.Captures {
		for j, m := range p.Mappings {
			what := fmt.Sprintf("%s: %s, %s", p.Domains[j].Kind, m.Method, m.Status)
			y.n[what]++
			if m.Placed && m.Status == model.ClockBounded {
				for _, g := range m.Segments {
					y.widths[what] = append(y.widths[what], g.Offset.Hi-g.Offset.Lo)
				}
			}
		}
	}
}

func (y *tally) log(t *testing.T) {
	var names []string
	for what := range y.n {
		names = append(names, what)
	}
	slices.Sort(names)
	for _, what := range names {
		w := y.widths[what]
		slices.SortFunc(w, cmp.Compare)
		if len(w) == 0 {
			t.Logf("%6d  %s", y.n[what], what)
			continue
		}
		t.Logf("%6d  %s; width: half up to %v, all up to %v", y.n[what], what, w[len(w)/2], w[len(w)-1])
	}
}

// exact lists the clocks that are called exact and are not.
func exact(tl *model.Timeline) []string {
	var out []string
	for _, p := range tl.Captures {
		for j, m := range p.Mappings {
			for _, g := range m.Segments {
				if m.Status == model.ClockExact && g.Offset.Hi-g.Offset.Lo > p.Domains[j].Step {
					out = append(out, fmt.Sprintf("%s is exact to %v", p.Source.File.Raw.Reveal(), g.Offset))
				}
			}
		}
	}
	return out
}

// In runs whose hosts show the right time, but for clocks that are set back where they
// are recorded, every true offset is in what is stated: all of them.
func TestSimulatedRunsHoldTheTruth(t *testing.T) {
	y := tally{map[string]int{}, map[string][]time.Duration{}}
	bad := 0
	for seed := range runs(t, 1500) {
		s := newRun(uint64(seed), nil)
		tl := s.align(t)
		y.take(tl)
		if w := append(s.wrong(tl), exact(tl)...); len(w) > 0 {
			if bad++; bad <= 10 {
				t.Errorf("run %d: %v", seed, w)
			}
		}
	}
	t.Logf("%d wrong", bad)
	y.log(t)
}

// declares reports whether run.yaml states an offset of a file.
func (s *simRun) declares(c *model.Capture) bool {
	return slices.ContainsFunc(s.decl.Clocks, func(d model.DeclaredClock) bool { return d.File == c.Source.File.Raw && d.HasOffset })
}

// known counts the files of whose clocks anything is stated: one alone is compared with
// nothing.
func known(tl *model.Timeline) int {
	n := 0
	for _, p := range tl.Captures {
		if p.OnTimeline() || slices.ContainsFunc(p.Mappings, func(m model.Mapping) bool { return len(m.Ranges) > 0 }) {
			n++
		}
	}
	return n
}

// Hosts whose clocks are off by minutes and drift: what is declared holds the truth, and
// so does what rests on nothing but declarations; anything else is placed with the
// assumption that the clocks of hosts agree, and says so.
func TestSimulatedHostsHoldTheTruthOrSayWhatTheyAssume(t *testing.T) {
	sound, assumed, bad := 0, 0, 0
	for seed := range runs(t, 700) {
		s := newRun(uint64(seed), func(s *simRun) { s.wander(); s.every = s.chance(2) })
		tl := s.align(t)
		rests := true // on declarations and right clocks only
		for i, c := range s.caps {
			h := s.hosts[s.on[i]]
			rests = rests && (c.Domains[0].Kind == model.DomainRelative || s.declares(c) || h == simHost{})
		}
		var wrong []string
		for _, w := range s.wrong(tl) {
			own := slices.ContainsFunc(s.caps, func(c *model.Capture) bool {
				return strings.HasPrefix(w, c.Source.File.Raw.Reveal()+",") && s.declares(c)
			})
			said := slices.Contains(codes(tl), "align/clocks-agree") || slices.Contains(codes(tl), "align/several-hosts")
			if rests || own || !said && known(tl) > 1 {
				wrong = append(wrong, w)
			} else {
				assumed++
			}
		}
		if rests {
			sound++
		}
		if len(wrong) > 0 {
			if bad++; bad <= 10 {
				t.Errorf("run %d (rests on declarations: %v): %v", seed, rests, wrong)
			}
		}
	}
	t.Logf("%d runs rest on declarations; in the others %d clocks are off by what is assumed; %d wrong", sound, assumed, bad)
}
