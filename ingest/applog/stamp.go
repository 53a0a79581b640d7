package applog

import (
	"time"

	"tracemerge/ingest"
)

// stampKind says what a stamp counts.
type stampKind uint8

const (
	stampNone   stampKind = iota
	stampZoned            // date, time and an offset from UTC: at is Unix nanoseconds
	stampEpoch            // a number since the Unix epoch: at is Unix nanoseconds
	stampCivil            // date and time: at is calendar nanoseconds from 1970-01-01
	stampMonth            // month, day and time, no year: at is the time of day
	stampDay              // time of day
	stampUptime           // seconds since an unknown start, as the kernel and the JVM write them
)

// verdict is why a text that looks like a stamp is none.
type verdict uint8

const (
	fine       verdict = iota
	impossible         // hour 24, second 60, 30 February: no instant that a clock shows
	ambiguous          // 02/03/2026: the order of day and month is not known
)

// A stamp is the time of a record as it stands.
type stamp struct {
	kind       stampKind
	verdict    verdict
	style      style
	orders     orders // of day, month and year in which a date of three numbers is one; 0 for other stamps
	readAs     orders // that were left when it was read
	at         int64
	month, day int8   // stampMonth only
	digits     int8   // decimal digits of a second, as written
	zone       []byte // stampZoned: as written; else an abbreviation such as CET, which names no single offset
	unit       epochUnit
}

// fields of a date and time as read; year 0 is none.
type calendar struct {
	year, month, day  int
	hour, minute, sec int
	nanos             int64
	digits            int8
	hasDate           bool
}

// The years that nanoseconds in an int64 hold; logs of computers begin in 1970.
const (
	firstYear = 1970
	lastYear  = 2261
)

func (c calendar) valid() bool {
	if c.hour > 23 || c.minute > 59 || c.sec > 59 {
		return false
	}
	if !c.hasDate {
		return true
	}
	if c.month < 1 || c.month > 12 || c.day < 1 {
		return false
	}
	if c.year == 0 { // 29 February may be
		return c.day <= monthDays(2000, c.month)
	}
	return c.year >= firstYear && c.year <= lastYear && c.day <= monthDays(c.year, c.month)
}

func monthDays(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

func (c calendar) timeOfDay() int64 {
	return int64(c.hour*3600+c.minute*60+c.sec)*1e9 + c.nanos
}

// unixDay is the number of days from 1970-01-01 in the proleptic Gregorian
// calendar.
func unixDay(year, month, day int) int64 {
	y := int64(year)
	if month <= 2 {
		y--
	}
	era := y / 400
	yoe := y - era*400
	doy := int64((153*((month+9)%12)+2)/5 + day - 1)
	return era*146097 + yoe*365 + yoe/4 - yoe/100 + doy - 719468
}

const dayNanos = int64(24 * time.Hour)

// stamp turns the calendar into a stamp; offset is the zone's, in seconds, if
// zoned.
func (c calendar) stamp(zoned bool, offset int) stamp {
	s := stamp{digits: c.digits}
	if !c.valid() {
		s.verdict = impossible
	}
	switch {
	case !c.hasDate:
		s.kind, s.at = stampDay, c.timeOfDay()
	case c.year == 0:
		s.kind, s.at, s.month, s.day = stampMonth, c.timeOfDay(), int8(c.month), int8(c.day)
	default:
		s.kind = stampCivil
		if s.verdict == fine {
			s.at = unixDay(c.year, c.month, c.day)*dayNanos + c.timeOfDay()
		}
		if zoned {
			s.kind = stampZoned
			s.at -= int64(offset) * 1e9
		}
	}
	return s
}

// epochUnit is the unit of a number since the epoch.
type epochUnit uint8

const (
	unitNone epochUnit = iota
	unitSeconds
	unitMillis
	unitMicros
	unitNanos
)

// unitScale is the decimal exponent that turns the unit into nanoseconds.
var unitScale = [...]int{unitSeconds: 9, unitMillis: 6, unitMicros: 3, unitNanos: 0}

// earliestEpoch is 2001-09-09: a smaller number counts from another start, even
// where its name says time_ms.
const earliestEpoch = int64(1e18)

// epochStamp reads a number since the epoch. Without a stated unit, the unit is
// the one that puts the instant between 2001-09-09 and 2286: 10 digits before
// the point are seconds, 13 milliseconds, 16 microseconds, 19 nanoseconds.
func epochStamp(text []byte, unit epochUnit) (stamp, bool) {
	whole := digits(text)
	if whole == 0 {
		return stamp{}, false
	}
	if unit == unitNone {
		switch whole {
		case 10:
			unit = unitSeconds
		case 13:
			unit = unitMillis
		case 16:
			unit = unitMicros
		case 19:
			unit = unitNanos
		default:
			return epochExponent(text)
		}
	}
	at, err := ingest.ParseDecimal(text, unitScale[unit])
	if err != nil || at < earliestEpoch {
		return stamp{}, false
	}
	if at > ingest.LatestReading {
		return stamp{kind: stampEpoch, style: styleEpoch, unit: unit, verdict: impossible}, true
	}
	frac := 0
	if whole < len(text) && text[whole] == '.' {
		frac = digits(text[whole+1:])
	}
	return stamp{kind: stampEpoch, at: at, unit: unit}.withDigits(unit, frac), true
}

// epochExponent reads a number such as 1.7960913699297602e+09, whose
// digits before the point do not tell the unit.
func epochExponent(text []byte) (stamp, bool) {
	ns, err := ingest.ParseDecimal(text, 0)
	if err != nil || ns < 1e9 {
		return stamp{}, false
	}
	for i, unit := range []epochUnit{unitSeconds, unitMillis, unitMicros, unitNanos} {
		lo := [...]int64{1e9, 1e12, 1e15, 1e18}[i]
		if ns >= lo && ns/10 < lo {
			at, err := ingest.ParseDecimal(text, unitScale[unit])
			if at > ingest.LatestReading {
				return stamp{kind: stampEpoch, style: styleEpoch, unit: unit, verdict: impossible}, err == nil
			}
			return stamp{kind: stampEpoch, at: at, unit: unit}.withDigits(unit, 0), err == nil
		}
	}
	return stamp{}, false
}

// withDigits sets the resolution of an epoch stamp.
func (s stamp) withDigits(unit epochUnit, frac int) stamp {
	s.digits = int8(min(9-unitScale[unit]+frac, 9))
	return s
}
