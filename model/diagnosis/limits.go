package diagnosis

import (
	"cmp"
	"slices"

	"tracemerge/model"
	"tracemerge/model/report"
)

// limitOrder is the order on the first screen: what leaves out most comes first.
var limitOrder = []string{"unreadable", "cut_off", "not_placed", "rejected", "set_aside"}

// limits lists what of the files is in no figure and could change one: files that
// could not be read or are cut off, clocks that are not placed, records that were
// rejected, and records that were set aside although they may hold what a figure
// counts. What is set aside for what it is, such as a comment or an average, is not
// in the list.
func limits(run *report.Run) []report.Limit {
	var out []report.Limit
	for i := range run.Sources {
		s := &run.Sources[i]
		if s.Capture == nil || s.Kind == model.KindRunFile || s.Kind == model.KindUnknown {
			continue
		}
		out = append(out, limitsOf(s)...)
	}
	rank := func(l report.Limit) int { return slices.Index(limitOrder, l.Code) }
	slices.SortStableFunc(out, func(a, b report.Limit) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.N, a.N)) })
	return out
}

func limitsOf(s *report.Source) []report.Limit {
	var out []report.Limit
	c := s.Capture
	add := func(l report.Limit) {
		l.Source, l.Of = s.ID, c.Account.Read
		if l.At.Source == 0 {
			l.At.Source = s.ID
		}
		out = append(out, l)
	}
	switch {
	case c.Err != nil && c.Account.Used == 0:
		add(report.Limit{Code: "unreadable", What: model.Say("{} could not be read: nothing of it is in the figures", s.File)})
		return out
	case c.Truncated || c.Err != nil:
		add(report.Limit{Code: "cut_off", What: model.Say("{} is cut off or damaged: what followed its last whole record is in no figure", s.File)})
	}
	if !s.Placed && len(s.Clocks) > 0 && c.Account.Used > 0 {
		add(report.Limit{Code: "not_placed", N: c.Account.Used, What: model.Say("{} is not on the run's clock: its {} records are in no figure of the window", s.File, c.Account.Used)})
	}
	var rejected int64
	var first model.Pos
	for _, t := range c.Account.Rejected {
		if rejected == 0 {
			first = t.First
		}
		rejected += t.N
	}
	if rejected > 0 {
		add(report.Limit{Code: "rejected", N: rejected, At: first, What: model.Say("{}: {} of {} records could not be read", s.File, rejected, c.Account.Read)})
	}
	for _, t := range c.Account.SetAside {
		for _, n := range c.Notices {
			if n.Code == t.Code && n.Severity >= model.DataLoss {
				add(report.Limit{Code: "set_aside", N: t.N, At: t.First, What: model.Say("{}: {} of {} records were set aside: {}", s.File, t.N, c.Account.Read, n.Text)})
				break
			}
		}
	}
	return out
}
