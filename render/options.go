package render

import (
	"time"

	"tracemerge/model"
)

// Options are the settings of a rendering; the zero value is the documented
// default.
type Options struct {
	Version  string         // of the program, for the page's head and method section; empty: "(development)"
	Zone     *time.Location // in which instants are written; nil: UTC
	Relative bool           // no absolute dates or times of day on the page
	// Title is a short constant put into the page's title before the run names;
	// empty: "tracemerge".
	Title string
	// FileName names a file in InspectTable, which goes to the person who has the
	// files; nil: as the redactor shows it. Reports and JSON do not use it.
	FileName func(model.Text) string
	// Lang is the page's language ("en", "ko"), for its lang attribute; empty:
	// "en". Translate puts whole texts of ours into it: titles, headings, captions,
	// heads of columns, notes. Names from files never reach it. Nil: English.
	Lang      string
	Translate func(string) string
}

func (o Options) lang() string {
	if o.Lang == "" {
		return "en"
	}
	return o.Lang
}

func (o Options) version() string {
	if o.Version == "" {
		return "(development)"
	}
	return o.Version
}
