package align

import (
	"context"
	"strconv"
	"strings"
	"time"

	"tracemerge/model"
)

// exports bounds a trace by the export time in the name that the profiler gave it
// (traceName), else in its file's name, as PyTorch's trace handler writes it
// (worker.1623143089861.pt.trace.json: milliseconds or nanoseconds since 1970): no
// record is later. A hint, since files are renamed.
func (e *evidence) exports(context.Context) error {
	for i := range e.a.tl.Captures {
		p := &e.a.tl.Captures[i]
		j, ok := oneClock(p)
		if p.Source.Kind != model.KindTrace || !ok || !e.a.tl.UTC {
			continue
		}
		from, what := model.Pos{Source: p.Source.ID}, model.Lit("the name of")
		var at model.Time
		ok = false
		if p.Trace != nil {
			at, ok = exportTime(p.Trace.WrittenAs.Raw.Reveal())
		}
		if ok {
			from, what = p.Trace.WrittenFrom, model.Lit("traceName in")
		} else if at, ok = exportTime(p.Source.File.Raw.Reveal()); !ok {
			continue
		}
		last := validOf(p.Capture, &p.Domains[j]).End - 1
		e.add(model.Constraint{Rule: "export_time", Strength: model.StrengthHint, A: e.a.ref(i, j),
			Allowed: between(model.OpenLow, time.Duration(at)-time.Duration(last)), From: []model.Pos{from},
			What: model.Say("{} {} states its export time, {}: its records are earlier", what, p.Source.File, at)})
	}
	return nil
}

// exportTime finds milliseconds or nanoseconds since 1970 among the parts of a file
// name, from 2001 to 2286.
func exportTime(name string) (model.Time, bool) {
	name = name[strings.LastIndexByte(name, '/')+1:]
	if !strings.Contains(name, ".pt.trace.json") {
		return 0, false
	}
	for _, part := range strings.Split(name, ".") {
		v, err := strconv.ParseInt(part, 10, 64)
		switch {
		case err != nil:
		case len(part) == 13:
			return model.Time(v * int64(time.Millisecond)), true
		case len(part) == 19:
			return model.Time(v), true
		}
	}
	return 0, false
}
