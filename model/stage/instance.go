package stage

import (
	"time"

	"tracemerge/model"
)

// Instance is one execution of a stage as a log states it.
//
// An open instance has only one edge: At then holds the time in which it may
// have run, which is unknown time and no stage time.
type Instance struct {
	Stage  model.StageID
	At     model.Interval[model.Time]
	Unsure [2]time.Duration // how far the clock leaves the start and the end
	// Resolution is that of the stamps: each edge lies in [stamp, stamp+Resolution).
	Resolution time.Duration
	Source     model.SourceID
	Rank       model.Maybe[int64]
	Task       model.Raw
	Input      model.Raw
	Step       model.Maybe[int64]
	From, To   model.Pos // the records of the edges; of an open instance both are the one that was seen
	Open       bool

	clock   clock
	noStart bool // of an open instance: the end was seen
	item    int  // index into the items of its basis, where lanes are made
}

// executor is what runs one thing at a time as far as the log names it.
type executor struct {
	source model.SourceID
	rank   int64
	ranked bool
	task   model.Raw
}

func (i Instance) executor() executor {
	e := executor{source: i.Source, task: i.Task}
	e.rank, e.ranked = i.Rank.Get()
	return e
}

// An axis is a clock that instants can be compared on: the run's (the zero
// value), or that of one domain of a source that is not placed.
type axis struct {
	source model.SourceID
	domain model.DomainID
}

// A clock is what may shift as a whole against others: every exactly placed
// source shares the zero clock; a source placed with an uncertainty has its own.
type clock struct {
	source model.SourceID
	domain model.DomainID
}

// An edge is a placed instant.
type edge struct {
	at    model.Time
	width time.Duration
	axis  axis
	clock clock
	step  time.Duration // resolution of the stamp
}

// place puts a reading on the run's clock, or on the source's own axis where the
// domain is not placed. ok is false where there is no instant at all.
func place(c *model.Placed, d model.DomainID, t model.ClockTime) (edge, bool) {
	var step time.Duration
	if int(d) < len(c.Domains) {
		step = c.Domains[d].Step
	}
	if at, width, ok := c.At(d, t); ok {
		e := edge{at: at, width: width, step: step}
		if width > 0 {
			e.clock = clock{c.Source.ID, d}
		}
		return e, true
	}
	if int(d) < len(c.Mappings) && c.Mappings[d].Placed {
		return edge{}, false // outside every segment of a placed domain
	}
	if int(d) < len(c.Domains) && c.Domains[d].Kind == model.DomainNone {
		return edge{}, false
	}
	return edge{at: model.Time(t), axis: axis{c.Source.ID, d}, step: step}, true
}

// pairing turns the edges of one log into instances.
type pairing struct {
	open  map[pairKey][]start
	keys  []pairKey // of open, in order of first appearance
	notes *model.Notices
	emit  func(axis, Instance)
}

type pairKey struct {
	executor
	stage model.StageID
}

type start struct {
	mark model.Mark
	edge edge
}

func newPairing(notes *model.Notices, emit func(axis, Instance)) *pairing {
	return &pairing{open: map[pairKey][]start{}, notes: notes, emit: emit}
}

// take handles one record that states an edge of the stage.
func (p *pairing) take(s model.StageID, m model.Mark, e edge) {
	// An absent text and an empty one are the same key.
	if m.Task.Empty() {
		m.Task = model.Raw{}
	}
	if m.Input.Empty() {
		m.Input = model.Raw{}
	}
	k := pairKey{stage: s, executor: executor{source: m.From.Source, task: m.Task}}
	k.rank, k.ranked = m.Rank.Get()
	switch m.Edge {
	case model.EdgeStart:
		p.begin(k, m, e)
	case model.EdgeEnd:
		p.end(k, m, e)
	case model.EdgeWhole:
		d, ok := m.Duration.Get()
		if !ok || d < 0 {
			p.notes.Add("stage/no-duration", model.Note, m.From,
				model.Say("a record states a whole stage without a duration that can be used; it gives no stage time"))
			return
		}
		from := e
		from.at -= model.Time(d)
		p.whole(k.stage, start{m, from}, start{m, e})
	}
}

func (p *pairing) begin(k pairKey, m model.Mark, e edge) {
	list, seen := p.open[k]
	if !seen {
		p.keys = append(p.keys, k)
	}
	if !m.Input.Empty() {
		for i, o := range list {
			if o.mark.Input != m.Input {
				continue
			}
			if o.edge == e { // as two handlers of one logger write it
				p.notes.Add("stage/same-start-twice", model.Info, m.From,
					model.Say("the start of stage {} is stated twice for the same input and instant; it is used once", k.stage))
				return
			}
			p.notes.Add("stage/second-start", model.Note, m.From,
				model.Say("stage {} starts a second time for the same input without an end; the end of the first is not observed", k.stage))
			p.half(k.stage, o, false)
			list = append(list[:i], list[i+1:]...)
			break
		}
	}
	p.open[k] = append(list, start{m, e})
}

// end closes the start of the same input, else the oldest one that names none;
// an end that names no input closes the oldest start.
func (p *pairing) end(k pairKey, m model.Mark, e edge) {
	list := p.open[k]
	at := -1
	for i, o := range list {
		if o.mark.Input == m.Input || m.Input.Empty() && at < 0 {
			at = i
			break
		}
		if o.mark.Input.Empty() && at < 0 {
			at = i
		}
	}
	if at < 0 {
		p.half(k.stage, start{m, e}, true)
		return
	}
	o := list[at]
	p.open[k] = append(list[:at], list[at+1:]...)
	p.whole(k.stage, o, start{m, e})
}

func (p *pairing) whole(s model.StageID, a, b start) {
	if a.edge.axis != b.edge.axis || b.edge.at < a.edge.at {
		p.notes.Add("stage/edges-do-not-fit", model.DataLoss, b.mark.From,
			model.Say("the end of stage {} lies before its start, or on another clock; neither is used as stage time", s))
		p.half(s, a, false)
		p.half(s, b, true)
		return
	}
	p.emit(a.edge.axis, instance(s, a, b))
}

func (p *pairing) half(s model.StageID, a start, noStart bool) {
	p.notes.Add("stage/edge-not-observed", model.Note, a.mark.From,
		model.Say("stage {} has a start without an end, or an end without a start; its time is unknown", s))
	i := instance(s, a, a)
	i.Open, i.noStart = true, noStart
	p.emit(a.edge.axis, i)
}

// finish hands on what is still open.
func (p *pairing) finish() {
	for _, k := range p.keys {
		for _, o := range p.open[k] {
			p.half(k.stage, o, false)
		}
	}
}

func instance(s model.StageID, a, b start) Instance {
	i := Instance{Stage: s, At: model.Interval[model.Time]{Start: a.edge.at, End: b.edge.at},
		Unsure: [2]time.Duration{a.edge.width, b.edge.width}, Resolution: max(a.edge.step, b.edge.step), Source: a.mark.From.Source,
		Rank: a.mark.Rank, Task: a.mark.Task, Input: a.mark.Input, Step: a.mark.Step,
		From: a.mark.From, To: b.mark.From, clock: a.edge.clock}
	if i.Input.Empty() {
		i.Input = b.mark.Input
	}
	if !i.Step.Known() {
		i.Step = b.mark.Step
	}
	return i
}
