package device

import (
	"cmp"
	"slices"

	"tracemerge/model"
)

// Calls are the communication kernels of a trace by name, each in order of start.
type Calls map[model.Raw][]model.Interval[model.ClockTime]

// CommunicationCalls reads the spans once; nil where there are none.
func CommunicationCalls(c *model.Capture) Calls {
	if c.Spans == nil {
		return nil
	}
	out := Calls{}
	for b := range c.Spans.Batches() {
		for i, k := range b.Kind {
			if model.SpanKind(k) == model.SpanCommunication {
				name := c.Names[b.Name[i]]
				out[name] = append(out[name], interval{Start: clock(b.Start[i]), End: clock(b.End[i])})
			}
		}
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(a, b interval) int { return cmp.Compare(a.Start, b.Start) })
	}
	return out
}
