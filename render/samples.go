package render

import (
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// A drawn is one box of a metric's lane: a bucket as it is, or a column, whose
// known part stands at its left and whose rest, not observed, at its right.
type drawn struct {
	report.Bucket
	of  model.Interval[model.Time] // the column; empty: the bucket stands for itself
	not model.Interval[model.Time] // its part that was not observed
	why string
}

// metricSeries is what a lane of at most n boxes draws of a metric: its buckets
// while there are few, else joined neighbours, else, where holes keep neighbours
// apart, columns. Known and unknown are never joined.
func (v *view) metricSeries(x axis, d *report.Device, m *report.Metric, n int) (boxes []drawn, columns bool) {
	hidden := v.unknownOfMetric(d, m)
	series := coarsen(m.Series, n)
	if len(series) <= 2*n && len(hidden) <= n {
		out := make([]drawn, len(series))
		for i := range series {
			out[i].Bucket = series[i]
		}
		return out, false
	}
	return valueColumns(x, m.Series, hidden, max(2*n/3, 20)), true
}

// unknownOfMetric is where the report says that a metric has no value.
func (v *view) unknownOfMetric(d *report.Device, m *report.Metric) []stretch {
	var out []stretch
	for _, u := range v.run.Unknown {
		if u.Source != d.Source || !u.Placed || !u.Metric.Empty() && u.Metric != m.Name || !u.Track.Empty() && u.Track != d.ID {
			continue
		}
		out = append(out, stretch{u.At, v.whyOf(u), part(u.Why)})
	}
	return out
}

// valueColumns gives each column of the axis the extremes of the known samples
// that reach into it and the part of it that they speak for. What the report
// lists as not observed is no part of that, also where a bucket of many samples
// spans it.
//
// Invariant: every known bucket that shares an instant with the axis is in a
// column that has a value.
func valueColumns(x axis, series []report.Bucket, hidden []stretch, n int) []drawn {
	cols := columnsOf(x.at, n)
	out := make([]drawn, len(cols))
	most := make([]int64, len(cols))
	for i, c := range cols {
		out[i].of, out[i].why = c, part(model.OutsideObservation)
	}
	if len(cols) == 0 {
		return nil
	}
	each := func(i model.Interval[model.Time], visit func(k int)) {
		i = i.Intersect(x.at)
		if i.Empty() {
			return
		}
		width := cols[0].Len()
		for k := int((i.Start - x.at.Start) / model.Time(width)); k < len(cols) && cols[k].Start < i.End; k++ {
			visit(k)
		}
	}
	var not []model.Interval[model.Time]
	blame := func(i model.Interval[model.Time], why string) {
		each(i, func(k int) {
			if l := int64(i.Intersect(cols[k]).Len()); l > most[k] {
				most[k], out[k].why = l, why
			}
		})
	}
	for _, u := range hidden {
		not = append(not, u.at)
		blame(u.at, u.short)
	}
	for i := range series {
		b := &series[i]
		if !b.Known {
			blame(b.Support, part(b.Why))
			continue
		}
		each(b.Support, func(k int) { out[k].take(b) })
	}
	known := knownSet(series).Subtract(model.NewSet(not...))
	for k := range out {
		out[k].divide(known.Within(cols[k]).Len())
	}
	return out
}

// take adds a known bucket to a column.
func (o *drawn) take(b *report.Bucket) {
	if !o.Known {
		o.Known, o.Lo, o.Hi = true, b.Lo, b.Hi
	}
	o.Lo, o.Hi, o.N = min(o.Lo, b.Lo), max(o.Hi, b.Hi), o.N+b.N
	if o.of.Start <= b.Support.Start {
		o.Unsure += b.Unsure
	}
}

// divide gives the column's left part, as long as what is known of it, to its
// value. A value is kept in sight however short it is.
func (o *drawn) divide(known time.Duration) {
	cut := o.of.Start + model.Time(known)
	if o.Known {
		cut = max(cut, o.of.Start+1)
	} else {
		cut = o.of.Start
	}
	o.Support = model.Interval[model.Time]{Start: o.of.Start, End: cut}
	o.not = model.Interval[model.Time]{Start: cut, End: o.of.End}
	o.Unsure = min(o.Unsure, o.Support.Len())
}
