package hoststat

import (
	"slices"
	"time"

	"tracemerge/model"
)

// A distance between two reports counts as a gap as it does for GPU samplers: more
// than 1.5 times the usual one and 0.25 s beyond it; whole seconds add one.
func gapLimit(usual time.Duration) time.Duration {
	return max(usual*3/2, usual+250*time.Millisecond) + time.Second
}

// cover says where each track was not observed: where the collector wrote nothing
// between the track's first and its last row.
func (r *reader) cover() {
	stamps := r.clock.stamps
	usual := usualDistance(stamps)
	holes := map[model.DomainID][]model.Hole{}
	for i := 1; i < len(stamps); i++ {
		a, b := stamps[i-1], stamps[i]
		if a.piece != b.piece || usual == 0 || time.Duration(b.at-a.at) <= gapLimit(usual) {
			continue
		}
		holes[a.piece] = append(holes[a.piece], model.Hole{At: model.Interval[model.ClockTime]{Start: model.ClockTime(a.at), End: model.ClockTime(b.at)},
			Why: model.CollectorGap, From: []model.Pos{a.pos, b.pos}})
		r.notices.Add("hoststat/gap", model.Note, b.pos, model.Say("{} lie between two reports where {} are usual: nothing is known in between", time.Duration(b.at-a.at), usual))
	}
	for _, t := range r.tracks.list {
		for _, s := range t.seen {
			if r.clock.domains[s.piece].Kind == model.DomainNone {
				continue
			}
			whole := model.Interval[model.ClockTime]{Start: model.ClockTime(s.first), End: model.ClockTime(s.last + 1)}
			for _, h := range holes[s.piece] {
				if h.At = h.At.Intersect(whole); !h.At.Empty() {
					t.Unknown = append(t.Unknown, h)
				}
			}
		}
	}
}

// usualDistance is the median distance of reports on one piece.
func usualDistance(stamps []tick) time.Duration {
	var d []int64
	for i := 1; i < len(stamps); i++ {
		if stamps[i].piece == stamps[i-1].piece && stamps[i].at > stamps[i-1].at {
			d = append(d, stamps[i].at-stamps[i-1].at)
		}
	}
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	return time.Duration(d[len(d)/2])
}
