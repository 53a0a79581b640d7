package align

import (
	"context"
	"slices"
	"time"

	"tracemerge/align/network"
	"tracemerge/model"
)

// infer places further clocks by evidence, and checks the placed ones by it:
//
//  1. collect constraints, rule by rule
//  2. solve the network of the clocks that are not placed, with the placed ones as
//     its reference
//  3. place what is left with one offset, or an interval no wider than MaxWidth;
//     list what is left with several
//
// With StrictClock only hard evidence counts; the rest is listed as refused.
func (a *aligner) infer(ctx context.Context) error {
	e := &evidence{a: a}
	e.stated()
	if err := e.all(ctx); err != nil {
		return err
	}
	nodes := a.unplaced()
	s, err := e.solve(nodes)
	for n, at := range nodes {
		a.conclude(at, s.Ranges[n+1], err, e)
		a.unsettled(at)
	}
	a.statuses()
	a.tl.Clocks.Constraints = e.list
	a.tl.Clocks.Reference = a.referenceWords()
	a.tl.Clocks.Tighten = a.tighten(nodes)
	return nil
}

// all applies the rules.
func (e *evidence) all(ctx context.Context) error {
	for _, rule := range []func(context.Context) error{e.zones, e.sameRun, e.exports, e.hostClocks, e.markers, e.steps, e.collectives, e.utilisation} {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := rule(ctx); err != nil {
			return err
		}
	}
	return nil
}

// unplaced lists the clocks that evidence may place: one clock of each capture that
// has no placed one. Pieces of one file share their zone, so its first piece stands
// for them.
func (a *aligner) unplaced() []node {
	var out []node
	for i := range a.tl.Captures {
		p := &a.tl.Captures[i]
		if anyPlaced(*p) {
			continue
		}
		for j := range p.Domains {
			k := p.Domains[j].Kind
			if (k == model.DomainCivil || k == model.DomainRelative || k == model.DomainUnix) && !validOf(p.Capture, &p.Domains[j]).Empty() && p.Mappings[j].Why != model.Conflict {
				out = append(out, node{i, model.DomainID(j)})
				break
			}
		}
	}
	return out
}

// hard reports whether evidence is declared, or certain by a format or by causality
// without an assumption.
func hard(c *model.Constraint) bool {
	return c.Strength >= model.StrengthCausal && !c.Assumed
}

// solve finds the ranges of the nodes; index 0 is the reference. It marks what
// became of each constraint.
func (e *evidence) solve(nodes []node) (network.Solution, error) {
	number := map[model.ClockRef]int{{}: 0}
	for n, at := range nodes {
		number[e.a.ref(at.capture, int(at.domain))] = n + 1
	}
	var cs []network.Constraint
	var of []int // index into e.list
	for k := range e.list {
		c := &e.list[k]
		if c.Use != "" {
			continue
		}
		if e.a.opt.StrictClock && !hard(c) {
			c.Use = model.ConstraintRefused
			continue
		}
		x, okX := e.side(number, c.A)
		y, okY := e.side(number, c.B)
		if !okX || !okY {
			c.Use = model.ConstraintUntestable
			continue
		}
		if x.node == 0 && y.node == 0 {
			c.Use = checked(c.Allowed, x.at, y.at)
			continue
		}
		var allowed []network.Range
		for _, r := range c.Allowed {
			// offset(A) - offset(B) in r, with placed offsets anywhere in their ranges.
			lo, hi := r.Lo, r.Hi
			if lo != model.OpenLow {
				lo += y.at.Lo - x.at.Hi
			}
			if hi != model.OpenHigh {
				hi += y.at.Hi - x.at.Lo
			}
			allowed = append(allowed, network.Range{Lo: network.Offset(lo), Hi: network.Offset(hi)})
		}
		cs = append(cs, network.Constraint{A: x.node, B: y.node, Allowed: network.United(allowed), Weight: int(c.Strength), Firm: c.Strength == model.StrengthDeclared})
		of = append(of, k)
	}
	s, err := network.Solve(len(nodes)+1, cs)
	if err != nil {
		s.Ranges = make([][]network.Range, len(nodes)+1)
	}
	for i, k := range of {
		e.list[k].Use = model.ConstraintAgrees
		if s.Tight[i] {
			e.list[k].Use = model.ConstraintTight
		}
	}
	if len(s.Hulls) > 0 {
		at := model.Pos{}
		if from := e.list[of[s.Hulls[0]]].From; len(from) > 0 {
			at = from[0]
		}
		e.a.note("align/too-many-combinations", model.Note, at, model.Say("{} pieces of evidence about clocks leave several ranges each, in more combinations than are tried: each was taken as one range from its first to its last, which leaves more offsets possible and never fewer", len(s.Hulls)))
	}
	for _, d := range s.Dropped {
		if d.Constraint < 0 {
			continue
		}
		c := &e.list[of[d.Constraint]]
		c.Use = model.ConstraintContradicted
		for _, x := range d.Against {
			c.Against = append(c.Against, of[x])
		}
	}
	return s, err
}

// A side is one clock of a constraint: a node of the network, or a placed clock with
// its offset against the reference.
type side struct {
	node int
	at   model.Range[time.Duration]
}

func (e *evidence) side(number map[model.ClockRef]int, r model.ClockRef) (side, bool) {
	if n, ok := number[r]; ok {
		return side{node: n}, true
	}
	for i := range e.a.tl.Captures {
		p := &e.a.tl.Captures[i]
		if p.Source.ID != r.Source || int(r.Domain) >= len(p.Mappings) {
			continue
		}
		m := &p.Mappings[r.Domain]
		if !m.Placed {
			return side{}, false
		}
		var at model.Range[time.Duration]
		for k, s := range m.Segments {
			if k == 0 {
				at = model.Range[time.Duration]{Lo: s.Offset.Lo, Hi: s.Offset.Hi}
			}
			at.Lo, at.Hi = min(at.Lo, s.Offset.Lo), max(at.Hi, s.Offset.Hi)
		}
		return side{at: at}, true
	}
	return side{}, false
}

// checked compares a constraint with two placed clocks.
func checked(allowed []model.Range[time.Duration], x, y model.Range[time.Duration]) model.ConstraintUse {
	for _, r := range allowed {
		if r.Lo <= x.Hi-y.Lo && x.Lo-y.Hi <= r.Hi {
			return model.ConstraintAgrees
		}
	}
	return model.ConstraintContradicted
}

// conclude places one clock by the ranges that the evidence leaves, or says which
// they are.
func (a *aligner) conclude(at node, ranges []network.Range, err error, e *evidence) {
	p := &a.tl.Captures[at.capture]
	m := &p.Mappings[at.domain]
	d := &p.Domains[at.domain]
	if err != nil {
		m.Status = model.ClockContradicted
		return
	}
	for _, r := range ranges {
		m.Ranges = append(m.Ranges, model.OffsetRange{Lo: time.Duration(r.Lo), Estimate: time.Duration(r.Lo) + time.Duration(r.Hi-r.Lo)/2, Hi: time.Duration(r.Hi)})
	}
	open := len(ranges) == 0 || ranges[0].Lo <= network.Low || ranges[len(ranges)-1].Hi >= network.High
	switch {
	case open && (len(ranges) == 0 || len(ranges) == 1 && ranges[0].Lo <= network.Low && ranges[0].Hi >= network.High):
		m.Status, m.Ranges = model.ClockUnaligned, nil
		return
	case open:
		m.Status = model.ClockOneSided
		return
	case len(ranges) > 1:
		m.Status = model.ClockAmbiguous
		for _, r := range m.Ranges {
			m.Other = append(m.Other, r.Estimate)
		}
		return
	}
	r := m.Ranges[0]
	m.Status = model.ClockBounded
	if r.Hi-r.Lo <= d.Step {
		m.Status = model.ClockExact
	}
	if r.Hi-r.Lo > MaxWidth {
		return
	}
	if d.Kind == model.DomainCivil && r.Lo == r.Hi {
		a.byOffset(at.capture, r.Lo, m.Ranges)
		return
	}
	m.Placed, m.Why, m.Method = true, model.NotSet, model.MethodEvidence
	m.Segments = whole(validOf(p.Capture, d))
	m.Segments[0].Offset = r
	m.Evidence = append(m.Evidence, model.Say("what is known about this clock leaves its offset an interval of {}", r.Hi-r.Lo), resolution(d))
	e.cite(a.ref(at.capture, int(at.domain)), m)
}

// byOffset places every calendar clock of a capture by the one zone offset that is
// possible; add is what is added to a reading to get UTC.
func (a *aligner) byOffset(i int, add time.Duration, ranges []model.OffsetRange) {
	p := &a.tl.Captures[i]
	k := &clock{zone: time.FixedZone("", -int(add/time.Second)), zoneText: model.NewText(zoneName(-add), model.ClassZone)}
	v := look(p.Capture)
	cal := newCalendar(p.Capture, v, k.zone)
	for j := range p.Domains {
		d, m := &p.Domains[j], &p.Mappings[j]
		if d.Kind != model.DomainCivil || validOf(p.Capture, d).Empty() {
			continue
		}
		old := m.Evidence
		a.byZone(p.Capture, d, cal, k, m)
		m.Evidence = append(old, model.Say("the zone offset {} is the only one of those in force on that day with which its records meet another source of the run (a run folder holds one run: an assumption, printed)", k.zoneText), resolution(d))
		m.Method, m.Why, m.Ranges = model.MethodInferred, model.NotSet, ranges
		m.Status = "" // by its segments: steps back may widen them
	}
	a.steps(p.Capture, v, cal, p.Mappings)
	a.flush()
	a.note("align/zone-inferred", model.Note, p.Domains[0].From, model.Say(
		"{} states no zone; {} is the only offset with which it meets another source, and is used. Declare the zone to be sure (clocks: {{}: {zone: …}} or --zone), or refuse such inference with --strict-clock", p.Source.File, k.zoneText, p.Source.File))
}

// zoneName writes an offset east of UTC as "+09:00".
func zoneName(east time.Duration) string {
	return time.Unix(0, 0).In(time.FixedZone("", int(east/time.Second))).Format("-07:00")
}

// cite adds the evidence on which a clock's interval rests.
func (e *evidence) cite(r model.ClockRef, m *model.Mapping) {
	for _, c := range e.list {
		if c.A != r && c.B != r {
			continue
		}
		switch c.Use {
		case model.ConstraintTight:
			m.Evidence = append(m.Evidence, c.What)
		case model.ConstraintContradicted:
			m.Against = append(m.Against, c.What)
		}
	}
}

// statuses gives the clocks that were placed without evidence their status.
func (a *aligner) statuses() {
	for i := range a.tl.Captures {
		p := &a.tl.Captures[i]
		for j := range p.Mappings {
			m := &p.Mappings[j]
			switch {
			case m.Status != "":
			case p.Domains[j].Kind == model.DomainNone:
			case !m.Placed && m.Why == model.Conflict:
				m.Status = model.ClockContradicted
			case !m.Placed:
				m.Status = model.ClockUnaligned
			default:
				m.Status = model.ClockExact
				for _, s := range m.Segments {
					if s.Offset.Hi-s.Offset.Lo > p.Domains[j].Step {
						m.Status = model.ClockBounded
					}
				}
			}
		}
	}
}

// referenceWords says what the reference clock is.
func (a *aligner) referenceWords() model.Phrase {
	if a.tl.UTC {
		return model.Say("UTC: at least one source states it")
	}
	for i := range a.tl.Captures {
		if a.tl.Captures[i].Source.ID == a.tl.Reference {
			return model.Say("the own clock of {}: no source states UTC", a.tl.Captures[i].Source.File)
		}
	}
	return model.Say("none: no source has a clock")
}

// shared is how well a marker that a job writes to two files ties them.
const shared = 10 * time.Millisecond

// tighten says which further observation would help the clocks that evidence could
// not place, or placed with a width: the widest first.
func (a *aligner) tighten(nodes []node) []model.Phrase {
	type wide struct {
		width time.Duration
		say   model.Phrase
	}
	var all []wide
	for _, n := range nodes {
		p := &a.tl.Captures[n.capture]
		m := &p.Mappings[n.domain]
		file := p.Source.File
		switch m.Status {
		case model.ClockAmbiguous:
			if p.Domains[n.domain].Kind != model.DomainCivil {
				all = append(all, wide{1 << 61, model.Say("{}: one record that is the same moment as one of a placed file (anchors in run.yaml, or a line tracemerge-marker NAME logged within a profiled range of that name) would decide between {} offsets", file, len(m.Ranges))})
				continue
			}
			all = append(all, wide{1 << 61, model.Say("{}: the declared zone, or one record that is the same moment as one of a placed file within 7 minutes, would decide between {} offsets", file, len(m.Ranges))})
		case model.ClockUnaligned, model.ClockOneSided:
			all = append(all, wide{1 << 60, model.Say("{}: one record that is the same moment as one of a placed file (anchors in run.yaml, or a line tracemerge-marker NAME logged within a profiled range of that name) would place it to the precision of the marker", file)})
		case model.ClockBounded:
			half := (m.Ranges[0].Hi - m.Ranges[0].Lo) / 2
			if half <= shared {
				continue
			}
			all = append(all, wide{half, model.Say("{}: one shared marker within {} would cut ±{} to ±{}", file, shared, half, shared)})
		}
	}
	slices.SortStableFunc(all, func(x, y wide) int { return int(max(-1, min(1, y.width-x.width))) })
	var out []model.Phrase
	for _, w := range all {
		out = append(out, w.say)
	}
	return out
}
