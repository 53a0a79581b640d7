package hoststat

import (
	"bytes"
	"context"
	"slices"

	"tracemerge/ingest"
	"tracemerge/model"
)

// The variants, as Source.Form and run.yaml name them.
var formWords = [...]model.Word{
	toolPidstat: model.Lit("pidstat"), toolIostat: model.Lit("iostat"), toolVmstat: model.Lit("vmstat"), toolSar: model.Lit("sar"),
	toolTop: model.Lit("top"), toolSadf: model.Lit("sadf"), toolJSON: model.Lit("sysstat-json"), toolAtop: model.Lit("atop"), toolDstat: model.Lit("dstat"),
}

// Format is the reader of host statistics.
func Format() ingest.Format {
	return ingest.Format{Kind: model.KindHost, Name: "host statistics", Match: match,
		Forms: forms(),
		Limits: []ingest.Limit{
			{Of: "one line", Max: maxLine, Unit: "bytes", Then: "it is rejected"},
			{Of: "processes and threads of one file", Max: maxTracks, Unit: "tracks", Then: "rows of further ones are rejected"},
		},
		Read: func(ctx context.Context, f *ingest.File, opt ingest.Options) (*model.Capture, error) {
			return readForm(ctx, f, f.ID, opt.Form)
		}}
}

// The orders of day and month that run.yaml may declare for dates such as 12/01/26.
var (
	monthFirst = model.Lit("month-first")
	dayFirst   = model.Lit("day-first")
)

// forms are the variants that run.yaml may declare: the tool whose rows alone are
// read, or the order of day and month.
func forms() []model.Word {
	return append(slices.Clone(formWords[toolPidstat:]), monthFirst, dayFirst)
}

// declare makes the reader obey the declared variant.
func (r *reader) declare(form string) error {
	switch form {
	case "":
		return nil
	case monthFirst.String():
		r.clock.order = orderMonth
		return nil
	case dayFirst.String():
		r.clock.order = orderDay
		return nil
	}
	for t, w := range formWords {
		if tool(t) != toolNone && w.String() == form {
			r.only = tool(t)
			return nil
		}
	}
	return model.Refuse("run.yaml declares a format that this reader does not have")
}

// match judges the beginning of a file: a heading of one of the tools is certain
// where rows of its shape follow, and likely alone.
func match(head []byte) ingest.Confidence {
	if looksJSON(head) {
		return ingest.Certain
	}
	best := ingest.No
	n := 0
	var h *heading
	for line := range bytes.Lines(head) {
		if n++; n > 400 {
			break
		}
		text := bytes.TrimSpace(line)
		switch {
		case len(text) == 0:
		case isBanner(text):
			best = max(best, ingest.Maybe)
		case string(text) == "RESET":
			best, h = max(best, ingest.Maybe), &heading{tool: toolAtop}
		case h != nil && h.tool == toolAtop:
			if f := fieldsOf(text); len(f) > 6 && epochTokens(f[2:]) > 0 {
				return ingest.Certain
			}
		default:
			if next := headingOf(text); next != nil {
				h, best = next, max(best, ingest.Likely)
				if h.tool == toolSadf || h.tool == toolDstat {
					return ingest.Certain
				}
			} else if h != nil && h.fits(text) {
				return ingest.Certain
			}
		}
	}
	return best
}
