package smi

import (
	"time"

	"tracemerge/model"
)

// maxPieces bounds the pieces of a clock; two writers in one file can step back
// and forth with every row.
const maxPieces = 1 << 8

// stepBack is how far a stamp of a track must lie before the one before to be a
// step of the clock. Rows of one round are milliseconds apart.
const stepBack = time.Second

// domain returns the current piece of the clock.
func (r *reader) domain() model.DomainID { return model.DomainID(max(0, len(r.cap.Domains)-1)) }

// tick adds a row's stamp to its track and to the current piece of the clock, and
// begins a new piece where the clock steps back or its kind changes. It reports
// false when the file has too many pieces to begin another.
func (r *reader) tick(t *track, st stamp, rec record) bool {
	n := len(r.cap.Domains)
	other := n > 0 && r.cap.Domains[n-1].Kind != st.kind
	var back time.Duration
	if last := len(t.stamps) - 1; st.kind != model.DomainNone && last >= 0 && t.piece == n-1 {
		back = time.Duration(t.stamps[last] - st.at)
	}
	switch {
	case n == 0:
		r.piece(st, rec)
	case !other && back <= stepBack:
	case n >= maxPieces:
		r.notices.Add("smi/clock-steps", model.DataLoss, r.pos(rec), model.Say(
			"the clock changed more than {} times (several writers in one file?): rows that step back again were not read", maxPieces))
		return false
	case other:
		r.piece(st, rec)
		r.noteStep(model.Say("another kind of clock begins here, with another header"))
	default:
		r.piece(st, rec)
		r.noteStep(stepNote(back, st.kind))
		r.notices.Add("smi/clock-set-back", model.DataLoss, r.pos(rec), model.Say(
			"the stamps step back by {}: the rows from here on have a clock of their own; they were not sorted", back))
	}
	r.stampTrack(t, st, rec)
	return true
}

// stampTrack adds the stamp to the track and the current piece.
func (r *reader) stampTrack(t *track, st stamp, rec record) {
	d := &r.cap.Domains[len(r.cap.Domains)-1]
	d.Step = min(d.Step, st.step)
	if st.kind == model.DomainNone {
		t.piece = int(d.ID)
		return
	}
	d.Valid.Start = min(d.Valid.Start, model.ClockTime(st.at))
	d.Valid.End = max(d.Valid.End, model.ClockTime(st.at+1))
	switch {
	case len(t.stamps) == 0:
		t.Domain = d.ID
		t.cuts = append(t.cuts, cut{0, d.ID})
	case t.piece != int(d.ID):
		t.cuts = append(t.cuts, cut{len(t.stamps), d.ID})
	case t.stamps[len(t.stamps)-1] == st.at && st.step < time.Second:
		r.sameStamp(t, rec)
	}
	t.piece = int(d.ID)
	t.stamps = append(t.stamps, st.at)
	t.places = append(t.places, place{rec.line, rec.off})
	t.last = append(t.last[:0], rec.text...)
}

// sameStamp notes two rows of one track at one instant; both stay.
func (r *reader) sameStamp(t *track, rec record) {
	if string(t.last) == string(rec.text) {
		r.notices.Add("smi/repeated-row", model.Note, r.pos(rec), model.Say(
			"a row repeats the one before it word for word: probably a copy; it was kept"))
		return
	}
	r.notices.Add("smi/equal-stamps", model.Note, r.pos(rec), model.Say(
		"two rows of one GPU or process have the same time and different values: both were kept"))
}

// piece begins a piece of the clock.
func (r *reader) piece(st stamp, rec record) {
	d := model.Domain{ID: model.DomainID(len(r.cap.Domains)), Kind: st.kind, Step: st.step, From: r.pos(rec)}
	if st.kind != model.DomainNone {
		d.Valid = model.Interval[model.ClockTime]{Start: model.ClockTime(st.at), End: model.ClockTime(st.at + 1)}
	}
	name := model.NewText("", model.ClassMetric)
	for _, i := range []int{r.sheet.stamp, r.sheet.at[fElapsed]} {
		if i >= 0 && name.Empty() {
			name = model.NewText(r.sheet.cols[i].name, model.ClassMetric)
		}
	}
	switch st.kind {
	case model.DomainCivil:
		d.Why = model.Say("column {} holds calendar time without a zone (nvidia-smi stamps are the local time of its process)", name)
	case model.DomainUnix:
		d.Why = model.Say("column {} holds times with a zone or counts from 1970", name)
	case model.DomainRelative:
		d.Why = model.Say("column {} counts seconds from a start that the file does not state", name)
	case model.DomainDay:
		d.Why = model.Say("column {} holds times of day without a date (dmon -o T; -o DT writes the date too)", name)
	default:
		d.Why = model.Say("no column holds a time: samples are counted, none is placed (query timestamp, or dmon and pmon -o DT)")
	}
	r.cap.Domains = append(r.cap.Domains, d)
}

func (r *reader) noteStep(note model.Phrase) {
	d := &r.cap.Domains[len(r.cap.Domains)-1]
	d.Notes = append(d.Notes, note)
}

// stepNote says how far the clock went back and what such a distance can be.
func stepNote(back time.Duration, kind model.DomainKind) model.Phrase {
	if kind == model.DomainRelative {
		return model.Say("the count of seconds begins anew, {} before the row above: the collector may have been started again", back)
	}
	if kind == model.DomainDay && back > 20*time.Hour {
		return model.Say("the time of day steps back by {}: midnight may have passed", back)
	}
	// Real zones shift by 30, 60, 120 or 180 minutes; the fold is seen one
	// sampling period short of that.
	for _, m := range []time.Duration{30, 60, 120, 180} {
		if off := m*time.Minute - back; kind == model.DomainCivil && off.Abs() < 30*time.Second {
			return model.Say("the stamps step back by {}: a daylight saving fold is possible", back)
		}
	}
	return model.Say("the stamps step back by {}, which is no daylight saving step: the clock was set back, or two logs were joined", back)
}
