package render

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"tracemerge/model"
)

// A column is a column of a table. Numbers are aligned to the right and sorted
// by their exact value.
type column struct {
	name   string
	number bool
}

func words(name string) column  { return column{name, false} }
func figure(name string) column { return column{name, true} }

// A cell is one cell: what it shows, and its exact value for sorting and for
// copying, which also stands in its tooltip.
type cell struct {
	text, exact, unit string
	exactTo           string // the upper bound of a range; exact is the lower one
	class             string
	swatch            string      // style of a stage in front of the text
	link              string      // id that the text links to
	places            []model.Pos // places after the text
	own               bool        // the text came from a file
}

func txt(s string) cell  { return cell{text: s} }
func file(s string) cell { return cell{text: s, own: true} }

// none says why a cell has no value.
func none(why string) cell { return cell{text: why, class: "unk"} }

func (p Plain) countCell(n int64) cell {
	return cell{text: p.Count(n), exact: strconv.FormatInt(n, 10)}
}

// in writes a duration on the column's scale; the unit stands in the heading.
func (s Scale) in(d time.Duration) cell {
	return cell{text: s.Bare(d), exact: Exact(d), unit: "s"}
}

// between writes bounds on the column's scale; it sorts by the lower one.
func (s Scale) between(r model.Range[time.Duration]) cell {
	c := cell{text: s.bounds(r.Lo, r.Hi), exact: Exact(r.Lo), unit: "s"}
	if r.Lo != r.Hi {
		c.exactTo = Exact(r.Hi)
	}
	return c
}

func exactFloat(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// numberCell writes a number that may be unknown.
func (p Plain) numberCell(m model.Maybe[float64]) cell {
	v, ok := m.Get()
	if !ok {
		return none(unknown(m))
	}
	return cell{text: p.Number(v), exact: exactFloat(v)}
}

// rangeCell writes bounds that may be unknown.
func (p Plain) rangeCell(m model.Maybe[model.Range[float64]], write func(model.Range[float64]) string) cell {
	r, ok := m.Get()
	if !ok {
		return none(unknown(m))
	}
	c := cell{text: write(r), exact: exactFloat(r.Lo)}
	if r.Lo != r.Hi {
		c.exactTo = exactFloat(r.Hi)
	}
	return c
}

// A grid of cells under a caption.
type table struct {
	caption string
	cols    []column
	rows    [][]cell
	headed  bool // the first cell of each row names the row
}

// table writes a table in a region of its own that scrolls sideways on a narrow
// page and can be reached by keyboard.
func (v *view) table(t table) {
	if len(t.rows) == 0 {
		return
	}
	t = t.withoutEmptyColumns()
	v.start("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", "Table: "+t.caption+v.ofRun())
	v.start("table")
	v.elem("caption", t.caption)
	v.start("thead")
	v.start("tr")
	for _, c := range t.cols {
		v.elem("th", c.name, "scope", "col", "class", numberClass(c.number))
	}
	v.end("tr")
	v.end("thead")
	v.start("tbody")
	for _, r := range t.rows {
		v.start("tr")
		for i, c := range r {
			v.cell(c, i == 0 && t.headed, i < len(t.cols) && t.cols[i].number)
		}
		v.end("tr")
		v.line()
	}
	v.end("tbody")
	v.end("table")
	v.end("div")
	v.line()
}

// rowsInTable bounds a table of intervals.
const rowsInTable = 200

// longest keeps the longest of many, in their order.
func longest[T any](all []T, length func(T) time.Duration) []T {
	if len(all) <= rowsInTable {
		return all
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(length(all[b]), length(all[a])) })
	order = order[:rowsInTable]
	slices.Sort(order)
	out := make([]T, len(order))
	for i, k := range order {
		out[i] = all[k]
	}
	return out
}

// longestOnly says that a table holds the longest of many.
func (v *view) longestOnly(shown, of int, what string) {
	if shown < of {
		v.elem("p", "The longest "+v.plain.Count(int64(shown))+" of "+plural(of, what)+", in their order.", "class", "note")
	}
}

// withoutEmptyColumns leaves out columns in which no row says anything.
func (t table) withoutEmptyColumns() table {
	out := table{caption: t.caption, headed: t.headed, rows: make([][]cell, len(t.rows))}
	for i, c := range t.cols {
		empty := true
		for _, r := range t.rows {
			empty = empty && r[i].text == "" && len(r[i].places) == 0
		}
		if empty && i > 0 {
			continue
		}
		out.cols = append(out.cols, c)
		for k, r := range t.rows {
			out.rows[k] = append(out.rows[k], r[i])
		}
	}
	return out
}

// ofRun tells regions of several runs apart.
func (v *view) ofRun() string {
	if len(v.rep.Runs) < 2 || v.run == nil {
		return ""
	}
	return ", run " + strconv.Itoa(v.n+1)
}

func numberClass(number bool) string {
	if number {
		return "n"
	}
	return ""
}

func (v *view) cell(c cell, head, number bool) {
	class := numberClass(number && c.class != "unk")
	if c.class != "" {
		class = join(class, c.class)
	}
	title := ""
	if c.exact != "" && c.exact+thinSpace+c.unit != c.text {
		title = join(joinWith(" to ", c.exact, c.exactTo), c.unit)
	}
	name := "td"
	a := []string{"class", class, "data-v", c.exact, "data-to", c.exactTo, "title", title}
	if head {
		name = "th"
		a = append(a, "scope", "row")
	}
	v.start(name, a...)
	if c.swatch != "" {
		v.swatch(c.swatch)
	}
	switch {
	case c.link != "":
		v.start("a", "href", "#"+c.link)
		v.name(c.text)
		v.end("a")
	case c.own:
		v.name(c.text)
	default:
		v.text(v.ours(c.text))
	}
	for _, at := range c.places {
		v.text(" ")
		v.cite(at)
	}
	v.end(name)
}

// swatch draws the sample of a stage's fill.
func (p *page) swatch(style string) {
	p.start("svg", "class", "swatch", "width", "12", "height", "12", "aria-hidden", "true", "focusable", "false")
	p.shape("rect", "width", "12", "height", "12", "fill", "url(#p-"+style+")")
	p.end("svg")
}

func join(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + " " + b
}

// fold opens a part that is closed at first and opened in print.
func (p *page) fold(summary string) {
	p.start("details")
	p.elem("summary", summary)
}

func (p *page) foldEnd() {
	p.end("details")
	p.line()
}
