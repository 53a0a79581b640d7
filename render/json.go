package render

import (
	"fmt"
	"io"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/render/redact"
)

// jsonSchema is the version of the summary's shape. Keys may be added within it;
// none is renamed or dropped.
const jsonSchema = 1

// JSON writes the summary: every figure of the report, without the pictures.
//
// Durations are numbers of seconds to the nanosecond. Instants are RFC 3339 in
// UTC with nine decimals; where the run's clock is not UTC, or no dates are
// wanted, they are null, and start_seconds and end_seconds beside them count from
// the window's start. Every list is there, if need be empty. What is not known is
// null, with the reason's code in the sibling key that ends in _unknown.
//
// The keys are those of the interface description; beyond them stand, among
// others, primary (the stage basis that accounted, what_if and gpu_share are
// about), state (of a hypothesis) and clock_pieces (a source whose clock
// stepped).
func JSON(w io.Writer, d redact.Document, opt Options) error {
	s := &summary{doc: d, rep: d.Report, opt: opt}
	s.within('{', '}', s.document)
	return s.flush(w)
}

// summary writes the summary of a document.
type summary struct {
	jsonWriter
	doc redact.Document
	rep *report.Report
	opt Options
	n   int         // index of the run being written
	run *report.Run // the run being written
}

func (s *summary) flush(w io.Writer) error {
	s.out.WriteByte('\n')
	if _, err := w.Write(s.out.Bytes()); err != nil {
		return fmt.Errorf("writing the summary: %w", err)
	}
	return nil
}

// at turns to a run.
func (s *summary) at(n int) { s.n, s.run = n, &s.rep.Runs[n] }

func (s *summary) document() {
	s.object("tracemerge", func() {
		s.word("version", s.opt.version(), model.NotSet)
		s.int("schema", jsonSchema)
	})
	s.array("runs", func() {
		for n := range s.rep.Runs {
			s.at(n)
			s.item(s.oneRun)
		}
	})
	s.comparisons()
	s.object("redaction", func() {
		s.object("replaced", func() {
			for _, c := range s.doc.Counts() {
				s.int(c.Kind, int64(c.N))
			}
		})
		excerpts, lines := s.doc.Withheld()
		s.int("excerpts", int64(excerpts))
		s.int("withheld_lines", int64(lines))
	})
}

func (s *summary) oneRun() {
	r := s.run
	s.text("name", runLabel(s.doc, r), model.NotDeclared)
	s.word("temperature", r.Declared.Temperature, model.NotDeclared)
	s.object("declared", s.declared)
	s.words("not_declared", r.Declared.NotDeclared)
	s.object("window", s.window)
	s.object("clocks", s.clocks)
	s.sources()
	s.devices()
	s.hosts()
	s.object("ranks", s.ranks)
	s.crossChecks()
	s.stages()
	s.object("accounted", s.accounted)
	s.differences()
	s.batches()
	s.pair("gpu_share", r.GPUShare)
	s.maybeSeconds("what_if_total_seconds", r.WhatIf.Total)
	s.text("faster_gpu", s.phrase(r.WhatIf.FasterGPU), model.NotApplicable)
	s.whatIf()
	s.criticalPath()
	s.object("progress", s.progress)
	s.text("pause_rule", s.phrase(r.PauseRule), model.NotApplicable)
	s.pauses()
	s.hypotheses()
	s.targets()
	s.array("findings", func() {
		for _, f := range r.Findings {
			s.item(func() {
				s.text("text", s.phrase(f.Text), model.NotSet)
				s.int("evidence", int64(f.Evidence))
				s.word("section", f.Link, model.NotApplicable)
			})
		}
	})
	s.array("limits", func() {
		for _, l := range r.Limits {
			s.item(func() {
				s.word("code", l.Code, model.NotSet)
				s.int("records", l.N)
				s.int("of", l.Of)
				s.text("text", s.phrase(l.What), model.NotSet)
				s.place(l.At)
			})
		}
	})
	s.array("notices", func() {
		for _, n := range r.Notices {
			s.problem(n)
		}
	})
}

// phrase is a sentence of the run being written.
func (s *summary) phrase(p model.Phrase) redact.Shown { return s.doc.Phrase(s.n, p) }

func (s *summary) phrases(name string, ps []model.Phrase) {
	out := make([]redact.Shown, len(ps))
	for i, p := range ps {
		out[i] = s.phrase(p)
	}
	s.list(name, out)
}

// noDates is why instants of the run are null, "" if they are written.
func (s *summary) noDates() string {
	switch {
	case !s.run.Window.UTC:
		return model.ClockUnplaced.String()
	case s.opt.Relative:
		return whyRelative
	}
	return ""
}

// instant is an instant on the run's clock.
func (s *summary) instant(name string, t model.Time) {
	if why := s.noDates(); why != "" {
		s.null(name, why)
		return
	}
	s.instantUTC(name, t)
}

// interval is the ends of an interval on the run's clock, on the calendar and
// from the window's start.
func (s *summary) interval(at model.Interval[model.Time]) {
	s.instant("start", at.Start)
	s.instant("end", at.End)
	s.fromStart("start_seconds", at.Start)
	s.fromStart("end_seconds", at.End)
}

// fromStart is an instant as seconds from the window's start.
func (s *summary) fromStart(name string, t model.Time) {
	w := s.run.Window
	if !w.Known {
		s.null(name, model.ClockUnplaced.String())
		return
	}
	s.seconds(name, model.Interval[model.Time]{Start: w.At.Start, End: t}.Len())
}

// noInterval is an interval that is not on the run's clock.
func (s *summary) noInterval(why model.Reason) {
	for _, k := range []string{"start", "end", "start_seconds", "end_seconds"} {
		s.null(k, why.String())
	}
}

func (s *summary) window() {
	w := s.run.Window
	if !w.Known {
		s.null("start", model.ClockUnplaced.String())
		s.null("end", model.ClockUnplaced.String())
		s.null("seconds", model.ClockUnplaced.String())
	} else {
		s.instant("start", w.At.Start)
		s.instant("end", w.At.End)
		s.seconds("seconds", w.At.Len())
	}
	s.bool("utc", w.UTC)
	s.text("chosen_by", s.phrase(w.By), model.NotSet)
}

// place is a position in a source of the run.
func (s *summary) place(p model.Pos) {
	if p.Source == 0 {
		s.null("source", model.NotApplicable.String())
	} else {
		s.text("source", s.doc.Source(s.n, p.Source), model.NoSource)
	}
	s.lineAndByte(p)
}

func (s *summary) lineAndByte(p model.Pos) {
	if p.Line > 0 {
		s.int("line", int64(p.Line))
	} else {
		s.null("line", model.NotApplicable.String())
	}
	if p.Source != 0 && (p.Line > 0 || p.Offset > 0) { // else the file as a whole is meant
		s.int("byte", p.Offset)
	} else {
		s.null("byte", model.NotApplicable.String())
	}
}

func (s *summary) evidence(name string, list []report.Evidence) {
	s.array(name, func() {
		for _, e := range list {
			s.item(func() {
				s.place(e.At)
				s.text("what", s.phrase(e.What), model.NotSet)
				if e.When.Empty() {
					s.noInterval(model.ClockUnplaced)
				} else {
					s.interval(e.When)
				}
			})
		}
	})
}
