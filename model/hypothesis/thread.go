package hypothesis

import (
	"tracemerge/model"
	"tracemerge/model/report"
)

// Thresholds of one saturated thread, in percent of one core.
const (
	saturated     = 95  // pidstat's %CPU of a thread that never waits is 100, less what the rounding to ticks loses
	unsaturated   = 80  // no thread above it: none was saturated
	saturatedMuch = 0.2 // of a thread's samples
	saturatedFew  = 5   // samples at least
)

// busyThread counts the samples of one process or thread.
type busyThread struct {
	name                model.Text
	n, full             int
	inPause, fullPause  int // of the samples that overlap a pause
	most                float64
	first               model.Pos
	thread, severalCPUs bool
}

func threadBound(v *view) (f finding) {
	f.thresholds = append(f.thresholds, model.Say("one thread at {} % of a core or more in at least {} of its samples, and {} of them, or in every sample of a pause, speaks for it; no thread above {} % against it (choices of ours)", saturated, model.Fraction(saturatedMuch), saturatedFew, unsaturated))
	most, seen, only := 0.0, false, true
	for _, c := range v.tl.Captures {
		if c.Capture == nil || c.Source.Kind != model.KindHost || c.Samples == nil || !c.OnTimeline() {
			continue
		}
		for _, t := range v.threads(c) {
			seen = true
			only = only && !t.thread
			most = max(most, t.most)
			if e, ok := t.evidence(v); ok {
				f.pro(e)
			}
		}
	}
	if !seen {
		f.lacks(model.Say("CPU use per thread over the window (pidstat -t)"))
		return f
	}
	f.evaluated = true
	if most < unsaturated {
		f.con(report.Evidence{When: v.run.Window.At, What: model.Say("no recorded thread or process used more than {} % of one core in a sample", most)})
	}
	if e, ok := v.allCores(); ok && len(f.supports) > 0 {
		f.pro(e)
	}
	if !only {
		f.next = model.Say("Take a few stacks of the full thread during a pause (py-spy dump --pid, or perf top -t), or give its work to a second process for one run: this hypothesis expects the waits of the GPU to shrink.")
	}
	if only {
		f.lacks(model.Say("threads one by one (pidstat -t): a process above one core does not show which of its threads is full"))
	}
	return f
}

// evidence says how often the thread was full; ok is false if not often enough. A
// process that uses more than one core is no thread.
func (t *busyThread) evidence(v *view) (report.Evidence, bool) {
	often := t.full >= saturatedFew && float64(t.full) >= saturatedMuch*float64(t.n)
	paused := t.fullPause >= 2 && t.fullPause == t.inPause
	if t.severalCPUs || !often && !paused {
		return report.Evidence{}, false
	}
	e := report.Evidence{At: t.first, When: v.run.Window.At}
	e.What = model.Say("{} used at least {} % of one core in {} of its {} samples", t.name, saturated, t.full, t.n)
	if t.inPause > 0 {
		e.What = model.Say("{}, and in {} of the {} that overlap a pause", e.What, t.fullPause, t.inPause)
	}
	if !t.thread {
		e.What = model.Say("{} (its threads were not recorded)", e.What)
	}
	return e, true
}

// threads counts the samples of processor time by thread, and by process where none
// of its threads is recorded.
func (v *view) threads(c model.Placed) []*busyThread {
	busy := map[int32]bool{}
	for _, m := range c.Metrics {
		if m.Role == model.RoleCPUBusy {
			busy[int32(m.ID)] = true
		}
	}
	of := make([]*busyThread, len(c.Tracks))
	hasThreads := map[model.TrackID]bool{}
	for i, t := range c.Tracks {
		if t.Kind == model.TrackProcess {
			of[i] = &busyThread{name: t.Name, thread: t.Parent != model.NoTrack}
			hasThreads[t.Parent] = true
		}
	}
	for b := range c.Samples.Batches() {
		for i := range b.At {
			n := int(b.Track[i])
			if !busy[b.Metric[i]] || b.Why[i] != model.Present || n < 0 || n >= len(of) || of[n] == nil {
				continue
			}
			at, _, ok := c.At(c.DomainAt(b.Offset[i]), model.ClockTime(b.At[i]))
			if ok && at >= v.run.Window.At.Start && at <= v.run.Window.At.End {
				of[n].take(v, at, b.Value[i], model.Pos{Source: c.Source.ID, Line: b.Line[i], Offset: b.Offset[i]})
			}
		}
	}
	var out []*busyThread
	for i, t := range of {
		if t != nil && t.n > 0 && !hasThreads[model.TrackID(i)] {
			out = append(out, t)
		}
	}
	return out
}

// take counts one sample; it describes the second before its stamp at least.
func (t *busyThread) take(v *view, at model.Time, percent float64, pos model.Pos) {
	t.n++
	t.most = max(t.most, percent)
	t.severalCPUs = t.severalCPUs || !t.thread && percent > 2*100-saturated
	pause := false
	for _, p := range v.run.Pauses {
		pause = pause || p.At.Contains(at)
	}
	if pause {
		t.inPause++
	}
	if percent < saturated {
		return
	}
	if t.full++; t.full == 1 {
		t.first = pos
	}
	if pause {
		t.fullPause++
	}
}

// allCores says how busy all cores together were at most, where that is so little
// that their average hides one full thread.
func (v *view) allCores() (e report.Evidence, ok bool) {
	least, n := 100.0, 0
	for _, c := range v.tl.Captures {
		if c.Capture == nil || c.Source.Kind != model.KindHost || c.Samples == nil || !c.OnTimeline() {
			continue
		}
		for b := range c.Samples.Batches() {
			for i := range b.At {
				t, m := int(b.Track[i]), int(b.Metric[i])
				if b.Why[i] != model.Present || t < 0 || t >= len(c.Tracks) || c.Tracks[t].Kind != model.TrackHost || m < 0 || m >= len(c.Metrics) || c.Metrics[m].Role != model.RoleCPUIdle {
					continue
				}
				at, _, placed := c.At(c.DomainAt(b.Offset[i]), model.ClockTime(b.At[i]))
				if !placed || at < v.run.Window.At.Start || at > v.run.Window.At.End {
					continue
				}
				if n++; n == 1 || b.Value[i] < least {
					least = b.Value[i]
					e.At = model.Pos{Source: c.Source.ID, Line: b.Line[i], Offset: b.Offset[i]}
				}
			}
		}
	}
	if n < saturatedFew || 100-least >= unsaturated {
		return report.Evidence{}, false
	}
	e.When = v.run.Window.At
	e.What = model.Say("all cores together were busy or waiting at most {} % of the time in each of {} samples: that average does not show one full thread", 100-least, n)
	return e, true
}
