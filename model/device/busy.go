package device

import (
	"cmp"
	"slices"
	"time"

	"tracemerge/model"
)

type (
	clock    = model.ClockTime
	interval = model.Interval[model.ClockTime]
	set      = model.Set[model.ClockTime]
)

// Sets are the busy times of one device on the trace's own clock, united over
// its streams.
type Sets struct {
	Device model.Text // as the trace names it: args.device, else pid
	Track  model.TrackID

	Kernel  set // all kernels: Compute ∪ Comm
	Compute set // kernels that no communication rule names
	Comm    set // communication kernels
	Memcpy  set
	Memset  set
	Other   set // device work whose kind no rule knows
	All     set // Kernel ∪ Memcpy ∪ Memset ∪ Other

	Kernels, Memcpys, Memsets, Others int64    // records
	Span                              interval // first start to last end of all records
	KernelSum                         time.Duration
	Overlaps                          int64 // kernels that start before an earlier one of their stream has ended
	OverlapTime                       time.Duration
}

// The kinds of lanes of a track.
const (
	laneCompute = iota
	laneComm
	laneMemcpy
	laneMemset
	laneOther
	laneCount
)

// stream is what one track of the capture recorded as device work.
type stream struct {
	lanes     [laneCount]*model.Gatherer[clock]
	count     [laneCount]int64
	span      interval
	any       bool
	kernelSum time.Duration

	kernelLast interval // the kernel that stands last
	kernelEnd  clock    // the latest end of a kernel so far
	overlaps   int64    // kernels that start before kernelEnd, as long as they come in order
	unordered  bool     // some kernel stands behind one that it should stand before
}

func laneOf(k model.SpanKind) int {
	switch k {
	case model.SpanKernel:
		return laneCompute
	case model.SpanCommunication:
		return laneComm
	case model.SpanMemcpy:
		return laneMemcpy
	case model.SpanMemset:
		return laneMemset
	case model.SpanDeviceOther:
		return laneOther
	}
	return -1
}

// BusySets returns the sets of every device that recorded work, in the order in
// which the file first names them. It reads the spans once; keep the result.
func BusySets(c *model.Capture) []Sets {
	if c.Spans == nil {
		return nil
	}
	streams := make([]stream, len(c.Tracks))
	for b := range c.Spans.Batches() {
		for i, k := range b.Kind {
			n := laneOf(model.SpanKind(k))
			if n < 0 || int(b.Track[i]) >= len(streams) || b.Track[i] < 0 {
				continue
			}
			streams[b.Track[i]].add(n, interval{Start: clock(b.Start[i]), End: clock(b.End[i])})
		}
	}
	countOverlaps(c, streams)
	return byDevice(c, streams)
}

func (s *stream) add(n int, at interval) {
	if s.lanes[n] == nil {
		s.lanes[n] = &model.Gatherer[clock]{}
	}
	s.lanes[n].Add(at)
	s.count[n]++
	if n == laneCompute || n == laneComm {
		s.kernel(at)
	}
	if !s.any {
		s.span, s.any = at, true
		return
	}
	s.span.Start, s.span.End = min(s.span.Start, at.Start), max(s.span.End, at.End)
}

// kernel counts a kernel.
func (s *stream) kernel(at interval) {
	first := s.count[laneCompute]+s.count[laneComm] == 1
	s.kernelSum += at.Len()
	switch {
	case first:
		s.kernelEnd = at.End
	case byStartAndEnd(at, s.kernelLast) < 0:
		s.unordered = true
	case at.Start < s.kernelEnd:
		s.overlaps++
	}
	s.kernelLast, s.kernelEnd = at, max(s.kernelEnd, at.End)
}

// byStartAndEnd is the order in which overlaps are counted: of kernels that start
// together the shorter comes first, so that the count does not depend on the file.
func byStartAndEnd(a, b interval) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
}

// countOverlaps counts the overlaps of the streams whose kernels do not stand in
// order, which takes sorting them.
func countOverlaps(c *model.Capture, streams []stream) {
	loose := map[int32][]interval{}
	for t := range streams {
		if streams[t].unordered {
			loose[int32(t)] = nil
		}
	}
	if len(loose) == 0 {
		return
	}
	for b := range c.Spans.Batches() {
		for i, k := range b.Kind {
			n := laneOf(model.SpanKind(k))
			if list, ok := loose[b.Track[i]]; ok && (n == laneCompute || n == laneComm) {
				loose[b.Track[i]] = append(list, interval{Start: clock(b.Start[i]), End: clock(b.End[i])})
			}
		}
	}
	for t, list := range loose {
		slices.SortFunc(list, byStartAndEnd)
		streams[t].overlaps = 0
		end := list[0].End
		for _, i := range list[1:] {
			if i.Start < end {
				streams[t].overlaps++
			}
			end = max(end, i.End)
		}
	}
}

// byDevice unites the streams of each device.
func byDevice(c *model.Capture, streams []stream) []Sets {
	of := make([][]int, len(c.Tracks)) // tracks with work, by device track
	for i := range streams {
		if !streams[i].any {
			continue
		}
		d := i
		if p := c.Tracks[i].Parent; p >= 0 && int(p) < len(of) {
			d = int(p)
		}
		of[d] = append(of[d], i)
	}
	var out []Sets
	for d, members := range of {
		if len(members) > 0 {
			out = append(out, unite(c, model.TrackID(d), members, streams))
		}
	}
	return out
}

func unite(c *model.Capture, d model.TrackID, members []int, streams []stream) Sets {
	s := Sets{Device: model.Text{Raw: c.Tracks[d].Device, Class: model.ClassCell}, Track: d}
	if s.Device.Empty() {
		s.Device = c.Tracks[d].Name
	}
	var parts [laneCount][]set
	for n, m := range members {
		w := &streams[m]
		var own [laneCount]set
		for k, l := range w.lanes {
			if l != nil {
				own[k] = l.Set()
				parts[k] = append(parts[k], own[k])
			}
		}
		s.Overlaps += w.overlaps
		s.OverlapTime += w.kernelSum - own[laneCompute].Union(own[laneComm]).Len()
		s.Kernels += w.count[laneCompute] + w.count[laneComm]
		s.Memcpys += w.count[laneMemcpy]
		s.Memsets += w.count[laneMemset]
		s.Others += w.count[laneOther]
		s.KernelSum += w.kernelSum
		if n == 0 {
			s.Span = w.span
		}
		s.Span.Start, s.Span.End = min(s.Span.Start, w.span.Start), max(s.Span.End, w.span.End)
	}
	s.Compute, s.Comm = model.UnionOf(parts[laneCompute]...), model.UnionOf(parts[laneComm]...)
	s.Memcpy, s.Memset, s.Other = model.UnionOf(parts[laneMemcpy]...), model.UnionOf(parts[laneMemset]...), model.UnionOf(parts[laneOther]...)
	s.Kernel = s.Compute.Union(s.Comm)
	s.All = model.UnionOf(s.Kernel, s.Memcpy, s.Memset, s.Other)
	return s
}
