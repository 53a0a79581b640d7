package ingest

import (
	"context"

	"tracemerge/model"
)

// Confidence is how sure a format is that a file is its own.
type Confidence int

// The levels of confidence. Of several formats that match, the surest wins.
const (
	No      Confidence = iota
	Maybe              // it could be
	Likely             // the shape fits
	Certain            // it carries an unmistakable mark
)

// HeadSize is how many decoded bytes Match is shown.
const HeadSize = 64 << 10

// A Format is one kind of file that can be read.
type Format struct {
	Kind model.SourceKind
	Name string // for messages: "PyTorch profiler trace"
	// Match judges the first HeadSize decoded bytes (fewer if the file is
	// shorter).
	Match func(head []byte) Confidence
	// Forms are the variants of the kind that run.yaml may declare for a file
	// (formats), as Source.Guess names them; nil where the content alone decides.
	Forms []model.Word
	// Columns says that run.yaml may name the columns of a file in place of a variant:
	// ColumnsWord and the names with commas between them.
	Columns bool
	// Declared, if set, judges the head of a file that no format knows by what
	// run.yaml declares, such as patterns of log lines.
	Declared func(head []byte, d *model.Declaration) Confidence
	// Limits are the bounds of what is read of one file.
	Limits []Limit
	// Read reads the whole file. The capture is never nil: with an error it holds
	// what was read before. The caller fills in Source.
	Read func(ctx context.Context, f *File, opt Options) (*model.Capture, error)
}

// ColumnsWord begins a declared format that names the columns of a file.
const ColumnsWord = "columns "

// Options are the settings of reading.
type Options struct {
	// Declared is the run's run.yaml; never nil. Readers take log patterns and
	// stage rules from it.
	Declared *model.Declaration
	// Form is the variant that run.yaml declares for this file (formats), as
	// Source.Guess names it; empty where the content decides.
	Form string
}
