package redact

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"tracemerge/model/report"
)

// Write renders a report and checks the outputs; it returns them only if the gate
// lets them pass. An input may honestly hold the same text twice, once where it is
// shown and once where it is hidden (a host that is called "node 12", and a log
// line about node 12), or hide a word that the page itself is made of. So, if the
// gate finds originals, Write
//
//   - renders once more with what was found always replaced, wherever it stands:
//     what is hidden anywhere is hidden everywhere;
//   - renders a bare page, in which no text of any file is shown. What stands in
//     the outputs no more often than there, and consists of numbers and of words
//     that the program itself holds, is a figure or text of ours;
//   - if an original still stands there, put together from a text of a file and
//     ours beside it, hides its words wherever they stand;
//   - refuses with a LeakError if that does not help either: then bytes came into
//     the outputs past the redactor.
//
// A text that is public, see suspects, is never looked for. render is called with
// up to four documents and must give the same number of outputs each time.
func Write(p Policy, v Values, rep *report.Report, render func(Document) ([][]byte, error)) ([][]byte, error) {
	return write(p, v, rep, render, sync.OnceValue(programImage))
}

// write is Write; program is asked for the program's image only where a word of the
// page was hidden.
func write(p Policy, v Values, rep *report.Report, render func(Document) ([][]byte, error), program func() []byte) ([][]byte, error) {
	r := New(p, v)
	outs, err := render(r.Document(rep))
	if err != nil {
		return nil, err
	}
	found := r.found(outs, nil, nil)
	if len(found) == 0 {
		return outs, nil
	}
	b := New(p, v)
	b.bare = true
	bare, err := render(b.Document(rep))
	if err != nil {
		return nil, err
	}
	var healed []healedWord
	for _, words := range []func(suspect) []healedWord{formsOf, partsOf, insidePartsOf} {
		for _, s := range found {
			healed = append(healed, words(s)...)
		}
		r = New(p, v)
		r.heal(healed)
		if outs, err = render(r.Document(rep)); err != nil {
			return nil, err
		}
		if found = r.found(outs, bare, program); len(found) == 0 {
			return outs, nil
		}
	}
	g := gate{suspects: found}
	hits := map[int]bool{}
	for i := range found {
		hits[i] = true
	}
	return nil, g.leak(hits)
}

// found returns the originals that stand in an output and are not text of ours
// there, as its bare counterpart and the program tell.
func (r *Redactor) found(outs, bare [][]byte, program func() []byte) []suspect {
	g := r.gate("")
	hit := map[int]bool{}
	for k, out := range outs {
		ours := map[int]int{}
		if k < len(bare) {
			ours = g.count(r.withoutOwn(string(bare[k]), r.owned, nil))
		}
		for i, n := range g.count(r.withoutOwn(string(out), r.owned, nil)) {
			if n > ours[i] || !programHolds(program(), g.suspects[i].original) {
				hit[i] = true
			}
		}
	}
	var s []suspect
	for i := range g.suspects {
		if hit[i] {
			s = append(s, g.suspects[i])
		}
	}
	return s
}

// programImage is the program's own file in lower case. Its constants stand there,
// so text that came into a bare page past the redactor can be told from text of
// ours without a list of our words. Nil if it cannot be read; then the bare page
// alone decides.
func programImage() []byte {
	name, err := os.Executable()
	if err != nil {
		return nil
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	for i, c := range b {
		if isUpperByte(c) {
			b[i] = c + 'a' - 'A'
		}
	}
	return b
}

// programHolds reports whether each word of a folded text stands in the program.
func programHolds(program []byte, s string) bool {
	if program == nil {
		return true
	}
	for _, w := range strings.FieldsFunc(s, func(c rune) bool { return !isWordRune(c) }) {
		if strings.Trim(w, "0123456789") != "" && !bytes.Contains(program, []byte(w)) {
			return false
		}
	}
	return true
}

// heal replaces words from now on, the longest first.
func (r *Redactor) heal(words []healedWord) {
	words = slices.Clone(words)
	slices.SortFunc(words, func(a, b healedWord) int {
		if len(a.text) != len(b.text) {
			return len(b.text) - len(a.text)
		}
		return strings.Compare(a.text, b.text)
	})
	words = slices.CompactFunc(words, func(a, b healedWord) bool { return a == b })
	r.healed = map[rune][]healedWord{}
	for _, w := range words {
		first, _ := utf8.DecodeRuneInString(w.text)
		r.healed[first] = append(r.healed[first], w)
	}
}

// formsOf are the forms in which the gate found an original.
func formsOf(s suspect) []healedWord {
	var out []healedWord
	for _, e := range encodings(s.original) {
		out = append(out, healedWord{e, s.loose})
	}
	for _, e := range base64Forms(s.spelt()) {
		out = append(out, healedWord{fold(e), true})
	}
	return out
}

// partsOf are the words of an original and of its forms, each to stand alone.
func partsOf(s suspect) []healedWord {
	out := formsOf(s)
	for _, e := range encodings(s.original) {
		for _, w := range strings.FieldsFunc(e, func(c rune) bool { return !isWordRune(c) }) {
			out = append(out, healedWord{w, false})
		}
	}
	return out
}

// insidePartsOf are the same, inside longer words where the original is looked for
// there too: "line 3" stands in "baseline 3".
func insidePartsOf(s suspect) []healedWord {
	out := partsOf(s)
	for i := range out {
		out[i].loose = out[i].loose || s.loose && len(out[i].text) > 2
	}
	return out
}
