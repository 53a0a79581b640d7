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

// A prefix is what launchers and containers write before a line of the
// application.
type prefix struct {
	rank    int64
	hasRank bool
}

// stripPrefix removes the prefixes known here, outermost first: docker compose
// "web-1  | ", srun -l "0: ", torchrun "[rank0]:" and "[default0]:", vLLM
// "(APIServer pid=1) ".
func stripPrefix(b []byte) ([]byte, prefix) {
	var p prefix
	for range 4 {
		if len(b) < 3 {
			return b, p
		}
		n := 0
		switch c := b[0]; {
		case isDigit(c):
			n = srunPrefix(b, &p)
		case c == '[':
			n = rankPrefix(b, &p)
		case c == '(':
			n = processPrefix(b)
		case isLetter(c):
			n = composePrefix(b)
		}
		if n == 0 {
			return b, p
		}
		b = b[n:]
	}
	return b, p
}

func srunPrefix(b []byte, p *prefix) int {
	n := digits(b)
	if n == 0 || n > 5 || len(b) < n+2 || b[n] != ':' || b[n+1] != ' ' {
		return 0
	}
	if !p.hasRank {
		p.rank, p.hasRank = number(b[:n]), true
	}
	return n + 2
}

func rankPrefix(b []byte, p *prefix) int {
	i := 0
	switch {
	case bytes.HasPrefix(b, []byte("[rank")):
		i = 5
	case bytes.HasPrefix(b, []byte("[default")):
		i = 8
	default:
		return 0
	}
	n := digits(b[i:])
	if n == 0 || n > 6 || !bytes.HasPrefix(b[i+n:], []byte("]:")) {
		return 0
	}
	if i == 5 { // [defaultN] is a rank on its node, not in the job
		p.rank, p.hasRank = number(b[i:i+n]), true
	}
	i += n + 2
	if i < len(b) && b[i] == ' ' {
		i++
	}
	return i
}

func processPrefix(b []byte) int {
	i := bytes.Index(b[:min(len(b), 64)], []byte(" pid="))
	if i < 2 {
		return 0
	}
	j := i + 5 + digits(b[i+5:])
	if j == i+5 || !bytes.HasPrefix(b[j:], []byte(") ")) {
		return 0
	}
	return j + 2
}

func composePrefix(b []byte) int {
	i := 0
	for i < len(b) && i < 64 && (isLetter(b[i]) || isDigit(b[i]) || b[i] == '_' || b[i] == '-' || b[i] == '.') {
		i++
	}
	j := i
	for j < len(b) && b[j] == ' ' {
		j++
	}
	if j == i || j+1 >= len(b) || b[j] != '|' || b[j+1] != ' ' || isLevelWord(b[:i]) {
		return 0
	}
	return j + 2
}

// A bar of tqdm or of a library like it: " 33%|███   | 4/12 [00:00<00:01, 5.0it/s]".
func isBar(b []byte) bool {
	return bytes.Contains(b, []byte("%|")) || bytes.Contains(b, []byte("it/s]")) || bytes.Contains(b, []byte("s/it]")) ||
		bytes.Contains(b, []byte("it/s, ")) && bytes.IndexByte(b, '|') >= 0
}

// afterBar returns what another writer wrote behind a bar in the same line.
func afterBar(b []byte) []byte {
	end := -1
	for _, mark := range []string{"it/s]", "s/it]"} {
		if i := bytes.LastIndex(b, []byte(mark)); i >= 0 {
			end = max(end, i+len(mark))
		}
	}
	if end < 0 {
		return nil
	}
	return bytes.TrimLeft(b[end:], " ")
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
