package hoststat

import (
	"bytes"
	"slices"
	"strings"

	"tracemerge/model"
)

// row reads one row under the heading in force.
func (r *reader) row(text []byte, rec record) {
	switch r.heading.tool {
	case toolPidstat, toolSar:
		r.timedRow(text, rec)
	case toolIostat:
		r.deviceRow(text, rec)
	case toolVmstat:
		r.vmstatRow(text, rec)
	case toolTop:
		r.topRow(text, rec)
	case toolSadf, toolDstat:
		r.cellRow(text, rec)
	case toolAtop:
		r.atopRow(text, rec)
	}
}

// message sets aside a line that is no row: standard error, a prompt, a note of the
// shell.
func (r *reader) message(rec record) {
	r.aside("hoststat/message", rec)
	r.notices.Add("hoststat/message", model.Note, r.pos(rec), model.Say("a line between the rows is no row: it was set aside"))
}

// misfit accounts for a row with another number of columns than its heading.
func (r *reader) misfit(rec record, n int) {
	if !rec.ended {
		r.aside("hoststat/cut-last-line", rec)
		r.cap.Truncated = true
		r.notices.Add("hoststat/cut-last-line", model.DataLoss, r.pos(rec), model.Say("the last line is cut off and was set aside"))
		return
	}
	r.reject("hoststat/columns", rec, model.Say("a row has {} columns where its heading has {}: it was not read", n, len(r.heading.cols)))
}

// timedRow is a row that begins with its time.
func (r *reader) timedRow(text []byte, rec record) {
	h, f := r.heading, fieldsOf(text)
	if f[0] == "Average:" || strings.HasSuffix(f[0], ":") && len(f) > len(h.cols) && !numberless(f[1:]) {
		r.aside("hoststat/average", rec) // of the whole run, in the language of the tool
		return
	}
	var st stamp
	n := epochTokens(f)
	if n > 0 {
		st, _ = epochStamp(f[0])
	} else if n = timeTokens(f); n > 0 {
		half := ""
		if n == 2 {
			half = f[1]
			r.clock.half = true
		}
		tod, _ := clockTime(f[0], half)
		if h.tool == toolPidstat && h.from == tod && h.timed {
			r.aside("hoststat/since-boot", rec) // no interval was given: the row begins where it ends
			return
		}
		st = r.clock.timeOfDay(tod)
	} else {
		r.message(rec)
		return
	}
	f = f[n:]
	if h.unread {
		r.aside("hoststat/table", rec)
		return
	}
	if h.command >= 0 && len(f) > len(h.cols) { // a command with blanks
		f = append(slices.Clone(f[:h.command]), strings.Join(f[h.command:], " "))
	}
	if len(f) != len(h.cols) {
		if len(f) > 0 && f[len(f)-1] == "RESTART" || slices.Contains(f, "RESTART") {
			r.aside("hoststat/restart", rec)
			return
		}
		r.misfit(rec, len(f))
		return
	}
	r.measure(rec, st, f)
}

// deviceRow is a row of iostat's table of devices.
func (r *reader) deviceRow(text []byte, rec record) {
	f := fieldsOf(text)
	if len(f) != len(r.heading.cols) {
		if len(f) < 2 || numberless(f) {
			r.message(rec)
			return
		}
		r.misfit(rec, len(f))
		return
	}
	r.measured(rec, f)
}

// measured is a row whose time stands above the report.
func (r *reader) measured(rec record, f []string) { r.measure(rec, r.clock.above.stamp, f) }

func (r *reader) vmstatRow(text []byte, rec record) {
	f := fieldsOf(text)
	st := stamp{}
	if n := len(f); n == len(r.heading.cols)+2 {
		d, ok := dateOf(f[n-2], false)
		tod, ok2 := clockTime(f[n-1], "")
		if !ok || !ok2 {
			r.reject("hoststat/time", rec, model.Say("the time at the end of a row could not be read"))
			return
		}
		st, f = r.clock.dated(tod, d), f[:n-2]
		if r.heading.zone == "UTC" || r.heading.zone == "GMT" {
			st.kind, st.zone = model.DomainUnix, r.heading.zone
		}
	}
	if len(f) != len(r.heading.cols) {
		if numberless(f) {
			r.message(rec)
			return
		}
		r.misfit(rec, len(f))
		return
	}
	r.measure(rec, st, f)
	r.boot = false
	r.under++
}

// topRow is a line of a block of top: a summary above the table, or a process.
func (r *reader) topRow(text []byte, rec record) {
	h := r.heading
	if h.about != aboutProcess {
		if bytes.HasPrefix(bytes.ToLower(text), []byte("%cpu")) {
			r.topSummary(text, rec)
			return
		}
		r.aside("hoststat/top-summary", rec)
		return
	}
	f := fieldsOf(text)
	if len(f) == 0 || !isPID(f[0]) {
		r.message(rec)
		return
	}
	if h.command >= 0 && len(f) > len(h.cols) {
		f = append(slices.Clone(f[:h.command]), strings.Join(f[h.command:], " "))
	}
	if len(f) != len(h.cols) {
		r.misfit(rec, len(f))
		return
	}
	r.measure(rec, r.clock.above.stamp, f)
}

func isPID(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

// topSummary reads "%Cpu(s): 71.4 us, 28.6 sy, …": numbers with their names, in any
// locale's decimal sign.
func (r *reader) topSummary(text []byte, rec record) {
	_, list, _ := strings.Cut(string(text), ":")
	var names, values []string
	f := strings.Fields(strings.ReplaceAll(list, ", ", " , "))
	for i, w := range f {
		w = strings.TrimRight(w, ",")
		if _, ok := number(w); ok && i+1 < len(f) {
			values, names = append(values, w), append(names, strings.TrimRight(f[i+1], ","))
		}
	}
	if len(values) == 0 {
		r.aside("hoststat/top-summary", rec)
		return
	}
	table := r.heading
	r.heading = (&heading{tool: toolTop, when: timeAbove, cols: names}).find()
	r.measure(rec, r.clock.above.stamp, values)
	r.heading = table
}

// cellRow is a row of sadf or dstat with the time in a column.
func (r *reader) cellRow(text []byte, rec record) {
	h := r.heading
	var f []string
	if h.sep == ',' {
		f = quotedCells(text)
	} else {
		f = strings.Split(string(text), string(h.sep))
	}
	if len(f) != len(h.cols) {
		if slices.ContainsFunc(f, func(s string) bool { return strings.Contains(s, "RESTART") }) {
			r.aside("hoststat/restart", rec)
			return
		}
		r.misfit(rec, len(f))
		return
	}
	st, ok := cellStamp(f[h.stamp])
	if !ok {
		r.reject("hoststat/time", rec, model.Say("the time of a row could not be read"))
		return
	}
	if st.kind == model.DomainDay {
		st = r.clock.timeOfDay(st.at)
	}
	r.measure(rec, st, f)
}

// atopColumns are the columns of atop -P behind host, epoch, date, time and
// interval, by label (atop(1), "Parseable output").
var atopColumns = map[string][]string{
	"CPU": {"hertz", "cpus", "sys ticks", "user ticks", "nice ticks", "idle ticks", "wait ticks", "irq ticks", "softirq ticks", "steal ticks", "guest ticks"},
	"DSK": {"DEV", "io ms", "reads", "sectors read", "writes", "sectors written"},
}

func (r *reader) atopRow(text []byte, rec record) {
	f := fieldsOf(text)
	cols, ok := atopColumns[f[0]]
	if !ok || len(f) < 6+len(cols) {
		r.aside("hoststat/atop-label", rec)
		return
	}
	st, ok := epochStamp(f[2])
	if !ok {
		r.reject("hoststat/time", rec, model.Say("the time of a row could not be read"))
		return
	}
	if r.tracks.host == "" {
		r.tracks.host = f[1]
	}
	table := r.heading
	h := (&heading{tool: toolAtop, when: timeCell, cols: cols}).find()
	if cols[0] == "DEV" {
		h.about, h.entity = aboutDisk, 0
	}
	r.heading = h
	r.measure(rec, st, f[6:6+len(cols)])
	r.heading = table
}
