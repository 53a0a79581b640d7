// Package model is the vocabulary that all of tracemerge speaks: instants and
// intervals, measurements that may be unknown, text that may be private,
// positions in files, clocks, tracks and captures.
//
// Time is int64 nanoseconds. ClockTime is a reading of one clock domain of one
// source and means nothing outside it; Time is nanoseconds since the Unix epoch
// on the reference clock of a timeline. The two are different types, so an
// interval of one cannot be compared with an interval of the other.
//
//	              ClockTime                          Time
//	file ──reader──► Capture ──align──► Mapping ──► Timeline
//	              own clock         + offset ± width   one clock
//
// Intervals are half-open, [Start, End). For every track and window
//
//	busy + observed gap + unknown = window
//
// holds to the nanosecond; it is a law, not a rounding.
//
// A measurement is a Maybe: its zero value is unknown, so a field that nobody
// filled in cannot pass for the number 0. Text that came from a file is Raw and
// cannot be printed until the redactor has turned it into shown text.
//
// The package imports nothing but the standard library, does no input or
// output, and reads no clock.
package model
