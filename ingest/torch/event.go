package torch

import (
	"tracemerge/ingest/torch/internal/jsonscan"
)

// tokenKind is the JSON type of a value.
type tokenKind uint8

const (
	tokNone    tokenKind = iota
	tokString            // from and to stand inside the quotation marks
	tokEscaped           // the same, with backslashes
	tokBare              // number, literal or bare word
	tokNested            // object or array
)

// A token is a value in the window; it is valid until the window moves.
type token struct {
	from, to int32
	kind     tokenKind
}

// element is one object of the event array as it stands in the text.
type element struct {
	ph        byte // 0 if absent, '?' if it is no single character
	ts, dur   token
	cat, name token
	pid, tid  token
	args      token
	parsed    bool // args was read into what follows
	device    token
	stream    token
	link      token
	label     token // args.name of metadata
	bare      int32 // place of a bare word that is no JSON, 0 if none
	comma     int32 // place of a closing bracket behind a comma, 0 if none
}

// Keys of an event and of its args, packed.
const (
	keyPh   = 'p' | 'h'<<8
	keyTs   = 't' | 's'<<8
	keyCat  = 'c' | 'a'<<8 | 't'<<16
	keyDur  = 'd' | 'u'<<8 | 'r'<<16
	keyPid  = 'p' | 'i'<<8 | 'd'<<16
	keyTid  = 't' | 'i'<<8 | 'd'<<16
	keyName = 'n' | 'a'<<8 | 'm'<<16 | 'e'<<24
	keyArgs = 'a' | 'r'<<8 | 'g'<<16 | 's'<<24
	keyDev  = 'd' | 'e'<<8 | 'v'<<16 | 'i'<<24 | 'c'<<32 | 'e'<<40
	keyStrm = 's' | 't'<<8 | 'r'<<16 | 'e'<<24 | 'a'<<32 | 'm'<<40
)

const keyCorrelation = "correlation" // too long to be packed

// object reads the object that begins at i into e. If it cannot, next is the
// place where it failed; at or behind the window's end that means that more text
// is needed.
func (r *reader) object(b []byte, i int, e *element) (next int, ok bool) {
	*e = element{}
	i = jsonscan.Space(b, i+1)
	if b[i] == '}' {
		return i + 1, i < r.win.End
	}
	for {
		if b[i] != '"' {
			return i, false
		}
		key, end, long := jsonscan.Key(b, i+1)
		if long {
			key, end = r.longKey(b, i+1)
		}
		if i = jsonscan.Space(b, end+1); b[i] != ':' {
			return i, false
		}
		i = jsonscan.Space(b, i+1)
		if i, ok = r.field(b, i, key, e); !ok {
			return i, false
		}
		switch i = jsonscan.Space(b, i); b[i] {
		case ',':
			if i = jsonscan.Space(b, i+1); b[i] == '}' && i < r.win.End {
				e.comma = int32(i)
				return i + 1, true
			}
		case '}':
			return i + 1, i < r.win.End
		default:
			return i, false
		}
	}
}

// field reads the value at i of a key.
func (r *reader) field(b []byte, i int, key uint64, e *element) (next int, ok bool) {
	var t *token
	switch key {
	case keyTs:
		t = &e.ts
	case keyDur:
		t = &e.dur
	case keyPid:
		t = &e.pid
	case keyTid:
		t = &e.tid
	case keyName:
		t = &e.name
	case keyPh:
		return r.phase(b, i, e)
	case keyCat:
		next, ok = r.value(b, i, &e.cat, e)
		r.classify(b, e.cat)
		return next, ok
	case keyArgs:
		e.parsed = false
		if b[i] == '{' && (e.ph == 'X' && e.cat.kind != tokNone && r.class.args || e.ph == 'M') {
			return r.arguments(b, i, e)
		}
		t = &e.args
	default:
		if c := b[i]; c == '"' || c == '{' || c == '[' {
			return jsonscan.Value(b, i, r.win.End)
		}
		var other token
		t = &other
	}
	return r.value(b, i, t, e)
}

// value reads the value at i into t.
func (r *reader) value(b []byte, i int, t *token, e *element) (next int, ok bool) {
	switch c := b[i]; {
	case c == '"':
		end, escaped := jsonscan.StringEnd(b, i+1)
		*t = token{int32(i + 1), int32(end), tokString}
		if escaped {
			t.kind = tokEscaped
		}
		return end + 1, end < r.win.End
	case c == '{' || c == '[':
		next, ok = jsonscan.Nested(b, i, r.win.End)
		*t = token{int32(i), int32(next), tokNested}
		return next, ok
	default:
		next = jsonscan.Bare(b, i)
		*t = token{int32(i), int32(next), tokBare}
		if next > i && (c < '0' || c > '9') && next < r.win.End && !isJSON(b[i:next]) {
			e.bare = int32(i)
		}
		return next, next > i && next < r.win.End
	}
}

// isJSON tells literals and negative numbers from bare words such as nan.
func isJSON(b []byte) bool {
	switch b[0] {
	case '-':
		return len(b) > 1 && '0' <= b[1] && b[1] <= '9'
	case 't':
		return string(b) == "true"
	case 'f':
		return string(b) == "false"
	case 'n':
		return string(b) == "null"
	}
	return false
}

// phase reads the value of ph.
func (r *reader) phase(b []byte, i int, e *element) (next int, ok bool) {
	if b[i] == '"' && b[i+1] != '\\' && b[i+1] != '"' && b[i+2] == '"' {
		e.ph = b[i+1]
		return i + 3, i+2 < r.win.End
	}
	var t token
	next, ok = r.value(b, i, &t, e)
	e.ph = '?'
	if t.kind == tokEscaped && ok {
		if s, _ := jsonscan.Unescape(b[t.from:t.to]); len(s) == 1 {
			e.ph = s[0]
		}
	}
	return next, ok
}

// longKey finds the end of a key that is long or holds escapes, and returns the
// packed form of what it stands for; 0 for a key that no rule knows.
func (r *reader) longKey(b []byte, i int) (key uint64, end int) {
	end, escaped := jsonscan.StringEnd(b, i)
	if escaped && end < r.win.End {
		if s, _ := jsonscan.Unescape(b[i:end]); len(s) < 8 {
			return jsonscan.Pack(s), end
		}
	}
	return 0, end
}

// arguments reads the args object that begins at i.
func (r *reader) arguments(b []byte, i int, e *element) (next int, ok bool) {
	e.parsed = true
	e.device, e.stream, e.link, e.label = token{}, token{}, token{}, token{}
	e.args = token{int32(i), 0, tokNested}
	i = jsonscan.Space(b, i+1)
	if b[i] == '}' {
		e.args.to = int32(i + 1)
		return i + 1, i < r.win.End
	}
	for {
		if b[i] != '"' {
			return i, false
		}
		var t *token
		key, end, long := jsonscan.Key(b, i+1)
		if long {
			from := i + 1
			key, end = r.longKey(b, from)
			if end < r.win.End && string(b[from:end]) == keyCorrelation {
				t = &e.link
			}
		}
		switch key {
		case keyDev:
			t = &e.device
		case keyStrm:
			t = &e.stream
		case keyName:
			t = &e.label
		}
		if i = jsonscan.Space(b, end+1); b[i] != ':' {
			return i, false
		}
		i = jsonscan.Space(b, i+1)
		var other token
		if t == nil {
			t = &other
		}
		if i, ok = r.value(b, i, t, e); !ok {
			return i, false
		}
		switch i = jsonscan.Space(b, i); b[i] {
		case ',':
			if i = jsonscan.Space(b, i+1); b[i] == '}' && i < r.win.End {
				e.comma = int32(i)
				e.args.to = int32(i + 1)
				return i + 1, true
			}
		case '}':
			e.args.to = int32(i + 1)
			return i + 1, i < r.win.End
		default:
			return i, false
		}
	}
}
