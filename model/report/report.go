// Package report holds what a tracemerge report says, as figures with their
// window, coverage and evidence, and builds it from timelines. A renderer only
// formats what stands here; it does no arithmetic on measurements.
//
// Durations are time.Duration (int64 nanoseconds); instants are model.Time on
// the run's reference clock. Every text that came from a file is model.Text,
// model.StageID or part of a model.Phrase, so it cannot be written before the
// redactor has seen it. Plain strings in this package are constants of ours.
package report

import (
	"time"

	"tracemerge/model"
)

// Report is one run, or several runs of which the first is the baseline.
type Report struct {
	Runs        []Run
	Comparisons []Comparison // one per further run, against the first; empty with one run
	Previous    []Comparison // from the third run on, each against the run before it
	// Protocol: the runs are before, after with the same instruments, and after
	// without heavy ones.
	Protocol bool
	Options  Options
	Excerpts []Excerpt // filled in after building, from Cited
}

// Run is everything that is said about one run.
type Run struct {
	Label    model.Text // declared name, else the folder's base name
	Declared *model.Declaration

	Window      Window
	Clocks      model.ClockArgument // the evidence by which the sources' clocks were placed
	Sources     []Source            // by source id
	Devices     []Device
	Hosts       Hosts
	Stages      []StageTable      // the primary basis first; every basis that has stages
	Primary     int               // index into Stages of the basis of Accounted, WhatIf and GPUShare; -1 if no source shows stages, or none of them on the clock of the window
	Differences []StageDifference // of one stage in two bases
	Accounted   Accounted
	GPUShare    model.Maybe[model.Range[float64]] // share of the window, 0..1
	WhatIf      WhatIf
	Progress    Progress
	Pauses      []Pause
	PauseRule   model.Phrase // the rule by which pauses were looked for, with its thresholds
	Hypotheses  []Hypothesis
	Targets     []Target
	Ranks       Ranks
	CrossChecks []CrossCheck // of sampled against traced devices
	Waterfalls  []Waterfall  // by batch or step, primary basis first
	Unknown     []Unknown    // every unobserved interval, by source
	Notices     []model.Notice
	Findings    []Finding // the strongest supported statements for the first screen, strongest first
	Limits      []Limit   // what of the files is in no figure and could change one, the most first
}

// Window is the observation window of a run.
type Window struct {
	At    model.Interval[model.Time]
	Known bool           // false: no source has a clock that could give one
	Zone  *time.Location // in which instants are shown; nil: UTC
	UTC   bool           // the instants are UTC; else they are readings of one source's own clock
	By    model.Phrase   // how it was chosen
}

// Source is one file: what it is, its clock, what it covers, what is wrong.
type Source struct {
	model.Source
	Capture  *model.Capture // the capture itself, for its account and facts
	Placed   bool
	Clocks   []Clock                         // one per clock domain; a file without steps has one
	Observed []model.Interval[model.Time]    // on the run's clock, inside the window; empty if not placed
	Covered  model.Maybe[time.Duration]      // length of Observed within the window
	Own      model.Interval[model.ClockTime] // first to last record on its own clock
	Trace    *Trace                          // for a pytorch trace
}

// Clock is how one clock domain of a source was placed.
type Clock struct {
	Domain  model.Domain
	Mapping model.Mapping
}

// Trace is what a profiler trace shows by itself, on its own clock.
type Trace struct {
	Facts     *model.TraceFacts
	Devices   []TraceDevice
	Breakdown Breakdown    // the figures of other tools, by their definitions, and the gaps
	Reserve   model.Phrase // the overhead reservation with its direction
	// StepDevices is every step on every device, step by step; empty where the trace
	// has no step or no device.
	StepDevices []StepDevice
}

// StepDevice is one step on one device: the device work that lies in the time of
// the step on the host, whichever step launched it.
type StepDevice struct {
	Step, Device int   // indices into Facts.Steps and Devices
	Kernels      int64 // kernel records with a part in the step
	Records      int64 // records of device work with a part in the step
	// Work is missing where no record of the device lies in the step: the device was
	// not observed then, which is not the same as idle.
	Work model.Maybe[StepWork]
}

// StepWork is the time of a device within a step, united over streams.
//
// Invariant: Busy + Idle is the length of the step.
type StepWork struct {
	Busy, Idle                   time.Duration
	Kernel, Comm, Memcpy, Memset time.Duration
}

// TraceDevice is one device of a trace: unions over all streams.
type TraceDevice struct {
	Device      model.Text // args.device, else pid
	Kernels     int64      // kernel records, communication included
	Memcpys     int64
	Memsets     int64
	Others      int64                           // records of device work whose kind no rule knows (MTIA, Ascend)
	Span        model.Interval[model.ClockTime] // first start to last end of kernel, memcpy, memset and the others
	KernelBusy  time.Duration                   // union of kernels, communication included
	MemcpyBusy  time.Duration
	MemsetBusy  time.Duration
	OtherBusy   time.Duration // union of the others
	Busy        time.Duration // union of kernel, memcpy, memset and the others
	Idle        time.Duration // Span - Busy: no device work was recorded
	CommBusy    time.Duration // union of communication kernels
	CommOverlap time.Duration // communication ∩ other kernels
	KernelSum   time.Duration // sum of kernel durations; more than KernelBusy where kernels overlap
	// Overlaps counts the kernels that start before an earlier kernel of the same
	// stream has ended, and OverlapTime sums over the streams what their kernel
	// durations exceed their union by.
	Overlaps    int64
	OverlapTime time.Duration
	StepsSeen   int64 // steps in which the device has a record, of len(Facts.Steps)
}

// Device is one GPU as a sampler shows it.
type Device struct {
	Source    model.SourceID
	Track     model.TrackID
	ID        model.Text // index, else UUID, else bus id, as exported
	Facts     []model.Fact
	Placed    bool // on the run's clock; else Series stand on the source's own axis
	Metrics   []Metric
	BusyShare model.Maybe[model.Range[float64]] // bounds of the share of the window with a kernel executing, 0..1
	BusyBy    model.Phrase                      // the sampler model behind BusyShare
}

// Metric is one sampled quantity of one device.
type Metric struct {
	Name, Unit     model.Text
	Role           model.Role
	Samples        int64         // rows with a known value, inside the window
	NotKnown       int64         // rows without one
	Known          time.Duration // part of the window that known samples speak for
	Unknown        time.Duration // the rest of the window
	Min, Mean, Max model.Maybe[float64]
	Series         []Bucket // for the picture: by time; never loses an extreme
	Shown, Of      int64    // buckets drawn of samples present
}

// Bucket is one or several neighbouring samples of a metric. Support is the time
// that they speak for: from the earliest start of their measurement windows to
// the last stamp. Unsure is the part before that which may or may not belong to
// the measurement window (the refresh uncertainty).
type Bucket struct {
	Support model.Interval[model.Time]
	Unsure  time.Duration // length of the leading part of Support that may lie outside the measurement window; 0 if none
	Lo, Hi  float64       // extremes of the known samples
	Known   bool          // false: no sample in it has a value
	Why     model.Reason  // when not known
	N       int64
}

// Basis names the source of stage intervals.
type Basis struct {
	Kind    model.SourceKind
	Placed  bool // on the run's clock; else on the sources' own axis
	Sources []model.SourceID
}

// StageTable is the decomposition of one window by the stages of one basis.
//
// Invariant: Accounted.Stages + Unattributed + Unknown = Window length.
type StageTable struct {
	Basis     Basis
	Window    model.Interval[model.Time]
	Rows      []StageRow
	Overlap   []Overlap // pairs with a common time above 0
	Accounted Accounted
	Notes     []model.Phrase
}

// StageRow is one stage within the window.
type StageRow struct {
	Stage     model.StageID
	Busy      time.Duration        // union of its intervals
	Exclusive time.Duration        // time in which no other stage ran
	Overlap   time.Duration        // Busy - Exclusive
	Share     model.Maybe[float64] // Busy / window, 0..1
	Intervals int64
	Longest   time.Duration
	Unsure    time.Duration         // width of the uncertainty of clock and stamp resolution, summed over its edges
	Set       model.Set[model.Time] // where it ran, inside the window
}

// StageDifference is one stage as two bases state it, within the time that both
// observed. They observe different things, such as a log's record of a stage and
// the kernels of it, so that a difference contradicts neither by itself.
type StageDifference struct {
	Stage    model.StageID
	A, B     Basis
	Common   time.Duration // observed by both
	InA, InB time.Duration // where each states the stage
	Together time.Duration // where both do
	Unsure   time.Duration // uncertainty of clock and stamps, summed over the edges of both in the whole window
}

// Overlap is the time in which two stages ran together.
type Overlap struct {
	A, B model.StageID
	Both time.Duration
}

// Accounted fills a window.
type Accounted struct {
	Known                       bool          // false: no basis
	Stages                      time.Duration // union of all stages
	Unattributed                time.Duration // observed, and no stage ran
	Unknown                     time.Duration // not observed, and no stage is known to have run
	UnattributedSet, UnknownSet model.Set[model.Time]
}

// WhatIf is the table of scenarios over the primary basis.
type WhatIf struct {
	Total   model.Maybe[time.Duration] // the window
	Rows    []Scenario
	Assumes []model.Phrase
	Limits  []model.Phrase // what it does not predict
	Curves  []Curve
	// FasterGPU answers in a sentence what a faster GPU would change at most; empty
	// where there is no table.
	FasterGPU model.Phrase
	// Path is the critical path over the observed order; missing with the reason
	// where there is none.
	Path model.Maybe[CriticalPath]
	// ReplayBy is what a replay claims beside the bounds, or why a trace has none.
	ReplayBy model.Phrase
}

// CriticalPath is the chain of stages that leads back from the end of a run to its
// beginning, each to what it waited for last.
//
// Invariant: Stages + Host + Lag + Unrecorded = the window.
type CriticalPath struct {
	Stages     []PathShare
	Host       time.Duration // of a trace: what the host did beside its stages
	Lag        time.Duration // between the end of what was waited for and the start
	Unrecorded time.Duration // nothing recorded was waited for
}

// PathShare is one stage on the critical path.
type PathShare struct {
	Stage model.StageID
	Time  time.Duration
	N     int64 // instances on the path
}

// Scenario is one what-if: factors on the durations of stages.
type Scenario struct {
	Name     model.Phrase
	Asked    bool // by --what-if, not a default
	Changes  []Change
	Strength string // hidden_waits, hidden_activity, observed_only
	Total    model.Maybe[model.Range[time.Duration]]
	Saved    model.Maybe[model.Range[time.Duration]]
	Replay   model.Maybe[model.Range[time.Duration]] // total by a replay of the observed order, inside Total
	Worst    model.Maybe[model.Range[time.Duration]] // best_case_only: total without any assumption about hidden waits
	Speedup  model.Maybe[model.Range[float64]]
	GPUShare model.Maybe[model.Range[float64]]
	Limit    model.Maybe[model.Range[float64]] // speed-up if the changed stages took no time
	Note     model.Phrase                      // e.g. the stage was not observed
	Why      model.Reason                      // why nothing can be said; NotSet if the figures above hold
}

// Unknowable returns the scenario as one about which nothing can be said: every
// figure of it is unknown.
func (s Scenario) Unknowable(why model.Reason, note model.Phrase) Scenario {
	unknown := model.Missing[model.Range[float64]](why)
	span := model.Missing[model.Range[time.Duration]](why)
	s.Total, s.Saved, s.Worst, s.Replay = span, span, span, span
	s.Speedup, s.GPUShare, s.Limit, s.Why, s.Note = unknown, unknown, unknown, why, note
	return s
}

// Change scales one stage.
type Change struct {
	Stage  model.StageID
	Factor float64 // new duration / old duration, >= 0
}

// Curve is total against factor for one stage.
type Curve struct {
	Stage  model.StageID
	Factor []float64
	Total  []model.Range[time.Duration]
}

// Progress is what the job got done, from application logs.
type Progress struct {
	FirstResult                         model.Maybe[time.Duration] // from the window's start to the first accepted or finished output
	Accepted, Rejected, Errors, Retries model.Maybe[int64]
	AcceptedPerMinute                   model.Maybe[float64]
	Points                              []ProgressPoint // for the picture, thinned, extremes kept
	Evidence                            []Evidence
	Pace                                Pace
}

// Pace is how long one result took, and whether that changed.
type Pace struct {
	Usual  model.Maybe[time.Duration] // median time for a result over the window
	Change *PaceChange                // nil: none is reported, see Why
	Why    model.Phrase               // why no change is reported; empty where one is
	Rule   model.Phrase               // the rule by which it was looked for
}

// PaceChange is one change of the time that a result took.
type PaceChange struct {
	At            model.Interval[model.Time] // between these two results the change most likely lies
	From, To      model.Pos                  // their records
	What          model.Phrase
	Slower        bool
	Before, After time.Duration // medians
	N             [2]int64      // stretches between records of results before and after
	Chance        float64       // of so strong a change without one, were the stretches independent
}

// ProgressPoint is the running totals at an instant.
type ProgressPoint struct {
	At                         model.Time
	Accepted, Rejected, Errors model.Maybe[int64]
}

// Evidence is one observation with its place.
type Evidence struct {
	At   model.Pos
	When model.Interval[model.Time] // its own window on the run's clock; empty if not placed
	What model.Phrase
}

// Pause is a stretch that stands out by the stated rule.
type Pause struct {
	At           model.Interval[model.Time]
	Kind         string        // "no_stage", "long_stage", "no_progress", "late_first_result", "device_gap"
	Stage        model.StageID // the stage running, zero if none
	HasStage     bool
	Why          model.Phrase         // how far it stands out
	Evidence     []Evidence           // only records whose own window overlaps the pause
	UnknownShare model.Maybe[float64] // share of (sources x pause) that was not observed, 0..1
	NotSeen      []model.Phrase       // what was not observed during it
}

// State of a hypothesis.
type State string

// The states.
const (
	Supported    State = "supported"
	NotSupported State = "not_supported"
	NotEvaluated State = "could_not_be_evaluated"
)

// Hypothesis is a possible explanation beside what speaks for and against it.
type Hypothesis struct {
	ID        string
	State     State
	Statement model.Phrase // "consistent with …"
	Supports  []Evidence
	Against   []Evidence
	Missing   []model.Phrase
	NextCheck model.Phrase
	Threshold []model.Phrase // thresholds used, each with its origin
}

// Target is one declared target and whether it was met.
type Target struct {
	Name     string
	Wanted   float64
	Unit     string
	Observed model.Maybe[float64]
	Met      model.Maybe[bool]
}

// Waterfall is stage intervals by batch, step or task.
type Waterfall struct {
	Basis Basis
	By    string // "input", "step", "task"
	Rows  []WaterfallRow
	Of    int // rows present; len(Rows) are kept
	// Spans is, for every row present (kept or not) whose edges were all observed,
	// by start, from its first stage's start to its last stage's end.
	Spans   []model.Interval[model.Time]
	Axis    model.Interval[model.Time]
	Batches Batches // the decomposition batch by batch or step by step; Of is 0 where the rows are neither
}

// WaterfallRow is one batch or step.
type WaterfallRow struct {
	Label     model.Phrase
	Intervals []StageInterval
	Of        int // intervals present; len(Intervals) are kept, the longest
	Unknown   []Unknown
}

// StageInterval is one stage of one batch.
type StageInterval struct {
	Stage    model.StageID
	At       model.Interval[model.Time]
	Unsure   time.Duration // half-width of each edge from the clock
	From, To model.Pos
	Open     bool // an edge was not observed
}

// Unknown is an unobserved interval.
type Unknown struct {
	Source model.SourceID
	Track  model.Text // empty: the whole source
	Metric model.Text // empty: every metric
	At     model.Interval[model.Time]
	Placed bool
	Why    model.Reason
	Late   bool // of a CollectorGap: a row came late, and not so late that the collector had stopped
	Note   model.Phrase
	From   []model.Pos
}

// Finding is one statement of the first screen with the number of observations
// behind it.
type Finding struct {
	Text     model.Phrase
	Evidence int
	Link     string // id of the section that shows it
}

// Excerpt is a record as the file has it, for the redactor.
type Excerpt struct {
	Run  int
	At   model.Pos
	Why  model.Phrase // what it is evidence for
	Text model.Text   // ClassLogLine or ClassTableRow or ClassOperation
}
