package model

import (
	"iter"
	"time"
)

// Edge says which end of a stage a log record states.
type Edge uint8

// The edges. EdgeWhole is a record that states a whole stage by its duration;
// the record's instant is the stage's end.
const (
	EdgeNone Edge = iota
	EdgeStart
	EdgeEnd
	EdgeWhole
)

// Level is the severity that a log record states.
type Level uint8

// The levels; LevelNone where the record states none.
const (
	LevelNone Level = iota
	LevelDebug
	LevelInfo
	LevelWarning
	LevelError
	LevelFatal
)

// A Mark is one log record that says something the analyses use: a stage edge,
// progress, a count, an error, a retry. Counts are as logged: running totals of
// the task, as CONTRACT has them.
type Mark struct {
	At       ClockTime
	Domain   DomainID
	From     Pos
	Level    Level
	Edge     Edge
	Retry    bool  // the record states that something is tried again
	Error    bool  // the record states an error (by level or by field)
	Stage    Raw   // as the log spells it
	Rule     int32 // 1-based index into Declaration.Stages of the rule that named the stage; 0 if none did
	Task     Raw
	Input    Raw // input or batch
	Rank     Maybe[int64]
	Step     Maybe[int64]
	Duration Maybe[time.Duration]
	Done     Maybe[int64] // progress "7/100": 7
	Total    Maybe[int64] // progress "7/100": 100
	Accepted Maybe[int64]
	Rejected Maybe[int64]
	Errors   Maybe[int64]
	Retries  Maybe[int64]
}

// MarkTable is a table of marks in file order.
type MarkTable interface {
	Len() int
	All() iter.Seq[Mark]
}

// MarkRows is a small mark table held as rows.
type MarkRows []Mark

// Len is the number of rows.
func (r MarkRows) Len() int { return len(r) }

// All yields the rows.
func (r MarkRows) All() iter.Seq[Mark] {
	return func(yield func(Mark) bool) {
		for _, m := range r {
			if !yield(m) {
				return
			}
		}
	}
}
