package render

import (
	"math"
	"strconv"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// hostWords are the kinds of host spans that a gap tells of, in words.
var hostWords = map[model.SpanKind]string{
	model.SpanOperator:   "operators",
	model.SpanRuntime:    "calls of the runtime",
	model.SpanAnnotation: "annotations",
	model.SpanPython:     "Python frames",
	model.SpanOverhead:   "the recorder's own overhead",
}

// gapsOf shows the stretches in which no stream of a device had a record: how
// long they are, and what the host recorded during the longest.
func (v *view) gapsOf(s *report.Source) {
	for i := range s.Trace.Breakdown.Gaps {
		g := &s.Trace.Breakdown.Gaps[i]
		from := "from its first to its last record"
		if g.Stated {
			from = "that the recorder states as its window"
		}
		v.part("Gaps of device "+v.shown(g.Device)+".", "No stream had a record for "+v.plain.Duration(g.Idle)+" of the "+v.plain.Duration(g.Window.Len())+" "+from+
			". A gap says that no device work was recorded; it does not say what the device waited for.")
		if len(g.Buckets) == 0 {
			v.elem("p", "There is no gap.", "class", "none")
			continue
		}
		v.gapLengths(g)
		v.longestGaps(s, g)
	}
}

// gapLengths draws the gaps by length, each bar the time of all gaps of that
// length.
func (v *view) gapLengths(g *report.DeviceGaps) {
	var rows []bar
	for i, b := range g.Buckets {
		name := bucketName(g.Buckets, i)
		rows = append(rows, bar{name: name, label: "gaps " + name + ": " + v.plain.Count(b.N) + ", together " + v.plain.Duration(b.Total),
			values: []string{v.plain.Count(b.N), v.plain.Duration(b.Total), v.plain.Percent(share(b.Total, g.Idle))},
			draw: func(h float64) {
				v.shape("rect", "class", "bar-ground", "x", "0", "y", "0", "width", "100%", "height", px(h))
				if b.Total > 0 {
					v.shape("rect", "class", "rank-step slowest", "x", "0", "y", "2", "width", per(share(b.Total, g.Idle)*100), "height", px(h-4))
				}
			}})
	}
	v.bars(rows, []string{"gaps", "together", "of all gaps"})
}

// bucketName says which lengths a bucket holds.
func bucketName(bs []report.GapBucket, i int) string {
	short := func(d time.Duration) string { // powers of ten, whole in one of these units
		for _, u := range timeUnits {
			if n := int64(u.ns); int64(d) >= n {
				return strconv.FormatInt(int64(d)/n, 10) + noBreak + u.name
			}
		}
		return "0"
	}
	switch {
	case bs[i].Below == math.MaxInt64 && i > 0:
		return short(bs[i-1].Below) + " and longer"
	case bs[i].Below == math.MaxInt64:
		return "the longest"
	case i > 0:
		return short(bs[i-1].Below) + " to " + short(bs[i].Below)
	}
	return "below " + short(bs[i].Below)
}

// longestGaps describes the longest gaps one by one.
func (v *view) longestGaps(s *report.Source, g *report.DeviceGaps) {
	var ds, starts []time.Duration
	for _, gap := range g.Longest {
		ds, starts = append(ds, gap.At.Len()), append(starts, time.Duration(gap.At.Start-g.Window.Start))
		for _, k := range gap.Kinds {
			ds = append(ds, k.Time)
		}
	}
	scale, at := ScaleFor(ds...), ScaleFor(starts...)
	t := table{caption: "The longest gaps of device " + v.shown(g.Device) + " in " + v.source(s.ID), headed: true, cols: []column{figure("after the window's start, " + at.Unit()), figure("length, " + scale.Unit()),
		words("what the host recorded during it (" + scale.Unit() + ")"), words("record before"), words("record after")}}
	for i, gap := range g.Longest {
		host := ""
		for _, k := range gap.Kinds {
			host = joinWith(", ", host, hostWords[k.Kind]+" "+scale.Bare(k.Time))
		}
		c := cell{text: host, class: "wide"}
		if host == "" {
			c = none("nothing was recorded on the host")
		}
		if gap.Edge {
			c.text += "; at the edge of the window, where the recorder drops records that straddle it"
		}
		t.rows = append(t.rows, []cell{at.in(starts[i]), scale.in(gap.At.Len()), c, v.neighbour(gap.Before), v.neighbour(gap.After)})
	}
	v.table(t)
}

// neighbour is the place of the device record beside a gap.
func (v *view) neighbour(at model.Pos) cell {
	if at == (model.Pos{}) {
		return cell{text: "none in the window", class: "unk"}
	}
	return cell{places: places(at)}
}
