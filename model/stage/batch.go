package stage

import (
	"cmp"
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// The rule by which warm-up batches are found. The factors are choices of ours:
// wide enough that the ordinary scatter of batches is not taken for warming up.
const (
	warmNeeds  = 10 // batches; the later half of them says what is usual
	warmSpread = 8  // times the median absolute deviation above the median
	warmShare  = 5  // and at least one fifth of the median above it
	warmMost   = 4  // at most one quarter of the batches: more is no warming up
)

// batches decomposes the rows of a waterfall, each over its own time.
func (b *basis) batches(t Table, by string, rows []report.WaterfallRow, warmUp model.Maybe[int64]) report.Batches {
	out := report.Batches{Basis: t.Basis, By: by}
	for _, r := range t.Rows {
		out.Stages = append(out.Stages, r.Stage)
	}
	var all []report.Batch
	for _, r := range rows {
		if !complete(r) {
			out.Open++
			continue
		}
		at, sets := hull(r), make([]model.Set[model.Time], len(t.Rows))
		for n, s := range out.Stages {
			var of []model.Interval[model.Time]
			for _, i := range r.Intervals {
				if i.Stage == s {
					of = append(of, i.At)
				}
			}
			sets[n] = model.NewSet(of...)
		}
		all = append(all, decomposed(r.Label, at, out.Stages, sets, t.Accounted.UnknownSet))
	}
	finish(&out, all, warmUp)
	return out
}

// stepBatches decomposes a trace step by step, from the sets of its stages: the
// rows of its waterfall hold the longest intervals only.
func (b *basis) stepBatches(t Table, warmUp model.Maybe[int64]) report.Batches {
	out := report.Batches{Basis: t.Basis, By: "step"}
	for _, r := range t.Rows {
		out.Stages = append(out.Stages, r.Stage)
	}
	many := len(t.Basis.Sources) > 1
	var all []report.Batch
	for _, s := range b.steps {
		at := s.at.Intersect(t.Window)
		if at.Empty() {
			continue
		}
		sets := make([]model.Set[model.Time], len(t.Rows))
		for n, id := range out.Stages {
			sets[n] = b.of(s.source, id).Within(at)
		}
		all = append(all, decomposed(stepLabel(s, many), at, out.Stages, sets, t.Accounted.UnknownSet))
	}
	slices.SortStableFunc(all, func(x, y report.Batch) int { return cmp.Compare(x.At.Start, y.At.Start) })
	finish(&out, all, warmUp)
	return out
}

// complete reports whether all edges of the row were observed.
func complete(r report.WaterfallRow) bool {
	return !slices.ContainsFunc(r.Intervals, func(i report.StageInterval) bool { return i.Open })
}

// decomposed cuts a batch's own time at the edges of its stages.
func decomposed(label model.Phrase, at model.Interval[model.Time], ids []model.StageID, sets []model.Set[model.Time], unseen model.Set[model.Time]) report.Batch {
	out := report.Batch{Label: label, At: at, Times: make([]report.StageTime, len(sets))}
	both := map[[2]int]time.Duration{}
	Sweep(append(slices.Clip(sets), unseen), at, func(p model.Interval[model.Time], active []int) {
		hidden := len(active) > 0 && active[len(active)-1] == len(sets)
		if hidden {
			active = active[:len(active)-1]
		}
		switch {
		case len(active) > 0:
		case hidden:
			out.Unknown += p.Len()
		default:
			out.Waiting += p.Len()
		}
		for i, x := range active {
			out.Times[x].Busy += p.Len()
			for _, y := range active[i+1:] {
				both[[2]int{x, y}] += p.Len()
			}
		}
		if len(active) == 1 {
			out.Times[active[0]].Exclusive += p.Len()
		}
	})
	for i := range ids {
		for j := i + 1; j < len(ids); j++ {
			if d := both[[2]int{i, j}]; d > 0 {
				out.Overlap = append(out.Overlap, report.Overlap{A: ids[i], B: ids[j], Both: d})
			}
		}
	}
	return out
}

// finish tells warm-up batches from steady ones, sums both, and keeps what the
// report lists.
func finish(out *report.Batches, all []report.Batch, warmUp model.Maybe[int64]) {
	out.Of = len(all)
	if n, ok := warmUp.Get(); ok {
		out.WarmUp = int(min(n, int64(len(all))))
		out.WarmUpBy = model.Say("run.yaml declares the first {}", n)
	} else {
		out.WarmUp, out.WarmUpBy = warming(all)
	}
	out.Early = group(all[:out.WarmUp], len(out.Stages))
	out.Steady = group(all[out.WarmUp:], len(out.Stages))
	out.Busy = make([][]time.Duration, len(out.Stages))
	for i := range out.Busy {
		for _, b := range all[out.WarmUp:] {
			out.Busy[i] = append(out.Busy[i], b.Times[i].Busy)
		}
	}
	out.Rows = thinned(all, keptRows, func(b report.Batch) time.Duration { return b.At.Len() })
}

// warming finds the batches at the beginning that took longer than the later
// half usually does.
func warming(all []report.Batch) (int, model.Phrase) {
	if len(all) < warmNeeds {
		return 0, model.Say("none is kept apart: the rule that finds what is usual needs {}, and {} were observed", warmNeeds, len(all))
	}
	lengths := func(of []report.Batch) []time.Duration {
		var out []time.Duration
		for _, b := range of {
			out = append(out, b.At.Len())
		}
		slices.Sort(out)
		return out
	}
	late := lengths(all[len(all)/2:])
	usual := late[len(late)/2]
	var apart []time.Duration
	for _, d := range late {
		apart = append(apart, max(d-usual, usual-d))
	}
	slices.Sort(apart)
	limit := usual + max(warmSpread*apart[len(apart)/2], usual/warmShare)
	n := 0
	for n < len(all) && all[n].At.Len() > limit {
		n++
	}
	switch {
	case n > len(all)/warmMost:
		return 0, model.Say("none is kept apart: the first {} of {} took longer than {}, the limit by the later half, and more than a quarter is no warming up", n, len(all), limit)
	case n == 0:
		return 0, model.Say("none is kept apart: the first one took no longer than {}, the limit by the later half (its median, {}, and {} median absolute deviations or a fifth above it)", limit, usual, warmSpread)
	}
	return n, model.Say("the first {} took longer than {}, the limit by the later half (its median, {}, and {} median absolute deviations or a fifth above it), and are kept apart", n, limit, usual, warmSpread)
}

func group(of []report.Batch, stages int) report.BatchGroup {
	g := report.BatchGroup{N: len(of), Stages: make([]report.Spread, stages), Exclusive: make([]time.Duration, stages)}
	values := make([][]time.Duration, stages+1)
	for _, b := range of {
		g.Waiting += b.Waiting
		g.Unknown += b.Unknown
		values[stages] = append(values[stages], b.At.Len())
		for n, t := range b.Times {
			g.Exclusive[n] += t.Exclusive
			values[n] = append(values[n], t.Busy)
		}
	}
	for n := range stages {
		g.Stages[n] = spreadOf(values[n])
	}
	g.Length = spreadOf(values[stages])
	return g
}

func spreadOf(of []time.Duration) report.Spread {
	var s report.Spread
	if len(of) == 0 {
		none := model.Missing[time.Duration](model.NotComputable)
		s.Min, s.Median, s.Max = none, none, none
		return s
	}
	slices.Sort(of)
	for _, d := range of {
		s.Sum += d
	}
	n := len(of)
	s.Min, s.Max = model.Known(of[0]), model.Known(of[n-1])
	s.Median = model.Known(of[(n-1)/2] + (of[n/2]-of[(n-1)/2])/2)
	return s
}
