package diagnosis

import (
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// findings are the strongest supported statements, for the first screen: each is
// an observation or a bound that a section of the page shows in full.
func findings(run *report.Run) []report.Finding {
	var out []report.Finding
	add := func(n int, link string, p model.Phrase) {
		out = append(out, report.Finding{Text: p, Evidence: n, Link: link})
	}
	if row, n, ok := longestAlone(run); ok {
		add(n, "waterfall", model.Say("{} ran alone for {} of the {} window ({}).", row.Stage, row.Exclusive,
			run.Stages[run.Primary].Window.Len(), fraction(row.Exclusive.Seconds(), run.Stages[run.Primary].Window.Len().Seconds())))
	}
	if s, ok := best(run); ok {
		c := s.Changes[0]
		total, _ := s.Total.Get()
		switch {
		case total.Lo == total.Hi:
			add(1, "what-if", model.Say("If {} took half the time, the window of {} would become {}.", c.Stage, run.Stages[run.Primary].Window.Len(), total.Lo))
		default:
			add(1, "what-if", model.Say("If {} took half the time, the window of {} would become between {} and {}.", c.Stage, run.Stages[run.Primary].Window.Len(), total.Lo, total.Hi))
		}
	}
	for _, s := range run.Sources {
		if s.Trace == nil {
			continue
		}
		for _, d := range s.Trace.Devices {
			add(1, "devices", model.Say("Device {} had no recorded device work for {} of the {} between its first and last record in {}.", d.Device, d.Idle, d.Span.Len(), s.ID))
		}
		break
	}
	if c := run.Progress.Pace.Change; c != nil {
		add(int(c.N[0]+c.N[1]), "record", c.What)
	}
	if w := &run.Ranks.Together; w.Calls > 0 {
		rs := run.Ranks.Ranks
		most, late := slices.Index(w.Waited, slices.Max(w.Waited)), slices.Index(w.Last, slices.Max(w.Last))
		if w.Waited[most] > 0 {
			add(int(w.Calls), "devices", model.Say("In {} matched collectives of {} ranks, rank {} waited longest, at least {}; in {} of them the shortest kernel was that of rank {}, the last to come if all end together.",
				w.Calls, len(rs), rs[most].Rank, w.Waited[most], w.Last[late], rs[late].Rank))
		}
	}
	if n := len(run.Pauses); n > 0 {
		p := run.Pauses[0]
		for _, q := range run.Pauses {
			if q.At.Len() > p.At.Len() {
				p = q
			}
		}
		add(len(p.Evidence), "pauses", model.Say("The longest pause took {} ({} found): {}", p.At.Len(), n, p.Why))
	}
	return out
}

func fraction(part, whole float64) model.Fraction {
	if whole <= 0 {
		return 0
	}
	return model.Fraction(part / whole)
}

// longestAlone is the stage with the longest time in which no other ran, and how
// many intervals it has.
func longestAlone(run *report.Run) (row report.StageRow, n int, ok bool) {
	if run.Primary < 0 {
		return row, 0, false
	}
	for _, r := range run.Stages[run.Primary].Rows {
		if r.Exclusive > row.Exclusive {
			row, ok = r, true
		}
	}
	return row, int(row.Intervals), ok
}

// best is the single-stage halving whose guaranteed saving is largest.
func best(run *report.Run) (report.Scenario, bool) {
	var found report.Scenario
	var most model.Range[time.Duration]
	ok := false
	for _, s := range run.WhatIf.Rows {
		if len(s.Changes) != 1 || s.Changes[0].Factor != 0.5 || !s.Note.Empty() {
			continue
		}
		saved, known := s.Saved.Get()
		if known && (!ok || saved.Lo > most.Lo || saved.Lo == most.Lo && saved.Hi > most.Hi) {
			found, most, ok = s, saved, true
		}
	}
	return found, ok
}
