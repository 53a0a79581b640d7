package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const nameLength = 80 // a longer name is not shown, whatever it consists of

// A nameRule says which names are shown as they are.
type nameRule struct {
	words      []map[string]bool // a word must be in one of them
	digits     int               // longest run of digits
	separators string
	single     bool // one letter may stand alone: "run-a"
}

const (
	nameDigits  = 8 // digits in a name beside those behind a counter: a date; an account number has more
	nameNumbers = 2 // letters directly before digits, "t1"
)

func (n nameRule) has(word string) bool {
	for _, m := range n.words {
		if m[word] {
			return true
		}
	}
	return false
}

// allows reports whether the name consists of known words, short numbers and
// separators. Single letters are allowed only before digits ("t1") or, if the rule
// says so, once, so that nothing can be spelt with them; the digits are limited
// together, so that a long number cannot pass in groups.
func (n nameRule) allows(s string) bool {
	if s == "" || len(s) > nameLength {
		return false
	}
	singles, numbered, digits, last := 0, 0, 0, ""
	for i := 0; i < len(s); {
		k := alphanumericLength(s[i:])
		if k > 1 && n.has(fold(s[i:i+k])) { // "bf16", "h2d", "step"
			last = fold(s[i : i+k])
			i += k
			continue
		}
		if k == 0 {
			c, size := utf8.DecodeRuneInString(s[i:])
			if !strings.ContainsRune(n.separators, c) {
				return false
			}
			i += size
			continue
		}
		for end := i + k; i < end; {
			run := sameKind(s[i:end])
			i += len(run)
			switch {
			case isDigitByte(run[0]) && counterWords[last] && len(run) <= 9:
				last = ""
			case isDigitByte(run[0]):
				digits += len(run)
				if last = ""; len(run) > n.digits || digits > nameDigits {
					return false
				}
			case n.has(fold(run)) || n.hasAll(camel(run)):
				last = fold(run)
			case len(run) > 1:
				return false
			case i < end:
				if numbered++; numbered > nameNumbers {
					return false
				}
			default:
				if singles++; singles > 1 || !n.single {
					return false
				}
			}
		}
	}
	return true
}

// hasAll reports whether every one of several parts is a word of the rule.
func (n nameRule) hasAll(parts []string) bool {
	for _, p := range parts {
		if !n.has(fold(p)) {
			return false
		}
	}
	return len(parts) > 1
}

// sameKind returns the letters or the digits that the text begins with.
func sameKind(s string) string {
	k := 1
	for k < len(s) && isDigitByte(s[k]) == isDigitByte(s[0]) {
		k++
	}
	return s[:k]
}

func alphanumericLength(s string) int {
	k := 0
	for k < len(s) && (isLetterByte(s[k]) || isDigitByte(s[k])) {
		k++
	}
	return k
}

// camel splits a run of letters where a capital begins a word: "GPUCompute" is
// GPU, Compute.
func camel(run string) []string {
	var parts []string
	from := 0
	for i := 1; i < len(run); i++ {
		upper := isUpperByte(run[i])
		after := !isUpperByte(run[i-1])
		ends := i+1 < len(run) && !isUpperByte(run[i+1])
		if upper && (after || ends) {
			parts = append(parts, run[from:i])
			from = i
		}
	}
	return append(parts, run[from:])
}

func isLetter(c rune) bool     { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func isDigit(c rune) bool      { return '0' <= c && c <= '9' }
func isLetterByte(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func isUpperByte(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isDigitByte(c byte) bool  { return '0' <= c && c <= '9' }

// isWordRune reports whether the rune belongs to an identifier of any script.
func isWordRune(c rune) bool {
	return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c)
}
