package smi

import (
	"strings"
)

// sheetsKept bounds the sheets of headers that we make ourselves. A file has one for
// each set of quantities that its GPUs state.
const sheetsKept = 64

// A madeSheet is the sheet of a header that no line of the file holds.
type madeSheet struct {
	sheet   *sheet
	heading heading
}

// rowUnder reads cells as a row under names that stand in no line of the file, with
// commas between them and units in brackets.
func (r *reader) rowUnder(rec record, f form, names string, row []string) {
	if r.sheet == nil || r.heading.form != f || r.sheet.header != names {
		made, ok := r.make(f, names)
		if !ok {
			r.reject("smi/header", rec)
			return
		}
		r.sheet, r.heading, r.units = made.sheet, made.heading, false
		clear(r.cache)
	}
	r.cap.Source.Form = formText[f]
	for i, c := range row {
		row[i] = quoted(c)
	}
	r.row(rec, []byte(strings.Join(row, ",")))
}

// make returns the sheet of names, and reports false if they cannot be used.
func (r *reader) make(f form, names string) (madeSheet, bool) {
	key := formText[f] + "\x00" + names
	if made, ok := r.sheets[key]; ok {
		return made, true
	}
	h := heading{sep: ',', form: f}
	for _, c := range strings.Split(names, ",") {
		name, unit := nameAndUnit(strings.TrimSpace(c))
		h.cols = append(h.cols, column{name: name, unit: unit})
	}
	s, err := newSheet(names, h.sep, h.cols, f)
	if err != nil {
		return madeSheet{}, false
	}
	if len(r.sheets) >= sheetsKept {
		clear(r.sheets)
	}
	if r.sheets == nil {
		r.sheets = map[string]madeSheet{}
	}
	r.sheets[key] = madeSheet{s, h}
	return r.sheets[key], true
}
