package sample

import (
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// drawn is how many buckets a metric's picture has at most: about one for each
// pixel of a wide screen.
const drawn = 1500

// perPart is how many buckets of a kind one part may have: samples on both sides of a
// hole are not merged, and more holes than that in a part, a 750th of the window, are
// too small to be seen.
const perPart = 6

// A plot thins the samples of one metric for its picture. Up to drawn samples
// are kept as they are; more are merged by equal parts of the window, known ones
// and those without a value apart, keeping the extremes. What was not observed
// between two of them stays between two buckets.
type plot struct {
	start model.Time
	part  time.Duration // 0: nothing is merged
	out   []report.Bucket
	open  [2]struct { // the last bucket without and with a value
		at, part int
		n        int // buckets of the part
		any      bool
	}
	of int64
}

func newPlot(window model.Interval[model.Time], samples int) plot {
	p := plot{start: window.Start}
	if samples > drawn {
		p.part = max(1, window.Len()/(drawn/2)+1)
	}
	return p
}

func (p *plot) add(at model.Time, b report.Bucket) {
	p.of++
	kind := 0
	if b.Known {
		kind = 1
	}
	o := &p.open[kind]
	if p.part > 0 {
		part := int(max(0, time.Duration(at-p.start)) / p.part)
		if !o.any || o.part != part {
			o.n = 0
		}
		if o.n > 0 && (b.Support.Start <= p.out[o.at].Support.End || o.n == perPart) {
			old := &p.out[o.at]
			old.Support.Start = min(old.Support.Start, b.Support.Start)
			old.Support.End = max(old.Support.End, b.Support.End)
			old.Lo, old.Hi, old.N = min(old.Lo, b.Lo), max(old.Hi, b.Hi), old.N+b.N
			return
		}
		o.part = part
		o.n++
	}
	o.at, o.any = len(p.out), true
	p.out = append(p.out, b)
}
