package applog

import (
	"bytes"

	"tracemerge/model"
)

// levelNamed returns the level of that name, in any case.
func levelNamed(b []byte) model.Level {
	var buf [9]byte
	if len(b) < 3 || len(b) > len(buf) {
		return model.LevelNone
	}
	for i, c := range b {
		buf[i] = c | 0x20
	}
	switch string(buf[:len(b)]) {
	case "trace", "debug", "verbose":
		return model.LevelDebug
	case "info", "notice", "success":
		return model.LevelInfo
	case "warn", "warning":
		return model.LevelWarning
	case "error", "err":
		return model.LevelError
	case "fatal", "critical", "crit", "panic", "emerg", "alert":
		return model.LevelFatal
	}
	return model.LevelNone
}

// levelNumber reads the numeric levels of pino (10 to 60) and, below 8, of
// syslog.
func levelNumber(b []byte) model.Level {
	n, ok := integer(b)
	switch {
	case !ok || n < 0:
		return model.LevelNone
	case n < 8:
		return syslogLevel(n)
	case n < 30:
		return model.LevelDebug
	case n < 40:
		return model.LevelInfo
	case n < 50:
		return model.LevelWarning
	case n < 60:
		return model.LevelError
	}
	return model.LevelFatal
}

// syslogLevel is the level of syslog's severities, 0 to 7.
func syslogLevel(n int64) model.Level {
	return [...]model.Level{model.LevelFatal, model.LevelFatal, model.LevelFatal, model.LevelError,
		model.LevelWarning, model.LevelInfo, model.LevelInfo, model.LevelDebug}[n]
}

// isLevelWord reports whether the word is a level as loggers write it: in
// capitals.
func isLevelWord(b []byte) bool {
	return upper(b) && levelNamed(b) != model.LevelNone
}

func upper(b []byte) bool {
	for _, c := range b {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return len(b) > 0
}

// levelReach is how far behind the stamp a level is looked for, in bytes.
const levelReach = 96

// levelIn returns the first level word in capitals near the start of the text
// behind a stamp.
func levelIn(b []byte) model.Level {
	b = b[:min(len(b), levelReach)]
	for len(b) > 0 {
		i := 0
		for i < len(b) && !isLetter(b[i]) {
			i++
		}
		b = b[i:]
		i = 0
		for i < len(b) && (isLetter(b[i]) || isDigit(b[i]) || b[i] == '_') {
			i++
		}
		if isLevelWord(b[:i]) {
			return levelNamed(b[:i])
		}
		b = b[i:]
	}
	return model.LevelNone
}

// bracketLevel reads a level of any case in a bracket: structlog's "[error    ]".
func bracketLevel(b []byte) model.Level {
	if len(b) == 0 || b[0] != '[' {
		return model.LevelNone
	}
	end := bytes.IndexByte(b[:min(len(b), 16)], ']')
	if end < 0 {
		return model.LevelNone
	}
	return levelNamed(bytes.TrimRight(b[1:end], " "))
}

// levelFirst skips a level before the stamp: "INFO 08-01 …", "INFO - 05/16/21 …",
// "[NeMo W 2026-…", Kineto's "STAGE:2026-…". It returns how many bytes it takes.
func levelFirst(b []byte) (model.Level, int) {
	if bytes.HasPrefix(b, []byte("STAGE:")) {
		return model.LevelInfo, 6
	}
	if bytes.HasPrefix(b, []byte("[NeMo ")) && len(b) > 8 && b[7] == ' ' {
		return glogLevel(b[6]), 8
	}
	i := 0
	if len(b) > 0 && b[0] == '[' {
		i++
	}
	j := i
	for j < len(b) && j-i < 9 && isLetter(b[j]) {
		j++
	}
	if !isLevelWord(b[i:j]) {
		return model.LevelNone, 0
	}
	l := levelNamed(b[i:j])
	for j < len(b) && (b[j] == ' ' || b[j] == ']' || b[j] == '[' || b[j] == ':' || b[j] == '-' || b[j] == '|' || b[j] == '\t') {
		j++
	}
	return l, j
}

func glogLevel(c byte) model.Level {
	switch c {
	case 'I':
		return model.LevelInfo
	case 'W':
		return model.LevelWarning
	case 'E':
		return model.LevelError
	case 'F':
		return model.LevelFatal
	case 'D', 'V':
		return model.LevelDebug
	}
	return model.LevelNone
}
