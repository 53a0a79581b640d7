package render

import (
	"slices"
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
	model.MethodAnchor:    "records declared to be the same moment",
	model.MethodDay:       "declared zone, and the one day on which other files were recorded",
	model.MethodReference: "is the reference itself",
	model.MethodInferred:  "the one zone that the evidence leaves",
	model.MethodEvidence:  "evidence between sources",
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

// clock shows how each source's clock was placed, and by what evidence: a table
// for the first minute, then what it rests on.
func (p *page) clock() {
	p.elem("p", "Reference time is the source's reading plus its offset, and the true offset lies within ± of the stated one. Where nothing relates a clock to the reference, the source is not placed; it is never put at offset zero.", "class", "note")
	p.eachRun("clock", func(v *view) {
		if v.run.Window.Known {
			v.elem("p", "Window: "+v.windowText()+".")
			v.say(v.run.Window.By, "note")
		}
		if r := v.phrase(v.run.Clocks.Reference); r != "" {
			v.elem("p", "Reference clock: "+r+".")
		}
		v.clockDoubts()
		v.clockTable()
		v.tighten()
		v.offsetBars()
		v.clockCards()
		v.constraints()
	})
}

// doubtsShown bounds how many clocks are named above the table; each stands in it.
const doubtsShown = 8

// clockDoubts puts what is ambiguous or contradicted in front of the table.
func (v *view) clockDoubts() {
	n := 0
	for i := range v.run.Sources {
		s := &v.run.Sources[i]
		for k := range s.Clocks {
			text := v.doubt(s.Clocks[k].Mapping)
			if text == "" || !observes(s.Kind) {
				continue
			}
			if n++; n > doubtsShown {
				continue
			}
			v.start("p", "class", "warn")
			v.start("a", "href", "#"+v.clockID(s))
			v.name(joinWith(", ", v.source(s.ID), pieceName(s, s.Clocks[k].Domain.ID)))
			v.end("a")
			v.text(": " + text)
			v.end("p")
		}
	}
	if n > doubtsShown {
		v.elem("p", "and "+plural(n-doubtsShown, "clock")+" more; see the table.", "class", "note")
	}
}

// doubt says what is ambiguous about a clock or contradicts it; empty if nothing
// is.
func (v *view) doubt(m model.Mapping) string {
	var said []string
	switch {
	case m.Status == model.ClockAmbiguous:
		said = append(said, "ambiguous, several offsets explain the evidence"+v.ranges(m.Ranges))
	case m.Status == model.ClockContradicted:
		said = append(said, "its declarations contradict one another")
	case m.Status == model.ClockOneSided:
		said = append(said, "its offset is bounded on one side only")
	case len(m.Against) > 0:
		said = append(said, "some evidence contradicts its offset")
	}
	if len(m.Other) > 0 && len(m.Ranges) < 2 {
		said = append(said, "other offsets would be possible: "+v.offsets(m.Other))
	}
	for _, p := range m.Against {
		said = append(said, strings.TrimSuffix(v.phrase(p), "."))
	}
	if len(said) == 0 {
		return ""
	}
	if !m.Placed {
		said = append(said, "it is not placed")
	}
	return strings.Join(said, "; ") + "."
}

// ranges are the offsets of an ambiguous clock, after a colon.
func (v *view) ranges(rs []model.OffsetRange) string {
	if len(rs) < 2 {
		return ""
	}
	var all []string
	for _, r := range rs {
		at, half := v.plain.about(r)
		all = append(all, at+" "+half)
	}
	return ": " + few(all, ", or ")
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

// tighten lists the further observations that would narrow the offsets most.
func (v *view) tighten() {
	if len(v.run.Clocks.Tighten) == 0 {
		return
	}
	v.elem("p", "What would tighten it most", "class", "label")
	v.sayAll(v.run.Clocks.Tighten, "notes")
}

// An offsetLine is one bar of the picture of uncertainties.
type offsetLine struct {
	name   string
	lo, hi time.Duration // around the estimate
}

// offsetLines are the placed clocks; where there are many, those that are as wide
// as one another share a line.
func (v *view) offsetLines() []offsetLine {
	var lines []offsetLine
	for i := range v.run.Sources {
		s := &v.run.Sources[i]
		for _, c := range s.Clocks {
			if c.Mapping.Placed && len(c.Mapping.Segments) > 0 {
				o := c.Mapping.Segments[0].Offset
				lines = append(lines, offsetLine{v.source(s.ID), o.Lo - o.Estimate, o.Hi - o.Estimate})
			}
		}
	}
	if len(lines) <= clocksListed {
		return lines
	}
	met := map[[2]time.Duration]int{}
	var apart []offsetLine
	for _, l := range lines {
		key := [2]time.Duration{l.lo, l.hi}
		if met[key]++; met[key] == 1 {
			apart = append(apart, l)
		}
	}
	for i, l := range apart {
		if n := met[[2]time.Duration{l.lo, l.hi}]; n > 1 {
			apart[i].name += " and " + strconv.Itoa(n-1) + " more"
		}
	}
	return apart
}

// offsetBars draws the uncertainty of each placed clock as a bar from the lowest
// to the highest offset, around its estimate.
func (v *view) offsetBars() {
	lines := v.offsetLines()
	widest := time.Duration(0)
	for _, l := range lines {
		widest = max(widest, l.hi, -l.lo)
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
		lo, hi := l.lo, l.hi
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

func (v *view) clockID(s *report.Source) string {
	return "clock-" + strconv.Itoa(v.n+1) + "-" + strconv.Itoa(int(s.ID))
}

// clockLink is the id of the evidence about a source's clock; empty for a source
// that has none.
func (v *view) clockLink(s *report.Source) string {
	if !observes(s.Kind) {
		return ""
	}
	return v.clockID(s)
}

// clockCards are the evidence for each source, in one fold where there are many.
func (v *view) clockCards() {
	n := 0
	for i := range v.run.Sources {
		if observes(v.run.Sources[i].Kind) {
			n++
		}
	}
	if n >= tracesTogether {
		v.fold("Evidence for each of " + plural(n, "source"))
		defer v.foldEnd()
	}
	for i := range v.run.Sources {
		v.clockEvidence(&v.run.Sources[i])
	}
}

// clockEvidence says why a clock stands where it stands.
func (v *view) clockEvidence(s *report.Source) {
	if !observes(s.Kind) {
		return
	}
	v.start("details", "class", "card", "id", v.clockID(s))
	v.start("summary")
	v.text("Evidence for ")
	v.name(v.source(s.ID))
	v.end("summary")
	for i := range s.Clocks {
		if name := pieceName(s, s.Clocks[i].Domain.ID); name != "" {
			v.start("p", "class", "part")
			v.elem("strong", name)
			v.end("p")
		}
		v.oneClock(s, &s.Clocks[i])
	}
	v.end("details")
	v.line()
}

func (v *view) oneClock(s *report.Source, c *report.Clock) {
	stamps := domainWords[c.Domain.Kind]
	if c.Domain.Kind != model.DomainNone {
		stamps += ", resolution " + briefly(c.Domain.Step)
	}
	v.elem("p", "Stamps: "+stamps+".")
	v.say(c.Domain.Why, "")
	v.sayAll(c.Domain.Notes, "notes")
	list := func(title string, ps []model.Phrase) {
		if len(ps) > 0 {
			v.elem("p", title, "class", "label")
			v.sayAll(ps, "notes")
		}
	}
	why := v.phrase(c.Domain.Why)
	list("Rests on", slices.DeleteFunc(slices.Clone(c.Mapping.Evidence), func(p model.Phrase) bool { return v.phrase(p) == why }))
	v.tightOn(model.ClockRef{Source: s.ID, Domain: c.Domain.ID})
	list("Contradicts it", c.Mapping.Against)
	if len(c.Mapping.Other) > 0 && len(c.Mapping.Ranges) < 2 {
		v.elem("p", "Other offsets would be possible: "+v.offsets(c.Mapping.Other)+".", "class", "warn")
	}
	v.clockRanges(c.Mapping)
}

// offsetsListed bounds the offsets of one clock that are listed one by one.
const offsetsListed = 12

// clockRanges are the offsets to the nanosecond: of each segment, or where the
// clock is ambiguous each that the evidence leaves.
func (v *view) clockRanges(m model.Mapping) {
	var all []model.OffsetRange
	for _, g := range m.Segments {
		all = append(all, g.Offset)
	}
	title := "Offset"
	if len(all) == 0 || len(m.Ranges) > 1 {
		all, title = m.Ranges, "Offsets that the evidence leaves"
	}
	if len(all) == 0 {
		return
	}
	v.elem("p", title, "class", "label")
	v.start("ul", "class", "notes")
	for i, o := range all {
		if i == offsetsListed {
			v.elem("li", plural(len(all)-i, "offset")+" more; the summary JSON has all of them")
			break
		}
		v.elem("li", offsetBounds(o))
	}
	v.end("ul")
}

// tightOn lists the constraints about a clock on which an end of some offset rests.
func (v *view) tightOn(ref model.ClockRef) {
	said := false
	for i := range v.run.Clocks.Constraints {
		c := &v.run.Clocks.Constraints[i]
		if c.Use != model.ConstraintTight || c.A != ref && c.B != ref {
			continue
		}
		if !said {
			v.elem("p", "Tight constraints about it", "class", "label")
			v.start("ul", "class", "notes")
			said = true
		}
		v.start("li")
		v.text(v.phrase(c.What) + " ")
		for _, at := range withPlace(c.From) {
			v.cite(at)
			v.text(" ")
		}
		v.end("li")
	}
	if said {
		v.end("ul")
	}
}

func (v *view) offsets(ds []time.Duration) string {
	var out []string
	for _, d := range ds {
		out = append(out, v.plain.offsetText(d))
	}
	return few(out, ", ")
}
