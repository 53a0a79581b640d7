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
	Log   *LogFacts   // for a log that states something about recorders; else nil

	Markers []Marker // names that the job wrote to share a moment with other files, in file order

	Window    Interval[ClockTime] // first to last record of the first domain that has a clock; empty if none
	Account   Account
	Notices   []Notice
	Truncated bool // the file is cut off

	Err error // the file could not be read (further): the capture holds what was read before
}

// A Marker is a record that carries a name which the job wrote to several files at one
// moment: a line of a log (of one reading, as long as its resolution), or a range of a
// trace, within which the line was written.
type Marker struct {
	Name   Raw
	At     Interval[ClockTime]
	Domain DomainID
	From   Pos
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
	// WrittenAs is the path to which the profiler wrote the file (traceName), with the
	// place that states it; empty if the file does not.
	WrittenAs   Text
	WrittenFrom Pos

	WithStack     Maybe[bool]
	RecordShapes  Maybe[bool]
	ProfileMemory Maybe[bool]
	// PythonFrames and MemoryRecords count what those options record, in files that
	// do not state the options (Kineto before 2022) too.
	PythonFrames, MemoryRecords int64

	Record Interval[ClockTime] // the recorder's window; empty if the file does not state one
	Steps  []TraceStep         // host ProfilerStep spans, by start

	// Quarantine are the events that were read and kept out of every figure, by
	// rule. Events with a negative duration stay as records of length 0.
	Quarantine []Quarantined
	// BeforeLaunch is the most by which a device record starts before the launch
	// that it is linked to: a lower bound on the error between the clocks of
	// device and host. Missing where nothing is linked.
	BeforeLaunch Maybe[time.Duration]

	// Unanswered are the launches of kernels and graphs whose device record is not in
	// the file, and the time in which such work may have run: from each launch to the
	// end of the next wait of the host for the device.
	Unanswered     int64
	UnansweredTime Set[ClockTime]

	// Process is the operating system's id of the recorded process; missing where
	// the host's records name none, or several.
	Process Maybe[int64]
	// FromName says which of the facts the file does not state, so that they were
	// taken from its name.
	FromName struct{ Rank, Host bool }
	// Communication is the whole table of rules by which communication kernels are
	// told by name, and how many kernels each rule named: a kernel that none names
	// counts as computation.
	Communication []NameRule
}

// LogFacts are what a log states about the recorders that ran beside it.
type LogFacts struct {
	Lost []LostRecords // in the order of the file
}

// The rules of LostRecords, which are also the codes of their notices.
const (
	LostDropped    = "kineto/dropped"      // the profiler had no buffer left
	LostOutOfRange = "kineto/out-of-range" // stamps outside the profiler's window
)

// LostRecords is the statement of a profiler that records of device activity are
// not in the trace that it wrote. Which trace that is it does not state.
type LostRecords struct {
	Rule   string
	N      int64            // records, above 0
	At     Maybe[ClockTime] // missing where the line carries no stamp of its own
	Domain DomainID         // of At
	Rank   Maybe[int64]     // that the line states
	From   Pos
}

// A NameRule is one rule of a table that classifies kernels by their names.
type NameRule struct {
	Pattern string // in lower case; holds where a name contains it, in any case
	Source  string // where the naming comes from
	N       int64  // kernels that this rule named; the first that holds counts
}

// Quarantined are the events that one rule kept out of the figures.
type Quarantined struct {
	Rule  string        // stable code of the rule, "torch/ts-zero"
	Why   Phrase        // the rule in words
	N     int64         // events
	Would time.Duration // the sum of the time that they state to cover; below 0 for negative durations
	First Pos
}

// A TraceStep is one ProfilerStep#N on the host.
type TraceStep struct {
	Name Text
	N    Maybe[int64]
	At   Interval[ClockTime]
	From Pos
}
