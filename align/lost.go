package align

import (
	"slices"

	"tracemerge/model"
)

// lost makes traces unobserved on their devices where a log of the run says that the
// profiler lost records: which ones, and where in the trace, it does not say. A
// statement that names a rank is about the traces of that rank, any other about all
// of the run. Captures are not changed: the timeline gets copies.
func (a *aligner) lost() {
	for i := range a.tl.Captures {
		p := &a.tl.Captures[i]
		if p.Trace == nil || p.Window.Empty() {
			continue
		}
		var n int64
		var from []model.Pos
		for _, l := range a.tl.Captures {
			if l.Capture == nil || l.Log == nil {
				continue
			}
			for _, s := range l.Log.Lost {
				if concerns(s, p.Trace) {
					n += s.N
					from = append(from, s.From)
				}
			}
		}
		if len(from) == 0 {
			continue
		}
		c := *p.Capture
		c.Tracks = slices.Clone(c.Tracks)
		note := model.Say("a log of the run says that the profiler lost {} records of device activity: any instant of the trace may lack some", n)
		for t := range c.Tracks {
			track := &c.Tracks[t]
			if track.Kind != model.TrackDevice && track.Kind != model.TrackStream {
				continue
			}
			track.Unknown = append(slices.Clip(track.Unknown), model.Hole{At: p.Window, Why: model.DroppedRecords, Note: note, From: from[:min(len(from), 5)]})
		}
		p.Capture = &c
		a.note("align/records-lost", model.DataLoss, from[0], model.Say("{}: {}", p.Source.File, note))
	}
}

// concerns reports whether a statement of loss may be about the trace.
func concerns(s model.LostRecords, t *model.TraceFacts) bool {
	said, ok := s.Rank.Get()
	own, ok2 := t.Rank.Get()
	return s.N > 0 && (!ok || !ok2 || said == own)
}
