package applog

import (
	"bytes"

	"tracemerge/model"
)

// maxLost bounds the statements of loss that are kept; later ones are counted in
// the notice only.
const maxLost = 1000

// lost looks for what Kineto says in the log of a job about records that are not
// in the trace it writes: "Dropped 12 activity records" (CuptiActivityApi.cpp: no
// buffer was left for them) and "Out-of-range = 3" (CuptiActivityProfiler.cpp:
// their stamps lie outside the profiler's window). The trace says neither.
func (r *reader) lost(b []byte, f form, at model.Pos) {
	b = b[:min(len(b), messageReach)]
	l := model.LostRecords{At: model.Missing[model.ClockTime](model.NotRecorded), Rank: model.Missing[int64](model.NotRecorded), From: at}
	if i := bytes.Index(b, []byte(" activity records")); i >= 0 {
		if j := bytes.LastIndex(b[:i], []byte("Dropped ")); j >= 0 {
			l.Rule, l.N = model.LostDropped, wholeNumber(b[j+8:i])
		}
	} else if i := bytes.Index(b, []byte("Out-of-range = ")); i >= 0 {
		rest := b[i+15:]
		l.Rule, l.N = model.LostOutOfRange, wholeNumber(rest[:digits(rest)])
	}
	if l.N <= 0 {
		return
	}
	if f != formNone && r.has { // the line has its own stamp
		l.At, l.Domain, l.Rank = model.Known(r.pending.At), r.pending.Domain, r.pending.Rank
	}
	if l.Rule == model.LostDropped {
		r.notices.Add(l.Rule, model.DataLoss, at, model.Say("the profiler says that it dropped records of device activity: in the trace that it wrote then, a device without a record may have been busy"))
	} else {
		r.notices.Add(l.Rule, model.DataLoss, at, model.Say("the profiler says that it left out records of device activity, since their stamps lie outside its window: in the trace that it wrote then, a device without a record may have been busy"))
	}
	if len(r.losses) < maxLost {
		r.losses = append(r.losses, l)
	}
}

// wholeNumber is the value of up to 18 digits, -1 where b is anything else.
func wholeNumber(b []byte) int64 {
	if n := digits(b); n == 0 || n > 18 || n < len(b) {
		return -1
	}
	return number(b)
}
