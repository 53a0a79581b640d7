package applog

import (
	"bytes"
	"time"

	"tracemerge/model"
)

// An entry is one record while its lines are read. Byte slices are valid as long
// as the line; keep turns the entry into a mark.
type entry struct {
	rules   []rule
	dates   *dateOrder
	pinned  bool // the time is settled: fields do not change it
	timed   bool
	order   uint8
	stamp   stamp
	level   model.Level
	edge    model.Edge
	state   model.Edge // an edge word in a field that may be another thing
	badEdge bool       // a field says edge and no word of ours
	failed  bool       // a field states an error
	retry   bool
	noUnit  bool // a duration without a unit was met
	rule    int  // 1-based, 0 if none matched
	ruled   []byte

	message, stage, task, input []byte
	marker                      []byte
	wrapped                     []byte // docker: the line of the application
	stream                      bool

	rank, step, done, total, accepted, rejected, errors, retries model.Maybe[int64]
	duration                                                     model.Maybe[time.Duration]
	nested                                                       int
}

// reset makes the entry ready for the next record.
func (e *entry) reset() {
	none := model.Missing[int64](model.NotRecorded)
	*e = entry{rules: e.rules, dates: e.dates, rank: none, step: none, done: none, total: none, accepted: none,
		rejected: none, errors: none, retries: none, duration: model.Missing[time.Duration](model.NotRecorded)}
}

// field takes one field of the record.
func (e *entry) field(key []byte, v value) {
	if len(e.rules) > 0 {
		e.tryRules(key, v)
	}
	n := nameOf(key)
	switch n.means {
	case meansNothing:
		e.docker(key, v)
	case meansTime:
		e.time(n, v)
	case meansMessage:
		if v.kind == valueText && e.message == nil {
			e.message = v.plain()
		}
	case meansLevel:
		e.setLevel(v)
	case meansTask:
		e.task = words(v, e.task)
	case meansStage:
		e.stage = words(v, e.stage)
	case meansInput:
		e.input = words(v, e.input)
	case meansEdge:
		if e.edge = edgeNamed(v.text); e.edge == model.EdgeNone {
			e.badEdge = true
		}
	case meansState:
		e.state = edgeNamed(v.text)
	case meansDuration:
		e.setDuration(n, v)
	case meansNested:
		if v.kind == valueNested && v.text[0] == '{' && e.nested < 2 {
			e.nested++
			scanObject(v.text, e)
		}
	default:
		e.count(n.means, v)
	}
}

// words returns a name or number as text; nested values and null are none.
func words(v value, old []byte) []byte {
	switch v.kind {
	case valueText:
		return v.plain()
	case valueNumber:
		return v.text
	}
	return old
}

// count takes the fields that are figures.
func (e *entry) count(m meaning, v value) {
	switch m {
	case meansError:
		e.setError(v)
		return
	case meansRetry:
		yes, known := v.truth()
		e.retry = e.retry || yes || !known
		return
	case meansProgress:
		if done, total, ok := ratio(v.text); ok && v.kind == valueText {
			e.done, e.total = model.Known(done), model.Known(total)
			return
		}
	}
	n, ok := integer(v.text)
	if !ok || v.kind > valueNumber {
		return
	}
	known := model.Known(n)
	switch m {
	case meansProgress:
		e.done = known
	case meansTotal:
		e.total = known
	case meansAccepted:
		e.accepted = known
	case meansRejected:
		e.rejected = known
	case meansErrors:
		e.errors = known
	case meansRetries:
		e.retries = known
	case meansAttempt:
		e.retry = e.retry || n >= 2
	case meansRank:
		e.rank = known
	case meansStep:
		e.step = known
	}
}

// setError takes an error field: a number counts errors, anything else but a no
// is an error.
func (e *entry) setError(v value) {
	if n, ok := integer(v.text); ok && v.kind <= valueNumber {
		if !e.errors.Known() {
			e.errors = model.Known(n)
		}
		return
	}
	yes, known := v.truth()
	e.failed = e.failed || yes || !known
}

func (e *entry) setLevel(v value) {
	switch {
	case v.kind == valueNumber, v.kind == valueText && len(v.text) > 0 && isDigit(v.text[0]):
		e.level = levelNumber(v.text)
	case v.kind == valueText:
		e.level = levelNamed(bytes.TrimRight(v.text, "0123456789 "))
	case v.kind == valueNested && v.text[0] == '{': // loguru: {"name":"INFO","no":20}
		scanObject(v.text, levelName{e})
	}
}

// levelName reads the level from loguru's nested object.
type levelName struct{ *entry }

func (l levelName) field(key []byte, v value) {
	if string(key) == "name" && v.kind == valueText {
		l.level = levelNamed(v.text)
	}
}

func (e *entry) setDuration(n named, v value) {
	if v.kind != valueText && v.kind != valueNumber {
		return
	}
	if n.unit > 0 {
		if d, ok := scaled(v.text, n.unit); ok {
			e.duration = model.Known(d)
			return
		}
	}
	if d, ok := parseDuration(v.text); ok && v.kind == valueText {
		e.duration = model.Known(d)
		return
	}
	if _, ok := scaled(v.text, time.Nanosecond); ok {
		e.noUnit = true
	}
}

// time takes a field that holds the record's time, unless a better one was seen.
func (e *entry) time(n named, v value) {
	if e.pinned || e.timed && n.order >= e.order {
		return
	}
	if v.kind == valueNested && v.text[0] == '{' { // loguru: {"repr":…,"timestamp":1762063199.475}
		if e.nested < 2 {
			e.nested++
			scanObject(v.text, timeObject{e})
		}
		return
	}
	s, ok := e.readTime(n, v)
	if ok {
		e.stamp, e.timed, e.order = s, true, n.order
	}
}

type timeObject struct{ *entry }

func (t timeObject) field(key []byte, v value) {
	if string(key) == "timestamp" && v.kind == valueNumber {
		if s, ok := epochStamp(v.text, unitNone); ok {
			t.stamp, t.timed, t.order = s, true, 0
		}
	}
}

func (e *entry) readTime(n named, v value) (stamp, bool) {
	text := v.plain()
	switch v.kind {
	case valueNumber:
		return epochStamp(text, n.epoch)
	case valueText:
		text = bytes.TrimSpace(text)
		if d := digits(text); d >= 10 && (d == len(text) || text[d] == '.') {
			return epochStamp(text, n.epoch)
		}
		s, used := e.dates.parseStamp(text)
		return s, used > 0
	}
	return stamp{}, false
}

// docker takes the fields of docker's json-file: {"log":…,"stream":…,"time":…}.
func (e *entry) docker(key []byte, v value) {
	if v.kind != valueText {
		return
	}
	switch string(key) {
	case "log":
		e.wrapped = v.plain()
	case "stream":
		e.stream = true
	}
}

// resolve settles what depends on several fields: the edge, and the stage that a
// rule names.
func (e *entry) resolve() {
	if len(e.rules) > 0 {
		e.messageRules()
	}
	if e.rule > 0 {
		e.stage = e.ruled
	}
	if e.edge == model.EdgeNone && len(e.stage) > 0 {
		if e.edge = e.state; e.edge == model.EdgeNone {
			e.edge = edgeNamed(e.message)
		}
	}
	if len(e.stage) == 0 {
		e.edge = model.EdgeNone
	} else if e.edge == model.EdgeNone && e.duration.Known() {
		e.edge = model.EdgeWhole
	}
	if e.message != nil {
		e.readMessage(e.message)
	}
}

// says reports whether the record states anything that a mark can hold.
func (e *entry) says() bool {
	return len(e.stage) > 0 || e.failed || e.level >= model.LevelError || e.retry || e.step.Known() || e.done.Known() ||
		e.accepted.Known() || e.rejected.Known() || e.errors.Known() || e.retries.Known()
}
