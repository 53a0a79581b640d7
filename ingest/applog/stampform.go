package applog

// parseStamp reads the stamp that b begins with and returns its length; n is 0
// where there is none. A stamp with a verdict has its length too: it is a stamp
// that cannot be used.
func (o *dateOrder) parseStamp(b []byte) (s stamp, n int) {
	if len(b) < 8 {
		return stamp{}, 0
	}
	style := styleISO
	switch d := digits(b); {
	case d == 0:
		if s, n = wordStamp(b); isGlogLetter(b[0]) && isDigit(b[1]) {
			style = styleGlog
		} else if style = styleWords; s.kind == stampMonth {
			style = styleSyslog
		}
	case d == 4 && len(b) > 18 && (b[4] == '-' || b[4] == '/' || b[4] == '.') && b[7] == b[4]:
		if s, n = isoStamp(b); n > 4 && b[n-4] == ',' {
			style = stylePython
		}
	case d == 2 && b[2] == ':':
		s, n = dayStamp(b)
		style = styleDay
	case d == 2 && b[2] == '-' && len(b) >= 14 && b[5] == ' ':
		s, n = monthDashStamp(b)
		style = styleMonthDay
	case d <= 2 && (b[d] == '/' || b[d] == '.' || b[d] == '-'):
		s, n = o.fieldStamp(b, d)
		if style = styleFields; s.orders == 0 {
			style = styleWords
		}
	case d <= 2 && b[d] == ' ':
		s, n = dayMonthStamp(b)
		style = styleWords
	case d == 8 && len(b) >= 15 && (b[8] == 'T' || b[8] == ' ' || b[8] == '-'):
		s, n = compactStamp(b)
	case d >= 10:
		s, n = leadingEpoch(b)
		style = styleEpoch
	}
	s.style = style
	return s, n
}

// two reads two digits at i, -1 if there are none.
func two(b []byte, i int) int {
	if i+1 >= len(b) || !isDigit(b[i]) || !isDigit(b[i+1]) {
		return -1
	}
	return int(b[i]-'0')*10 + int(b[i+1]-'0')
}

// finish reads the time of day at i, and a zone behind it, into the stamp of c.
func (c calendar) finish(b []byte, i int) (stamp, int) {
	i = c.clock(b, i)
	if i == 0 {
		return stamp{}, 0
	}
	return c.zoned(b, i)
}

// clock reads HH:MM:SS with an optional fraction and AM or PM; 0 if there is none.
func (c *calendar) clock(b []byte, i int) int {
	c.hour, c.minute, c.sec = two(b, i), two(b, i+3), two(b, i+6)
	if c.hour < 0 || c.minute < 0 || c.sec < 0 || b[i+2] != ':' || b[i+5] != ':' {
		return 0
	}
	i += 8
	if i+1 < len(b) && (b[i] == '.' || b[i] == ',') && isDigit(b[i+1]) {
		n := digits(b[i+1:])
		scale := int64(1e8)
		for _, d := range b[i+1 : i+1+min(n, 9)] { // a reading is a floor: digits beyond nanoseconds are cut
			c.nanos += int64(d-'0') * scale
			scale /= 10
		}
		c.digits = int8(min(n, 9))
		i += 1 + n
	}
	if i < len(b) && isDigit(b[i]) {
		return 0
	}
	return c.half(b, i)
}

// half reads " AM" or " PM".
func (c *calendar) half(b []byte, i int) int {
	if i+2 >= len(b) || b[i] != ' ' || b[i+2]|0x20 != 'm' || i+3 < len(b) && isLetter(b[i+3]) {
		return i
	}
	switch b[i+1] | 0x20 {
	case 'a':
		if c.hour == 12 {
			c.hour = 0
		} else if c.hour > 12 || c.hour == 0 {
			return i
		}
	case 'p':
		if c.hour < 12 && c.hour > 0 {
			c.hour += 12
		} else if c.hour != 12 {
			return i
		}
	default:
		return i
	}
	return i + 3
}

// zoned reads a zone at i: Z, an offset, the word UTC or GMT (also in brackets,
// as Go programs with two loggers write it), or an abbreviation, which is kept as
// such since it names more than one offset.
func (c calendar) zoned(b []byte, i int) (stamp, int) {
	rest := b[i:]
	if len(rest) == 0 {
		return c.stamp(false, 0), i
	}
	if rest[0] == 'Z' && (len(rest) == 1 || !isLetter(rest[1]) && !isDigit(rest[1])) {
		return c.inZone(rest[:1], 0), i + 1
	}
	gap := 0
	if rest[0] == ' ' {
		gap = 1
	}
	if off, n := offset(rest[gap:]); n > 0 {
		if gap == 0 || n > 3 { // " +08" might be a number of the message
			return c.inZone(rest[gap:gap+n], off), i + gap + n
		}
	}
	word, n := zoneWord(rest)
	switch {
	case n == 0:
		return c.stamp(false, 0), i
	case isUTC(word):
		return c.inZone(word, 0), i + n
	}
	s := c.stamp(false, 0)
	s.zone = word
	return s, i + n
}

func (c calendar) inZone(zone []byte, offset int) stamp {
	s := c.stamp(true, offset)
	s.zone = zone
	if s.kind != stampZoned {
		s.zone = nil
	}
	return s
}

// offset reads +HH:MM, +HHMM or +HH in seconds; n is 0 if there is none.
func offset(b []byte) (seconds, n int) {
	if len(b) < 3 || b[0] != '+' && b[0] != '-' {
		return 0, 0
	}
	h, m := two(b, 1), 0
	n = 3
	if h < 0 {
		return 0, 0
	}
	if len(b) > 3 && b[3] == ':' {
		if m = two(b, 4); m < 0 {
			return 0, 0
		}
		n = 6
	} else if len(b) > 3 && isDigit(b[3]) {
		if m = two(b, 3); m < 0 {
			return 0, 0
		}
		n = 5
	}
	if n < len(b) && (isDigit(b[n]) || isLetter(b[n])) || h > 14 || m > 59 {
		return 0, 0
	}
	seconds = h*3600 + m*60
	if b[0] == '-' {
		seconds = -seconds
	}
	return seconds, n
}

// zoneWord reads " UTC", " [utc]" or " CET"; n is 0 if there is none.
func zoneWord(b []byte) (word []byte, n int) {
	i := 0
	if b[i] == ' ' {
		i++
	}
	closing := byte(0)
	if i < len(b) && (b[i] == '[' || b[i] == '(') {
		closing = map[byte]byte{'[': ']', '(': ')'}[b[i]]
		i++
	}
	j := i
	for j < len(b) && j-i < 5 && isLetter(b[j]) {
		j++
	}
	word = b[i:j]
	if j < len(b) && (isLetter(b[j]) || isDigit(b[j])) {
		return nil, 0
	}
	if closing != 0 && (j == len(b) || b[j] != closing || !isUTC(word)) {
		return nil, 0
	}
	if closing != 0 {
		return word, j + 1
	}
	if isUTC(word) && word[0] == 'U' || isUTC(word) && word[0] == 'G' || isAbbreviation(word) {
		return word, j
	}
	return nil, 0
}

func isUTC(w []byte) bool {
	switch string(w) {
	case "UTC", "utc", "GMT", "gmt":
		return true
	}
	return false
}

// isAbbreviation knows the common abbreviations of zones. Each is shared by
// several zones or hides a daylight saving rule (CST, IST, BST), so none is
// turned into an offset.
func isAbbreviation(w []byte) bool {
	switch string(w) {
	case "CET", "CEST", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "IST", "JST", "KST", "BST", "MSK",
		"AEST", "AEDT", "WET", "WEST", "EET", "EEST", "HKT", "SGT", "NZST", "NZDT":
		return true
	}
	return false
}

// isoStamp reads 2024-11-23 15:40:46 and the like with T, comma, dash or
// underscore before the time and -, / or . within the date.
func isoStamp(b []byte) (stamp, int) {
	c := calendar{year: int(number(b[:4])), month: two(b, 5), day: two(b, 8), hasDate: true}
	if c.month < 0 || c.day < 0 {
		return stamp{}, 0
	}
	switch b[10] {
	case 'T', 't', ' ', '-', '_':
		return c.finish(b, 11)
	case ',':
		if b[11] == ' ' {
			return c.finish(b, 12)
		}
	}
	return stamp{}, 0
}

func dayStamp(b []byte) (stamp, int) {
	s, n := calendar{}.finish(b, 0)
	if n == 8 && n < len(b) && b[n] == ':' {
		return stamp{}, 0
	}
	return s, n
}

// monthDashStamp reads vLLM's "08-01 20:59:09".
func monthDashStamp(b []byte) (stamp, int) {
	c := calendar{month: two(b, 0), day: two(b, 3), hasDate: true}
	if c.day < 0 {
		return stamp{}, 0
	}
	return c.finish(b, 6)
}

// compactStamp reads 20260302T140502Z and 20260302 14:05:02.
func compactStamp(b []byte) (stamp, int) {
	c := calendar{year: int(number(b[:4])), month: two(b, 4), day: two(b, 6), hasDate: true}
	if digits(b[9:]) != 6 {
		return c.finish(b, 9)
	}
	c.hour, c.minute, c.sec = two(b, 9), two(b, 11), two(b, 13)
	return c.zoned(b, 15)
}

func leadingEpoch(b []byte) (stamp, int) {
	n := digits(b)
	if n < len(b) && b[n] == '.' {
		n += 1 + digits(b[n+1:])
	}
	if n < len(b) && b[n] != ' ' && b[n] != '\t' && b[n] != ']' && b[n] != ',' && b[n] != ':' && b[n] != ')' {
		return stamp{}, 0
	}
	s, ok := epochStamp(b[:n], unitNone)
	if !ok {
		return stamp{}, 0
	}
	return s, n
}

// uptimeStamp reads the kernel's "[   12.345678] " and the JVM's "[0.856s]" or
// "[0,856s]"; b begins behind the bracket.
func uptimeStamp(b []byte) (stamp, int) {
	i := 0
	for i < len(b) && b[i] == ' ' {
		i++
	}
	d := digits(b[i:])
	if d == 0 || d > 9 || i+d >= len(b) || b[i+d] != '.' && b[i+d] != ',' {
		return stamp{}, 0
	}
	f := digits(b[i+d+1:])
	end := i + d + 1 + f
	if f < 3 || f > 9 || end >= len(b) || b[end] != ']' && (b[end] != 's' || end+1 >= len(b) || b[end+1] != ']') {
		return stamp{}, 0
	}
	bracket := end
	if b[bracket] == 's' {
		bracket++
	}
	if bracket+2 >= len(b) || b[bracket+1] != ' ' && b[bracket+1] != '[' { // "[0.123]" alone is a number of a list
		return stamp{}, 0
	}
	at := number(b[i:i+d]) * 1e9
	scale := int64(1e8)
	for _, c := range b[i+d+1 : end] {
		at += int64(c-'0') * scale
		scale /= 10
	}
	return stamp{kind: stampUptime, style: styleUptime, at: at, digits: int8(f)}, end
}

// fieldStamp reads dates of three fields without a leading year: 05/16/21,
// 09/11/2023, 02.03.2026 (day first by convention), 25/Feb/2025:13:59:45.
func (o *dateOrder) fieldStamp(b []byte, d int) (stamp, int) {
	sep := b[d]
	i := d + 1
	if i < len(b) && isLetter(b[i]) {
		return clfStamp(b, d)
	}
	e := digits(b[i:])
	if e == 0 || e > 2 || i+e >= len(b) || b[i+e] != sep {
		return stamp{}, 0
	}
	j := i + e + 1
	y := digits(b[j:])
	if y != 2 && y != 4 || j+y >= len(b) || b[j+y] != ' ' && b[j+y] != 'T' && b[j+y] != ',' {
		return stamp{}, 0
	}
	f := [3]int{int(number(b[:d])), int(number(b[i : i+e])), int(number(b[j : j+y]))}
	at := j + y + 1
	if at < len(b) && b[at] == ' ' {
		at++
	}
	if sep == '.' && !o.declared { // day first by convention
		c := calendar{day: f[0], month: f[1], year: century(f[2], y), hasDate: true}
		s, n := c.finish(b, at)
		s.orders = orderDMY
		return s, n
	}
	allowed := allowedOrders(f, y == 4)
	c, verdict := o.calendar(f, y, allowed)
	s, n := c.finish(b, at)
	s.orders, s.readAs = allowed, o.set
	if allowed == 0 {
		s.orders = orderNone
	}
	if verdict != fine {
		s.verdict = verdict
	}
	return s, n
}

func century(y, digits int) int {
	if digits == 2 {
		return 2000 + y
	}
	return y
}
