package render

import (
	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/render/redact"
)

func (s *summary) sources() {
	s.array("sources", func() {
		for i := range s.run.Sources {
			src := &s.run.Sources[i]
			s.item(func() { s.source(src) })
		}
	})
}

func (s *summary) source(src *report.Source) {
	c := src.Capture
	if c == nil {
		c = &model.Capture{}
	}
	s.text("file", s.doc.Text(src.File), model.NotSet)
	s.word("kind", string(src.Kind), model.NotSet)
	s.word("form", src.Form, model.NotApplicable)
	s.array("guess", func() {
		for _, g := range src.Guess {
			s.item(func() {
				s.word("form", g.Form, model.NotSet)
				s.int("records", g.Fits)
				s.int("of", g.Of)
			})
		}
	})
	s.text("why", s.phrase(src.Why), model.NotApplicable)
	s.word("sha256", src.SHA256, model.ReadError)
	s.int("bytes", src.Bytes)
	if src.Kind == model.KindUnknown || c.Err != nil && c.Account.Read == 0 {
		for _, k := range []string{"records", "used", "set_aside", "rejected"} {
			s.null(k, whyUnread)
		}
	} else {
		s.int("records", c.Account.Read)
		s.int("used", c.Account.Used)
		s.int("set_aside", model.Sum(c.Account.SetAside))
		s.int("rejected", model.Sum(c.Account.Rejected))
	}
	s.bool("truncated", c.Truncated)
	s.bool("readable", c.Err == nil)
	s.bool("placed", src.Placed && s.run.Window.UTC) // its own axis is no place among others
	s.object("clock", func() {
		if len(src.Clocks) > 0 {
			s.clock(src.Clocks[0])
		} else {
			s.clock(report.Clock{Mapping: model.Mapping{Method: model.MethodNone, Why: model.NotApplicable}})
		}
	})
	s.array("clock_pieces", func() {
		if len(src.Clocks) > 1 {
			for _, k := range src.Clocks {
				s.item(func() { s.clock(k) })
			}
		}
	})
	s.maybeSeconds("covered_seconds", src.Covered)
	s.array("observed", func() {
		for _, at := range src.Observed {
			s.item(func() {
				s.interval(at)
				s.seconds("seconds", at.Len())
			})
		}
	})
	s.unknown(src)
	s.problems(c)
	s.trace(src)
}

// clock is one piece of a source's clock.
func (s *summary) clock(k report.Clock) {
	m := k.Mapping
	why := m.Why
	if why == model.NotSet {
		why = model.ClockUnplaced
	}
	s.word("domain", k.Domain.Kind.String(), model.NotSet)
	switch {
	case !m.Zone.Empty():
		s.text("zone", s.doc.Text(m.Zone), model.NotSet)
	case k.Domain.Kind == model.DomainCivil || k.Domain.Kind == model.DomainDay:
		s.null("zone", model.NotDeclared.String())
	default:
		s.null("zone", model.NotApplicable.String())
	}
	if !m.Placed || len(m.Segments) == 0 || m.Method == model.MethodReference {
		s.null("offset_seconds", why.String())
	} else {
		s.offset("offset_seconds", m.Segments[0].Offset)
	}
	s.array("segments", func() {
		for _, g := range m.Segments {
			s.item(func() { s.offset("offset_seconds", g.Offset) })
		}
	})
	if m.Status != "" {
		s.word("status", string(m.Status), why)
	}
	s.array("ranges", func() {
		for _, o := range m.Ranges {
			s.item(func() { s.offsetKeys(o) })
		}
	})
	s.word("method", string(m.Method), model.ClockUnplaced)
	s.phrases("evidence", m.Evidence)
	s.array("ambiguous", func() {
		for _, o := range m.Other {
			s.next()
			s.out.WriteString(Exact(o))
		}
	})
	s.phrases("contradictions", m.Against)
	if k.Domain.Kind == model.DomainNone {
		s.null("resolution_seconds", model.NotApplicable.String())
	} else {
		s.seconds("resolution_seconds", k.Domain.Step)
	}
	s.text("recognised_by", s.phrase(k.Domain.Why), model.NotApplicable)
	s.phrases("notes", k.Domain.Notes)
}

func (s *summary) offset(name string, o model.OffsetRange) {
	s.object(name, func() { s.offsetKeys(o) })
}

func (s *summary) offsetKeys(o model.OffsetRange) {
	s.seconds("lo", o.Lo)
	s.seconds("estimate", o.Estimate)
	s.seconds("hi", o.Hi)
}

// unknown is what the source did not observe.
func (s *summary) unknown(src *report.Source) {
	s.array("unknown", func() {
		for i := range s.run.Unknown {
			u := &s.run.Unknown[i]
			if u.Source != src.ID {
				continue
			}
			s.item(func() {
				if u.Placed {
					s.interval(u.At)
				} else {
					s.noInterval(model.ClockUnplaced)
				}
				s.seconds("seconds", u.At.Len())
				s.word("reason", u.Why.String(), model.NotSet)
				s.text("track", s.doc.Text(u.Track), model.NotApplicable)
				s.text("metric", s.doc.Text(u.Metric), model.NotApplicable)
				s.text("note", s.phrase(u.Note), model.NotApplicable)
			})
		}
	})
}

// problems are what is wrong with a file.
func (s *summary) problems(c *model.Capture) {
	s.array("problems", func() {
		if c.Err != nil {
			s.item(func() {
				s.null("line", model.NotRecorded.String())
				s.null("byte", model.NotRecorded.String())
				s.text("message", s.doc.Error(c.Err), model.NotSet)
				s.int("count", 1)
				s.word("code", "read_error", model.NotSet)
				s.word("severity", severityCode[model.Failure], model.NotSet)
			})
		}
		for _, n := range problemsOf(c) {
			s.problem(n)
		}
	})
}

// problemsOf are the notices of a file that do not only inform, and the rejected
// records that no notice speaks of.
func problemsOf(c *model.Capture) []model.Notice {
	var out []model.Notice
	said := map[string]bool{}
	for _, n := range c.Notices {
		said[n.Code] = true
		if n.Severity > model.Info {
			out = append(out, n)
		}
	}
	for _, t := range c.Account.Rejected {
		if !said[t.Code] {
			out = append(out, model.Notice{Code: t.Code, Severity: model.DataLoss, N: t.N, At: []model.Pos{t.First},
				Text: model.Say("records that could not be read")})
		}
	}
	return out
}

var severityCode = map[model.Severity]string{model.Info: "info", model.Note: "note", model.DataLoss: "data_loss", model.Failure: "failure"}

func (s *summary) problem(n model.Notice) {
	s.item(func() {
		var at model.Pos
		if len(n.At) > 0 {
			at = n.At[0]
		}
		s.lineAndByte(at)
		s.text("message", s.phrase(n.Text), model.NotSet)
		s.int("count", n.N)
		s.word("code", n.Code, model.NotSet)
		s.word("severity", severityCode[n.Severity], model.NotSet)
	})
}

func (s *summary) devices() {
	s.array("devices", func() {
		for i := range s.run.Devices {
			d := &s.run.Devices[i]
			s.item(func() { s.device(d) })
		}
	})
}

// trackCodes are the kinds of host tracks as the summary spells them.
var trackCodes = map[model.TrackKind]string{model.TrackHost: "host", model.TrackCore: "core", model.TrackDisk: "disk", model.TrackProcess: "process"}

// hosts are what host tools recorded.
func (s *summary) hosts() {
	s.object("hosts", func() {
		s.int("count", int64(s.run.Hosts.Of))
		s.array("tracks", func() {
			for i := range s.run.Hosts.Tracks {
				h := &s.run.Hosts.Tracks[i]
				s.item(func() {
					kind := trackCodes[h.Kind]
					if h.Kind == model.TrackProcess && !h.Parent.Empty() {
						kind = "thread"
					}
					s.word("kind", kind, model.NotSet)
					s.text("process", s.doc.Text(h.Parent), model.NotApplicable)
					s.array("facts", func() {
						for _, f := range h.Facts {
							s.item(func() {
								s.text("name", s.doc.Text(f.Name), model.NotSet)
								s.text("value", s.doc.Text(f.Value), model.NotRecorded)
							})
						}
					})
					s.device(&h.Device)
				})
			}
		})
	})
}

func (s *summary) device(d *report.Device) {
	s.text("id", s.doc.Text(d.ID), model.NotRecorded)
	s.text("source", s.doc.Source(s.n, d.Source), model.NoSource)
	s.bool("placed", d.Placed && s.run.Window.UTC)
	s.array("metrics", func() {
		for i := range d.Metrics {
			m := &d.Metrics[i]
			s.item(func() {
				s.text("name", s.doc.Text(m.Name), model.NotSet)
				s.text("unit", s.doc.Text(m.Unit), model.NotRecorded)
				s.int("samples", m.Samples)
				s.int("unknown_samples", m.NotKnown)
				s.seconds("known_seconds", m.Known)
				s.seconds("unknown_seconds", m.Unknown)
				s.maybeFloat("min", m.Min)
				s.maybeFloat("mean", m.Mean)
				s.maybeFloat("max", m.Max)
			})
		}
	})
	s.pair("busy_share", d.BusyShare)
	s.text("busy_share_by", s.phrase(d.BusyBy), model.NotApplicable)
}

// shownAll shows texts in order.
func (s *summary) shownAll(texts []model.Text) []redact.Shown {
	out := make([]redact.Shown, len(texts))
	for i, t := range texts {
		out[i] = s.doc.Text(t)
	}
	return out
}
