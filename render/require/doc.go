// Package require decides whether a summary fulfils a requirement, such as
//
//	stages.cpu_preparation.share.hi < 0.3
//
// A requirement is a path, a comparison and a value. The path follows the keys of
// the summary JSON. Beginning with a key of the top level (runs, comparison) it
// starts there, else in the last run. An element of a list is named by its id,
// stage, name, scenario, basis, kind, file or device, where everything but letters
// and digits may be written as _, or by its place, counted from 1. Where several
// elements have the name, the next part of the path may choose among them; else the
// first one is meant. A list of one element needs no name.
//
// Every number has bounds: an unknown one has none, a pair {lo, hi} has its own, a
// stage's time is as much longer at most as the window was not observed, and a
// count from a log that was cut off has no upper bound. Without .lo or .hi the
// requirement holds if it holds for every value in the bounds, does not hold if it
// holds for none, and is not decidable else. What a comparison says is not
// decidable where the runs are not comparable or where there is no verdict.
//
// All texts are those of the summary, which has been redacted.
package require
