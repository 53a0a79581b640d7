package torch

import (
	"cmp"
	"slices"
	"strings"

	"tracemerge/model"
)

// A callKind is what a runtime call means for the records of the device.
type callKind uint8

const (
	callOther    callKind = iota
	callLaunch            // starts a kernel or a graph: its record should be there
	callSync              // returns when the device has done what was launched before
	callCapture           // the thread's launches go into a graph from here on, and run nothing
	callCaptured          // to here
)

// callKindOf judges a runtime call by its name: cudaLaunchKernel,
// cudaLaunchKernelExC, cuLaunchKernel, cudaLaunchCooperativeKernel, cudaGraphLaunch,
// hipLaunchKernel, hipExtModuleLaunchKernel, …; cudaDeviceSynchronize,
// hipStreamSynchronize, cudaEventSynchronize, …; cudaStreamBeginCapture and
// cudaStreamEndCapture. Copies and fills are left out: one of no bytes leaves no
// record.
func callKindOf(name string) callKind {
	switch {
	case strings.Contains(name, "Launch") && (strings.Contains(name, "Kernel") || strings.Contains(name, "Graph")):
		return callLaunch
	case strings.Contains(name, "Synchronize"):
		return callSync
	case strings.Contains(name, "StreamBeginCapture"):
		return callCapture
	case strings.Contains(name, "StreamEndCapture"):
		return callCaptured
	}
	return callOther
}

// A call is one runtime call that callKindOf knows.
type call struct {
	kind       callKind
	start, end int64
	track      int32
	unserved   bool // of a launch: no device record carries its id
	offset     int64
}

// missingRecords looks for launches of kernels whose record is not in the file: the
// device may have worked where no record says so, so that time is not observed on
// it. calls are ordered by link.
func (r *reader) missingRecords(calls []launch) {
	if r.cap.Truncated || !slices.ContainsFunc(calls, func(c launch) bool { return !c.served }) {
		return // of a cut file everything is unknown already
	}
	known := r.knownCalls(calls)
	end := int64(r.cap.Window.End)
	var syncs []call
	for _, c := range known {
		if c.kind == callSync {
			syncs = append(syncs, c)
		}
	}
	var holes model.Gatherer[model.ClockTime]
	var missing happening
	capturing := map[int32]bool{}
	for _, c := range known {
		switch c.kind {
		case callCapture:
			capturing[c.track] = true
		case callCaptured:
			delete(capturing, c.track)
		case callLaunch:
			if !c.unserved || capturing[c.track] {
				continue
			}
			n, _ := slices.BinarySearchFunc(syncs, c.start, func(s call, at int64) int {
				if s.start < at {
					return -1
				}
				return 1
			})
			until := end
			if n < len(syncs) {
				until = min(end, syncs[n].end)
			}
			missing.addN(model.Pos{Source: r.src, Offset: c.offset}, 1)
			holes.Add(model.Interval[model.ClockTime]{Start: model.ClockTime(c.start), End: model.ClockTime(max(until, c.start))})
		}
	}
	if missing.n == 0 {
		return
	}
	r.facts.Unanswered, r.facts.UnansweredTime = missing.n, holes.Set()
	note := model.Say("{} launches of kernels or graphs have no device record in the file: the device may have worked there", missing.n)
	for i := range r.cap.Tracks {
		t := &r.cap.Tracks[i]
		if t.Kind != model.TrackDevice && t.Kind != model.TrackStream {
			continue
		}
		for at := range r.facts.UnansweredTime.All() {
			t.Unknown = append(t.Unknown, model.Hole{At: at, Why: model.KernelRecordMissing, Note: note, From: missing.at})
		}
	}
	r.cap.Notices = append(r.cap.Notices, model.Notice{Code: "torch/record-missing", Severity: model.DataLoss, N: missing.n, At: missing.at,
		Text: model.Say("launches of kernels or graphs without a device record: until the next wait of the host for the device, {} in all, the device is not known to be idle; look for \"dropped\" or \"out of range\" in the log of the job", r.facts.UnansweredTime.Len())})
}

// knownCalls are the runtime calls that callKindOf knows, by start.
func (r *reader) knownCalls(calls []launch) []call {
	kinds := make([]callKind, len(r.cap.Names))
	for i, n := range r.cap.Names {
		kinds[i] = callKindOf(n.Reveal())
	}
	var out []call
	for b := range r.cap.Spans.Batches() {
		for i, k := range b.Kind {
			if model.SpanKind(k) != model.SpanRuntime || b.Name[i] < 0 || kinds[b.Name[i]] == callOther {
				continue
			}
			c := call{kind: kinds[b.Name[i]], start: b.Start[i], end: b.End[i], track: b.Track[i], offset: b.Offset[i]}
			if c.kind == callLaunch {
				n, ok := slices.BinarySearchFunc(calls, b.Link[i], byLink)
				c.unserved = ok && !calls[n].served
			}
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b call) int { return cmp.Compare(a.start, b.start) })
	return out
}
