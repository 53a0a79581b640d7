package whatif

import (
	"math/big"
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/model/stage"
)

// Bound returns the scenarios over one table: every observed stage in half the
// time, those that were asked for, and every observed stage in no time. One that
// was asked for stands once.
func Bound(t *stage.Table, asked []report.Requested) report.WhatIf {
	return bound(t, asked, Tolerance(t))
}

func bound(t *stage.Table, requested []report.Requested, tolerance time.Duration) report.WhatIf {
	out := report.WhatIf{Total: model.Missing[time.Duration](model.NotComputable), Path: model.Missing[report.CriticalPath](model.NotComputable), Limits: limits()}
	if t.Window.Empty() {
		return out
	}
	out.Total = model.Known(t.Window.Len())
	out.Assumes = assumes(t, tolerance)
	asked := meant(t, requested)
	y := newSystem(t, asked, tolerance)
	out.Assumes = append(out.Assumes, y.resolution()...)
	for _, r := range t.Rows {
		if c := half(r.Stage); r.Stage != model.StageGPUCompute && r.Busy > 0 && !wished(asked, c) {
			out.Rows = append(out.Rows, y.scenario(c))
		}
	}
	if c := half(model.StageGPUCompute); !wished(asked, c) {
		gpu := y.scenario(c)
		gpu.Name = model.Say("the GPU computes twice as fast")
		out.Rows = append(out.Rows, gpu)
	}
	for _, r := range asked {
		s := y.scenario(r.Changes)
		s.Asked = true
		if s.Note.Empty() {
			s.Note = r.said
		}
		out.Rows = append(out.Rows, s)
	}
	for _, r := range t.Rows {
		if c := removed(r.Stage); r.Busy > 0 && !wished(asked, c) {
			out.Rows = append(out.Rows, y.scenario(c))
		}
	}
	out.FasterGPU = y.fasterGPU()
	out.Path, out.ReplayBy = y.path()
	out.Curves = y.curves()
	return out
}

func half(s model.StageID) []report.Change { return []report.Change{{Stage: s, Factor: 0.5}} }

func removed(s model.StageID) []report.Change { return []report.Change{{Stage: s, Factor: 0}} }

// fasterGPU answers what a faster GPU would change, by the bounds alone: with
// GPU compute in half the time, and in none.
func (y *system) fasterGPU() model.Phrase {
	row := y.t.Row(model.StageGPUCompute)
	if row < 0 || y.t.Rows[row].Busy == 0 || y.bit[row] < 0 {
		return model.Say("What a faster GPU would change is not decidable: GPU compute was not observed in this basis.")
	}
	var half, gone factors
	half[y.bit[row]], gone[y.bit[row]] = big.NewRat(1, 2), new(big.Rat)
	whole, h, g := y.t.Window.Len(), y.bounds(&half, HiddenActivity).outward(), y.bounds(&gone, HiddenActivity).outward()
	saved := model.Fraction(ratio(nanoseconds(whole-g.Lo), nanoseconds(whole)))
	if h.Lo == h.Hi {
		return model.Say("With a GPU that computes twice as fast this window of {} would take {}, if nothing unobserved runs alongside. A GPU of any speed saves at most {}, a share of {}.", whole, h.Lo, whole-g.Lo, saved)
	}
	return model.Say("With a GPU that computes twice as fast this window of {} would take between {} and {}, if nothing unobserved runs alongside. A GPU of any speed saves at most {}, a share of {}.", whole, h.Lo, h.Hi, whole-g.Lo, saved)
}

// wished reports whether these very changes were asked for.
func wished(asked []wish, changes []report.Change) bool {
	return slices.ContainsFunc(asked, func(w wish) bool { return slices.Equal(w.Changes, changes) })
}

// None answers for a run in which no table is about the window: what was asked
// for is unknown.
func None(why model.Reason, asked []report.Requested) report.WhatIf {
	out := report.WhatIf{Total: model.Missing[time.Duration](why), Path: model.Missing[report.CriticalPath](why), Limits: limits()}
	for _, r := range asked {
		s := report.Scenario{Name: name(r.Changes), Asked: true, Changes: r.Changes, Strength: HiddenActivity.String()}
		out.Rows = append(out.Rows, s.Unknowable(why, model.Say("no stage was observed on the clock of the window, so what its change does is unknown")))
	}
	return out
}

// A wish is a scenario that was asked for, with the stages that its words mean.
type wish struct {
	report.Requested
	said model.Phrase // which word was taken for another stage
}

// meant resolves words for a stage the way log records are read, where the table
// has no stage of that very name.
func meant(t *stage.Table, asked []report.Requested) []wish {
	var out []wish
	for _, r := range asked {
		w := wish{Requested: report.Requested{Changes: slices.Clone(r.Changes)}}
		for i, c := range r.Changes {
			if c.Stage.Builtin() != "" || t.Row(c.Stage) >= 0 {
				continue
			}
			if s := stage.Meant(c.Stage); t.Row(s) >= 0 {
				w.Changes[i].Stage = s
				w.said = model.Say("{} is read as {}, as in the logs", c.Stage, s)
			}
		}
		out = append(out, w)
	}
	return out
}

// scenario judges one set of changes. A stage that is named twice is scaled by
// both factors.
func (y *system) scenario(changes []report.Change) report.Scenario {
	out := report.Scenario{Name: name(changes), Changes: changes, Strength: HiddenActivity.String()}
	var f, gone factors
	for _, c := range changes {
		x, row := exact(c.Factor), y.t.Row(c.Stage)
		switch {
		case x == nil:
			return out.Unknowable(model.NotComputable, model.Say("a factor must be between 0 and {}", maxFactor))
		case row < 0:
			return out.Unknowable(model.NotRecorded, model.Say("{} was not observed in this basis, so what its change does is unknown", c.Stage))
		case y.t.Rows[row].Busy == 0:
			return out.Unknowable(model.OutsideObservation, model.Say("{} was not observed inside the window, so what its change does is unknown", c.Stage))
		case y.bit[row] < 0:
			return out.Unknowable(model.NotComputable, model.Say("more than {} stages are changed by the scenarios together", stageBits))
		}
		n := y.bit[row]
		if f[n] != nil {
			x.Mul(x, f[n])
		}
		f[n], gone[n] = x, new(big.Rat)
	}
	whole := nanoseconds(y.t.Window.Len())
	b := y.bounds(&f, HiddenActivity)
	total := b.outward()
	out.Total = model.Known(total)
	out.Worst = model.Known(y.bounds(&f, HiddenWaits).outward())
	out.Replay = y.replayed(&f, total)
	out.Saved = model.Known(model.Range[time.Duration]{Lo: y.t.Window.Len() - total.Hi, Hi: y.t.Window.Len() - total.Lo})
	out.Speedup = speedup(whole, b)
	out.Limit = speedup(whole, y.bounds(&gone, HiddenActivity))
	out.GPUShare = y.gpuShare(&f, b)
	if !out.Limit.Known() {
		out.Note = model.Say("without these stages nothing of the window would have to remain: the speed-up has no limit that these records show")
	}
	return out
}

// replayed is the total by a replay, cut to the bounds that hold without its
// claim. A replay that lies outside of them claims what they exclude, and is none.
func (y *system) replayed(f *factors, bounds model.Range[time.Duration]) model.Maybe[model.Range[time.Duration]] {
	if y.replay == nil {
		return model.Missing[model.Range[time.Duration]](y.noReplay)
	}
	r := y.replay.Total(func(row int) *big.Rat { return y.factor(f, row) })
	r.Lo, r.Hi = max(r.Lo, bounds.Lo), min(r.Hi, bounds.Hi)
	if r.Lo > r.Hi {
		return model.Missing[model.Range[time.Duration]](model.Conflict)
	}
	return model.Known(r)
}

// path is the critical path, and what a replay claims, or why there is none.
func (y *system) path() (model.Maybe[report.CriticalPath], model.Phrase) {
	if y.replay == nil {
		return model.Missing[report.CriticalPath](y.noReplay), y.claim
	}
	return model.Known(y.replay.Path()), y.claim
}

// speedup is old / new. A new total that may be 0 has no finite speed-up.
func speedup(whole *big.Rat, b span) model.Maybe[model.Range[float64]] {
	if b.lo.Sign() <= 0 {
		return model.Missing[model.Range[float64]](model.NotComputable)
	}
	return model.Known(model.Range[float64]{Lo: ratio(whole, b.hi), Hi: ratio(whole, b.lo)})
}

// gpuShare is GPU compute over the new total. Runs of one lane follow each other,
// so their time scales exactly; runs of several lanes may overlap more or less
// than before, so only their sum is known.
func (y *system) gpuShare(f *factors, b span) model.Maybe[model.Range[float64]] {
	row := y.t.Row(model.StageGPUCompute)
	if row < 0 {
		return model.Missing[model.Range[float64]](model.NotRecorded)
	}
	if b.hi.Sign() <= 0 {
		return model.Missing[model.Range[float64]](model.NotComputable)
	}
	factor := y.factor(f, row)
	busy := y.gpuBusy(row, y.carries(f))
	busy.lo.Mul(busy.lo, factor)
	busy.hi.Mul(busy.hi, factor)
	share := model.Range[float64]{Lo: min(1, ratio(busy.lo, b.hi)), Hi: 1}
	if b.lo.Sign() > 0 {
		share.Hi = min(1, ratio(busy.hi, b.lo))
	}
	return model.Known(share)
}

// gpuBusy is how long GPU compute runs at unchanged speed, whatever the overlap
// of its lanes becomes.
func (y *system) gpuBusy(row int, coarse bool) span {
	var sum, less, more time.Duration
	lanes := 0
	for _, l := range y.t.Lanes {
		own := runs(l, row).Within(y.t.Window).Len()
		ran := func(r stage.Run) bool { return r.Row == row }
		if own == 0 && !(coarse && slices.ContainsFunc(l.Runs, ran)) {
			continue
		}
		lanes += l.Width
		if coarse {
			for _, r := range l.Runs {
				if d := r.At.Intersect(y.t.Window).Len(); r.Row == row {
					less += min(d, l.Step)
					more += l.Step
				}
			}
		}
		if l.Width == 1 {
			sum += own
			continue
		}
		for _, r := range l.Runs {
			if r.Row == row {
				sum += r.At.Intersect(y.t.Window).Len()
			}
		}
	}
	out := span{nanoseconds(sum - less), nanoseconds(sum + more)}
	if lanes > 1 {
		out.lo.Quo(out.lo, big.NewRat(int64(lanes), 1))
	}
	unseen := y.t.Unobserved.Within(y.t.Window).Subtract(y.t.Rows[row].Set).Len()
	out.hi.Add(out.hi, nanoseconds(unseen))
	return out
}

// maxCurves keeps the picture readable: the stages that ran longest.
const maxCurves = 12

// curves are the totals for one stage at a time, from none of its time to half
// as much again.
func (y *system) curves() []report.Curve {
	var out []report.Curve
	for row, r := range y.t.Rows {
		if n := y.bit[row]; n < 0 || n >= maxCurves && len(y.t.Rows) > maxCurves || r.Busy == 0 {
			continue
		}
		c := report.Curve{Stage: r.Stage}
		for eighth := range int64(13) {
			var f factors
			f[y.bit[row]] = big.NewRat(eighth, 8)
			c.Factor = append(c.Factor, float64(eighth)/8)
			c.Total = append(c.Total, y.bounds(&f, HiddenActivity).outward())
		}
		out = append(out, c)
	}
	return out
}

func name(changes []report.Change) model.Phrase {
	var out model.Phrase
	for _, c := range changes {
		p := model.Say("{} takes {} times its time", c.Stage, c.Factor)
		switch c.Factor {
		case 0.5:
			p = model.Say("{} takes half the time", c.Stage)
		case 0:
			p = model.Say("{} takes no time", c.Stage)
		}
		if out.Empty() {
			out = p
		} else {
			out = model.Say("{}, and {}", out, p)
		}
	}
	return out
}

// resolution says how the resolution of the stamps enters.
func (y *system) resolution() []model.Phrase {
	var coarsest time.Duration
	for _, l := range y.t.Lanes {
		coarsest = max(coarsest, l.Step)
	}
	switch {
	case y.undecided <= 0:
		return nil
	case y.t.Carries(y.undecided):
		return []model.Phrase{model.Say("stamps state an instant to {}: each edge, and the ends of the window, may lie that much later; this leaves {} of the window undecided and is carried into the bounds", coarsest, y.undecided)}
	}
	return []model.Phrase{model.Say("stamps state an instant to {}: this leaves {} of the window undecided, and what moves a total by less than 1/10 000 of the window is not carried into the bounds", coarsest, y.undecided)}
}

func assumes(t *stage.Table, tolerance time.Duration) []model.Phrase {
	out := []model.Phrase{
		model.Say("the same work in the same order, each piece starting when the last thing that it waits for has ended"),
		model.Say("a changed stage scales evenly, and no other stage becomes faster or slower by it"),
		model.Say("work that nobody recorded may fill the gap of a lane that no edge of another lane ends within {}; every other gap is a wait", tolerance),
	}
	if t.Basis.Kind == model.KindLog {
		out = append(out, model.Say("a task whose stages never ran at once is one thread of work"),
			model.Say("unrecorded work behind a run that always ends in a wait is counted for the shortest gap of that task, and for no longer than its longest run"))
	}
	if t.Accounted.Unknown > 0 {
		out = append(out, model.Say("in {} of the window nothing was observed: any of the stages may have run there", t.Accounted.Unknown))
	}
	if t.Basis.Kind == model.KindTrace {
		out = append(out,
			model.Say("a host thread that is not seen waiting counts as working, at unchanged speed"),
			model.Say("preparation in a trace is the wait of the main process for its loader, not the loader's own work"),
			model.Say("how long a launch or the return from a wait takes is not known where a stage hid it: when the stage shrinks it may add microseconds that are outside these bounds"),
			model.Say("the trace's own overhead is part of these times: gaps between device work are an upper bound"))
	}
	return out
}

func limits() []model.Phrase {
	return []model.Phrase{
		model.Say("a GPU share computed here does not predict what a sampling tool will show"),
		model.Say("a change of order, of batch size or of contention between stages is outside these bounds"),
		model.Say("without any assumption about unrecorded work only the best case is bounded: the total may stay as it is"),
	}
}
