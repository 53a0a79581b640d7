package model

import "time"

// A Declaration is what run.yaml states, each value with the place where it
// stands. What nobody declared stays unknown with reason NotDeclared.
type Declaration struct {
	Source SourceID // the run file; 0 if the run has none

	Name        Text
	SymptomKind string // late_first_result, pause, output_rate_drop; "" if not declared
	SymptomText Text
	Window      Interval[Time] // empty if not declared; one end may be declared alone
	HasStart    bool
	HasEnd      bool
	Temperature string // cold, warm; "" if not declared
	Dataset     Text
	Location    Text
	AppName     Text
	AppVersion  Text
	Settings    []Setting // in the order of the file
	DoneWhen    Text
	WarmUp      Maybe[int64] // batches or steps at the beginning that are kept apart
	Quality     Quality
	Targets     Targets
	Hypothesis  DeclaredHypothesis
	Result      DeclaredResult

	Clocks      []DeclaredClock
	Anchors     []DeclaredAnchor
	Stages      []StageRule
	Patterns    []LogPattern
	Formats     []DeclaredFormat
	Thresholds  []DeclaredThreshold
	RedactWords []Raw
	RedactShow  []string // field names whose values may be shown

	NotDeclared []string // keys of the contract that are absent, in its order ("symptom", "window.start", …)
}

// A Setting is one entry of settings.
type Setting struct {
	Key   Text
	Value Text
}

// Quality is the declared quality of the run's output.
type Quality struct {
	Metric  Text
	Value   Maybe[float64]
	AtMost  Maybe[float64]
	AtLeast Maybe[float64]
}

// Targets are what the run should reach.
type Targets struct {
	DeadlineSeconds   Maybe[float64]
	AcceptedPerMinute Maybe[float64]
	GPUHours          Maybe[float64]
}

// DeclaredHypothesis is the hypothesis under test.
type DeclaredHypothesis struct{ Text, Change, RejectsIf Text }

// DeclaredResult is the outcome as a person wrote it.
type DeclaredResult struct {
	Text            Text
	Excluded        []Text
	NextObservation Text
}

// A DeclaredClock states the clock of one source.
type DeclaredClock struct {
	File        Raw // as written: a path relative to the run folder or a base name
	Zone        Text
	HasOffset   bool
	Offset      time.Duration // added to the source's stamps
	Uncertainty time.Duration // half-width, 0 if not stated
	From        Pos
}

// A DeclaredFormat states what a file is, where its content would be judged
// otherwise.
type DeclaredFormat struct {
	File Raw    // as written: a path relative to the run folder or a base name
	Form string // a kind of the contract ("app-log") or a variant of one ("glog"), as inspect shows them
	From Pos
}

// A DeclaredAnchor states that two records are the same moment.
type DeclaredAnchor struct {
	A, B   AnchorPoint
	Within time.Duration
	From   Pos
}

// An AnchorPoint is one record: by line, or by event name and edge.
type AnchorPoint struct {
	File  Raw
	Line  int32
	Event Raw
	Edge  Edge
}

// A StageRule maps records to a stage; the first rule that matches wins.
type StageRule struct {
	Stage  StageID
	Source SourceKind // "" for any
	Field  string     // log field to look at; "" for the span's name
	Value  Raw        // exact value of the field; empty if Name is used
	Name   Raw        // Go regular expression on the name; empty if Value is used
	From   Pos
}

// A LogPattern is a Go regular expression with named groups.
type LogPattern struct {
	Expr Raw
	From Pos
}
