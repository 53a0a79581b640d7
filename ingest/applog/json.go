package applog

import (
	"bytes"
	"encoding/json"
)

// A fieldReader takes the fields of a record one by one.
type fieldReader interface{ field(key []byte, v value) }

// scanObject reads the JSON object that b begins with and hands on its members;
// nested values are handed on whole. It returns the object's length; ok is false
// where b begins with no complete object. It checks the structure, not the
// spelling of every number; Python's NaN and Infinity pass as unknown.
func scanObject(b []byte, to fieldReader) (n int, ok bool) {
	i := skipBlank(b, 1)
	if i < len(b) && b[i] == '}' {
		return i + 1, true
	}
	for {
		if i >= len(b) || b[i] != '"' {
			return 0, false
		}
		end, escaped := stringEnd(b, i)
		if end < 0 {
			return 0, false
		}
		key := b[i+1 : end]
		if escaped {
			key = unescape(b[i : end+1])
		}
		i = skipBlank(b, end+1)
		if i >= len(b) || b[i] != ':' {
			return 0, false
		}
		i = skipBlank(b, i+1)
		v, next := scanValue(b, i)
		if next < 0 {
			return 0, false
		}
		to.field(key, v)
		i = skipBlank(b, next)
		if i >= len(b) {
			return 0, false
		}
		switch b[i] {
		case '}':
			return i + 1, true
		case ',':
			i = skipBlank(b, i+1)
		default:
			return 0, false
		}
	}
}

func skipBlank(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// stringEnd returns the index of the quote that ends the string at i, -1 if there
// is none.
func stringEnd(b []byte, i int) (end int, escaped bool) {
	for j := i + 1; ; {
		q := bytes.IndexByte(b[j:], '"')
		if q < 0 {
			return -1, false
		}
		q += j
		back := 0
		for k := q - 1; k > i && b[k] == '\\'; k-- {
			back++
		}
		if back%2 == 0 {
			return q, escaped || bytes.IndexByte(b[j:q], '\\') >= 0
		}
		escaped = true
		j = q + 1
	}
}

// scanValue reads the value at i and returns where it ends, -1 if it is none.
func scanValue(b []byte, i int) (v value, end int) {
	if i >= len(b) {
		return value{}, -1
	}
	switch c := b[i]; {
	case c == '"':
		q, escaped := stringEnd(b, i)
		if q < 0 {
			return value{}, -1
		}
		return value{kind: valueText, text: b[i+1 : q], escaped: escaped}, q + 1
	case c == '{' || c == '[':
		if end = nestedEnd(b, i); end < 0 {
			return value{}, -1
		}
		return value{kind: valueNested, text: b[i:end]}, end
	case isDigit(c) || c == '-' && i+1 < len(b) && isDigit(b[i+1]):
		j := i + 1
		for j < len(b) && (isDigit(b[j]) || b[j] == '.' || b[j]|0x20 == 'e' || b[j] == '+' || b[j] == '-') {
			j++
		}
		return value{kind: valueNumber, text: b[i:j]}, j
	}
	for _, w := range [...]struct {
		word string
		kind valueKind
	}{{"true", valueTrue}, {"false", valueFalse}, {"null", valueNull}, {"NaN", valueNull}, {"Infinity", valueNull}, {"-Infinity", valueNull}} {
		if len(b)-i >= len(w.word) && string(b[i:i+len(w.word)]) == w.word {
			return value{kind: w.kind, text: b[i : i+len(w.word)]}, i + len(w.word)
		}
	}
	return value{}, -1
}

// nestedEnd returns where the object or array at i ends, -1 if it does not.
func nestedEnd(b []byte, i int) int {
	depth := 0
	for j := i; j < len(b); j++ {
		switch b[j] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return j + 1
			}
		case '"':
			q, _ := stringEnd(b, j)
			if q < 0 {
				return -1
			}
			j = q
		}
	}
	return -1
}

// unescape decodes a JSON string, quotes included; what encoding/json refuses is
// returned as it stands.
func unescape(quoted []byte) []byte {
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		return quoted[1 : len(quoted)-1]
	}
	return []byte(s)
}
