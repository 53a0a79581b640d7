package ingesttest

import (
	"math/rand/v2"
	"slices"
)

// tokens are bits of text that readers stumble over.
var tokens = []string{"\x00", "\xff\xfe", "\ufeff", "\r", "\n", "\n\n", "\"", "\\", "{", "}", "[", "]", ",", ";", ":", "-", "NaN", "inf", "1e999", "-1",
	"9223372036854775807", "-9223372036854775808", "18446744073709551615", "0.0000000001", "[N/A]", "\u202e", "\x1b[31m", "null", "true", "2026-02-30", "24:00:00", "23:59:60", "99:99:99", "\xf0\x28\x8c\xbc"}

// Mutate returns a changed copy of the text: some bytes changed, cut, doubled, moved
// or put in, or the end cut off.
func Mutate(r *rand.Rand, text []byte) []byte {
	out := slices.Clone(text)
	for range 1 + r.IntN(4) {
		if len(out) == 0 {
			return []byte(tokens[r.IntN(len(tokens))])
		}
		at := r.IntN(len(out))
		n := min(1+r.IntN(1<<r.IntN(10)), len(out)-at)
		switch r.IntN(8) {
		case 0:
			out[at] = byte(r.IntN(256))
		case 1:
			out = slices.Delete(out, at, at+n)
		case 2:
			out = out[:at]
		case 3:
			out = slices.Insert(out, at, []byte(tokens[r.IntN(len(tokens))])...)
		case 4:
			out = slices.Insert(out, r.IntN(len(out)+1), slices.Clone(out[at:at+n])...)
		case 5: // a digit becomes another
			for i := at; i < len(out); i++ {
				if out[i] >= '0' && out[i] <= '9' {
					out[i] = byte('0' + r.IntN(10))
					break
				}
			}
		case 6:
			copy(out[at:at+n], tokens[r.IntN(len(tokens))])
		case 7: // two stretches change places
			b := r.IntN(len(out))
			n = min(n, len(out)-b)
			for i := range n {
				out[at+i], out[b+i] = out[b+i], out[at+i]
			}
		}
	}
	return out
}
