package applog

import (
	"bytes"
	"time"

	"tracemerge/ingest"
	"tracemerge/model"
)

// valueKind is the type of a field's value as the file writes it.
type valueKind uint8

const (
	valueText valueKind = iota // a string; in logfmt and text every value
	valueNumber
	valueTrue
	valueFalse
	valueNull
	valueNested // an object or array, as JSON text
)

// A value is the value of one field; text is valid as long as the line.
type value struct {
	kind    valueKind
	text    []byte
	escaped bool // a JSON string with escapes, text still holds them
}

// plain returns the text without escapes.
func (v value) plain() []byte {
	if !v.escaped {
		return v.text
	}
	return unescape(append(append([]byte{'"'}, v.text...), '"'))
}

// truth reads yes and no as logs write them; known is false for anything else.
func (v value) truth() (yes, known bool) {
	switch v.kind {
	case valueTrue:
		return true, true
	case valueFalse, valueNull:
		return false, true
	case valueNested:
		return len(v.text) > 2, true
	}
	switch string(v.text) {
	case "", "false", "False", "no", "none", "None", "null", "nil", "<nil>", "-", "0":
		return false, true
	case "true", "True", "yes", "1":
		return true, true
	}
	return false, false
}

// meaning is what a field is used for.
type meaning uint8

const (
	meansNothing meaning = iota
	meansTime
	meansMessage
	meansLevel
	meansTask
	meansStage
	meansEdge
	meansState // an edge only beside a stage: "status":"started"
	meansInput
	meansProgress
	meansTotal
	meansAccepted
	meansRejected
	meansErrors
	meansError
	meansRetry
	meansAttempt
	meansRetries
	meansRank
	meansStep
	meansDuration
	meansNested // an object whose fields are read as the record's own
)

// A named is what a field's name says: its meaning, the unit it names, and how
// much it is preferred among several of the same meaning (lower is better).
type named struct {
	means meaning
	unit  time.Duration // of a duration: "took_ms"; 0 if the name has none
	epoch epochUnit     // of a time: "time_ms"
	order uint8
}

// maxName is the longest field name that is looked at.
const maxName = 32

// nameOf returns what a field of that name means. Letters are compared without
// case, and - and . as _.
func nameOf(name []byte) named {
	if len(name) == 0 || len(name) > maxName {
		return named{}
	}
	var buf [maxName]byte
	key := buf[:len(name)]
	for i, c := range name {
		switch {
		case 'A' <= c && c <= 'Z':
			c |= 0x20
		case c == '-' || c == '.':
			c = '_'
		}
		key[i] = c
	}
	if n, ok := exactName(key); ok {
		return n
	}
	if base, unit := unitSuffix(key); unit > 0 && isDurationName(base) {
		return named{means: meansDuration, unit: unit}
	}
	return named{}
}

// exactName is the table of names: those of the recommended line first, then
// what the common logging libraries call them.
func exactName(key []byte) (named, bool) {
	switch string(key) {
	case "time":
		return named{means: meansTime}, true
	case "timestamp", "@timestamp":
		return named{means: meansTime, order: 1}, true
	case "ts", "asctime", "datetime", "date_time", "eventtime", "event_time", "t":
		return named{means: meansTime, order: 2}, true
	case "time_ms", "timestamp_ms", "ts_ms":
		return named{means: meansTime, epoch: unitMillis, order: 1}, true
	case "time_us", "timestamp_us", "ts_us":
		return named{means: meansTime, epoch: unitMicros, order: 1}, true
	case "__realtime_timestamp":
		return named{means: meansTime, epoch: unitMicros, order: 3}, true
	case "time_ns", "timestamp_ns", "ts_ns", "time_unix_nano":
		return named{means: meansTime, epoch: unitNanos, order: 1}, true
	case "created", "epoch_time", "unix_time": // LogRecord.created is in seconds
		return named{means: meansTime, epoch: unitSeconds, order: 4}, true
	case "message", "msg", "event":
		return named{means: meansMessage}, true
	case "level", "lvl", "levelname", "severity", "log_level", "loglevel", "priority":
		return named{means: meansLevel}, true
	case "task", "task_id", "taskid", "job", "job_id":
		return named{means: meansTask}, true
	case "stage", "phase", "stage_name":
		return named{means: meansStage}, true
	case "edge", "edge_type", "stage_edge":
		return named{means: meansEdge}, true
	case "status", "state", "action":
		return named{means: meansState}, true
	case "input", "input_id", "batch", "batch_id":
		return named{means: meansInput}, true
	case "progress", "done":
		return named{means: meansProgress}, true
	case "total":
		return named{means: meansTotal}, true
	case "step", "global_step", "iteration", "iter", "step_num":
		return named{means: meansStep}, true
	case "rank", "global_rank":
		return named{means: meansRank}, true
	case "fields", "extra", "context", "data", "record":
		return named{means: meansNested}, true
	}
	return countName(key)
}

func countName(key []byte) (named, bool) {
	switch string(key) {
	case "accepted", "accepted_total", "accepted_count", "n_accepted":
		return named{means: meansAccepted}, true
	case "rejected", "rejected_total", "rejected_count", "n_rejected":
		return named{means: meansRejected}, true
	case "errors", "error_count", "errors_total", "n_errors":
		return named{means: meansErrors}, true
	case "error", "err", "exception", "exc_info", "exc", "error_message":
		return named{means: meansError}, true
	case "retries", "retry_count", "retries_total", "n_retries":
		return named{means: meansRetries}, true
	case "retry", "retrying", "is_retry":
		return named{means: meansRetry}, true
	case "attempt", "try":
		return named{means: meansAttempt}, true
	}
	if isDurationName(key) {
		return named{means: meansDuration}, true
	}
	return named{}, false
}

func isDurationName(key []byte) bool {
	switch string(key) {
	case "duration", "elapsed", "took", "latency", "dur", "elapsed_time", "step_time", "duration_time":
		return true
	}
	return false
}

// unitSuffix splits "took_ms" into "took" and the unit.
func unitSuffix(key []byte) (base []byte, unit time.Duration) {
	i := bytes.LastIndexByte(key, '_')
	if i < 0 {
		return nil, 0
	}
	return key[:i], unitNamed(key[i+1:])
}

// unitNamed returns the unit of time of that name, 0 if it is none.
func unitNamed(name []byte) time.Duration {
	switch string(name) {
	case "ns", "nanos", "nanoseconds":
		return time.Nanosecond
	case "us", "µs", "μs", "micros", "microseconds":
		return time.Microsecond
	case "ms", "msec", "msecs", "millis", "milliseconds":
		return time.Millisecond
	case "s", "sec", "secs", "second", "seconds":
		return time.Second
	case "m", "min", "mins", "minute", "minutes":
		return time.Minute
	case "h", "hr", "hrs", "hour", "hours":
		return time.Hour
	}
	return 0
}

// scaled returns number × unit exactly, to the nanosecond.
func scaled(text []byte, unit time.Duration) (time.Duration, bool) {
	scale, times := 9, int64(1)
	switch unit {
	case time.Nanosecond:
		scale = 0
	case time.Microsecond:
		scale = 3
	case time.Millisecond:
		scale = 6
	case time.Minute:
		times = 60
	case time.Hour:
		times = 3600
	}
	n, err := ingest.ParseDecimal(text, scale)
	if err != nil || n < 0 || n > (1<<63-1)/times {
		return 0, false
	}
	return time.Duration(n * times), true
}

// parseDuration reads a duration that names its units: "150.7ms", "12.3 s",
// "1h2m3.5s", "00:01:30" is none (a time of day looks the same).
func parseDuration(b []byte) (d time.Duration, ok bool) {
	for len(b) > 0 {
		n := digits(b)
		if n < len(b) && b[n] == '.' {
			n += 1 + digits(b[n+1:])
		}
		if n == 0 {
			return 0, false
		}
		num := b[:n]
		b = bytes.TrimLeft(b[n:], " ")
		u := 0
		for u < len(b) && (isLetter(b[u]) || b[u] >= 0x80) {
			u++
		}
		unit := unitNamed(b[:u])
		if unit == 0 {
			return 0, false
		}
		part, good := scaled(num, unit)
		if !good || d >= 1<<62 || part >= 1<<62 {
			return 0, false
		}
		d += part
		b, ok = bytes.TrimLeft(b[u:], " "), true
	}
	return d, ok
}

// integer reads a count: an integer, or a decimal number that is one ("7.0").
func integer(b []byte) (int64, bool) {
	scaled, err := ingest.ParseDecimal(b, 3)
	if err != nil || scaled%1000 != 0 {
		return 0, false
	}
	v, err := ingest.ParseDecimal(b, 0)
	return v, err == nil
}

// ratio reads "7/100" and "7 of 100".
func ratio(b []byte) (done, total int64, ok bool) {
	i, n := bytes.IndexByte(b, '/'), 1
	if i < 0 {
		if i, n = bytes.Index(b, []byte(" of ")), 4; i < 0 {
			return 0, 0, false
		}
	}
	done, ok1 := integer(bytes.TrimSpace(b[:i]))
	total, ok2 := integer(bytes.TrimSpace(b[i+n:]))
	return done, total, ok1 && ok2 && done >= 0 && total >= 0
}

// edgeNamed returns the edge that the word names.
func edgeNamed(b []byte) model.Edge {
	var buf [12]byte
	if len(b) == 0 || len(b) > len(buf) {
		return model.EdgeNone
	}
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		buf[i] = c
	}
	switch string(buf[:len(b)]) {
	case "start", "begin", "enter", "started", "begun", "starting", "entered", "beginning", "b":
		return model.EdgeStart
	case "end", "stop", "finish", "done", "complete", "ended", "stopped", "finished", "completed", "exit", "leave", "left", "exited", "e":
		return model.EdgeEnd
	}
	return model.EdgeNone
}
