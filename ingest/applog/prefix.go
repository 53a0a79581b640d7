package applog

import (
	"bytes"

	"tracemerge/model"
)

// A prefix is what launchers and containers write before a line of the
// application.
type prefix struct {
	rank    int64
	hasRank bool
	level   model.Level // of syslog's <priority>
}

// into gives the record at hand what the prefix says and its own fields do not.
func (p prefix) into(e *entry) {
	if p.hasRank && !e.rank.Known() {
		e.rank = model.Known(p.rank)
	}
	if e.level == model.LevelNone {
		e.level = p.level
	}
}

// stripPrefix removes the prefixes known here, outermost first: docker compose
// "web-1  | ", srun -l "0: ", torchrun "[rank0]:" and "[default0]:", mpirun
// "[1,0]<stdout>:", Ray and vLLM "(Worker rank=0 pid=1) ", syslog "<11>".
func stripPrefix(b []byte) ([]byte, prefix) {
	var p prefix
	for range 4 {
		if len(b) < 3 {
			return b, p
		}
		n := 0
		switch c := b[0]; {
		case isDigit(c), c == ' ':
			n = srunPrefix(b, &p)
		case c == '[':
			if n = rankPrefix(b, &p); n == 0 {
				n = mpiPrefix(b, &p)
			}
		case c == '(':
			if n = workerPrefix(b, &p); n == 0 {
				n = processPrefix(b, &p)
			}
		case c == '<':
			n = syslogPrefix(b, &p)
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

// number takes a rank, unless an outer prefix named one.
func (p *prefix) number(b []byte) {
	if !p.hasRank {
		p.rank, p.hasRank = number(b), true
	}
}

// srunPrefix reads srun -l "0: "; where there are ten tasks or more, numbers are
// padded with blanks.
func srunPrefix(b []byte, p *prefix) int {
	i := 0
	for i < 4 && i < len(b) && b[i] == ' ' {
		i++
	}
	n := digits(b[i:])
	if n == 0 || n > 5 || len(b) < i+n+2 || b[i+n] != ':' || b[i+n+1] != ' ' {
		return 0
	}
	p.number(b[i : i+n])
	return i + n + 2
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

// mpiPrefix reads Open MPI's --tag-output: "[job,rank]<stdout>:".
func mpiPrefix(b []byte, p *prefix) int {
	j := 1 + digits(b[1:])
	if j == 1 || j >= len(b) || b[j] != ',' {
		return 0
	}
	n := digits(b[j+1:])
	end := j + 1 + n
	if n == 0 || n > 6 {
		return 0
	}
	for _, stream := range [...]string{"]<stdout>:", "]<stderr>:"} {
		if bytes.HasPrefix(b[end:], []byte(stream)) {
			p.number(b[j+1 : end])
			if end += len(stream); end < len(b) && b[end] == ' ' {
				end++
			}
			return end
		}
	}
	return 0
}

// workerPrefix reads "(worker 3) " and "(rank 3) ".
func workerPrefix(b []byte, p *prefix) int {
	for _, word := range [...]string{"(worker ", "(rank "} {
		rest, ok := bytes.CutPrefix(b, []byte(word))
		if n := digits(rest); ok && n > 0 && n <= 6 && bytes.HasPrefix(rest[n:], []byte(") ")) {
			p.number(rest[:n])
			return len(word) + n + 2
		}
	}
	return 0
}

// processPrefix reads what Ray and vLLM put before a worker's line: "(Name
// pid=1) ", "(Name pid=1, ip=10.0.0.1) ", "(Name rank=2 pid=1) ".
func processPrefix(b []byte, p *prefix) int {
	end := bytes.Index(b[:min(len(b), 128)], []byte(") "))
	if end < 0 {
		return 0
	}
	inside := b[1:end]
	i := bytes.Index(inside, []byte(" pid="))
	if i < 1 || digits(inside[i+5:]) == 0 {
		return 0
	}
	if j := bytes.Index(inside, []byte(" rank=")); j > 0 {
		if n := digits(inside[j+6:]); n > 0 && n <= 6 {
			p.number(inside[j+6 : j+6+n])
		}
	}
	return end + 2
}

// syslogPrefix reads the priority of RFC 3164 and RFC 5424, with the latter's
// version.
func syslogPrefix(b []byte, p *prefix) int {
	n := digits(b[1:])
	if n == 0 || n > 3 || 1+n >= len(b) || b[1+n] != '>' || number(b[1:1+n]) > 191 {
		return 0
	}
	p.level = syslogLevel(number(b[1:1+n]) % 8)
	if n += 2; bytes.HasPrefix(b[n:], []byte("1 ")) {
		n += 2
	}
	return n
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

// maxTag is the longest tag before a stamp, in bytes.
const maxTag = 96

// tag returns the length of what some loggers write before the stamp of a record:
// "[titan] ", "[INFO|trainer.py:2868] ", kubectl's "[pod/train-0/main] ", and the
// host that pdsh puts before a bracketed stamp, "worker-1: [". It is a tag only
// if a stamp follows.
func tag(b []byte) int {
	if b[0] == '[' {
		end := bytes.IndexByte(b[:min(len(b), maxTag)], ']')
		if end < 2 || !isLetter(b[1]) || end+2 >= len(b) || b[end+1] != ' ' {
			return 0
		}
		return end + 2
	}
	host := false // a word such as ValueError is none
	i := 0
	for i < len(b) && i < maxTag && (isLetter(b[i]) || isDigit(b[i]) || b[i] == '-' || b[i] == '.' || b[i] == '_') {
		host = host || isDigit(b[i]) || b[i] == '-'
		i++
	}
	if !host || !bytes.HasPrefix(b[i:], []byte(": [")) {
		return 0
	}
	return i + 2
}
