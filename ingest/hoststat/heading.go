package hoststat

import (
	"bytes"
	"slices"
	"strings"
)

// A tool is the program that printed a table.
type tool uint8

const (
	toolNone tool = iota
	toolPidstat
	toolIostat
	toolVmstat
	toolSar
	toolTop
	toolSadf
	toolJSON
	toolAtop
	toolDstat
)

// whereTime says where the rows of a table have their time.
type whereTime uint8

const (
	timeFirst whereTime = iota // the row begins with it
	timeAbove                  // a line of its own stands above the report
	timeLast                   // the row ends with date and time, or has none
	timeCell                   // in a column
)

// what the rows of a table are about.
type about uint8

const (
	aboutHost    about = iota // the host as a whole
	aboutCPU                  // one core, or all, by the first column
	aboutDisk                 // a block device, by the first column
	aboutNet                  // a network interface, by the first column
	aboutProcess              // a process or thread
)

// A heading says how to read the rows below it.
type heading struct {
	tool  tool
	when  whereTime
	about about
	cols  []string // of the row without its leading time
	sep   byte     // 0: blanks
	zone  string   // of vmstat -t: the zone's letters as printed
	from  int64    // of pidstat: time of day in the heading, where timed is set
	timed bool
	// unread is set where it is not known what the rows are about.
	unread bool
	pid, tgid, tid,
	entity, command, stamp int // indices into cols, -1 for none
}

func (h *heading) find() *heading {
	at := func(names ...string) int {
		return slices.IndexFunc(h.cols, func(c string) bool { return slices.Contains(names, c) })
	}
	h.pid, h.tgid, h.tid, h.command = at("PID"), at("TGID"), at("TID"), at("Command", "COMMAND")
	h.entity, h.stamp = -1, -1
	return h
}

// entities are the columns that name what a row is about.
var entities = map[string]about{"CPU": aboutCPU, "DEV": aboutDisk, "Device": aboutDisk, "Device:": aboutDisk, "IFACE": aboutNet}

// headingOf reads a line as the heading of a table, nil if it is none.
func headingOf(text []byte) *heading {
	if bytes.HasPrefix(text, []byte("# hostname;")) {
		return sadfHeading(text)
	}
	if bytes.HasPrefix(text, []byte(`"time"`)) || bytes.HasPrefix(text, []byte(`"date/time"`)) {
		h := (&heading{tool: toolDstat, when: timeCell, cols: quotedCells(text), sep: ','}).find()
		h.stamp = 0
		return h
	}
	f := fieldsOf(text)
	switch {
	case len(f) < 3:
		return nil
	case f[0] == "avg-cpu:":
		return (&heading{tool: toolIostat, when: timeAbove, cols: f[1:]}).find()
	case f[0] == "Device" || f[0] == "Device:":
		if !numberless(f[1:]) {
			return nil
		}
		h := (&heading{tool: toolIostat, when: timeAbove, about: aboutDisk, cols: f}).find()
		h.entity = 0
		return h
	case f[len(f)-1] == "Device" && timeTokens(f) == 0: // iostat --pretty
		if !numberless(f) || !strings.Contains(f[0], "/s") && f[0] != "tps" {
			return nil
		}
		h := (&heading{tool: toolIostat, when: timeAbove, about: aboutDisk, cols: f}).find()
		h.entity = len(f) - 1
		return h
	case f[0] == "r" && f[1] == "b" && slices.Contains(f, "swpd"):
		return vmstatHeading(f)
	case f[0] == "PID" && f[1] == "USER", f[0] == "PID" && slices.Contains(f, "%CPU"):
		h := (&heading{tool: toolTop, when: timeAbove, about: aboutProcess, cols: f}).find()
		if h.command < 0 && len(f) > 11 { // a translated heading: the command stands last
			h.command = len(f) - 1
		}
		return h
	}
	rest := f
	if f[0] == "#" && f[1] == "Time" {
		rest = f[2:]
	} else if n := timeTokens(f); n > 0 {
		rest = f[n:]
	} else {
		return nil
	}
	if len(rest) < 2 || !numberless(rest) {
		return nil
	}
	if slices.Contains(rest, "Command") && (slices.Contains(rest, "PID") || slices.Contains(rest, "TID")) {
		h := (&heading{tool: toolPidstat, about: aboutProcess, cols: rest}).find()
		if n := timeTokens(f); n > 0 {
			h.from, h.timed = clockTime(f[0], f[n-1])
		}
		return h
	}
	if f[0] == "#" || slices.Contains(rest, "RESTART") || !sarColumns(rest) {
		return nil
	}
	return sarHeading(rest).checked()
}

// sarHeading is a heading of sar: what its rows are about stands first, or last with
// --pretty.
func sarHeading(cols []string) *heading {
	h := (&heading{tool: toolSar, cols: cols}).find()
	for _, n := range []int{0, len(cols) - 1} {
		if a, ok := entities[cols[n]]; ok {
			h.about, h.entity = a, n
			break
		}
	}
	return h
}

// hostTables are the first columns of sar's tables of the whole host. Tables that
// begin otherwise (INTR, BUS, TTY, FAN …) are of things that are not read.
var hostTables = []string{"proc/s", "cswch/s", "pgpgin/s", "pswpin/s", "tps", "kbmemfree", "kbswpfree", "kbhugfree", "dentunusd", "runq-sz", "call/s", "scall/s", "totsck", "irec/s",
	"active/s", "idgm/s", "imsg/s", "tcp6sck", "frmpg/s", "%scpu-10", "%sio-10", "%smem-10", "total/s"}

// otherTable is a heading in a file of sar that headingOf does not know by its signs:
// a line of words behind a time. Its rows are not those of the table above it.
func otherTable(text []byte) *heading {
	f := fieldsOf(text)
	n := timeTokens(f)
	if n == 0 || len(f) < n+2 || !numberless(f[n:]) || slices.ContainsFunc(f, func(s string) bool { return strings.Contains(s, "RESTART") }) {
		return nil
	}
	return sarHeading(f[n:]).checked()
}

// checked marks a table of sar as unread unless it is known what its rows are about.
func (h *heading) checked() *heading {
	h.unread = h.entity < 0 && !slices.Contains(hostTables, h.cols[0])
	return h
}

// sarColumns reports whether the words look like sar's columns: signs or small
// letters with units, not the words of a log.
func sarColumns(f []string) bool {
	signs := 0
	for _, c := range f {
		if strings.ContainsAny(c, "%/-") || c == "CPU" || c == "DEV" || c == "IFACE" || c == "tps" || strings.HasPrefix(c, "kb") {
			signs++
		}
	}
	return signs*2 > len(f)
}

func vmstatHeading(f []string) *heading {
	h := &heading{tool: toolVmstat, when: timeLast, cols: f}
	if last := f[len(f)-1]; last == strings.ToUpper(last) && last != strings.ToLower(last) {
		h.zone, h.cols = last, f[:len(f)-1]
	}
	return h.find()
}

func sadfHeading(text []byte) *heading {
	cols := strings.Split(strings.TrimPrefix(string(text), "# "), ";")
	h := (&heading{tool: toolSadf, when: timeCell, cols: cols, sep: ';'}).find()
	h.stamp = slices.Index(cols, "timestamp")
	if h.stamp < 0 {
		return nil
	}
	for name, a := range entities {
		if n := slices.Index(cols, name); n >= 0 {
			h.about, h.entity = a, n
		}
	}
	return h
}

// fits reports whether the text can be a row of the table.
func (h *heading) fits(text []byte) bool {
	f := fieldsOf(text)
	if h.when == timeFirst {
		f = f[min(len(f), max(timeTokens(f), epochTokens(f))):]
	}
	if len(f) == 0 || len(f) < len(h.cols)-2 {
		return false
	}
	numbers := 0
	for _, c := range f {
		if _, ok := number(c); ok {
			numbers++
		}
	}
	return numbers*2 >= len(h.cols)
}

// numberless reports whether none of the words is a number.
func numberless(f []string) bool {
	return !slices.ContainsFunc(f, func(s string) bool { _, ok := number(s); return ok })
}

func fieldsOf(text []byte) []string { return strings.Fields(string(text)) }

// quotedCells cuts a line of dstat's table; its cells hold no separators.
func quotedCells(text []byte) []string {
	out := strings.Split(string(text), ",")
	for i := range out {
		out[i] = strings.Trim(out[i], `" `)
	}
	return out
}
