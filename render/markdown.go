package render

import (
	"strings"
	"unicode/utf8"
)

// markdown writes text twice: as Markdown in which no character of a text has a
// meaning, and bare, without the escapes, in which the redactor's gate can find an
// original that slipped through.
type markdown struct{ text, bare strings.Builder }

// own writes our own words and marks.
func (m *markdown) own(s string) {
	m.text.WriteString(s)
	m.bare.WriteString(s)
}

// say writes a text, wherever it comes from, as text on one line.
func (m *markdown) say(s string) {
	m.text.WriteString(escapeMarkdown(s))
	m.bare.WriteString(s)
}

// escapeMarkdown puts a backslash before everything that Markdown, tables or a
// ticket system might read as a mark, a mention or a link, and an entity for what
// HTML would. Line ends become spaces; what escapeInto refuses is refused here too.
func escapeMarkdown(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '\n' || r == '\t':
			b.WriteByte(' ')
		case r == utf8.RuneError || isUnsafe(r):
			b.WriteRune(utf8.RuneError)
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`*_[]#|~!@$", r), (r == '-' || r == '+' || r == '=') && i == 0, r == ':' && strings.HasPrefix(s[i:], "://"):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func (m *markdown) heading(level int, text string) {
	m.own("\n" + strings.Repeat("#", level) + " ")
	m.say(text)
	m.own("\n\n")
}

// item is one entry of a list, after a word of ours that says what it is.
func (m *markdown) item(label, text string) {
	m.own("- ")
	if label != "" {
		m.own("**" + label + ":** ")
	}
	m.say(text)
	m.own("\n")
}

func (m *markdown) paragraph(text string) {
	m.say(text)
	m.own("\n\n")
}

// row is one line of a table; under the first one stands the rule.
func (m *markdown) row(cells []string, head bool) {
	for _, c := range cells {
		m.own("| ")
		m.say(c)
		m.own(" ")
	}
	m.own("|\n")
	if head {
		m.own(strings.Repeat("|---", len(cells)) + "|\n")
	}
}
