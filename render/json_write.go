package render

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"tracemerge/model"
	"tracemerge/render/redact"
)

// jsonWriter writes indented JSON with the keys in the order in which they are
// asked for. Numbers are written from integers where they are integers, so that
// nanoseconds survive; text of files comes in as redact.Shown only, plain strings
// are constants of this program.
//
// Invariant: a value that is not known is null, and the key's sibling with
// "_unknown" at its end gives the code of the reason.
type jsonWriter struct {
	out   bytes.Buffer
	depth int
	begun bool // the innermost object or array has an entry
}

// Reasons of the output itself, beside those of model.Reason.
const (
	whyRelative  = "relative_time" // --relative-time: no dates are written
	whyUnbounded = "unbounded"     // the bound is infinite
	whyUnread    = "not_read"      // the file was not read
)

func (j *jsonWriter) next() {
	if j.begun {
		j.out.WriteByte(',')
	}
	j.begun = true
	if j.depth > 0 {
		j.out.WriteByte('\n')
		for range j.depth {
			j.out.WriteString("  ")
		}
	}
}

func (j *jsonWriter) within(open, end byte, body func()) {
	j.out.WriteByte(open)
	j.depth++
	j.begun = false
	body()
	j.depth--
	if j.begun {
		j.out.WriteByte('\n')
		for range j.depth {
			j.out.WriteString("  ")
		}
	}
	j.out.WriteByte(end)
	j.begun = true
}

func (j *jsonWriter) key(name string) {
	j.next()
	j.quote(name)
	j.out.WriteString(": ")
}

func (j *jsonWriter) quote(s string) {
	e := json.NewEncoder(&j.out)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)                 // a string into memory cannot fail
	j.out.Truncate(j.out.Len() - 1) // the encoder ends with a new line
}

// object is a key whose value is an object.
func (j *jsonWriter) object(name string, body func()) {
	j.key(name)
	j.within('{', '}', body)
}

// array is a key whose value is a list; body calls item.
func (j *jsonWriter) array(name string, body func()) {
	j.key(name)
	j.within('[', ']', body)
}

// item is an object in a list.
func (j *jsonWriter) item(body func()) {
	j.next()
	j.within('{', '}', body)
}

// null is an unknown value with the code of its reason.
func (j *jsonWriter) null(name, why string) {
	j.key(name)
	j.out.WriteString("null")
	j.key(name + "_unknown")
	j.quote(why)
}

// word is a constant of ours; empty is unknown.
func (j *jsonWriter) word(name, value string, why model.Reason) {
	if value == "" {
		j.null(name, why.String())
		return
	}
	j.key(name)
	j.quote(value)
}

// text is shown text; empty is unknown.
func (j *jsonWriter) text(name string, s redact.Shown, why model.Reason) {
	j.word(name, s.String(), why)
}

// scalar is a key and value as a person wrote them: a number stays a number, and
// true and false stay what they are.
func (j *jsonWriter) scalar(name, value redact.Shown) {
	j.key(name.String())
	text := value.String()
	if text != "" && strings.ContainsRune("-0123456789tf", rune(text[0])) && json.Valid([]byte(text)) {
		j.out.WriteString(text)
		return
	}
	j.quote(text)
}

func (j *jsonWriter) bool(name string, v bool) {
	j.key(name)
	j.out.WriteString(strconv.FormatBool(v))
}

func (j *jsonWriter) int(name string, v int64) {
	j.key(name)
	j.out.WriteString(strconv.FormatInt(v, 10))
}

// seconds is a duration to the nanosecond.
func (j *jsonWriter) seconds(name string, d time.Duration) {
	j.key(name)
	j.out.WriteString(Exact(d))
}

// float is a measured number in the shortest text that gives it back.
func (j *jsonWriter) float(name string, v float64) {
	switch {
	case math.IsNaN(v):
		j.null(name, model.NotComputable.String())
	case math.IsInf(v, 0):
		j.null(name, whyUnbounded)
	default:
		j.key(name)
		j.out.WriteString(exactFloat(v))
	}
}

func (j *jsonWriter) maybeFloat(name string, m model.Maybe[float64]) {
	if v, ok := m.Get(); ok {
		j.float(name, v)
	} else {
		j.null(name, m.Why().String())
	}
}

func (j *jsonWriter) maybeInt(name string, m model.Maybe[int64]) {
	if v, ok := m.Get(); ok {
		j.int(name, v)
	} else {
		j.null(name, m.Why().String())
	}
}

func (j *jsonWriter) maybeBool(name string, m model.Maybe[bool]) {
	if v, ok := m.Get(); ok {
		j.bool(name, v)
	} else {
		j.null(name, m.Why().String())
	}
}

func (j *jsonWriter) maybeSeconds(name string, m model.Maybe[time.Duration]) {
	if v, ok := m.Get(); ok {
		j.seconds(name, v)
	} else {
		j.null(name, m.Why().String())
	}
}

func (j *jsonWriter) secondsPair(name string, r model.Range[time.Duration]) {
	j.object(name, func() {
		j.seconds("lo", r.Lo)
		j.seconds("hi", r.Hi)
	})
}

func (j *jsonWriter) pair(name string, m model.Maybe[model.Range[float64]]) {
	r, ok := m.Get()
	if !ok {
		j.null(name, m.Why().String())
		return
	}
	j.object(name, func() {
		j.float("lo", r.Lo)
		j.float("hi", r.Hi)
	})
}

// list is a list of texts; empty ones are left out.
func (j *jsonWriter) list(name string, texts []redact.Shown) {
	j.array(name, func() {
		for _, t := range texts {
			if !t.Empty() {
				j.next()
				j.quote(t.String())
			}
		}
	})
}

// words is a list of constants of ours.
func (j *jsonWriter) words(name string, words []string) {
	j.array(name, func() {
		for _, w := range words {
			j.next()
			j.quote(w)
		}
	})
}

// instantUTC is an instant on the calendar.
func (j *jsonWriter) instantUTC(name string, t model.Time) {
	j.key(name)
	j.quote(t.UTC().Format("2006-01-02T15:04:05.000000000Z"))
}
