// Package torch reads traces of the PyTorch profiler (Kineto), the JSON that
// chrome://tracing and Perfetto show, into spans.
//
//	{"schemaVersion": 1, "baseTimeNanoseconds": 1712…,      top-level keys, any order
//	 "traceEvents": [{"ph": "X", "cat": "kernel", "name": …,
//	                  "pid": 0, "tid": 7, "ts": 42.125, "dur": 3.5, "args": {…}}, …]}
//
// Units: ts and dur are microseconds as decimal text, whatever displayTimeUnit
// says; they become int64 nanoseconds without passing through floating point. An
// end is the exact sum ts+dur, rounded half to even where digits go below 1 ns.
//
// Clock: baseTimeNanoseconds + ts is Unix time; without that key a smallest
// non-zero ts of 1e15 or more is Unix time already; else the file has no clock.
// The key may come after the events (Kineto wrote it there from 2024-05 to
// 2025-03), so times stay relative until the document ends. The date, the
// version and schemaVersion decide nothing: they did not change with the clock.
//
// What an event is follows from its category, never from its process, label or
// place in the file: container processes share ids with devices.
//
// Communication is told from computation by a table of names (CommRules), among
// kernels only. A record on a device whose category no rule knows is unclassified:
// it is kept and is no device work.
//
// Tolerance: traces are cut off by killed jobs and broken by names with quotation
// marks. Every whole event that can be read is read; where the text is no JSON
// the reader repairs or goes on at the next event, and counts both with places.
//
// Quarantine: records whose times cannot be are kept out of every figure by named
// rules, with the time that they state, and stretch no axis: at time 0, far from
// all others, outside the window to which the recorder keeps itself. A kernel that
// starts before its launch is kept: it bounds the error between two clocks.
//
// Limits: a record may take 64 MiB of text, a top-level value that is used 8 MiB;
// nesting is not limited and costs nothing. Memory is that of one record, of the
// names that differ, and about 45 bytes for each span, 16 for each launch.
//
// Invariants: every element of the event array is counted once (used, set aside
// or rejected); spans stand in the order of the file; Start <= End; what is read
// does not depend on the pieces in which the text comes.
//
// The package places nothing on a common clock, and it does not nest spans:
// Python frames, operators and annotations cross each other in real files.
package torch
