package render

import (
	"strings"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

type clockSpan = model.Interval[model.ClockTime]

func ticks(from, to float64) clockSpan {
	return clockSpan{Start: model.ClockTime(from * 1e9), End: model.ClockTime(to * 1e9)}
}

// inside fills in what a trace of 18 s with two steps shows of itself: the device
// has no record in the second step, and a kernel starts before its launch.
func inside(t *report.Trace) *report.Trace {
	f := t.Facts
	f.BeforeLaunch = known(4200 * time.Nanosecond)
	f.Steps = []model.TraceStep{{Name: name("ProfilerStep#12", model.ClassOperation), At: ticks(0, 9)}, {Name: name("ProfilerStep#13", model.ClassOperation), At: ticks(9, 18)}}
	f.Quarantine = []model.Quarantined{{Rule: "torch/ts-zero", Why: model.Say("the event has no time of its own: ts is 0"), N: 3, Would: secs(0.125), First: pos(srcTrace, 0, 4096)},
		{Rule: "torch/negative-duration", Why: model.Say("the event ends before it starts"), N: 1, Would: -5 * time.Microsecond, First: pos(srcTrace, 0, 8192)}}
	f.Communication = []model.NameRule{{Pattern: "nccl", Source: "NCCL kernels", N: 48}, {Pattern: "hccl", Source: "HCCL kernels"}}
	d := &t.Devices[0]
	d.StepsSeen, d.Overlaps, d.OverlapTime = 1, 2, 31*time.Microsecond
	t.StepDevices = []report.StepDevice{
		{Step: 0, Kernels: 2140, Records: 2228, Work: known(report.StepWork{Busy: secs(4.1), Idle: secs(4.9), Kernel: secs(3.9), Memcpy: secs(0.31), Memset: 5210})},
		{Step: 1, Work: model.Missing[report.StepWork](model.ProfilerNotRecording)}}
	split := report.StepSplit{Name: f.Steps[0].Name, At: f.Steps[0].At, Records: 2228, Parts: [report.StepParts]time.Duration{report.StepKernel: secs(3.9), report.StepMemcpy: secs(0.2), report.StepOperator: secs(4.9)}}
	tail := report.StepSplit{Name: f.Steps[1].Name, At: f.Steps[1].At, Tail: true, Parts: [report.StepParts]time.Duration{report.StepOther: secs(9)}}
	t.Breakdown = report.Breakdown{Steps: []report.StepSplit{split, tail},
		Splits: []report.DeviceSplit{{Device: d.Device, Compute: secs(3.9), ExposedMemcpy: secs(0.2), Idle: secs(13.9), Total: 18 * sec}},
		Idle:   []report.StreamIdle{{Device: d.Device, Stream: name("7", model.ClassCell), HostWait: secs(12), KernelWait: secs(0.004), OtherWait: secs(1.896), Records: 2228, NoLaunch: 12}},
		Gaps: []report.DeviceGaps{{Device: d.Device, Window: ticks(0, 18), Stated: true, Idle: secs(13.9),
			Buckets: []report.GapBucket{{Below: 10 * time.Microsecond, N: 2100, Total: secs(0.0041)}, {Below: time.Second, N: 40, Total: secs(3.8959)}, {Below: 1<<63 - 1, N: 1, Total: 10 * sec}},
			Longest: []report.Gap{
				{At: ticks(8, 18), Edge: true, Kinds: []report.GapKind{{Kind: model.SpanOperator, Time: secs(9.5)}, {Kind: model.SpanPython, Time: secs(9.1)}}, Before: pos(srcTrace, 0, 120034)},
				{At: ticks(4, 4.4), Before: pos(srcTrace, 0, 60021), After: pos(srcTrace, 0, 60398)}}}}}
	return t
}

// What a trace did not observe of a device stands as such, and what bounds the
// error of its clocks stands in sight.
func TestInsideATrace(t *testing.T) {
	page := asText(bare(t, state{name: "trace", rep: oneRun(), opt: Options{Zone: seoul}}))
	for _, want := range []string{
		"Not every step was observed on every device: device 0 has records in 1 of 2 steps.",
		"ProfilerStep#13 | 0 | 0 | 0 | not observed",
		"A device record starts 4.20\u00a0µs before the call that launched it",
		"2 kernels began before an earlier one of the same stream had ended, together 31.0\u00a0µs",
		"torch/ts-zero | the event has no time of its own: ts is 0 | 3 |",
		"nccl | NCCL kernels | 48 |", "1 rule named no kernel",
		"1\u00a0s and longer", "10\u00a0µs to 1\u00a0s", "below 10\u00a0µs",
		"nothing was recorded on the host", "at the edge of the window", "none in the window",
		"left out, for want of device records",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestATraceWithoutDevices(t *testing.T) {
	rep := oneRun()
	tr := rep.Runs[0].Sources[2].Trace
	tr.Devices, tr.StepDevices, tr.Breakdown = nil, nil, report.Breakdown{}
	page := asText(bare(t, state{name: "trace", rep: rep}))
	if !strings.Contains(page, "No record of device work was read from this trace") {
		t.Error("the page does not say that no device was recorded")
	}
	if strings.Contains(page, "Order of records") || strings.Contains(page, "Gaps of device") {
		t.Error("the page speaks of the order or the gaps of records that it does not have")
	}
}

func TestATraceWithoutLaunches(t *testing.T) {
	rep := oneRun()
	tr := rep.Runs[0].Sources[2].Trace
	tr.Facts.BeforeLaunch = model.Missing[time.Duration](model.NotRecorded)
	tr.Breakdown.Gaps[0].Buckets, tr.Breakdown.Gaps[0].Longest, tr.Breakdown.Gaps[0].Idle = nil, nil, 0
	page := asText(bare(t, state{name: "trace", rep: rep}))
	for _, want := range []string{"cannot be told (not recorded", "There is no gap."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
