package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/render/redact"
)

// InspectJSON writes {"sources": […], "clocks": […]} with the sources of every run,
// as in the summary, each with the run it belongs to, and the evidence about the
// clocks of each run.
func InspectJSON(w io.Writer, d redact.Document, opt Options) error {
	s := &summary{doc: d, rep: d.Report, opt: opt}
	s.within('{', '}', func() {
		s.array("sources", func() {
			for n := range s.rep.Runs {
				s.at(n)
				for i := range s.run.Sources {
					src := &s.run.Sources[i]
					s.item(func() {
						s.text("run", runLabel(s.doc, s.run), model.NotDeclared)
						s.source(src)
					})
				}
			}
		})
		s.array("clocks", func() {
			for n := range s.rep.Runs {
				s.at(n)
				s.item(func() {
					s.text("run", runLabel(s.doc, s.run), model.NotDeclared)
					s.clocks()
				})
			}
		})
	})
	return s.flush(w)
}

// InspectTable writes the sources as a table of plain text, and under each what
// is wrong with it. Figures of what was not read are written as such, never as 0.
func InspectTable(w io.Writer, d redact.Document, opt Options) error {
	t := &inspection{doc: d, opt: opt}
	t.rows = append(t.rows, inspectRow{cells: []string{"file", "kind", "records", "rejected", "clock", "covers"}})
	for n := range d.Report.Runs {
		for i := range d.Report.Runs[n].Sources {
			t.add(n, &d.Report.Runs[n].Sources[i])
		}
		for _, x := range d.Report.Runs[n].Notices {
			if x.Severity > model.Info {
				t.rows = append(t.rows, inspectRow{under: []string{t.problem(n, x)}})
			}
		}
	}
	if _, err := io.WriteString(w, t.text()); err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	return nil
}

// inspectRow is one line of the table and the lines under it.
type inspectRow struct {
	cells []string
	under []string
}

type inspection struct {
	doc  redact.Document
	opt  Options
	rows []inspectRow
}

func (t *inspection) add(run int, s *report.Source) {
	c := s.Capture
	if c == nil {
		c = &model.Capture{}
	}
	name := t.doc.Text(s.File).String()
	if t.opt.FileName != nil {
		name = strings.Map(printable, t.opt.FileName(s.File))
	}
	row := inspectRow{cells: []string{name, string(s.Kind), fmt.Sprint(c.Account.Read), fmt.Sprint(model.Sum(c.Account.Rejected)),
		t.clock(s), t.covers(run, s)}}
	if s.Kind == model.KindUnknown || c.Err != nil && c.Account.Read == 0 {
		row.cells[2], row.cells[3] = "not read", "not read"
	}
	if !s.Why.Empty() {
		row.under = append(row.under, t.doc.Phrase(run, s.Why).String())
	}
	if c.Err != nil {
		row.under = append(row.under, t.doc.Error(c.Err).String())
	}
	if c.Truncated {
		row.under = append(row.under, "the file is cut off; what stands before the cut is used")
	}
	if len(s.Guess) > 1 {
		row.under = append(row.under, guessLine(s.Guess))
	}
	for _, n := range problemsOf(c) {
		row.under = append(row.under, t.problem(run, n))
	}
	for _, k := range s.Clocks {
		said := k.Mapping.Against
		if !k.Mapping.Placed && observes(s.Kind) {
			said = slices.Concat(said, k.Mapping.Evidence)
		}
		for _, p := range said { // the pieces of one clock say much the same
			if line := t.doc.Phrase(run, p).String(); !slices.Contains(row.under, line) {
				row.under = append(row.under, line)
			}
		}
	}
	t.rows = append(t.rows, row)
}

// guessLine says how many records are of which variant.
func guessLine(guess []model.Guess) string {
	var parts []string
	for i, g := range guess {
		part := fmt.Sprintf("%s %d", g.Form, g.Fits)
		if i == 0 {
			part += fmt.Sprintf(" of %d", g.Of)
		}
		parts = append(parts, part)
	}
	return "records by format: " + strings.Join(parts, ", ") + "; run.yaml can declare one (formats)"
}

// printable replaces what could steer a terminal.
func printable(r rune) rune {
	if !unicode.IsPrint(r) {
		return '?'
	}
	return r
}

// clock says what the stamps of a source are and how they were placed.
func (t *inspection) clock(s *report.Source) string {
	if len(s.Clocks) == 0 || s.Clocks[0].Domain.Kind == model.DomainNone {
		return "none"
	}
	m := s.Clocks[0].Mapping
	out := s.Clocks[0].Domain.Kind.String()
	switch {
	case m.Placed:
		out += ", " + methodText(m.Method)
		if z := t.doc.Text(m.Zone).String(); z != "" {
			out += " " + z
		}
	default:
		out += ", not placed"
	}
	if n := len(s.Clocks); n > 1 {
		out += fmt.Sprintf(", %d pieces", n)
	}
	return out
}

// covers says what a source observed: on the run's clock if it is placed, else
// how long on its own.
func (t *inspection) covers(run int, s *report.Source) string {
	r := &t.doc.Report.Runs[run]
	p := Plain{Zone: t.opt.Zone, Relative: t.opt.Relative, OwnClock: !r.Window.UTC, Start: r.Window.At.Start}
	switch {
	case len(s.Observed) > 0:
		hull := model.NewSet(s.Observed...).Hull()
		return strings.ReplaceAll(p.Span(hull), noBreak, " ")
	case !s.Own.Empty():
		return strings.ReplaceAll(p.Duration(s.Own.Len()), noBreak, " ") + " on its own clock"
	}
	return "no clock"
}

func (t *inspection) problem(run int, n model.Notice) string {
	at := ""
	if len(n.At) > 0 {
		switch {
		case n.At[0].Line > 0:
			at = fmt.Sprintf("line %d: ", n.At[0].Line)
		case n.At[0].Offset > 0:
			at = fmt.Sprintf("byte %d: ", n.At[0].Offset)
		}
	}
	times := ""
	if n.N > 1 {
		times = fmt.Sprintf(" (%d times)", n.N)
	}
	return fmt.Sprintf("%s%s%s [%s]", at, t.doc.Phrase(run, n.Text), times, n.Code)
}

// text lays the rows out: figures to the right, the rest to the left, two spaces
// between columns.
func (t *inspection) text() string {
	width := make([]int, len(t.rows[0].cells))
	for _, r := range t.rows {
		for i, c := range r.cells {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	var b strings.Builder
	for _, r := range t.rows {
		var line strings.Builder
		for i, c := range r.cells {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			if i == 2 || i == 3 {
				line.WriteString(pad + c)
			} else {
				line.WriteString(c + pad)
			}
			line.WriteString("  ")
		}
		if len(r.cells) > 0 {
			b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		}
		for _, u := range r.under {
			b.WriteString("    " + u + "\n")
		}
	}
	return b.String()
}
