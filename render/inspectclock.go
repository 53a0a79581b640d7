package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/render/redact"
)

// InspectClocks writes the whole argument by which the clocks of each run were
// placed, as plain text: the reference, each clock and what its offset rests on,
// every constraint with its place, what contradicts, and what would tighten it.
func InspectClocks(w io.Writer, d redact.Document, opt Options) error {
	for n := range d.Report.Runs {
		a := &argument{doc: d, opt: opt, run: &d.Report.Runs[n], n: n}
		if n > 0 {
			a.line("")
		}
		a.write()
		if _, err := io.WriteString(w, a.b.String()); err != nil {
			return fmt.Errorf("writing the argument about the clocks: %w", err)
		}
	}
	return nil
}

// argument is what is said about the clocks of one run, as text.
type argument struct {
	doc redact.Document
	opt Options
	run *report.Run
	n   int
	b   strings.Builder
}

// line writes one line.
func (a *argument) line(format string, args ...any) {
	a.b.WriteString(strings.TrimRight(strings.Map(a.oneLine, fmt.Sprintf(format, args...)), " ") + "\n")
}

// oneLine keeps what was read from files from breaking a line or steering a
// terminal.
func (a *argument) oneLine(r rune) rune {
	switch r {
	case '\u00a0', '\u202f':
		return r
	case '\n', '\t':
		return ' '
	}
	return printable(r)
}

func (a *argument) phrase(p model.Phrase) string { return a.doc.Phrase(a.n, p).String() }

func (a *argument) plain() Plain {
	return Plain{Zone: a.opt.Zone, Relative: a.opt.Relative, OwnClock: !a.run.Window.UTC, Start: a.run.Window.At.Start}
}

func (a *argument) write() {
	a.line("%s", runLabel(a.doc, a.run).String())
	if r := a.phrase(a.run.Clocks.Reference); r != "" {
		a.line("reference: %s", r)
	}
	a.overview()
	a.clocks()
	a.constraints()
	if t := a.run.Clocks.Tighten; len(t) > 0 {
		a.line("")
		a.line("What would tighten it most:")
		for _, p := range t {
			a.line("  - %s", a.phrase(p))
		}
	}
}

// overview is one line for each clock.
func (a *argument) overview() {
	rows := [][]string{{"source", "stamps", "offset", "±", "status", "placed by"}}
	for i := range a.run.Sources {
		s := &a.run.Sources[i]
		if !observes(s.Kind) {
			continue
		}
		for k := range s.Clocks {
			c := &s.Clocks[k]
			row := []string{joinWith(", ", a.source(s.ID), pieceName(s, c.Domain.ID)), c.Domain.Kind.String(), "", "", statusText(c.Mapping), methodText(c.Mapping.Method)}
			if m := c.Mapping; m.Placed && len(m.Segments) > 0 {
				row[2], row[3] = a.plain().about(m.Segments[0].Offset)
				row[3] = strings.TrimPrefix(row[3], "± ")
				if n := len(m.Segments); n > 1 {
					row[2] += fmt.Sprintf(", first of %d", n)
				}
			}
			rows = append(rows, row)
		}
	}
	width := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, c := range r {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	a.line("")
	for _, r := range rows {
		out := ""
		for i, c := range r {
			out += c + strings.Repeat(" ", width[i]-utf8.RuneCountInString(c)+2)
		}
		a.line("%s", out)
	}
}

// source is a file by its name.
func (a *argument) source(id model.SourceID) string { return a.doc.Source(a.n, id).String() }

// places are where evidence stands, in brackets.
func (a *argument) places(at []model.Pos) string {
	out := ""
	for _, p := range withPlace(at) {
		out = joinWith("; ", out, a.doc.Pos(a.n, p).String())
	}
	if out == "" {
		return ""
	}
	return " (" + out + ")"
}

// clocks writes what is said of each clock; of those of which the same is said,
// once.
func (a *argument) clocks() {
	type said struct {
		names []string
		text  string
	}
	var all []said
	for i := range a.run.Sources {
		s := &a.run.Sources[i]
		for k := range s.Clocks {
			c := &s.Clocks[k]
			if !observes(s.Kind) || c.Domain.Kind == model.DomainNone {
				continue
			}
			name := joinWith(", ", a.source(s.ID), pieceName(s, c.Domain.ID)) + a.tight(model.ClockRef{Source: s.ID, Domain: c.Domain.ID})
			one := &argument{doc: a.doc, opt: a.opt, run: a.run, n: a.n}
			one.clock(c)
			text := one.b.String()
			if at := slices.IndexFunc(all, func(o said) bool { return o.text == text }); at >= 0 {
				all[at].names = append(all[at].names, name)
				continue
			}
			all = append(all, said{[]string{name}, text})
		}
	}
	for _, s := range all {
		a.line("")
		for _, n := range s.names {
			a.line("%s", n)
		}
		a.b.WriteString(s.text)
	}
}

// clock is one clock: what its stamps are, what offsets the evidence leaves, and
// what the stated one rests on.
func (a *argument) clock(c *report.Clock) {
	m := c.Mapping
	a.line("  stamps: %s, resolution %s%s", domainWords[c.Domain.Kind], briefly(c.Domain.Step), a.places([]model.Pos{c.Domain.From}))
	why := a.list("", append([]model.Phrase{c.Domain.Why}, c.Domain.Notes...), nil)
	a.line("  status: %s", a.status(m))
	for i, o := range a.offsets(m) {
		if i == offsetsListed {
			a.line("  offset: %d more (--json lists all)", len(a.offsets(m))-i)
			break
		}
		a.line("  offset: %s", o)
	}
	if len(m.Other) > 0 && len(m.Ranges) < 2 { // else it says the same as the ranges
		var others []string
		for _, d := range m.Other {
			others = append(others, a.plain().offsetText(d))
		}
		a.line("  possible too: %s", few(others, ", "))
	}
	a.list("  rests on", m.Evidence, why)
	a.list("  contradicts it", m.Against, nil)
}

// tight names the constraints about a clock on which an end of some offset rests.
func (a *argument) tight(ref model.ClockRef) string {
	out := ""
	for i := range a.run.Clocks.Constraints {
		if c := &a.run.Clocks.Constraints[i]; c.Use == model.ConstraintTight && (c.A == ref || c.B == ref) {
			out = joinWith(", ", out, fmt.Sprintf("[%d]", i+1))
		}
	}
	if out == "" {
		return ""
	}
	return " (tight: " + out + ")"
}

func (a *argument) status(m model.Mapping) string {
	out := statusText(m)
	if !m.Placed && m.Status != "" {
		out += "; not placed"
	}
	if z := a.doc.Text(m.Zone).String(); z != "" {
		out += "; zone " + z
	}
	return out
}

// offsets are the offsets that the evidence leaves, to the nanosecond.
func (a *argument) offsets(m model.Mapping) []string {
	var out []string
	switch {
	case m.Placed && len(m.Segments) > 0 && len(m.Ranges) < 2:
		for _, g := range m.Segments {
			out = append(out, offsetBounds(g.Offset))
		}
	default:
		for _, r := range m.Ranges {
			out = append(out, offsetBounds(r))
		}
	}
	return out
}

// list writes phrases under a title, but for those that were said before, and
// returns them.
func (a *argument) list(title string, ps []model.Phrase, before []string) (said []string) {
	for _, p := range ps {
		t := a.phrase(p)
		if t == "" || slices.Contains(before, t) {
			continue
		}
		if title != "" && len(said) == 0 {
			a.line("%s", title)
		}
		a.line("    %s", t)
		said = append(said, t)
	}
	return said
}

// constraints lists all evidence between clocks, what was given up first.
func (a *argument) constraints() {
	cs := a.run.Clocks.Constraints
	a.line("")
	if len(cs) == 0 {
		a.line("No evidence between the clocks of different sources is listed.")
		return
	}
	a.line("Constraints (offset of the first clock less that of the second):")
	for _, use := range usesInOrder {
		said := false
		for i := range cs {
			if cs[i].Use != use {
				continue
			}
			if !said {
				a.line("  %s: %s", useWords[use], useMeaning[use])
				said = true
			}
			a.constraint(i, &cs[i])
		}
	}
}

func (a *argument) constraint(i int, c *model.Constraint) {
	assumed := ""
	if c.Assumed {
		assumed = ", an assumption"
	}
	a.line("    [%d] %s, %s%s: %s%s", i+1, ruleWords(c.Rule), c.Strength, assumed, a.phrase(c.What), a.places(c.From))
	text := fmt.Sprintf("%s − %s: %s", a.ref(c.A), a.ref(c.B), allowedText(c.Allowed))
	if c.Use != model.ConstraintUntestable {
		text += "; " + a.plain().residualText(a.run.Residual(c))
	}
	a.line("        %s", text)
	if len(c.Against) > 0 {
		by := ""
		for _, k := range c.Against {
			by = joinWith(", ", by, fmt.Sprintf("[%d]", k+1))
		}
		a.line("        excluded by %s", by)
	}
}

// ref names a clock of a constraint.
func (a *argument) ref(r model.ClockRef) string {
	if r == (model.ClockRef{}) {
		return "the reference"
	}
	piece := ""
	for i := range a.run.Sources {
		if s := &a.run.Sources[i]; s.ID == r.Source {
			piece = pieceName(s, r.Domain)
		}
	}
	return joinWith(", ", a.source(r.Source), piece)
}
