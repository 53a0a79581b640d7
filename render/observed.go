package render

import (
	"strconv"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// stripsInSummary is how many sources get a strip of their own on the first
// screen; with more, sources of a kind share one.
const stripsInSummary = 7

// observed draws what each source covers of the window.
func (v *view) observed() {
	v.heading("What was observed")
	if !v.run.Window.Known {
		v.elem("p", "There is no common window: no source has a clock that could give one.", "class", "none")
		return
	}
	if len(v.run.Sources) == 0 {
		v.elem("p", "No file was recognised in this run.", "class", "none")
		return
	}
	x := v.window()
	v.start("div", "class", "lanes compact")
	groups := groupSources(v.run.Sources)
	for _, g := range groups {
		v.coverageLane(x, g, true)
	}
	v.axisLane(x)
	v.end("div")
	v.saysColumns()
	v.elem("p", "Solid: the source observed. Hatched: not observed. A strip says where a source was looking, not that anything ran.", "class", "note")
}

// groupSources puts each source with a clock into a group of its own, or sources
// of one kind together where there are many. Run files and files that were not
// recognised observe nothing and have no strip.
func groupSources(all []report.Source) [][]*report.Source {
	var out [][]*report.Source
	byKind := map[model.SourceKind]int{}
	n := 0
	for i := range all {
		if observes(all[i].Kind) {
			n++
		}
	}
	for i := range all {
		s := &all[i]
		if !observes(s.Kind) {
			continue
		}
		if at, ok := byKind[s.Kind]; ok && n > stripsInSummary {
			out[at] = append(out[at], s)
			continue
		}
		byKind[s.Kind] = len(out)
		out = append(out, []*report.Source{s})
	}
	return out
}

func observes(k model.SourceKind) bool {
	return k != model.KindRunFile && k != model.KindUnknown
}

// kindWords are the kinds of sources in words.
var kindWords = map[model.SourceKind]string{
	model.KindSMI:       "nvidia-smi",
	model.KindTrace:     "PyTorch trace",
	model.KindLog:       "application log",
	model.KindHost:      "host statistics",
	model.KindRunFile:   "run.yaml",
	model.KindRecording: "recording",
	model.KindUnknown:   "not recognised",
}

func kindName(k model.SourceKind) string {
	if w, ok := kindWords[k]; ok {
		return w
	}
	return "not recognised"
}

// coverageLane draws the strip of one source, or of several of one kind.
func (v *view) coverageLane(x axis, g []*report.Source, long bool) {
	name, own := v.source(g[0].ID), true
	value := "not placed"
	var seen model.Set[model.Time]
	placed := 0
	for _, s := range g {
		if s.Placed {
			placed++
			seen = seen.Union(model.NewSet(s.Observed...).Within(x.at))
		}
	}
	if placed > 0 {
		value = v.plain.Percent(share(seen.Len(), x.at.Len()))
	}
	if len(g) > 1 {
		name, own = kindName(g[0].Kind)+" × "+strconv.Itoa(len(g)), false
		value += " by at least one"
	}
	label := name + ": observed " + value + " of the window"
	if w := v.halfWidth(g[0].ID); len(g) == 1 && x.visible(2*int64(w)) {
		value += ", clock ± " + briefly(w)
		label += ", its clock uncertain by ± " + briefly(w)
	}
	if long && len(g) == 1 {
		value = joinWith(noBreak+" ", value, v.longestHole(g[0]))
	}
	v.lane(x, lane{name: name, own: own, value: value, height: laneHeight, label: label,
		draw: func(h float64) {
			not := []stretch{}
			if len(g) == 1 {
				not = v.unknownOf(g[0])
			} else {
				why := "not observed by any of these " + strconv.Itoa(len(g)) + " files"
				for i := range seen.Gaps(x.at).All() {
					not = append(not, stretch{i, why, why})
				}
			}
			b := boxStyle{class: "observed", title: "observed", y: 2, height: h - 4}
			if own {
				b.title = name + " observed"
			}
			v.observedAndNot(band{b, x, columnsFor(len(v.run.Sources))}, seen.Parts(), not)
			if len(g) == 1 {
				v.clockWhiskers(x, seen, v.halfWidth(g[0].ID), h/2)
			}
		}})
}

// longestHole names the longest stretch that a source did not observe.
func (v *view) longestHole(s *report.Source) string {
	var longest stretch
	all := v.unknownOf(s)
	for _, u := range all {
		if u.at.Len() > longest.at.Len() {
			longest = u
		}
	}
	switch {
	case !s.Placed || longest.at.Empty():
		return ""
	case len(all) > 1:
		return longest.short + ", " + plural(len(all), "stretch")
	}
	return longest.short + ", " + v.plain.Duration(longest.at.Len())
}

// share is a part of a whole, 0 where there is no whole to speak of; the caller
// has made sure that there is one.
func share(part, whole time.Duration) float64 {
	if whole <= 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// whiskersInLane bounds the edges of a lane that get a whisker; where there are
// more, they would cover it.
const whiskersInLane = 12

// clockWhiskers draws at the edges of what a source observed how far its clock
// may be off, where that can be seen.
func (v *view) clockWhiskers(x axis, seen model.Set[model.Time], w time.Duration, y float64) {
	if !x.visible(2*int64(w)) || 2*len(seen.Parts()) > whiskersInLane {
		return
	}
	for _, in := range seen.Parts() {
		for _, edge := range []model.Time{in.Start, in.End} {
			v.whisker(x, model.Interval[model.Time]{Start: edge - model.Time(w), End: edge + model.Time(w)}, y)
		}
	}
}

// halfWidth is the largest half-width of a source's placed clocks, rounded up to
// two digits; 0 for a source that is not placed.
func (v *view) halfWidth(id model.SourceID) (w time.Duration) {
	for i := range v.run.Sources {
		s := &v.run.Sources[i]
		if s.ID != id {
			continue
		}
		for k := range s.Clocks {
			if m := &s.Clocks[k].Mapping; m.Placed {
				for _, g := range m.Segments {
					_, half := rounded(g.Offset)
					w = max(w, half)
				}
			}
		}
	}
	return w
}
