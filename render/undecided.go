package render

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// undecidable lists what the observations cannot show.
func (v *view) undecidable() {
	v.start("div", "class", "answer")
	v.start("p", "class", "label")
	v.elem("a", "Not decidable here", "href", "#unknown")
	v.end("p")
	defer v.end("div")
	v.limits()
	lines := v.undecidableLines()
	if len(lines) == 0 && !v.run.Window.Known {
		v.elem("p", "Everything: no source of this run has a clock that could give a window.", "class", "none")
		return
	}
	if len(lines) == 0 {
		v.elem("p", "No source with a clock lists a stretch of the window that it did not observe.", "class", "none")
		return
	}
	const most = 4
	v.start("ul")
	for i, l := range lines {
		if i == most {
			v.start("li")
			v.elem("a", "and "+strconv.Itoa(len(lines)-most)+" more", "href", "#unknown")
			v.end("li")
			break
		}
		v.elem("li", l)
	}
	v.end("ul")
}

// limits names what of the files is in no figure, with the places.
func (v *view) limits() {
	const most = 3
	for i, l := range v.run.Limits {
		if l.Code == "not_placed" {
			continue // named below with its reason
		}
		if i == most {
			v.start("p")
			v.elem("a", "and "+strconv.Itoa(len(v.run.Limits)-most)+" more left out", "href", "#method")
			v.end("p")
			return
		}
		v.start("p")
		v.text("Left out: " + v.phrase(l.What))
		if l.At.Line > 0 || l.At.Offset > 0 {
			v.text(" ")
			v.cite(l.At)
		}
		v.end("p")
	}
}

// undecidableLines names sources without a place on the clock first, then the
// longest unobserved stretches.
func (v *view) undecidableLines() []string {
	var lines []string
	for i := range v.run.Sources {
		s := &v.run.Sources[i]
		if observes(s.Kind) && !s.Placed {
			lines = append(lines, v.source(s.ID)+" against the other sources ("+notPlaced(s)+").")
		}
	}
	for _, h := range v.holes() {
		lines = append(lines, v.holeSentence(h))
	}
	return lines
}

// A hole is all that one source did not observe of one thing for one reason.
type hole struct {
	u       report.Unknown // the longest stretch
	n       int
	unknown time.Duration
}

// holes groups the unobserved stretches, most time first.
func (v *view) holes() []hole {
	type key struct {
		source        model.SourceID
		track, metric model.Text
		why           model.Reason
		late          bool
	}
	where := map[key]int{}
	var out []hole
	for _, u := range v.run.Unknown {
		if !u.Placed {
			continue
		}
		k := key{u.Source, u.Track, u.Metric, u.Why, u.Late}
		i, ok := where[k]
		if !ok {
			i = len(out)
			where[k] = i
			out = append(out, hole{u: u})
		}
		out[i].n++
		out[i].unknown += u.At.Len()
		if u.At.Len() > out[i].u.At.Len() {
			out[i].u = u
		}
	}
	slices.SortStableFunc(out, func(a, b hole) int { return cmp.Compare(b.unknown, a.unknown) })
	return out
}

// trackWord says what a track of the source is, where its name alone would not.
func (v *view) trackWord(id model.SourceID) string {
	for i := range v.run.Sources {
		if s := &v.run.Sources[i]; s.ID == id && s.Kind == model.KindSMI {
			return "device"
		}
	}
	return ""
}

func (v *view) holeSentence(h hole) string {
	what := v.source(h.u.Source)
	if track := v.shown(h.u.Track); track != "" {
		what += ", " + join(v.trackWord(h.u.Source), track)
	}
	what = joinWith(", ", what, v.shown(h.u.Metric))
	what += ": " + v.plain.Duration(h.unknown) + " " + reason(h.u.Why)
	if h.u.Late {
		what += ", as rows came late"
	}
	if h.n > 1 {
		what += ", " + plural(h.n, "stretch") + ", longest"
	}
	return what + " " + v.plain.Brief(h.u.At) + "."
}

// notPlaced says why a source has no place on the run's clock.
func notPlaced(s *report.Source) string {
	for i := range s.Clocks {
		if m := s.Clocks[i].Mapping; m.Status != "" && !m.Placed {
			return "its clock is not placed: " + statusText(m)
		}
	}
	return reason(model.ClockUnplaced)
}
