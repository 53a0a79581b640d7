package render

import (
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// batches is the decomposition batch by batch of every basis that has batches or
// steps.
func (s *summary) batches() {
	s.array("batches", func() {
		for i := range s.run.Waterfalls {
			if b := &s.run.Waterfalls[i].Batches; b.Of+b.Open > 0 {
				s.item(func() { s.batchTable(b) })
			}
		}
	})
}

func (s *summary) batchTable(b *report.Batches) {
	s.word("basis", string(b.Basis.Kind), model.NotSet)
	s.bool("placed", b.Basis.Placed)
	s.word("by", b.By, model.NotSet)
	s.int("count", int64(b.Of))
	s.int("edge_not_observed", int64(b.Open))
	s.int("warm_up", int64(b.WarmUp))
	s.text("warm_up_rule", s.phrase(b.WarmUpBy), model.NotSet)
	for _, g := range []struct {
		name string
		*report.BatchGroup
	}{{"early", &b.Early}, {"steady", &b.Steady}} {
		if g.N == 0 {
			s.null(g.name, model.NotApplicable.String())
			continue
		}
		s.object(g.name, func() { s.batchGroup(b, g.BatchGroup) })
	}
	s.int("listed", int64(len(b.Rows)))
	s.array("rows", func() {
		for i := range b.Rows {
			s.item(func() { s.batch(b, &b.Rows[i]) })
		}
	})
}

func (s *summary) batchGroup(b *report.Batches, g *report.BatchGroup) {
	s.int("count", int64(g.N))
	s.object("length", func() { s.spread(g.Length) })
	s.seconds("waiting_seconds", g.Waiting)
	s.seconds("unknown_seconds", g.Unknown)
	s.array("stages", func() {
		for n, id := range b.Stages {
			s.item(func() {
				s.text("stage", s.doc.StageCode(id), model.NotSet)
				s.spread(g.Stages[n])
				s.seconds("exclusive_seconds", g.Exclusive[n])
			})
		}
	})
}

func (s *summary) spread(x report.Spread) {
	s.seconds("seconds", x.Sum)
	s.maybeSeconds("min_seconds", x.Min)
	s.maybeSeconds("median_seconds", x.Median)
	s.maybeSeconds("max_seconds", x.Max)
}

func (s *summary) batch(b *report.Batches, r *report.Batch) {
	s.text("label", s.phrase(r.Label), model.NotSet)
	if b.Basis.Placed {
		s.interval(r.At)
	} else {
		s.noInterval(model.ClockUnplaced)
	}
	s.seconds("seconds", r.At.Len())
	s.seconds("waiting_seconds", r.Waiting)
	s.seconds("unknown_seconds", r.Unknown)
	s.array("stages", func() {
		for n, t := range r.Times {
			if t != (report.StageTime{}) {
				s.item(func() {
					s.text("stage", s.doc.StageCode(b.Stages[n]), model.NotSet)
					s.seconds("seconds", t.Busy)
					s.seconds("exclusive_seconds", t.Exclusive)
				})
			}
		}
	})
	s.array("overlap", func() {
		for _, o := range r.Overlap {
			s.item(func() {
				s.text("a", s.doc.StageCode(o.A), model.NotSet)
				s.text("b", s.doc.StageCode(o.B), model.NotSet)
				s.seconds("seconds", o.Both)
			})
		}
	})
}

// spreadCells are the least, the middle and the greatest of a spread.
func spreadCells(scale Scale, x report.Spread) []cell {
	out := make([]cell, 0, 3)
	for _, m := range []model.Maybe[time.Duration]{x.Min, x.Median, x.Max} {
		d, ok := m.Get()
		if !ok {
			out = append(out, none(unknown(m)))
			continue
		}
		out = append(out, scale.in(d))
	}
	return out
}
