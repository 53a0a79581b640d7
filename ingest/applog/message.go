package applog

import (
	"bytes"

	"tracemerge/ingest"
	"tracemerge/model"
)

// messageReach is how much of a message is looked at, in bytes.
const messageReach = 4096

// readMessage looks for what messages say in common words: a step ("step 3/12",
// "iteration 10/ 120"), a retry ("retrying", "attempt 2").
func (e *entry) readMessage(m []byte) {
	m = m[:min(len(m), messageReach)]
	e.marker = ingest.MarkerIn(m)
	if !e.retry {
		e.retry = saysRetry(m)
	}
	if !e.step.Known() {
		e.stepIn(m)
	}
	e.rankIn(m)
	if !e.duration.Known() {
		e.tookIn(m)
	}
}

func saysRetry(m []byte) bool {
	if i := bytes.Index(m, []byte("etry")); i > 0 && m[i-1]|0x20 == 'r' {
		rest := m[i+4:]
		if bytes.HasPrefix(rest, []byte("ing")) {
			return true
		}
		if n := numberAfter(rest); n >= 1 { // "retry 3 of 3"
			return true
		}
	}
	if i := bytes.Index(m, []byte("ttempt")); i > 0 && m[i-1]|0x20 == 'a' {
		return numberAfter(m[i+6:]) >= 2
	}
	return false
}

// numberAfter reads the number behind blanks and one of #, =, :, -1 if there is
// none.
func numberAfter(b []byte) int64 {
	b = bytes.TrimLeft(b, " ")
	if len(b) > 0 && (b[0] == '#' || b[0] == '=' || b[0] == ':') {
		b = bytes.TrimLeft(b[1:], " ")
	}
	n := digits(b)
	if n == 0 || n > 18 || n < len(b) && (isLetter(b[n]) || b[n] == '.' && n+1 < len(b) && isDigit(b[n+1])) {
		return -1
	}
	return number(b[:n])
}

// stepIn reads "step 3", "step 3/12", "iteration       10/     120".
func (e *entry) stepIn(m []byte) {
	if n := numberAfter(afterWord(m, "global_step")); n >= 0 { // beside an iteration of the epoch
		e.step = model.Known(n)
		return
	}
	rest := afterWord(m, "step")
	if rest == nil {
		if rest = afterWord(m, "iteration"); rest == nil {
			return
		}
	}
	if len(rest) > 0 && (rest[0] == '\'' || rest[0] == '"') { // a printed dictionary
		rest = rest[1:]
	}
	n := numberAfter(rest)
	if n < 0 {
		return
	}
	e.step = model.Known(n)
	rest = bytes.TrimLeft(rest, " #=:")
	rest = bytes.TrimLeft(rest[digits(rest):], " ")
	if len(rest) == 0 || rest[0] != '/' || e.done.Known() {
		return
	}
	if total := numberAfter(rest[1:]); total >= n {
		e.done, e.total = model.Known(n), model.Known(total)
	}
}

// rankIn reads a rank in brackets: "[Rank 0]", "[rank: 3]", "(rank=3)".
func (e *entry) rankIn(m []byte) {
	for at := 0; !e.rank.Known(); {
		i := bytes.Index(m[at:], []byte("ank"))
		if i < 0 {
			return
		}
		i += at
		at = i + 3
		if i < 2 || m[i-1]|0x20 != 'r' || m[i-2] != '[' && m[i-2] != '(' {
			continue
		}
		rest := bytes.TrimLeft(m[at:], " :=")
		if n := digits(rest); n > 0 && n <= 6 && n < len(rest) && (rest[n] == ']' || rest[n] == ')') {
			e.rank = model.Known(number(rest[:n]))
		}
	}
}

// tookIn reads "took 150.7ms".
func (e *entry) tookIn(m []byte) {
	rest := bytes.TrimLeft(afterWord(m, "took"), " =:")
	if len(rest) == 0 || !isDigit(rest[0]) {
		return
	}
	n := digits(rest)
	if n < len(rest) && rest[n] == '.' {
		n += 1 + digits(rest[n+1:])
	}
	i := n
	if i < len(rest) && rest[i] == ' ' {
		i++
	}
	j := i
	for j < len(rest) && (isLetter(rest[j]) || rest[j] >= 0x80) {
		j++
	}
	if u := unitNamed(rest[i:j]); u > 0 {
		if d, ok := scaled(rest[:n], u); ok {
			e.duration = model.Known(d)
		}
		return
	}
	e.noUnit = true
}

// afterWord returns what follows the first occurrence of the word as a whole
// word, in lower case or with a capital; nil if there is none.
func afterWord(m []byte, word string) []byte {
	for at := 0; ; {
		i := bytes.Index(m[at:], []byte(word[1:]))
		if i < 0 {
			return nil
		}
		i += at
		end := i + len(word) - 1
		if i > 0 && m[i-1]|0x20 == word[0] && (i == 1 || !isLetter(m[i-2]) && m[i-2] != '_') &&
			(end == len(m) || !isLetter(m[end]) && m[end] != '_') {
			return m[end:]
		}
		at = end
	}
}

// pairs reads key=value pairs. In logfmt the whole line is pairs and values may
// be quoted; in text only the names known here are taken, and neither a time nor
// a message.
func (e *entry) pairs(b []byte, logfmt, whole bool) {
	for at := 0; ; {
		eq := bytes.IndexByte(b[at:], '=')
		if eq <= 0 {
			if eq < 0 {
				return
			}
			at++
			continue
		}
		eq += at
		key := keyBefore(b[at:eq])
		v, end := pairValue(b, eq+1, logfmt)
		if end == len(b) && !whole {
			return // the last value of a line without an end may be cut
		}
		if len(key) > 0 {
			if n := nameOf(key); logfmt || n.means != meansTime && n.means != meansMessage && n.means != meansNested {
				if n.means == meansDuration && v.kind == valueText {
					v, end = withUnit(b, v, end)
				}
				e.field(key, v)
			}
		}
		if at = end; at >= len(b) {
			return
		}
	}
}

// keyBefore returns the name that stands at the end of b.
func keyBefore(b []byte) []byte {
	if n := len(b); n > 2 && b[n-1] == '"' {
		if q := bytes.LastIndexByte(b[:n-1], '"'); q >= 0 {
			return b[q+1 : n-1]
		}
	}
	i := len(b)
	for i > 0 && (isLetter(b[i-1]) || isDigit(b[i-1]) || b[i-1] == '_' || b[i-1] == '.' || b[i-1] == '-' || b[i-1] == '@') {
		i--
	}
	return b[i:]
}

// pairValue reads the value at i and returns where it ends. In text a slash before
// another pair ends it too: DeepSpeed's "epoch=0/micro_step=40/global_step=10".
func pairValue(b []byte, i int, logfmt bool) (value, int) {
	if i < len(b) && (b[i] == '"' || b[i] == '\'') {
		if b[i] == '"' {
			if q, escaped := stringEnd(b, i); q > 0 {
				return value{kind: valueText, text: b[i+1 : q], escaped: escaped}, q + 1
			}
		} else if q := bytes.IndexByte(b[i+1:], '\''); q >= 0 {
			return value{kind: valueText, text: b[i+1 : i+1+q]}, i + 2 + q
		}
	}
	j := i
	for j < len(b) && b[j] != ' ' && b[j] != '\t' && b[j] != ',' && b[j] != ';' && b[j] != ')' && b[j] != ']' && b[j] != '|' {
		if b[j] == '/' && !logfmt && looksLogfmt(b[j+1:]) {
			break
		}
		j++
	}
	return value{kind: valueText, text: b[i:j]}, j
}

// withUnit adds the unit of "step_time=160.2 ms" to the value.
func withUnit(b []byte, v value, end int) (value, int) {
	n := digits(v.text)
	if n == 0 || end >= len(b) || b[end] != ' ' || !isDigit(b[end-1]) {
		return v, end
	}
	j := end + 1
	for j < len(b) && (isLetter(b[j]) || b[j] >= 0x80) {
		j++
	}
	if unitNamed(b[end+1:j]) == 0 {
		return v, end
	}
	start := end - len(v.text)
	v.text = b[start:j]
	return v, j
}
