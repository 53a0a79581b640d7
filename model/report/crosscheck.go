package report

import "tracemerge/model"

// The verdicts of a cross-check.
const (
	CheckAgrees      = "agrees"      // all but a few readings can be what the trace recorded
	CheckContradicts = "contradicts" // more cannot than may be faulty
	CheckUntestable  = "untestable"  // too few readings that the trace constrains
)

// A CrossCheck compares the readings of a sampled device with the kernels that a
// trace recorded on one of its devices.
type CrossCheck struct {
	Sampler      model.SourceID
	Device       model.Text // as the sampler names it
	Trace        model.SourceID
	TraceDevice  model.Text // as the trace names it
	SameName     bool
	Tested       int64 // readings that the trace constrains
	Above, Below int64 // of these: more than the trace allows, less than it recorded
	Verdict      string
	First        model.Pos // the first reading that is not explained
}
