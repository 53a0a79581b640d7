package model

import "iter"

// Columns is a table that is read in batches of columns. Rows stand in the order
// of the file. Batches may be ranged over any number of times; the slices are
// read-only and valid as long as the table.
type Columns[B any] interface {
	Len() int
	Batches() iter.Seq[B]
}

// SpanKind classifies a span by what the recorder says it is, never by its
// process, label or order.
type SpanKind uint8

// The kinds of spans.
const (
	SpanOther         SpanKind = iota // understood, of no kind below
	SpanKernel                        // work on a device that is not communication
	SpanCommunication                 // a device kernel that a communication rule names
	SpanMemcpy                        // a copy on a device
	SpanMemset                        // a fill on a device
	SpanDeviceOther                   // device work whose kind no rule knows
	SpanDeviceNote                    // annotation mirrored on a device: spans gaps, is no work
	SpanOperator                      // host operator (cpu_op)
	SpanRuntime                       // host runtime or driver call (cuda_runtime, …)
	SpanAnnotation                    // host annotation by the user or by torch
	SpanStep                          // ProfilerStep#N on the host
	SpanDeviceStep                    // ProfilerStep#N mirrored on a device
	SpanPython                        // python frame
	SpanSync                          // synchronisation record
	SpanOverhead                      // the recorder's own overhead
	SpanRecordWindow                  // the recorder's window

	SpanKinds = iota // their number
)

// OnDevice reports whether the span is work of a device.
func (k SpanKind) OnDevice() bool {
	switch k {
	case SpanKernel, SpanCommunication, SpanMemcpy, SpanMemset, SpanDeviceOther:
		return true
	}
	return false
}

// NoLink stands where a span has no correlation id.
const NoLink int64 = -1 << 63

// SpanBatch is a batch of spans. Start and End are ClockTime nanoseconds, Start
// <= End; Name indexes Capture.Names; Kind holds SpanKind; Link is the
// correlation id that ties a device span to its launch.
type SpanBatch struct {
	Start, End  []int64
	Track, Name []int32
	Kind        []uint8
	Link        []int64
	Offset      []int64 // byte offset of the record in the decoded content
}

// Present in SampleBatch.Why marks a known value; anything else is the Reason
// why there is none.
const Present uint8 = 255

// SampleBatch is a batch of samples, one row per cell. At is ClockTime; Value
// has no meaning unless Why is Present.
type SampleBatch struct {
	At            []int64
	Track, Metric []int32
	Value         []float64
	Why           []uint8
	Line          []int32
	Offset        []int64
}

// Span is one span as a row, for small tables and tests.
type Span struct {
	At     Interval[ClockTime]
	Track  TrackID
	Name   int32
	Kind   SpanKind
	Link   int64
	Offset int64
}

// SpanRows is a small span table held as rows.
type SpanRows []Span

// Len is the number of rows.
func (r SpanRows) Len() int { return len(r) }

// Batches yields the rows as one batch.
func (r SpanRows) Batches() iter.Seq[SpanBatch] {
	return func(yield func(SpanBatch) bool) {
		var b SpanBatch
		for _, s := range r {
			b.Start = append(b.Start, int64(s.At.Start))
			b.End = append(b.End, int64(s.At.End))
			b.Track = append(b.Track, int32(s.Track))
			b.Name = append(b.Name, s.Name)
			b.Kind = append(b.Kind, uint8(s.Kind))
			b.Link = append(b.Link, s.Link)
			b.Offset = append(b.Offset, s.Offset)
		}
		if len(r) > 0 {
			yield(b)
		}
	}
}

// Sample is one sample as a row, for small tables and tests.
type Sample struct {
	At     ClockTime
	Track  TrackID
	Metric MetricID
	Value  Maybe[float64]
	Line   int32
	Offset int64
}

// SampleRows is a small sample table held as rows.
type SampleRows []Sample

// Len is the number of rows.
func (r SampleRows) Len() int { return len(r) }

// Batches yields the rows as one batch.
func (r SampleRows) Batches() iter.Seq[SampleBatch] {
	return func(yield func(SampleBatch) bool) {
		var b SampleBatch
		for _, s := range r {
			v, ok := s.Value.Get()
			why := Present
			if !ok {
				why = uint8(s.Value.Why())
			}
			b.At = append(b.At, int64(s.At))
			b.Track = append(b.Track, int32(s.Track))
			b.Metric = append(b.Metric, int32(s.Metric))
			b.Value = append(b.Value, v)
			b.Why = append(b.Why, why)
			b.Line = append(b.Line, s.Line)
			b.Offset = append(b.Offset, s.Offset)
		}
		if len(r) > 0 {
			yield(b)
		}
	}
}
