package breakdown

import (
	"cmp"
	"slices"

	"tracemerge/model"
)

// A launch is a host runtime or driver call with a correlation id.
type launch struct {
	link int64
	at   interval
}

// launches lists the linked runtime calls by correlation id.
func launches(c *model.Capture) []launch {
	var out []launch
	for b := range c.Spans.Batches() {
		for i, k := range b.Kind {
			if model.SpanKind(k) == model.SpanRuntime && b.Link[i] != model.NoLink {
				out = append(out, launch{b.Link[i], interval{Start: clock(b.Start[i]), End: clock(b.End[i])}})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b launch) int { return cmp.Compare(a.link, b.link) })
	return out
}

// launchOf returns the call that launched the records of a correlation id: the
// last that the file has under it.
func launchOf(ls []launch, link int64) (interval, bool) {
	if link == model.NoLink {
		return interval{}, false
	}
	i, _ := slices.BinarySearchFunc(ls, link, func(l launch, v int64) int {
		if l.link <= v {
			return -1
		}
		return 1
	})
	if i == 0 || ls[i-1].link != link {
		return interval{}, false
	}
	return ls[i-1].at, true
}

// A record is one piece of device work with its launch.
type record struct {
	at       interval
	launch   interval
	launched bool
}

// streams returns the device records of each track, by start; a track without
// any is nil.
func streams(c *model.Capture, ls []launch) [][]record {
	out := make([][]record, len(c.Tracks))
	for b := range c.Spans.Batches() {
		for i, k := range b.Kind {
			t := b.Track[i]
			if !model.SpanKind(k).OnDevice() || t < 0 || int(t) >= len(out) {
				continue
			}
			r := record{at: interval{Start: clock(b.Start[i]), End: clock(b.End[i])}}
			r.launch, r.launched = launchOf(ls, b.Link[i])
			out[t] = append(out[t], r)
		}
	}
	byStart := func(a, b record) int {
		return cmp.Or(cmp.Compare(a.at.Start, b.at.Start), cmp.Compare(a.at.End, b.at.End))
	}
	for _, rs := range out {
		if !slices.IsSortedFunc(rs, byStart) {
			slices.SortFunc(rs, byStart)
		}
	}
	return out
}
