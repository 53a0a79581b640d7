package redact

import (
	"strings"
	"unicode/utf8"
)

// A healedWord is a text that the gate found in an output although it is hidden
// elsewhere, or a form or part of it.
type healedWord struct {
	text  string // folded
	loose bool   // inside longer words too
}

// replaceWords replaces the policy's words and the healed ones wherever they
// stand, in any case, outside placeholders.
func (r *Redactor) replaceWords(s string) string {
	if len(r.words)+len(r.healed) == 0 || s == "" {
		return s
	}
	var b strings.Builder
	at := 0
	for _, m := range append(r.placeholders(s), []int{len(s), len(s)}) {
		for _, p := range cutAt(s[at:m[0]], r.wordsIn(s[at:m[0]]), r.wordPlaceholder) {
			b.WriteString(p.text)
		}
		b.WriteString(s[m[0]:m[1]])
		at = m[1]
	}
	return b.String()
}

// wordPlaceholder stands for a word of the policy or a healed one.
func (r *Redactor) wordPlaceholder(m string) string {
	f := fold(m)
	for _, w := range r.words {
		if w == f {
			return r.placeholder("word", f)
		}
	}
	return r.numbered("word", f) // the gate looks for the original as the kind it is
}

// wordsIn returns where the policy's words and the healed ones stand.
func (r *Redactor) wordsIn(s string) [][]int {
	if len(r.words)+len(r.healed) == 0 || r.off.name == "words" {
		return nil
	}
	var out [][]int
	for i := 0; i < len(s); {
		n := r.wordAt(s, i)
		if n > 0 {
			out = append(out, []int{i, i + n})
		} else {
			_, n = utf8.DecodeRuneInString(s[i:])
		}
		i += n
	}
	return out
}

// wordAt returns the length of the word that stands at i, 0 for none.
func (r *Redactor) wordAt(s string, i int) int {
	for _, w := range r.words {
		if n := foldedPrefix(s[i:], w); n > 0 {
			return n
		}
	}
	if len(r.healed) == 0 {
		return 0
	}
	first, _ := utf8.DecodeRuneInString(s[i:])
	first, _ = utf8.DecodeRuneInString(fold(string(first)))
	for _, w := range r.healed[first] {
		if n := foldedPrefix(s[i:], w.text); n > 0 && stands(s, i, n, w.loose) {
			return n
		}
	}
	return 0
}

// foldedPrefix returns how many bytes of s spell the folded word, 0 if s does not
// begin with it. Lower case may be longer or shorter than what it folds.
func foldedPrefix(s, word string) int {
	n := 0
	for word != "" {
		if n == len(s) {
			return 0
		}
		c, k := utf8.DecodeRuneInString(s[n:])
		l := fold(string(c))
		if !strings.HasPrefix(word, l) {
			return 0
		}
		word = word[len(l):]
		n += k
	}
	return n
}
