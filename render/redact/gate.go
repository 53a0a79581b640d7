package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// gateLength is the shortest original that the gate looks for; shorter ones
// occur by chance.
const gateLength = 5

// A LeakError says that the final bytes hold originals that were to be replaced.
// It names kinds and counts only.
type LeakError struct{ Found []Count }

func (e *LeakError) Error() string {
	var b strings.Builder
	b.WriteString("redaction gate: the output holds text that was to be replaced (")
	for i, c := range e.Found {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s: %d", c.Kind, c.N)
	}
	b.WriteString("); nothing was written. This is a defect: please report it with the kinds named here. " +
		"Until it is mended, leave out the files or the keys of run.yaml that hold text of these kinds")
	return b.String()
}

// Own notes text of the program that outputs may hold, such as the style sheet and
// the scripts of the page: like the argument of Check.
func (r *Redactor) Own(text []byte) { r.owned = append(r.owned, text) }

// Check is the gate alone, without the healing of Write: no original that was
// replaced and is longer than four bytes may stand in the output, as it is or in
// another case, escaped for HTML, JSON or URLs, reversed, with slashes for
// backslashes, or within base64. own is text of the program that out may hold:
// style sheets, scripts, templates. Where such a text stands in out as a whole,
// that place is not searched; an original that occurs in one that does not (a
// template) is not looked for.
func (r *Redactor) Check(out []byte, own ...[]byte) error {
	var ours strings.Builder
	text := r.withoutOwn(string(out), slices.Concat(r.owned, own), func(o string) {
		ours.WriteString(fold(o))
		ours.WriteByte('\n')
	})
	for s := range r.literals {
		ours.WriteString(fold(s))
		ours.WriteByte('\n')
	}
	g := r.gate(ours.String())
	found := map[int]bool{}
	for i := range g.count(text) {
		found[i] = true
	}
	return g.leak(found)
}

// withoutOwn cuts text of the program out of an output, and the placeholders,
// whose kinds are words; rest gets what does not stand there as a whole.
func (r *Redactor) withoutOwn(text string, own [][]byte, rest func(string)) string {
	for _, o := range own {
		if len(o) == 0 {
			continue
		}
		if before, after, ok := strings.Cut(text, string(o)); ok {
			text = before + "\n" + after
		} else if rest != nil {
			rest(string(o))
		}
	}
	return placeholderForm.ReplaceAllStringFunc(text, func(p string) string {
		kind, _, _ := strings.Cut(strings.Trim(p, "⟨⟩"), ":")
		if r.last[kind] > 0 || kind == "text" || kind == "number" || kind == "time" {
			return "⟨⟩"
		}
		return p
	})
}

// A gate looks for the suspects of a build in its outputs.
type gate struct {
	suspects     []suspect
	plain, exact *finder
}

func (r *Redactor) gate(ours string) *gate {
	g := &gate{nil, newFinder(), newFinder()}
	if r.off.name != "gate" {
		g.suspects = r.suspects(ours)
	}
	for i, s := range g.suspects {
		for _, e := range encodings(s.original) {
			g.plain.add(e, i)
		}
		for _, e := range base64Forms(s.spelt()) {
			g.exact.add(e, i)
		}
	}
	return g
}

// count returns how often each suspect stands in the text, in whatever form.
func (g *gate) count(text string) map[int]int {
	n := map[int]int{}
	folded := fold(text)
	g.plain.find(folded, func(i, at, size int) {
		if stands(folded, at, size, g.suspects[i].loose) {
			n[i]++
		}
	})
	g.exact.find(text, func(i, _, _ int) { n[i]++ })
	return n
}

// leak is the error about what was found, nil for nothing.
func (g *gate) leak(found map[int]bool) error {
	if len(found) == 0 {
		return nil
	}
	n := map[string]int{}
	for i := range found {
		n[g.suspects[i].kind]++
	}
	e := &LeakError{}
	for k, c := range n {
		e.Found = append(e.Found, Count{k, c})
	}
	slices.SortFunc(e.Found, func(a, b Count) int { return strings.Compare(a.Kind, b.Kind) })
	return e
}

// A suspect is an original to look for.
type suspect struct {
	kind     string
	original string // folded
	as       []string
	loose    bool // inside longer words too
}

func (s suspect) spelt() []string { return append([]string{s.original}, s.as...) }

// suspects lists the originals worth looking for. Not worth it are: a word of a
// closed list; what is shown in full elsewhere by right, or stands in text of
// closed origin; an unknown word of free text (no detector said what it is) that
// also stands in a text that the person asked to show; a number that could as well
// be a figure of the report. ours is further text of closed origin.
func (r *Redactor) suspects(ours string) []suspect {
	var closed, asked strings.Builder
	closed.WriteString(ours)
	for s := range r.public {
		closed.WriteString(fold(s))
		closed.WriteByte('\n')
	}
	for s := range r.asked {
		asked.WriteString(fold(s))
		asked.WriteByte('\n')
	}
	find := newFinder()
	var all []suspect
	for original, kind := range r.hidden {
		if inVocabulary(original) || !looksPrivate(original) || r.asked[original] {
			continue
		}
		s := suspect{kind: kind, original: original, loose: looseIn(kind, original)}
		for _, sp := range r.spelt[original] {
			if sp != original {
				s.as = append(s.as, sp)
			}
		}
		find.add(original, len(all))
		all = append(all, s)
	}
	known := map[int]bool{}
	note := func(text string, applies func(suspect) bool) {
		find.find(text, func(i, at, n int) {
			if applies(all[i]) && stands(text, at, n, all[i].loose) {
				known[i] = true
			}
		})
	}
	note(closed.String(), func(suspect) bool { return true })
	note(asked.String(), func(s suspect) bool { return s.kind == "text" || s.kind == "number" })
	var out []suspect
	for i, s := range all {
		if !known[i] {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b suspect) int { return strings.Compare(a.original, b.original) })
	return out
}

// looseIn reports whether an original is looked for inside longer words too: one
// that is long, that a person named, or that has letters and digits in one word.
func looseIn(kind, original string) bool {
	if kind == "word" || kind != "text" && len(original) >= 8 {
		return true
	}
	for _, w := range strings.FieldsFunc(original, func(c rune) bool { return !isWordRune(c) }) {
		if strings.ContainsFunc(w, isDigit) && strings.ContainsFunc(w, unicode.IsLetter) {
			return true
		}
	}
	return false
}

// looksPrivate reports whether an occurrence would tell anything: numbers are
// never changed in a report, so a short one stands there by right.
func looksPrivate(s string) bool {
	if strings.ContainsFunc(s, unicode.IsLetter) {
		return true
	}
	return countDigits(s) >= 10
}

// stands reports whether the match is the original rather than a part of a longer
// word or number; a loose one may be part of a word but not of a number: "rank 3"
// is not in "rank 31".
func stands(s string, at, n int, loose bool) bool {
	in := func(edge, beside rune) bool {
		if beside == utf8.RuneError {
			return false
		}
		if loose {
			return isDigit(edge) && isDigit(beside)
		}
		return isWordRune(beside)
	}
	first, _ := utf8.DecodeRuneInString(s[at:])
	last, _ := utf8.DecodeLastRuneInString(s[:at+n])
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at+n:])
	return !in(first, before) && !in(last, after)
}

// encodings returns the forms, folded, in which an original could stand in text.
func encodings(s string) []string {
	js, _ := json.Marshal(s)
	var plain strings.Builder
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s)
	forms := []string{
		s,
		html.EscapeString(s),
		strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;").Replace(s),
		strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "+", "&#43;", "`", "&#96;").Replace(s),
		string(js[1 : len(js)-1]),
		strings.Trim(strings.TrimSuffix(plain.String(), "\n"), `"`),
		url.QueryEscape(s),
		url.PathEscape(s),
		strings.ReplaceAll(url.PathEscape(s), "%2F", "/"),
		strings.ReplaceAll(s, `\`, "/"),
		strings.ReplaceAll(s, "/", `\/`),
		reversed(s),
	}
	var out []string
	for _, f := range forms {
		if f = fold(f); len(f) >= gateLength && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

func reversed(s string) string {
	c := []rune(s)
	slices.Reverse(c)
	return string(c)
}

// base64Forms returns what a text contributes to base64 at each of the three
// alignments, in both alphabets, without the characters its neighbours share.
func base64Forms(spelt []string) []string {
	var out []string
	for _, s := range spelt {
		for k := range 3 {
			e := base64.RawStdEncoding.EncodeToString(append(make([]byte, k), s...))
			from := (k*8 + 5) / 6
			to := (k + len(s)) * 8 / 6
			e = e[from:to]
			if len(e) < 6 {
				continue
			}
			out = append(out, e)
			if u := strings.NewReplacer("+", "-", "/", "_").Replace(e); u != e {
				out = append(out, u)
			}
		}
	}
	return out
}

// A finder finds many texts at once: a window of five bytes slides over the text,
// a filter of bits rules most positions out, and what is left is compared.
type finder struct {
	filter  []uint64
	windows map[uint64][]needle
}

type needle struct {
	text string
	at   int // where the window stands in the text
	id   int
}

const filterBits = 20

func newFinder() *finder {
	return &finder{make([]uint64, 1<<filterBits/64), map[uint64][]needle{}}
}

func window(s string) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32
}

func slot(w uint64) uint64 { return w * 0x9E3779B97F4A7C15 >> (64 - filterBits) }

// add takes a text of at least five bytes. Of three windows the one that fewest
// share is used, so that a common beginning ("/home/") does not slow the search.
func (f *finder) add(text string, id int) {
	if len(text) < gateLength {
		return
	}
	best, at := uint64(0), -1
	for _, i := range []int{0, (len(text) - gateLength) / 2, len(text) - gateLength} {
		w := window(text[i:])
		if at < 0 || len(f.windows[w]) < len(f.windows[best]) {
			best, at = w, i
		}
	}
	f.windows[best] = append(f.windows[best], needle{text, at, id})
	f.filter[slot(best)/64] |= 1 << (slot(best) % 64)
}

func (f *finder) find(s string, hit func(id, at, n int)) {
	if len(f.windows) == 0 {
		return
	}
	for i := 0; i+gateLength <= len(s); i++ {
		w := window(s[i:])
		h := slot(w)
		if f.filter[h/64]&(1<<(h%64)) == 0 {
			continue
		}
		for _, n := range f.windows[w] {
			if from := i - n.at; from >= 0 && strings.HasPrefix(s[from:], n.text) {
				hit(n.id, from, len(n.text))
			}
		}
	}
}
