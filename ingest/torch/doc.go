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
// Tolerance: traces are cut off by killed jobs and broken by names with quotation
// marks. Every whole event that can be read is read; where the text is no JSON
// the reader repairs or goes on at the next event, and counts both with places.
//
// Invariants: every element of the event array is counted once (used, set aside
// or rejected); spans stand in the order of the file; Start <= End; a record at
// time 0 that lies far from all others never stretches the window.
//
// The package places nothing on a common clock, and it does not nest spans:
// Python frames, operators and annotations cross each other in real files.
package torch
