package whatif

import (
	"cmp"
	"maps"
	"math/big"
	"math/bits"
	"slices"
	"time"

	"tracemerge/model"
	"tracemerge/model/stage"
)

// mask is a set of stages by bit, and what else may have run.
type mask uint64

const (
	stageBits      = 60
	fixed     mask = 1 << 60 // observed work that no factor changes
	hidden    mask = 1 << 61 // possible unobserved work in a lane's gap
	unknown   mask = 1 << 62 // anything may have run
	stages    mask = 1<<stageBits - 1
)

// piece says what ran in a piece of the window: sure ran; maybe may have, since
// it lies within the clock uncertainty of an edge.
type piece struct{ sure, maybe mask }

// A profile is the window as lengths by what ran. Its size is that of the
// combinations that occur, not of the window.
type profile struct {
	pieces []piece // sorted
	length []time.Duration
}

// layers are the sets of one clock, each with its bit.
type layers struct {
	sets []model.Set[model.Time]
	bits []piece
}

func (l *layers) add(s model.Set[model.Time], p piece) {
	if !s.Empty() {
		l.sets = append(l.sets, s)
		l.bits = append(l.bits, p)
	}
}

func newProfile(w model.Interval[model.Time], l layers) profile {
	sum := map[piece]time.Duration{}
	stage.Sweep(l.sets, w, func(at model.Interval[model.Time], active []int) {
		var p piece
		for _, i := range active {
			p.sure |= l.bits[i].sure
			p.maybe |= l.bits[i].maybe
		}
		sum[p] += at.Len()
	})
	var out profile
	out.pieces = slices.SortedFunc(maps.Keys(sum), func(x, y piece) int {
		return cmp.Or(cmp.Compare(x.sure, y.sure), cmp.Compare(x.maybe, y.maybe))
	})
	for _, p := range out.pieces {
		out.length = append(out.length, sum[p])
	}
	return out
}

// Strength says what is assumed about work that nobody recorded.
type Strength uint8

// The strengths, from the weakest assumption to the strongest.
const (
	HiddenWaits Strength = iota
	HiddenActivity
	ObservedOnly
)

// String returns the name of the strength as the summary JSON spells it.
func (s Strength) String() string {
	return [...]string{"hidden_waits", "hidden_activity", "observed_only"}[s]
}

// factors are the factors of one scenario by bit; nil is 1.
type factors [stageBits]*big.Rat

// extremes returns the smallest and the largest factor of a piece.
func (f *factors) extremes(p piece, s Strength) (lo, hi *big.Rat) {
	take := func(x *big.Rat) { lo, hi = least(lo, x), most(hi, x) }
	each := func(m mask) {
		for m &= stages; m != 0; m &= m - 1 {
			x := f[bits.TrailingZeros64(uint64(m))]
			if x == nil {
				x = one
			}
			take(x)
		}
	}
	each(p.sure | p.maybe)
	if p.sure&unknown != 0 {
		for _, x := range f {
			if x != nil {
				take(x)
			}
		}
	}
	free := p.sure&stages == 0 || p.sure&(fixed|unknown) != 0 || p.maybe&fixed != 0 || s == HiddenWaits ||
		s == HiddenActivity && (p.sure|p.maybe)&hidden != 0
	if free {
		take(one)
	}
	return lo, hi
}

// total bounds the new length of the window.
func (p profile) total(f *factors, s Strength) span {
	out := span{new(big.Rat), new(big.Rat)}
	for i, x := range p.pieces {
		lo, hi := f.extremes(x, s)
		d := nanoseconds(p.length[i])
		out.lo.Add(out.lo, new(big.Rat).Mul(lo, d))
		out.hi.Add(out.hi, new(big.Rat).Mul(hi, d))
	}
	return out
}
