package model

import "time"

// A ClockRef names one clock domain of a run. The zero value is the reference
// clock itself: UTC, or the own axis of the reference source.
type ClockRef struct {
	Source SourceID
	Domain DomainID
}

// Strength orders the evidence about clocks by what it rests on. Where
// constraints contradict one another the weakest gives way and is listed as
// contradicted; StrengthDeclared never does.
type Strength uint8

// The strengths, weakest first.
const (
	StrengthHint        Strength = iota + 1 // file times, names of files
	StrengthStatistical                     // signals that match; what could be otherwise by chance
	StrengthCausal                          // one record cannot precede another
	StrengthFormat                          // what a format defines, or an identity of host or device
	StrengthDeclared                        // run.yaml or a flag states it
)

var strengthText = [...]string{"", "hint", "statistical", "causal", "format", "declared"}

// String returns the stable code of the strength.
func (s Strength) String() string { return strengthText[s] }

// ConstraintUse says what became of a constraint.
type ConstraintUse string

// The uses.
const (
	ConstraintTight        ConstraintUse = "tight"        // an end of a reported interval rests on it
	ConstraintAgrees       ConstraintUse = "agrees"       // holds, and something else is tighter
	ConstraintContradicted ConstraintUse = "contradicted" // given up, since stronger evidence excludes it
	ConstraintUntestable   ConstraintUse = "untestable"   // looked for; the data cannot say anything
	ConstraintRefused      ConstraintUse = "refused"      // neither declared nor certain, and only such evidence was asked for
)

// A Constraint is one piece of evidence about clocks: offset(A) - offset(B)
// lies in one of the closed intervals of Allowed.
type Constraint struct {
	Rule     string // stable code of the rule: "declared_zone", "trace_signal", …
	Strength Strength
	A, B     ClockRef
	Allowed  []Range[time.Duration] // ordered, disjoint; OpenLow and OpenHigh stand for no bound
	Assumed  bool                   // rests on an assumption that What states
	What     Phrase                 // what was seen or declared, in words
	From     []Pos
	Use      ConstraintUse
	Against  []int // for a contradicted one: indices of the constraints that exclude it
}

// The open ends of Constraint.Allowed.
const (
	OpenLow  time.Duration = -1 << 62
	OpenHigh time.Duration = 1 << 62
)

// A ClockStatus says how well the offset of a clock is known.
type ClockStatus string

// The statuses. Only exact and bounded clocks are placed.
const (
	ClockExact        ClockStatus = "exact"        // no wider than the resolution of its stamps
	ClockBounded      ClockStatus = "bounded"      // one interval
	ClockOneSided     ClockStatus = "one_sided"    // a bound on one side only
	ClockAmbiguous    ClockStatus = "ambiguous"    // several offsets explain the evidence about as well
	ClockContradicted ClockStatus = "contradicted" // declarations contradict one another
	ClockUnaligned    ClockStatus = "unaligned"    // no evidence relates it to the reference
)

// A ClockArgument is the whole argument by which the clocks of a run were placed.
type ClockArgument struct {
	Reference   Phrase // what the reference is and why
	Constraints []Constraint
	Tighten     []Phrase // the further observations that would narrow the widest offsets most, most useful first
}
