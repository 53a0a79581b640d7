package redact

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// placeholderText is the numbered stand-in, ⟨host:1⟩. The brackets are U+27E8 and
// U+27E9, which no input format uses.
func placeholderText(kind string, n int) string { return "⟨" + kind + ":" + strconv.Itoa(n) + "⟩" }

// placeholderBare is the stand-in without a number, for what is not worth
// following: ⟨text⟩, ⟨number⟩, ⟨time⟩.
func placeholderBare(kind string) string { return "⟨" + kind + "⟩" }

var placeholderForm = regexp.MustCompile(`⟨[a-z]+(?::[1-9][0-9]{0,8})?⟩`)

// placeholders returns where placeholders of this redactor stand in the text.
// What only looks like one (a kind or number that was never given) is not one.
func (r *Redactor) placeholders(s string) [][]int {
	if !strings.Contains(s, "⟨") {
		return nil
	}
	var out [][]int
	for _, m := range placeholderForm.FindAllStringIndex(s, -1) {
		body := s[m[0]+len("⟨") : m[1]-len("⟩")]
		kind, num, numbered := strings.Cut(body, ":")
		if numbered {
			n, _ := strconv.Atoi(num)
			if n > r.last[kind] {
				continue
			}
		} else if kind != "text" && kind != "number" && kind != "time" {
			continue
		}
		out = append(out, m)
	}
	return out
}

// unbracketed takes the brackets of placeholders out of text of a file, so that
// a file cannot show a placeholder of its own.
func (r *Redactor) unbracketed(s string) string {
	if r.off.name == "brackets" {
		return s
	}
	return strings.NewReplacer("⟨", " ", "⟩", " ").Replace(s)
}

// isPlaceholder reports whether the text is one placeholder and nothing else.
func (r *Redactor) isPlaceholder(s string) bool {
	m := r.placeholders(s)
	return len(m) == 1 && m[0][0] == 0 && m[0][1] == len(s)
}

// showsAnything reports whether a line shows a word or number beside its
// placeholders.
func showsAnything(line string) bool {
	rest := placeholderForm.ReplaceAllString(line, "")
	return strings.ContainsFunc(rest, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
}

// fold is the form in which originals and words are compared: lower case.
func fold(s string) string { return strings.ToLower(s) }
