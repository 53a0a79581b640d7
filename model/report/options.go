package report

import "tracemerge/model"

// Options are the settings of the analyses; the zero value is the documented
// default.
type Options struct {
	Scenarios []Requested // --what-if, in the order given; empty: only the default scenarios
	// Basis is the kind of source whose stages are to be the primary basis; empty:
	// placed logs before placed traces.
	Basis model.SourceKind
	// AnySampler bounds the busy share of a device by what NVIDIA states about its
	// sampler and no more, instead of a reading renewed every second.
	AnySampler bool
	// Command says how the report was made, for the method section.
	Command model.Phrase
	// The built-in conventions of names that the run was read by, for the method
	// section; constants of ours.
	CommRules  []Rule
	StageWords []StageWords
}

// Rule is one convention of names: what holds Pattern, and who names it so.
type Rule struct{ Pattern, Source string }

// StageWords are the words under which a built-in stage is recognised.
type StageWords struct {
	Stage model.StageID
	Words []string
}

// Requested is one --what-if scenario.
type Requested struct{ Changes []Change }
