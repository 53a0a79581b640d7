package smi

import (
	"bytes"
	"time"

	"tracemerge/ingest"
	"tracemerge/model"
)

// A stamp is a reading of the file's clock.
type stamp struct {
	at   int64 // nanoseconds, see kind
	kind model.DomainKind
	step time.Duration // resolution of the text
}

// A dater turns dates into days and keeps the last one: neighbouring rows share
// it.
type dater struct {
	text [10]byte
	days int64
}

// smiForm reports whether text has the form of nvidia-smi's own stamps,
// "2026/03/02 14:05:00.113".
func smiForm(b []byte) bool {
	return len(b) == 23 && b[4] == '/' && b[7] == '/' && b[10] == ' ' && b[13] == ':' && b[16] == ':' && (b[19] == '.' || b[19] == ',')
}

// parse reads a stamp of any form that names itself: nvidia-smi's, ISO 8601 with
// or without zone, seconds (milli-, micro-, nanoseconds) since the epoch, or a
// time of day.
func (d *dater) parse(b []byte) (stamp, bool) {
	if len(b) < 5 || !isDigit(b[0]) {
		return stamp{}, false
	}
	switch {
	case len(b) >= 10 && (b[4] == '/' || b[4] == '-') && b[7] == b[4]:
		return d.calendar(b)
	case b[2] == ':':
		at, rest, digits, ok := timeOfDay(b)
		return stamp{at, model.DomainDay, stepOf(digits)}, ok && len(rest) == 0
	case len(b) == 17 && b[8] == ' ': // dmon -o DT: "20260302 14:05:00"
		var iso [19]byte
		copy(iso[:], b[:4])
		copy(iso[5:], b[4:6])
		copy(iso[8:], b[6:8])
		copy(iso[10:], b[8:])
		iso[4], iso[7] = '-', '-'
		return d.calendar(iso[:])
	}
	return epoch(b)
}

// calendar reads a date, a time of day and an optional zone.
func (d *dater) calendar(b []byte) (stamp, bool) {
	if string(d.text[:]) != string(b[:10]) {
		days, ok := dateOf(b[:10])
		if !ok {
			return stamp{}, false
		}
		copy(d.text[:], b)
		d.days = days
	}
	if len(b) < 19 || b[10] != ' ' && b[10] != 'T' {
		return stamp{}, false
	}
	at, rest, digits, ok := timeOfDay(b[11:])
	if !ok {
		return stamp{}, false
	}
	s := stamp{d.days*86400e9 + at, model.DomainCivil, stepOf(digits)}
	if len(rest) == 0 {
		return s, true
	}
	offset, ok := zoneOf(rest)
	s.at -= offset
	s.kind = model.DomainUnix
	return s, ok
}

// dateOf returns the days from 1970-01-01 to a date that exists.
func dateOf(b []byte) (int64, bool) {
	y, ok1 := digits(b[:4])
	m, ok2 := digits(b[5:7])
	day, ok3 := digits(b[8:10])
	// Beyond 2261 nanoseconds leave int64.
	if !ok1 || !ok2 || !ok3 || y < 1970 || y > 2261 || m < 1 || m > 12 || day < 1 {
		return 0, false
	}
	t := time.Date(int(y), time.Month(m), int(day), 0, 0, 0, 0, time.UTC)
	if t.Day() != int(day) { // 30 February becomes 1 or 2 March
		return 0, false
	}
	return t.Unix() / 86400, true
}

// timeOfDay reads HH:MM:SS with an optional fraction after a point or a comma.
func timeOfDay(b []byte) (ns int64, rest []byte, places int, ok bool) {
	if len(b) < 8 || b[2] != ':' || b[5] != ':' {
		return 0, nil, 0, false
	}
	h, ok1 := digits(b[:2])
	m, ok2 := digits(b[3:5])
	s, ok3 := digits(b[6:8])
	if !ok1 || !ok2 || !ok3 || h > 23 || m > 59 || s > 59 {
		return 0, nil, 0, false
	}
	ns = (h*3600 + m*60 + s) * 1e9
	rest = b[8:]
	if len(rest) == 0 || rest[0] != '.' && rest[0] != ',' {
		return ns, rest, 0, true
	}
	unit := int64(1e8)
	for rest = rest[1:]; len(rest) > 0 && isDigit(rest[0]); rest = rest[1:] {
		ns += int64(rest[0]-'0') * unit
		unit /= 10
		places++
	}
	return ns, rest, places, places > 0
}

// zoneOf reads "Z", "+09:00", "+0900" or "-03" as nanoseconds east of UTC.
func zoneOf(b []byte) (int64, bool) {
	b = bytes.TrimLeft(b, " ")
	if string(b) == "Z" || string(b) == "UTC" {
		return 0, true
	}
	if len(b) < 3 || b[0] != '+' && b[0] != '-' {
		return 0, false
	}
	h, ok := digits(b[1:3])
	m := int64(0)
	if rest := bytes.TrimPrefix(b[3:], []byte(":")); ok && len(rest) > 0 {
		m, ok = digits(rest)
		ok = ok && len(rest) == 2
	}
	if !ok || h > 15 || m > 59 {
		return 0, false
	}
	ns := (h*60 + m) * 60e9
	if b[0] == '-' {
		ns = -ns
	}
	return ns, true
}

// epoch reads a count since 1970 whose size tells its unit: seconds between 2001
// and 2286 have ten digits, milliseconds 13, microseconds 16, nanoseconds 19.
func epoch(b []byte) (stamp, bool) {
	whole, frac, _ := bytes.Cut(b, []byte("."))
	if !allDigits(whole) || len(frac) > 0 && !allDigits(frac) {
		return stamp{}, false
	}
	scale := 19 - len(whole)
	if scale != 9 && scale != 6 && scale != 3 && scale != 0 {
		return stamp{}, false
	}
	at, err := ingest.ParseDecimal(b, scale)
	return stamp{at, model.DomainUnix, stepOf(9 - scale + len(frac))}, err == nil && at <= ingest.LatestReading
}

// elapsed reads seconds since an unknown start.
func elapsed(b []byte) (stamp, bool) {
	_, frac, _ := bytes.Cut(b, []byte("."))
	at, err := ingest.ParseDecimal(b, 9)
	return stamp{at, model.DomainRelative, stepOf(len(frac))}, err == nil && at <= ingest.LatestReading && at >= -ingest.LatestReading
}

// stepOf is the resolution of a time with that many decimals of a second.
func stepOf(places int) time.Duration {
	step := time.Second
	for range min(places, 9) {
		step /= 10
	}
	return step
}

func digits(b []byte) (int64, bool) {
	var v int64
	for _, c := range b {
		if !isDigit(c) {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	return v, len(b) > 0
}
