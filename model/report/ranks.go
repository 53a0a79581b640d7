package report

import (
	"time"

	"tracemerge/model"
)

// Ranks sets the traces of several ranks side by side. Durations are those of
// each trace's own clock and need no common one.
type Ranks struct {
	Ranks       []Rank // by rank; empty where fewer than two traces state different ranks
	Steps       []RankStep
	Collectives []Collective
	Together    Waits // over the collectives of all names that could be matched
	// Alone: communication was recorded, and of one rank only. Waiting for others
	// and transferring can then not be told apart.
	Alone bool
	// Repeated are the traces of which several state the same rank; none of them is
	// in Ranks.
	Repeated []Rank
}

// Rank is one trace and the rank that it states.
type Rank struct {
	Rank   int64
	Source model.SourceID
}

// RankStep is one step on every rank.
type RankStep struct {
	N       int64
	Length  []model.Maybe[time.Duration] // by index of Ranks.Ranks; of the host's ProfilerStep
	Slowest int                          // index of the longest
	Spread  time.Duration                // longest less shortest
}

// Collective are the communication kernels of one name, matched across ranks by
// their order.
type Collective struct {
	Name    model.Text
	Matched bool
	Why     model.Phrase // why not, or what the match rests on
	Calls   []int64      // by index of Ranks.Ranks: kernels recorded
	Held    []time.Duration
	// Shortest sums, over the calls, the shortest duration on any rank: the time
	// that the transfer took at most.
	Shortest time.Duration
	// Waited is Held less Shortest: what each rank waited at least, if no rank's own
	// transfer took longer than the shortest call did as a whole. The rank that
	// arrives last waits least, if the kernels of a call end together.
	Waited []time.Duration
	Last   []int64 // calls in which the rank's was the shortest
}

// Waits sums the matched calls of several collectives.
type Waits struct {
	Calls        int64           // matched calls on each rank; 0: nothing is matched, and the rest is empty
	Held, Waited []time.Duration // by index of Ranks.Ranks, as in Collective
	Last         []int64
}
