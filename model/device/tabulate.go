package device

import (
	"tracemerge/model"
	"tracemerge/model/report"
)

// Tabulate returns the figures of every device of a trace.
func Tabulate(c *model.Capture) []report.TraceDevice {
	return TabulateSets(BusySets(c))
}

// TabulateSets returns the figures of sets that were computed before.
//
// Invariant: Busy + Idle is the length of Span.
func TabulateSets(sets []Sets) []report.TraceDevice {
	out := make([]report.TraceDevice, 0, len(sets))
	for _, s := range sets {
		busy := s.All.Len()
		out = append(out, report.TraceDevice{
			Device:  s.Device,
			Kernels: s.Kernels, Memcpys: s.Memcpys, Memsets: s.Memsets, Others: s.Others,
			Span:       s.Span,
			KernelBusy: s.Kernel.Len(), MemcpyBusy: s.Memcpy.Len(), MemsetBusy: s.Memset.Len(), OtherBusy: s.Other.Len(),
			Busy: busy, Idle: s.Span.Len() - busy,
			CommBusy:    s.Comm.Len(),
			CommOverlap: s.Comm.Intersect(s.Compute).Len(),
			KernelSum:   s.KernelSum,
			Overlaps:    s.Overlaps, OverlapTime: s.OverlapTime,
		})
	}
	return out
}
