// Package replay runs the stages of a log, or the spans of a trace, again with other
// durations, over the order that was observed.
//
// Of a log, nodes are the instances of stages; each starts when the last of what it waits
// for has ended, and a lag after that:
//
//   - the stage of the same input before it
//   - a free place on its lane: the instance before it, or in a pool of as many
//     as ever ran at once the one that ends first
//   - where neither ended just before it, the end of another instance that did
//
// The lag is what passed in the run between the last of these ends and the start,
// and stays as it was. Where nothing ended just before a start, unrecorded work
// ended there: the replay lets that work follow the lane, or come when it came,
// and gives the range of both.
//
// Of a trace, see Launches: device work, and what the host did between its launches.
//
// This claims more than the bounds of package whatif: that no other dependency
// holds anything up once the durations differ, such as a buffer that becomes full.
// It is therefore never wider than those bounds, and it is only as good as that
// claim. A run whose log names no inputs, whose stages were not all observed, or
// whose clocks leave the order of edges open has no replay; nor has a trace of which
// more than one device span in a hundred has no launch, or several traces at once: what
// one rank waits for in another is in neither of their files.
//
// The critical path is the chain of such waits that leads back from the end of the
// run to its beginning; its parts fill the window exactly.
package replay
