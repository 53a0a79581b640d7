package runfile

import (
	"fmt"
	"strings"

	"tracemerge/model"
)

// maxErrors is how many problems are reported together.
const maxErrors = 10

// An Error is one problem of a run file.
type Error struct {
	Line int // 1-based; 0 where the whole file is meant
	Text model.Phrase
}

// Error gives the place and the problem without any text of the file.
func (e *Error) Error() string {
	return e.Message(func(model.Text) string { return "…" })
}

// Message is Error with the texts of the file written by show, for a terminal of
// the person who wrote the file.
func (e *Error) Message(show func(model.Text) string) string {
	if e.Line == 0 {
		return "run.yaml: " + e.Text.Plain(show)
	}
	return fmt.Sprintf("run.yaml:%d: %s", e.Line, e.Text.Plain(show))
}

// Phrase is the problem without its place.
func (e *Error) Phrase() model.Phrase { return e.Text }

// Errors are the problems of a run file in the order of its lines, at most ten;
// More says how many there are beyond.
type Errors struct {
	List []*Error
	More int
}

// Error gives one line for each problem.
func (e *Errors) Error() string {
	return e.Message(func(model.Text) string { return "…" })
}

// Message is Error with the texts of the file written by show.
func (e *Errors) Message(show func(model.Text) string) string {
	lines := make([]string, 0, len(e.List)+1)
	for _, x := range e.List {
		lines = append(lines, x.Message(show))
	}
	if e.More > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", e.More))
	}
	return strings.Join(lines, "\n")
}

// Phrase says how many problems there are; each is a notice of the capture.
func (e *Errors) Phrase() model.Phrase {
	return model.Say("the run file cannot be used; problems in it: {}", len(e.List)+e.More)
}

// Unwrap gives the problems to errors.As.
func (e *Errors) Unwrap() []error {
	out := make([]error, len(e.List))
	for i, x := range e.List {
		out[i] = x
	}
	return out
}
