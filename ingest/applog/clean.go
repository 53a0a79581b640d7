package applog

import "bytes"

// cleaner takes control codes out of lines. The zero value is ready to use.
type cleaner struct{ buf []byte }

const esc = 0x1b

// clean returns the line without ANSI escape sequences, NUL bytes and
// backspaces; the line itself where it has none, else a copy that is valid until
// the next call.
func (c *cleaner) clean(b []byte) []byte {
	if bytes.IndexByte(b, esc) < 0 && bytes.IndexByte(b, 0) < 0 && bytes.IndexByte(b, '\b') < 0 {
		return b
	}
	out := c.buf[:0]
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case 0, '\b':
		case esc:
			i = escapeEnd(b, i)
		default:
			out = append(out, b[i])
		}
	}
	c.buf = out
	return out
}

// escapeEnd returns the index of the last byte of the escape sequence at i:
// ECMA-48 control sequences (ESC [ parameters final) and command strings (ESC ]
// … BEL or ESC \); of any other only ESC and the byte after it.
func escapeEnd(b []byte, i int) int {
	if i+1 == len(b) {
		return i
	}
	switch b[i+1] {
	case '[':
		for j := i + 2; j < len(b); j++ {
			if b[j] >= 0x40 && b[j] <= 0x7e {
				return j
			}
			if b[j] < 0x20 || b[j] > 0x7e {
				return j - 1
			}
		}
		return len(b) - 1
	case ']':
		for j := i + 2; j < len(b); j++ {
			if b[j] == 7 || b[j] == '\\' && b[j-1] == esc {
				return j
			}
		}
		return len(b) - 1
	}
	return i + 1
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// digits counts the digits that b begins with.
func digits(b []byte) int {
	n := 0
	for n < len(b) && isDigit(b[n]) {
		n++
	}
	return n
}

// number is the value of at most 18 digits.
func number(b []byte) (v int64) {
	for _, c := range b {
		v = v*10 + int64(c-'0')
	}
	return v
}
