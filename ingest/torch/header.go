package torch

import (
	"bytes"
	"encoding/json"

	"tracemerge/ingest"
	"tracemerge/ingest/torch/internal/jsonscan"
	"tracemerge/model"
)

// header is what the top-level keys state.
type header struct {
	array     bool // a bare array: there are no top-level keys
	hasEvents bool
	hasNodes  bool // of an execution trace
	closed    bool // the document is complete

	base    model.Maybe[int64] // ns
	basePos model.Pos
	schema  string
	host    string
	path    string // where the profiler wrote the file
	pathPos model.Pos
	rank    model.Maybe[int64]
	world   model.Maybe[int64]
	stack   model.Maybe[bool]
	shapes  model.Maybe[bool]
	memory  model.Maybe[bool]
}

// maxHeader bounds how much of one top-level value that is used is looked at;
// distributedInfo of 10,000 ranks takes some 200 kB.
const maxHeader = 8 << 20

// What is no profiler trace says what was found.
var (
	errEmpty     = model.Refuse("the file is empty: expected a profiler trace, an object with traceEvents or an array of events")
	errNoObject  = model.Refuse("no profiler trace: expected an object with traceEvents or an array of events, found neither an object nor an array")
	errNoEvents  = model.Refuse("no profiler trace: expected the key traceEvents, found an object without it")
	errExecution = model.Refuse("no profiler trace: expected the key traceEvents, found a PyTorch execution trace (an object with nodes); export a trace with torch.profiler instead")
	errNotArray  = model.Refuse("no profiler trace: expected an array under traceEvents, found another value")
	errTimeline  = model.Refuse("no profiler trace: expected an array of events, found an array without any event (a memory timeline is one)")
)

// topKeys are the keys by which the reader finds its place again in a broken
// head or tail.
func topKeys() []string {
	return []string{"traceEvents", "baseTimeNanoseconds", "displayTimeUnit", "traceName", "distributedInfo", "deviceProperties",
		"schemaVersion", "trace_id", "host_name", "with_stack", "record_shapes", "profile_memory", "INFO", "WARNING", "ERROR", "metadata"}
}

// topKeyAt reports whether a known top-level key and its colon stand at i.
func topKeyAt(b []byte, i, end int) bool {
	if i >= end || b[i] != '"' {
		return false
	}
	n := bytes.IndexByte(b[i+1:min(end, i+64)], '"')
	if n < 0 {
		return false
	}
	c := blanks(b, i+n+2, end)
	if c >= end || b[c] != ':' {
		return false
	}
	for _, k := range topKeys() {
		if string(b[i+1:i+1+n]) == k {
			return true
		}
	}
	return false
}

// document reads the whole text.
func (r *reader) document() error {
	i := r.space(0)
	if i == r.win.End {
		return errEmpty
	}
	if i = r.begin(i); i == r.win.End {
		return errNoObject
	}
	var err error
	if r.win.Buf[i] == '[' {
		r.top.array, r.top.hasEvents = true, true
		i, r.top.closed, err = r.events(i + 1)
		if err == nil && r.read > 0 && r.read == model.Sum(r.rejectedElements()) {
			err = errTimeline
		}
	} else {
		i, err = r.members(i + 1)
	}
	if err == nil && r.top.closed {
		if i = r.space(i); i < r.win.End {
			r.note(textAfter, r.at(i))
		}
	}
	return err
}

// rejectedElements are the tallies of elements that are no events at all.
func (r *reader) rejectedElements() []model.Tally {
	return []model.Tally{{N: r.seen[notObject].n}, {N: r.seen[noPhase].n}}
}

// begin returns the position of the bracket that opens the document, behind
// lines of a log that a shell redirection may have put before it.
func (r *reader) begin(i int) int {
	for {
		b, end := r.win.Buf, r.win.End
		j := jsonscan.Space(b, i+1)
		if j >= end && end-i < suspicious && r.fill(&i) {
			continue
		}
		if opens(b, i, j, end) {
			return i
		}
		if r.seen[textBefore].n == 0 {
			r.note(textBefore, r.at(i))
		}
		n := bytes.IndexByte(b[i:end], '\n')
		for n < 0 {
			if i = r.win.End; !r.fill(&i) {
				return r.win.End
			}
			n = bytes.IndexByte(r.win.Buf[i:r.win.End], '\n')
		}
		if i = r.space(i + n); i == r.win.End {
			return i
		}
	}
}

// opens reports whether the bracket at i, behind which j is the next byte that is
// no blank, can open a document. Lines of a log begin with brackets too: "[W 12".
func opens(b []byte, i, j, end int) bool {
	if j >= end {
		return b[i] == '{' || b[i] == '['
	}
	switch {
	case b[i] == '{':
		return b[j] == '"' || b[j] == '}'
	case b[i] != '[':
		return false
	case b[j] == '{', b[j] == '[', b[j] == ']', b[j] == '"':
		return true
	}
	next, ok := jsonscan.Value(b, j, end)
	if !ok || !isJSON(b[j:next]) && (b[j] < '0' || b[j] > '9') {
		return false
	}
	k := jsonscan.Space(b, next)
	return k < end && (b[k] == ',' || b[k] == ']')
}

// members reads the keys and values of the top-level object.
func (r *reader) members(i int) (int, error) {
	for {
		i = r.space(i)
		if i == r.win.End {
			return i, r.ended()
		}
		switch b := r.win.Buf; b[i] {
		case '}':
			r.top.closed = true
			return i + 1, r.ended()
		case ',':
			if i = r.space(i + 1); i < r.win.End && r.win.Buf[i] == '}' {
				r.note(strayComma, r.at(i))
			}
			continue
		case '"':
		default:
			i = r.lost(i)
			continue
		}
		key, next, ok := r.key(i)
		if !ok {
			i = r.lost(next + 1)
			continue
		}
		var err error
		if i, err = r.member(key, next); err != nil {
			return i, err
		}
	}
}

// ended says whether what was read can be a trace.
func (r *reader) ended() error {
	if !r.top.closed {
		r.cap.Truncated = true
	}
	switch {
	case r.top.hasEvents:
		return nil
	case r.top.hasNodes:
		return errExecution
	}
	return errNoEvents
}

// key reads a top-level key at i and returns the position of its value.
func (r *reader) key(i int) (string, int, bool) {
	for {
		b := r.win.Buf
		end, _ := jsonscan.StringEnd(b, i+1)
		colon := jsonscan.Space(b, end+1)
		if colon < r.win.End {
			if b[colon] != ':' {
				return "", i, false
			}
			key := string(b[i+1 : end])
			return key, r.space(colon + 1), true
		}
		if r.win.End-i > suspicious || !r.fill(&i) {
			return "", i, false
		}
	}
}

// member reads the value at i of a top-level key.
func (r *reader) member(key string, i int) (int, error) {
	if i == r.win.End {
		return i, nil
	}
	switch key {
	case "traceEvents":
		if r.win.Buf[i] != '[' {
			return i, errNotArray
		}
		r.top.hasEvents = true
		next, closed, err := r.events(i + 1)
		if err == nil && !closed {
			r.cap.Truncated = true
		}
		return next, err
	case "nodes":
		r.top.hasNodes = true
	case "baseTimeNanoseconds", "schemaVersion", "distributedInfo", "host_name", "traceName", "with_stack", "record_shapes", "profile_memory":
		v, next, ok := r.wholeValue(i)
		if !ok {
			return r.lost(next), nil
		}
		r.state(key, v, r.at(i))
		return next, nil
	}
	return r.skip(i), nil
}

// wholeValue returns the text of the value at i, which the window is made to
// hold; it is valid until the window moves.
func (r *reader) wholeValue(i int) (v []byte, next int, ok bool) {
	for {
		next, ok = jsonscan.Value(r.win.Buf, i, r.win.End)
		if ok {
			return r.win.Buf[i:next], next, true
		}
		if next < r.win.End || r.win.End-i > maxHeader || !r.fill(&i) {
			return nil, i, false
		}
	}
}

// state takes a top-level value.
func (r *reader) state(key string, v []byte, at model.Pos) {
	var text string
	if v[0] == '"' {
		text, _ = jsonscan.Unescape(v[1 : len(v)-1])
	} else {
		text = string(v)
	}
	switch key {
	case "baseTimeNanoseconds":
		ns, err := ingest.ParseDecimal([]byte(text), 0)
		if err != nil || ns < 0 || ns >= maxNS {
			r.say("torch/base-not-usable", model.DataLoss, at, model.Say("baseTimeNanoseconds is no usable number of nanoseconds: taken as absent"))
			return
		}
		r.top.base, r.top.basePos = model.Known(ns), at
	case "schemaVersion":
		if _, ok := stepNumber(text); ok {
			r.top.schema = text
		}
	case "host_name":
		if v[0] == '"' {
			r.top.host = text
		}
	case "traceName":
		if v[0] == '"' {
			r.top.path, r.top.pathPos = text, at
		}
	case "distributedInfo":
		r.distributed([]byte(text))
	case "with_stack":
		r.top.stack = option(text)
	case "record_shapes":
		r.top.shapes = option(text)
	case "profile_memory":
		r.top.memory = option(text)
	}
}

// option reads 1, 0, true, false.
func option(text string) model.Maybe[bool] {
	switch text {
	case "1", "true", "True":
		return model.Known(true)
	case "0", "false", "False":
		return model.Known(false)
	}
	return model.Missing[bool](model.ReadError)
}

// distributed reads rank and world size from distributedInfo, an object that
// some tools write as a string and that may lack either.
func (r *reader) distributed(text []byte) {
	var v map[string]json.RawMessage
	if json.Unmarshal(text, &v) != nil {
		return
	}
	get := func(key string) model.Maybe[int64] {
		if n, err := ingest.ParseDecimal(bytes.Trim(v[key], `"`), 0); err == nil && n >= 0 {
			return model.Known(n)
		}
		return model.Missing[int64](model.NotDeclared)
	}
	r.top.rank, r.top.world = get("rank"), get("world_size")
}

// skip passes over the value at i, which may be longer than the window.
func (r *reader) skip(i int) int {
	b := r.win.Buf
	next, ok := jsonscan.Value(b, i, r.win.End)
	if ok {
		return next
	}
	if next < r.win.End {
		return r.lost(next)
	}
	return r.skipLong(i)
}

// skipLong is skip for a value of which the window holds only the beginning: it
// passes over its elements one by one.
func (r *reader) skipLong(i int) int {
	depth := 0
	for {
		i = r.space(i)
		if i == r.win.End {
			return i
		}
		switch b := r.win.Buf; b[i] {
		case '{', '[':
			if next, ok := jsonscan.Nested(b, i, r.win.End); ok {
				i = next
			} else if next < r.win.End {
				return r.lost(next)
			} else {
				i++
				depth++
			}
		case '}', ']':
			i++
			depth--
		case ',', ':':
			i++
		default:
			v, next, ok := r.wholeValue(i)
			if !ok || len(v) == 0 {
				return r.lost(next)
			}
			i = next
		}
		if depth <= 0 {
			return i
		}
	}
}

// lost looks for the next known top-level key behind i.
func (r *reader) lost(i int) int {
	if i < r.win.End {
		r.note(headerBroken, r.at(i))
	}
	for {
		b, end := r.win.Buf, r.win.End
		for j := i; j < end; j++ {
			n := bytes.IndexByte(b[j:end], '"')
			if n < 0 {
				break
			}
			if j += n; topKeyAt(b, j, end) {
				return j
			}
		}
		i = max(i, end-128)
		if !r.fill(&i) {
			return r.win.End
		}
	}
}
