package jsonscan

import (
	"encoding/binary"
	"math/bits"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// match marks the high bit of each byte of w that equals c; above the first true
// mark there may be false ones, so only the lowest counts.
func match(w uint64, c uint64) uint64 {
	x := w ^ ones*c
	return (x - ones) &^ x & highs
}

// Space returns the position of the first byte at or after i that is no blank.
func Space(b []byte, i int) int {
	for b[i] <= ' ' {
		switch b[i] {
		case ' ', '\n', '\t', '\r':
		default:
			return i
		}
		i++
		// Files that were indented hold long runs of blanks.
		for binary.LittleEndian.Uint64(b[i:]) == ones*' ' {
			i += 8
		}
	}
	return i
}

// StringEnd returns the position of the closing quotation mark of the string
// whose first byte is at i, and whether there are backslashes in it. The string
// may run into the sentinels.
func StringEnd(b []byte, i int) (end int, escaped bool) {
	for {
		w := binary.LittleEndian.Uint64(b[i:])
		m := match(w, '"') | match(w, '\\')
		if m == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(m) >> 3
		if b[i] == '"' {
			return i, escaped
		}
		escaped = true
		i += 2
	}
}

// Key returns the key whose first byte is at i, packed little-endian into a word,
// and the position of its closing quotation mark. long is true for keys over
// seven bytes or with a backslash, which need StringEnd.
func Key(b []byte, i int) (key uint64, end int, long bool) {
	w := binary.LittleEndian.Uint64(b[i:])
	m := match(w, '"')
	if m == 0 {
		return 0, i, true
	}
	n := bits.TrailingZeros64(m) >> 3
	w &= 1<<(8*n) - 1
	return w, i + n, match(w|^uint64(0)<<(8*n), '\\') != 0
}

// Pack is the word that Key returns for a short key.
func Pack(s string) uint64 {
	var w uint64
	for i := len(s) - 1; i >= 0; i-- {
		w = w<<8 | uint64(s[i])
	}
	return w
}

const (
	clOpenObject = 1 + iota
	clOpenArray
	clCloseObject
	clCloseArray
	clQuote
)

// class sorts the bytes that matter between strings.
var class = [256]uint8{'{': clOpenObject, '[': clOpenArray, '}': clCloseObject, ']': clCloseArray, '"': clQuote}

// behind is true for what may stand behind a string.
var behind = [256]bool{',': true, ':': true, '}': true, ']': true, ' ': true, '\n': true, '\r': true, '\t': true}

// Nested returns the position behind the object or array that begins at i, and
// whether brackets and quotation marks were in order; if not, the position is
// where they were not.
func Nested(b []byte, i, end int) (next int, ok bool) {
	var stack uint64 // one bit per level, 1 for an object
	depth, checked := 0, true
	for {
		switch class[b[i]] {
		case 0:
		case clQuote:
			i, _ = StringEnd(b, i+1)
			if i >= end {
				return i, false
			}
			if c := b[i+1]; !behind[c] {
				return i + 1, false
			} else if c <= ' ' {
				if i = Space(b, i+1); !behind[b[i]] {
					return i, false
				}
				continue
			}
		case clOpenObject:
			stack = stack<<1 | 1
			depth++
		case clOpenArray:
			stack <<= 1
			depth++
		default:
			object := class[b[i]] == clCloseObject
			if checked && object != (stack&1 == 1) {
				return i, false
			}
			stack >>= 1
			if depth--; depth == 0 {
				return i + 1, i < end
			}
		}
		if depth > 64 {
			checked = false // the stack has lost its lowest levels
		}
		i++
	}
}

// Bare returns the position behind the number, literal or bare word that begins
// at i.
func Bare(b []byte, i int) int {
	for {
		switch b[i] {
		case ',', '}', ']', ':', '"', '{', '[', ' ', '\n', '\r', '\t':
			return i
		}
		i++
	}
}

// Value returns the position behind the value that begins at i.
func Value(b []byte, i, end int) (next int, ok bool) {
	switch b[i] {
	case '"':
		e, _ := StringEnd(b, i+1)
		return e + 1, e < end
	case '{', '[':
		return Nested(b, i, end)
	}
	n := Bare(b, i)
	return n, n > i && n < end
}
