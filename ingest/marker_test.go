package ingest

import (
	"strings"
	"testing"
)

func TestMarkerIn(t *testing.T) {
	for text, want := range map[string]string{
		"tracemerge-marker a":                                "a",
		"INFO tracemerge-marker epoch-1.start, next":         "epoch-1.start",
		`{"msg":"tracemerge-marker x_1"}`:                    "x_1",
		"tracemerge-marker ":                                 "",
		"tracemerge-marker  a":                               "",
		"tracemerge-marker: a":                               "",
		"tracemerge marker a":                                "",
		"tracemerge-marker " + strings.Repeat("a", 64):       strings.Repeat("a", 64),
		"tracemerge-marker " + strings.Repeat("a", 65):       "",
		"tracemerge-marker é":                                "",
		"two: tracemerge-marker one tracemerge-marker other": "one",
	} {
		if got := string(MarkerIn([]byte(text))); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
