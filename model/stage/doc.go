// Package stage turns what sources recorded about stages into intervals on one
// axis, and a window into the time that each stage took.
//
//	marks of logs ──pair──► instances ─┐
//	                                   ├─► lanes ─► Table: busy, alone, both, the rest
//	spans of traces ─union─► sets ─────┘
//
// A basis is a kind of source on one axis: all logs of the run that are placed
// on the run's clock are one basis, all placed traces another; a source whose
// clock is not placed is a basis of its own on its own axis. Bases are never
// mixed: a stage that a log states and the kernels that a trace records are two
// observations of different things.
//
// Stages may overlap. Nothing is forced into a sum of 100 %: Busy is a union,
// Exclusive is the time in which no other stage ran, and for every table
//
//	union of stages + unattributed + unknown = window
//
// to the nanosecond. Unattributed time was observed, and no stage ran. For a log
// this rests on the log's own habit: a program that logs its stages between the
// first and the last record of that log is taken to log all of them. Outside
// these records nothing is known. For a trace the record window is what was
// observed, less the holes that the reader found in it.
//
// A stage whose start or end was not recorded is no stage time: from the edge
// that was seen to the next edge of the same kind of work the time is unknown
// (EdgeNotObserved), and the instance is shown as open.
//
// The package does not decide what a stage costs or whose fault it is, and it
// does not place clocks.
package stage
