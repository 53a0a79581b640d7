package render

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tracemerge/model"
	"tracemerge/model/report"
)

const barHeight = 16

// A bar is one line of a bar picture; a share of the picture's width.
type bar struct {
	name, swatch, label string
	own                 bool
	values              []string // columns after the bar
	draw                func(h float64)
}

func (v *view) bars(rows []bar, heads []string) {
	v.start("div", "class", "bars", "role", "list")
	v.start("div", "class", "bar heads", "aria-hidden", "true")
	v.elem("div", "", "class", "bar-name")
	v.elem("div", "", "class", "bar-space")
	for _, h := range heads {
		v.elem("div", h, "class", "bar-value")
	}
	v.end("div")
	for _, r := range rows {
		v.start("div", "class", "bar", "role", "listitem")
		v.start("div", "class", "bar-name")
		if r.swatch != "" {
			v.swatch(r.swatch)
		}
		if r.own {
			v.name(r.name)
		} else {
			v.text(r.name)
		}
		v.end("div")
		v.start("svg", "class", "barpic", "width", "100%", "height", strconv.Itoa(barHeight), "role", "img", "aria-label", r.label)
		r.draw(barHeight)
		v.end("svg")
		for i, t := range r.values {
			v.start("div", "class", join("bar-value", valueClass(t)))
			if i < len(heads) {
				v.elem("span", heads[i]+" ", "class", "bar-head")
			}
			v.text(t)
			v.end("div")
		}
		v.end("div")
		v.line()
	}
	v.end("div")
	v.line()
}

// valueClass tells apart values that a column of figures has room for and
// sentences, such as why a value is unknown.
func valueClass(text string) string {
	switch {
	case text == "":
		return "empty"
	case utf8.RuneCountInString(text) > 24:
		return "wordy"
	}
	return ""
}

// barAxis names the lengths under bars that share a scale of time.
func (v *view) barAxis(longest time.Duration) {
	x := axis{at: model.Interval[model.Time]{End: model.Time(longest)}}
	v.start("div", "class", "bar")
	v.elem("div", "", "class", "bar-name")
	v.start("svg", "class", "strip ticks", "width", "100%", "height", "22", "aria-hidden", "true", "focusable", "false")
	for i, t := range x.ticks() {
		pos := x.pos(t)
		anchor := "middle"
		if pos < 3 {
			anchor = "start"
		}
		v.start("g", "class", join("tick", oddClass(i)))
		v.shape("line", "x1", per(pos), "x2", per(pos), "y1", "0", "y2", "5")
		v.elem("text", x.tickText(t), "x", per(pos), "y", "17", "text-anchor", anchor)
		v.end("g")
	}
	v.end("svg")
	v.elem("div", "", "class", "bar-value")
	v.end("div")
	v.line()
}

// stageBars draws each stage against the window: strong where it ran alone,
// lighter where another stage ran too. Stages may overlap, so the bars need not
// add up to the window; the last two lines fill what no stage covers.
func (v *view) stageBars(t *report.StageTable) {
	whole := t.Window.Len()
	var ds []time.Duration
	for _, r := range t.Rows {
		ds = append(ds, r.Busy, r.Exclusive)
	}
	ds = append(ds, t.Accounted.Unattributed, t.Accounted.Unknown)
	scale := ScaleFor(ds...)
	var rows []bar
	for _, r := range t.Rows {
		rows = append(rows, v.stageBar(r, whole, scale))
	}
	rows = append(rows, v.restBars(t.Accounted, whole, scale)...)
	v.bars(rows, []string{"time", "share", "alone"})
	v.elem("p", "Strong: no other stage ran; lighter: another one did, so times can add up to more than the window. Unattributed: observed, no stage ran. "+
		"A long bar does not say that others waited for it.", "class", "note")
}

func (v *view) stageBar(r report.StageRow, whole time.Duration, scale Scale) bar {
	style := v.stages.style(r.Stage)
	fill := v.stages.fillOf(r.Stage)
	name := v.stage(r.Stage)
	b := bar{name: name, swatch: style, own: r.Stage.Builtin() == "",
		label:  name + ": " + v.inScale(scale, r.Busy) + ", alone " + v.inScale(scale, r.Exclusive),
		values: []string{v.inScale(scale, r.Busy), v.shareText(r.Share), v.inScale(scale, r.Exclusive)}}
	b.draw = func(h float64) {
		busy, alone := share(r.Busy, whole)*100, share(r.Exclusive, whole)*100
		v.shape("rect", "class", "bar-ground", "x", "0", "y", "0", "width", "100%", "height", px(h))
		v.shape("rect", "class", "bar-shared", "x", per(alone), "y", "2", "width", per(max(busy-alone, 0)), "height", px(h-4), "fill", fill)
		v.shape("rect", "class", "bar-alone", "x", "0", "y", "2", "width", per(alone), "height", px(h-4), "fill", fill)
		if w := share(r.Unsure, whole) * 100; w >= 0.3 {
			a, e := per(max(busy-w/2, 0)), per(min(busy+w/2, 100))
			v.shape("line", "class", "whisker", "x1", a, "x2", e, "y1", px(h/2), "y2", px(h/2))
			v.shape("line", "class", "whisker", "x1", a, "x2", a, "y1", px(h/2-4), "y2", px(h/2+4))
			v.shape("line", "class", "whisker", "x1", e, "x2", e, "y1", px(h/2-4), "y2", px(h/2+4))
		}
	}
	return b
}

// inScale writes a duration on the common scale of several, or on its own where
// it would vanish in that.
func (v *view) inScale(s Scale, d time.Duration) string {
	if t := s.Text(d); !strings.HasPrefix(t, "<") {
		return t
	}
	return v.plain.Duration(d)
}

func (v *view) shareText(m model.Maybe[float64]) string {
	s, ok := m.Get()
	if !ok {
		return unknown(m)
	}
	return v.plain.Percent(s)
}

// restBars are the parts of the window that no stage covers.
func (v *view) restBars(a report.Accounted, whole time.Duration, scale Scale) []bar {
	if !a.Known {
		return nil
	}
	one := func(name, class, fill string, d time.Duration) bar {
		return bar{name: name, label: name + ": " + v.inScale(scale, d),
			values: []string{v.inScale(scale, d), v.plain.Percent(share(d, whole)), ""},
			draw: func(h float64) {
				v.shape("rect", "class", "bar-ground", "x", "0", "y", "0", "width", "100%", "height", px(h))
				if d > 0 {
					v.shape("rect", "class", class, "x", "0", "y", "2", "width", per(share(d, whole)*100), "height", px(h-4), "fill", fill)
				}
			}}
	}
	return []bar{
		one("unattributed", "idle", "", a.Unattributed),
		one("not observed", "unknown", "url(#hatch)", a.Unknown),
	}
}
