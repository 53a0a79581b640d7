package render

import (
	"strconv"
	"strings"
	"time"

	"tracemerge/model"
)

// Instant writes an instant: on the calendar with its zone, or in seconds from
// the window's start where the page shows no dates.
func (p Plain) Instant(t model.Time) string {
	if p.Relative || p.OwnClock {
		return p.Since(t)
	}
	at := p.in(t)
	return at.Format("2006-01-02 15:04:05") + fraction(int64(t)) + " " + zoneText(at)
}

// Since writes an instant as seconds from the window's start.
func (p Plain) Since(t model.Time) string {
	d := time.Duration(t - p.startOf(t))
	s := ScaleFor(max(d.Abs(), time.Second))
	s.decimals = max(s.decimals, 3)
	if d < 0 {
		return "t" + noBreak + s.Text(d)
	}
	return "t" + noBreak + "+" + noBreak + s.Text(d)
}

// startOf is the start of the window that holds the instant, else Start.
func (p Plain) startOf(t model.Time) model.Time {
	for _, w := range p.Windows {
		if w.Start <= t && t <= w.End {
			return w.Start
		}
	}
	return p.Start
}

func (p Plain) in(t model.Time) time.Time {
	at := t.UTC()
	if p.Zone != nil {
		at = at.In(p.Zone)
	}
	return at
}

// fraction is the fraction of a second as fine as the instant is: milliseconds,
// microseconds or nanoseconds.
func fraction(ns int64) string {
	f := ns % 1e9
	if f < 0 {
		f += 1e9
	}
	if f == 0 {
		return ""
	}
	t := strconv.FormatInt(f+1e9, 10)[1:]
	if strings.HasSuffix(t, "000000") {
		return "." + t[:3]
	}
	if strings.HasSuffix(t, "000") {
		return "." + t[:6]
	}
	return "." + t
}

// readable rounds the ends of an interval to what can be read off its length: a
// thousandth of it at most. What is no longer than a nanosecond is an instant.
func readable(i model.Interval[model.Time]) model.Interval[model.Time] {
	grain := model.Time(1)
	for _, g := range []time.Duration{time.Microsecond, time.Millisecond} {
		if i.Len() >= 1000*g {
			grain = model.Time(g)
		}
	}
	round := func(t model.Time) model.Time {
		r := t % grain
		if r < 0 {
			r += grain
		}
		if 2*r >= grain {
			return t - r + grain
		}
		return t - r
	}
	if i.Len() <= 1 {
		return model.Interval[model.Time]{Start: i.Start, End: i.Start}
	}
	return model.Interval[model.Time]{Start: round(i.Start), End: round(i.End)}
}

func zoneText(t time.Time) string {
	if _, off := t.Zone(); off == 0 {
		return "UTC"
	}
	return strings.Replace(t.Format("-07:00"), "-", minusSign, 1)
}

// Brief writes an interval that lies inside the page's window, without date and
// zone.
func (p Plain) Brief(i model.Interval[model.Time]) string {
	if p.Relative || p.OwnClock {
		return p.Span(i)
	}
	if p.in(i.Start).Format(time.DateOnly) != p.in(i.End).Format(time.DateOnly) {
		return p.Span(i)
	}
	i = readable(i)
	start := p.in(i.Start).Format("15:04:05") + fraction(int64(i.Start))
	if i.Empty() {
		return start
	}
	return start + enDash + p.in(i.End).Format("15:04:05") + fraction(int64(i.End))
}

// Span writes an interval: both ends, with the date once, and the zone once.
func (p Plain) Span(i model.Interval[model.Time]) string {
	if p.Relative || p.OwnClock {
		a, b := time.Duration(i.Start-p.Start), time.Duration(i.End-p.Start)
		s := ScaleFor(max(a.Abs(), b.Abs(), time.Second))
		s.decimals = max(s.decimals, 3)
		if a >= 0 {
			return "t" + noBreak + "+" + noBreak + s.Range(a, b)
		}
		return "t " + s.Bare(a) + " to t " + s.Text(b)
	}
	i = readable(i)
	if i.Empty() {
		return p.Instant(i.Start)
	}
	a, b := p.in(i.Start), p.in(i.End)
	end := "15:04:05"
	if a.Format(time.DateOnly) != b.Format(time.DateOnly) {
		end = "2006-01-02 15:04:05"
	}
	return a.Format("2006-01-02 15:04:05") + fraction(int64(i.Start)) + enDash +
		b.Format(end) + fraction(int64(i.End)) + " " + zoneText(b)
}
