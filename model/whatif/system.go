package whatif

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/stage"
)

// A system is a table made ready for scenarios.
type system struct {
	t        *stage.Table
	bit      []int              // of each row; -1 for a row beyond the bits, whose factor stays 1
	profiles []profile          // one, or one for each relative shift of the clocks that matters
	serial   []map[int]workload // of each lane that runs one thing at a time: its time by row

	replay   replayer     // nil where there is none
	noReplay model.Reason // why
	claim    model.Phrase // what the replay adds to the bounds

	gaps      map[int]model.Set[model.Time]
	undecided time.Duration // of the window, by the resolution of the stamps
	coarse    []profile     // like profiles, with every edge anywhere within the resolution; made when needed
}

// workload is what a lane has to do: by the stamps, and at least if each edge
// lies within the resolution.
type workload struct{ stamped, least time.Duration }

// newSystem chooses the bits: the stages that scenarios name, then those that
// ran longest.
func newSystem(t *stage.Table, asked []wish, tolerance time.Duration) *system {
	y := &system{t: t, bit: make([]int, len(t.Rows))}
	named := map[int]bool{}
	for _, r := range asked {
		for _, c := range r.Changes {
			named[t.Row(c.Stage)] = true
		}
	}
	byUse := make([]int, len(t.Rows))
	for i := range byUse {
		byUse[i] = i
	}
	first := func(i int) int {
		if named[i] {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(byUse, func(a, b int) int {
		return cmp.Or(cmp.Compare(first(a), first(b)), cmp.Compare(t.Rows[b].Busy, t.Rows[a].Busy))
	})
	for n, i := range byUse {
		y.bit[i] = n
		if n >= stageBits {
			y.bit[i] = -1
		}
	}
	y.gaps, y.undecided = Gaps(t, tolerance), t.Undecided()
	y.replay, y.claim, y.noReplay = replayOf(t, tolerance)
	y.profiles = y.layout(y.gaps)
	for _, l := range t.Lanes {
		if !l.Serial {
			continue
		}
		sum := map[int]workload{}
		for _, r := range l.Runs {
			if r.Row == stage.NoRow {
				continue // a recorded call may itself be a wait: a launch blocks while the queue is full
			}
			d := r.At.Intersect(t.Window).Len()
			w := sum[r.Row]
			sum[r.Row] = workload{w.stamped + d, w.least + max(0, d-l.Step)}
		}
		y.serial = append(y.serial, sum)
	}
	return y
}

func (y *system) mask(row int) mask {
	if row == stage.NoRow || y.bit[row] < 0 {
		return fixed
	}
	return 1 << y.bit[row]
}

// bounds combines the profiles and the lanes that run one thing at a time: the
// run is not shorter than what one of them has to do.
func (y *system) bounds(f *factors, s Strength) span {
	var out span
	coarse := y.carries(f)
	profiles := y.profiles
	if coarse {
		profiles = y.coarsely()
	}
	for _, p := range profiles {
		b := p.total(f, s)
		out.lo, out.hi = least(b.lo, out.lo), most(b.hi, out.hi)
	}
	if coarse {
		out = y.looseEnds(f, out)
	}
	for _, lane := range y.serial {
		need := new(big.Rat)
		for row, w := range lane {
			d := w.stamped
			if coarse {
				d = w.least
			}
			need.Add(need, new(big.Rat).Mul(y.factor(f, row), nanoseconds(d)))
		}
		out.lo = most(out.lo, need)
	}
	out.hi = most(out.hi, out.lo)
	return out
}

// looseEnds allows for the window's own ends, which are stamps too: it may begin
// and end up to a step later. Where no factor changes anything, nothing does.
func (y *system) looseEnds(f *factors, b span) span {
	low, high, changed := one, one, false
	for _, x := range f {
		if x != nil {
			low, high, changed = least(low, x), most(high, x), changed || x.Cmp(one) != 0
		}
	}
	if !changed {
		return b
	}
	var step time.Duration
	for _, l := range y.t.Lanes {
		step = max(step, l.Step)
	}
	d := nanoseconds(step)
	lo := new(big.Rat).Sub(b.lo, new(big.Rat).Mul(low, d))
	return span{most(lo, new(big.Rat)), new(big.Rat).Add(b.hi, new(big.Rat).Mul(high, d))}
}

// carries reports whether the resolution of the stamps may move a total by more
// than the table leaves out.
func (y *system) carries(f *factors) bool {
	if y.undecided <= 0 {
		return false
	}
	effect := one
	for _, x := range f {
		if x != nil {
			effect = most(effect, new(big.Rat).Sub(x, one))
		}
	}
	return y.t.Carries(floor(new(big.Rat).Mul(effect, nanoseconds(y.undecided))))
}

// coarsely returns the profiles in which every edge may lie anywhere within its
// stamp's resolution.
func (y *system) coarsely() []profile {
	if y.coarse != nil {
		return y.coarse
	}
	clocks := y.clocks()
	order := slices.Sorted(maps.Keys(clocks))
	if len(order) == 2 {
		if p, ok := y.shifted(order, clocks[order[0]]+clocks[order[1]], y.spreadLayers); ok {
			y.coarse = p
			return p
		}
	}
	var l layers
	for _, c := range order {
		w := clocks[c]
		if len(order) < 2 {
			w = 0 // lanes of one clock cannot shift against each other
		}
		y.spread(&l, c, w)
	}
	l.add(y.t.Unobserved, piece{sure: unknown})
	y.coarse = []profile{newProfile(y.t.Window, l)}
	return y.coarse
}

func (y *system) spreadLayers(c int) layers {
	var l layers
	y.spread(&l, c, 0)
	return l
}

// spread adds the lanes of a clock with every edge anywhere within the width of
// the clock and the resolution of the stamp. A lane may have done unrecorded
// work between two runs whose stamps leave no gap.
func (y *system) spread(l *layers, c int, width time.Duration) {
	sure, possible := make([][]model.Interval[model.Time], len(y.t.Rows)+1), make([][]model.Interval[model.Time], len(y.t.Rows)+1)
	var step time.Duration
	var between []model.Interval[model.Time]
	for _, x := range y.t.Lanes {
		if x.Clock != c {
			continue
		}
		step = max(step, x.Step)
		for row := stage.NoRow; row < len(y.t.Rows); row++ {
			in, out := x.Spread(row, width)
			sure[row+1] = append(sure[row+1], in.Parts()...)
			possible[row+1] = append(possible[row+1], out.Subtract(in).Parts()...)
		}
		if !x.Fed {
			between = append(between, widen(x.Zones(), model.Time(width)).Parts()...)
		}
	}
	for row := stage.NoRow; row < len(y.t.Rows); row++ {
		l.add(model.NewSet(sure[row+1]...), piece{sure: y.mask(row)})
		l.add(model.NewSet(possible[row+1]...), piece{maybe: y.mask(row)})
	}
	for _, p := range y.gaps[c].Parts() {
		between = append(between, model.Interval[model.Time]{Start: p.Start - model.Time(width), End: p.End + model.Time(width+step)})
	}
	l.add(model.NewSet(between...), piece{sure: hidden})
}

// clocks are the clocks of the lanes and how far each leaves its edges.
func (y *system) clocks() map[int]time.Duration {
	out := map[int]time.Duration{}
	for _, l := range y.t.Lanes {
		out[l.Clock] = max(out[l.Clock], l.Unsure)
	}
	return out
}

func (y *system) factor(f *factors, row int) *big.Rat {
	if y.bit[row] < 0 || f[y.bit[row]] == nil {
		return one
	}
	return f[y.bit[row]]
}

// layout makes the profiles. Lanes that share a clock cannot shift against each
// other. Two clocks can by the sum of their widths: bounds are piecewise linear
// in the shift, with kinks only where an edge of one meets an edge of the other
// or of the window, so these shifts are tried one by one. Where they are too
// many, or the clocks are more than two, every edge of an uncertain clock is
// taken to lie anywhere within its width: wider, and never wrong.
func (y *system) layout(gaps map[int]model.Set[model.Time]) []profile {
	clocks := y.clocks()
	order := slices.Sorted(maps.Keys(clocks))
	switch len(order) {
	case 0, 1:
		var l layers
		y.rows(&l)
		y.rest(&l, gaps)
		return []profile{newProfile(y.t.Window, l)}
	case 2:
		if p, ok := y.shifted(order, clocks[order[0]]+clocks[order[1]], func(c int) layers { return y.clockLayers(c, gaps) }); ok {
			return p
		}
	}
	return []profile{y.loose(gaps)}
}

// rows adds the stages as the table has them.
func (y *system) rows(l *layers) {
	for i, r := range y.t.Rows {
		l.add(r.Set, piece{sure: y.mask(i)})
	}
	var calls []model.Interval[model.Time]
	for _, x := range y.t.Lanes {
		calls = append(calls, runs(x, stage.NoRow).Parts()...)
	}
	l.add(model.NewSet(calls...), piece{sure: fixed})
}

func (y *system) rest(l *layers, gaps map[int]model.Set[model.Time]) {
	l.add(y.t.Unobserved, piece{sure: unknown})
	for _, c := range slices.Sorted(maps.Keys(gaps)) {
		l.add(gaps[c], piece{sure: hidden})
	}
}

// runs is where a lane ran the row.
func runs(l stage.Lane, row int) model.Set[model.Time] {
	var b model.SetBuilder[model.Time]
	for _, r := range l.Runs {
		if r.Row == row {
			b.Add(r.At)
		}
	}
	return b.Set()
}

// maxShifts and maxWork bound the shifts that are tried one by one, and the
// edges that are swept for it.
const (
	maxShifts = 4096
	maxWork   = 20_000_000
)

func (y *system) shifted(clocks []int, width time.Duration, of func(clock int) layers) ([]profile, bool) {
	still, moving := of(clocks[0]), of(clocks[1])
	still.add(y.t.Unobserved, piece{sure: unknown})
	fixedEdges := append(edges(still), y.t.Window.Start, y.t.Window.End)
	moved := edges(moving)
	w := model.Time(width)
	shifts := map[model.Time]bool{-w: true, w: true}
	slices.Sort(fixedEdges)
	for _, b := range moved {
		i, _ := slices.BinarySearch(fixedEdges, b-w)
		for ; i < len(fixedEdges) && fixedEdges[i] < b+w; i++ {
			shifts[fixedEdges[i]-b] = true
		}
		if len(shifts) > maxShifts || len(shifts)*(len(moved)+len(fixedEdges)) > maxWork {
			return nil, false
		}
	}
	var out []profile
	for _, d := range slices.Sorted(maps.Keys(shifts)) {
		l := layers{slices.Clone(still.sets), slices.Clone(still.bits)}
		for i, s := range moving.sets {
			l.add(shift(s, d), moving.bits[i])
		}
		out = append(out, newProfile(y.t.Window, l))
	}
	return out, true
}

// clockLayers are the sets of the lanes of one clock.
func (y *system) clockLayers(c int, gaps map[int]model.Set[model.Time]) layers {
	var l layers
	byRow := map[int]model.Set[model.Time]{}
	for _, x := range y.t.Lanes {
		if x.Clock != c {
			continue
		}
		for row := stage.NoRow; row < len(y.t.Rows); row++ {
			byRow[row] = byRow[row].Union(runs(x, row))
		}
	}
	for _, row := range slices.Sorted(maps.Keys(byRow)) {
		l.add(byRow[row], piece{sure: y.mask(row)})
	}
	l.add(gaps[c], piece{sure: hidden})
	return l
}

func edges(l layers) []model.Time {
	var out []model.Time
	for _, s := range l.sets {
		for _, p := range s.Parts() {
			out = append(out, p.Start, p.End)
		}
	}
	return out
}

func shift(s model.Set[model.Time], d model.Time) model.Set[model.Time] {
	var b model.SetBuilder[model.Time]
	for _, p := range s.Parts() {
		b.Add(model.Interval[model.Time]{Start: p.Start + d, End: p.End + d})
	}
	return b.Set()
}

// loose lets every edge of an uncertain clock lie anywhere within its width.
func (y *system) loose(gaps map[int]model.Set[model.Time]) profile {
	widths := map[int]model.Time{}
	sure, maybe := make([][]model.Interval[model.Time], len(y.t.Rows)+1), make([][]model.Interval[model.Time], len(y.t.Rows)+1)
	for _, x := range y.t.Lanes {
		w := model.Time(x.Unsure)
		widths[x.Clock] = max(widths[x.Clock], w)
		for row := stage.NoRow; row < len(y.t.Rows); row++ {
			in, out := blur(runs(x, row), w)
			sure[row+1] = append(sure[row+1], in.Parts()...)
			maybe[row+1] = append(maybe[row+1], out.Parts()...)
		}
	}
	var l layers
	for row := stage.NoRow; row < len(y.t.Rows); row++ {
		l.add(model.NewSet(sure[row+1]...), piece{sure: y.mask(row)})
		l.add(model.NewSet(maybe[row+1]...), piece{maybe: y.mask(row)})
	}
	l.add(y.t.Unobserved, piece{sure: unknown})
	for _, c := range slices.Sorted(maps.Keys(gaps)) {
		l.add(widen(gaps[c], widths[c]), piece{sure: hidden})
	}
	return newProfile(y.t.Window, l)
}

// blur splits a set into where it is for any shift up to w, and where it may be.
func blur(s model.Set[model.Time], w model.Time) (sure, maybe model.Set[model.Time]) {
	var in model.SetBuilder[model.Time]
	for _, p := range s.Parts() {
		in.Add(model.Interval[model.Time]{Start: p.Start + w, End: p.End - w})
	}
	sure = in.Set()
	return sure, widen(s, w).Subtract(sure)
}

func widen(s model.Set[model.Time], w model.Time) model.Set[model.Time] {
	var b model.SetBuilder[model.Time]
	for _, p := range s.Parts() {
		b.Add(model.Interval[model.Time]{Start: p.Start - w, End: p.End + w})
	}
	return b.Set()
}
