package render

import (
	"slices"
	"strconv"

	"tracemerge/model"
	"tracemerge/model/report"
)

// clockTable is what a reader takes in within a minute: each clock, its offset
// with its uncertainty, how well it is known, and what it rests on.
func (v *view) clockTable() {
	t := table{caption: "Clocks", headed: true, cols: []column{words("source"), figure("offset"), figure("uncertainty"), words("how well it is known"),
		words("placed by"), words("rests on"), figure("of the window observed")}}
	for i := range v.run.Sources {
		s := &v.run.Sources[i]
		for k := range s.Clocks {
			c := &s.Clocks[k]
			if c.Domain.Kind == model.DomainNone && len(s.Clocks) == 1 && !observes(s.Kind) {
				continue
			}
			covered := none(unknown(s.Covered))
			if d, ok := s.Covered.Get(); ok && v.run.Window.At.Len() > 0 {
				f := share(d, v.run.Window.At.Len())
				covered = cell{text: v.plain.Percent(f), exact: exactFloat(f)}
			}
			offset, unsure := v.offsetCells(c.Mapping)
			method := methodText(c.Mapping.Method)
			if zone := v.shown(c.Mapping.Zone); zone != "" {
				method += ", " + zone
			}
			t.rows = append(t.rows, []cell{{text: joinWith(", ", v.source(s.ID), pieceName(s, c.Domain.ID)), own: true, link: v.clockLink(s)},
				offset, unsure, txt(statusText(c.Mapping)), txt(method), {text: v.restsOn(c), class: "wide"}, covered})
		}
	}
	if len(t.rows) <= clocksListed {
		v.table(t)
		return
	}
	v.table(alike(t))
	v.fold("Table: each of " + plural(len(t.rows), "clock"))
	v.table(t)
	v.foldEnd()
}

// clocksListed is the number of clocks up to which each has a row of its own in
// the table that is in sight.
const clocksListed = 12

// alike puts the clocks of which the same is said into one row, named by the first
// of them. What each observed of the window stands in the whole table.
func alike(t table) table {
	last := len(t.cols) - 1
	out := table{caption: "Clocks of which the same is said", headed: true,
		cols: slices.Concat([]column{t.cols[0], figure("clocks")}, t.cols[1:last])}
	rows := map[string]int{}
	var counts []int
	for _, r := range t.rows {
		key := ""
		for _, c := range r[1:last] {
			key = joinWith("\n", key, c.text)
		}
		at, ok := rows[key]
		if !ok {
			at = len(out.rows)
			rows[key] = at
			out.rows, counts = append(out.rows, slices.Concat([]cell{r[0], {}}, r[1:last])), append(counts, 0)
		}
		counts[at]++
	}
	for i, n := range counts {
		out.rows[i][1] = cell{text: tidy(strconv.Itoa(n)), exact: strconv.Itoa(n)}
		if n > 1 {
			out.rows[i][0].text += ", …"
		}
	}
	return out
}

// restsOn is the first evidence that does not only repeat what the stamps are.
func (v *view) restsOn(c *report.Clock) string {
	why := v.phrase(c.Domain.Why)
	for _, p := range c.Mapping.Evidence {
		if t := v.phrase(p); t != why {
			return t
		}
	}
	return why
}

// offsetCells are the offset and its half-width, of the first segment; further
// segments are listed with the evidence.
func (v *view) offsetCells(m model.Mapping) (offset, unsure cell) {
	if !m.Placed || len(m.Segments) == 0 {
		why := none(reason(model.ClockUnplaced))
		if m.Why != model.NotSet {
			why = none(reason(m.Why))
		}
		return why, none("not applicable")
	}
	o := m.Segments[0].Offset
	at, half := v.plain.about(o)
	if len(m.Segments) > 1 {
		at += ", first of " + strconv.Itoa(len(m.Segments))
	}
	w := max(o.Hi-o.Estimate, o.Estimate-o.Lo)
	return cell{text: at, exact: Exact(o.Estimate), unit: "s"}, cell{text: half, exact: Exact(w), unit: "s"}
}
