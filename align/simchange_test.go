package align

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"tracemerge/model"
)

// summary is what is stated of one file, without the words.
func summary(p model.Placed) string {
	out := ""
	for _, m := range p.Mappings {
		out += fmt.Sprintln(m.Placed, m.Method, m.Status, m.Why, m.Segments, m.Ranges, m.Other)
	}
	return out
}

// uses counts what became of the evidence, by rule.
func uses(tl *model.Timeline) map[string]int {
	out := map[string]int{}
	for _, c := range tl.Clocks.Constraints {
		out[c.Rule+" "+string(c.Use)]++
	}
	return out
}

// renamed is the run with its files in another order and under other names; order[k] is
// the index that the k-th file had.
func (s *simRun) renamed() (other *simRun, order []int) {
	other = &simRun{opt: s.opt}
	order = s.r.Perm(len(s.caps))
	names := map[model.Raw]model.Raw{}
	for k, i := range order {
		c := *s.caps[i]
		c.Source.ID = model.SourceID(k + 1)
		c.Domains = slices.Clone(c.Domains)
		for j := range c.Domains {
			c.Domains[j].From.Source = c.Source.ID
		}
		name := fmt.Sprintf("%c/%d.txt", 'a'+rune(s.r.IntN(26)), k)
		names[c.Source.File.Raw] = model.NewRaw(name)
		c.Source.File = model.NewText(name, model.ClassFile)
		other.caps = append(other.caps, &c)
	}
	for _, d := range s.decl.Clocks {
		d.File = names[d.File]
		other.decl.Clocks = append(other.decl.Clocks, d)
	}
	return other, order
}

func TestNamesAndOrderOfFilesChangeNothing(t *testing.T) {
	for seed := range runs(t, 200) {
		s := newRun(uint64(seed), nil)
		first := s.align(t)
		other, order := s.renamed()
		second := other.align(t)
		for k, i := range order {
			if a, b := summary(first.Captures[i]), summary(second.Captures[k]); a != b {
				t.Errorf("run %d, %s:\n%s in another order:\n%s", seed, s.caps[i].Source.File.Raw.Reveal(), a, b)
			}
		}
		if a, b := uses(first), uses(second); !maps.Equal(a, b) {
			t.Errorf("run %d: %v, in another order %v", seed, a, b)
		}
	}
}

// Beside what is stated or declared, --strict-clock takes markers, which are certain by
// causality; without any it places nothing by evidence.
func TestStrictClockPlacesOnlyWhatIsStatedOrDeclared(t *testing.T) {
	for seed := range runs(t, 200) {
		s := newRun(uint64(seed), nil)
		s.opt.StrictClock = true
		tl := s.align(t)
		for _, p := range tl.Captures {
			for _, m := range p.Mappings {
				switch m.Method {
				case model.MethodNone, model.MethodAbsolute, model.MethodZone, model.MethodOffset, model.MethodReference:
				default:
					if len(s.marked) > 0 && p.Source.Kind != model.KindSMI {
						continue // certain by causality: a line within a range
					}
					t.Errorf("run %d: %s is placed by %s", seed, p.Source.File.Raw.Reveal(), m.Method)
				}
			}
		}
		if w := s.wrong(tl); len(w) > 0 {
			t.Errorf("run %d: %v", seed, w)
		}
	}
}

// hulls are what is stated of a clock: the intervals of its placed segments, or its
// ranges. None: nothing is stated.
func hulls(m model.Mapping) []model.OffsetRange {
	if !m.Placed {
		return m.Ranges
	}
	var out []model.OffsetRange
	for _, g := range m.Segments {
		out = append(out, g.Offset)
	}
	return out
}

// allWithin reports whether each range lies in one of the others, or nothing is stated by
// those.
func allWithin(ranges, others []model.OffsetRange) bool {
	return len(others) == 0 || len(ranges) > 0 && !slices.ContainsFunc(ranges, func(r model.OffsetRange) bool {
		return !slices.ContainsFunc(others, func(o model.OffsetRange) bool { return o.Lo <= r.Lo && r.Hi <= o.Hi })
	})
}

func TestMoreUncertaintyNeverShrinksAnInterval(t *testing.T) {
	n := 0
	for seed := range runs(t, 200) {
		s := newRun(uint64(seed), func(s *simRun) { s.every = s.chance(2) })
		first := s.align(t)
		for i := range s.decl.Clocks {
			if d := &s.decl.Clocks[i]; d.HasOffset && s.chance(2) {
				d.Uncertainty += s.between(0, time.Second<<s.r.IntN(10))
			}
		}
		second := s.align(t)
		for i, p := range first.Captures {
			for j, m := range p.Mappings {
				if n++; !allWithin(hulls(m), hulls(second.Captures[i].Mappings[j])) {
					t.Errorf("run %d, %s: %s %v, with more uncertainty %s %v", seed, p.Source.File.Raw.Reveal(),
						m.Status, hulls(m), second.Captures[i].Mappings[j].Status, hulls(second.Captures[i].Mappings[j]))
				}
			}
		}
	}
	t.Logf("%d clocks", n)
}

// One file more leaves clocks that state or declare their time where they are, and any
// other where both intervals have a part in common.
func TestAFileMoreMovesNoClock(t *testing.T) {
	n := 0
	for seed := range runs(t, 200) {
		s := newRun(uint64(seed), nil)
		second := s.align(t)
		without := s.r.IntN(len(s.caps))
		if len(s.caps) == 1 {
			continue
		}
		file := s.caps[without].Source.File.Raw
		less := &simRun{opt: s.opt}
		less.caps = slices.Delete(slices.Clone(s.caps), without, without+1)
		for _, d := range s.decl.Clocks {
			if d.File != file {
				less.decl.Clocks = append(less.decl.Clocks, d)
			}
		}
		first := less.align(t)
		if first.UTC != second.UTC || !first.UTC && first.Reference != second.Reference {
			continue // another axis
		}
		for i, p := range first.Captures {
			k := i
			if i >= without {
				k++
			}
			for j, m := range p.Mappings {
				o := second.Captures[k].Mappings[j]
				if !m.Placed || !o.Placed {
					continue
				}
				n++
				for g := range m.Segments {
					a, b := m.Segments[g].Offset, o.Segments[g].Offset
					same := a == b
					if m.Method == model.MethodInferred || m.Method == model.MethodEvidence || o.Method == model.MethodEvidence {
						same = max(a.Lo, b.Lo) <= min(a.Hi, b.Hi)
					}
					if !same {
						t.Errorf("run %d, %s: by %s %v, with %s by %s %v", seed, p.Source.File.Raw.Reveal(), m.Method, a, file.Reveal(), o.Method, b)
					}
				}
			}
		}
	}
	t.Logf("%d clocks", n)
}

// Kernels that repeat with a period that divides the distance of any two zones tell no
// zone from another.
func TestPeriodicKernelsPlaceNothing(t *testing.T) {
	ambiguous := 0
	for seed := range runs(t, 200) {
		s := newRun(uint64(seed), func(s *simRun) { s.work(true) })
		first := s.align(t)
		for _, c := range s.caps {
			for k := range c.Metrics {
				c.Metrics[k].Role = model.RoleNone
			}
		}
		second := s.align(t)
		for i, p := range second.Captures {
			for j, m := range p.Mappings {
				o := first.Captures[i].Mappings[j]
				if m.Status == model.ClockAmbiguous {
					ambiguous++
				}
				if !m.Placed && o.Placed {
					t.Errorf("run %d, %s: %s by periodic kernels, else %v", seed, p.Source.File.Raw.Reveal(), o.Status, m.Ranges)
				}
			}
		}
	}
	t.Logf("%d ambiguous clocks", ambiguous)
}

// A rank whose host shows a wrong time is found by the collectives that it shares.
func TestARankThatIsOffContradictsCollectives(t *testing.T) {
	n := 0
	for seed := range runs(t, 200) {
		s := newRun(uint64(seed), func(s *simRun) { s.named = false })
		var ranks []int
		for i, c := range s.caps {
			if c.Trace != nil && c.Domains[0].Kind == model.DomainUnix && !s.declares(c) {
				ranks = append(ranks, i)
			}
		}
		if len(ranks) < 2 {
			continue
		}
		n++
		off := s.caps[ranks[s.r.IntN(len(ranks))]]
		rows := slices.Clone(off.Spans.(model.SpanRows))
		const by = model.ClockTime(time.Second)
		for i := range rows {
			rows[i].At.Start += by
			rows[i].At.End += by
		}
		off.Spans = rows
		off.Domains[0].Valid.Start += by
		off.Domains[0].Valid.End += by
		off.Window = off.Domains[0].Valid
		for i := range off.Trace.Steps {
			off.Trace.Steps[i].At.Start += by
			off.Trace.Steps[i].At.End += by
		}
		if tl := s.align(t); uses(tl)["collectives contradicted"] == 0 {
			t.Errorf("run %d: %v", seed, uses(tl))
		}
	}
	t.Logf("%d runs", n)
}
