package torch

import (
	"bytes"

	"tracemerge/ingest"
)

// match judges by keys that no other format has. A file whose events begin
// behind the head is known by the keys before them.
func match(head []byte) ingest.Confidence {
	has := func(key string) bool { return bytes.Contains(head, []byte(`"`+key+`"`)) }
	head = bytes.TrimLeft(head, " \t\r\n")
	switch {
	case len(head) == 0:
		return ingest.No
	case has("traceEvents"):
		return ingest.Certain
	case head[0] == '{' && (has("schemaVersion") || has("deviceProperties") || has("baseTimeNanoseconds")):
		return ingest.Likely
	case head[0] == '{' && has("schema") && has("nodes"):
		return ingest.Maybe // an execution trace: the reader says that it is none of profiler's
	}
	at := arrayIn(head)
	if at < 0 {
		return ingest.No
	}
	rest := bytes.TrimLeft(head[at+1:], " \t\r\n")
	switch {
	case at == 0 && (len(rest) == 0 || rest[0] == ']' && len(rest) < 16):
		return ingest.Maybe
	case len(rest) > 0 && rest[0] == '{' && has("ph") && (has("ts") || has("args")):
		return ingest.Certain
	case at == 0 && bytes.HasPrefix(rest, []byte("null")) && has("ph") && has("ts"):
		return ingest.Likely
	}
	return ingest.No
}

// foreign is how much text of a log may stand before the document.
const foreign = 8 << 10

// arrayIn returns the position of the bracket that opens an array: the first byte,
// or, behind lines of a log, which may begin with brackets too, the first of a line
// that goes on with an event. It is -1 if there is none.
func arrayIn(head []byte) int {
	for at := 0; ; {
		if head[at] == '[' {
			i := blanks(head, at+1, len(head))
			if i == len(head) || head[i] == ']' || at == 0 && (head[i] == '{' || bytes.HasPrefix(head[i:], []byte("null"))) {
				return at
			}
			if head[i] == '{' {
				if _, _, ok := keyAt(head, blanks(head, i+1, len(head)), len(head)); ok {
					return at
				}
			}
		}
		n := bytes.IndexByte(head[at:min(len(head), foreign)], '\n')
		if n < 0 {
			return -1
		}
		if at += n + 1; at >= min(len(head), foreign) {
			return -1
		}
	}
}
