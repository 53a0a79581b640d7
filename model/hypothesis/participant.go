package hypothesis

import (
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// participantWait looks at the ranks side by side where their collectives match,
// and else at each trace alone, where waiting and transferring look the same.
func participantWait(v *view) (f finding) {
	f.thresholds = append(f.thresholds, v.ours())
	rs := &v.run.Ranks
	if rs.Together.Calls > 0 {
		v.ranksWaited(&f, rs)
	} else {
		v.communicatedAlone(&f)
	}
	if !f.evaluated {
		f.lacks(model.Say("a profiler trace with communication kernels"))
	}
	v.ranksLacked(&f, rs)
	return f
}

// ranksWaited weighs the ranks side by side. That some rank waits little is what
// the hypothesis expects of the one that comes last, so it speaks against it only
// where it holds for every rank.
func (v *view) ranksWaited(f *finding, rs *report.Ranks) {
	w := &rs.Together
	most, late, measured, little := 0, 0, 0, 0
	for i, r := range rs.Ranks {
		if w.Waited[i] > w.Waited[most] {
			most = i
		}
		if w.Last[i] > w.Last[late] || w.Last[i] == w.Last[late] && w.Waited[i] < w.Waited[late] {
			late = i
		}
		span := v.traceSpan(r.Source)
		if span <= 0 {
			continue
		}
		measured++
		share := float64(w.Waited[i]) / float64(span)
		if share >= v.at[model.AloneMuch] {
			f.pro(report.Evidence{At: model.Pos{Source: r.Source}, What: model.Say("rank {}: its communication kernels ran for {}, {} longer than the shortest of the same calls on any rank; it waited at least that long, a share of {} of its recorded device time, if no rank's own transfer took longer than that shortest call",
				r.Rank, w.Held[i], w.Waited[i], model.Fraction(share))})
		}
		if share < v.at[model.AloneLittle] {
			little++
		}
	}
	f.evaluated = measured > 0
	if f.evaluated && little == measured {
		f.con(report.Evidence{At: model.Pos{Source: rs.Ranks[most].Source}, What: model.Say("in the {} calls that match over {} ranks no rank's kernels ran longer than the shortest by a share of {} of its recorded device time; rank {} had the most, {}",
			w.Calls, len(rs.Ranks), model.Fraction(v.at[model.AloneLittle]), rs.Ranks[most].Rank, w.Waited[most])})
	}
	if most != late {
		f.next = model.Say("Compare rank {}, whose kernel was the shortest in {} of {} matched calls (the last to come, if the kernels of a call end together), with rank {}, which waited longest, over the time before those calls. Then exchange the input of the two ranks, same settings: a delay that goes with the input speaks for the input, one that stays for the host or the device.",
			rs.Ranks[late].Rank, w.Last[late], w.Calls, rs.Ranks[most].Rank)
	} else {
		f.next = model.Say("No rank's kernel was the shortest more often than that of the rank that waited longest (rank {}): record more steps on the same ranks, and look whether the order changes from call to call.", rs.Ranks[most].Rank)
	}
}

// communicatedAlone weighs each trace by itself.
func (v *view) communicatedAlone(f *finding) {
	v.traces(func(s report.Source, d report.TraceDevice) {
		if d.CommBusy == 0 || d.Span.Len() <= 0 {
			return
		}
		f.evaluated = true
		alone := d.CommBusy - d.CommOverlap
		share := float64(alone) / float64(d.Span.Len())
		e := report.Evidence{At: model.Pos{Source: s.ID}, What: model.Say("device {}: communication kernels ran for {}, {} of it without other kernels, a share of {} of the span", d.Device, d.CommBusy, alone, model.Fraction(share))}
		switch {
		case share >= v.at[model.AloneMuch]:
			f.pro(e)
		case share < v.at[model.AloneLittle]:
			f.con(e)
		}
	})
}

// ranksLacked says which ranks, or which matches, were not there to compare.
func (v *view) ranksLacked(f *finding, rs *report.Ranks) {
	traces := 0
	var world int64
	for _, s := range v.run.Sources {
		if s.Trace == nil || s.Trace.Facts == nil {
			continue
		}
		traces++
		if n, ok := s.Trace.Facts.WorldSize.Get(); ok {
			world = max(world, n)
		}
	}
	switch n := int64(len(rs.Ranks)); {
	case traces < 2:
		f.lacks(model.Say("traces of the other ranks: for one rank alone, waiting and transferring inside a collective cannot be separated"))
	case n < 2:
		f.lacks(model.Say("traces that state different ranks: for one rank alone, waiting and transferring inside a collective cannot be separated"))
	case rs.Together.Calls == 0 && len(rs.Collectives) > 0:
		f.lacks(model.Say("collectives that match over the {} ranks by name, number and time", n))
		f.next = model.Say("Record the same steps on every rank with one schedule of the profiler, so that each call has its counterpart on every rank.")
	case n < world:
		f.lacks(model.Say("traces of {} of the {} ranks: a rank that was not recorded may have come later than those that were", world-n, world))
	}
}

// traceSpan is the longest time between first and last device record in a trace.
func (v *view) traceSpan(id model.SourceID) (span time.Duration) {
	v.traces(func(s report.Source, d report.TraceDevice) {
		if s.ID == id {
			span = max(span, d.Span.Len())
		}
	})
	return span
}
