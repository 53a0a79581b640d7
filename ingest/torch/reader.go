package torch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"tracemerge/ingest"
	"tracemerge/ingest/torch/internal/jsonscan"
	"tracemerge/model"
	"tracemerge/model/frame"
)

// reader is the state of reading one file.
type reader struct {
	ctx   context.Context
	win   *jsonscan.Window
	src   model.SourceID
	label model.Text
	cap   *model.Capture
	facts *model.TraceFacts
	top   header

	categories map[string]category
	spelled    map[string]category // by spelling in the file
	class      category            // of the current event
	lastCat    []byte
	names      names
	tracks     tracks
	spans      frame.Spans
	steps      []step
	markers    []step // ranges that carry one
	edges      []edge
	lanes      map[string]int32

	read, used int64
	seen       [codeCount]happening
	would      [codeCount]time.Duration // the time that quarantined records state
	paired     []int64                  // offsets of spans that were joined from two elements, in order
	wide       map[string]int64         // links beyond int64, by their text

	smallest             model.ClockTime // smallest reading above 0
	fine                 bool            // some start is no whole microsecond
	provisional          bool            // there are spans without a category
	hull                 hull            // of all spans that do not begin at 0
	traceSpan            hull            // cat Trace
	iteration, windowEnd hull            // the instants that state the recorder's window
	windowAt             model.Pos       // of the last of them
	zeros                int64           // spans that begin at 0
	zeroEnd              model.ClockTime
}

// step is a ProfilerStep#N that was seen.
type step struct {
	span model.Span
	at   model.Pos
}

// hull is the smallest interval that holds what was added.
type hull struct {
	lo, hi model.ClockTime
	any    bool
}

func (h *hull) add(lo, hi model.ClockTime) {
	if !h.any {
		h.lo, h.hi, h.any = lo, hi, true
		return
	}
	h.lo, h.hi = min(h.lo, lo), max(h.hi, hi)
}

// Format returns the format of profiler traces.
func Format() ingest.Format {
	return ingest.Format{Kind: model.KindTrace, Name: "PyTorch profiler trace", Match: match, Limits: limits(), Read: read}
}

func limits() []ingest.Limit {
	return []ingest.Limit{
		{Of: "one event", Max: jsonscan.Limit, Unit: "bytes", Then: "it is rejected, and reading goes on at the next event that can be found"},
		{Of: "one top-level value, such as distributedInfo", Max: maxHeader, Unit: "bytes", Then: "it is not used"},
		{Of: "spellings of categories", Max: maxSpelled, Unit: "spellings", Then: "further ones are looked up anew each time"},
		{Of: "markers of one file", Max: maxMarkers, Unit: "markers", Then: "further ones are not used"},
	}
}

func read(ctx context.Context, f *ingest.File, _ ingest.Options) (*model.Capture, error) {
	ahead := jsonscan.NewPrefetcher(f)
	defer ahead.Close()
	return readFrom(ctx, ahead, f.ID, f.Label)
}

// readFrom reads a document from decoded text.
func readFrom(ctx context.Context, in io.Reader, src model.SourceID, label model.Text) (*model.Capture, error) {
	r := &reader{
		ctx: ctx, win: jsonscan.NewWindow(in), src: src, label: label,
		cap: &model.Capture{}, facts: &model.TraceFacts{},
		categories: categories(), spelled: map[string]category{}, class: category{kind: uncategorised},
		names: newNames(), tracks: newTracks(), lanes: map[string]int32{}, wide: map[string]int64{},
	}
	r.cap.Trace, r.windowAt = r.facts, model.Pos{Source: src}
	err := r.document()
	if werr := r.win.Err; werr != nil && err == nil {
		r.cap.Truncated = true
		end := r.at(r.win.End)
		if errors.Is(werr, io.ErrUnexpectedEOF) {
			r.say("torch/cut-stream", model.DataLoss, end,
				model.Say("the compressed file ends early, after {} bytes of text: what followed is not known", end.Offset))
		} else {
			r.say("torch/unreadable-rest", model.Failure, end,
				model.Say("the file could not be read beyond byte {} of its text", end.Offset))
			err = ingest.Unreadable(end.Offset, werr)
		}
	}
	r.finish()
	return r.cap, err
}

// at is the place of a position in the window.
func (r *reader) at(i int) model.Pos {
	return model.Pos{Source: r.src, Offset: r.win.Off + int64(i)}
}

// space returns the position of the next byte that is no blank, filling the
// window as needed; it is at End only at the end of the file.
func (r *reader) space(i int) int {
	for {
		i = min(jsonscan.Space(r.win.Buf, i), r.win.End)
		if i < r.win.End || !r.fill(&i) {
			return i
		}
	}
}

// fill drops the text before *i and reads more; *i stays at the same byte.
func (r *reader) fill(i *int) bool {
	before := r.win.Off
	ok := r.win.Fill(*i)
	*i -= int(r.win.Off - before)
	return ok
}

// checkEvery is after how many elements the context is asked.
const checkEvery = 4096

// suspicious is the size of an unfinished event above which the reader looks
// whether it swallowed its neighbours, as after a missing bracket. Real events
// stay under 20 kB.
const suspicious = 64 << 10

// separation is what stands before a place in the event array.
type separation uint8

const (
	fresh         separation = iota // the opening bracket, or text that was skipped
	behindElement                   // an element, so a comma is due
	behindComma
)

// events reads the elements of the event array from i, behind its bracket, and
// returns the position behind its end. closed is false if the file ended first.
func (r *reader) events(i int) (next int, closed bool, err error) {
	var e element
	sep := fresh
	for n := 0; ; n++ {
		if n%checkEvery == 0 && r.ctx.Err() != nil {
			return i, false, fmt.Errorf("reading events: %w", r.ctx.Err())
		}
		i = r.space(i)
		if i == r.win.End {
			return i, false, nil
		}
		switch b := r.win.Buf; b[i] {
		case '{':
			next, ok := r.object(b, i, &e)
			if !ok {
				before := r.read
				if i, ok = r.unfinished(i, next); !ok {
					return i, false, nil
				}
				if r.read != before {
					sep = fresh
				}
				continue
			}
			if sep == behindElement {
				r.note(commaMissing, r.at(i))
			}
			r.record(b, &e, i, next)
			i, sep = next, behindElement
		case ',':
			if sep == behindComma {
				r.note(strayComma, r.at(i))
			}
			i, sep = i+1, behindComma
		case ']':
			next, ok := 0, false
			if i, next, ok = r.arrayEnd(i); ok {
				if sep == behindComma {
					r.note(strayComma, r.at(i))
				}
				return next, true, nil
			}
			i, sep = r.stray(i), fresh
		default:
			i, sep = r.scalar(i)
		}
	}
}

// unfinished decides about an object at i that failed at next: more text is
// needed, or the file is cut off there, or it is no JSON.
func (r *reader) unfinished(i, next int) (int, bool) {
	if next < r.win.End {
		return r.repair(i), true
	}
	if r.win.End-i > suspicious {
		if _, ok := border(r.win.Buf, i+1, r.win.End); ok {
			return r.repair(i), true
		}
	}
	if r.fill(&i) {
		return i, true
	}
	if !r.win.EOF {
		r.note(tooLong, r.at(i))
	}
	if _, ok := border(r.win.Buf, i+1, r.win.End); ok || !r.win.EOF {
		return r.repair(i), true
	}
	r.read++
	r.note(cutOff, r.at(i))
	r.cap.Truncated = true
	return r.win.End, false
}
