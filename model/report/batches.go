package report

import (
	"time"

	"tracemerge/model"
)

// Batches is the decomposition of a run by what it worked on, batch by batch or
// step by step, each over its own time.
type Batches struct {
	Basis  Basis
	By     string          // "input" or "step", as Waterfall.By
	Stages []model.StageID // the columns of StageTimes
	Rows   []Batch         // kept ones, by start: the longest and an even spread
	Of     int             // batches present whose edges were all observed
	Open   int             // further batches with an edge that was not observed: in no figure here
	// Busy is, by index of Stages, the time of the stage in every steady batch, by
	// start, kept in Rows or not.
	Busy [][]time.Duration

	WarmUp   int          // how many batches at the beginning are kept apart
	WarmUpBy model.Phrase // declared, or the rule by which they were found, or why none is
	Early    BatchGroup   // the warm-up batches
	Steady   BatchGroup   // all others
}

// Batch is one batch, step or task over its own time: from the start of its
// first stage to the end of its last one, or the step as the trace records it.
//
// Invariant: the union of its stages + Waiting + Unknown = the length of At.
type Batch struct {
	Label   model.Phrase
	At      model.Interval[model.Time]
	Times   []StageTime // by index of Batches.Stages
	Overlap []Overlap   // pairs of its stages with a common time above 0
	Waiting time.Duration
	Unknown time.Duration // not observed, and none of its stages is known to have run
}

// StageTime is one stage within one batch.
type StageTime struct {
	Busy      time.Duration // union of its intervals
	Exclusive time.Duration // time in which no other stage of the same batch ran
}

// BatchGroup sums and orders a group of batches.
type BatchGroup struct {
	N      int
	Length Spread
	Stages []Spread // by index of Batches.Stages: Busy over the batches of the group
	// Exclusive, Waiting and Unknown are sums over the group.
	Exclusive        []time.Duration
	Waiting, Unknown time.Duration
}

// Spread is the order statistics of a duration over a group. It is missing
// where the group is empty.
type Spread struct {
	Min, Median, Max model.Maybe[time.Duration]
	Sum              time.Duration
}
