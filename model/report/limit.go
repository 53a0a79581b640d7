package report

import "tracemerge/model"

// A Limit is something of a file that is in none of the figures and could change one
// of them.
type Limit struct {
	Source model.SourceID
	Code   string // stable: "unreadable", "cut_off", "not_placed", "rejected", "set_aside"
	N      int64  // records; 0 where they cannot be counted
	Of     int64  // records of the file that were read
	What   model.Phrase
	At     model.Pos // the first place
}
