package render

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// Heights of lanes, in pixels.
const (
	laneHeight   = 18
	deviceHeight = 44
	axisHeight   = 34
)

// A lane is one line of a picture.
type lane struct {
	name, value string
	own         bool   // the name came from a file
	swatch      string // style of a stage in front of the name
	height      int
	label       string // what the picture shows, for a screen reader
	draw        func(height float64)
}

// picture opens a picture of several lanes under one axis.
func (v *view) picture(caption, shows, not string) {
	v.start("figure", "class", "pic")
	v.start("figcaption")
	v.elem("strong", caption)
	v.text(" ")
	v.elem("span", shows, "class", "shows")
	v.text(" ")
	v.elem("span", not, "class", "shows-not")
	v.end("figcaption")
	v.start("div", "class", "lanes")
}

func (v *view) pictureEnd() {
	v.end("div")
	v.saysColumns()
	v.end("figure")
	v.line()
}

func (v *view) lane(x axis, l lane) {
	v.start("div", "class", "lane")
	v.start("div", "class", "lane-name")
	if l.swatch != "" {
		v.swatch(l.swatch)
	}
	if l.own {
		v.name(l.name)
	} else {
		v.text(l.name)
	}
	v.end("div")
	v.strip(l.height, l.label)
	v.grid(x, float64(l.height))
	l.draw(float64(l.height))
	v.stripEnd()
	v.elem("div", l.value, "class", "lane-value")
	v.end("div")
	v.line()
}

// axisLane draws the axis: seconds from the window's start, and the time of day
// under them.
func (v *view) axisLane(x axis) {
	from, whole := time.Duration(x.at.Start-x.plain.Start), time.Duration(x.at.End-x.plain.Start)
	v.start("div", "class", "lane axis", "data-from", Exact(from), "data-to", Exact(whole), "data-epoch", x.epoch(), "data-zone", x.zone())
	v.elem("div", x.name(), "class", "lane-name")
	v.start("svg", "class", "strip ticks", "width", "100%", "height", strconv.Itoa(axisHeight), "aria-hidden", "true", "focusable", "false")
	for i, t := range x.ticks() {
		pos := x.pos(t)
		anchor := "middle"
		switch {
		case pos < 3:
			anchor = "start"
		case pos > 96:
			anchor = "end"
		}
		v.start("g", "class", join("tick", oddClass(i)))
		v.shape("line", "x1", per(pos), "x2", per(pos), "y1", "0", "y2", "5")
		v.elem("text", x.tickText(t), "x", per(pos), "y", "17", "text-anchor", anchor)
		if c := x.tickClock(t); c != "" {
			v.elem("text", c, "class", "clock", "x", per(pos), "y", "30", "text-anchor", anchor)
		}
		v.end("g")
	}
	v.end("svg")
	v.elem("div", "", "class", "lane-value")
	v.end("div")
	v.line()
}

// epoch is the calendar time of second 0 in the page's zone, in milliseconds,
// for the readout under the pointer; empty where the page shows no dates.
func (x axis) epoch() string {
	if x.plain.OwnClock || x.plain.Relative {
		return ""
	}
	at := x.plain.in(x.plain.Start)
	_, offset := at.Zone()
	return strconv.FormatInt(at.UnixMilli()+int64(offset)*1000, 10)
}

func (x axis) zone() string {
	if x.epoch() == "" {
		return ""
	}
	return zoneText(x.plain.in(x.plain.Start))
}

// name says what the axis counts from.
func (x axis) name() string {
	switch {
	case x.plain.OwnClock:
		return "on the source's own clock"
	case x.plain.Relative:
		return "since the window's start"
	}
	return "since the window's start; " + zoneText(x.plain.in(x.plain.Start))
}

func oddClass(i int) string {
	if i%2 == 1 {
		return "odd"
	}
	return ""
}

// A band is where in a lane a set is drawn, and how.
type band struct {
	boxStyle
	x axis
	n int // columns, where there are many intervals
}

// observedAndNot draws a set of intervals, and apart from it what was not
// observed: interval by interval, or both in the same columns, of which the one
// fills its share from below and the other from above.
func (v *view) observedAndNot(b band, in []model.Interval[model.Time], not []stretch) {
	seen := model.NewSet(in...)
	hidden := make([]model.Interval[model.Time], len(not))
	for i, u := range not {
		hidden[i] = u.at
	}
	s := spreadOver(b.x, b.n, in, hidden)
	if !s.columns {
		for _, u := range not {
			v.hatched(b.x, u.at, b.y*2+b.height, u.why)
		}
		for _, t := range s.parts[0] {
			c := b.boxStyle
			c.keep = true
			c.title = b.title + ", " + v.plain.Span(t.at) + ", " + v.plain.Duration(t.at.Len())
			v.box(b.x, t.at, c)
		}
		return
	}
	v.inColumnsOf(b.title, s.n, len(s.parts[0]))
	// A record of the source stands against a list of what it did not observe.
	hidden = model.NewSet(hidden...).Subtract(seen).Parts()
	v.columns(b, inColumns(b.x.at, b.n, visibleIn(hidden, b.x.at)), shortReasons(not))
	v.columns(b, s.parts[0], "")
}

// shortReasons names the different reasons of stretches.
func shortReasons(not []stretch) string {
	var met []string
	for _, u := range not {
		if !slices.Contains(met, u.short) {
			met = append(met, u.short)
		}
	}
	return strings.Join(met, "; ")
}

// columns draws columns of a set in a band: from below, or hatched from above
// where why says that they were not observed.
func (v *view) columns(b band, ts []thinned, why string) {
	if len(ts) == 0 {
		return
	}
	if why != "" {
		v.start("g", "class", "unknown", "fill", "url(#hatch)")
	} else {
		v.start("g", "class", b.class+" merged", "fill", b.fill)
	}
	for _, t := range ts {
		left, width, ok := b.x.extent(t.at)
		if !ok {
			continue
		}
		height := max(b.height*t.share, leastHeight)
		y, title := b.y+b.height-height, b.title
		if why != "" {
			y, title = b.y, why
		}
		title += ", " + b.x.plain.Brief(t.at)
		if t.n > 1 || t.share < 1 {
			title += ": " + plural(t.n, "interval") + ", together " + b.x.plain.Percent(t.share) + " of it"
		}
		v.titled("rect", title, "x", left, "y", px(y), "width", width, "height", px(height))
	}
	v.end("g")
}

// leastHeight keeps a column in sight however little of it is covered, in
// pixels.
const leastHeight = 1.5

// unknownOf collects where a source did not observe, with the reason: what the
// report lists, and the rest of the window outside what it observed.
func (v *view) unknownOf(s *report.Source) []stretch {
	var out []stretch
	if !s.Placed {
		return []stretch{{v.run.Window.At, reason(model.ClockUnplaced), reason(model.ClockUnplaced)}}
	}
	seen := model.NewSet(s.Observed...)
	for _, u := range v.run.Unknown {
		if u.Source != s.ID || !u.Track.Empty() || !u.Metric.Empty() || !u.Placed {
			continue
		}
		out = append(out, stretch{u.At, v.whyOf(u), part(u.Why)})
		seen = seen.Union(model.NewSet(u.At))
	}
	for i := range seen.Gaps(v.run.Window.At).All() {
		out = append(out, stretch{i, reason(model.OutsideObservation), part(model.OutsideObservation)})
	}
	return out
}

// A stretch is an interval in which nothing was observed, and the reason.
type stretch struct {
	at         model.Interval[model.Time]
	why, short string
}

// whyOf is the reason of an unobserved interval with what the collector said.
func (v *view) whyOf(u report.Unknown) string {
	if u.Note.Empty() {
		return reason(u.Why)
	}
	return reason(u.Why) + "; " + v.phrase(u.Note)
}
