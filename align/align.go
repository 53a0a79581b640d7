package align

import (
	"context"
	"slices"
	"time"

	"tracemerge/model"
)

// Options are the settings of aligning; the zero value is the documented default.
type Options struct {
	// Zone is for civil sources that run.yaml declares nothing for: an IANA name,
	// "local" or "+09:00". Empty: none.
	Zone string
	// LocalZone is what "local" means, resolved by the caller.
	LocalZone *time.Location
	// StrictClock places by what is declared, or certain by a format or by
	// causality without an assumption, and by nothing else.
	StrictClock bool
	// HostSkew is how far the clocks of two hosts lie apart at most, if HasHostSkew;
	// else DefaultHostSkew. Not negative.
	HostSkew    time.Duration
	HasHostSkew bool
	// From and To cut the window; Has… tell whether they are given.
	From, To       model.Time
	HasFrom, HasTo bool
}

// Align places the captures of one run on one timeline. It returns an error only
// for declarations that cannot be used (a zone that does not exist, a clock
// declared for a file that the run does not have), as a *DeclarationError; what
// cannot be placed is placed nowhere and says why.
//
// The steps:
//
//  1. resolve what is declared about each file's clock
//  2. place each source by its own stamps and declarations
//  3. place times of day on the one day on which they meet a placed source
//  4. choose the reference: UTC, else the own axis of one source
//  5. take back traces of other hosts, whose clocks are others
//  6. place further clocks by declared anchors
//  7. place what evidence places: zones in force, markers, collectives, samples
//  8. say what to declare for those that stay unplaced
//  9. choose the window
func Align(ctx context.Context, caps []*model.Capture, decl *model.Declaration, opt Options) (*model.Timeline, error) {
	if decl == nil {
		decl = &model.Declaration{}
	}
	clocks, err := declared(caps, decl, opt)
	if err != nil {
		return nil, err
	}
	a := &aligner{decl: decl, opt: opt, clocks: clocks, tl: &model.Timeline{Declared: decl}}
	for i, c := range caps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		a.tl.Captures = append(a.tl.Captures, model.Placed{Capture: c, Mappings: a.own(c, &clocks[i])})
	}
	a.days()
	a.reference()
	a.hosts()
	if err := a.anchors(ctx); err != nil {
		return nil, err
	}
	if err := a.infer(ctx); err != nil {
		return nil, err
	}
	a.lost()
	a.remedies()
	if err := a.window(); err != nil {
		return nil, err
	}
	a.tl.Zone = a.zone()
	a.assumptions()
	a.tl.Notices = a.notices.List
	return a.tl, nil
}

// An aligner is one call of Align.
type aligner struct {
	decl    *model.Declaration
	opt     Options
	clocks  []clock // by index of the capture
	tl      *model.Timeline
	others  map[node]string // clocks of other hosts than the reference's, with the host
	notices model.Notices
	local   model.Notices // of the capture in hand
}

// note adds a notice that stands for itself: one per place.
func (a *aligner) note(code string, sev model.Severity, at model.Pos, text model.Phrase) {
	a.notices.List = append(a.notices.List, model.Notice{Code: code, Severity: sev, Text: text, N: 1, At: []model.Pos{at}})
}

// assumptions states what the whole timeline rests on.
func (a *aligner) assumptions() {
	if len(a.tl.Captures) == 0 {
		return
	}
	at := model.Pos{Source: a.tl.Captures[0].Source.ID}
	a.note("align/one-run", model.Info, at, model.Say("assumption: the files of the run folder were recorded during the same run"))
	if !a.tl.UTC {
		return
	}
	var n int
	for _, p := range a.tl.Captures {
		if anyPlaced(p) || slices.ContainsFunc(p.Mappings, func(m model.Mapping) bool { return len(m.Ranges) > 0 }) {
			n++
		}
	}
	switch {
	case n < 2: // nothing is compared
	case len(a.others) > 0: // align/several-hosts says how far the others are taken to be off
		a.note("align/reference-clock", model.Info, at, model.Say(
			"assumption: the clock of the host with most traces showed the right time; what stands as UTC is that clock"))
	default:
		a.note("align/clocks-agree", model.Info, at, model.Say(
			"assumption: the clocks of the hosts that wrote these files showed the right time; a difference between hosts is not measured and can be declared in run.yaml (clocks: offset, uncertainty)"))
	}
}

func anyPlaced(p model.Placed) bool {
	for _, m := range p.Mappings {
		if m.Placed {
			return true
		}
	}
	return false
}

// zone is the zone in which the people of the run read their clocks: that of the
// first placed log, else the first that is stated or declared; nil if none is.
// It is for showing instants only, none is computed with it.
func (a *aligner) zone() *time.Location {
	var first *time.Location
	for _, p := range a.tl.Captures {
		for _, m := range p.Mappings {
			loc, ok := parseZone(m.Zone.Raw.Reveal(), a.opt.LocalZone)
			if !ok || !m.Placed {
				continue
			}
			if p.Source.Kind == model.KindLog {
				return loc
			}
			if first == nil {
				first = loc
			}
		}
	}
	return first
}
