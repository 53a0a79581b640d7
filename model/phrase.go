package model

import (
	"fmt"
	"time"
)

// literal is text of ours. The type cannot be named outside this package, so
// only constants of the program's source can be passed where it is asked for.
type literal string

// A Phrase is a sentence of ours in which text from files, numbers, durations
// and instants stand as typed arguments. The format holds one verb, {}, per
// argument. It becomes text only through the redactor.
type Phrase struct {
	format literal
	args   []any
}

// Say builds a phrase. The format must be a constant; arguments are Text,
// Reason, StageID, Fraction, Time, time.Duration, Word, integers, floats, or another
// Phrase. Any other argument is a defect and panics.
func Say(format literal, args ...any) Phrase {
	for _, a := range args {
		switch a.(type) {
		case Text, Reason, StageID, Fraction, Time, time.Duration, Word, int, int32, int64, uint64, float64, Phrase, Pos, SourceID:
		default:
			panic(fmt.Sprintf("model: a phrase cannot hold a %T", a))
		}
	}
	return Phrase{format, args}
}

// Format returns the sentence with its {} verbs, and the arguments for them.
func (p Phrase) Format() (string, []any) { return string(p.format), p.args }

// Empty reports whether nothing was said.
func (p Phrase) Empty() bool { return p.format == "" }

// Word is a word of ours chosen at run time from constants of the source, such
// as the name of a rule or of a file format.
type Word struct{ w literal }

// Lit makes a Word from a constant.
func Lit(w literal) Word { return Word{w} }

// String returns the word.
func (w Word) String() string { return string(w.w) }

// Fraction is a part of a whole, 0 to 1; it is shown as a percentage.
type Fraction float64
