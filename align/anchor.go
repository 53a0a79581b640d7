package align

import (
	"context"
	"time"

	"tracemerge/model"
)

// A reading is the record that one side of an anchor names.
type reading struct {
	capture int
	domain  model.DomainID
	at      model.ClockTime
	step    time.Duration // the true reading lies in [at, at+step]
	pos     model.Pos
}

// A tie is an anchor whose two records were found.
type tie struct {
	a, b   reading
	within time.Duration
	from   model.Pos
}

func (t tie) swapped() tie { return tie{t.b, t.a, t.within, t.from} }

// A node is one clock of one capture.
type node struct {
	capture int
	domain  model.DomainID
}

func (r reading) node() node { return node{r.capture, r.domain} }

// anchors places further clocks by declared anchors, in rounds: each round uses
// only what the rounds before have placed, so the order of the anchors does not
// matter.
func (a *aligner) anchors(ctx context.Context) error {
	var ties []tie
	for _, d := range a.decl.Anchors {
		if err := ctx.Err(); err != nil {
			return err
		}
		x, okA, err := a.find(d.A, d.From)
		if err != nil {
			return err
		}
		y, okB, err := a.find(d.B, d.From)
		if err != nil {
			return err
		}
		if okA && okB {
			ties = append(ties, tie{x, y, d.Within, d.From})
		}
	}
	for _, t := range ties {
		a.check(t)
	}
	refused := map[node]bool{}
	for {
		var order []node
		found := map[node][]tie{}
		for _, t := range ties {
			for _, o := range [2]tie{t, t.swapped()} {
				n := o.b.node()
				if !a.placedAt(o.a) || a.mapping(o.b).Placed || refused[n] {
					continue
				}
				if len(found[n]) == 0 {
					order = append(order, n)
				}
				found[n] = append(found[n], o)
			}
		}
		if len(order) == 0 {
			return nil
		}
		for _, n := range order {
			refused[n] = !a.placeBy(n, found[n])
		}
	}
}

func (a *aligner) mapping(r reading) *model.Mapping {
	return &a.tl.Captures[r.capture].Mappings[r.domain]
}

func (a *aligner) placedAt(r reading) bool {
	_, _, ok := a.span(r)
	return ok
}

// span is where the record of a placed clock lies on the reference.
func (a *aligner) span(r reading) (lo, hi model.Time, ok bool) {
	m := a.mapping(r)
	if !m.Placed {
		return 0, 0, false
	}
	for _, s := range m.Segments {
		if s.Valid.Contains(r.at) {
			return model.Time(r.at) + model.Time(s.Offset.Lo), model.Time(r.at) + model.Time(s.Offset.Hi) + model.Time(r.step), true
		}
	}
	return 0, 0, false
}

// placeBy places a clock where all its anchors agree.
func (a *aligner) placeBy(n node, ties []tie) bool {
	p := &a.tl.Captures[n.capture]
	m := &p.Mappings[n.domain]
	var at model.OffsetRange
	var said []model.Phrase
	var places []model.Pos
	for i, t := range ties {
		lo, hi, _ := a.span(t.a)
		low := time.Duration(lo) - time.Duration(t.b.at) - t.b.step - t.within
		high := time.Duration(hi) - time.Duration(t.b.at) + t.within
		said = append(said, model.Say("run.yaml declares an anchor: a record of {} and one of this file are the same moment, within {}; the offset lies between {} and {}",
			a.tl.Captures[t.a.capture].Source.File, t.within, low, high))
		places = append(places, t.from)
		if i == 0 {
			at.Lo, at.Hi = low, high
		}
		at.Lo, at.Hi = max(at.Lo, low), min(at.Hi, high)
	}
	if at.Lo > at.Hi {
		m.Why = model.Conflict
		m.Against = append(m.Against, said...)
		a.notices.List = append(a.notices.List, model.Notice{Code: "align/anchors-disagree", Severity: model.DataLoss, N: int64(len(ties)), At: places,
			Text: model.Say("{} is not placed: its {} declared anchors contradict each other by {}; correct or remove one", p.Source.File, len(ties), at.Lo-at.Hi)})
		return false
	}
	at.Estimate = at.Lo + (at.Hi-at.Lo)/2
	m.Placed, m.Method, m.Why = true, model.MethodAnchor, model.NotSet
	m.Segments = whole(validOf(p.Capture, &p.Domains[n.domain]))
	m.Segments[0].Offset = at
	m.Evidence = append(m.Evidence, said...)
	m.Evidence = append(m.Evidence, resolution(&p.Domains[n.domain]))
	return true
}

// check compares an anchor with clocks that were placed without it. A
// contradiction leaves both where their stamps and declarations put them, is
// listed on both, and says what to declare.
func (a *aligner) check(t tie) {
	aLo, aHi, okA := a.span(t.a)
	bLo, bHi, okB := a.span(t.b)
	if !okA || !okB {
		return
	}
	gap := max(time.Duration(bLo-aHi), time.Duration(aLo-bHi)) - t.within
	if gap <= 0 {
		return
	}
	fileA, fileB := a.tl.Captures[t.a.capture].Source.File, a.tl.Captures[t.b.capture].Source.File
	by := time.Duration((aLo+aHi)/2 - (bLo+bHi)/2)
	text := model.Say("a declared anchor says that a record of {} and one of {} are the same moment within {}; as placed, they lie {} further apart than that", fileA, fileB, t.within, gap)
	for _, m := range [2]*model.Mapping{a.mapping(t.a), a.mapping(t.b)} {
		m.Against = append(m.Against, text)
	}
	a.note("align/anchor-contradicts", model.Note, t.from, model.Say(
		"{}; if the anchor is right, declare an offset {} larger for {}", text, by, fileB))
}

// find looks a record up. A file that the run does not have is an error; a record
// that is not there, or not alone, is a notice.
func (a *aligner) find(p model.AnchorPoint, at model.Pos) (reading, bool, error) {
	caps := make([]*model.Capture, len(a.tl.Captures))
	for i := range caps {
		caps[i] = a.tl.Captures[i].Capture
	}
	hits, err := match(caps, p.File, at)
	if err != nil {
		return reading{}, false, err
	}
	file := model.Text{Raw: p.File, Class: model.ClassFile}
	if len(hits) > 1 {
		return reading{}, false, &DeclarationError{At: at, Text: model.Say(
			"anchors: {} names {} files of the run; write the path relative to the run folder", file, len(hits))}
	}
	c := caps[hits[0]]
	var found []reading
	if p.Line > 0 {
		found = byLine(c, p.Line)
	} else {
		found = byEvent(c, p.Event, p.Edge)
	}
	for i := range found {
		found[i].capture = hits[0]
	}
	event := model.Text{Raw: p.Event, Class: model.ClassOperation}
	switch {
	case len(found) == 1:
		return found[0], true, nil
	case p.Line > 0:
		a.note("align/anchor-not-found", model.Note, at, model.Say("anchors: line {} of {} is no record with a time stamp that was kept; name the line of a sample, a stage edge or a progress record", p.Line, c.Source.File))
	case len(found) == 0:
		a.note("align/anchor-not-found", model.Note, at, model.Say("anchors: {} has no event {}", c.Source.File, event))
	default:
		a.note("align/anchor-not-found", model.Note, at, model.Say("anchors: {} has {} events {}; name an event that occurs once", c.Source.File, len(found), event))
	}
	return reading{}, false, nil
}

// byLine finds the record that begins on a line.
func byLine(c *model.Capture, line int32) []reading {
	var out []reading
	eachReading(c, func(d model.DomainID, t model.ClockTime, pos model.Pos) {
		if pos.Line == line && len(out) == 0 && int(d) < len(c.Domains) {
			out = append(out, reading{domain: d, at: t, step: c.Domains[d].Step, pos: pos})
		}
	})
	return out
}

// byEvent finds the spans of a name. Host spans go before their mirrors on a
// device, which carry the same name.
func byEvent(c *model.Capture, name model.Raw, edge model.Edge) []reading {
	if c.Spans == nil || name.Empty() {
		return nil
	}
	ids := map[int32]bool{}
	for i, n := range c.Names {
		if n == name {
			ids[int32(i)] = true
		}
	}
	var host, device []reading
	for b := range c.Spans.Batches() {
		for i, id := range b.Name {
			if !ids[id] {
				continue
			}
			r := reading{at: model.ClockTime(b.Start[i]), pos: model.Pos{Source: c.Source.ID, Offset: b.Offset[i]}}
			if edge == model.EdgeEnd {
				r.at = model.ClockTime(b.End[i])
			}
			if t := int(b.Track[i]); t >= 0 && t < len(c.Tracks) {
				r.domain = c.Tracks[t].Domain
			}
			if int(r.domain) < len(c.Domains) {
				r.step = c.Domains[r.domain].Step
			}
			switch k := model.SpanKind(b.Kind[i]); {
			case k.OnDevice(), k == model.SpanDeviceNote, k == model.SpanDeviceStep:
				device = append(device, r)
			default:
				host = append(host, r)
			}
		}
	}
	if len(host) > 0 {
		return host
	}
	return device
}
