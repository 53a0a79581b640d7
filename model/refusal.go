package model

import (
	"fmt"
	"strings"
)

// A Refusal is the error of a file that cannot be used: what was expected, what
// was found, what to do. Its text is a phrase, so that it can be shown without
// showing text of the file.
type Refusal struct {
	Text Phrase
	Err  error // what it was made from; nil if nothing
}

// Refuse makes a Refusal; the arguments are those of Say.
func Refuse(format literal, args ...any) error { return &Refusal{Text: Say(format, args...)} }

// Error is the text with "…" for every text from a file, and the error below.
func (r *Refusal) Error() string {
	text := r.Text.Plain(func(Text) string { return "…" })
	if r.Err != nil {
		text += ": " + r.Err.Error()
	}
	return text
}

// Unwrap gives the error below.
func (r *Refusal) Unwrap() error { return r.Err }

// Plain writes a phrase whose arguments are words, texts and whole numbers, with
// its texts written by show. Other arguments are written as "…".
func (p Phrase) Plain(show func(Text) string) string {
	var b strings.Builder
	rest := string(p.format)
	for _, a := range p.args {
		before, after, _ := strings.Cut(rest, "{}")
		b.WriteString(before)
		rest = after
		switch v := a.(type) {
		case Text:
			b.WriteString(show(v))
		case Word, int, int32, int64, uint64:
			fmt.Fprint(&b, v)
		case Phrase:
			b.WriteString(v.Plain(show))
		default:
			b.WriteString("…")
		}
	}
	b.WriteString(rest)
	return b.String()
}

// Phrase is the text for the redactor.
func (r *Refusal) Phrase() Phrase { return r.Text }
