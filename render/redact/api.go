// Package redact is the only way from text of a file to text that may be
// written. It denies by default: of each class of text (model.Class) only what a
// closed list knows is shown, everything else becomes a placeholder ⟨kind:n⟩.
//
// # For those who render
//
//	redact.Write(policy, values, rep, render)   renders, checks and heals; calls render with d
//
//	r := redact.New(policy, values)      one per build, shared by all outputs
//	d := r.Document(rep)                 numbers every placeholder of the report
//	d.Text(t)                            text of a file, by its class
//	d.Field("symptom", t)                the same, for a field that redact.show may name
//	d.Setting(s)                         key and value of a declared setting
//	d.Phrase(run, p)                     a sentence; run is the index of the run whose sources it cites
//	d.Pos(run, pos)  d.Source(run, id)   a place, a file
//	d.Stage(id)      d.StageCode(id)     a stage in words; its identifier as the summary JSON spells it
//	d.Literal("…")   Join(", ", a, b)    text of ours
//	d.Number(x) d.Duration(x) d.Instant(x)   measurements, through Values
//	d.Counts()       d.Withheld()        for the redaction section
//	d.Own(bytes)                         assets of the page (style, scripts), once each, while rendering
//	d.Check(out)                         the gate alone, as Write has it, for tests of outputs
//
// Commands that have no report use the same methods of Redactor; there a phrase
// needs a Files to name its sources (nil: places without file names), and
// Redactor.Error writes errors for the terminal.
//
// Shown is a fmt.Stringer: html/template escapes it like any string, text/template
// and fmt print it, encoding/json writes a string. It is never markup.
//
// # What is promised
//
//   - A placeholder says nothing about the original: no length, hash or prefix.
//     It is numbered by the first appearance in the report; one original has one
//     placeholder everywhere in a build.
//   - What is hidden anywhere is hidden everywhere, except words of the closed lists
//     and texts that are shown in full elsewhere by right (see Write).
//   - An absolute path or URL is never shown, whatever its components are.
//   - Two inputs that differ only in private values of the same shape give the
//     same bytes.
//   - Numbers, stamps and durations stay as they are, except long digit runs
//     without unit or known key in free text, and stamps if Policy.RelativeTime.
//   - Shown text redacted again is unchanged.
//
// Labels such as ⟨host:1⟩ are a courtesy of detectors that may be wrong; what
// protects is that unknown text is not shown. The package does not judge whether
// figures are confidential, and short numbers in a log line are shown.
package redact

import (
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// Shown is text that may be written. Only this package makes it.
type Shown struct{ s string }

// String returns the text.
func (s Shown) String() string { return s.s }

// Empty reports whether there is no text.
func (s Shown) Empty() bool { return s.s == "" }

// MarshalText returns the text; encoding/json writes it as a string.
func (s Shown) MarshalText() ([]byte, error) { return []byte(s.s), nil }

// constant is text of ours. The type cannot be named outside this package, so
// only constants of the program's source can be passed where it is asked for.
type constant string

// Join puts a separator of ours between shown texts.
func Join(sep constant, parts ...Shown) Shown {
	var b []byte
	for i, p := range parts {
		if i > 0 {
			b = append(b, sep...)
		}
		b = append(b, p.s...)
	}
	return Shown{string(b)}
}

// Values writes the measurements inside a phrase; render supplies it, so that
// sentences and tables write numbers alike.
type Values interface {
	Duration(time.Duration) string
	Instant(model.Time) string
	Number(float64) string
	Percent(float64) string // of a share, 0 to 1
}

// A Policy says what a person decided. Its zero value is the strictest.
type Policy struct {
	Words        []model.Raw // always replaced, wherever they stand, in any case
	Show         []string    // what may be shown as it is: a field of run.yaml ("symptom"), a setting's key, a class ("dataset", "file", "host", "operation", …)
	RelativeTime bool        // no calendar stamps in excerpts and names
	Args         []string    // paths as the user typed them; shown in errors on the terminal only
	// Translate puts text of ours (never of a file) into the report's language:
	// formats of phrases, words, reasons, stage names. A translated format may
	// name its arguments by place, {2}, where the order differs. Nil: English.
	Translate func(string) string
}

// Files names the file of a source, for places in phrases; nil names none.
type Files func(model.SourceID) model.Text

// A Count is how many different originals of a kind were replaced.
type Count struct {
	Kind string
	N    int
}

// A Document is a report that may be rendered: the figures as they are, and the
// only way from its texts to shown text. Beside its own methods it has those of
// Redactor that need no run: Text, Field, Setting, Stage, StageCode, Literal,
// Number, Duration, Instant, Counts, Own, Check.
type Document struct {
	*Redactor
	Report   *report.Report
	excerpts int
	withheld int
}

// Phrase writes a sentence of the run (an index of Report.Runs).
func (d Document) Phrase(run int, p model.Phrase) Shown {
	return d.Redactor.Phrase(p, d.files(run))
}

// Pos writes a place: "gpu.csv:41", or "trace.json, byte 1234" where the file is
// not line-oriented.
func (d Document) Pos(run int, p model.Pos) Shown { return d.Redactor.Pos(p, d.files(run)) }

// Source writes the file name of a source of the run.
func (d Document) Source(run int, id model.SourceID) Shown {
	return d.Redactor.source(id, d.files(run))
}

// Withheld returns how many excerpts the report cites, and how many of their
// lines show nothing but placeholders.
func (d Document) Withheld() (excerpts, lines int) { return d.excerpts, d.withheld }
