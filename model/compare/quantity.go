package compare

import (
	"math"
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// value is one quantity of which a run has one value.
type value struct {
	name, unit string
	of         func(*report.Run) model.Maybe[model.Range[float64]]
}

var valueTable = []value{
	{"window", "s", windowSeconds},
	{"first result", "s", func(r *report.Run) model.Maybe[model.Range[float64]] { return seconds(r.Progress.FirstResult) }},
	{"accepted per minute", "1/min", func(r *report.Run) model.Maybe[model.Range[float64]] { return single(r.Progress.AcceptedPerMinute) }},
	{"accepted per GPU-hour", "1/h", acceptedPerGPUHour},
	{"batch latency, 95th percentile", "s", func(r *report.Run) model.Maybe[model.Range[float64]] { return percentile(r, 95) }},
	{"batch latency, 99th percentile", "s", func(r *report.Run) model.Maybe[model.Range[float64]] { return percentile(r, 99) }},
	{"accepted", "1", func(r *report.Run) model.Maybe[model.Range[float64]] { return count(r.Progress.Accepted) }},
	{"rejected", "1", func(r *report.Run) model.Maybe[model.Range[float64]] { return count(r.Progress.Rejected) }},
	{"errors", "1", func(r *report.Run) model.Maybe[model.Range[float64]] { return count(r.Progress.Errors) }},
	{"retries", "1", func(r *report.Run) model.Maybe[model.Range[float64]] { return count(r.Progress.Retries) }},
	{"peak device memory used", "MiB", peakMemory},
	{"GPU compute share of the window", "1", func(r *report.Run) model.Maybe[model.Range[float64]] { return r.GPUShare }},
	{"declared quality", "1", declaredQuality},
}

func metrics(a, b *report.Run, floors map[string]float64) []report.MetricChange {
	var out []report.MetricChange
	for _, s := range seriesTable {
		out = append(out, held(report.MetricChange{Name: s.name, BaseCovered: s.covered(a), NextCovered: s.covered(b)}, s.what, s.of(a), s.of(b), floors[s.name]))
	}
	for _, v := range valueTable {
		none := model.Missing[float64](model.NotApplicable)
		m := report.MetricChange{Name: v.name, Unit: v.unit, Base: v.of(a), Next: v.of(b), BaseCovered: none, NextCovered: none}
		m.Ratio = ratio(m.Base, m.Next)
		m.Verdict = report.OneObservation
		if !m.Base.Known() || !m.Next.Known() {
			m.Verdict = report.NotObserved
		}
		out = append(out, m)
	}
	return out
}

// percentile is the nearest-rank percentile of the batch latency. Below 100/(100-q)
// batches it would be the longest one, and is not stated.
func percentile(r *report.Run, q int) model.Maybe[model.Range[float64]] {
	l := lengths(r)
	switch {
	case len(l) == 0:
		return model.Missing[model.Range[float64]](model.NotRecorded)
	case len(l)*(100-q) < 100:
		return model.Missing[model.Range[float64]](model.NotComputable)
	}
	slices.Sort(l)
	return model.Known(model.Exactly(l[(q*len(l)+99)/100-1]))
}

// stages compares the stages of the primary bases: their time in a batch, which
// has a spread, and their total, which has none. A total is as much longer as the
// window was not observed.
func stages(c *report.Comparison, a, b *report.Run) []report.MetricChange {
	var out []report.MetricChange
	if a.Primary < 0 || b.Primary < 0 {
		return out
	}
	x, y := &a.Stages[a.Primary], &b.Stages[b.Primary]
	var ids []model.StageID
	for _, r := range slices.Concat(x.Rows, y.Rows) {
		if !slices.Contains(ids, r.Stage) {
			ids = append(ids, r.Stage)
		}
	}
	for _, id := range ids {
		m := report.MetricChange{Name: "stage", Stage: id, HasStage: true, Unit: "s", Base: total(x, id), Next: total(y, id),
			BaseCovered: tableCovered(x), NextCovered: tableCovered(y), Verdict: report.OneObservation}
		m.Ratio = ratio(m.Base, m.Next)
		if !m.Base.Known() || !m.Next.Known() {
			m.Verdict = report.NotObserved
			c.Warnings = append(c.Warnings, model.Say("The stage {} was observed in one run only.", id))
		}
		out = append(out, m)
		p, q := busyOf(a, id), busyOf(b, id)
		if len(p) == 0 || len(q) == 0 {
			continue
		}
		each := report.MetricChange{Name: "stage in a batch, median", Stage: id, HasStage: true, BaseCovered: m.BaseCovered, NextCovered: m.NextCovered}
		out = append(out, held(each, model.Say("The time of the stage within one batch or step"), p, q, 0))
	}
	return out
}

func total(t *report.StageTable, id model.StageID) model.Maybe[model.Range[float64]] {
	for _, r := range t.Rows {
		if r.Stage == id {
			return model.Known(model.Range[float64]{Lo: r.Busy.Seconds(), Hi: (r.Busy + t.Accounted.Unknown).Seconds()})
		}
	}
	return model.Missing[model.Range[float64]](model.NotRecorded)
}

func tableCovered(t *report.StageTable) model.Maybe[float64] {
	return shareOf(t.Window.Len()-t.Accounted.Unknown, t.Window.Len())
}

// busyOf is the time of a stage in every steady batch or step, in order.
func busyOf(r *report.Run, id model.StageID) []float64 {
	if len(r.Waterfalls) == 0 {
		return nil
	}
	b := &r.Waterfalls[0].Batches
	i := slices.Index(b.Stages, id)
	if i < 0 || i >= len(b.Busy) {
		return nil
	}
	var out []float64
	for _, d := range b.Busy[i] {
		out = append(out, d.Seconds())
	}
	return out
}

func windowSeconds(r *report.Run) model.Maybe[model.Range[float64]] {
	if !r.Window.Known {
		return model.Missing[model.Range[float64]](model.ClockUnplaced)
	}
	return seconds(model.Known(r.Window.At.Len()))
}

func declaredQuality(r *report.Run) model.Maybe[model.Range[float64]] {
	if !r.Declared.Quality.Value.Known() {
		return model.Missing[model.Range[float64]](model.NotDeclared)
	}
	return single(r.Declared.Quality.Value)
}

func acceptedPerGPUHour(r *report.Run) model.Maybe[model.Range[float64]] {
	n, ok := r.Progress.Accepted.Get()
	if !ok {
		return model.Missing[model.Range[float64]](r.Progress.Accepted.Why())
	}
	hours := r.GPUHours()
	h, ok := hours.Get()
	switch {
	case !ok:
		return model.Missing[model.Range[float64]](hours.Why())
	case h <= 0:
		return model.Missing[model.Range[float64]](model.NotComputable)
	}
	return model.Known(model.Exactly(float64(n) / h))
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

// round keeps three significant digits, for a sentence.
func round(v float64) float64 {
	if v <= 0 {
		return v
	}
	scale := math.Pow(10, 2-math.Floor(math.Log10(v)))
	return math.Round(v*scale) / scale
}
