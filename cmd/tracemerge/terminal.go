package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tracemerge/align"
	"tracemerge/ingest"
	"tracemerge/ingest/runfile"
	"tracemerge/model"
	"tracemerge/model/ranks"
	"tracemerge/model/report"
	"tracemerge/render"
	"tracemerge/render/redact"
)

// onTerminal is a policy for messages to the person at the terminal: file names
// of the run and the paths as typed stay, so that it is known where to look; other
// text of files is redacted as anywhere else.
func onTerminal(p redact.Policy, args []string) redact.Policy {
	p.Args = args
	p.Show = append(slices.Clone(p.Show), "file")
	return p
}

// explain turns an error that may carry text of files into one for the terminal:
// places and reasons stay, text goes through the redactor. File names of the run
// stay as they are: they tell the person at the terminal where to look.
func explain(err error, caps []*model.Capture, args []string) error {
	r := redact.New(onTerminal(redact.Policy{}, args), render.Plain{})
	var declared *align.DeclarationError
	if errors.As(err, &declared) {
		if declared.At.Source == 0 { // typed, not read from a file: it may be shown
			typed := redact.New(onTerminal(redact.Policy{Show: []string{"zone"}}, args), render.Plain{})
			return &usageError{text: typed.Phrase(declared.Text, labels(caps)).String()}
		}
		place := args[0] + ": run.yaml"
		if declared.At.Line > 0 {
			place += fmt.Sprintf(":%d", declared.At.Line)
		}
		return fmt.Errorf("%s: %s", place, r.Phrase(declared.Text, labels(caps)))
	}
	var format *ingest.DeclarationError
	if errors.As(err, &format) {
		return fmt.Errorf("%s: run.yaml:%d: %s", args[0], format.At.Line, r.Phrase(format.Text, labels(caps)))
	}
	var twice *ranks.TwiceError
	if errors.As(err, &twice) {
		return fmt.Errorf("%s: %s", args[0], r.Phrase(twice.Text, labels(caps)))
	}
	var yaml *runfile.Errors
	if errors.As(err, &yaml) {
		return fmt.Errorf("%s: %s", args[0], yaml.Message(func(t model.Text) string { return r.Text(t).String() }))
	}
	return err
}

// labels names the sources of a run by their files.
func labels(caps []*model.Capture) redact.Files {
	return func(id model.SourceID) model.Text {
		for _, c := range caps {
			if c.Source.ID == id {
				return c.Source.File
			}
		}
		return model.Text{}
	}
}

// terminalText replaces the page's narrow and non-breaking spaces, which terminals
// draw in any width.
func terminalText(s string) string {
	return strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(s)
}

// trouble lists what the user should know about a file, the gravest first.
func trouble(r *redact.Redactor, s report.Source, files redact.Files) []string {
	c := s.Capture
	var out []string
	add := func(format string, args ...any) { out = append(out, terminalText(fmt.Sprintf(format, args...))) }
	if c.Err != nil {
		add("%s", r.Error(c.Err))
	}
	for _, n := range c.Notices {
		if n.Severity < model.DataLoss {
			continue
		}
		at := ""
		if len(n.At) > 0 && n.At[0].Line > 0 {
			at = fmt.Sprintf("line %d: ", n.At[0].Line)
		} else if len(n.At) > 0 && n.At[0].Offset > 0 {
			at = fmt.Sprintf("byte %d: ", n.At[0].Offset)
		}
		more := ""
		if n.N > 1 {
			more = fmt.Sprintf(" (%d times)", n.N)
		}
		add("%s%s%s [%s]", at, r.Phrase(n.Text, files), more, n.Code)
	}
	if c.Err == nil && !s.Placed && hasClock(s.Kind) {
		for _, k := range s.Clocks {
			if !k.Mapping.Placed && len(k.Mapping.Evidence) > 0 {
				add("%s", r.Phrase(k.Mapping.Evidence[len(k.Mapping.Evidence)-1], files))
				break
			}
		}
	}
	if c.Truncated && len(out) == 0 {
		add("the file is cut off; what stands before the cut is used")
	}
	return out
}

// hasClock reports whether sources of the kind are expected to be placed.
func hasClock(k model.SourceKind) bool {
	return k != model.KindRunFile && k != model.KindUnknown
}

// broken reports whether some of the file could not be read.
func broken(c *model.Capture) bool {
	return c.Err != nil || c.Truncated || len(c.Account.Rejected) > 0
}
