package render

import (
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// notObserved lists every interval that was not observed, with its reason.
func (p *page) notObserved() {
	p.elem("p", "Unobserved periods are marked, not reconstructed. The absence of a value is not the absence of activity.", "class", "note")
	p.eachRun("unknown", func(v *view) {
		v.reasonTotals()
		v.unknownTable()
	})
}

// reasonTotals sums the intervals by source and reason.
func (v *view) reasonTotals() {
	type key struct {
		source model.SourceID
		why    model.Reason
	}
	n, parts := map[key]int64{}, map[key][]model.Interval[model.Time]{}
	var keys []key
	for _, u := range v.run.Unknown {
		k := key{u.Source, u.Why}
		if n[k] == 0 {
			keys = append(keys, k)
		}
		n[k]++
		if u.Placed {
			parts[k] = append(parts[k], u.At)
		}
	}
	if len(keys) == 0 {
		v.elem("p", "No unobserved interval is listed for this run.", "class", "none")
		return
	}
	var ds []time.Duration
	sum := map[key]time.Duration{}
	for _, k := range keys {
		sum[k] = model.NewSet(parts[k]...).Len()
		ds = append(ds, sum[k])
	}
	s := ScaleFor(ds...)
	t := table{caption: "Not observed, by source and reason", headed: true, cols: []column{words("source"), words("reason"), figure("intervals"), figure("time together, " + s.Unit())}}
	for _, k := range keys {
		t.rows = append(t.rows, []cell{file(v.source(k.source)), txt(reason(k.why)), v.plain.countCell(n[k]), s.in(sum[k])})
	}
	v.table(t)
}

func (v *view) unknownTable() {
	if len(v.run.Unknown) == 0 {
		return
	}
	var ds []time.Duration
	for _, u := range v.run.Unknown {
		ds = append(ds, u.At.Len())
	}
	s := ScaleFor(ds...)
	at := ScaleFor(time.Second)
	at.decimals = 3
	t := table{caption: "Intervals that were not observed", headed: true, cols: []column{words("source"), words("of it"), figure("start, s"), figure("length, " + s.Unit()), words("reason"), words("from")}}
	for _, u := range longest(v.run.Unknown, func(u report.Unknown) time.Duration { return u.At.Len() }) {
		what := joinWith(", ", v.shown(u.Track), v.shown(u.Metric))
		of := file(what)
		if what == "" {
			of = txt("the whole source")
		}
		start := at.in(time.Duration(u.At.Start - v.plain.Start))
		if !u.Placed {
			start = none(reason(model.ClockUnplaced))
		}
		t.rows = append(t.rows, []cell{file(v.source(u.Source)), of, start, s.in(u.At.Len()), {text: v.whyOf(u), class: "wide"}, {places: places(u.From...)}})
	}
	v.fold("Table: " + plural(len(v.run.Unknown), "interval"))
	v.longestOnly(len(t.rows), len(v.run.Unknown), "interval")
	v.table(t)
	v.foldEnd()
}
