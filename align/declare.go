package align

import (
	"fmt"
	"path"
	"strings"
	"time"

	"tracemerge/model"
)

// A DeclarationError is a declaration that cannot be used. Its text may quote
// what the user wrote, so it is a phrase for the redactor; Error names only the
// place.
type DeclarationError struct {
	Text model.Phrase // what was found, what was expected, what to do
	At   model.Pos    // in run.yaml; Source 0 for a flag
}

// Error names the place, without any text from a file.
func (e *DeclarationError) Error() string {
	if e.At.Source == 0 && e.At.Line == 0 {
		return "a flag's clock declaration cannot be used"
	}
	if e.At.Line == 0 {
		return "run.yaml: declaration cannot be used"
	}
	return fmt.Sprintf("run.yaml:%d: declaration cannot be used", e.At.Line)
}

// A clock is what is declared for one capture.
type clock struct {
	zone      *time.Location
	zoneText  model.Text
	zoneFrom  model.Pos // Source 0: by --zone
	own       bool      // the zone stands in run.yaml for this very file
	hasOffset bool
	offset    time.Duration
	within    time.Duration
	from      model.Pos // of the offset
}

// declared resolves what run.yaml and the options say about each capture's
// clock, in the order of the captures.
func declared(caps []*model.Capture, decl *model.Declaration, opt Options) ([]clock, error) {
	out := make([]clock, len(caps))
	if opt.Zone != "" {
		text := model.NewText(opt.Zone, model.ClassZone)
		loc, ok := parseZone(opt.Zone, opt.LocalZone)
		if !ok {
			return nil, &DeclarationError{Text: badZone(text)}
		}
		for i := range out {
			out[i].zone, out[i].zoneText = loc, text
		}
	}
	for _, dc := range decl.Clocks {
		hits, err := match(caps, dc.File, dc.From)
		if err != nil {
			return nil, err
		}
		if len(hits) > 1 && dc.HasOffset {
			return nil, &DeclarationError{At: dc.From, Text: model.Say(
				"clocks: {} names {} files of the run, and an offset belongs to one clock; write the path relative to the run folder",
				model.Text{Raw: dc.File, Class: model.ClassFile}, len(hits))}
		}
		for _, i := range hits {
			if err := out[i].take(dc, opt.LocalZone); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func (c *clock) take(dc model.DeclaredClock, local *time.Location) error {
	if !dc.Zone.Empty() {
		loc, ok := parseZone(dc.Zone.Raw.Reveal(), local)
		if !ok {
			return &DeclarationError{At: dc.From, Text: badZone(dc.Zone)}
		}
		c.zone, c.zoneText, c.zoneFrom, c.own = loc, dc.Zone, dc.From, true
	}
	if dc.HasOffset {
		if dc.Uncertainty < 0 {
			return &DeclarationError{At: dc.From, Text: model.Say("clocks: an uncertainty of {} has no meaning; write a duration of 0 or more", dc.Uncertainty)}
		}
		c.hasOffset, c.offset, c.within, c.from = true, dc.Offset, dc.Uncertainty, dc.From
	}
	return nil
}

func badZone(zone model.Text) model.Phrase {
	return model.Say("the time zone {} is not known; want an IANA name such as Asia/Seoul, an offset such as +09:00, UTC, or local", zone)
}

// match finds the captures that a file name of run.yaml means: the one with that
// relative path, else all with that base name.
func match(caps []*model.Capture, file model.Raw, at model.Pos) ([]int, error) {
	want := path.Clean(strings.ReplaceAll(file.Reveal(), `\`, "/"))
	var base []int
	for i, c := range caps {
		have := path.Clean(c.Source.File.Raw.Reveal())
		if have == want {
			return []int{i}, nil
		}
		if path.Base(have) == want {
			base = append(base, i)
		}
	}
	if len(base) > 0 {
		return base, nil
	}
	name := model.Text{Raw: file, Class: model.ClassFile}
	if n := nearest(caps, want); n >= 0 {
		return nil, &DeclarationError{At: at, Text: model.Say("the run has no file {}; the nearest name is {}", name, caps[n].Source.File)}
	}
	return nil, &DeclarationError{At: at, Text: model.Say("the run has no file {}; the run has no other file", name)}
}

// nearest is the capture whose path or base name takes the fewest edits; -1 if
// there is no capture.
func nearest(caps []*model.Capture, want string) int {
	best, at := 1<<30, -1
	for i, c := range caps {
		if c.Source.Kind == model.KindRunFile {
			continue
		}
		have := path.Clean(c.Source.File.Raw.Reveal())
		if d := min(edits(have, want), edits(path.Base(have), path.Base(want))); d < best {
			best, at = d, i
		}
	}
	return at
}

// edits is the Levenshtein distance in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diag, row[j+1] = row[j+1], min(row[j]+1, row[j+1]+1, diag+cost)
		}
	}
	return row[len(b)]
}
