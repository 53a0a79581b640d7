package stage

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"tracemerge/model"
)

// working is the key under which the observed work of a host thread that is no
// stage is kept, and waiting that of its synchronisation calls.
var (
	working = model.StageNamed("\x00working")
	waiting = model.StageNamed("\x00waiting")
)

// A spanSet is where one track ran one stage.
type spanSet struct {
	source model.SourceID
	track  model.TrackID
	kind   model.TrackKind
	stage  model.StageID
	at     model.Set[model.Time]
	name   model.Text // of the track
	clock  clock
	step   time.Duration // resolution of its stamps
}

// A step is one ProfilerStep on the run's clock or the trace's own.
type step struct {
	model.TraceStep
	source model.SourceID
	at     model.Interval[model.Time]
	width  time.Duration
}

// A gathering is a union that grows by unordered intervals. It is folded when as
// many wait as are merged, so that adding n costs O(n log n) altogether.
type gathering struct {
	wait []model.Interval[model.ClockTime]
	set  model.Set[model.ClockTime]
	n    int64
	long time.Duration
}

func (g *gathering) add(i model.Interval[model.ClockTime]) {
	g.n++
	g.long = max(g.long, i.Len())
	g.wait = append(g.wait, i)
	if len(g.wait) >= 1<<16 && len(g.wait) > len(g.set.Parts()) {
		g.fold()
	}
}

func (g *gathering) fold() {
	g.set = g.set.Union(model.NewSet(g.wait...))
	g.wait = g.wait[:0]
}

type setKey struct {
	track model.TrackID
	stage model.StageID
}

// traces reads the spans of every profiler trace.
func (b bases) traces(tl *model.Timeline, r *rules, notes *model.Notices) {
	for i := range tl.Captures {
		c := &tl.Captures[i]
		if c.Capture != nil && c.Spans != nil && c.Spans.Len() > 0 {
			b.trace(c, r, notes)
		}
	}
}

func (b bases) trace(c *model.Placed, r *rules, notes *model.Notices) {
	names := judge(c.Names, r)
	sets := map[setKey]*gathering{}
	device, hostClaims := false, map[setKey]*gathering{}
	for batch := range c.Spans.Batches() {
		for i := range batch.Start {
			kind := model.SpanKind(batch.Kind[i])
			device = device || kind.OnDevice()
			s, claim, ok := names.stage(kind, batch.Name[i])
			if !ok {
				continue
			}
			into := sets
			if claim {
				into = hostClaims
			}
			k := setKey{model.TrackID(batch.Track[i]), s}
			g := into[k]
			if g == nil {
				g = &gathering{}
				into[k] = g
			}
			g.add(model.Interval[model.ClockTime]{Start: model.ClockTime(batch.Start[i]), End: model.ClockTime(batch.End[i])})
		}
	}
	var said []model.Phrase
	if names.unsure {
		said = append(said, model.Say("device work whose kind no rule knows is counted as GPU compute"))
	}
	if len(hostClaims) > 0 && device {
		said = append(said, model.Say("host ranges named like a device stage are not used: the trace records the device's own work"))
	} else {
		maps.Copy(sets, hostClaims)
	}
	b.place(&Trace{Capture: c, names: names, device: device}, sets, said, notes)
}

// place moves the unions onto the basis of their axis.
func (b bases) place(tr *Trace, sets map[setKey]*gathering, said []model.Phrase, notes *model.Notices) {
	c := tr.Capture
	keys := slices.SortedFunc(maps.Keys(sets), func(x, y setKey) int {
		return cmp.Or(cmp.Compare(x.track, y.track), cmp.Compare(x.stage.Key(), y.stage.Key()))
	})
	found := map[*basis]bool{}
	for _, k := range keys {
		g := sets[k]
		g.fold()
		track := trackOf(c, k.track)
		x, s := b.placeSet(c, track.Domain, g.set, notes)
		if x == nil {
			continue
		}
		s.track, s.kind, s.name, s.stage = k.track, track.Kind, track.Name, k.stage
		x.sets = append(x.sets, s)
		if k.stage == working || k.stage == waiting {
			continue
		}
		found[x] = true
		x.sources[c.Source.ID] = true
		x.counts[k.stage] += g.n
		x.longest[k.stage] = max(x.longest[k.stage], g.long)
	}
	for x := range found {
		x.note(said...)
		x.recording(c)
		x.traces = append(x.traces, tr)
	}
}

// note adds what is not yet said; the ranks of a run say the same.
func (b *basis) note(said ...model.Phrase) {
	for _, p := range said {
		text, _ := p.Format()
		if !slices.ContainsFunc(b.notes, func(q model.Phrase) bool { have, _ := q.Format(); return have == text }) {
			b.notes = append(b.notes, p)
		}
	}
}

func trackOf(c *model.Placed, id model.TrackID) model.Track {
	if id >= 0 && int(id) < len(c.Tracks) {
		return c.Tracks[id]
	}
	return model.Track{ID: id}
}

func (b bases) placeSet(c *model.Placed, d model.DomainID, in model.Set[model.ClockTime], notes *model.Notices) (*basis, spanSet) {
	var x *basis
	s := spanSet{source: c.Source.ID}
	var out []model.Interval[model.Time]
	for _, p := range in.Parts() {
		from, ok1 := place(c, d, p.Start)
		to, ok2 := place(c, d, p.End)
		if !ok2 { // the end may be the first instant after the last valid reading
			to, ok2 = place(c, d, p.End-1)
			to.at++
		}
		if !ok1 || !ok2 || from.axis != to.axis || to.at < from.at {
			notes.Add("stage/span-not-placed", model.DataLoss, model.Pos{Source: c.Source.ID},
				model.Say("spans lie outside the part of the trace's clock that could be placed; they give no stage time"))
			continue
		}
		if x == nil {
			x = b.get(model.KindTrace, from.axis)
		}
		if from.clock != (clock{}) {
			s.clock = from.clock
			x.clocks[s.clock] = max(x.clocks[s.clock], from.width, to.width)
		}
		s.step = max(s.step, from.step)
		out = append(out, model.Interval[model.Time]{Start: from.at, End: to.at})
	}
	s.at = model.NewSet(out...)
	return x, s
}

// recording notes where the trace was recording, where it has holes, and its steps.
func (b *basis) recording(c *model.Placed) {
	d := model.DomainID(0)
	in := func(i model.Interval[model.ClockTime]) (model.Interval[model.Time], time.Duration, bool) {
		from, ok1 := place(c, d, i.Start)
		to, ok2 := place(c, d, i.End)
		if !ok2 {
			to, ok2 = place(c, d, i.End-1)
			to.at++
		}
		ok := ok1 && ok2 && from.axis == b.axis && to.axis == b.axis && from.at <= to.at
		return model.Interval[model.Time]{Start: from.at, End: to.at}, max(from.width, to.width), ok
	}
	record := c.Window
	if c.Trace != nil && !c.Trace.Record.Empty() {
		record = c.Trace.Record
	}
	if at, _, ok := in(record); ok && !record.Empty() {
		b.cover(c.Source.ID, at)
	} else {
		for _, s := range b.sets {
			if s.source == c.Source.ID && !s.at.Empty() {
				b.cover(c.Source.ID, s.at.Hull())
			}
		}
	}
	b.truncate = b.truncate || c.Truncated
	for _, x := range c.Domains {
		b.resolution = max(b.resolution, x.Step)
	}
	var holes []model.Interval[model.Time]
	for _, t := range c.Tracks {
		if t.Kind != model.TrackDevice && t.Kind != model.TrackStream {
			continue
		}
		d = t.Domain
		for _, h := range t.Unknown {
			if at, _, ok := in(h.At); ok {
				holes = append(holes, at)
			}
		}
	}
	b.holes[c.Source.ID] = model.NewSet(holes...)
	if c.Trace == nil {
		return
	}
	d = 0
	for _, s := range c.Trace.Steps {
		if at, w, ok := in(s.At); ok {
			b.steps = append(b.steps, step{s, c.Source.ID, at, w})
		}
	}
}

// verdicts is what the names of a trace mean, by dictionary index.
type verdicts struct {
	byRule []model.StageID // the zero value: no rule
	byName []model.StageID
	syncs  []bool
	unsure bool // device work of unknown kind was met
}

func judge(names []model.Raw, r *rules) *verdicts {
	v := &verdicts{byRule: make([]model.StageID, len(names)), byName: make([]model.StageID, len(names)), syncs: make([]bool, len(names))}
	for i, n := range names {
		text := n.Reveal()
		if s, ok := r.span(text); ok {
			v.byRule[i] = s
		}
		if s, ok := builtin(text); ok {
			v.byName[i] = s
		} else if dataLoader(text) {
			v.byName[i] = model.StageCPUPreparation
		}
		// cudaDeviceSynchronize, cudaStreamSynchronize, hipEventSynchronize, …
		v.syncs[i] = strings.Contains(text, "Synchronize")
	}
	return v
}

// stage returns what a span counts as. claim says that a host range claims a
// stage of the device by its name.
func (v *verdicts) stage(kind model.SpanKind, name int32) (s model.StageID, claim, ok bool) {
	known := name >= 0 && int(name) < len(v.byRule)
	switch kind {
	case model.SpanDeviceNote, model.SpanDeviceStep, model.SpanRecordWindow, model.SpanOverhead:
		return s, false, false
	}
	if known && v.byRule[name] != (model.StageID{}) {
		return v.byRule[name], false, true
	}
	switch kind {
	case model.SpanKernel:
		return model.StageGPUCompute, false, true
	case model.SpanDeviceOther:
		v.unsure = true
		return model.StageGPUCompute, false, true
	case model.SpanCommunication:
		return model.StageCommunication, false, true
	case model.SpanMemcpy, model.SpanMemset:
		return model.StageTransfer, false, true
	case model.SpanOperator, model.SpanAnnotation:
		if known && v.byName[name] != (model.StageID{}) {
			return v.byName[name], ofDevice(v.byName[name]), true
		}
		if kind == model.SpanOperator {
			return working, false, true
		}
	case model.SpanRuntime:
		if known && v.syncs[name] {
			return waiting, false, true
		}
		return working, false, true
	}
	return s, false, false
}
