package hoststat

import (
	"strconv"
	"strings"
	"time"

	"tracemerge/ingest"
	"tracemerge/model"
)

// A stamp is the time of a row.
type stamp struct {
	kind model.DomainKind
	at   int64 // nanoseconds as the kind counts; of DomainDay since midnight
	zone string
}

const day = int64(24 * time.Hour)

// timeTokens is how many words at the beginning of a line are a time of day: 1, or
// 2 with AM or PM; 0 if they are none.
func timeTokens(f []string) int {
	if len(f) == 0 {
		return 0
	}
	if _, ok := clockTime(f[0], ""); !ok {
		return 0
	}
	if len(f) > 1 && (f[1] == "AM" || f[1] == "PM") {
		return 2
	}
	return 1
}

// epochTokens is 1 if the line begins with seconds since 1970 as pidstat -H and
// sadf -U write them, from 2001 to 2286.
func epochTokens(f []string) int {
	if len(f) > 0 && len(f[0]) == 10 {
		if _, err := strconv.ParseInt(f[0], 10, 64); err == nil {
			return 1
		}
	}
	return 0
}

// clockTime reads 02:09:41, with AM or PM beside it.
func clockTime(s, half string) (int64, bool) {
	if len(s) != 8 || s[2] != ':' || s[5] != ':' {
		return 0, false
	}
	h, ok1 := two(s[:2])
	m, ok2 := two(s[3:5])
	sec, ok3 := two(s[6:])
	if !ok1 || !ok2 || !ok3 || h > 23 || m > 59 || sec > 60 {
		return 0, false
	}
	switch half {
	case "AM", "PM":
		if h < 1 || h > 12 {
			return 0, false
		}
		h %= 12
		if half == "PM" {
			h += 12
		}
	}
	return int64(time.Duration(h*3600+m*60+sec) * time.Second), true
}

func two(s string) (int, bool) {
	if len(s) != 2 || s[0] < '0' || s[0] > '9' || s[1] < '0' || s[1] > '9' {
		return 0, false
	}
	return int(s[0]-'0')*10 + int(s[1]-'0'), true
}

// A date is a calendar day as a file writes it: known, or with its possible days
// where the order of day and month cannot be told. Days are civil midnights in
// nanoseconds.
type date struct{ days []int64 }

func (d date) known() (int64, bool) {
	if len(d.days) == 1 {
		return d.days[0], true
	}
	return 0, false
}

// dateOf reads 2026-12-01, 12/01/26, 12/01/2026 and 01.12.2026. monthFirst says that
// a date with slashes has the month first, as with AM and PM (en_US).
func dateOf(s string, monthFirst bool) (date, bool) {
	switch {
	case len(s) == 10 && s[4] == '-' && s[7] == '-', len(s) == 10 && s[4] == '/' && s[7] == '/':
		return oneDate(s[:4], s[5:7], s[8:])
	case len(s) >= 8 && s[2] == '.' && s[5] == '.':
		return oneDate(year(s[6:]), s[3:5], s[:2])
	case len(s) >= 8 && s[2] == '/' && s[5] == '/':
		y := year(s[6:])
		us, ok := oneDate(y, s[:2], s[3:5])
		other, ok2 := oneDate(y, s[3:5], s[:2])
		switch {
		case ok && (monthFirst || !ok2 || us.days[0] == other.days[0]):
			return us, true
		case ok && ok2:
			return date{[]int64{us.days[0], other.days[0]}}, true
		case ok2 && !monthFirst:
			return other, true
		}
	}
	return date{}, false
}

func year(s string) string {
	if len(s) == 2 {
		return "20" + s
	}
	return s
}

func oneDate(y, m, d string) (date, bool) {
	t, err := time.Parse("2006-01-02", y+"-"+m+"-"+d)
	if err != nil {
		return date{}, false
	}
	return date{[]int64{t.UnixNano()}}, true
}

// lineStamp reads a line that holds nothing but a date and a time, as iostat prints
// it above a report.
func lineStamp(text string) (stamp, date, bool) {
	if len(text) >= 19 && len(text) <= 30 && text[10] == 'T' { // 2026-12-01T02:09:40+0000
		for _, form := range []string{"2006-01-02T15:04:05-0700", "2006-01-02T15:04:05Z07:00"} {
			if t, err := time.Parse(form, text); err == nil {
				return stamp{model.DomainUnix, t.UnixNano(), text[19:]}, date{}, true
			}
		}
		return stamp{}, date{}, false
	}
	f := strings.Fields(text)
	if len(f) < 2 || len(f) > 3 {
		return stamp{}, date{}, false
	}
	half := ""
	if len(f) == 3 {
		half = f[2]
		if half != "AM" && half != "PM" {
			return stamp{}, date{}, false
		}
	}
	d, ok := dateOf(f[0], half != "")
	tod, ok2 := clockTime(f[1], half)
	if !ok || !ok2 {
		return stamp{}, date{}, false
	}
	return stamp{kind: model.DomainDay, at: tod}, d, true
}

// epochStamp reads seconds since 1970.
func epochStamp(s string) (stamp, bool) {
	v, err := ingest.ParseDecimal([]byte(s), 9)
	if err != nil || v > ingest.LatestReading || v < -ingest.LatestReading {
		return stamp{}, false
	}
	return stamp{kind: model.DomainUnix, at: v}, true
}

// cellStamp reads the time column of sadf and dstat: seconds since 1970,
// "2026-12-01 02:10:09 UTC", the same without a zone, "01-12 02:11:47" of dstat.
func cellStamp(s string) (stamp, bool) {
	if st, ok := epochStamp(s); ok {
		return st, true
	}
	f := strings.Fields(s)
	if len(f) < 2 {
		return stamp{}, false
	}
	tod, ok := clockTime(f[1], "")
	if !ok {
		return stamp{}, false
	}
	d, ok := dateOf(f[0], false)
	only, known := d.known()
	switch {
	case ok && known && len(f) == 3 && f[2] == "UTC":
		return stamp{model.DomainUnix, only + tod, "UTC"}, true
	case ok && known && len(f) == 2:
		return stamp{kind: model.DomainCivil, at: only + tod}, true
	case len(f) == 2 && len(f[0]) == 5 && f[0][2] == '-': // day and month without a year
		return stamp{kind: model.DomainDay, at: tod}, true
	}
	return stamp{}, false
}
