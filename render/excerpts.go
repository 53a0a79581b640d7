package render

import (
	"strconv"

	"tracemerge/model"
)

// excerpts shows the records that are cited as evidence, redacted, each with the
// places of the page that cite it.
func (p *page) excerpts() {
	p.elem("p", "Records as their files have them, after redaction: a placeholder such as ⟨host:1⟩ stands for the same text everywhere on this page. The owner of the files finds the original by file and line.", "class", "note")
	if len(p.rep.Excerpts) == 0 {
		p.elem("p", "No record is cited as an excerpt.", "class", "none")
		return
	}
	p.eachRun("excerpts", func(v *view) {
		n := 0
		for i := range p.rep.Excerpts {
			if p.rep.Excerpts[i].Run == v.n {
				v.excerpt(i)
				n++
			}
		}
		if n == 0 {
			v.elem("p", "No record of this run is cited as an excerpt.", "class", "none")
		}
	})
}

func (v *view) excerpt(i int) {
	e := &v.rep.Excerpts[i]
	no := strconv.Itoa(i + 1)
	v.start("div", "class", "excerpt", "id", "excerpt-"+no)
	v.start("p", "class", "excerpt-head")
	v.start("strong")
	v.name(v.position(e.At))
	v.end("strong")
	if e.At.Line > 0 {
		v.elem("span", " byte "+strconv.FormatInt(e.At.Offset, 10), "class", "when-small")
	}
	if !e.Why.Empty() {
		v.text(" ")
		v.elem("span", v.phrase(e.Why), "class", "excerpt-why")
	}
	v.end("p")
	text := v.shown(e.Text)
	if text == "" {
		v.elem("p", "nothing of this record may be shown", "class", "none")
	} else {
		v.start("pre", "class", class(e.Text), "tabindex", "0", "role", "group", "aria-label", "Excerpt "+no)
		v.name(text)
		v.end("pre")
	}
	v.backLinks(place(v.n, e.At))
	v.end("div")
	v.line()
}

// class tells a picture of a line from that of a table's row and of an event.
func class(t model.Text) string {
	switch t.Class {
	case model.ClassLogLine:
		return "log-line"
	case model.ClassTableRow:
		return "table-row"
	case model.ClassOperation:
		return "operation"
	}
	return "text"
}

// backLinksShown bounds the links from an excerpt to what cites it.
const backLinksShown = 6

func (v *view) backLinks(c citation) {
	ids := v.citedBy[c]
	if len(ids) == 0 {
		return
	}
	v.start("p", "class", "back")
	v.text("cited by ")
	for i, id := range ids {
		if i == backLinksShown {
			v.text(" and " + strconv.Itoa(len(ids)-i) + " more")
			break
		}
		if i > 0 {
			v.text(", ")
		}
		v.elem("a", "place "+strconv.Itoa(i+1), "href", "#"+id)
	}
	v.end("p")
}
