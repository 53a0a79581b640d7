package model

import (
	"errors"
	"fmt"
	"unique"
)

// Raw is text that came from a file. It cannot be printed: fmt shows
// "[unredacted]", encoding/json refuses. Only the redactor turns it into shown
// text. It is 8 bytes, interned, and comparable.
type Raw struct{ h unique.Handle[string] }

// NewRaw wraps text from a file.
func NewRaw(s string) Raw { return Raw{unique.Make(s)} }

// Reveal returns the text itself. It may be called only by code that decides by
// it or redacts it, never by code that writes it; an architecture test holds the
// list of callers.
func (r Raw) Reveal() string {
	if r == (Raw{}) {
		return ""
	}
	return r.h.Value()
}

// Empty reports whether there is no text.
func (r Raw) Empty() bool { return r == (Raw{}) || r.h.Value() == "" }

const unredacted = "[unredacted]"

// String hides the text.
func (Raw) String() string { return unredacted }

// GoString hides the text under %#v.
func (Raw) GoString() string { return unredacted }

// Format hides the text under every verb.
func (Raw) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(unredacted)) }

// MarshalJSON refuses: unredacted text must not reach a file.
func (Raw) MarshalJSON() ([]byte, error) {
	return nil, errors.New("model: unredacted text cannot be written")
}

// MarshalText refuses, see MarshalJSON.
func (Raw) MarshalText() ([]byte, error) {
	return nil, errors.New("model: unredacted text cannot be written")
}

// A Class says what a piece of text is, so that the redactor knows how much of
// it may be shown.
type Class uint8

// The classes of text. What is in doubt is ClassFree, of which nothing but a
// closed vocabulary is shown.
const (
	ClassFree        Class = iota // free message text
	ClassFile                     // a file name of the run, relative to the run folder
	ClassPath                     // a path or URL
	ClassHost                     // a host name or address
	ClassUser                     // a user name
	ClassOperation                // an event name of a trace: operator, runtime call, kernel, annotation
	ClassStage                    // a stage name from a log or a rule
	ClassTask                     // a task identifier
	ClassInput                    // an input or batch identifier
	ClassMetric                   // a metric name as exported
	ClassGPUModel                 // a GPU product name
	ClassGPUIdentity              // a GPU UUID, serial or bus id
	ClassProcess                  // a process or thread name
	ClassLogLine                  // a whole line of a log
	ClassTableRow                 // a whole row of a CSV table
	ClassDataset                  // a data set name
	ClassVersion                  // a version of an application, driver or format
	ClassSetting                  // a setting's value
	ClassZone                     // a time zone
	ClassCell                     // one cell or value as the source spells it
)

// Text is raw text together with what it is.
type Text struct {
	Raw   Raw
	Class Class
}

// NewText wraps text from a file with its class.
func NewText(s string, c Class) Text { return Text{NewRaw(s), c} }

// Empty reports whether there is no text.
func (t Text) Empty() bool { return t.Raw.Empty() }
