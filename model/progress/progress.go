// Package progress reads what a job got done from the marks of its application
// logs: results, accepted and rejected outputs, errors, retries.
//
// Counts in a log are running totals of a task (CONTRACT's line). A total that
// falls is a restart of its task: what was reached before is kept and the count
// goes on from there. Totals of different tasks, ranks and files add up. What no
// record states stays unknown; a log without any error record shows that none
// was written, which is less than that none happened.
package progress

import (
	"cmp"
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// pointsKept bounds the points handed to the picture; thinning keeps the first
// and the last of each stretch.
const pointsKept = 600

// stated is one mark on the timeline.
type stated struct {
	at model.Time
	model.Mark
}

// Of reads the progress of a run inside its window.
func Of(tl *model.Timeline) report.Progress {
	marks, logs := placedMarks(tl)
	if logs == 0 {
		return nothing(model.NoSource)
	}
	var t totals
	var results []result
	p := report.Progress{FirstResult: model.Missing[time.Duration](model.NotRecorded)}
	for _, m := range marks {
		if m.at < tl.Window.Start {
			t.take(m.Mark)
			t.rebase()
			continue
		}
		if m.at > tl.Window.End {
			break
		}
		if t.take(m.Mark) {
			p.Points = append(p.Points, report.ProgressPoint{At: m.at, Accepted: t.accepted.sum(), Rejected: t.rejected.sum(), Errors: t.errors.sum()})
		}
		if n := t.results(); n > 0 && (len(results) == 0 || n > results[len(results)-1].total) {
			results = append(results, result{m.at, n, m.From})
		}
		if !p.FirstResult.Known() && t.results() > 0 {
			p.FirstResult = model.Known(time.Duration(m.at - tl.Window.Start))
			p.Evidence = append(p.Evidence, report.Evidence{At: m.From, When: model.MomentAt(m.at), What: model.Say("first result stated")})
		}
		if m.Error || m.Retry {
			p.Evidence = append(p.Evidence, report.Evidence{At: m.From, When: model.MomentAt(m.at), What: what(m.Mark)})
		}
	}
	p.Accepted, p.Rejected = t.accepted.sum(), t.rejected.sum()
	p.Errors, p.Retries = t.errors.orRecords(t.errorRecords), t.retries.orRecords(t.retryRecords)
	p.AcceptedPerMinute = perMinute(p.Accepted, tl.Window.Len())
	p.Points = thin(p.Points)
	p.Pace = pace(results)
	return p
}

func what(m model.Mark) model.Phrase {
	switch {
	case m.Retry && m.Error:
		return model.Say("error and retry stated")
	case m.Retry:
		return model.Say("retry stated")
	}
	return model.Say("error stated")
}

func nothing(why model.Reason) report.Progress {
	n := model.Missing[int64](why)
	return report.Progress{FirstResult: model.Missing[time.Duration](why), Accepted: n, Rejected: n, Errors: n, Retries: n,
		AcceptedPerMinute: model.Missing[float64](why), Pace: pace(nil)}
}

// placedMarks returns the marks of all logs on the timeline, by time, and how
// many logs there are.
func placedMarks(tl *model.Timeline) ([]stated, int) {
	logs := 0
	for _, c := range tl.Captures {
		if c.Source.Kind == model.KindLog && c.OnTimeline() {
			logs++
		}
	}
	var out []stated
	for at, m := range tl.Marks() {
		out = append(out, stated{at, m})
	}
	slices.SortStableFunc(out, func(a, b stated) int { return cmp.Compare(a.at, b.at) })
	return out, logs
}

// who keys a running total: a task of a rank in a file.
type who struct {
	source model.SourceID
	task   model.Raw
	rank   int64
	ranked bool
}

// counter sums running totals that may restart.
type counter struct {
	last, done, base map[who]int64
}

func (c *counter) take(w who, v model.Maybe[int64]) bool {
	n, ok := v.Get()
	if !ok {
		return false
	}
	if c.last == nil {
		c.last, c.done, c.base = map[who]int64{}, map[who]int64{}, map[who]int64{}
	}
	if n < c.last[w] {
		c.done[w] += c.last[w]
	}
	c.last[w] = n
	return true
}

// rebase makes what was counted so far not count: it lies before the window.
func (c *counter) rebase() {
	for w, n := range c.last {
		c.base[w] = c.done[w] + n
	}
}

func (c *counter) sum() model.Maybe[int64] {
	if c.last == nil {
		return model.Missing[int64](model.NotRecorded)
	}
	var n int64
	for w, v := range c.last {
		n += v + c.done[w] - c.base[w]
	}
	return model.Known(n)
}

type totals struct {
	accepted, rejected, errors, retries, finished counter
	errorRecords, retryRecords                    map[who]int64
}

// take adds a mark and reports whether a total shown in the picture changed.
func (t *totals) take(m model.Mark) bool {
	w := who{source: m.From.Source, task: m.Task}
	w.rank, w.ranked = m.Rank.Get()
	a, r, e := t.accepted.take(w, m.Accepted), t.rejected.take(w, m.Rejected), t.errors.take(w, m.Errors)
	t.retries.take(w, m.Retries)
	t.finished.take(w, m.Done)
	if t.errorRecords == nil {
		t.errorRecords, t.retryRecords = map[who]int64{}, map[who]int64{}
	}
	if m.Error {
		t.errorRecords[w]++
	}
	if m.Retry {
		t.retryRecords[w]++
	}
	return a || r || e
}

func (t *totals) rebase() {
	for _, c := range []*counter{&t.accepted, &t.rejected, &t.errors, &t.retries, &t.finished} {
		c.rebase()
	}
	t.errorRecords, t.retryRecords = nil, nil
}

// results is the number of results so far: accepted outputs where the log states
// them, else finished units of its progress.
func (t *totals) results() int64 {
	if n, ok := t.accepted.sum().Get(); ok {
		return n
	}
	n, _ := t.finished.sum().Get() // unknown is no result yet
	return n
}

// orRecords adds to the stated totals, for every task that states none, the number
// of its records.
func (c *counter) orRecords(records map[who]int64) model.Maybe[int64] {
	n, _ := c.sum().Get() // no task states a total: the records alone
	for w, k := range records {
		if _, stated := c.last[w]; !stated {
			n += k
		}
	}
	return model.Known(n)
}

func perMinute(n model.Maybe[int64], window time.Duration) model.Maybe[float64] {
	v, ok := n.Get()
	switch {
	case !ok:
		return model.Missing[float64](n.Why())
	case window <= 0:
		return model.Missing[float64](model.NotComputable)
	}
	return model.Known(float64(v) * 60 / window.Seconds())
}

// thin keeps at most pointsKept points, the first and the last among them.
// Totals never fall within a task, so the points kept bound those between.
func thin(in []report.ProgressPoint) []report.ProgressPoint {
	if len(in) <= pointsKept {
		return in
	}
	out := make([]report.ProgressPoint, 0, pointsKept)
	for i := range pointsKept {
		out = append(out, in[i*(len(in)-1)/(pointsKept-1)])
	}
	return out
}
