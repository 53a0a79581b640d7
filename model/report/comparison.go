package report

import (
	"time"

	"tracemerge/model"
)

// Comparison is one run against another.
type Comparison struct {
	Baseline, Candidate int  // indices of Runs
	Comparable          bool // every deciding condition is declared in both runs, and equal
	Undeclared          bool // not comparable only for want of declarations: nothing is known to differ
	Warnings            []model.Phrase
	Conditions          []Condition
	ChangedSettings     []model.Text
	Changed             []model.Phrase // the conditions that are known to differ without making the runs incomparable
	Coverage            []Coverage     // by kind of source
	Metrics             []MetricChange
	Stages              []MetricChange
	Predictions         []Prediction
	// NoPrediction says why Predictions is empty, and which scenario would have
	// been the one to hold against the outcome.
	NoPrediction model.Phrase
}

// Condition is one condition of two runs side by side.
type Condition struct {
	Name       model.Phrase
	Base, Next model.Phrase
	State      string // "equal", "different", "not_declared"
	Decides    bool   // a difference makes the runs incomparable
}

// Coverage is the share of its window that one kind of source observed in either
// run, 0..1; missing where a run has no placed source of the kind.
type Coverage struct {
	Kind       model.SourceKind
	Base, Next model.Maybe[float64]
}

// The verdicts of a MetricChange.
const (
	Improved           = "improved"
	Worse              = "worse"
	NotDistinguishable = "not_distinguishable"
	NotComparable      = "not_comparable"
	NotObserved        = "not_observed"
	OneObservation     = "one_observation" // one value in each run: no spread to judge by
	TooFew             = "too_few"         // values in each run, but too few that are independent
)

// MetricChange is one quantity in two runs.
type MetricChange struct {
	Name       string
	Stage      model.StageID
	HasStage   bool
	Unit       string
	Base, Next model.Maybe[model.Range[float64]]
	Ratio      model.Maybe[model.Range[float64]] // next / base
	// BaseCovered and NextCovered are the shares of the windows that the source of
	// the quantity observed, 0..1.
	BaseCovered, NextCovered model.Maybe[float64]
	Verdict                  string
	Note                     model.Phrase
}

// Prediction is a scenario of the baseline's what-if beside what the other run took.
type Prediction struct {
	Scenario model.Phrase
	Supposed []Supposed
	Total    model.Maybe[model.Range[time.Duration]] // the baseline's bounds for the whole window
	Outcome  model.Maybe[time.Duration]              // the other run's window
	Where    string                                  // "inside", "shorter", "longer"; "" where either is unknown
}

// Supposed is a factor of a scenario beside the one that was observed.
type Supposed struct {
	Change
	Observed model.Maybe[model.Range[float64]] // the stage's time, candidate / baseline
}
