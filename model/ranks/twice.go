package ranks

import (
	"tracemerge/model"
)

// A TwiceError says that two traces of one run state the same rank and that
// nothing shows them to be two captures of it, one after the other. Its text
// names the files, so it is a phrase for the redactor.
type TwiceError struct {
	Text model.Phrase
	At   []model.Pos // the two files
}

// Error names no file.
func (e *TwiceError) Error() string { return "two traces of one run state the same rank" }

// Twice returns the first two traces that state one rank, nil if there are none.
// Traces whose windows do not touch on a clock that they share are no fault: a
// profiler writes one file for each of its cycles. Copies hold no trace any more.
func Twice(tl *model.Timeline) *TwiceError {
	for i := range tl.Captures {
		a := &tl.Captures[i]
		for j := range i {
			b := &tl.Captures[j]
			rank, same := sameRank(a, b)
			if !same || a.Window.Empty() || b.Window.Empty() {
				continue
			}
			apart, comparable := disjoint(a, b)
			if apart {
				continue
			}
			how := model.Say("no clock that both share tells one from the other")
			if comparable {
				how = model.Say("their windows overlap")
			}
			return &TwiceError{At: []model.Pos{{Source: b.Source.ID}, {Source: a.Source.ID}},
				Text: model.Say("{} and {} both state rank {}, and {}: one run has a rank once; remove the file that is not of this run, or give each run a folder of its own",
					b.Source.File, a.Source.File, rank, how)}
		}
	}
	return nil
}

func sameRank(a, b *model.Placed) (int64, bool) {
	if a.Trace == nil || b.Trace == nil {
		return 0, false
	}
	x, known := a.Trace.Rank.Get()
	y, other := b.Trace.Rank.Get()
	return x, known && other && x == y
}

// disjoint reports whether two windows have no instant in common, whatever the
// offsets are within their bounds, and whether the two can be compared at all:
// both readings count from the Unix epoch, or both have a place on the timeline.
func disjoint(a, b *model.Placed) (apart, comparable bool) {
	if unix(a) && unix(b) {
		return a.Window.End <= b.Window.Start || b.Window.End <= a.Window.Start, true
	}
	aFrom, aTo, ok := extent(a)
	bFrom, bTo, other := extent(b)
	if !ok || !other {
		return false, false
	}
	return aTo <= bFrom || bTo <= aFrom, true
}

func unix(p *model.Placed) bool { return len(p.Domains) > 0 && p.Domains[0].Kind == model.DomainUnix }

// extent is the window on the timeline, as wide as the bounds of its offset allow.
func extent(p *model.Placed) (from, to model.Time, ok bool) {
	from, before, ok := p.At(0, p.Window.Start)
	last, after, other := p.At(0, p.Window.End-1)
	return from - model.Time(before), last + model.Time(after) + 1, ok && other
}
