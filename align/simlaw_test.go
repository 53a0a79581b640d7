package align

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
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

// In runs whose hosts show the right time, but for clocks that are set back where they
// are recorded, every true offset is in what is stated: all of them.
func TestSimulatedRunsHoldTheTruth(t *testing.T) {
	y := tally{map[string]int{}, map[string][]time.Duration{}}
	bad := 0
	for seed := range runs(t, 1500) {
		s := newRun(uint64(seed))
		tl := s.align(t)
		y.take(tl)
		if w := s.wrong(tl); len(w) > 0 {
			if bad++; bad <= 10 {
				t.Errorf("run %d: %v", seed, w)
			}
		}
	}
	t.Logf("%d wrong", bad)
	y.log(t)
}
