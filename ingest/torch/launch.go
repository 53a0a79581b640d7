package torch

import (
	"cmp"
	"slices"
	"time"

	"tracemerge/model"
)

// launch is a runtime call with a correlation id.
type launch struct {
	link, start int64
	served      bool // a device record carries its id
}

// launches lists the runtime calls with a correlation id by that id, the earliest
// of each first.
func launches(spans model.Columns[model.SpanBatch]) []launch {
	var calls []launch
	for b := range spans.Batches() {
		for i, k := range b.Kind {
			if l := b.Link[i]; model.SpanKind(k) == model.SpanRuntime && l != model.NoLink {
				calls = append(calls, launch{link: l, start: b.Start[i]})
			}
		}
	}
	order := func(a, b launch) int { return cmp.Or(cmp.Compare(a.link, b.link), cmp.Compare(a.start, b.start)) }
	if !slices.IsSortedFunc(calls, order) {
		slices.SortFunc(calls, order)
	}
	return calls
}

func byLink(a launch, link int64) int { return cmp.Compare(a.link, link) }

// checkLaunches looks for device records that start before the call that launched
// them: the clocks of device and host differ by that much at least. One call may
// launch many records (graphs).
func (r *reader) checkLaunches() {
	r.facts.BeforeLaunch = model.Missing[time.Duration](model.NotRecorded)
	if r.cap.Spans == nil {
		return
	}
	calls := launches(r.cap.Spans)
	var early happening
	var most, covered time.Duration
	linked := false
	for b := range r.cap.Spans.Batches() {
		for i, k := range b.Kind {
			if !model.SpanKind(k).OnDevice() {
				continue
			}
			n, ok := slices.BinarySearchFunc(calls, b.Link[i], byLink)
			if !ok {
				continue
			}
			linked, calls[n].served = true, true
			if before := calls[n].start - b.Start[i]; before > 0 {
				early.addN(model.Pos{Source: r.src, Offset: b.Offset[i]}, 1)
				most = max(most, time.Duration(before))
				covered = sum(covered, time.Duration(b.End[i]-b.Start[i]))
			}
		}
	}
	if linked {
		r.facts.BeforeLaunch = model.Known(most)
		r.missingRecords(calls)
	}
	if early.n == 0 {
		return
	}
	r.cap.Notices = append(r.cap.Notices, model.Notice{Code: "torch/kernel-before-launch", Severity: model.Note, N: early.n, At: early.at,
		Text: model.Say("device records that start before the call that launched them, by {} at most: the clocks of device and host differ by at least that much there; kept as recorded, with {} of time together", most, covered)})
}
