// Package hypothesis weighs possible explanations against what was observed.
//
// Each hypothesis is one entry of a table: a statement worded as "consistent
// with", a rule that lists the evidence for and against it, what would have to be
// observed, and the one change or observation that would separate it from the
// others. A rule that lacks its inputs abstains visibly. Several hypotheses may be
// supported at once; none states a cause.
//
// Thresholds are choices, not physics: they are printed with their origin, and
// run.yaml may change those of package model.
package hypothesis

import (
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// Thresholds that run.yaml does not change; the others are those of package model.
const (
	shortKernel   = 10 * time.Microsecond
	kernelsNeeded = 100
)

// finding is what a rule found; ok is false when the rule abstains.
type finding struct {
	supports, against []report.Evidence
	missing           []model.Phrase
	thresholds        []model.Phrase
	evaluated         bool
	next              model.Phrase // where what was observed already answers the table's next check
}

func (f *finding) pro(e report.Evidence) { f.supports = append(f.supports, e) }
func (f *finding) con(e report.Evidence) { f.against = append(f.against, e) }
func (f *finding) lacks(p model.Phrase)  { f.missing = append(f.missing, p) }

// rule is one hypothesis of the table.
type rule struct {
	id        string
	statement model.Phrase
	weigh     func(*view) finding
	next      model.Phrase
}

func table() []rule {
	return []rule{
		{"input_bound", model.Say("Consistent with: the GPU waited for its input (reading and CPU preparation)."), inputBound,
			model.Say("Run once with a subset that is already prepared, same settings: this hypothesis expects the waits before the GPU stages to disappear.")},
		{"cpu_thread_bound", model.Say("Consistent with: one host thread was busy while the GPU waited."), threadBound,
			model.Say("Record per-thread CPU beside the run (pidstat -t -u 1) and look at the pauses: an average over all cores can hide one saturated thread.")},
		{"transfer_bound", model.Say("Consistent with: copies between host and device held the job up."), func(v *view) finding { return aloneRule(v, model.StageTransfer) },
			model.Say("Run once with the batch already on the device (or pinned memory), nothing else changed.")},
		{"write_bound", model.Say("Consistent with: writing results held the job up."), writeBound,
			model.Say("Run once with the output discarded or written to local memory, nothing else changed.")},
		{"launch_bound", model.Say("Consistent with: the host could not launch short kernels fast enough."), launchBound,
			model.Say("Capture the same steps as a CUDA graph, or with larger batches in a separate run: this hypothesis expects the idle time between kernels to shrink while kernel time stays.")},
		{"participant_wait", model.Say("Consistent with: one participant waited for another in communication."), participantWait,
			model.Say("Record the same steps on every rank and compare the ends of the same collectives: the last to arrive waits least.")},
		{"costly_or_rejected_work", model.Say("Consistent with: work was spent on results that were rejected or tried again."), rejectedWork,
			model.Say("Tie each period of activity to the accepted outputs it led to; compare a set of inputs without rejections.")},
		{"throttled", model.Say("Consistent with: the GPU lowered its clocks (power or temperature)."), throttled,
			model.Say("Record clocks_event_reasons.active and clocks.current.sm at one sample a second beside step times.")},
		{"memory_pressure", model.Say("Consistent with: device memory was nearly full."), memoryPressure,
			model.Say("Record the allocator's retries and the peak per step (torch.cuda.memory_stats); a high occupancy alone can be data held while waiting.")},
		{"sampling_locked", model.Say("Consistent with: the sampler looked at the same part of every step, so that its values show that part and not the run."), samplingLocked,
			model.Say("Sample with a period that is no multiple of the step time, such as --loop-ms=100, and compare the values: this hypothesis expects them to spread.")},
		{"sampler_contradicts_trace", model.Say("Consistent with: the sampler and the trace do not show the same work (another process on the device, a wrong clock, or another device)."), samplerAgainstTrace,
			model.Say("Record the processes on the device (nvidia-smi --query-compute-apps) and the device's UUID in the job's log, and declare one shared moment as an anchor.")},
		{"collector_failure", model.Say("Consistent with: a collector stopped while the job went on."), collectorFailure,
			model.Say("Check the collector's own log and the host's load over the gap; an empty curve does not show that the job stopped.")},
	}
}

// Weigh evaluates every hypothesis over a run whose other parts are complete.
func Weigh(run *report.Run, tl *model.Timeline) []report.Hypothesis {
	v := newView(run, tl)
	var out []report.Hypothesis
	for _, r := range table() {
		f := r.weigh(v)
		h := report.Hypothesis{ID: r.id, Statement: r.statement, Supports: f.supports, Against: f.against,
			Missing: f.missing, NextCheck: r.next, Threshold: f.thresholds, State: report.NotEvaluated}
		if !f.next.Empty() {
			h.NextCheck = f.next
		}
		switch {
		case !f.evaluated:
		case len(f.supports) > len(f.against):
			h.State = report.Supported
		default:
			h.State = report.NotSupported
		}
		out = append(out, h)
	}
	return out
}
