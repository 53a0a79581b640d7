// Package ingesttest holds what the tests of every reader need: a check of all that a
// capture promises, and seeded mutations of real files.
package ingesttest

import (
	"fmt"

	"tracemerge/model"
)

// Check returns what is wrong with a capture that was made from so many bytes of
// decoded content; nothing if it keeps every promise of package model.
func Check(c *model.Capture, content int64) []string {
	var out []string
	bad := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if c == nil {
		return []string{"no capture"}
	}
	if !c.Account.Balanced() {
		bad("the account does not balance: %+v", c.Account)
	}
	place := func(what string, p model.Pos) {
		if p.Offset < 0 || p.Offset > content || p.Line < 0 {
			bad("%s: line %d, byte %d of %d", what, p.Line, p.Offset, content)
		}
	}
	for _, t := range append(append([]model.Tally{}, c.Account.SetAside...), c.Account.Rejected...) {
		if t.N < 1 || t.Code == "" {
			bad("a tally without count or code: %+v", t)
		}
		place(t.Code, t.First)
	}
	for _, n := range c.Notices {
		if n.N < 1 || n.Text.Empty() {
			bad("%s: a notice without count or text", n.Code)
		}
		for _, p := range n.At {
			place(n.Code, p)
		}
	}
	for i, d := range c.Domains {
		if int(d.ID) != i {
			bad("domain %d has the id %d", i, d.ID)
		}
		if d.Valid.End < d.Valid.Start || d.Step < 0 {
			bad("domain %d: valid %v, step %v", i, d.Valid, d.Step)
		}
		if d.Kind != model.DomainNone && d.Valid.Empty() && c.Account.Used > 0 && c.Trace == nil {
			bad("domain %d of kind %d holds no reading, and %d records are used", i, d.Kind, c.Account.Used)
		}
		place("domain", d.From)
	}
	for i, t := range c.Tracks {
		if int(t.ID) != i || t.Parent != model.NoTrack && (t.Parent < 0 || int(t.Parent) >= len(c.Tracks)) {
			bad("track %d has the id %d and the parent %d", i, t.ID, t.Parent)
		}
		for _, h := range t.Unknown {
			if h.At.Empty() || h.Why == model.NotSet || len(h.From) == 0 {
				bad("track %d: a hole %v with reason %v, places %v", i, h.At, h.Why, h.From)
				continue
			}
			if d := c.Domains[c.DomainAt(h.From[0].Offset)]; c.Trace == nil && (h.At.Start < d.Valid.Start || h.At.End > d.Valid.End) {
				bad("track %d: a hole %v outside its piece %v", i, h.At, d.Valid)
			}
		}
	}
	if c.Window.End < c.Window.Start {
		bad("window %v", c.Window)
	}
	columns(c, content, bad)
	return out
}

// columns checks the rows of spans, samples and marks.
func columns(c *model.Capture, content int64, bad func(string, ...any)) {
	if c.Spans != nil {
		for b := range c.Spans.Batches() {
			for i := range b.Start {
				if b.End[i] < b.Start[i] || b.Track[i] < -1 || int(b.Track[i]) >= len(c.Tracks) || int(b.Name[i]) >= len(c.Names) || b.Offset[i] < 0 || b.Offset[i] > content {
					bad("a span from %d to %d on track %d, byte %d", b.Start[i], b.End[i], b.Track[i], b.Offset[i])
					return
				}
			}
		}
	}
	if c.Samples != nil {
		for b := range c.Samples.Batches() {
			for i := range b.At {
				if b.Track[i] < 0 || int(b.Track[i]) >= len(c.Tracks) || b.Metric[i] < 0 || int(b.Metric[i]) >= len(c.Metrics) || b.Offset[i] < 0 || b.Offset[i] > content {
					bad("a sample of track %d, metric %d, byte %d", b.Track[i], b.Metric[i], b.Offset[i])
					return
				}
				if d := c.Domains[c.DomainAt(b.Offset[i])]; d.Kind != model.DomainNone && !d.Valid.Contains(model.ClockTime(b.At[i])) {
					bad("a sample at %d, byte %d, outside its piece %d %v", b.At[i], b.Offset[i], d.ID, d.Valid)
					return
				}
			}
		}
	}
	if c.Marks != nil {
		for m := range c.Marks.All() {
			if m.Domain < 0 || len(c.Domains) > 0 && int(m.Domain) >= len(c.Domains) || m.From.Offset < 0 || m.From.Offset > content {
				bad("a mark on clock %d, byte %d", m.Domain, m.From.Offset)
				return
			}
			if d := c.Domains[m.Domain]; d.Kind != model.DomainNone && !d.Valid.Contains(m.At) {
				bad("a mark at %d, byte %d, outside its piece %d %v", m.At, m.From.Offset, d.ID, d.Valid)
				return
			}
		}
	}
}
