package applog

import (
	"bytes"

	"tracemerge/model"
)

// form is how one record is written.
type form uint8

const (
	formNone form = iota // no record begins here
	formPattern
	formMLPerf
	formJSON
	formLogfmt
	formText
	formBar
	formBadJSON
	formCSV
	formHeader // of a CSV log
	formBadRow // of a CSV log
	forms
)

// recognise decides how the line is written and reads it into the entry. Line is
// without control codes and prefixes, not blank; whole is false for a last line
// without an end.
func (r *reader) recognise(b []byte, whole bool) form {
	e := &r.entry
	if r.table == nil && r.allows(formCSV) && (!r.begun || r.only.form == formCSV) {
		r.table = header(b)
		if r.begun = true; r.table != nil {
			return formHeader
		}
	}
	if r.table != nil {
		f := r.table.row(b, e, whole)
		switch {
		case f != formBadRow:
			return f
		case r.otherWriter(b):
			r.table.shared = true
		case r.table.shared:
			return formNone
		default:
			return f
		}
	}
	if r.allows(formPattern) && matchAny(r.patterns, b, e, whole) {
		return formPattern
	}
	if i := bytes.Index(b, mlperf); i >= 0 && r.allows(formMLPerf) {
		ok, contradicts := e.readMLPerf(b[i:])
		if ok {
			r.contradicts = contradicts
			return formMLPerf
		}
	}
	if b[0] == '{' && r.allows(formJSON) {
		return r.recogniseJSON(b, whole)
	}
	if r.text(b, whole) {
		return formText
	}
	if isBar(b) {
		if rest := afterBar(b); len(rest) > 0 && r.text(rest, whole) {
			r.behindBar = true
			return formText
		}
		return formBar
	}
	if r.allows(formLogfmt) && looksLogfmt(b) {
		if e.pairs(b, true, whole); e.timed {
			return formLogfmt
		}
		e.reset()
	}
	return formNone
}

// otherWriter reports whether a line that is no row of the table is a record of a
// logger that took over the file: an object, or a line that begins with a stamp
// which no separator ends.
func (r *reader) otherWriter(b []byte) bool {
	if r.only.form != formNone {
		return false
	}
	if b[0] == '{' {
		return nestedEnd(b, 0) > 0
	}
	_, _, n := r.entry.firstStamp(b)
	return n > 0 && n < len(b) && b[n] != r.table.sep
}

// text reads a line that begins with a stamp of a style that may begin a record.
func (r *reader) text(b []byte, whole bool) bool {
	if !r.allows(formText) || !r.entry.leading(b, whole) {
		return false
	}
	if !r.allowsText() {
		r.entry.reset()
		return false
	}
	return true
}

func (r *reader) recogniseJSON(b []byte, whole bool) form {
	e := &r.entry
	if _, ok := scanObject(b, e); ok {
		if e.wrapped != nil && e.stream {
			e.unwrap()
		}
		return formJSON
	}
	e.reset()
	if !whole || len(b) > 1 && r.byForm[formJSON] >= r.byForm[formText] {
		return formBadJSON
	}
	return formNone
}

// unwrap reads the application's line out of a container's record. The
// container's stamp stands: it carries a zone, the line's own often does not.
func (e *entry) unwrap() {
	e.pinned = e.timed
	e.inner(bytes.TrimSpace(e.wrapped), true)
}

// inner reads the application's line behind the stamp of whatever carries it,
// which stands.
func (e *entry) inner(b []byte, whole bool) {
	b, p := stripPrefix(b)
	if len(b) == 0 {
		p.into(e)
		return
	}
	outer, level := e.stamp, e.level
	switch {
	case b[0] == '{':
		if _, ok := scanObject(b, e); !ok {
			e.message = b
		}
	case e.leading(b, whole):
		e.stamp = outer
		if e.level == model.LevelNone {
			e.level = level
		}
	case isBar(b):
		e.bar(b)
	default:
		e.behind(b, whole)
	}
	p.into(e)
}

// leading reads a line that begins with a stamp.
func (e *entry) leading(b []byte, whole bool) bool {
	s, level, n := e.firstStamp(b)
	if n == 0 {
		return false
	}
	if s.style == styleISO && s.digits == 3 && bytes.HasPrefix(b[n:], []byte(" | ")) {
		s.style = styleLoguru
	}
	e.stamp, e.level, e.timed, e.pinned = s, level, true, true
	e.behind(b[n:], whole)
	return true
}

// firstStamp reads the stamp that a line begins with, perhaps behind a bracket, a
// level, or one blank, and the level that stands before or in it.
func (e *entry) firstStamp(b []byte) (s stamp, level model.Level, n int) {
	blank := 0
	if b[0] == ' ' {
		b, blank = b[1:], 1
	}
	if s, n = e.stampAt(b); n > 0 {
		letter := b
		if b[0] == '[' {
			letter = b[1:]
		}
		if isGlogLetter(letter[0]) && isDigit(letter[1]) {
			level = glogLevel(letter[0])
		}
		return s, level, blank + n
	}
	level, skip := levelFirst(b)
	if skip > 0 && skip < len(b) {
		if s, n = e.stampAt(b[skip:]); n > 0 {
			return s, level, blank + skip + n
		}
	}
	if len(b) == 0 {
		return s, level, 0
	}
	if skip = tag(b); skip == 0 || skip >= len(b) {
		return s, level, 0
	}
	if s, n = e.stampAt(b[skip:]); n == 0 {
		return s, level, 0
	}
	e.rankIn(b[:skip])
	return s, level, blank + skip + n
}

// stampAt reads a stamp at the start of b or behind an opening bracket.
func (e *entry) stampAt(b []byte) (stamp, int) {
	if len(b) > 0 && b[0] == '[' {
		s, n := e.dates.parseStamp(b[1:])
		if n == 0 {
			if s, n = uptimeStamp(b[1:]); n == 0 {
				return s, 0
			}
		}
		return s, n + 1
	}
	return e.dates.parseStamp(b)
}

// behind reads what stands behind the stamp: a level, an object, pairs, words.
func (e *entry) behind(b []byte, whole bool) {
	b = bytes.TrimLeft(b, " ]|-:\t")
	if e.level == 0 && len(b) > 1 && b[1] == ' ' { // TensorFlow: "2025-08-17 00:40:44.027607: W file"
		e.level = glogLevel(b[0])
	}
	if line, more, ok := containerLine(b); ok && e.nested < 2 {
		e.nested++
		e.inner(line, whole && !more)
		return
	}
	if e.level == 0 {
		e.level = bracketLevel(b)
	}
	if e.level == 0 {
		e.level = levelIn(b)
	}
	if len(b) > 1 && b[0] == '{' {
		if _, ok := scanObject(b, e); ok {
			return
		}
	}
	if i := bytes.Index(b, []byte("\t{")); i >= 0 && b[len(b)-1] == '}' { // zap's console encoder: message, tab, fields
		e.message = b[:i]
		scanObject(b[i+1:], e)
		return
	}
	if bytes.IndexByte(b, '=') > 0 {
		e.pairs(b, false, whole)
	}
	if e.message == nil {
		e.message = b
		if !whole { // a number at the end may be cut
			e.message = b[:max(bytes.LastIndexByte(b, ' '), 0)]
		}
	}
}

// containerLine returns the application's line in a record of a Kubernetes
// container runtime: "stdout F line", or "stdout P line" where the runtime cut
// the line and more of it follows.
func containerLine(b []byte) (line []byte, more, ok bool) {
	if !bytes.HasPrefix(b, []byte("stdout ")) && !bytes.HasPrefix(b, []byte("stderr ")) || len(b) < 9 || b[8] != ' ' {
		return nil, false, false
	}
	return b[9:], b[7] == 'P', b[7] == 'F' || b[7] == 'P'
}

// looksLogfmt reports whether the line begins with a name and "=".
func looksLogfmt(b []byte) bool {
	i := 0
	for i < len(b) && i < maxName && (isLetter(b[i]) || isDigit(b[i]) || b[i] == '_' || b[i] == '.' || b[i] == '-' || b[i] == '@') {
		i++
	}
	return i > 0 && i < len(b) && b[i] == '='
}
