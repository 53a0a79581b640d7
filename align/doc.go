// Package align places captures, each recorded on its own clock, on one timeline.
//
// The offset of a clock is what must be ADDED to its reading to get reference
// time. If the log says 12:00:03 when the trace says 12:00:05, and the trace is
// the reference, the log's offset is +2s.
//
// An offset is an interval [Lo, Hi] with an estimate inside it; the true offset
// lies in the interval if the declarations are true. A worked example: gpu.csv
// carries the stamp 2026/05/04 09:00:00.250, without a zone. Its civil reading is
//
//	1777885200.250 s since 1970-01-01T00:00:00 of that calendar
//
// run.yaml declares {zone: Asia/Seoul, offset: 1.25s, uncertainty: 5ms}. Seoul is
// nine hours ahead of UTC, so its zone contributes -32400 s, and the sum is
//
//	Lo -32398.755   Estimate -32398.750   Hi -32398.745
//	placed at 1777852801.500 s = 2026-05-04T00:00:01.500Z, give or take 5 ms
//
// Two doubts are kept apart. The offset interval is a doubt about the clock as a
// whole. The resolution of a stamp (Domain.Step) and the window that a sample
// speaks for are doubts about one record; they are not part of the offset.
//
// Nothing is assumed about clocks that share no evidence. A capture without a
// path to the reference keeps its own axis and the reason ClockUnplaced; it is
// not placed at offset zero, and two such captures never share an axis.
//
// Beside what is declared, evidence bounds clocks: the zone offsets in force on a
// day, that the files of a run folder meet (an assumption, listed as one), steps of
// one number in a log and a trace, collectives that several ranks share, the time in
// an exported file's name, and samples of utilization against recorded kernels. Each
// rule gives constraints on differences of offsets; package network solves them. One
// offset, or an interval no wider than MaxWidth, places a clock; several are listed
// and none is taken. The same constraints check the clocks that are placed otherwise:
// what contradicts them is listed, and moves nothing. Options.StrictClock lists all of
// this and places nothing by it.
//
// Daylight saving: a civil reading in the hour that occurs twice has two
// possible offsets. Where a step back in the file lies at that change, the
// readings before it are of the first pass and those after it of the second; in
// every other case the segment's interval covers both. A reading in the hour
// that never occurred contradicts the zone: it is placed nowhere and listed.
//
// A step back that no zone explains means that the clock was set. Nothing says
// which side of it is right, so both sides get an interval that reaches to the
// other, if the recorder did not wait at the step for much longer than elsewhere (an
// assumption, stated with it). A clock that was set forward, or back by less than the
// recorder waited meanwhile, shows no step: its readings are taken as they stand.
//
// Drift is looked for only where no one offset fits: collectives of two ranks then
// give the rates that do, up to 100 ppm, and the offset covers all values within the
// trace.
//
// What is not done: no placed clock is corrected for drift, no signal locates a clock
// (it only refutes offsets), no correction of one host's clock by another's. IANA zones come from the
// host's zone database where it has one (the order of the Go library), else
// from the one embedded here.
//
// Invariants: within a segment, placing is monotone and exact to 1 ns; widening
// a declared uncertainty never shrinks an interval; shifting the stamps of a
// source by c and its declared offset by -c changes nothing.
package align
