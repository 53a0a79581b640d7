package render

import (
	"slices"
	"strconv"

	"tracemerge/model"
)

// Bounds on what a picture draws. A picture on a wide page is about 750 pixels
// across; more shapes than that in a lane cannot be told apart.
const (
	shapesPerLane   = 400  // intervals that a lane draws one by one
	columnsPerLane  = 750  // else: columns of equal width
	fewestColumns   = 100  // however many lanes a picture has
	shapesInPicture = 5000 // of all lanes together
)

// columnsFor shares a picture's shapes among its lanes.
func columnsFor(lanes int) int {
	return min(max(shapesInPicture/max(lanes, 1), fewestColumns), columnsPerLane)
}

// A thinned is what a lane can draw of a set of intervals.
type thinned struct {
	at    model.Interval[model.Time]
	n     int     // intervals that reach into it; 1: the interval itself
	share float64 // part of at that the set covers
}

// A spread is several sets of intervals in one lane, as it draws them.
type spread struct {
	parts   [][]thinned // by set
	columns bool        // in columns of equal width, else interval by interval
	n       int         // intervals present in the first set
}

// spreadOver draws each interval as it is while there are few. Where there are
// more than a reader can tell apart it draws all sets of the lane in the same n
// columns, each set with its own share of a column: joining neighbours instead
// would show 60 % as 100 %, and one set would swallow the other.
//
// Invariant: every interval that shares an instant with the axis reaches into a
// column of its own set, and the columns' shares add up to the measure of the
// set.
func spreadOver(x axis, n int, sets ...[]model.Interval[model.Time]) spread {
	if len(sets) == 0 {
		return spread{}
	}
	out := spread{parts: make([][]thinned, len(sets))}
	for k := range sets {
		sets[k] = visibleIn(sets[k], x.at)
		out.columns = out.columns || len(sets[k]) > shapesPerLane
	}
	out.n = len(sets[0])
	for k, in := range sets {
		if out.columns {
			out.parts[k] = inColumns(x.at, n, in)
			continue
		}
		for _, i := range in {
			out.parts[k] = append(out.parts[k], thinned{i, 1, 1})
		}
	}
	return out
}

// visibleIn are the intervals cut at the axis' ends, by their start.
func visibleIn(in []model.Interval[model.Time], at model.Interval[model.Time]) []model.Interval[model.Time] {
	out := make([]model.Interval[model.Time], 0, len(in))
	for _, i := range in {
		if c := i.Intersect(at); !c.Empty() {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b model.Interval[model.Time]) int { return int(min(max(a.Start-b.Start, -1), 1)) })
	return out
}

// inColumns gives each of n equal columns of the axis the number of intervals
// that reach into it and the share of it that they cover; empty ones are left
// out, and neighbours that one interval covers whole become one shape.
func inColumns(at model.Interval[model.Time], n int, in []model.Interval[model.Time]) []thinned {
	var out []thinned
	set := model.NewSet(in...)
	ends := make([]model.Time, len(in))
	for i := range in {
		ends[i] = in[i].End
	}
	slices.Sort(ends)
	begun, ended := 0, 0
	for _, c := range columnsOf(at, n) {
		for begun < len(in) && in[begun].Start < c.End {
			begun++
		}
		for ended < len(ends) && ends[ended] <= c.Start {
			ended++
		}
		if begun == ended {
			continue
		}
		t := thinned{c, begun - ended, share(set.Within(c).Len(), c.Len())}
		if last := len(out) - 1; last >= 0 && t.n == 1 && t.share == 1 && out[last].n == 1 && out[last].share == 1 && out[last].at.End == c.Start && !edgeAt(in, begun-1, c.Start) {
			out[last].at.End = c.End
			continue
		}
		out = append(out, t)
	}
	return out
}

// edgeAt reports whether the interval begins at t.
func edgeAt(in []model.Interval[model.Time], i int, t model.Time) bool { return in[i].Start == t }

// columnsOf cuts an axis into n columns of equal width; fewer where a column
// would be shorter than a nanosecond.
func columnsOf(at model.Interval[model.Time], n int) []model.Interval[model.Time] {
	var out []model.Interval[model.Time]
	width := model.Time(int64(at.Len())/int64(n)) + 1
	for start := at.Start; start < at.End; start += width {
		out = append(out, model.Interval[model.Time]{Start: start, End: min(start+width, at.End)})
	}
	return out
}

// A columnNote counts what a picture draws in columns, for its caption.
type columnNote struct {
	lanes, intervals, columns, open int
	names                           []string
}

// inColumnsOf remembers a lane that is drawn in columns.
func (p *page) inColumnsOf(name string, intervals, columns int) {
	p.cols.lanes++
	p.cols.intervals += intervals
	p.cols.columns += columns
	p.cols.names = append(p.cols.names, name+": "+plural(intervals, "interval")+" in "+plural(columns, "column"))
}

// namedInNote is how many lanes the note names one by one.
const namedInNote = 4

// saysColumns closes a picture with what it draws in columns.
func (p *page) saysColumns() {
	c := p.cols
	p.cols = columnNote{}
	if c.lanes == 0 {
		return
	}
	p.start("p", "class", "note columns")
	p.text("Drawn in columns, where there are more intervals than can be told apart: ")
	if c.lanes <= namedInNote {
		for i, n := range c.names {
			if i > 0 {
				p.text("; ")
			}
			p.name(n)
		}
	} else {
		p.text(plural(c.intervals, "interval") + " of " + strconv.Itoa(c.lanes) + " lanes in " + plural(c.columns, "column"))
	}
	p.text(". The height of a column is the share of it that they cover, from below; what was not observed of it hangs from above, hatched. Zoomed, the picture shows the columns, not the intervals in them")
	if c.open > 0 {
		p.text("; an edge of " + plural(c.open, "interval") + " was not observed")
	}
	p.text(".")
	p.end("p")
}
