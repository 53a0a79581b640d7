package compare

import (
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// recorded compares what the files themselves show of how the runs were made and
// observed. How a run was recorded decides: recording takes time itself, so a run
// with instruments against one without says nothing of the change between them.
func recorded(c *report.Comparison, a, b *report.Run) {
	x, y := instrumentsOf(a), instrumentsOf(b)
	seen(c, model.Say("profiler recording"), x.traced, y.traced, true)
	if x.traced.is && y.traced.is {
		seen(c, model.Say("device work in the traces"), x.device, y.device, true)
		seen(c, model.Say("stacks recorded"), x.stacks, y.stacks, true)
		seen(c, model.Say("shapes recorded"), x.shapes, y.shapes, true)
		seen(c, model.Say("memory recorded"), x.memory, y.memory, true)
		number(c, model.Say("traces"), model.Known(x.traces), model.Known(y.traces))
		number(c, model.Say("ranks of the job"), x.world, y.world)
	}
	if len(a.Devices) > 0 && len(b.Devices) > 0 {
		number(c, model.Say("GPUs in the samples"), model.Known(int64(len(a.Devices))), model.Known(int64(len(b.Devices))))
		facts(c, model.Say("GPU model"), a, b, model.ClassGPUModel)
		facts(c, model.Say("driver version"), a, b, model.ClassVersion)
	}
	by := func(r *report.Run) answer { return answer{true, r.Declared.HasStart && r.Declared.HasEnd} }
	judge(c, report.Condition{Name: model.Say("window"), Base: windowBy(by(a)), Next: windowBy(by(b))}, true, by(a) == by(b), false)
}

func windowBy(a answer) model.Phrase {
	if a.is {
		return model.Say("declared")
	}
	return model.Say("from the records")
}

// answer is yes or no, where the files say.
type answer struct{ known, is bool }

func (a answer) phrase() model.Phrase {
	switch {
	case !a.known:
		return model.Say("not stated by the file")
	case a.is:
		return model.Say("yes")
	}
	return model.Say("no")
}

// instruments is how a run was recorded by profilers.
type instruments struct {
	traced, device, stacks, shapes, memory answer
	traces                                 int64
	world                                  model.Maybe[int64]
}

// heavy reports whether the profiler ran: even without options it slows the host.
func (i instruments) heavy() bool { return i.traced.is }

func instrumentsOf(r *report.Run) instruments {
	i := instruments{traced: answer{known: true}, device: answer{known: true}, world: model.Missing[int64](model.NotRecorded)}
	for k := range r.Sources {
		t := r.Sources[k].Trace
		if t == nil || t.Facts == nil {
			continue
		}
		f := t.Facts
		i.traces++
		i.traced.is = true
		i.device.is = i.device.is || len(t.Devices) > 0
		i.stacks = i.stacks.or(f.WithStack, f.PythonFrames)
		i.shapes = i.shapes.or(f.RecordShapes, 0)
		i.memory = i.memory.or(f.ProfileMemory, f.MemoryRecords)
		if f.WorldSize.Known() {
			i.world = f.WorldSize
		}
	}
	return i
}

// or adds what one trace says: an option that it states, or records that only the
// option leaves.
func (a answer) or(stated model.Maybe[bool], records int64) answer {
	on, known := stated.Get()
	return answer{a.known || known || records > 0, a.is || on || records > 0}
}

func seen(c *report.Comparison, name model.Phrase, a, b answer, decides bool) {
	known := a.known && b.known
	judge(c, report.Condition{Name: name, Base: a.phrase(), Next: b.phrase()}, known, a.is == b.is, decides && known)
}

func number(c *report.Comparison, name model.Phrase, a, b model.Maybe[int64]) {
	x, ok := a.Get()
	y, ok2 := b.Get()
	say := func(n int64, ok bool) model.Phrase {
		if !ok {
			return model.Say("not stated by the file")
		}
		return model.Say("{}", n)
	}
	judge(c, report.Condition{Name: name, Base: say(x, ok), Next: say(y, ok2)}, ok && ok2, x == y, false)
}

// facts compares what the samplers state of their devices, each value once.
func facts(c *report.Comparison, name model.Phrase, a, b *report.Run, class model.Class) {
	values := func(r *report.Run) (raw []model.Raw, said model.Phrase) {
		said = model.Say("not stated by the file")
		for _, d := range r.Devices {
			for _, f := range d.Facts {
				if f.Value.Class != class || slices.Contains(raw, f.Value.Raw) {
					continue
				}
				if raw = append(raw, f.Value.Raw); len(raw) == 1 {
					said = model.Say("{}", f.Value)
				} else {
					said = model.Say("{}, {}", said, f.Value)
				}
			}
		}
		return raw, said
	}
	x, base := values(a)
	y, next := values(b)
	equal := len(x) == len(y) && !slices.ContainsFunc(x, func(v model.Raw) bool { return !slices.Contains(y, v) })
	judge(c, report.Condition{Name: name, Base: base, Next: next}, len(x) > 0 && len(y) > 0, equal, false)
}

// coverageGap is how far the observed shares of two windows may lie apart before
// the page warns: a tenth, a convention of ours.
const coverageGap = 0.1

// coverage sets beside each other what either run observed, and warns where the
// means or their coverage differ.
func coverage(c *report.Comparison, a, b *report.Run) {
	for _, kind := range []model.SourceKind{model.KindSMI, model.KindTrace, model.KindLog, model.KindHost} {
		inA, x := covered(a, kind)
		inB, y := covered(b, kind)
		if !inA && !inB {
			continue
		}
		c.Coverage = append(c.Coverage, report.Coverage{Kind: kind, Base: x, Next: y})
		p, ok := x.Get()
		q, ok2 := y.Get()
		switch {
		case inA != inB:
			c.Warnings = append(c.Warnings, model.Say("Only one of the two runs was observed by a source of the kind {}: recording itself can lengthen a run.", kindWord(kind)))
		case ok && ok2 && max(p-q, q-p) > coverageGap:
			c.Warnings = append(c.Warnings, model.Say("Sources of the kind {} observed {} of the window of the baseline and {} of that of the candidate: totals of the two are not about the same part of the work.", kindWord(kind), model.Fraction(p), model.Fraction(q)))
		}
	}
	if a.Primary >= 0 && b.Primary >= 0 && a.Stages[a.Primary].Basis.Kind != b.Stages[b.Primary].Basis.Kind {
		c.Comparable = false
		c.Warnings = append(c.Warnings, model.Say("The stages of the two runs come from different kinds of sources."))
	}
	for _, r := range []*report.Run{a, b} {
		if r.Accounted.Known && r.Accounted.Unknown > 0 {
			c.Warnings = append(c.Warnings, model.Say("In {}, {} of the {} window was not observed.", r.Label, r.Accounted.Unknown, r.Window.At.Len()))
		}
	}
}

func kindWord(k model.SourceKind) model.Word {
	switch k {
	case model.KindSMI:
		return model.Lit("nvidia-smi")
	case model.KindTrace:
		return model.Lit("pytorch-trace")
	case model.KindLog:
		return model.Lit("app-log")
	}
	return model.Lit("host-stats")
}

// covered is whether a run has sources of the kind, and the share of the window
// that they observed together.
func covered(r *report.Run, kind model.SourceKind) (present bool, share model.Maybe[float64]) {
	var seen model.Set[model.Time]
	placed := false
	for _, s := range r.Sources {
		if s.Kind != kind {
			continue
		}
		present = true
		if s.Placed {
			placed = true
			seen = seen.Union(model.NewSet(s.Observed...))
		}
	}
	if !placed || !r.Window.Known {
		return present, model.Missing[float64](model.ClockUnplaced)
	}
	return present, shareOf(seen.Len(), r.Window.At.Len())
}

func shareOf(part, whole time.Duration) model.Maybe[float64] {
	if whole <= 0 {
		return model.Missing[float64](model.NotComputable)
	}
	return model.Known(float64(part) / float64(whole))
}
