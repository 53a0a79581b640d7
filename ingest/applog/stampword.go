package applog

// monthNumber reads an English month abbreviation, 0 if it is none.
func monthNumber(b []byte) int {
	if len(b) < 3 {
		return 0
	}
	switch string(b[:3]) {
	case "Jan":
		return 1
	case "Feb":
		return 2
	case "Mar":
		return 3
	case "Apr":
		return 4
	case "May":
		return 5
	case "Jun":
		return 6
	case "Jul":
		return 7
	case "Aug":
		return 8
	case "Sep":
		return 9
	case "Oct":
		return 10
	case "Nov":
		return 11
	case "Dec":
		return 12
	}
	return 0
}

func isWeekday(b []byte) bool {
	if len(b) < 4 {
		return false
	}
	switch string(b[:3]) {
	case "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun":
		return b[3] == ' ' || b[3] == ','
	}
	return false
}

// wordStamp reads stamps that begin with a letter: glog, weekdays and months.
func wordStamp(b []byte) (stamp, int) {
	if isGlogLetter(b[0]) && isDigit(b[1]) {
		return glogStamp(b)
	}
	if isWeekday(b) {
		n := 4
		for n < len(b) && b[n] == ' ' {
			n++
		}
		if n == len(b) {
			return stamp{}, 0
		}
		if digits(b[n:]) == 4 && len(b)-n > 18 { // journalctl -o short-full: Mon 2026-03-02 14:05:01 UTC
			return shifted(b, n, isoStamp)
		}
		if isDigit(b[n]) { // RFC 1123: Mon, 02 Mar 2026 14:05:01 GMT
			return shifted(b, n, dayMonthStamp)
		}
		return shifted(b, n, ctimeStamp)
	}
	return monthStamp(b)
}

func shifted(b []byte, n int, read func([]byte) (stamp, int)) (stamp, int) {
	s, m := read(b[n:])
	if m == 0 {
		return stamp{}, 0
	}
	return s, n + m
}

func isGlogLetter(c byte) bool {
	return c == 'I' || c == 'W' || c == 'E' || c == 'F' || c == 'D' || c == 'V'
}

// glogStamp reads the prefixes of glog, absl and klog ("I0517 15:04:22.619632"),
// of glog with the year ("I20251231 23:59:59.3"), and of c10, whose month is not
// padded ("W302 14:06:02.1" is 2 March, "E1112" 12 November).
func glogStamp(b []byte) (stamp, int) {
	d := digits(b[1:])
	c := calendar{hasDate: true}
	switch d {
	case 3:
		c.month, c.day = int(b[1]-'0'), two(b, 2)
	case 4:
		c.month, c.day = two(b, 1), two(b, 3)
	case 8:
		c.year, c.month, c.day = int(number(b[1:5])), two(b, 5), two(b, 7)
	default:
		return stamp{}, 0
	}
	if 1+d >= len(b) || b[1+d] != ' ' {
		return stamp{}, 0
	}
	i := c.clock(b, 2+d)
	if i == 0 || i >= len(b) || b[i] != ' ' {
		return stamp{}, 0
	}
	return c.stamp(false, 0), i
}

// monthStamp reads "Sep 23 01:56:42" (syslog) and "Feb 25 2025 13:59:45". A
// number behind a syslog stamp may be anything, so it is no year.
func monthStamp(b []byte) (stamp, int) {
	c, i := monthDay(b)
	if i == 0 {
		return stamp{}, 0
	}
	if digits(b[i:]) == 4 && i+4 < len(b) && b[i+4] == ' ' {
		c.year = int(number(b[i : i+4]))
		return c.finish(b, i+5)
	}
	if i = c.clock(b, i); i == 0 {
		return stamp{}, 0
	}
	return c.stamp(false, 0), i
}

// ctimeStamp reads, behind a weekday, "Feb 23 16:24:18 2025" (dmesg -T, ctime)
// and "Aug 17 00:40:32 UTC 2025" (date).
func ctimeStamp(b []byte) (stamp, int) {
	c, i := monthDay(b)
	if i == 0 {
		return stamp{}, 0
	}
	if i = c.clock(b, i); i == 0 {
		return stamp{}, 0
	}
	return c.trailingYear(b, i)
}

// monthDay reads "Sep  3 " and returns where the rest begins, 0 if there is none.
func monthDay(b []byte) (c calendar, i int) {
	c = calendar{month: monthNumber(b), hasDate: true}
	if c.month == 0 || len(b) < 14 || b[3] != ' ' {
		return c, 0
	}
	i = 4
	for i < len(b) && b[i] == ' ' {
		i++
	}
	d := digits(b[i:])
	if d == 0 || d > 2 || i+d >= len(b) || b[i+d] != ' ' {
		return c, 0
	}
	c.day = int(number(b[i : i+d]))
	return c, i + d + 1
}

// trailingYear reads " 2025" or " UTC 2025" behind the time.
func (c calendar) trailingYear(b []byte, i int) (stamp, int) {
	word, n := []byte(nil), 0
	if i < len(b) {
		word, n = zoneWord(b[i:])
	}
	j := i + n
	if j < len(b) && b[j] == ' ' && digits(b[j+1:]) == 4 && (j+5 == len(b) || !isLetter(b[j+5])) {
		if y := int(number(b[j+1 : j+5])); y >= firstYear && y <= lastYear {
			c.year = y
			i = j + 5
			switch {
			case n > 0 && isUTC(word):
				return c.inZone(word, 0), i
			case n > 0:
				s := c.stamp(false, 0)
				s.zone = word
				return s, i
			}
		}
	}
	return c.stamp(false, 0), i
}

// dayMonthStamp reads "25 Apr 2024 05:32:35.018".
func dayMonthStamp(b []byte) (stamp, int) {
	d := digits(b)
	if d == 0 || d > 2 || len(b) < d+14 || b[d] != ' ' {
		return stamp{}, 0
	}
	c := calendar{day: int(number(b[:d])), month: monthNumber(b[d+1:]), hasDate: true}
	i := d + 4
	if c.month == 0 || b[i] != ' ' || digits(b[i+1:]) != 4 || i+5 >= len(b) || b[i+5] != ' ' {
		return stamp{}, 0
	}
	c.year = int(number(b[i+1 : i+5]))
	return c.finish(b, i+6)
}

// clfStamp reads the stamp of web servers: 25/Feb/2025:13:59:45 +0000.
func clfStamp(b []byte, d int) (stamp, int) {
	c := calendar{day: int(number(b[:d])), month: monthNumber(b[d+1:]), hasDate: true}
	i := d + 4
	if c.month == 0 || i+6 >= len(b) || b[i] != b[d] || digits(b[i+1:]) != 4 || b[i+5] != ':' && b[i+5] != ' ' {
		return stamp{}, 0
	}
	c.year = int(number(b[i+1 : i+5]))
	return c.finish(b, i+6)
}
