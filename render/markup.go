package render

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// markup writes HTML and inline SVG. It is the only way to the page's bytes:
// element and attribute names are constants of this package, and every value and
// text is escaped here.
//
// Invariant: each open element is closed in order; bytes() panics otherwise, and
// the tests of the page run it on every state.
type markup struct {
	b         bytes.Buffer
	open      []string
	translate func(string) string // of whole texts of ours; nil: as they are
	names     map[string]bool     // of elements, attributes and classes, all of them ours
}

// structure is the page's names, one a line.
func (m *markup) structure() string {
	return strings.Join(slices.Sorted(maps.Keys(m.names)), "\n")
}

func (m *markup) met(name string) {
	if m.names == nil {
		m.names = map[string]bool{}
	}
	m.names[name] = true
}

func (m *markup) ours(s string) string {
	if m.translate == nil {
		return s
	}
	return m.translate(s)
}

// attrs are the name and value pairs of an element. An empty value leaves the
// attribute out, except for flags (hidden, open) that are written as name, name.
type attrs []string

// void elements have no content and no end tag.
var voidElements = map[string]bool{"meta": true, "br": true, "col": true, "input": true}

// tag writes a start tag; closed writes it as one of an empty SVG element.
func (m *markup) tag(name string, a attrs, closed bool) {
	m.b.WriteByte('<')
	m.b.WriteString(name)
	m.met(name)
	for i := 0; i+1 < len(a); i += 2 {
		if a[i+1] == "" && a[i] != "alt" {
			continue
		}
		m.b.WriteByte(' ')
		m.b.WriteString(a[i])
		m.met(a[i])
		if a[i] == "class" || a[i] == "role" {
			m.met(a[i+1])
		}
		m.b.WriteString(`="`)
		escapeInto(&m.b, a[i+1])
		m.b.WriteByte('"')
	}
	if closed {
		m.b.WriteByte('/')
	}
	m.b.WriteByte('>')
}

// start opens an element.
func (m *markup) start(name string, a ...string) {
	m.tag(name, a, false)
	if !voidElements[name] {
		m.open = append(m.open, name)
	}
}

// end closes the element that was opened last; the name is checked.
func (m *markup) end(name string) {
	n := len(m.open)
	if n == 0 || m.open[n-1] != name {
		panic("render: element " + name + " closed out of order")
	}
	m.open = m.open[:n-1]
	m.b.WriteString("</")
	m.b.WriteString(name)
	m.b.WriteByte('>')
}

// elem writes an element with text of ours.
func (m *markup) elem(name, text string, a ...string) {
	m.start(name, a...)
	m.text(m.ours(text))
	m.end(name)
}

// shape writes an SVG element without content.
func (m *markup) shape(name string, a ...string) { m.tag(name, a, true) }

// titled writes an SVG element with a title, which browsers show on hover and
// screen readers read.
func (m *markup) titled(name, title string, a ...string) {
	m.start(name, a...)
	m.elem("title", title)
	m.end(name)
}

// text writes escaped text.
func (m *markup) text(s string) { escapeInto(&m.b, s) }

// line breaks the source text between blocks, for readers of the source.
func (m *markup) line() { m.b.WriteByte('\n') }

// raw writes trusted bytes: the style sheet, the scripts, and JSON that jsonText
// made safe for a script element.
func (m *markup) raw(s string) { m.b.WriteString(s) }

func (m *markup) bytes() []byte {
	if len(m.open) != 0 {
		panic("render: element " + m.open[len(m.open)-1] + " left open")
	}
	return m.b.Bytes()
}

// escapeInto escapes for text and for double-quoted attributes alike. Characters
// that XML forbids, and bidirectional controls, which could reorder what stands
// around them, become the replacement character.
func escapeInto(b *bytes.Buffer, s string) {
	for _, r := range s {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"':
			b.WriteString("&#34;")
		case r == '\'':
			b.WriteString("&#39;")
		case r == utf8.RuneError, isUnsafe(r):
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
	}
}

func isUnsafe(r rune) bool {
	switch {
	case r < 0x20:
		return r != '\n' && r != '\t'
	case r >= 0x7f && r < 0xa0:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f:
		return true
	case r == 0xfffe, r == 0xffff:
		return true
	}
	return false
}

// jsonText makes marshalled JSON safe inside a script element: encoding/json
// already escapes <, >, & and the line separators; this guards against a writer
// that does not.
func jsonText(j []byte) string {
	return strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`,
		"\u2028", `\u2028`, "\u2029", `\u2029`).Replace(string(j))
}
