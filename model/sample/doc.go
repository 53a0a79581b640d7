// Package sample says what the rows of a sampler speak for: which part of a
// window each metric of each device is known in, what its values were, what they
// bound, and why the rest is unknown.
//
// A sample is not a value that holds until the next one. Three rules say how far
// back from its stamp a reading speaks; none reaches forward:
//
//   - activity (utilization.gpu, utilization.memory): [t-2s, t]. The driver
//     refreshes the reading about once a second and the reading describes one
//     whole refresh period, so its own window ended up to 1 s before the stamp
//     and lies somewhere in those 2 s. The whole support is drawn, as the
//     part that the reading describes cannot be told from the rest.
//   - rates of a host tool (pidstat, iostat): back to the previous row, as the
//     tool computes them over exactly that time.
//   - everything else (memory, power, temperature, clocks): back to the previous
//     row, at most 2 s. This is a convention, not a measurement: such a value is
//     read at one instant, and the rule states how long it is let stand for.
//
// A row is taken to have missed its turn when it comes later than 1.5 times the
// usual distance of its track, and at least 0.25 s later than usual; it then
// speaks for one usual distance only, and the rest is a collector gap. The usual
// distance is the median. (17 public loops: 99 % of the distances lie within
// 1.15 times the median.) A row that comes up to 3 times the usual distance and
// 5 s after the one before is said to be late; beyond that the collector had
// stopped. The time is unknown in both cases.
//
// For every metric and window, Known + Unknown = window length, exactly. N/A is
// a row without a value: it is counted, drawn, and never 0.
//
// The share of a window in which a device was busy is bounded, never averaged:
// see Busy. Nothing is interpolated and nothing is inferred across a gap.
package sample
