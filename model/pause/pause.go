// Package pause finds stretches of a run that stand out by a stated rule and
// sets beside each everything whose own observation window overlaps it.
//
// Three rules, each against the run's own usual values, never against a fixed
// idea of what is slow:
//
//   - no progress: between two records that state more progress than the one
//     before passed more than usualTimes times the median such distance; a record
//     that repeats what was reached is no progress;
//   - late first result: the first result took more than usualTimes times what a
//     later one usually took, and as many times what a batch usually took from its
//     first to its last stage, so that filling a pipeline is none; its log looked at
//     half of that time at least;
//   - long stage: one stage of one batch took more than usualTimes times the
//     median of its stage;
//   - no stage: inside the observed part of the window no stage ran.
//
// A candidate shorter than the floor (one second, or one fiftieth of a window
// longer than 50 s) is not reported. A median needs at least fewest values. A
// sample taken after a pause is never evidence for it: a sample counts only where
// its own support overlaps the pause.
package pause

import (
	"cmp"
	"context"
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// The thresholds of the rules. They are choices of ours: wide enough that
// ordinary jitter of a loader is not reported, and printed with the result.
const (
	usualTimes = 4               // how many times the usual value stands out
	fewest     = 5               // values needed to call their median usual
	floor      = time.Second     // shortest pause reported
	part       = 50              // and at least this fraction of the window
	most       = 12              // pauses kept, the longest ones
	evidence   = 10              // records kept for one pause
	reach      = 2 * time.Second // support of a utilisation sample before its stamp
)

// A Ran is one stage of one batch, as it was observed.
type Ran struct {
	Stage    model.StageID
	Input    model.Text
	At       model.Interval[model.Time]
	From, To model.Pos
}

// Input is what pauses are looked for in.
type Input struct {
	Timeline     *model.Timeline
	Ran          []Ran
	Unattributed model.Set[model.Time] // observed time in which no stage ran
	Observed     []Observed
	Progress     report.Progress            // for the first result and what a later one usually took
	Batch        model.Maybe[time.Duration] // what a batch usually took
}

// Observed is where one source observed the run.
type Observed struct {
	Source model.SourceID
	Set    model.Set[model.Time]
}

// Rule states the rules in words, and how many of the pauses found are listed.
func Rule(found int) model.Phrase {
	rule := model.Say("A pause is reported where, for at least {} and 1/{} of the window, no stage ran in observed time; or where the time between two records of progress, or one stage of one batch, took more than {} times the median of its kind (at least {} values); or where the first result took as many times what a later one, and what a whole batch, usually takes.", floor, part, usualTimes, fewest)
	if found > most {
		return model.Say("{} {} pauses were found; the longest {} are listed.", rule, found, most)
	}
	return rule
}

// Find returns the pauses by start, the longest ones if there are many, and how
// many were found.
func Find(ctx context.Context, in Input) (pauses []report.Pause, found int, err error) {
	least := max(floor, in.Timeline.Window.Len()/part)
	var out []report.Pause
	out = append(out, noStage(in, least)...)
	out = append(out, longStages(in, least)...)
	out = append(out, noProgress(in, least)...)
	out = append(out, lateFirst(in, least)...)
	found = len(out)
	slices.SortStableFunc(out, func(a, b report.Pause) int { return cmp.Compare(b.At.Len(), a.At.Len()) })
	out = out[:min(len(out), most)]
	slices.SortStableFunc(out, func(a, b report.Pause) int { return cmp.Compare(a.At.Start, b.At.Start) })
	for i := range out {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		describe(&out[i], in)
	}
	addReadings(out, in.Timeline)
	return out, found, nil
}

func noStage(in Input, least time.Duration) []report.Pause {
	var out []report.Pause
	for p := range in.Unattributed.All() {
		if p.Len() >= least {
			out = append(out, report.Pause{At: p, Kind: "no_stage", Why: model.Say("No stage ran for {}, although the source of the stages was observing.", p.Len())})
		}
	}
	return out
}

func longStages(in Input, least time.Duration) []report.Pause {
	lengths := map[model.StageID][]time.Duration{}
	for _, r := range in.Ran {
		lengths[r.Stage] = append(lengths[r.Stage], r.At.Len())
	}
	medians := map[model.StageID]time.Duration{}
	for stage, l := range lengths {
		if m, ok := median(l); ok {
			medians[stage] = m
		}
	}
	var out []report.Pause
	for _, r := range in.Ran {
		usual, ok := medians[r.Stage]
		if !ok || r.At.Len() < least || r.At.Len() <= usualTimes*usual {
			continue
		}
		p := report.Pause{At: r.At, Kind: "long_stage", Stage: r.Stage, HasStage: true,
			Why: model.Say("{} took {}; its median over {} is {}.", r.Stage, r.At.Len(), len(lengths[r.Stage]), usual)}
		if !r.Input.Empty() {
			p.Why = model.Say("{} of {} took {}; its median over {} is {}.", r.Stage, r.Input, r.At.Len(), len(lengths[r.Stage]), usual)
		}
		p.Evidence = append(p.Evidence, report.Evidence{At: r.From, When: r.At, What: model.Say("{} began", r.Stage)},
			report.Evidence{At: r.To, When: r.At, What: model.Say("{} ended", r.Stage)})
		out = append(out, p)
	}
	return out
}

// lateFirst looks at the time before the first result.
func lateFirst(in Input, least time.Duration) []report.Pause {
	first, ok := in.Progress.FirstResult.Get()
	usual, ok2 := in.Progress.Pace.Usual.Get()
	batch, _ := in.Batch.Get() // 0 where no batch is told apart
	if !ok || !ok2 || first < least || first <= usualTimes*max(usual, batch) {
		return nil
	}
	start := in.Timeline.Window.Start
	p := report.Pause{At: model.Interval[model.Time]{Start: start, End: start + model.Time(first)}, Kind: "late_first_result",
		Why: model.Say("The first result came {} after the window's start; a later one usually took {}.", first, usual)}
	if e := in.Progress.Evidence; len(e) > 0 {
		p.Evidence = append(p.Evidence, e[0])
		for _, o := range in.Observed {
			if o.Source == e[0].At.Source && 2*o.Set.Within(p.At).Len() < p.At.Len() {
				return nil // the log itself did not look at most of that time
			}
		}
	}
	return []report.Pause{p}
}

// progressOf keys what was reached: a task of a file.
type progressOf struct {
	source model.SourceID
	task   model.Raw
	rank   model.Maybe[int64]
}

// advances reports whether the record states more than its task had reached, and
// takes note of it.
func advances(reached map[progressOf][2]int64, m model.Mark) bool {
	k := progressOf{m.From.Source, m.Task, m.Rank}
	was, seen := reached[k]
	is, more := was, false
	for i, v := range [2]model.Maybe[int64]{m.Done, m.Accepted} {
		if n, ok := v.Get(); ok {
			more = more || !seen || n != was[i] // a total that falls is a restart: something moved
			is[i] = n
		}
	}
	if more {
		reached[k] = is
	}
	return more
}

// noProgress looks at the distances between records that state progress.
func noProgress(in Input, least time.Duration) []report.Pause {
	type point struct {
		at   model.Time
		from model.Pos
	}
	var points []point
	reached := map[progressOf][2]int64{}
	for at, m := range in.Timeline.Marks() {
		if advances(reached, m) && in.Timeline.Window.Contains(at) {
			points = append(points, point{at, m.From})
		}
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.at, b.at) })
	var dist []time.Duration
	for i := 1; i < len(points); i++ {
		dist = append(dist, time.Duration(points[i].at-points[i-1].at))
	}
	usual, ok := median(dist)
	var out []report.Pause
	for i, d := range dist {
		if !ok || d < least || d <= usualTimes*usual {
			continue
		}
		at := model.Interval[model.Time]{Start: points[i].at, End: points[i+1].at}
		out = append(out, report.Pause{At: at, Kind: "no_progress",
			Why: model.Say("No progress was logged for {}; the median distance of {} records of progress is {}.", d, len(points), usual),
			Evidence: []report.Evidence{
				{At: points[i].from, When: model.MomentAt(at.Start), What: model.Say("last progress before")},
				{At: points[i+1].from, When: model.MomentAt(at.End), What: model.Say("first progress after")}}})
	}
	return out
}

func median(in []time.Duration) (time.Duration, bool) {
	if len(in) < fewest {
		return 0, false
	}
	s := slices.Sorted(slices.Values(in))
	return s[len(s)/2], true
}

// describe adds what was observed during the pause, and what was not.
func describe(p *report.Pause, in Input) {
	p.Evidence = append(p.Evidence, ranDuring(p, in)...)
	p.Evidence = append(p.Evidence, loggedDuring(p, in)...)
	var seen time.Duration
	for _, o := range in.Observed {
		part := o.Set.Within(p.At).Len()
		seen += part
		if part < p.At.Len() {
			p.NotSeen = append(p.NotSeen, model.Say("{} did not observe {} of it.", o.Source, p.At.Len()-part))
		}
	}
	p.UnknownShare = model.Missing[float64](model.NoSource)
	if n := len(in.Observed); n > 0 && p.At.Len() > 0 {
		whole := p.At.Len() * time.Duration(n)
		p.UnknownShare = model.Known(float64(whole-seen) / float64(whole))
	}
}

// ranDuring names the stages that overlap the pause, the longest first.
func ranDuring(p *report.Pause, in Input) []report.Evidence {
	var out []report.Evidence
	for _, r := range in.Ran {
		if !r.At.Overlaps(p.At) || p.Kind == "long_stage" && r.At == p.At {
			continue
		}
		both := r.At.Intersect(p.At).Len()
		e := report.Evidence{At: r.From, When: r.At, What: model.Say("{} ran for {} of it", r.Stage, both)}
		if !r.Input.Empty() {
			e.What = model.Say("{} of {} ran for {} of it", r.Stage, r.Input, both)
		}
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b report.Evidence) int {
		return cmp.Compare(b.When.Intersect(p.At).Len(), a.When.Intersect(p.At).Len())
	})
	return out[:min(len(out), evidence/2)]
}

// loggedDuring names errors and retries inside the pause.
func loggedDuring(p *report.Pause, in Input) []report.Evidence {
	var out []report.Evidence
	for at, m := range in.Timeline.Marks() {
		if len(out) == evidence {
			break
		}
		if !m.Error && !m.Retry || !p.At.Contains(at) {
			continue
		}
		e := report.Evidence{At: m.From, When: model.MomentAt(at), What: model.Say("the log states an error")}
		if m.Retry {
			e.What = model.Say("the log states a retry")
		}
		out = append(out, e)
	}
	return out
}

// addReadings gives each pause, for each device and utilisation metric, the
// readings whose support overlaps it, in one pass over the samples.
func addReadings(pauses []report.Pause, tl *model.Timeline) {
	for _, c := range tl.Captures {
		if c.Samples == nil || !c.OnTimeline() {
			continue
		}
		busy := map[int32]model.Metric{}
		for _, m := range c.Metrics {
			if m.Role == model.RoleGPUBusy {
				busy[int32(m.ID)] = m
			}
		}
		if len(busy) > 0 {
			addReadingsOf(pauses, c, busy)
		}
	}
}

// reading is what the samples of one track and metric show of one pause.
type reading struct {
	lo, hi float64
	n      int
	first  model.Pos
}

type readingKey struct {
	pause         int
	track, metric int32
}

func addReadingsOf(pauses []report.Pause, c model.Placed, busy map[int32]model.Metric) {
	by := map[readingKey]*reading{}
	var order []readingKey
	for b := range c.Samples.Batches() {
		for i := range b.At {
			if _, ok := busy[b.Metric[i]]; !ok || b.Why[i] != model.Present {
				continue
			}
			t, _, ok := c.At(c.DomainAt(b.Offset[i]), model.ClockTime(b.At[i]))
			if !ok {
				continue
			}
			support := model.Interval[model.Time]{Start: t - model.Time(reach), End: t}
			for k := range pauses {
				if !support.Overlaps(pauses[k].At) {
					continue
				}
				key := readingKey{k, b.Track[i], b.Metric[i]}
				r := by[key]
				if r == nil {
					r = &reading{lo: b.Value[i], hi: b.Value[i], first: model.Pos{Source: c.Source.ID, Line: b.Line[i], Offset: b.Offset[i]}}
					by[key] = r
					order = append(order, key)
				}
				r.lo, r.hi, r.n = min(r.lo, b.Value[i]), max(r.hi, b.Value[i]), r.n+1
			}
		}
	}
	for _, key := range order {
		r := by[key]
		p := &pauses[key.pause]
		p.Evidence = append(p.Evidence, report.Evidence{At: r.first, When: p.At,
			What: model.Say("{} of device {} between {} and {} in {} samples whose windows overlap it",
				busy[key.metric].Name, c.Tracks[key.track].Identity(), r.lo, r.hi, r.n)})
	}
}
