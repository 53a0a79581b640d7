// Package compare sets a run beside the first one.
//
// It compares two finished reports, never their files. Conditions come first:
// what is known to differ in what the runs were (input, definition of done, cold
// or warm) makes them not comparable; what nobody declared is said and cannot be
// checked, so that comparability is not established.
//
// A verdict needs a spread: the pace and the latency of the batches of each run,
// whose median intervals (package stat) either share a value or do not. A quantity
// with one value in each run gets no verdict, however far apart the two are. More
// than one changed setting means that a difference cannot be attributed to one of
// them.
package compare

import (
	"math"
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/model/stat"
)

// Runs compares runs[next] with runs[0].
func Runs(runs []report.Run, next int) report.Comparison {
	a, b := &runs[0], &runs[next]
	c := report.Comparison{Baseline: 0, Candidate: next, Comparable: true}
	conditions(&c, a, b)
	coverage(&c, a, b)
	c.Undeclared = c.Undeclared && c.Comparable
	c.Comparable = c.Comparable && !c.Undeclared
	c.Metrics = metrics(a, b)
	c.Stages = stages(&c, a, b)
	if !c.Comparable {
		for i := range c.Metrics {
			refuse(&c.Metrics[i])
		}
		for i := range c.Stages {
			refuse(&c.Stages[i])
		}
	}
	return c
}

func refuse(m *report.MetricChange) {
	if m.Verdict != "not_observed" {
		m.Verdict = "not_comparable"
	}
}

// conditions compares what the runs were.
func conditions(c *report.Comparison, a, b *report.Run) {
	x, y := a.Declared, b.Declared
	text(c, model.Say("input data set"), x.Dataset, y.Dataset, true)
	judge(c, report.Condition{Name: model.Say("cold or warm"), Base: temperature(x.Temperature), Next: temperature(y.Temperature)},
		x.Temperature != "" && y.Temperature != "", x.Temperature == y.Temperature, true)
	text(c, model.Say("what counts as done"), x.DoneWhen, y.DoneWhen, true)
	text(c, model.Say("input location"), x.Location, y.Location, false)
	text(c, model.Say("application"), x.AppName, y.AppName, false)
	text(c, model.Say("application version"), x.AppVersion, y.AppVersion, false)
	text(c, model.Say("quality metric"), x.Quality.Metric, y.Quality.Metric, false)
	settings(c, x, y)
	quality(c, model.Say("the baseline"), x.Quality)
	quality(c, model.Say("the candidate"), y.Quality)
}

func temperature(t string) model.Phrase {
	switch t {
	case "cold":
		return model.Say("cold")
	case "warm":
		return model.Say("warm")
	}
	return model.Say("not declared")
}

func declared(t model.Text) model.Phrase {
	if t.Empty() {
		return model.Say("not declared")
	}
	return model.Say("{}", t)
}

func text(c *report.Comparison, name model.Phrase, a, b model.Text, decides bool) {
	judge(c, report.Condition{Name: name, Base: declared(a), Next: declared(b)}, !a.Empty() && !b.Empty(), a.Raw == b.Raw, decides)
}

// judge files a condition; one that decides makes the runs incomparable where it
// is known to differ.
func judge(c *report.Comparison, cond report.Condition, known, equal, decides bool) {
	switch {
	case !known:
		cond.State = "not_declared"
		if decides {
			c.Undeclared = true
			c.Warnings = append(c.Warnings, model.Say("Not declared in both runs, so not checked: {}.", cond.Name))
		}
	case equal:
		cond.State = "equal"
	default:
		cond.State = "different"
		if decides {
			c.Comparable = false
			c.Warnings = append(c.Warnings, model.Say("The runs differ in this condition, so their numbers stand side by side without a verdict: {} ({} against {}).", cond.Name, cond.Base, cond.Next))
		}
	}
	c.Conditions = append(c.Conditions, cond)
}

// settings lists every setting of either run and names those that changed.
func settings(c *report.Comparison, x, y *model.Declaration) {
	find := func(d *model.Declaration, key model.Raw) model.Text {
		for _, s := range d.Settings {
			if s.Key.Raw == key {
				return s.Value
			}
		}
		return model.Text{}
	}
	var keys []model.Text
	for _, s := range slices.Concat(x.Settings, y.Settings) {
		if !slices.ContainsFunc(keys, func(k model.Text) bool { return k.Raw == s.Key.Raw }) {
			keys = append(keys, s.Key)
		}
	}
	for _, k := range keys {
		a, b := find(x, k.Raw), find(y, k.Raw)
		if a.Raw != b.Raw {
			c.ChangedSettings = append(c.ChangedSettings, k)
		}
		text(c, model.Say("setting {}", k), a, b, false)
	}
	switch {
	case len(c.ChangedSettings) > 1:
		c.Warnings = append(c.Warnings, model.Say("{} settings changed together: a difference cannot be attributed to one of them.", len(c.ChangedSettings)))
	case len(keys) == 0:
		c.Warnings = append(c.Warnings, model.Say("No settings are declared in either run: what changed between them is not known."))
	}
}

// quality warns of a run outside its own declared limit.
func quality(c *report.Comparison, who model.Phrase, q model.Quality) {
	v, ok := q.Value.Get()
	if !ok {
		return
	}
	limit, most := q.AtMost.Get()
	least, atLeast := q.AtLeast.Get()
	if most && v > limit || atLeast && v < least {
		c.Warnings = append(c.Warnings, model.Say("The quality of {} lies outside its declared limit.", who))
	}
}

// coverage warns where the runs were observed with different means.
func coverage(c *report.Comparison, a, b *report.Run) {
	kinds := func(r *report.Run) []model.SourceKind {
		var out []model.SourceKind
		for _, s := range r.Sources {
			if !slices.Contains(out, s.Kind) && s.Kind != model.KindRunFile && s.Kind != model.KindUnknown {
				out = append(out, s.Kind)
			}
		}
		slices.Sort(out)
		return out
	}
	if !slices.Equal(kinds(a), kinds(b)) {
		c.Warnings = append(c.Warnings, model.Say("The two runs were not observed with the same kinds of sources: recording itself can lengthen a run."))
	}
	if a.Primary >= 0 && b.Primary >= 0 && a.Stages[a.Primary].Basis.Kind != b.Stages[b.Primary].Basis.Kind {
		c.Comparable = false
		c.Warnings = append(c.Warnings, model.Say("The stages of the two runs come from different kinds of sources."))
	}
	for _, r := range []*report.Run{a, b} {
		if r.Accounted.Known && r.Accounted.Unknown > 0 {
			c.Warnings = append(c.Warnings, model.Say("In {}, {} of the {} window was not observed.", r.Label, r.Accounted.Unknown, r.Window.At.Len()))
		}
	}
}

// value is one quantity of a run with the direction in which it is better.
type value struct {
	name, unit string
	better     int // -1 lower, +1 higher, 0 neither
	of         func(*report.Run) model.Maybe[model.Range[float64]]
}

func metrics(a, b *report.Run) []report.MetricChange {
	table := []value{
		{"window", "s", -1, windowSeconds},
		{"first result", "s", -1, func(r *report.Run) model.Maybe[model.Range[float64]] { return seconds(r.Progress.FirstResult) }},
		{"accepted per minute", "1/min", 1, func(r *report.Run) model.Maybe[model.Range[float64]] { return single(r.Progress.AcceptedPerMinute) }},
		{"accepted", "1", 0, func(r *report.Run) model.Maybe[model.Range[float64]] { return count(r.Progress.Accepted) }},
		{"rejected", "1", -1, func(r *report.Run) model.Maybe[model.Range[float64]] { return count(r.Progress.Rejected) }},
		{"errors", "1", -1, func(r *report.Run) model.Maybe[model.Range[float64]] { return count(r.Progress.Errors) }},
		{"retries", "1", -1, func(r *report.Run) model.Maybe[model.Range[float64]] { return count(r.Progress.Retries) }},
		{"peak device memory used", "MiB", -1, peakMemory},
		{"GPU compute share of the window", "1", 0, func(r *report.Run) model.Maybe[model.Range[float64]] { return r.GPUShare }},
		{"batch latency, 95th percentile", "s", -1, func(r *report.Run) model.Maybe[model.Range[float64]] { return percentile(r, 0.95) }},
		{"declared quality", "1", 0, func(r *report.Run) model.Maybe[model.Range[float64]] { return single(r.Declared.Quality.Value) }},
	}
	out := []report.MetricChange{
		spread("batch interval, median", intervals(a), intervals(b), model.Say("from the end of one batch to the end of the next")),
		spread("batch latency, median", lengths(a), lengths(b), model.Say("from the first start to the last end of a batch")),
	}
	for _, v := range table {
		m := report.MetricChange{Name: v.name, Unit: v.unit, Base: v.of(a), Next: v.of(b)}
		m.Ratio = ratio(m.Base, m.Next)
		m.Verdict = "one_observation"
		if !m.Base.Known() || !m.Next.Known() {
			m.Verdict = "not_observed"
		}
		out = append(out, m)
	}
	return out
}

// spread compares the medians of a quantity that each batch has, in seconds;
// less is better.
func spread(name string, a, b []float64, what model.Phrase) report.MetricChange {
	x, y := stat.MedianOf(a), stat.MedianOf(b)
	m := report.MetricChange{Name: name, Unit: "s", Base: x.Spread, Next: y.Spread, Verdict: "not_observed"}
	if !x.Spread.Known() && x.Value.Known() {
		m.Base = single(x.Value)
	}
	if !y.Spread.Known() && y.Value.Known() {
		m.Next = single(y.Value)
	}
	m.Ratio = ratio(m.Base, m.Next)
	if !m.Base.Known() || !m.Next.Known() {
		return m
	}
	m.Note = model.Say("The time {}: {} values against {}; the ranges are 95 % order-statistic intervals of the medians. Neighbouring batches of one run are not independent.", what, x.N, y.N)
	apart, known := stat.Apart(x, y)
	xm, _ := x.Value.Get()
	ym, _ := y.Value.Get()
	switch {
	case !known:
		m.Verdict = "one_observation"
		m.Note = model.Say("The time {}: fewer than six values in a run ({} against {}), no spread to judge by.", what, x.N, y.N)
	case !apart:
		m.Verdict = "not_distinguishable"
	case ym < xm:
		m.Verdict = "improved"
	default:
		m.Verdict = "worse"
	}
	return m
}

// lengths is the latency of every batch of the primary basis.
func lengths(r *report.Run) []float64 {
	if len(r.Waterfalls) == 0 {
		return nil
	}
	var out []float64
	for _, s := range r.Waterfalls[0].Spans {
		out = append(out, s.Len().Seconds())
	}
	return out
}

// intervals is the distance of every end of a batch from the one before it: the
// pace of the run, whatever its batches overlap.
func intervals(r *report.Run) []float64 {
	if len(r.Waterfalls) == 0 {
		return nil
	}
	var ends []model.Time
	for _, s := range r.Waterfalls[0].Spans {
		ends = append(ends, s.End)
	}
	slices.Sort(ends)
	var out []float64
	for i := 1; i < len(ends); i++ {
		out = append(out, time.Duration(ends[i]-ends[i-1]).Seconds())
	}
	return out
}

func percentile(r *report.Run, q float64) model.Maybe[model.Range[float64]] {
	l := lengths(r)
	if len(l) == 0 {
		return model.Missing[model.Range[float64]](model.NotRecorded)
	}
	slices.Sort(l)
	return model.Known(model.Exactly(l[int(math.Ceil(q*float64(len(l))))-1]))
}

func stages(c *report.Comparison, a, b *report.Run) []report.MetricChange {
	var out []report.MetricChange
	if a.Primary < 0 || b.Primary < 0 {
		return out
	}
	x, y := a.Stages[a.Primary].Rows, b.Stages[b.Primary].Rows
	find := func(rows []report.StageRow, id model.StageID) model.Maybe[model.Range[float64]] {
		for _, r := range rows {
			if r.Stage == id {
				return seconds(model.Known(r.Busy))
			}
		}
		return model.Missing[model.Range[float64]](model.NotRecorded)
	}
	var ids []model.StageID
	for _, r := range slices.Concat(x, y) {
		if !slices.Contains(ids, r.Stage) {
			ids = append(ids, r.Stage)
		}
	}
	for _, id := range ids {
		m := report.MetricChange{Name: "stage", Stage: id, HasStage: true, Unit: "s", Base: find(x, id), Next: find(y, id), Verdict: "one_observation"}
		m.Ratio = ratio(m.Base, m.Next)
		if !m.Base.Known() || !m.Next.Known() {
			m.Verdict = "not_observed"
			c.Warnings = append(c.Warnings, model.Say("The stage {} was observed in one run only.", id))
		}
		out = append(out, m)
	}
	return out
}

func windowSeconds(r *report.Run) model.Maybe[model.Range[float64]] {
	if !r.Window.Known {
		return model.Missing[model.Range[float64]](model.ClockUnplaced)
	}
	return seconds(model.Known(r.Window.At.Len()))
}

func seconds(d model.Maybe[time.Duration]) model.Maybe[model.Range[float64]] {
	v, ok := d.Get()
	if !ok {
		return model.Missing[model.Range[float64]](d.Why())
	}
	return model.Known(model.Exactly(v.Seconds()))
}

func count(n model.Maybe[int64]) model.Maybe[model.Range[float64]] {
	v, ok := n.Get()
	if !ok {
		return model.Missing[model.Range[float64]](n.Why())
	}
	return model.Known(model.Exactly(float64(v)))
}

func single(n model.Maybe[float64]) model.Maybe[model.Range[float64]] {
	v, ok := n.Get()
	if !ok {
		return model.Missing[model.Range[float64]](n.Why())
	}
	return model.Known(model.Exactly(v))
}

// peakMemory is the largest reading over all devices of the run.
func peakMemory(r *report.Run) model.Maybe[model.Range[float64]] {
	peak, ok := 0.0, false
	for _, d := range r.Devices {
		for _, m := range d.Metrics {
			if v, known := m.Max.Get(); known && m.Role == model.RoleMemoryUsed {
				peak, ok = max(peak, v), true
			}
		}
	}
	if !ok {
		return model.Missing[model.Range[float64]](model.NotRecorded)
	}
	return model.Known(model.Exactly(peak))
}

// ratio is next/base over all values of both ranges.
func ratio(base, next model.Maybe[model.Range[float64]]) model.Maybe[model.Range[float64]] {
	a, ok := base.Get()
	b, ok2 := next.Get()
	if !ok || !ok2 || a.Lo <= 0 {
		return model.Missing[model.Range[float64]](model.NotComputable)
	}
	return model.Known(model.Range[float64]{Lo: b.Lo / a.Hi, Hi: b.Hi / a.Lo})
}
