package smi

import "testing"

// A stamp behind 2261 would end an interval outside of int64.
func TestStampsBeyondTheLatestAreNone(t *testing.T) {
	for text, want := range map[string]bool{"9223372036854775807": false, "9214646399999999999": true, "9214646400000000000": false, "1796090981": true} {
		if _, ok := epoch([]byte(text)); ok != want {
			t.Errorf("epoch %s: %v, want %v", text, ok, want)
		}
	}
	for text, want := range map[string]bool{"9223372036.854775807": false, "12.5": true, "-9223372036.8": false} {
		if _, ok := elapsed([]byte(text)); ok != want {
			t.Errorf("elapsed %s: %v, want %v", text, ok, want)
		}
	}
}
