package device

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// Coverage returns every step on every device, step by step, and fills in how
// many steps each device of the table was seen in. sets and rows belong together.
//
// A record belongs to the steps in whose time on the host it lies, whichever step
// launched it: kernels run after their launch, often in the step after.
func Coverage(c *model.Capture, sets []Sets, rows []report.TraceDevice) []report.StepDevice {
	if c.Trace == nil || len(c.Trace.Steps) == 0 || len(sets) == 0 {
		return nil
	}
	steps := newCalendar(c.Trace.Steps)
	out := make([]report.StepDevice, len(c.Trace.Steps)*len(sets))
	for n := range out {
		out[n].Step, out[n].Device = n/len(sets), n%len(sets)
	}
	steps.count(c, sets, out)
	unseen := steps.reasons(c, out, len(sets))
	for n := range out {
		s := &out[n]
		if s.Records == 0 {
			s.Work = model.Missing[report.StepWork](unseen[s.Step])
			continue
		}
		rows[s.Device].StepsSeen++
		s.Work = model.Known(work(&sets[s.Device], c.Trace.Steps[s.Step].At))
	}
	return out
}

func work(d *Sets, at interval) report.StepWork {
	within := func(s set) time.Duration { return s.Within(at).Len() }
	busy := within(d.All)
	return report.StepWork{Busy: busy, Idle: at.Len() - busy, Kernel: within(d.Kernel), Comm: within(d.Comm),
		Memcpy: within(d.Memcpy), Memset: within(d.Memset)}
}

// calendar finds the steps of an instant. Steps of one recorder follow one another,
// those of several may overlap.
type calendar struct {
	at    []interval // by start
	until []clock    // the latest end of this step and those before it
}

func newCalendar(steps []model.TraceStep) calendar {
	var c calendar
	for n, s := range steps {
		end := s.At.End
		if n > 0 {
			end = max(end, c.until[n-1])
		}
		c.at, c.until = append(c.at, s.At), append(c.until, end)
	}
	return c
}

// each calls f for every step of which at has a part. A record without length has
// a part in the step that holds its instant.
func (c *calendar) each(at interval, f func(step int)) {
	at.End = max(at.End, at.Start+1)
	n, _ := slices.BinarySearchFunc(c.at, at.End, func(s interval, end clock) int { return cmp.Compare(s.Start, end) })
	for n--; n >= 0 && c.until[n] > at.Start; n-- {
		if c.at[n].End > at.Start && !c.at[n].Empty() {
			f(n)
		}
	}
}

// count counts the records of each device in each step.
func (c *calendar) count(t *model.Capture, sets []Sets, out []report.StepDevice) {
	device := make([]int, len(t.Tracks)) // index into sets, or -1
	for n := range device {
		own := model.TrackID(n)
		if p := t.Tracks[n].Parent; p >= 0 && int(p) < len(device) {
			own = p
		}
		device[n] = slices.IndexFunc(sets, func(s Sets) bool { return s.Track == own })
	}
	for b := range t.Spans.Batches() {
		for i, k := range b.Kind {
			lane := laneOf(model.SpanKind(k))
			if lane < 0 || b.Track[i] < 0 || int(b.Track[i]) >= len(device) || device[b.Track[i]] < 0 {
				continue
			}
			c.each(interval{Start: clock(b.Start[i]), End: clock(b.End[i])}, func(step int) {
				s := &out[step*len(sets)+device[b.Track[i]]]
				s.Records++
				if lane == laneCompute || lane == laneComm {
					s.Kernels++
				}
			})
		}
	}
}

// reasons returns, for each step, why a device without a record in it was not
// observed.
func (c *calendar) reasons(t *model.Capture, out []report.StepDevice, devices int) []model.Reason {
	seen := make([]bool, len(c.at)) // on any device
	for _, s := range out {
		seen[s.Step] = seen[s.Step] || s.Records > 0
	}
	why := make([]model.Reason, len(c.at))
	for n, at := range c.at {
		why[n] = model.NotRecorded
		switch rec := t.Trace.Record; {
		case at.Empty():
			why[n] = model.NotApplicable // no record can lie in it
		case t.Truncated:
			why[n] = model.TruncatedFile
		case !rec.Empty() && !rec.Overlaps(at):
			why[n] = model.ProfilerNotRecording
		}
	}
	if slices.Contains(seen, false) {
		c.launched(t, func(step int) {
			if !seen[step] && why[step] == model.NotRecorded {
				why[step] = model.KernelRecordMissing
			}
		})
	}
	return why
}

// launched calls f for every step in which the host launched something on a
// device. The calls are known by their names: cudaLaunchKernel, cuLaunchKernelEx,
// hipModuleLaunchKernel, cudaGraphLaunch, urEnqueueKernelLaunch.
func (c *calendar) launched(t *model.Capture, f func(step int)) {
	launch := make([]bool, len(t.Names))
	for n, name := range t.Names {
		launch[n] = strings.Contains(strings.ToLower(name.Reveal()), "launch")
	}
	for b := range t.Spans.Batches() {
		for i, k := range b.Kind {
			if model.SpanKind(k) == model.SpanRuntime && int(b.Name[i]) < len(launch) && launch[b.Name[i]] {
				c.each(interval{Start: clock(b.Start[i]), End: clock(b.Start[i])}, f)
			}
		}
	}
}
