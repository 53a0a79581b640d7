package render

import (
	"strconv"
	"time"

	"tracemerge/model"
)

// An axis maps a stretch of time onto the width of a picture, in per cent.
type axis struct {
	at    model.Interval[model.Time]
	plain Plain
}

// pos is the position of an instant, cut at the picture's edges.
func (x axis) pos(t model.Time) float64 {
	n := x.at.Len()
	if n <= 0 {
		return 0
	}
	return min(max(float64(t-x.at.Start)/float64(n)*100, 0), 100)
}

// extent is the position and width of an interval's visible part; ok is false
// where nothing of it is visible.
func (x axis) extent(i model.Interval[model.Time]) (left, width string, ok bool) {
	if i.End < x.at.Start || i.Start > x.at.End || x.at.Empty() {
		return "", "", false
	}
	a, b := x.pos(i.Start), x.pos(i.End)
	return per(a), per(max(b-a, leastWidth)), true
}

// leastWidth keeps the shortest interval a shape: one without a width is not
// drawn at all, and neither is its outline.
const leastWidth = 0.00001

// per writes a percentage of the picture. Five decimals are a tenth of a pixel
// on a picture that is zoomed a thousandfold.
func per(v float64) string {
	t := strconv.FormatFloat(v, 'f', 5, 64)
	for len(t) > 1 && t[len(t)-1] == '0' {
		t = t[:len(t)-1]
	}
	if t[len(t)-1] == '.' {
		t = t[:len(t)-1]
	}
	return t + "%"
}

func px(v float64) string {
	return strconv.FormatFloat(float64(int64(v*100+0.5))/100, 'f', -1, 64)
}

// humanSteps are the distances between ticks from one second upwards that people
// count in; below a second it is 1, 2, 5 and their tenths.
var humanSteps = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour,
	24 * time.Hour, 48 * time.Hour, 7 * 24 * time.Hour, 28 * 24 * time.Hour,
}

// tickStep is the smallest human step that gives at most n intervals.
func tickStep(whole time.Duration, n int) time.Duration {
	if whole <= 0 || n <= 0 {
		return time.Second
	}
	for base := time.Duration(1); base < time.Second; base *= 10 {
		for _, k := range []time.Duration{1, 2, 5} {
			if whole/(base*k) <= time.Duration(n) {
				return base * k
			}
		}
	}
	for _, s := range humanSteps {
		if whole/s <= time.Duration(n) {
			return s
		}
	}
	return whole
}

const ticksPerAxis = 8

// most is how many ticks have room; those with a date, or far from second 0
// of a short axis, need more of it.
func (x axis) most() int {
	if x.at.Len() >= 24*time.Hour || time.Duration(x.at.End-x.plain.Start) > 10_000*x.at.Len() {
		return ticksPerAxis / 2
	}
	return ticksPerAxis
}

// ticks are the instants that the axis names, from its start.
func (x axis) ticks() []model.Time {
	step := tickStep(x.at.Len(), x.most())
	first := time.Duration(x.at.Start - x.plain.Start)
	k := first / step
	if k*step < first {
		k++
	}
	var out []model.Time
	for at := x.plain.Start + model.Time(k*step); at <= x.at.End; at += model.Time(step) {
		out = append(out, at)
		if len(out) > 4*ticksPerAxis {
			break
		}
	}
	return out
}

// tickText is the first line of a tick: seconds since the window's start.
func (x axis) tickText(t model.Time) string {
	whole := max(time.Duration(x.at.End-x.plain.Start), x.at.Len())
	s := ScaleFor(whole)
	s.decimals = 0
	for unit := time.Duration(s.unit.ns); unit > 1 && tickStep(x.at.Len(), x.most())%unit != 0; unit /= 10 {
		s.decimals++
	}
	d := time.Duration(t - x.plain.Start)
	if d == 0 {
		return "0" + noBreak + s.unit.name
	}
	return s.Text(d)
}

// tickClock is the second line: the time of day, or hours and minutes from the
// start where the page shows no dates and the run is long.
func (x axis) tickClock(t model.Time) string {
	if x.plain.Relative || x.plain.OwnClock {
		if x.at.Len() < 10*time.Minute {
			return ""
		}
		d := time.Duration(t - x.plain.Start).Round(time.Second)
		return strconv.Itoa(int(d/time.Hour)) + ":" + two(int(d/time.Minute)%60) + ":" + two(int(d/time.Second)%60)
	}
	at := x.plain.in(t)
	if x.at.Len() >= 24*time.Hour {
		return at.Format("02 Jan 15:04")
	}
	if x.at.Len() < 10*time.Second {
		return at.Format("15:04:05.000")
	}
	return at.Format("15:04:05")
}

func two(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}
