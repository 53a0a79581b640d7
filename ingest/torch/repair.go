package torch

import (
	"bytes"

	"tracemerge/ingest/torch/internal/jsonscan"
)

// eventKeys are the keys by which an event is recognised in broken text.
func eventKey(key []byte) bool {
	switch string(key) {
	case "ph", "cat", "name", "pid", "tid", "ts", "dur", "args", "id", "bp", "s":
		return true
	}
	return false
}

// blanks returns the position of the first byte in b[i:end] that is no blank.
func blanks(b []byte, i, end int) int {
	for i < end && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// keyAt reports whether an event key and its colon stand at i, and where its
// value begins.
func keyAt(b []byte, i, end int) (key []byte, value int, ok bool) {
	if i >= end || b[i] != '"' {
		return nil, i, false
	}
	n := bytes.IndexByte(b[i+1:min(end, i+8)], '"')
	if n < 0 || !eventKey(b[i+1:i+1+n]) {
		return nil, i, false
	}
	colon := blanks(b, i+n+2, end)
	if colon >= end || b[colon] != ':' {
		return nil, i, false
	}
	return b[i+1 : i+1+n], blanks(b, colon+1, end), true
}

// eventAt reports whether an event begins at i: an object whose first key is one
// of an event's and that has a ph among its own keys. cost is how many bytes were
// looked at.
func eventAt(b []byte, i, end int) (ok bool, cost int) {
	key, j, ok := keyAt(b, blanks(b, i+1, end), end)
	if !ok {
		return false, 0
	}
	first := key
	for {
		if string(key) == "ph" {
			return true, j - i
		}
		next, whole := jsonscan.Value(b, j, end)
		if !whole || next >= end {
			break
		}
		j = blanks(b, next, end)
		if j < end && b[j] == '}' {
			return false, j - i
		}
		if j >= end || b[j] != ',' {
			break
		}
		if j = blanks(b, j+1, end); j >= end || b[j] != '"' {
			break
		}
		stop, _ := jsonscan.StringEnd(b, j+1)
		colon := blanks(b, stop+1, end)
		if colon >= end || b[colon] != ':' {
			break
		}
		key, j = b[j+1:stop], blanks(b, colon+1, end)
	}
	return brokenEvent(first, b[i+1:end]), end - i
}

// brokenEvent judges an object that cannot be walked, such as one with quotation
// marks in its name: a ph before anything is nested in it, or behind its args.
func brokenEvent(first, text []byte) bool {
	p := bytes.Index(text, []byte(`"ph"`))
	if p < 0 {
		return false
	}
	next := bytes.IndexByte(text, '{')
	return next < 0 || p < next || string(first) != "args" && bytes.Contains(text[:p], []byte(`"args"`))
}

// border looks for the beginning of the next event in b[i:end]. Text made to waste
// time is full of beginnings that come to nothing: for those the effort is bounded
// by a multiple of the text.
func border(b []byte, i, end int) (int, bool) {
	effort := 16*(end-i) + 16*suspicious
	for i < end {
		n := bytes.IndexByte(b[i:end], '{')
		if n < 0 {
			break
		}
		i += n
		ok, cost := eventAt(b, i, min(end, i+suspicious, i+max(effort, 64)))
		if ok {
			return i, true
		}
		effort -= cost
		i++
	}
	return end, false
}

// lastOf looks for the end of the event array in the window between i and end: a
// bracket behind which the document ends or goes on with a key.
func (r *reader) lastOf(i, end int) (int, bool) {
	b := r.win.Buf
	ends := func(j int) bool { return j == r.win.End && r.win.EOF }
	for i < end {
		n := bytes.IndexByte(b[i:end], ']')
		if n < 0 {
			break
		}
		i += n
		j := blanks(b, i+1, r.win.End)
		if b[j] == ',' && topKeyAt(b, blanks(b, j+1, r.win.End), r.win.End) {
			return i, true
		}
		if ends(j) || b[j] == '}' && ends(blanks(b, j+1, r.win.End)) {
			return i, true
		}
		i++
	}
	return end, false
}

// arrayEnd reports whether the bracket at i closes the event array, and not a
// word in a stray line of a log.
func (r *reader) arrayEnd(i int) (at, next int, ok bool) {
	for {
		j := jsonscan.Space(r.win.Buf, i+1)
		if j < r.win.End-64 || !r.fill(&i) {
			break
		}
	}
	b, end := r.win.Buf, r.win.End
	switch j := blanks(b, i+1, end); {
	case j == end, b[j] == '}':
		ok = true
	case b[j] == ',':
		j = blanks(b, j+1, end)
		ok = j == end || b[j] == '"' || b[j] == '}'
	case b[j] == '"':
		ok = topKeyAt(b, j, end)
	}
	return i, i + 1, ok
}

// more makes sure that the window holds text up to the next border behind i, or
// suspicious bytes of it.
func (r *reader) more(i *int) {
	for r.win.End-*i < suspicious {
		if _, ok := border(r.win.Buf, *i+1, r.win.End); ok || !r.fill(i) {
			return
		}
	}
}

// repair reads the object at i, which is no JSON, by its keys, and returns where
// reading goes on: at the next event or at the end of the array.
func (r *reader) repair(i int) int {
	r.more(&i)
	b := r.win.Buf
	end, found := border(b, i+1, r.win.End)
	if last, ok := r.lastOf(i+1, end); ok && !found {
		end, found = last, true
	}
	stop := end
	for stop > i+1 && bytes.IndexByte([]byte(" \n\r\t,"), b[stop-1]) >= 0 {
		stop--
	}
	var e element
	if n, ok := balanced(b, i, stop); ok && r.byKeys(b, i, n, &e) && e.usable() && e.dur.kind != tokNone {
		stop, end = n, n // something else follows before the next event
	} else if e = (element{}); b[stop-1] != '}' || !r.byKeys(b, i, stop, &e) || !e.usable() {
		return r.giveUp(i, end, found)
	}
	r.note(repairedQuote, r.at(i))
	r.classify(b, e.cat)
	r.record(b, &e, i, stop)
	return end
}

// usable reports whether what an event cannot do without was found.
func (e *element) usable() bool { return e.ph != 0 && (e.ph == 'M' || e.ts.kind != tokNone) }

// giveUp counts the object at i as one that could not be read; reading goes on at
// end, where found says that something begins.
func (r *reader) giveUp(i, end int, found bool) int {
	r.read++
	if !found && r.win.EOF {
		r.note(cutOff, r.at(i))
		r.cap.Truncated = true
	} else {
		r.note(unreadable, r.at(i))
	}
	return end
}

// balanced returns the position behind the first closing brace in b[i:stop] that
// matches the brace at i, whatever stands in strings, and has a comma behind it.
func balanced(b []byte, i, stop int) (int, bool) {
	depth := 0
	for ; i < stop; i++ {
		switch b[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				k := blanks(b, i+1, stop)
				return i + 1, k < stop && b[k] == ','
			}
		}
	}
	return stop, false
}

// byKeys reads the object in b[i:stop] by looking for event keys: a string ends
// at the quotation mark behind which the next key or the end of the object
// follows, whatever stands inside it.
func (r *reader) byKeys(b []byte, i, stop int, e *element) bool {
	for i++; ; {
		for i = blanks(b, i, stop); i < stop && b[i] == ','; {
			i = blanks(b, i+1, stop)
		}
		if i >= stop-1 {
			return true
		}
		key, value, ok := keyAt(b, i, stop)
		if !ok {
			if i, ok = nextKey(b, i, stop); !ok {
				return e.ph != 0 && e.ts.kind != tokNone
			}
			continue
		}
		t, next := r.looseValue(b, value, stop)
		i = next
		switch string(key) {
		case "ph":
			if e.ph = '?'; t.to-t.from == 1 {
				e.ph = b[t.from]
			}
		case "cat":
			e.cat = t
		case "name":
			e.name = t
		case "pid":
			e.pid = t
		case "tid":
			e.tid = t
		case "ts":
			e.ts = t
		case "dur":
			e.dur = t
		case "args":
			e.args = t
			e.parsed = t.kind != tokNested // broken args are not read
		}
	}
}

// nextKey returns the position of the next event key behind a comma.
func nextKey(b []byte, i, stop int) (int, bool) {
	for i < stop {
		n := bytes.IndexByte(b[i:stop], ',')
		if n < 0 {
			return stop, false
		}
		i = blanks(b, i+n+1, stop)
		if _, _, ok := keyAt(b, i, stop); ok {
			return i, true
		}
	}
	return stop, false
}

// looseValue reads the value at i of an object that is no JSON and ends at stop.
func (r *reader) looseValue(b []byte, i, stop int) (token, int) {
	if i >= stop {
		return token{}, stop
	}
	switch b[i] {
	case '"':
		for j := i + 1; j < stop; j++ {
			if b[j] != '"' {
				continue
			}
			k := blanks(b, j+1, stop)
			end := k == stop-1
			if k < stop && b[k] == ',' {
				_, _, end = keyAt(b, blanks(b, k+1, stop), stop)
			}
			if end {
				return token{int32(i + 1), int32(j), tokEscaped}, j + 1
			}
		}
		return token{}, stop
	case '{', '[':
		if next, ok := jsonscan.Nested(b, i, r.win.End); ok && next <= stop {
			return token{int32(i), int32(next), tokNested}, next
		}
		next, _ := nextKey(b, i, stop)
		return token{}, next
	}
	next := min(jsonscan.Bare(b, i), stop)
	if k := blanks(b, next, stop); k < stop-1 && b[k] != ',' {
		// Half a number is no number: a wrong time would be worse than none.
		key, _ := nextKey(b, next, stop)
		return token{}, key
	}
	return token{int32(i), int32(next), tokBare}, max(next, i+1)
}

// scalar takes an element of the array at i that is no object: null, a number, a
// string, an array; anything else is stray text.
func (r *reader) scalar(i int) (int, separation) {
	for {
		b := r.win.Buf
		next, ok := jsonscan.Value(b, i, r.win.End)
		if ok {
			ok = b[i] == '"' || b[i] == '[' || isJSON(b[i:next]) || '0' <= b[i] && b[i] <= '9'
			if j := jsonscan.Space(b, next); j < r.win.End {
				if ok && (b[j] == ',' || b[j] == ']') {
					r.read++
					r.facts.Events++
					r.note(notObject, r.at(i))
					return next, behindElement
				}
				return r.stray(i), fresh
			}
		} else if next < r.win.End {
			return r.stray(i), fresh
		}
		if r.win.End-i > suspicious || !r.fill(&i) {
			return r.stray(i), fresh
		}
	}
}

// stray skips text at i that is no element, to the next event or to the end of
// the array.
func (r *reader) stray(i int) int {
	r.note(strayText, r.at(i))
	for {
		b, end := r.win.Buf, r.win.End
		next, found := border(b, i+1, end)
		if last, ok := r.lastOf(i+1, next); ok && (found || r.win.EOF) {
			return last
		}
		if found {
			return next
		}
		i = max(i, end-suspicious) // an event that begins at the very end shows its keys later
		if !r.fill(&i) {
			if r.win.EOF {
				return r.win.End
			}
			i = r.win.End - suspicious
		}
	}
}
