package render

import (
	"strconv"
	"strings"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// methodWords are the methods of placing a clock in words.
var methodWords = map[model.Method]string{
	model.MethodNone:      "not placed",
	model.MethodAbsolute:  "stamps carry their zone or epoch",
	model.MethodZone:      "declared zone",
	model.MethodOffset:    "declared offset",
	model.MethodReference: "is the reference itself",
}

func methodText(m model.Method) string {
	if w, ok := methodWords[m]; ok {
		return w
	}
	return strings.ReplaceAll(string(m), "_", " ")
}

var domainWords = map[model.DomainKind]string{
	model.DomainNone:     "no clock",
	model.DomainUnix:     "since the Unix epoch",
	model.DomainCivil:    "calendar time without a zone",
	model.DomainRelative: "since an unknown start",
	model.DomainDay:      "time of day without a date",
}

// clock shows how each source's clock was placed, and by what evidence.
func (p *page) clock() {
	p.elem("p", "Reference time is the source's reading plus its offset. Where nothing relates a clock to the reference, the source is not placed; it is never put at offset zero.", "class", "note")
	p.eachRun("clock", func(v *view) {
		if v.run.Window.Known {
			v.elem("p", "Window: "+v.windowText()+".")
			v.say(v.run.Window.By, "note")
		}
		v.clockTable()
		v.offsetBars()
		for i := range v.run.Sources {
			v.clockEvidence(&v.run.Sources[i])
		}
	})
}

func (v *view) clockTable() {
	t := table{caption: "Clocks", headed: true, cols: []column{words("source"), words("kind"), words("its stamps"), figure("resolution, s"), words("zone"),
		figure("offset, s"), figure("uncertainty, s"), words("placed by"), figure("of the window observed")}}
	for i := range v.run.Sources {
		s := &v.run.Sources[i]
		for k, c := range s.Clocks {
			if c.Domain.Kind == model.DomainNone && len(s.Clocks) == 1 && !observes(s.Kind) {
				continue
			}
			name := v.source(s.ID)
			if len(s.Clocks) > 1 {
				name += ", piece " + strconv.Itoa(k+1)
			}
			covered := none(unknown(s.Covered))
			if d, ok := s.Covered.Get(); ok && v.run.Window.At.Len() > 0 {
				f := share(d, v.run.Window.At.Len())
				covered = cell{text: v.plain.Percent(f), exact: exactFloat(f)}
			}
			offset, unsure := offsetCells(c.Mapping)
			zone := file(v.shown(c.Mapping.Zone))
			if zone.text == "" {
				zone = txt("none used")
			}
			t.rows = append(t.rows, []cell{file(name), txt(kindName(s.Kind)), txt(domainWords[c.Domain.Kind]), durationCell(c.Domain.Step), zone,
				offset, unsure, txt(methodText(c.Mapping.Method)), covered})
		}
	}
	v.table(t)
}

func durationCell(d time.Duration) cell { return cell{text: Exact(d), exact: Exact(d), unit: "s"} }

// offsetCells are the offset and its half-width, of the first segment; further
// segments are listed with the evidence.
func offsetCells(m model.Mapping) (offset, unsure cell) {
	if !m.Placed || len(m.Segments) == 0 {
		why := none(reason(model.ClockUnplaced))
		if m.Why != model.NotSet {
			why = none(reason(m.Why))
		}
		return why, none("not applicable")
	}
	o := m.Segments[0].Offset
	text := signed(o.Estimate)
	if len(m.Segments) > 1 {
		text += " (first of " + strconv.Itoa(len(m.Segments)) + ")"
	}
	w := max(o.Hi-o.Estimate, o.Estimate-o.Lo)
	return cell{text: text, exact: Exact(o.Estimate), unit: "s"}, cell{text: "± " + Exact(w), exact: Exact(w), unit: "s"}
}

func signed(d time.Duration) string {
	switch {
	case d > 0:
		return "+" + Exact(d)
	case d < 0:
		return minusSign + Exact(d)[1:]
	}
	return "0"
}

// offsetBars draws the uncertainty of each placed clock as a bar from the lowest
// to the highest offset, around its estimate.
func (v *view) offsetBars() {
	type line struct {
		name string
		o    model.OffsetRange
	}
	var lines []line
	widest := time.Duration(0)
	for i := range v.run.Sources {
		s := &v.run.Sources[i]
		for _, c := range s.Clocks {
			if !c.Mapping.Placed || len(c.Mapping.Segments) == 0 {
				continue
			}
			o := c.Mapping.Segments[0].Offset
			lines = append(lines, line{v.source(s.ID), o})
			widest = max(widest, o.Hi-o.Estimate, o.Estimate-o.Lo)
		}
	}
	if widest <= 0 {
		return
	}
	scale := ScaleFor(widest)
	v.start("figure", "class", "pic")
	v.start("figcaption")
	v.elem("strong", "Uncertainty of the offsets.")
	v.text(" ")
	v.elem("span", "Each bar reaches from the lowest to the highest possible offset around its estimate (the upright line).", "class", "shows")
	v.text(" ")
	v.elem("span", "It does not show drift within a source.", "class", "shows-not")
	v.end("figcaption")
	var rows []bar
	for _, l := range lines {
		lo, hi := l.o.Lo-l.o.Estimate, l.o.Hi-l.o.Estimate
		at := func(d time.Duration) float64 { return 50 + share(d, widest)*48 }
		rows = append(rows, bar{name: l.name, own: true, values: []string{scale.Bare(lo) + " to " + scale.Text(hi)},
			label: l.name + ": offset uncertain by " + scale.Range(lo, hi),
			draw: func(h float64) {
				v.shape("rect", "class", "bar-ground", "x", "0", "y", "0", "width", "100%", "height", px(h))
				v.shape("rect", "class", "bound", "x", per(at(lo)), "y", "4", "width", per(max(at(hi)-at(lo), 0.5)), "height", px(h-8))
				v.shape("line", "class", "mark", "x1", "50%", "x2", "50%", "y1", "0", "y2", px(h))
			}})
	}
	v.bars(rows, []string{"around the estimate"})
	v.end("figure")
	v.line()
}

// clockEvidence says why a clock stands where it stands.
func (v *view) clockEvidence(s *report.Source) {
	if !observes(s.Kind) {
		return
	}
	v.start("details", "class", "card", "id", "clock-"+strconv.Itoa(v.n+1)+"-"+strconv.Itoa(int(s.ID)))
	v.start("summary")
	v.text("Evidence for ")
	v.name(v.source(s.ID))
	v.end("summary")
	for _, c := range s.Clocks {
		v.oneClock(c)
	}
	v.end("details")
	v.line()
}

func (v *view) oneClock(c report.Clock) {
	v.say(c.Domain.Why, "")
	v.sayAll(c.Domain.Notes, "notes")
	list := func(title string, ps []model.Phrase) {
		if len(ps) > 0 {
			v.elem("p", title, "class", "label")
			v.sayAll(ps, "notes")
		}
	}
	list("Rests on", c.Mapping.Evidence)
	list("Contradicts it", c.Mapping.Against)
	if len(c.Mapping.Other) > 0 {
		v.elem("p", "Other offsets would be possible: "+offsets(c.Mapping.Other)+".", "class", "warn")
	}
	if len(c.Mapping.Segments) > 1 {
		v.start("ul", "class", "notes")
		for _, g := range c.Mapping.Segments {
			v.elem("li", "offset "+signed(g.Offset.Estimate)+" s, from "+signed(g.Offset.Lo)+" to "+signed(g.Offset.Hi)+" s")
		}
		v.end("ul")
	}
}

func offsets(ds []time.Duration) string {
	var out []string
	for _, d := range ds {
		out = append(out, signed(d)+" s")
	}
	return strings.Join(out, ", ")
}

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
