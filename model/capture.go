package model

import "time"

// SourceKind is the kind of a source, decided by its content.
type SourceKind string

// The kinds, as the summary JSON spells them.
const (
	KindSMI       SourceKind = "nvidia-smi"
	KindTrace     SourceKind = "pytorch-trace"
	KindLog       SourceKind = "app-log"
	KindHost      SourceKind = "host-stats"
	KindRunFile   SourceKind = "run-file"
	KindRecording SourceKind = "recording"
	KindUnknown   SourceKind = "not-recognised"
)

// A Source is one file of a run.
type Source struct {
	ID      SourceID
	File    Text // path relative to the run folder, ClassFile
	Kind    SourceKind
	Form    string  // the variant of the kind that was recognised, in words of ours: "query-gpu csv, nounits"
	Why     Phrase  // for KindUnknown: why it was not recognised
	SHA256  string  // of the bytes on disk, hexadecimal
	Bytes   int64   // on disk
	Content Content // of what was read, decoded
	Guess   []Guess // the variants that were considered, the best first; empty where the kind alone decides
}

// A Guess is how well one variant of a kind explains a file.
type Guess struct {
	Form     string // as run.yaml can name it in formats
	Fits, Of int64  // records of the evidence looked at that are of this form
}

// Content is a fingerprint of decoded content, to tell copies of one file, packed
// or not, from files that differ.
type Content struct {
	Bytes int64
	CRC   uint32 // CRC-32 (IEEE)
}

// A Capture is what one source recorded, on its own clocks.
type Capture struct {
	Source  Source
	Domains []Domain
	Tracks  []Track
	Metrics []Metric
	Names   []Raw // dictionary of SpanBatch.Name

	Spans   Columns[SpanBatch]   // nil if the source has none
	Samples Columns[SampleBatch] // nil if the source has none
	Marks   MarkTable            // nil if the source has none

	Trace *TraceFacts // for a trace

	Window    Interval[ClockTime] // first to last record of the first domain that has a clock; empty if none
	Account   Account
	Notices   []Notice
	Truncated bool // the file is cut off

	Err error // the file could not be read (further): the capture holds what was read before
}

// DomainAt returns the domain of a record by its byte offset: the last piece
// that begins at or before it.
func (c *Capture) DomainAt(offset int64) DomainID {
	id := DomainID(0)
	for _, d := range c.Domains {
		if d.From.Offset <= offset {
			id = d.ID
		}
	}
	return id
}

// TraceFacts are the properties of a profiler trace beside its spans.
type TraceFacts struct {
	Events    int64 // all elements of traceEvents that could be read
	Rank      Maybe[int64]
	WorldSize Maybe[int64]
	Host      Text
	Schema    string

	WithStack     Maybe[bool]
	RecordShapes  Maybe[bool]
	ProfileMemory Maybe[bool]

	Record Interval[ClockTime] // the recorder's window; empty if the file does not state one
	Steps  []TraceStep         // host ProfilerStep spans, by start

	Quarantine []Quarantined // events that were read and kept out of every figure
	// BeforeLaunch is the most by which a device record starts before the launch
	// that it is linked to: a lower bound on the error between the clocks of
	// device and host. Missing where nothing is linked.
	BeforeLaunch Maybe[time.Duration]
}

// Quarantined are the events that one rule kept out of the figures.
type Quarantined struct {
	Rule  string        // stable code of the rule, "torch/ts-zero"
	Why   Phrase        // the rule in words
	N     int64         // events
	Would time.Duration // the sum of the time that they state to cover
	First Pos
}

// A TraceStep is one ProfilerStep#N on the host.
type TraceStep struct {
	Name Text
	N    Maybe[int64]
	At   Interval[ClockTime]
	From Pos
}
