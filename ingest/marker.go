package ingest

import "bytes"

// MarkerWord begins a marker: a name that a job writes to its log while a profiler
// records a range of the same text, so that the two files share a moment:
//
//	with torch.profiler.record_function("tracemerge-marker a"):
//	    log.info("tracemerge-marker a")
const MarkerWord = "tracemerge-marker "

// maxMarker is the longest name of a marker, in bytes.
const maxMarker = 64

// MarkerIn returns the name of the first marker in a text: up to 64 ASCII letters,
// digits, dots, underscores and hyphens; nil if there is none.
func MarkerIn(text []byte) []byte {
	i := bytes.Index(text, []byte(MarkerWord))
	if i < 0 {
		return nil
	}
	rest := text[i+len(MarkerWord):]
	n := 0
	for n < len(rest) && isMarkerByte(rest[n]) {
		n++
	}
	if n == 0 || n > maxMarker {
		return nil
	}
	return rest[:n]
}

func isMarkerByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '.' || c == '_' || c == '-'
}
