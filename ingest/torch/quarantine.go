package torch

import (
	"math"
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/frame"
)

// kept is the verdict on a record that no rule keeps out.
const kept code = -1

// judge decides which records are kept out of the figures.
type judge struct {
	zero   bool // a start of 0 is no time
	body   body // any: records far from it are kept out
	rec    hull // the recorder's window, if it states one that is near the body
	window bool // device records that end after it or start before it are kept out
}

// verdict returns the first rule that keeps a record out.
//
// A kernel or copy outside the recorder's window contradicts the recorder, which
// drops those itself; what child profilers add (MTIA) it does not drop.
func (j *judge) verdict(kind model.SpanKind, start, end int64) code {
	switch {
	case start == 0:
		if j.zero {
			return tsZero
		}
		return kept
	case j.body.any && !j.body.near(start, end, farLeast) && !j.inside(start, end):
		return farOff
	case !j.window || !dropsOutside(kind):
		return kept
	case end > int64(j.rec.hi):
		return endsLate
	case start < int64(j.rec.lo):
		return startsEarly
	}
	return kept
}

func (j *judge) inside(start, end int64) bool {
	return j.rec.any && start >= int64(j.rec.lo) && end <= int64(j.rec.hi)
}

// dropsOutside reports whether the recorder leaves out records of the kind that do
// not lie inside its window.
func dropsOutside(k model.SpanKind) bool {
	return k == model.SpanKernel || k == model.SpanCommunication || k == model.SpanMemcpy || k == model.SpanMemset
}

// quarantine applies the rules and returns what is left, and the hull of it.
func (r *reader) quarantine(table model.Columns[model.SpanBatch], j *judge) (model.Columns[model.SpanBatch], hull) {
	out, device := r.tally(table, j)
	if bad := out[endsLate].n + out[startsEarly].n; j.window && bad > 0 && bad*2 >= device {
		// Half of the device's records or more contradict the window: it is the window
		// that is wrong.
		r.note(windowDoubted, r.windowAt)
		j.window = false
		out, _ = r.tally(table, j)
	}
	var n int64
	for _, c := range []code{tsZero, farOff, endsLate, startsEarly} {
		n += out[c].n
		r.seen[c], r.would[c] = out[c].happening, out[c].would
	}
	if n > 0 {
		return r.sift(table, j)
	}
	h := r.hull
	if r.zeros > 0 {
		h.add(0, r.zeroEnd)
	}
	return table, h
}

// quarantined counts what one rule keeps out.
type quarantined struct {
	happening
	would time.Duration
}

// tally counts the verdicts, and the device records that the window rules judge.
func (r *reader) tally(table model.Columns[model.SpanBatch], j *judge) (out [codeCount]quarantined, device int64) {
	for b := range table.Batches() {
		for i, k := range b.Kind {
			if dropsOutside(model.SpanKind(k)) {
				device++
			}
			c := j.verdict(model.SpanKind(k), b.Start[i], b.End[i])
			if c == kept {
				continue
			}
			q := &out[c]
			q.addN(model.Pos{Source: r.src, Offset: b.Offset[i]}, r.elements(b.Offset[i]))
			q.would = sum(q.would, time.Duration(b.End[i]-b.Start[i]))
		}
	}
	return out, device
}

// elements is the number of elements of the event array that a span was made of.
func (r *reader) elements(offset int64) int64 {
	if _, ok := slices.BinarySearch(r.paired, offset); ok {
		return 2
	}
	return 1
}

// sift copies what no rule keeps out.
func (r *reader) sift(table model.Columns[model.SpanBatch], j *judge) (model.Columns[model.SpanBatch], hull) {
	var rows frame.Spans
	var h hull
	for b := range table.Batches() {
		for i, k := range b.Kind {
			if j.verdict(model.SpanKind(k), b.Start[i], b.End[i]) != kept {
				r.used -= r.elements(b.Offset[i])
				continue
			}
			h.add(model.ClockTime(b.Start[i]), model.ClockTime(b.End[i]))
			rows.Append(b.Start[i], b.End[i], model.TrackID(b.Track[i]), b.Name[i], model.SpanKind(k), b.Link[i], b.Offset[i])
		}
	}
	out := func(s step) bool {
		return j.verdict(s.span.Kind, int64(s.span.At.Start), int64(s.span.At.End)) != kept
	}
	r.steps, r.markers = slices.DeleteFunc(r.steps, out), slices.DeleteFunc(r.markers, out)
	if t := rows.Table(); t != nil {
		return t, h
	}
	return model.SpanRows(nil), h
}

// sum adds durations without running over.
func sum(a, b time.Duration) time.Duration {
	switch s := a + b; {
	case a > 0 && b > 0 && s < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && s >= 0:
		return math.MinInt64
	default:
		return s
	}
}

// reportQuarantine states what was kept out, rule by rule.
func (r *reader) reportQuarantine() {
	table := rules()
	for _, c := range []code{tsZero, farOff, endsLate, startsEarly, durNegative} {
		h := &r.seen[c]
		if h.n == 0 {
			continue
		}
		text := quarantineText(c, r.would[c])
		r.facts.Quarantine = append(r.facts.Quarantine, model.Quarantined{Rule: table[c].name, Why: text, N: h.n, Would: r.would[c], First: h.at[0]})
		r.cap.Notices = append(r.cap.Notices, model.Notice{Code: table[c].name, Severity: model.DataLoss, Text: text, N: h.n, At: h.at})
	}
}

// quarantineText is a rule in words, with the time that its records state.
func quarantineText(c code, would time.Duration) model.Phrase {
	switch c {
	case tsZero:
		return model.Say("records at time 0, which means that the recorder had no time for them: left out; they state {} of time together, at an unknown place", would)
	case farOff:
		return model.Say("records that start or end farther from the others than ten times the extent of those, and than 10 minutes: left out; they state {} of time together", would)
	case endsLate:
		return model.Say("device records that end after the recorder's window, although the recorder drops those: left out; they state {} of time together", would)
	case startsEarly:
		return model.Say("device records that start before the recorder's window, although the recorder drops those: left out; they state {} of time together", would)
	}
	return model.Say("events with a negative dur: kept as records of length 0, which cover no time; they state {} together", would)
}
