package render

import (
	"strconv"

	"tracemerge/model"
)

// strip opens the picture of one lane. Its inner element holds everything that
// lies on the time axis; a script zooms by setting that element's x and width.
func (m *markup) strip(height int, label string) {
	h := strconv.Itoa(height)
	m.start("svg", "class", "strip", "width", "100%", "height", h, "role", "img", "aria-label", label)
	m.start("svg", "class", "zoom", "x", "0", "y", "0", "width", "100%", "height", h)
}

func (m *markup) stripEnd() {
	m.end("svg")
	m.end("svg")
}

// box draws an interval on the axis.
func (m *markup) box(x axis, i model.Interval[model.Time], b boxStyle) {
	left, width, ok := x.extent(i)
	if !ok {
		return
	}
	stroke := ""
	if b.keep && x.at.Len() > slimmest*i.Len() {
		b.class, stroke = join(b.class, "slim"), b.fill
	}
	a := []string{"class", b.class, "stroke", stroke, "x", left, "y", px(b.y), "width", width, "height", px(b.height), "fill", b.fill}
	if b.title == "" {
		m.shape("rect", a...)
		return
	}
	m.titled("rect", b.title, a...)
}

// boxStyle is where a box lies in its lane and how it looks.
type boxStyle struct {
	class, fill, title string
	y, height          float64
	keep               bool // keep it in sight however short it is
}

// slimmest is the part of an axis below which an interval gets an outline in its
// own colour, so that it is seen without being drawn longer than it is.
const slimmest = 400

// hatched draws an interval in which nothing was observed, with its reason.
func (m *markup) hatched(x axis, i model.Interval[model.Time], height float64, why string) {
	m.box(x, i, boxStyle{class: "unknown", fill: "url(#hatch)", title: x.plain.Span(i) + ": " + why, y: 0.5, height: height - 1})
}

// grid draws the axis' ticks through a lane.
func (m *markup) grid(x axis, height float64) {
	for _, t := range x.ticks() {
		p := per(x.pos(t))
		m.shape("line", "class", "grid", "x1", p, "x2", p, "y1", "0", "y2", px(height))
	}
}

// whisker draws the width of an edge: where it may lie.
func (m *markup) whisker(x axis, i model.Interval[model.Time], y float64) {
	a, b := per(x.pos(i.Start)), per(x.pos(i.End))
	m.shape("line", "class", "whisker", "x1", a, "x2", b, "y1", px(y), "y2", px(y))
	for _, p := range []string{a, b} {
		m.shape("line", "class", "whisker", "x1", p, "x2", p, "y1", px(y-3), "y2", px(y+3))
	}
}

// visible reports whether a width can be seen on the axis: 0.3 % of it, which is
// two to three pixels of a wide page.
func (x axis) visible(width int64) bool {
	return float64(width) >= 0.003*float64(x.at.Len())
}
