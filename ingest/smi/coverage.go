package smi

import (
	"cmp"
	"slices"
	"time"

	"tracemerge/model"
)

// A gap is a distance between neighbouring stamps of more than gapFactor times the
// usual one and more than gapSlack beyond it. Of 17 public loops with -l and -lms
// all but one keep every distance within 1.15 times the median.
const gapSlack = 250 * time.Millisecond

func gapLimit(period time.Duration) time.Duration { return max(period*3/2, period+gapSlack) }

// A stretch is what a track shows of one piece of the clock: from its first to its
// last stamp, with the holes in between.
type stretch struct {
	piece    model.DomainID
	from, to int // in the track's stamps
	at       model.Interval[model.ClockTime]
	holes    []model.Hole
}

// cover works out, for every track, where it was not observed. A hole
// reaches from the last stamp before it to the next stamp; what the next reading
// says about its end is decided by package align, which knows the metrics'
// windows.
func (r *reader) cover() {
	var rounds []stretch
	for _, t := range r.tracks.all {
		if len(t.stamps) == 0 {
			continue
		}
		own := stretches(t)
		if t.Kind == model.TrackProcess {
			// A process that is not listed for a while did not run or used no GPU; it is
			// unobserved only where the collector itself wrote nothing.
			if rounds == nil {
				rounds = r.collectorStretches()
			}
			clip(own, rounds)
		} else {
			r.findHoles(t, own, period(t))
			r.noteGroups(t)
		}
		for _, s := range own {
			t.Unknown = append(t.Unknown, s.holes...)
		}
	}
}

// clip gives the stretches of a process the holes of the collector that lie in
// them.
func clip(own, rounds []stretch) {
	for i := range own {
		for _, whole := range rounds {
			if whole.piece != own[i].piece {
				continue
			}
			from, _ := slices.BinarySearchFunc(whole.holes, own[i].at.Start, func(h model.Hole, at model.ClockTime) int {
				return cmp.Compare(h.At.End, at)
			})
			for _, h := range whole.holes[from:] {
				if h.At.Start >= own[i].at.End {
					break
				}
				if h.At = h.At.Intersect(own[i].at); !h.At.Empty() {
					own[i].holes = append(own[i].holes, h)
				}
			}
		}
	}
}

// collectorStretches treats the rows of all processes as one track, in order of
// time. Its usual distance is that of the process seen most often: rows of one
// round are milliseconds apart.
func (r *reader) collectorStretches() []stretch {
	type row struct {
		piece model.DomainID
		at    int64
		place
	}
	var rows []row
	most := &track{}
	for _, t := range r.tracks.all {
		for _, s := range stretches(t) {
			for i := s.from; i < s.to; i++ {
				rows = append(rows, row{s.piece, t.stamps[i], t.places[i]})
			}
		}
		if len(t.stamps) > len(most.stamps) {
			most = t
		}
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.piece, b.piece), cmp.Compare(a.at, b.at), cmp.Compare(a.off, b.off))
	})
	all := &track{}
	for i, w := range rows {
		if i == 0 || w.piece != rows[i-1].piece {
			all.cuts = append(all.cuts, cut{i, w.piece})
		}
		all.stamps = append(all.stamps, w.at)
		all.places = append(all.places, w.place)
	}
	out := stretches(all)
	r.findHoles(all, out, period(most))
	return out
}

// period is the median of the distances between neighbouring stamps. Equal stamps
// do not count: whole seconds repeat.
func period(t *track) time.Duration {
	var d []int64
	for i := 1; i < len(t.stamps); i++ {
		if step := t.stamps[i] - t.stamps[i-1]; step > 0 {
			d = append(d, step)
		}
	}
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	return time.Duration(d[len(d)/2])
}

// stretches lists the pieces of a track, without their holes.
func stretches(t *track) []stretch {
	out := make([]stretch, 0, len(t.cuts))
	for n, c := range t.cuts {
		to := len(t.stamps)
		if n+1 < len(t.cuts) {
			to = t.cuts[n+1].from
		}
		at := t.stamps[c.from:to]
		out = append(out, stretch{from: c.from, to: to, piece: c.piece,
			at: model.Interval[model.ClockTime]{Start: model.ClockTime(slices.Min(at)), End: model.ClockTime(slices.Max(at)) + 1}})
	}
	return out
}

func (r *reader) findHoles(t *track, own []stretch, usual time.Duration) {
	for i := range own {
		own[i].holes = r.holes(t, own[i], usual)
	}
}

// holes lists the unobserved intervals of one stretch.
func (r *reader) holes(t *track, s stretch, usual time.Duration) []model.Hole {
	// Stamps of whole seconds are each up to a step late: a distance is a gap only
	// if it is one however they were cut off.
	margin := r.cap.Domains[s.piece].Step
	if margin <= time.Millisecond {
		margin = 0
	}
	var out []model.Hole
	for i := s.from + 1; i < s.to; i++ {
		distance := time.Duration(t.stamps[i] - t.stamps[i-1])
		if distance <= 0 {
			continue
		}
		before, after := t.places[i-1], t.places[i]
		h := model.Hole{At: model.Interval[model.ClockTime]{Start: model.ClockTime(t.stamps[i-1]), End: model.ClockTime(t.stamps[i])}}
		failed, n := between(r.failures, before, after)
		switch {
		case n > 0:
			h.Why = model.ReadError
			h.Note = model.Say("the collector reports {} time(s) that it cannot reach the GPUs", n)
			h.From = []model.Pos{r.at(failed), r.at(after)}
		case distance-margin > gapLimit(usual):
			r.explain(&h, before, after)
			r.notices.Add("smi/gap", model.Note, r.at(after), model.Say(
				"{} lie between two rows of one GPU (or of a list of processes) where {} are usual: nothing is known in between", distance, usual))
		default:
			continue
		}
		out = append(out, h)
	}
	return out
}

// explain gives a hole its reason: rows stand in it that could not be read, or
// that name no GPU, or there is nothing at all.
func (r *reader) explain(h *model.Hole, before, after place) {
	h.Why = model.CollectorGap
	h.From = []model.Pos{r.at(before), r.at(after)}
	if first, n := between(r.losses, before, after); n > 0 {
		h.Why, h.From = model.MalformedRecords, []model.Pos{r.at(first), r.at(after)}
		h.Note = model.Say("{} row(s) here could not be read", n)
	} else if first, n := between(r.nameless, before, after); n > 0 {
		h.Why, h.From = model.ReadError, []model.Pos{r.at(first), r.at(after)}
		h.Note = model.Say("{} row(s) here hold error words in place of the GPU's identity", n)
	}
}

// between counts the places that stand between two rows, and returns the first.
func between(ps []place, before, after place) (first place, n int) {
	byOffset := func(p place, off int64) int { return cmp.Compare(p.off, off) }
	lo, _ := slices.BinarySearchFunc(ps, before.off, byOffset)
	hi, _ := slices.BinarySearchFunc(ps, after.off, byOffset)
	if lo >= hi {
		return place{}, 0
	}
	return ps[lo], hi - lo
}

func (r *reader) at(p place) model.Pos {
	return model.Pos{Source: r.src, Line: p.line, Offset: p.off}
}

// roundSpread is how far the stamps of one round over several GPUs lie apart at
// most; 1 to 4 ms are usual.
const roundSpread = int64(10 * time.Millisecond)

// noteGroups notes that rows without a GPU's identity come in groups, as a query
// over several GPUs prints them.
func (r *reader) noteGroups(t *track) {
	if t.uuid+t.index+t.bus != "" || len(t.stamps) < 4 {
		return
	}
	close, far := 0, 0
	for i := 1; i < len(t.stamps); i++ {
		if d := t.stamps[i] - t.stamps[i-1]; d >= 0 && d <= roundSpread {
			close++
		} else if d >= 4*roundSpread {
			far++
		}
	}
	if close*3 > len(t.stamps) && far*20 > len(t.stamps) {
		r.notices.Add("smi/several-unnamed", model.DataLoss, r.at(t.places[0]), model.Say(
			"rows come in groups of nearly the same time and no column names the GPU: probably several GPUs, which cannot be told apart; export uuid or index"))
	}
}
