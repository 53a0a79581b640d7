// Package breakdown gives the figures that other tools print about a trace, each
// by that tool's definition but in exact nanoseconds, so that a user of theirs
// can check ours: the steps of the TensorBoard plugin, the timeline of TraceLens,
// the idle categories of HTA. None of them is used for any statement of ours,
// since each forces overlapping work into one total by a fixed precedence. It
// also gives the gaps of each device: the only figure here that is ours.
//
// Sources of the definitions:
//
//   - TensorBoard plugin: torch_tb_profiler/profiler/event_parser.py (roles, step
//     ends) and overall_parser.py (precedence) of pytorch/kineto, removed in 2026
//   - TraceLens: TreePerf/gpu_event_analyser.py; here over all recorded device
//     work, where TraceLens leaves out what it cannot link to the host
//   - HTA: hta/analyzers/breakdown_analysis.py; its 30 "ns" are microseconds in
//     the comparison
//
// What differs from the originals: nothing is rounded to microseconds; a kernel
// is communication by the name rules of the trace's reader and not by the
// operator that launched it; a gap of a stream begins where the last of the
// records before it ended, so that it is never negative.
package breakdown

import (
	"tracemerge/model"
	"tracemerge/model/device"
	"tracemerge/model/report"
)

type (
	clock    = model.ClockTime
	interval = model.Interval[model.ClockTime]
	set      = model.Set[model.ClockTime]
)

// Of returns the breakdowns of one trace. The sets are device.BusySets of the
// same capture.
func Of(c *model.Capture, sets []device.Sets) report.Breakdown {
	if c.Spans == nil || c.Trace == nil {
		return report.Breakdown{}
	}
	l := launches(c)
	records := streams(c, l)
	b := report.Breakdown{
		Steps:  steps(c, sets, l, records),
		Splits: splits(sets),
		Idle:   idle(c, records),
		Gaps:   gaps(c, sets),
	}
	return b
}
