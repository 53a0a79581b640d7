package jsonscan

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Flaws are what was not as it should be in a string.
type Flaws uint8

// The flaws of strings.
const (
	Control   Flaws = 1 << iota // control characters that are not escaped
	NotUTF8                     // bytes that are no UTF-8, read as U+FFFD
	BadEscape                   // a backslash that begins no escape, read as itself
)

// Unescape returns the text of a string as it stands between its quotation
// marks. Lone surrogates become U+FFFD, as encoding/json has it.
func Unescape(raw []byte) (string, Flaws) {
	var flaws Flaws
	var out strings.Builder
	out.Grow(len(raw))
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case c == '\\':
			n := escape(&out, raw[i:])
			if n == 0 {
				flaws |= BadEscape
				out.WriteByte('\\')
				n = 1
			}
			i += n
		case c < utf8.RuneSelf:
			if c < ' ' {
				flaws |= Control
			}
			out.WriteByte(c)
			i++
		default:
			r, n := utf8.DecodeRune(raw[i:])
			if r == utf8.RuneError && n == 1 {
				flaws |= NotUTF8
			}
			out.WriteRune(r)
			i += n
		}
	}
	return out.String(), flaws
}

// escape writes what the escape at the start of b stands for and returns its
// length, 0 if it is none.
func escape(out *strings.Builder, b []byte) int {
	if len(b) < 2 {
		return 0
	}
	const from, to = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if k := strings.IndexByte(from, b[1]); k >= 0 {
		out.WriteByte(to[k])
		return 2
	}
	r, ok := hex4(b)
	if !ok {
		return 0
	}
	if utf16.IsSurrogate(r) {
		if r2, ok := hex4(b[6:]); ok {
			if full := utf16.DecodeRune(r, r2); full != utf8.RuneError {
				out.WriteRune(full)
				return 12
			}
		}
		r = utf8.RuneError
	}
	out.WriteRune(r)
	return 6
}

// hex4 reads \uXXXX.
func hex4(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range b[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
