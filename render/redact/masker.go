package redact

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// A masker judges what no detector found, word by word, and joins the line. Runs
// of hidden words become one placeholder, so that their number is not told.
type masker struct {
	r     *Redactor
	items []string // what is shown, in order
	key   string   // the metric key just read; a number of any length may follow it

	run     []string // hidden words in a row with what stands between, for the gate
	between string   // what was read since the last hidden word
}

const (
	shownPunctuation = `=:/,;|()[]{}%#*.<>+-!?'"@&_~…→°`
	joiners          = `-_.:,/'"+@&;~…` // between two hidden words they tell nothing
	punctuationRun   = 3
)

var (
	hiddenText   = placeholderBare("text")
	hiddenNumber = placeholderBare("number")

	lineNumber     = regexp.MustCompile(`^[-+]?\d+(?:,\d{3})*(?:\.\d+)*(?:[eE][-+]?\d+)?`)
	linePair       = regexp.MustCompile(`^\d{1,7}/\d{1,7}`)
	lineUnit       = regexp.MustCompile(`^ ?([A-Za-zµ°%]{1,9}(?:/[A-Za-z]{1,6})?|/s)`)
	identifierRule = nameRule{[]map[string]bool{vocabulary, metricKeys}, 4, "_", false}
)

// identifierKnown reports whether an identifier consists of words of the
// vocabulary and short numbers.
func identifierKnown(s string) bool { return identifierRule.allows(s) }

func (m *masker) scan(s string) {
	chunkEnd := 0
	for i := 0; i < len(s); {
		if i >= chunkEnd {
			n := chunkLength(s[i:])
			if chunkEnd = i + max(n, 1); passwordLike(s[i:i+n]) && m.r.off.name != "joined words" {
				m.word(s[i : i+n])
				i += n
				continue
			}
		}
		c, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case c == ' ' || c == '\t':
			m.space()
			i += size
		case isDigit(c), (c == '-' || c == '+') && i+1 < len(s) && isDigitByte(s[i+1]) && (i == 0 || !isWordByte(s[i-1])):
			i += m.number(s[i:])
		case isWordRune(c) && c != utf8.RuneError:
			n := wordLength(s[i:])
			m.word(s[i : i+n])
			i += n
		case c == '/' && strings.HasPrefix(s[i:], "/s") && wordLength(s[i+1:]) == 1:
			m.add("/s")
			i += 2
		case strings.ContainsRune(shownPunctuation, c):
			n := len(s[i:]) - len(strings.TrimLeft(s[i:], shownPunctuation))
			n = punctuationBefore(s[i:i+n], s[i+n:])
			m.punctuation(s[i : i+n])
			i += n
		default:
			m.space()
			i += size
		}
	}
}

// chunkLength is the length of what stands together up to a space, a bracket, a
// quote or a separator of fields.
func chunkLength(s string) int {
	if i := strings.IndexAny(s, " \t\"'`,;:=|()[]{}<>/\\"); i >= 0 {
		return i
	}
	return len(s)
}

var oddPunctuation = regexp.MustCompile(`[\pL\pN_][!@#$%^&*~+?]+[\pL\pN_]`)

// passwordLike reports whether a chunk joins words or numbers by characters that
// join no words of a log, with a word among them that may not be shown; then no
// part of it is shown.
func passwordLike(chunk string) bool {
	if !oddPunctuation.MatchString(chunk) {
		return false
	}
	for _, w := range strings.FieldsFunc(chunk, func(c rune) bool { return !isWordRune(c) }) {
		if strings.ContainsFunc(w, isLetter) && !identifierKnown(w) {
			return true
		}
	}
	return false
}

// punctuationBefore leaves the sign of a number and an underscore that begins a
// word to what follows.
func punctuationBefore(run, rest string) int {
	if i := strings.IndexByte(run, '_'); i > 0 {
		return i
	}
	if n := len(run); n > 1 && rest != "" && isDigitByte(rest[0]) && (run[n-1] == '-' || run[n-1] == '+') {
		return n - 1
	}
	return len(run)
}

func wordLength(s string) int {
	if i := strings.IndexFunc(s, func(c rune) bool { return !isWordRune(c) || c == utf8.RuneError }); i >= 0 {
		return i
	}
	return len(s)
}

// number judges a number with its unit and returns how many bytes it took.
func (m *masker) number(s string) int {
	if p := linePair.FindString(s); p != "" && (len(p) == len(s) || !isWordByte(s[len(p)])) && (len(p) == len(s) || s[len(p)] != '/') {
		m.add(p)
		return len(p)
	}
	v := lineNumber.FindString(s)
	rest := s[len(v):]
	digits := countDigits(v)
	if u := lineUnit.FindStringSubmatch(rest); u != nil && units[u[1]] && wordLength(rest[len(u[0]):]) == 0 {
		if digits <= 9 || m.key != "" && m.measurement(v) {
			m.add(v + u[0])
			m.key = ""
			return len(v) + len(u[0])
		}
	}
	if n := wordLength(rest); n > 0 { // a word that begins with digits
		sign := 0
		if v[0] == '-' || v[0] == '+' {
			sign = 1
			m.punctuation(v[:1])
		}
		n += len(v)
		if strings.ContainsAny(v[sign:], ".,-+") {
			n = sign + wordLength(s[sign:])
		}
		m.word(s[sign:n])
		return n
	}
	if digits <= 4 || m.r.off.name == "numbers" || m.key != "" && m.measurement(v) {
		m.add(v)
	} else {
		m.r.hide("number", v)
		m.endRun()
		m.hidden(hiddenNumber)
	}
	m.key = ""
	return len(v)
}

// measurement reports whether a number behind a metric's key can be one: at most
// twelve digits before the point where the key is followed by = or :, else nine.
func (m *masker) measurement(v string) bool {
	whole, _, _ := strings.Cut(v, ".")
	longest := 9
	if strings.ContainsAny(m.between, "=:") {
		longest = 12
	}
	return countDigits(whole) <= longest && countDigits(v) <= 24
}

func (m *masker) word(w string) {
	m.key = ""
	if !identifierKnown(w) && m.r.off.name != "vocabulary" {
		m.note(w)
		m.hidden(hiddenText)
		return
	}
	m.add(w)
	m.between = ""
	if metricKeys[fold(w)] {
		m.key = fold(w)
	}
}

// note keeps a hidden word for the gate. A single word of letters is not looked
// for, since the page's own sentences hold such words; two in a row are.
func (m *masker) note(w string) {
	if len(m.run) > 0 {
		m.run = append(m.run, m.between)
	}
	m.run = append(m.run, w)
	m.between = ""
	if strings.ContainsFunc(w, func(c rune) bool { return !isLetter(c) }) || len(camel(w)) > 1 {
		m.r.hide("text", w)
	}
}

// endRun hands the hidden words in a row to the gate.
func (m *masker) endRun() {
	if len(m.run) > 1 {
		m.r.hide("text", strings.Join(m.run, ""))
	}
	m.run, m.between = m.run[:0], ""
}

func (m *masker) punctuation(p string) {
	m.between += p
	if strings.ContainsAny(p, ",;|") {
		m.key = ""
	}
	var b strings.Builder
	var last rune
	same, all := 0, 0
	for _, c := range p {
		if same++; c != last {
			last, same = c, 1
		}
		if same <= punctuationRun && all < 4*punctuationRun {
			b.WriteRune(c)
			all++
		}
	}
	m.items = append(m.items, b.String())
}

// settled adds what was decided before.
func (m *masker) settled(s string) {
	m.key = ""
	if s == hiddenText || s == hiddenNumber {
		m.endRun()
		m.hidden(s)
		return
	}
	m.add(s)
}

func (m *masker) add(s string) {
	m.endRun()
	m.items = append(m.items, s)
}

func (m *masker) space() {
	m.between += " "
	if n := len(m.items); n > 0 && m.items[n-1] != " " {
		m.items = append(m.items, " ")
	}
}

// hidden adds a placeholder without number, joined to one of its kind before it.
func (m *masker) hidden(p string) {
	for i := len(m.items) - 1; i >= 0; i-- {
		switch t := m.items[i]; {
		case t == p:
			m.items = m.items[:i+1]
			return
		case t != " " && strings.Trim(t, joiners) != "":
			m.items = append(m.items, p)
			return
		}
	}
	m.items = append(m.items, p)
}

// line joins what is shown, up to a length.
func (m *masker) line() string {
	m.endRun()
	var b strings.Builder
	n := 0
	for _, t := range m.items {
		if n += utf8.RuneCountInString(t); n > maskedShown {
			return strings.TrimRight(b.String(), " ") + " …"
		}
		b.WriteString(t)
	}
	return strings.TrimRight(b.String(), " ")
}
