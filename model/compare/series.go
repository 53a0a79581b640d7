package compare

import (
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/model/stat"
)

// series is a quantity with many values in a run, in seconds and in the order of
// time; less is better.
type series struct {
	name    string
	what    model.Phrase
	of      func(*report.Run) []float64
	covered func(*report.Run) model.Maybe[float64]
}

var seriesTable = []series{
	{"batch interval, median", model.Say("The time from the end of one batch to the end of the next"), intervals, basisCovered},
	{"batch latency, median", model.Say("The time from the first start to the last end of a batch"), lengths, basisCovered},
	{"profiled step, median", model.Say("The length of a step on the host as the trace of the lowest rank records it"), steps, traceCovered},
}

// apart is the factor, at least 1, between the medians of two series.
func apart(a, b []float64) (float64, bool) {
	x, ok := stat.MedianOf(a).Value.Get()
	y, ok2 := stat.MedianOf(b).Value.Get()
	if !ok || !ok2 || x <= 0 || y <= 0 {
		return 0, false
	}
	return max(x/y, y/x), true
}

// held compares one series of two runs; the floor is 0 where there are no repeats.
func held(m report.MetricChange, what model.Phrase, a, b []float64, floor float64) report.MetricChange {
	p := stat.Compare(a, b)
	m.Unit, m.Base, m.Next, m.Ratio, m.Verdict = "s", middle(p.Base), middle(p.Next), p.Ratio, report.NotObserved
	if !m.Ratio.Known() {
		m.Ratio = ratio(m.Base, m.Next)
	}
	if !m.Base.Known() || !m.Next.Known() {
		return m
	}
	distinct, known := p.Distinct(floor)
	if !known {
		m.Verdict = report.TooFew
		m.Note = model.Say("{}: {} values against {}, in blocks of {} and {} because neighbours resemble each other; six blocks in each run are needed.", what, p.Base.N, p.Next.N, p.Base.Block, p.Next.Block)
		return m
	}
	chance, _ := p.P.Get()
	drift, _ := p.Drift.Get()
	repeats := model.Say("without repeated runs nothing is known of how much runs differ by themselves")
	if floor > 0 {
		repeats = model.Say("repeated runs differ by {}", model.Fraction(floor-1))
	}
	m.Note = model.Say("{}: {} values against {}, in {} and {} blocks of neighbours; ranges of the medians at 95 %, of the ratio at 99 %. Mann-Whitney test: p = {}, wanted below {}. Within a run the level drifts by up to {}; {}.",
		what, p.Base.N, p.Next.N, p.Base.Blocks, p.Next.Blocks, round(chance), stat.Level, model.Fraction(drift-1), repeats)
	x, _ := p.Base.Value.Get()
	y, _ := p.Next.Value.Get()
	switch {
	case !distinct:
		m.Verdict = report.NotDistinguishable
	case y < x:
		m.Verdict = report.Improved
	default:
		m.Verdict = report.Worse
	}
	return m
}

// middle is the interval of the median, or the median where there is none.
func middle(s stat.Series) model.Maybe[model.Range[float64]] {
	if s.Spread.Known() || !s.Value.Known() {
		return s.Spread
	}
	return single(s.Value)
}

// lengths is the latency of every steady batch of the primary basis.
func lengths(r *report.Run) []float64 {
	var out []float64
	for _, s := range steady(r) {
		out = append(out, s.Len().Seconds())
	}
	return out
}

// intervals is the distance of every end of a batch from the one before it: the
// pace of the run, whatever its batches overlap.
func intervals(r *report.Run) []float64 {
	var ends []model.Time
	for _, s := range steady(r) {
		ends = append(ends, s.End)
	}
	slices.Sort(ends)
	var out []float64
	for i := 1; i < len(ends); i++ {
		out = append(out, time.Duration(ends[i]-ends[i-1]).Seconds())
	}
	return out
}

// steady is the batches after the warm-up.
func steady(r *report.Run) []model.Interval[model.Time] {
	if len(r.Waterfalls) == 0 || r.Waterfalls[0].Basis.Kind == model.KindTrace {
		return nil // the steps of a trace are a series of their own
	}
	w := &r.Waterfalls[0]
	return w.Spans[min(w.Batches.WarmUp, len(w.Spans)):]
}

// lowest is the trace with steps of the lowest rank, nil if there is none; without
// ranks the first.
func lowest(r *report.Run) *report.Source {
	var best *report.Source
	rank := int64(0)
	for i := range r.Sources {
		s := &r.Sources[i]
		if s.Trace == nil || s.Trace.Facts == nil || len(s.Trace.Facts.Steps) == 0 {
			continue
		}
		if n, ok := s.Trace.Facts.Rank.Get(); best == nil || ok && n < rank {
			best, rank = s, n
		}
	}
	return best
}

func steps(r *report.Run) []float64 {
	var out []float64
	if s := lowest(r); s != nil {
		for _, p := range s.Trace.Facts.Steps {
			out = append(out, p.At.Len().Seconds())
		}
	}
	return out
}

// basisCovered is the share of the window in which stages were observed.
func basisCovered(r *report.Run) model.Maybe[float64] {
	if !r.Accounted.Known || !r.Window.Known {
		return model.Missing[float64](model.NoSource)
	}
	return shareOf(r.Window.At.Len()-r.Accounted.Unknown, r.Window.At.Len())
}

func traceCovered(r *report.Run) model.Maybe[float64] {
	s := lowest(r)
	if s == nil || !r.Window.Known {
		return model.Missing[float64](model.NoSource)
	}
	seen, ok := s.Covered.Get()
	if !ok {
		return model.Missing[float64](s.Covered.Why())
	}
	return shareOf(seen, r.Window.At.Len())
}
