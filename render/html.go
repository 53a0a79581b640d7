package render

import (
	"fmt"
	"io"
	"strconv"

	"tracemerge/model/report"
	"tracemerge/render/redact"
)

// A section is one part of the page.
type section struct {
	id, title string
	write     func(p *page)
}

// sectionIDs are the ids alone, for what links to a section.
var sectionIDs = []string{"summary", "waterfall", "devices", "what-if", "pauses", "hypotheses", "comparison",
	"record", "clock", "unknown", "excerpts", "method"}

// sections in the order of the page; the ids are part of the contract.
var sections = []section{
	{"summary", "Summary", (*page).summary},
	{"waterfall", "Waterfall", (*page).waterfall},
	{"devices", "Devices", (*page).devices},
	{"what-if", "What if", (*page).whatIf},
	{"pauses", "Pauses", (*page).pauses},
	{"hypotheses", "Hypotheses", (*page).hypotheses},
	{"comparison", "Comparison", (*page).comparison},
	{"record", "Record", (*page).record},
	{"clock", "Clocks", (*page).clock},
	{"unknown", "Not observed", (*page).notObserved},
	{"excerpts", "Excerpts", (*page).excerpts},
	{"method", "Method", (*page).method},
}

// HTML writes the report as one page that needs nothing but itself.
func HTML(w io.Writer, d redact.Document, opt Options) error {
	s, err := loadScripts()
	if err != nil {
		return fmt.Errorf("loading the page's style: %w", err)
	}
	return writeHTML(w, d, opt, s)
}

func writeHTML(w io.Writer, d redact.Document, opt Options, s scripts) error {
	p := &page{doc: d, rep: d.Report, opt: opt, script: s,
		stages: newPalette(d.Report), cited: map[citation]int{}, citedBy: map[citation][]string{}}
	for i, e := range d.Report.Excerpts {
		if c := place(e.Run, e.At); p.cited[c] == 0 {
			p.cited[c] = i + 1
		}
	}
	p.translate = opt.Translate
	p.whole()
	p.declareOwn(d, opt)
	if _, err := w.Write(p.bytes()); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// declareOwn tells the redactor's gate which text of the page is the program's:
// the style, the scripts, the names of elements and classes, and the page of a
// report that says nothing. A hidden word that also stands there is no leak.
func (p *page) declareOwn(d redact.Document, opt Options) {
	for _, s := range []string{p.script.style, p.script.own, p.script.charts} {
		d.Own([]byte(s))
	}
	d.Own([]byte(p.structure()))
	none := &report.Report{Options: report.Options{CommRules: d.Report.Options.CommRules, StageWords: d.Report.Options.StageWords}}
	empty := &page{doc: redact.New(redact.Policy{}, Plain{}).Document(none), rep: none, opt: opt, stages: newPalette(none)}
	empty.translate = opt.Translate
	empty.whole()
	d.Own(empty.bytes())
}

func (p *page) whole() {
	p.raw("<!DOCTYPE html>\n")
	p.start("html", "lang", p.opt.lang())
	p.head()
	p.start("body")
	p.elem("a", "Skip to the summary", "class", "skip", "href", "#summary")
	p.patterns(p.stages)
	p.banner()
	p.start("div", "class", "page")
	p.contents()
	p.start("main", "id", "report")
	for i, s := range sections {
		p.start("section", "id", s.id, "aria-labelledby", s.id+"-title")
		p.start("h2", "id", s.id+"-title")
		p.elem("span", strconv.Itoa(i+1), "class", "no", "aria-hidden", "true")
		p.text(" " + p.ours(s.title))
		p.end("h2")
		p.line()
		s.write(p)
		p.end("section")
		p.line()
	}
	p.end("main")
	p.end("div")
	if p.script.charts != "" {
		p.start("script")
		p.raw(p.script.charts)
		p.end("script")
		p.line()
	}
	p.start("script")
	p.raw(p.script.own)
	p.end("script")
	p.end("body")
	p.end("html")
	p.line()
}

func (p *page) head() {
	p.start("head")
	p.start("meta", "charset", "utf-8")
	p.start("meta", "http-equiv", "Content-Security-Policy", "content", p.script.policy())
	p.start("meta", "name", "viewport", "content", "width=device-width, initial-scale=1")
	p.start("meta", "name", "generator", "content", "tracemerge "+p.opt.version())
	p.start("meta", "name", "color-scheme", "content", "light dark")
	p.start("meta", "name", "referrer", "content", "no-referrer")
	p.elem("title", p.title())
	p.start("style")
	p.raw(p.script.style)
	p.end("style")
	p.end("head")
	p.line()
}

// title names the runs.
func (p *page) title() string {
	t := p.opt.Title
	if t == "" {
		t = "tracemerge"
	}
	for n := range p.rep.Runs {
		if n == 0 {
			t += ": "
		} else {
			t += ", "
		}
		t += p.runName(n)
	}
	return t
}

// banner is the page's head: the runs' names, windows and conditions.
func (p *page) banner() {
	p.start("header", "class", "banner")
	p.start("h1")
	for n := range p.rep.Runs {
		if n > 0 {
			p.elem("span", " against ", "class", "against")
		}
		p.name(p.runName(n))
	}
	if len(p.rep.Runs) == 0 {
		p.text("No run")
	}
	p.end("h1")
	for n := range p.rep.Runs {
		p.view(n).conditions()
	}
	p.end("header")
	p.line()
}

func (p *page) contents() {
	p.start("nav", "class", "toc", "aria-label", "Contents")
	p.start("ol")
	for _, s := range sections {
		p.start("li")
		p.elem("a", s.title, "href", "#"+s.id)
		p.end("li")
	}
	p.end("ol")
	p.end("nav")
	p.line()
}
