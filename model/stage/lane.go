package stage

import (
	"cmp"
	"math"
	"slices"
	"time"

	"tracemerge/model"
)

// NoRow stands for the row of a run that is observed work of no stage.
const NoRow = -1

// A Lane is what runs one thing at a time (a task of a log, a stream, a host
// thread), or a pool of Width such lanes whose members the source does not tell
// apart.
//
// For a log an executor (source, rank, task) whose instances never ran at once
// is one lane. One that overlaps with itself is a pool for each of its stages,
// as wide as the most instances that ran at once. A task that never repeats a
// stage is a piece of work and not a worker: such tasks of one source and rank
// are looked at together.
type Lane struct {
	Source model.SourceID
	Width  int  // lanes in the pool, at least 1
	Serial bool // its runs can never run at once, whatever changes: a stream, a thread
	// Fed lanes begin nothing by themselves: a stream runs what a host thread
	// launches, so what it does in a gap is wait.
	Fed    bool
	Runs   []Run                 // by start; the runs that overlap the window, uncut for a log
	Full   model.Set[model.Time] // where all lanes of the pool ran
	Unsure time.Duration         // how far its clock leaves all of its edges, together
	Clock  int                   // lanes of one number share a clock; 0 is exact
	Step   time.Duration         // resolution of its stamps: each edge lies in [stamp, stamp+Step)
}

// A Run is one stretch of work on a lane.
type Run struct {
	Row  int // index into Table.Rows, or NoRow
	At   model.Interval[model.Time]
	Item int // index into Table.Items, or NoItem for a trace
}

// NoItem stands for a run that is no item of a log.
const NoItem = -1

func (b *basis) lanes(t Table) []Lane {
	numbers := map[clock]int{{}: 0}
	for _, k := range slices.SortedFunc(keys(b.clocks), func(x, y clock) int {
		return cmp.Or(cmp.Compare(x.source, y.source), cmp.Compare(x.domain, y.domain))
	}) {
		numbers[k] = len(numbers)
	}
	row := map[model.StageID]int{}
	for i, r := range t.Rows {
		row[r.Stage] = i
	}
	if b.kind == model.KindTrace {
		return b.traceLanes(t.Window, row, numbers)
	}
	return b.logLanes(t.Window, row, numbers)
}

func keys[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// pool is the part of a log that one lane or pool is made from.
type pool struct {
	executor
	clock   clock
	workers bool // the task repeats a stage, so it is a worker
}

func (b *basis) logLanes(w model.Interval[model.Time], row map[model.StageID]int, numbers map[clock]int) []Lane {
	repeats := b.repeats()
	whole := map[pool][]Instance{}
	var found []pool
	for n, i := range b.items {
		if i.Open {
			continue
		}
		i.item = n
		k := pool{executor: i.executor(), clock: i.clock, workers: repeats[i.executor()]}
		if !k.workers {
			k.task = model.Raw{}
		}
		if whole[k] == nil {
			found = append(found, k)
		}
		whole[k] = append(whole[k], i)
	}
	var out []Lane
	for _, k := range found {
		serial := lane(whole[k], w, row)
		if serial.Width <= 1 {
			serial.Source, serial.Unsure, serial.Clock = k.source, b.clocks[k.clock], numbers[k.clock]
			serial.Serial = k.workers && !k.task.Empty()
			out = append(out, serial)
			continue
		}
		by := map[model.StageID][]Instance{}
		for _, i := range whole[k] {
			by[i.Stage] = append(by[i.Stage], i)
		}
		for _, s := range slices.SortedFunc(keys(by), order) {
			l := lane(by[s], w, row)
			l.Source, l.Unsure, l.Clock = k.source, b.clocks[k.clock], numbers[k.clock]
			out = append(out, l)
		}
	}
	return slices.DeleteFunc(out, func(l Lane) bool { return len(l.Runs) == 0 })
}

// repeats tells which executors run some stage more than once.
func (b *basis) repeats() map[executor]bool {
	type visit struct {
		executor
		stage model.StageID
	}
	seen, out := map[visit]bool{}, map[executor]bool{}
	for _, i := range b.items {
		v := visit{i.executor(), i.Stage}
		if seen[v] {
			out[v.executor] = true
		}
		seen[v] = true
	}
	return out
}

// lane makes a pool from instances ordered by start.
func lane(items []Instance, w model.Interval[model.Time], row map[model.StageID]int) Lane {
	var l Lane
	type change struct {
		at   model.Time
		step int
	}
	var changes []change
	for _, i := range items {
		at := i.At
		// A run within one stamp has a length all the same, up to the resolution.
		within := at.Empty() && i.Resolution > 0 && w.Contains(at.Start)
		if !at.Overlaps(w) && !within {
			continue
		}
		l.Runs = append(l.Runs, Run{row[i.Stage], at, i.item})
		l.Step = max(l.Step, i.Resolution)
		changes = append(changes, change{at.Start, 1}, change{at.End, -1})
	}
	slices.SortFunc(changes, func(x, y change) int {
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.step, y.step)) // ends before starts
	})
	n := 0
	for _, c := range changes {
		n += c.step
		l.Width = max(l.Width, n)
	}
	if len(l.Runs) > 0 {
		l.Width = max(l.Width, 1)
	}
	var full model.SetBuilder[model.Time]
	n = 0
	for i, c := range changes {
		if n == l.Width && i > 0 {
			full.Add(model.Interval[model.Time]{Start: changes[i-1].at, End: c.at})
		}
		n += c.step
	}
	l.Full = full.Set()
	return l
}

// breath is how long a host thread may be silent between two recorded calls and
// still count as working: the interpreter between two operators leaves no record
// (Python's default thread switch interval is 5 ms, sys.getswitchinterval).
const breath = 5 * time.Millisecond

// traceLanes makes one lane for each stream and each host thread.
func (b *basis) traceLanes(w model.Interval[model.Time], row map[model.StageID]int, numbers map[clock]int) []Lane {
	type trackKey struct {
		source model.SourceID
		track  model.TrackID
	}
	by := map[trackKey][]spanSet{}
	var found []trackKey
	for _, s := range b.sets {
		k := trackKey{s.source, s.track}
		if by[k] == nil {
			found = append(found, k)
		}
		by[k] = append(by[k], s)
	}
	var out []Lane
	for _, k := range found {
		l := Lane{Source: k.source, Width: 1}
		var staged, work, wait, all model.Set[model.Time]
		for _, s := range by[k] {
			l.Step = max(l.Step, s.step)
			l.Unsure, l.Clock = max(l.Unsure, b.clocks[s.clock]), max(l.Clock, numbers[s.clock])
			l.Fed = l.Fed || s.kind == model.TrackDevice || s.kind == model.TrackStream
			at := s.at.Within(w)
			switch s.stage {
			case working:
				work = at
				continue
			case waiting:
				wait = at
				continue
			}
			staged = staged.Union(at)
			for _, p := range at.Parts() {
				l.Runs = append(l.Runs, Run{row[s.stage], p, NoItem})
			}
		}
		all = staged.Union(wait)
		work = joined(work.Union(all)).Subtract(all)
		for _, p := range work.Parts() {
			l.Runs = append(l.Runs, Run{NoRow, p, NoItem})
		}
		l.Full = all.Union(work)
		slices.SortFunc(l.Runs, func(x, y Run) int {
			return cmp.Or(cmp.Compare(x.At.Start, y.At.Start), cmp.Compare(x.At.End, y.At.End), cmp.Compare(x.Row, y.Row))
		})
		l.Serial = disjoint(l.Runs)
		out = append(out, l)
	}
	return out
}

// disjoint reports whether no two runs, ordered by start, share an instant.
// Kernels of one stream can: a kernel may be launched to begin before the one
// ahead of it has ended.
func disjoint(runs []Run) bool {
	end := model.Time(math.MinInt64)
	for _, r := range runs {
		if r.At.Start < end {
			return false
		}
		end = max(end, r.At.End)
	}
	return true
}

// joined closes the gaps of a thread's work that are shorter than a breath.
func joined(s model.Set[model.Time]) model.Set[model.Time] {
	var b model.SetBuilder[model.Time]
	parts := s.Parts()
	for i, p := range parts {
		if i > 0 && p.Start-parts[i-1].End < model.Time(breath) {
			p.Start = parts[i-1].End
		}
		b.Add(p)
	}
	return b.Set()
}
