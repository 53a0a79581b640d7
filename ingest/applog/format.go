package applog

import (
	"bytes"

	"tracemerge/ingest"
	"tracemerge/model"
)

// Format returns the reader of application logs.
func Format() ingest.Format {
	return ingest.Format{Kind: model.KindLog, Name: "application log", Match: match, Declared: declared, Forms: formWords(), Limits: limits(), Read: read}
}

func limits() []ingest.Limit {
	return []ingest.Limit{
		{Of: "one line", Max: maxLine, Unit: "bytes", Then: "it is rejected"},
		{Of: "a stage, task or input", Max: maxWord, Unit: "bytes", Then: "it is not kept"},
		{Of: "ranks of one file", Max: maxRanks, Unit: "ranks", Then: "further ones have no track of their own"},
		{Of: "markers of one file", Max: maxMarkers, Unit: "markers", Then: "further ones are not used"},
		{Of: "pieces of one clock", Max: maxPieces, Unit: "pieces", Then: "the rest is one piece, in which the order of records is not that of time"},
		{Of: "statements that a recorder lost records", Max: maxLost, Unit: "statements", Then: "further ones are counted only"},
		{Of: "the place of a record with the lines that belong to it", Max: maxGroup, Unit: "bytes", Then: "an excerpt ends there"},
	}
}

// declared judges a file whose lines no form knows by run.yaml's log_patterns.
func declared(head []byte, d *model.Declaration) ingest.Confidence {
	patterns, err := compilePatterns(d)
	if err != nil || !isText(head) {
		return ingest.No // a pattern that is no expression is an error of run.yaml, told there
	}
	var c cleaner
	n := 0
	for line := range bytes.Lines(head) {
		if n++; n > evidence {
			break
		}
		text := bytes.TrimSpace(c.clean(line))
		for _, p := range patterns {
			if p.re.Match(text) {
				return ingest.Likely
			}
		}
	}
	return ingest.No
}

// evidence is how many records the decision whether a file is a log rests on.
const evidence = 200

// match judges the beginning of a file: how many of its lines are records, and
// of which form.
func match(head []byte) ingest.Confidence {
	if !isText(head) || isOther(head) {
		return ingest.No
	}
	if isSpread(head) {
		return ingest.Likely
	}
	dates := dateOrder{set: orderAny}
	t := trial{}
	t.entry.dates = &dates
	for line := range bytes.Lines(head) {
		for part := range bytes.SplitSeq(line, []byte{'\r'}) {
			if t.seen < evidence {
				t.line(bytes.TrimSpace(t.clean.clean(part)), bytes.HasSuffix(line, []byte{'\n'}))
			}
		}
	}
	switch {
	case t.strong*2 > t.seen, t.strong > 4:
		return ingest.Certain
	case t.stamped > 0 || t.strong > 0:
		return ingest.Likely
	case t.dayOnly > 0 || t.weak > 0:
		return ingest.Maybe
	}
	return ingest.No
}

// A trial counts what the lines of a file's beginning are.
type trial struct {
	reader
	seen    int
	strong  int // records of a form that nothing else has
	stamped int // records with a date, or pairs with a time
	dayOnly int // lines that may be of a table: a time of day first, or a time among figures
	weak    int // a program's output without a time
}

// line takes one line; whole is false where the file goes on behind it.
func (t *trial) line(b []byte, whole bool) {
	if b, _ = stripPrefix(b); len(b) == 0 {
		return
	}
	t.seen++
	t.entry.reset()
	e := &t.entry
	f := t.recognise(b, true)
	if f == formBadJSON && !whole {
		scanObject(b, e) // the line goes on behind the part that is shown
		f = formJSON
	}
	t.byForm[f]++
	switch {
	case f == formMLPerf, f == formJSON && e.timed && (e.message != nil || e.level != 0 || e.wrapped != nil || e.says()):
		t.strong++
	case f == formText && e.stamp.kind == stampDay, f == formCSV && !t.table.known():
		t.dayOnly++
	case e.timed:
		t.stamped++
	case f == formBar, f == formJSON && e.says(), isTrouble(b):
		t.weak++
	}
}

// isTrouble reports whether a line without a stamp looks like a program's output:
// "INFO:trainer:…", a traceback, pairs of a stage.
func isTrouble(b []byte) bool {
	if _, n := levelFirst(b); n > 0 {
		return true
	}
	return bytes.HasPrefix(b, []byte("Traceback (most recent call last)")) || bytes.Contains(b, []byte("stage="))
}

// isText reports whether the bytes are text: NUL bytes may be many, where a file
// was preallocated or truncated while it was written; other control codes few.
func isText(head []byte) bool {
	var control, nul int
	for _, c := range head {
		switch {
		case c == 0:
			nul++
		case c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\b' && c != esc && c != '\f':
			control++
		}
	}
	return len(head) > 0 && control*100 <= len(head) && nul*2 <= len(head)
}

// isOther knows the files of other kinds that a log reader could take for its
// own: a trace is JSON, and tables have lines that begin with a stamp.
func isOther(head []byte) bool {
	b := bytes.TrimLeft(head, " \t\r\n\ufeff")
	if len(b) == 0 {
		return true
	}
	if b[0] == '[' && !isSpread(head) { // the bare-array form of a trace
		if rest := bytes.TrimLeft(b[1:], " \t\r\n"); len(rest) > 0 && rest[0] == '{' {
			return true
		}
	}
	line, _, _ := bytes.Cut(b, []byte{'\n'})
	if b[0] == '{' {
		first := line[:min(len(line), 4096)]
		if bytes.Contains(first, []byte(`"traceEvents"`)) || bytes.Contains(first, []byte(`"schemaVersion"`)) {
			return true
		}
	}
	return isTable(b, line)
}

func isTable(b, line []byte) bool {
	for _, mark := range [...]string{"utilization.gpu", "utilization.memory", "memory.used", "power.draw",
		"used_gpu_memory", "temperature.gpu", "pci.bus_id", "pstate", "clocks."} {
		if bytes.Contains(line, []byte(mark)) && bytes.IndexByte(line, ',') >= 0 {
			return true
		}
	}
	for _, start := range [...]string{"# gpu", "#Time", "# Time", "Linux ", "procs ---", "top - "} {
		if bytes.HasPrefix(b, []byte(start)) {
			return true
		}
	}
	dates := dateOrder{set: orderAny}
	if _, n := dates.parseStamp(line); n > 0 && n < len(line) && line[n] == ',' && n > 18 && line[4] == '/' {
		return true // a row of nvidia-smi without its header
	}
	return false
}
