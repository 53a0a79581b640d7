package report

import (
	"time"

	"tracemerge/model"
)

// Breakdown are the figures that other tools print about a trace, by those
// tools' own definitions, so that their users can check ours against theirs; and
// the gaps, which none of them shows whole. All of it stands on the trace's own
// clock.
type Breakdown struct {
	Steps  []StepSplit // by start; empty where the trace has no ProfilerStep
	Splits []DeviceSplit
	Idle   []StreamIdle
	Gaps   []DeviceGaps
}

// StepPart numbers the parts into which a step is split, in the order of
// precedence: each part has only the time that none before it has.
type StepPart uint8

// The parts.
const (
	StepKernel StepPart = iota
	StepMemcpy
	StepMemset
	StepCommunication
	StepRuntime
	StepDataLoader
	StepOperator // "CPU Exec"
	StepOther
	StepParts // how many there are
)

// StepSplit is one step as the TensorBoard plugin splits it.
//
// Invariant: the sum of Parts is the length of At.
type StepSplit struct {
	Name    model.Text
	At      model.Interval[model.ClockTime] // from the end of the step before to the last device record it launched
	Parts   [StepParts]time.Duration
	Records int64 // device records whose launch lies inside the step
	Tail    bool  // one of the last steps, which the plugin leaves out for want of device records
}

// DeviceSplit is the time between first and last record of a device, split as
// TraceLens does.
//
// Invariant: Compute + ExposedComm + ExposedMemcpy + ExposedOther + Idle = Total.
type DeviceSplit struct {
	Device        model.Text
	Compute       time.Duration // kernels that are no communication, and memset
	ExposedComm   time.Duration // communication outside Compute
	ExposedMemcpy time.Duration // copies outside both
	ExposedOther  time.Duration // device work of a kind that no rule knows, outside the three
	Idle          time.Duration
	Total         time.Duration
}

// StreamIdle is the idle time between the records of one stream, by the
// categories of HTA in exact arithmetic.
type StreamIdle struct {
	Device, Stream model.Text
	HostWait       time.Duration // gaps whose next record was launched after the record before had ended
	KernelWait     time.Duration // other gaps shorter than KernelDelay
	OtherWait      time.Duration // the rest
	Records        int64
	NoLaunch       int64 // gaps whose next record has no launch in the trace; never host wait
}

// KernelDelay is the length below which HTA takes a gap for the delay between
// consecutive kernels.
const KernelDelay = 30 * time.Microsecond

// DeviceGaps are the stretches of a device's observation window in which no
// stream had a record.
//
// Invariant: the sum over Buckets is Idle.
type DeviceGaps struct {
	Device  model.Text
	Window  model.Interval[model.ClockTime]
	Stated  bool // the window is the one that the recorder states; else it is that of the device's own records
	Idle    time.Duration
	Buckets []GapBucket // by length, the shortest first; without empty ones at either end
	Longest []Gap       // the longest first
}

// GapBucket counts the gaps that are shorter than Below and not in a bucket
// before it.
type GapBucket struct {
	Below time.Duration
	N     int64
	Total time.Duration
}

// Gap is one stretch without device records.
type Gap struct {
	At     model.Interval[model.ClockTime]
	Edge   bool      // at the start or the end of the window: the recorder drops what straddles it
	Kinds  []GapKind // what the host recorded during it, by kind
	Before model.Pos // the device record that ended last before it; zero at the start
	After  model.Pos // the device record that began after it; zero at the end
}

// GapKind is the time within a gap in which the host recorded spans of a kind.
type GapKind struct {
	Kind model.SpanKind
	Time time.Duration // union over threads
}
