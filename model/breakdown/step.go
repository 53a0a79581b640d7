package breakdown

import (
	"cmp"
	"slices"
	"strings"

	"tracemerge/model"
	"tracemerge/model/device"
	"tracemerge/model/report"
)

// steps splits the steps of the host.
//
//  1. give each step the device records that were launched inside it
//  2. let a step end with the last of them, and begin where the one before ended
//  3. in each, give every part the time that no part before it has
//  4. mark the last steps that the plugin leaves out
func steps(c *model.Capture, sets []device.Sets, ls []launch, records [][]record) []report.StepSplit {
	host := slices.Clone(c.Trace.Steps)
	if len(host) == 0 {
		return nil
	}
	slices.SortStableFunc(host, func(a, b model.TraceStep) int { return cmp.Compare(a.At.Start, b.At.Start) })
	out := make([]report.StepSplit, len(host))
	for i, s := range host {
		out[i] = report.StepSplit{Name: s.Name, At: s.At}
	}
	extend(out, records)
	taken := set{}
	for part, at := range parts(c, sets) {
		free := at.Subtract(taken)
		taken = taken.Union(at)
		for i := range out {
			out[i].Parts[part] = free.Within(out[i].At).Len()
		}
	}
	for i := range out {
		rest := out[i].At.Len()
		for _, d := range out[i].Parts {
			rest -= d
		}
		out[i].Parts[report.StepOther] = rest
	}
	markTail(out)
	return out
}

// extend moves the ends of the steps to their device records.
func extend(steps []report.StepSplit, records [][]record) {
	work := make([]interval, len(steps)) // from the first to the last device record of each step
	var loose []interval                 // records launched in no step
	for _, rs := range records {
		for _, r := range rs {
			i := -1
			if r.launched {
				i = holding(steps, r.launch)
			}
			switch {
			case i < 0:
				loose = append(loose, r.at)
			case steps[i].Records == 0:
				work[i] = r.at
				steps[i].Records++
			default:
				work[i] = interval{Start: min(work[i].Start, r.at.Start), End: max(work[i].End, r.at.End)}
				steps[i].Records++
			}
		}
	}
	if !slices.ContainsFunc(steps, func(s report.StepSplit) bool { return s.Records > 0 }) {
		return
	}
	begin := steps[0].At.Start
	if steps[0].Records > 0 {
		for _, l := range loose {
			if l.End < work[0].Start {
				begin = max(begin, l.End)
			}
		}
	}
	for i := range steps {
		s := &steps[i]
		s.At.Start = max(begin, s.At.Start)
		if s.Records > 0 {
			s.At.End = max(s.At.End, work[i].End)
		}
		s.At.End = max(s.At.End, s.At.Start)
		begin = s.At.End
	}
}

// holding returns the step that the call lies in as a whole, -1 if there is none.
// The steps' spans are those of the host, by start.
func holding(steps []report.StepSplit, call interval) int {
	i, _ := slices.BinarySearchFunc(steps, call.Start, func(s report.StepSplit, t clock) int {
		if s.At.Start <= t {
			return -1
		}
		return 1
	})
	if i == 0 || call.End > steps[i-1].At.End {
		return -1
	}
	return i - 1
}

// parts are the times of each part, in the order of precedence.
func parts(c *model.Capture, sets []device.Sets) [report.StepOther]set {
	var out [report.StepOther]set
	for _, s := range sets {
		out[report.StepKernel] = out[report.StepKernel].Union(s.Compute)
		out[report.StepMemcpy] = out[report.StepMemcpy].Union(s.Memcpy)
		out[report.StepMemset] = out[report.StepMemset].Union(s.Memset)
		out[report.StepCommunication] = out[report.StepCommunication].Union(s.Comm)
	}
	names := make([]report.StepPart, len(c.Names))
	for i, n := range c.Names {
		names[i] = hostPart(n)
	}
	gather := make([][report.StepOther]model.Gatherer[clock], len(c.Tracks))
	for b := range c.Spans.Batches() {
		for i, k := range b.Kind {
			part := report.StepOther
			switch model.SpanKind(k) {
			case model.SpanRuntime:
				part = report.StepRuntime
			case model.SpanOperator, model.SpanAnnotation, model.SpanPython:
				part = names[b.Name[i]]
			}
			if part < report.StepOther && b.Track[i] >= 0 && int(b.Track[i]) < len(gather) {
				gather[b.Track[i]][part].Add(interval{Start: clock(b.Start[i]), End: clock(b.End[i])})
			}
		}
	}
	for t := range gather {
		for _, part := range []report.StepPart{report.StepRuntime, report.StepDataLoader, report.StepOperator} {
			out[part] = out[part].Union(gather[t][part].Set())
		}
	}
	return out
}

// hostPart is the part of a host span by its name: what the plugin takes for the
// data loader, for a module (which it shows elsewhere), and for any other.
func hostPart(name model.Raw) report.StepPart {
	s := name.Reveal()
	switch {
	case strings.HasPrefix(s, "enumerate(DataLoader)#") && strings.HasSuffix(s, ".__next__"), strings.HasPrefix(s, "enumerate(DataPipe)#"):
		return report.StepDataLoader
	case strings.HasPrefix(s, "nn.Module: "):
		return report.StepOther
	}
	return report.StepOperator
}

// markTail marks the last steps that the plugin leaves out: those without device
// records, and then one that has less than 80 % of the records of the step before
// it.
func markTail(steps []report.StepSplit) {
	last := len(steps) - 1
	for last >= 0 && steps[last].Records == 0 {
		last--
	}
	if last < 0 || len(steps) == 1 {
		return
	}
	if last > 0 && 10*steps[last].Records < 8*steps[last-1].Records {
		last--
	}
	for i := last + 1; i < len(steps); i++ {
		steps[i].Tail = true
	}
}
