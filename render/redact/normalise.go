package redact

import (
	"regexp"
	"strings"
	"unicode"
)

var ansi = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-_])`)

// normalise makes text plain: without terminal sequences and format characters
// (zero width, direction), with full-width forms as ASCII and every other control
// as a space. Line feeds stay.
func normalise(s string) string {
	s = ansi.ReplaceAllString(s, "")
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\n':
			return c
		case c == unicode.ReplacementChar, unicode.IsControl(c), unicode.Is(unicode.Zs, c), unicode.Is(unicode.Zl, c), unicode.Is(unicode.Zp, c):
			return ' '
		case unicode.Is(unicode.Cf, c), unicode.Is(unicode.Co, c), unicode.Is(unicode.Cs, c):
			return -1
		case 0xFF01 <= c && c <= 0xFF5E:
			return c - 0xFEE0
		}
		return c
	}, s)
}

// splitLines splits at line feeds and carriage returns (progress bars), leaving
// out a last empty line.
func splitLines(s string) []string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	return strings.Split(strings.TrimRight(s, "\n"), "\n")
}
