package render

import (
	"strconv"
	"strings"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/render/redact"
)

// A page is one HTML report being written.
type page struct {
	markup
	doc    redact.Document
	rep    *report.Report
	opt    Options
	stages palette
	script scripts

	cited   map[citation]int      // excerpt number by place, from 1
	citedBy map[citation][]string // ids of the places of the page that cite it
	ids     int
	cols    columnNote // of the picture being drawn
}

// A citation is a place in a file of a run.
type citation struct {
	run int
	at  model.Pos
}

// place drops what does not identify a record.
func place(run int, at model.Pos) citation {
	at.Len = 0
	return citation{run, at}
}

// A view writes what belongs to one run.
type view struct {
	*page
	run   *report.Run
	n     int // index of the run
	plain Plain
	names map[model.SourceID]string // shown names of the sources
}

func (p *page) view(n int) *view {
	r := &p.rep.Runs[n]
	zone := p.opt.Zone
	if r.Window.Zone != nil {
		zone = r.Window.Zone
	}
	plain := Plain{Zone: zone, Relative: p.opt.Relative, OwnClock: !r.Window.UTC, Start: r.Window.At.Start}
	v := &view{page: p, run: r, n: n, plain: plain, names: map[model.SourceID]string{}}
	for _, s := range r.Sources {
		v.names[s.ID] = p.shown(s.File)
	}
	return v
}

// window is the axis of the run's window.
func (v *view) window() axis { return axis{v.run.Window.At, v.plain} }

// shown is text of a file as far as it may be shown.
func (p *page) shown(t model.Text) string { return p.doc.Text(t).String() }

// stage is a stage's name in words, or as the redactor shows it.
func (p *page) stage(s model.StageID) string { return p.doc.Stage(s).String() }

// phrase is a sentence of the run.
func (v *view) phrase(ph model.Phrase) string { return v.doc.Phrase(v.n, ph).String() }

// source is the shown name of a source.
func (v *view) source(id model.SourceID) string {
	if n, ok := v.names[id]; ok {
		return n
	}
	return "the run as a whole"
}

// position is a place in words: label and line, else label and byte.
func (v *view) position(at model.Pos) string {
	if at.Source == 0 {
		return "the run as a whole"
	}
	return v.doc.Pos(v.n, at).String()
}

// cite writes a place, as a link where the page has the excerpt.
func (v *view) cite(at model.Pos) {
	c := place(v.n, at)
	n, ok := v.cited[c]
	if !ok {
		v.start("span", "class", "pos")
		v.name(v.position(at))
		v.end("span")
		return
	}
	id := v.id("cite")
	v.citedBy[c] = append(v.citedBy[c], id)
	v.start("a", "class", "pos", "id", id, "href", "#excerpt-"+strconv.Itoa(n))
	v.name(v.position(at))
	v.end("a")
}

// id makes an id that no other element has.
func (p *page) id(prefix string) string {
	p.ids++
	return prefix + "-" + strconv.Itoa(p.ids)
}

// name writes a text that came from a file, isolated from the direction of the
// text around it.
func (p *page) name(s string) {
	p.start("bdi")
	p.text(s)
	p.end("bdi")
}

// say writes a phrase as a paragraph, if there is one.
func (v *view) say(ph model.Phrase, class string) {
	if ph.Empty() {
		return
	}
	v.elem("p", v.phrase(ph), "class", class)
}

// sayAll writes phrases as a list.
func (v *view) sayAll(phs []model.Phrase, class string) {
	if len(phs) == 0 {
		return
	}
	v.start("ul", "class", class)
	for _, ph := range phs {
		v.elem("li", v.phrase(ph))
	}
	v.end("ul")
}

// reason is a reason in words, the state first and what it rests on in brackets:
// "not observed (the collector wrote nothing here)".
func reason(r model.Reason) string {
	state, why, ok := strings.Cut(r.Explain(), ": ")
	if !ok {
		return state
	}
	return state + " (" + why + ")"
}

// part is the part of a reason that says what it rests on: "the collector wrote
// nothing here".
func part(r model.Reason) string {
	if _, why, ok := strings.Cut(r.Explain(), ": "); ok {
		return why
	}
	return r.Explain()
}

// unknown is an unknown value in words, never empty.
func unknown[T any](m model.Maybe[T]) string {
	if m.Why() == model.NotSet {
		return "not observed (no reason recorded)"
	}
	return reason(m.Why())
}

// runName is the label of a run.
func (p *page) runName(n int) string {
	return runLabel(p.doc, &p.rep.Runs[n]).String()
}

// eachRun writes the part of a section that belongs to each run, baseline
// first, with its name above it where there are several.
func (p *page) eachRun(section string, write func(v *view)) {
	if len(p.rep.Runs) == 0 {
		p.elem("p", "No run was read.", "class", "none")
		return
	}
	for n := range p.rep.Runs {
		v := p.view(n)
		p.start("div", "class", "run", "id", section+"-run-"+strconv.Itoa(n+1))
		if len(p.rep.Runs) > 1 {
			p.start("h3", "class", "run-name")
			p.text("Run " + strconv.Itoa(n+1) + ", " + role(n) + ": ")
			p.name(runLabel(p.doc, v.run).String())
			p.end("h3")
		}
		write(v)
		p.end("div")
		p.line()
	}
}

func role(n int) string {
	if n == 0 {
		return "baseline"
	}
	return "candidate"
}

// heading opens a part of a section. Its level is one deeper where run names
// stand between it and the section's title.
func (v *view) heading(text string) {
	h := "h3"
	if len(v.rep.Runs) > 1 {
		h = "h4"
	}
	v.elem(h, text)
}

// runLabel is what the run is called: its declared name, which redact.show may
// name, else its folder.
func runLabel(d redact.Document, r *report.Run) redact.Shown {
	if r.Declared != nil && !r.Declared.Name.Empty() {
		return d.Field("name", r.Declared.Name)
	}
	return d.Text(r.Label)
}
