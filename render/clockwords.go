package render

import (
	"strconv"
	"strings"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// statusWords are the statuses of a clock in words.
var statusWords = map[model.ClockStatus]string{
	model.ClockExact:        "exact to its resolution",
	model.ClockBounded:      "bounded",
	model.ClockOneSided:     "bounded on one side only",
	model.ClockAmbiguous:    "ambiguous",
	model.ClockContradicted: "declarations contradict one another",
	model.ClockUnaligned:    "nothing relates it to the reference",
}

// statusText says how well a clock's offset is known.
func statusText(m model.Mapping) string {
	if w, ok := statusWords[m.Status]; ok {
		if n := len(m.Ranges); m.Status == model.ClockAmbiguous && n > 1 {
			w += " (" + strconv.Itoa(n) + " offsets)"
		}
		return w
	}
	switch {
	case m.Placed:
		return "placed"
	case m.Why != model.NotSet:
		return reason(m.Why)
	}
	return reason(model.ClockUnplaced)
}

// useWords are what became of a constraint, in words.
var useWords = map[model.ConstraintUse]string{
	model.ConstraintTight:        "tight",
	model.ConstraintAgrees:       "agrees",
	model.ConstraintContradicted: "contradicted",
	model.ConstraintUntestable:   "untestable",
	model.ConstraintRefused:      "refused",
}

// usesInOrder is the order in which constraints are told: what was given up
// first, then what decides.
var usesInOrder = []model.ConstraintUse{model.ConstraintContradicted, model.ConstraintTight, model.ConstraintAgrees, model.ConstraintRefused, model.ConstraintUntestable}

// useMeaning says what a use means.
var useMeaning = map[model.ConstraintUse]string{
	model.ConstraintTight:        "an end of a stated offset rests on it",
	model.ConstraintAgrees:       "holds, and something else is tighter",
	model.ConstraintContradicted: "given up, since stronger evidence excludes it",
	model.ConstraintRefused:      "neither declared nor certain, and --strict-clock asks for such evidence only",
	model.ConstraintUntestable:   "looked for; the data cannot say anything",
}

// byUse lists the indices of the constraints of each use, in the order of
// usesInOrder.
func byUse(cs []model.Constraint) []int {
	var out []int
	for _, u := range usesInOrder {
		for i := range cs {
			if cs[i].Use == u {
				out = append(out, i)
			}
		}
	}
	return out
}

// ruleWords is a rule's code as words.
func ruleWords(code string) string { return strings.ReplaceAll(code, "_", " ") }

// offsetText writes an offset in seconds and, where people would say it so, in
// hours and minutes: "−32400 s (−9 h)".
func (p Plain) offsetText(d time.Duration) string {
	out := signed(d) + noBreak + "s"
	if said := p.Spoken(d.Abs()); said != "" && d.Abs() < 48*time.Hour {
		sign := "+"
		if d < 0 {
			sign = minusSign
		}
		out += " (" + sign + said + ")"
	}
	return out
}

// about writes an offset as an estimate and a half-width, both in whole steps of
// two digits of the width; the half-width is rounded up, so that what is written
// holds the true offset too.
func (p Plain) about(o model.OffsetRange) (offset, half string) {
	at, width := rounded(o)
	return p.offsetText(at), "± " + briefly(width)
}

// briefly writes a duration of few digits in the unit that suits it, without
// zeros behind them.
func briefly(d time.Duration) string {
	for _, u := range timeUnits {
		if float64(d) >= u.ns/10 {
			return strconv.FormatFloat(float64(d)/u.ns, 'f', -1, 64) + noBreak + u.name
		}
	}
	return "0" + noBreak + "s"
}

// rounded is the middle and the half-width of bounds that hold those of the
// offset.
func rounded(o model.OffsetRange) (at, width time.Duration) {
	width = max(o.Hi-o.Estimate, o.Estimate-o.Lo)
	step := time.Duration(1)
	for width/step >= 100 {
		step *= 10
	}
	at = o.Estimate.Round(step)
	width = max(o.Hi-at, at-o.Lo)
	if rest := width % step; rest > 0 {
		width += step - rest
	}
	return at, width
}

// offsetBounds writes the bounds of an offset to the nanosecond.
func offsetBounds(o model.OffsetRange) string {
	if o.Lo == o.Hi {
		return signed(o.Lo) + noBreak + "s"
	}
	return signed(o.Lo) + " to " + signed(o.Hi) + noBreak + "s"
}

// offsetsShown bounds a list of offsets in a sentence; zones alone are some forty.
const offsetsShown = 4

// few joins the first of many texts, and says how many there are.
func few(all []string, sep string) string {
	if len(all) <= offsetsShown {
		return strings.Join(all, sep)
	}
	return strings.Join(all[:offsetsShown], sep) + sep + strconv.Itoa(len(all)-offsetsShown) + " more"
}

// allowedText writes the intervals of a constraint, open ends as such.
func allowedText(in []model.Range[time.Duration]) string {
	switch n := len(in); {
	case n == 0:
		return "no value"
	case n > offsetsShown && in[0].Lo > model.OpenLow && in[n-1].Hi < model.OpenHigh:
		return plural(n, "interval") + " from " + offsetBounds(model.OffsetRange{Lo: in[0].Lo, Hi: in[n-1].Hi})
	}
	var all []string
	for _, r := range in {
		switch {
		case r.Lo <= model.OpenLow && r.Hi >= model.OpenHigh:
			all = append(all, "any value")
		case r.Lo <= model.OpenLow:
			all = append(all, "at most "+signed(r.Hi)+noBreak+"s")
		case r.Hi >= model.OpenHigh:
			all = append(all, "at least "+signed(r.Lo)+noBreak+"s")
		default:
			all = append(all, offsetBounds(model.OffsetRange{Lo: r.Lo, Hi: r.Hi}))
		}
	}
	return few(all, ", or ")
}

// withPlace drops places that name a file as a whole.
func withPlace(ps []model.Pos) []model.Pos {
	var out []model.Pos
	for _, p := range places(ps...) {
		if p.Line > 0 || p.Offset > 0 {
			out = append(out, p)
		}
	}
	return out
}

// residualText says how far the settled offsets are from a constraint.
func (p Plain) residualText(m model.Maybe[time.Duration]) string {
	d, ok := m.Get()
	switch {
	case !ok:
		return unknown(m)
	case d == 0:
		return "holds"
	}
	return "off by " + p.Duration(d)
}

// pieceName numbers a piece of a clock where the source has several; it is empty
// for a source with one.
func pieceName(s *report.Source, d model.DomainID) string {
	if len(s.Clocks) < 2 {
		return ""
	}
	return "piece " + strconv.Itoa(int(d)+1)
}
