package render

import (
	"math"
	"testing"
	"time"

	"tracemerge/model"
)

func TestDurationInPlainWords(t *testing.T) {
	for _, c := range []struct {
		rule string
		d    time.Duration
		want string
	}{
		{"seconds keep one decimal below a thousand", 300 * time.Second, "300.0 s"},
		{"three significant digits", 2100 * time.Millisecond, "2.10 s"},
		{"a small part of a second in its own unit", 6334535, "6.33 ms"},
		{"a tenth of a second stays in seconds", 100 * time.Millisecond, "0.100 s"},
		{"microseconds", 4500, "4.50 µs"},
		{"nanoseconds are whole", 7, "7 ns"},
		{"zero is a measurement", 0, "0.0 s"},
		{"thousands are grouped from five digits", 259200 * time.Second, "259\u202f200 s"},
		{"four digits are not", 7200 * time.Second, "7200 s"},
		{"negative", -1500 * time.Millisecond, "−1.50 s"},
	} {
		if got := (Plain{}).Duration(c.d); got != noBreaks(c.want) {
			t.Errorf("%s: got %q, want %q", c.rule, got, noBreaks(c.want))
		}
	}
}

// noBreaks puts the no-break space between number and unit.
func noBreaks(s string) string {
	out := []rune(s)
	for i, r := range out {
		if r == ' ' {
			out[i] = '\u00a0'
		}
	}
	return string(out)
}

func TestRangesShareAScale(t *testing.T) {
	s := func(v float64) time.Duration { return time.Duration(v * 1e9) }
	for _, c := range []struct {
		rule   string
		lo, hi time.Duration
		want   string
	}{
		{"the contract's example", s(70), s(73.4), "70.0–73.4 s"},
		{"equal bounds are written once", s(70), s(70), "70.0 s"},
		{"rounded to the nearest", 209_949_999_999, 214_550_000_001, "209.9–214.6 s"},
		{"a bound below zero spells the range out", s(-2), s(3), "−2.00 to 3.00 s"},
		{"a small lower bound keeps its digits", s(0.0123), s(1), "0.0123–1.0000 s"},
	} {
		got := (Plain{}).DurationRange(model.Range[time.Duration]{Lo: c.lo, Hi: c.hi})
		if want := c.want; got != want[:len(want)-2]+"\u00a0s" {
			t.Errorf("%s: got %q, want %q", c.rule, got, want)
		}
	}
}

func TestColumnsShareAScale(t *testing.T) {
	s := ScaleFor(180200*time.Millisecond, 2100*time.Millisecond, 0)
	for d, want := range map[time.Duration]string{180200 * time.Millisecond: "180.20", 2100 * time.Millisecond: "2.10", 0: "0.00", 1000: "< 0.01"} {
		if got := s.Bare(d); got != want {
			t.Errorf("%v in a column of seconds: got %q, want %q", d, got, want)
		}
	}
	if got := ScaleFor(300*time.Second, 5).Bare(5); got != "< 0.001" {
		t.Errorf("a value far below its column: got %q, want < 0.001", got)
	}
}

func TestNumbers(t *testing.T) {
	p := Plain{}
	for _, c := range []struct {
		rule string
		got  string
		want string
	}{
		{"whole numbers stay whole", p.Number(18230), "18\u202f230"},
		{"three significant digits", p.Number(0.7083), "0.708"},
		{"tiny", p.Number(0.0000123), "1.230e−5"},
		{"infinite", p.Number(math.Inf(1)), "∞"},
		{"not a number is said", p.Number(math.NaN()), "not a number"},
		{"range with equal decimals", p.NumberRange(model.Range[float64]{Lo: 1.4, Hi: 1.43}), "1.40–1.43"},
		{"per cent", p.Percent(0.286), "28.6\u00a0%"},
		{"a share above zero is never 0 %", p.Percent(0.00001), "< 0.1\u00a0%"},
		{"a share below one is never 100 %", p.Percent(0.99999), "> 99.9\u00a0%"},
		{"all of it", p.Percent(1), "100.0\u00a0%"},
		{"sizes count by 1024", p.Bytes(48211), "47.1\u00a0KiB"},
		{"bytes", p.Bytes(1023), "1023\u00a0B"},
		{"long spans as people say them", p.Spoken(3*24*time.Hour + 2*time.Hour + 5*time.Minute), "3\u00a0d 2\u00a0h"},
		{"short ones are left in seconds", p.Spoken(300 * time.Second), ""},
		{"exact", Exact(-1_000_000_001), "-1.000000001"},
		{"exact, the smallest", Exact(math.MinInt64), "-9223372036.854775808"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.rule, c.got, c.want)
		}
	}
}

func TestInstants(t *testing.T) {
	plain := Plain{Zone: seoul, Start: nine}
	for _, c := range []struct {
		rule, got, want string
	}{
		{"with its zone", plain.Instant(nine + 1_500_000_000), "2026-05-04 09:00:01.500 +09:00"},
		{"as fine as it is", plain.Instant(nine + 1), "2026-05-04 09:00:00.000000001 +09:00"},
		{"date and zone once", plain.Span(at(0, 300)), "2026-05-04 09:00:00–09:05:00 +09:00"},
		{"two dates across midnight", plain.Span(at(0, 16*3600)), "2026-05-04 09:00:00–2026-05-05 01:00:00 +09:00"},
		{"a millisecond is enough for a second", plain.Span(span{Start: nine + 1_234_567, End: nine + 62_000_999_999}), "2026-05-04 09:00:00.001–09:01:02.001 +09:00"},
		{"short intervals keep their digits", plain.Brief(span{Start: nine + 1_234_567, End: nine + 1_235_567}), "09:00:00.001234567–09:00:00.001235567"},
		{"a record is an instant", plain.Brief(span{Start: nine + 5, End: nine + 6}), "09:00:00.000000005"},
		{"UTC by default", Plain{}.Instant(nine), "2026-05-04 00:00:00 UTC"},
		{"before 1970", Plain{}.Instant(-1), "1969-12-31 23:59:59.999999999 UTC"},
		{"relative", Plain{Relative: true, Start: nine}.Instant(nine + 12_345_000_000), "t\u00a0+\u00a012.345\u00a0s"},
		{"relative to the run that holds it", Plain{Relative: true, Windows: []span{at(0, 10), at(100, 200)}}.Instant(at(101, 0).Start), "t\u00a0+\u00a01.000\u00a0s"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.rule, c.got, c.want)
		}
	}
}

func TestTicksAtHumanSteps(t *testing.T) {
	for _, c := range []struct{ whole, want time.Duration }{
		{50 * time.Millisecond, 10 * time.Millisecond},
		{time.Second, 200 * time.Millisecond},
		{41 * time.Second, 5 * time.Second},
		{5 * time.Minute, time.Minute},
		{2 * time.Hour, 15 * time.Minute},
		{72 * time.Hour, 12 * time.Hour},
		{3, 1},
	} {
		if got := tickStep(c.whole, ticksPerAxis); got != c.want {
			t.Errorf("step of an axis of %v: got %v, want %v", c.whole, got, c.want)
		}
	}
	x := axis{at(0, 0.05), Plain{Start: nine}}
	if got := x.tickText(nine + 20_000_000); got != "20\u00a0ms" {
		t.Errorf("a tick of a 50 ms axis: got %q, want 20 ms", got)
	}
}
