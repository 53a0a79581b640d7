package render

import (
	"math"
	"strconv"
	"strings"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/render/redact"
)

// Plain writes measurements in plain words; sentences and tables use it alike.
// The zero value writes instants in UTC.
type Plain struct {
	Zone     *time.Location // of instants; nil: UTC
	Relative bool           // instants as seconds from Start, no dates
	OwnClock bool           // instants are readings of a source's own clock, no calendar
	Start    model.Time     // start of the run's window
	// Windows are those of all runs; an instant inside one of them is written
	// from its start instead of from Start.
	Windows []model.Interval[model.Time]
}

// PlainFor returns the writer of measurements for the sentences of a report.
func PlainFor(rep *report.Report, opt Options) Plain {
	p := Plain{Zone: opt.Zone, Relative: opt.Relative, OwnClock: len(rep.Runs) > 0}
	for i := range rep.Runs {
		w := rep.Runs[i].Window
		p.OwnClock = p.OwnClock && !w.UTC
		if w.Known {
			p.Windows = append(p.Windows, w.At)
		}
		if i == 0 {
			p.Start = w.At.Start
		}
	}
	return p
}

var _ redact.Values = Plain{}

// Signs that the page uses.
const (
	enDash    = "–"
	minusSign = "−"
	thinSpace = "\u202f"
	noBreak   = "\u00a0"
)

// A timeUnit is a scale for durations.
type timeUnit struct {
	name string
	ns   float64
	exp  int // decimal places of the unit down to 1 ns
}

// Seconds are the unit of everything a person waits for; smaller units begin
// where the largest value of a column is below 0.1 of the unit above.
var timeUnits = []timeUnit{{"s", 1e9, 9}, {"ms", 1e6, 6}, {"µs", 1e3, 3}, {"ns", 1, 0}}

// A Scale is the unit and the number of decimals that a column of durations
// shares, so that its figures can be compared by eye.
type Scale struct {
	unit     timeUnit
	decimals int
}

// ScaleFor chooses the scale of a column: the unit by the largest value, the
// decimals so that the smallest value above 0 keeps three significant digits, as
// long as the largest does not need more than six. What is below 1000 keeps one
// decimal, so that 300.0 s and 180.2 s stand alike.
func ScaleFor(ds ...time.Duration) Scale {
	var largest, smallest time.Duration
	for _, d := range ds {
		d = d.Abs()
		largest = max(largest, d)
		if d > 0 && (smallest == 0 || d < smallest) {
			smallest = d
		}
	}
	unit := timeUnits[0]
	if largest > 0 {
		for _, u := range timeUnits {
			unit = u
			if float64(largest) >= u.ns/10 {
				break
			}
		}
	}
	dec := max(digitsFor(float64(largest)/unit.ns, 3), digitsFor(float64(smallest)/unit.ns, 3))
	if float64(largest)/unit.ns < 1000 {
		dec = max(dec, 1)
	}
	dec = min(dec, max(digitsFor(float64(largest)/unit.ns, 6), 1), unit.exp)
	return Scale{unit, max(dec, 0)}
}

// digitsFor is the number of decimals that gives v n significant digits.
func digitsFor(v float64, n int) int {
	if v <= 0 {
		return 0
	}
	return max(n-1-int(math.Floor(math.Log10(v))), 0)
}

// Unit is the unit's sign.
func (s Scale) Unit() string { return s.unit.name }

// Bare writes the value without its unit. A value above 0 that the scale would
// round to 0 is written as less than the smallest step.
func (s Scale) Bare(d time.Duration) string {
	v := float64(d) / s.unit.ns
	t := strconv.FormatFloat(v, 'f', s.decimals, 64)
	if d != 0 && isZeroText(t) {
		if d < 0 {
			return "> " + minusSign + step(s.decimals)
		}
		return "< " + step(s.decimals)
	}
	return tidy(t)
}

// Text writes the value with its unit.
func (s Scale) Text(d time.Duration) string { return s.Bare(d) + noBreak + s.unit.name }

// Range writes two bounds, once if they read the same. Bounds are rounded to the
// nearest like every other figure, so that a bound reads the same wherever it
// stands; the exact ones stand in the tooltip and in the summary JSON.
func (s Scale) Range(lo, hi time.Duration) string {
	return s.bounds(lo, hi) + noBreak + s.unit.name
}

func (s Scale) bounds(lo, hi time.Duration) string {
	a, b := s.Bare(lo), s.Bare(hi)
	if a == b {
		return a
	}
	return joinRange(a, b)
}

// joinRange puts an en dash between two bounds, with spaces where a bound has a
// sign of its own.
func joinRange(a, b string) string {
	if strings.ContainsAny(a+b, minusSign+"<>∞") {
		return a + " to " + b
	}
	return a + enDash + b
}

func step(decimals int) string {
	if decimals == 0 {
		return "1"
	}
	return "0." + strings.Repeat("0", decimals-1) + "1"
}

func isZeroText(t string) bool { return strings.Trim(t, "-0.") == "" }

// tidy replaces the hyphen of a negative number by a minus sign and groups the
// thousands of a number of five digits or more.
func tidy(t string) string {
	neg := strings.HasPrefix(t, "-")
	t = strings.TrimPrefix(t, "-")
	if isZeroText(t) {
		neg = false
	}
	whole, frac, _ := strings.Cut(t, ".")
	if len(whole) >= 5 {
		var b strings.Builder
		for i, r := range whole {
			if i > 0 && (len(whole)-i)%3 == 0 {
				b.WriteString(thinSpace)
			}
			b.WriteRune(r)
		}
		whole = b.String()
	}
	if frac != "" {
		whole += "." + frac
	}
	if neg {
		return minusSign + whole
	}
	return whole
}

// Duration writes a duration by itself, with at least three significant digits.
func (p Plain) Duration(d time.Duration) string { return ScaleFor(d).Text(d) }

// Spoken writes a long duration as people say it, "2 h 13 min"; empty below ten
// minutes, where seconds are as good.
func (p Plain) Spoken(d time.Duration) string {
	if d < 10*time.Minute {
		return ""
	}
	d = d.Round(time.Second)
	out, left := "", 2
	for _, u := range []struct {
		name string
		is   time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"min", time.Minute}, {"s", time.Second}} {
		if n := d / u.is; n > 0 && left > 0 {
			out = join(out, strconv.Itoa(int(n))+noBreak+u.name)
			d -= n * u.is
			left--
		} else if out != "" {
			left--
		}
	}
	return out
}

// DurationRange writes two bounds on one scale.
func (p Plain) DurationRange(r model.Range[time.Duration]) string {
	return ScaleFor(r.Lo, r.Hi).Range(r.Lo, r.Hi)
}

// Exact writes a duration in seconds to the nanosecond, without trailing zeros.
func Exact(d time.Duration) string {
	neg := ""
	u := uint64(d)
	if d < 0 {
		neg, u = "-", -u
	}
	t := strconv.FormatUint(u/1e9, 10)
	if frac := u % 1e9; frac != 0 {
		f := strconv.FormatUint(frac+1e9, 10)[1:]
		t += "." + strings.TrimRight(f, "0")
	}
	return neg + t
}

// Number writes a number with at least three significant digits; whole numbers
// stay whole.
func (p Plain) Number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "not a number"
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return minusSign + "∞"
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		return tidy(strconv.FormatFloat(v, 'f', 0, 64))
	case math.Abs(v) >= 1e15 || math.Abs(v) < 1e-4:
		return strings.NewReplacer("e-0", "e"+minusSign, "e-", "e"+minusSign, "e+", "e").Replace(strconv.FormatFloat(v, 'e', 3, 64))
	}
	return tidy(strconv.FormatFloat(v, 'f', digitsFor(math.Abs(v), 3), 64))
}

// Count writes a whole number.
func (p Plain) Count(n int64) string { return tidy(strconv.FormatInt(n, 10)) }

// NumberRange writes two bounds with the same number of decimals.
func (p Plain) NumberRange(r model.Range[float64]) string {
	a, b := p.Number(r.Lo), p.Number(r.Hi)
	if !math.IsInf(r.Lo, 0) && !math.IsInf(r.Hi, 0) && max(math.Abs(r.Lo), math.Abs(r.Hi)) < 1e15 {
		dec := max(decimalsOf(a), decimalsOf(b))
		if dec <= 6 {
			a, b = tidy(strconv.FormatFloat(r.Lo, 'f', dec, 64)), tidy(strconv.FormatFloat(r.Hi, 'f', dec, 64))
		}
	}
	if a == b {
		return a
	}
	return joinRange(a, b)
}

func decimalsOf(t string) int {
	if _, f, ok := strings.Cut(t, "."); ok {
		return len(f)
	}
	return 0
}

// Percent writes a share of 1 as a percentage with one decimal. What is above 0
// and rounds to 0 is written as less than the smallest step.
func (p Plain) Percent(v float64) string { return percentBare(v) + noBreak + "%" }

// PercentRange writes two bounds of a share of 1.
func (p Plain) PercentRange(r model.Range[float64]) string {
	a, b := percentBare(r.Lo), percentBare(r.Hi)
	if a == b {
		return a + noBreak + "%"
	}
	return joinRange(a, b) + noBreak + "%"
}

func percentBare(v float64) string {
	t := strconv.FormatFloat(v*100, 'f', 1, 64)
	switch {
	case v > 0 && isZeroText(t):
		return "< 0.1"
	case v < 1 && t == "100.0":
		return "> 99.9"
	}
	return tidy(t)
}

// Bytes writes a size on disk: B, KiB, MiB, GiB by 1024.
func (p Plain) Bytes(n int64) string {
	v := float64(n)
	for _, u := range []string{"B", "KiB", "MiB", "GiB", "TiB"} {
		if v < 1024 || u == "TiB" {
			if u == "B" {
				return p.Count(n) + noBreak + u
			}
			return tidy(strconv.FormatFloat(v, 'f', digitsFor(v, 3), 64)) + noBreak + u
		}
		v /= 1024
	}
	return ""
}
