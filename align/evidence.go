package align

import (
	"slices"
	"time"

	"tracemerge/model"
)

// MaxWidth is the widest interval with which evidence places a clock: beyond it an
// instant could not be compared with those of other clocks.
const MaxWidth = 2 * time.Second

// evidence collects what else is known about clocks: between those that are not
// placed yet, and as a check of those that are. Each rule is one function; their
// order changes nothing.
type evidence struct {
	a    *aligner
	list []model.Constraint
}

// add takes one constraint; what a rule could not say is untestable.
func (e *evidence) add(c model.Constraint) {
	if len(c.Allowed) == 0 && c.Use == "" {
		c.Use = model.ConstraintUntestable
	}
	e.list = append(e.list, c)
}

// between is one range.
func between(lo, hi time.Duration) []model.Range[time.Duration] {
	return []model.Range[time.Duration]{{Lo: lo, Hi: hi}}
}

// ref names a clock of a capture.
func (a *aligner) ref(i, j int) model.ClockRef {
	return model.ClockRef{Source: a.tl.Captures[i].Source.ID, Domain: a.tl.Captures[i].Domains[j].ID}
}

// oneClock is the only clock of a capture with readings; ok is false where it has
// none or several, whose offsets may differ.
func oneClock(p *model.Placed) (j int, ok bool) {
	j = -1
	for k := range p.Domains {
		if p.Domains[k].Kind == model.DomainNone || validOf(p.Capture, &p.Domains[k]).Empty() {
			continue
		}
		if j >= 0 {
			return -1, false
		}
		j = k
	}
	return j, j >= 0
}

// steady reports whether a clock has one offset throughout its file, as evidence that
// compares several of its readings needs; one whose zone changes within it, or may, has
// not.
func (e *evidence) steady(r model.ClockRef) bool {
	for _, p := range e.a.tl.Captures {
		if p.Source.ID != r.Source {
			continue
		}
		for _, s := range p.Mappings[r.Domain].Segments {
			if s.Offset != p.Mappings[r.Domain].Segments[0].Offset {
				return false
			}
		}
	}
	return !slices.ContainsFunc(e.zonesOf(r), func(z model.Range[time.Duration]) bool { return z.Lo < z.Hi })
}

// stated adds what placed each clock without further evidence, so that the argument
// is whole.
func (e *evidence) stated() {
	for i := range e.a.tl.Captures {
		p := &e.a.tl.Captures[i]
		for j, m := range p.Mappings {
			if !m.Placed || len(m.Segments) == 0 {
				continue
			}
			lo, hi := m.Segments[0].Offset.Lo, m.Segments[0].Offset.Hi
			for _, s := range m.Segments {
				lo, hi = min(lo, s.Offset.Lo), max(hi, s.Offset.Hi)
			}
			c := model.Constraint{Rule: string(m.Method), Strength: model.StrengthDeclared, A: e.a.ref(i, j), Allowed: between(lo, hi), From: []model.Pos{p.Domains[j].From}}
			switch m.Method {
			case model.MethodAbsolute:
				c.Strength = model.StrengthFormat
				c.What = model.Say("the stamps of {} are UTC or carry their zone", p.Source.File)
				c.Assumed = true // that the clock of its host showed the right time
			case model.MethodReference:
				c.Strength = model.StrengthFormat
				c.What = model.Say("the clock of {} is the reference itself", p.Source.File)
			case model.MethodDay:
				c.What = model.Say("run.yaml or --zone declares the zone of {}, and one day is possible", p.Source.File)
				c.Assumed = true // that its files were recorded during the same run
			case model.MethodAnchor:
				c.What = model.Say("run.yaml declares records of {} and of a placed file to be the same moment", p.Source.File)
			case model.MethodOffset:
				c.What = model.Say("run.yaml declares the offset of {}", p.Source.File)
			default:
				c.What = model.Say("run.yaml or --zone declares the zone of {}", p.Source.File)
			}
			c.Use = model.ConstraintTight
			e.list = append(e.list, c)
		}
	}
}
