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
	case head[0] != '[':
		return ingest.No
	}
	rest := bytes.TrimLeft(head[1:], " \t\r\n")
	switch {
	case len(rest) == 0 || rest[0] == ']' && len(rest) < 16:
		return ingest.Maybe
	case rest[0] != '{':
		return ingest.No
	case has("ph") && (has("ts") || has("args")):
		return ingest.Certain
	}
	return ingest.No
}
