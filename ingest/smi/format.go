package smi

import (
	"bytes"
	"context"

	"tracemerge/ingest"
	"tracemerge/model"
)

// Format is the reader of nvidia-smi's output.
func Format() ingest.Format {
	return ingest.Format{Kind: model.KindSMI, Name: "nvidia-smi log", Match: match, Forms: formWords[:], Columns: true, Limits: limits(), Read: readFile}
}

func readFile(ctx context.Context, f *ingest.File, opt ingest.Options) (*model.Capture, error) {
	return readForm(ctx, f, f.ID, opt.Form)
}

// otherColumns are columns of training logs and other tables that may also have
// one about a GPU.
var otherColumns = []string{"step", "loss", "epoch", "level", "message", "msg", "event", "stage", "edge", "task"}

// match judges the beginning of a file: a header of nvidia-smi's is certain, one
// that merely speaks of GPUs is likely.
func match(head []byte) ingest.Confidence {
	var shapes [shapeCount]int64
	var lines int64
	best, all := ingest.No, head
	if looksGpustat(head) {
		return ingest.Certain
	}
	whole := len(head) < ingest.HeadSize
	for len(head) > 0 {
		text, rest, ended := bytes.Cut(head, []byte{'\n'})
		head = rest
		text = uncleared(trim(bytes.Trim(text, "\x00")))
		if len(text) == 0 || !ended && !whole {
			continue
		}
		lines++
		if h, ok := tableHeading(text); ok {
			return headingConfidence(h)
		}
		if h, ok := headingOf(text); ok {
			best = max(best, headingConfidence(h))
		}
		shapes[shapeOf(text)]++
	}
	// watch writes "Every 2.0s: nvidia-smi" between cursor movements.
	if shapes[shapeScreen] > 0 && bytes.Contains(all, []byte("Every ")) && bytes.Contains(all, []byte(": nvidia-smi")) {
		return max(best, ingest.Likely)
	}
	if lines == 0 {
		return ingest.No
	}
	return max(best, judgeShapes(shapes, lines))
}

func headingConfidence(h heading) ingest.Confidence {
	own := 0
	for _, c := range h.cols {
		for _, o := range otherColumns {
			if c.name == o {
				own++
			}
		}
	}
	switch {
	case own > 0 && h.form == formOwn:
		return ingest.No
	case own > 0:
		return ingest.Maybe
	case h.form == formOwn:
		return ingest.Likely
	}
	return ingest.Certain
}
