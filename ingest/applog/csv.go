package applog

import "bytes"

// A table is the header of a CSV log: names, one of which is a time.
type table struct {
	sep   byte
	names [][]byte
	cells []value // of the row at hand

	shared bool // other loggers write into the file: a line that is no row may belong to a record of theirs
}

// header reads a CSV header: at least two names without a figure among them, one
// of which means a time. It returns nil where the line is none.
func header(b []byte) *table {
	if !isLetter(b[0]) && b[0] != '"' && b[0] != '@' {
		return nil
	}
	for _, sep := range []byte{',', ';', '\t'} {
		t := &table{sep: sep}
		t.split(b)
		timed := false
		for _, c := range t.cells {
			name := bytes.TrimSpace(c.text)
			if !isName(name) {
				timed = false
				break
			}
			timed = timed || nameOf(name).means == meansTime
			t.names = append(t.names, bytes.Clone(name))
		}
		if timed && len(t.names) > 1 && len(t.names) == len(t.cells) {
			return t
		}
	}
	return nil
}

// known reports whether the header has a name beside the time that is read.
func (t *table) known() bool {
	for _, n := range t.names {
		if m := nameOf(n).means; m != meansNothing && m != meansTime {
			return true
		}
	}
	return false
}

func isName(b []byte) bool {
	if len(b) == 0 || len(b) > 64 || isDigit(b[0]) {
		return false
	}
	for _, c := range b {
		if !isLetter(c) && !isDigit(c) && bytes.IndexByte([]byte("_-.@ /()%"), c) < 0 {
			return false
		}
	}
	return true
}

// split cuts the line into cells; a quoted cell may hold separators, and a
// doubled quote in it stands for one.
func (t *table) split(b []byte) {
	t.cells = t.cells[:0]
	for {
		lead := bytes.TrimLeft(b, " ")
		if len(lead) > 0 && lead[0] == '"' {
			text, rest, ok := quotedCell(lead[1:])
			if ok && (len(rest) == 0 || rest[0] == t.sep) {
				t.cells = append(t.cells, value{kind: valueText, text: text})
				if len(rest) == 0 {
					return
				}
				b = rest[1:]
				continue
			}
		}
		cell, rest, more := bytes.Cut(b, []byte{t.sep})
		t.cells = append(t.cells, value{kind: valueText, text: bytes.TrimSpace(cell)})
		if !more {
			return
		}
		b = rest
	}
}

func quotedCell(b []byte) (text, rest []byte, ok bool) {
	for i := 0; i < len(b); i++ {
		if b[i] != '"' {
			continue
		}
		if i+1 < len(b) && b[i+1] == '"' {
			i++
			continue
		}
		return bytes.ReplaceAll(b[:i], []byte(`""`), []byte(`"`)), bytes.TrimLeft(b[i+1:], " "), true
	}
	return nil, nil, false
}

// row reads one row into the entry.
func (t *table) row(b []byte, e *entry, whole bool) form {
	t.split(b)
	if len(t.cells) != len(t.names) {
		return formBadRow
	}
	same := true
	for i, c := range t.cells {
		same = same && bytes.Equal(c.text, t.names[i])
	}
	if same {
		return formHeader
	}
	for i, c := range t.cells {
		if i == len(t.cells)-1 && !whole || len(c.text) == 0 {
			continue // the last cell of a line without an end may be cut
		}
		e.field(t.names[i], c)
	}
	return formCSV
}
