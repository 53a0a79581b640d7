// Package whatif bounds how long a run would have taken if stages had been
// faster or slower, from nothing but when the stages ran.
//
// # The rule
//
// Cut the window at every edge. A piece of length d in which the stages A ran
// becomes at least d·min F and at most d·max F, where F holds the factors of the
// stages in A, and 1 where something that no factor changes may have run:
//
//	preparation 60 s, GPU compute 20 s, export 20 s, one after the other
//	preparation x 0.5:  60·0.5 + 20 + 20 = 70 s, GPU share 20/70
//
// Without overlap the two sums are equal: this is Amdahl's law. With overlap
// they are a range.
//
// # Why it holds
//
// Take the run as a graph of tasks, each of which starts when the last of the
// tasks it waits for has ended. The tasks of one path through the graph ran at
// disjoint instants, each inside a piece whose F holds its factor.
//
//   - Upper bound: after the change the run is as long as its longest path. Every
//     path is a set of tasks whose old instants are disjoint, so its new length
//     is at most the sum of d·max F.
//   - Lower bound: the longest path of the old run covers the whole window, so its
//     new length is at least the sum of d·min F, and the new run is not shorter
//     than any of its paths.
//
// Both need that F holds the factor of every task that may have run at that
// instant. What is not observed decides how strong the result is:
//
//   - hidden_waits: anything may run unobserved at any time, so 1 is in every F.
//     Only the best case is bounded then; the total may stay as it is.
//   - hidden_activity, the one that is shown: unobserved work may fill the gaps
//     of lanes that nothing explains, see Gaps. 1 is in F there, and in every
//     piece where no stage ran.
//   - observed_only: lanes do nothing but their stages.
//
// Unknown time has 1 and every factor of the scenario in F, in each strength:
// any of the stages may have run.
//
// # When it does not hold
//
// The graph is assumed to stay: same tasks, same order, same dependencies. A
// scheduler that reorders work, a batch that is split differently, stages that
// contend for one disk or one memory bus, and a rate that changes with the clock
// of the device lie outside. So does a stage that becomes a wait for another one
// inside its own record, and work that is hidden behind another stage's
// record. A GPU share computed here does not predict what a sampling tool shows.
//
// hidden_activity rests on two more things. An end of another lane that only
// happens to lie within the tolerance of a start is taken for what it waited for.
// And a lane whose unrecorded work always ends behind a wait shows no sign of it
// but that it never goes on at once: constant work of that kind is counted, see
// Gaps; work that varies is counted up to the shortest gap only.
// Of 84 000 changes to simulated pipelines of workers, bounded buffers, a GPU and
// a writer, five of seven with unrecorded pauses, 4 fell outside, 3 for the first
// reason and 1 for the second; of those with pauses observed_only failed in 36 to
// 58 %. The range was 22 to 26 % of the total wide on average.
//
// # Stamps
//
// A stamp says that its edge lies in [stamp, stamp+Step). A run is certain only
// from a Step behind its start to its end, and possible to a Step behind its
// end; between two runs unrecorded work may have fitted. Bounds are made from
// these sets. What this moves by less than 1/10 000 of the window is left out,
// so that stamps in microseconds leave the example above as it is. The window's
// ends may lie a Step later too, which widens what a changed stage leads to; its
// length is shown as stamped. A trace's spans that touch are one.
//
// In 3590 simulated changes of logs without work that always ended behind a wait
// the bounds became 1 point of the total wider by the last step of Gaps; of 1084
// with it 48 fell outside without that step and 1 with it, for 3 points.
//
// Durations are exact: factors are decimals, sums are rational numbers, and a
// bound is rounded outward to the nanosecond.
package whatif
