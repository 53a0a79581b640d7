package hoststat

import (
	"math"
	"strconv"
	"strings"

	"tracemerge/model"
)

type metricKey struct{ name, unit string }

// notMetrics are columns that name or describe and measure nothing.
var notMetrics = map[string]bool{
	"UID": true, "USER": true, "PID": true, "TGID": true, "TID": true, "CPU": true, "Command": true, "COMMAND": true, "PR": true, "NI": true,
	"S": true, "TIME+": true, "DEV": true, "Device": true, "Device:": true, "IFACE": true, "hostname": true, "interval": true, "timestamp": true,
	"time": true, "date/time": true, "hertz": true, "cpus": true,
}

// topMetrics are the columns of top that are read: the others are words, or differ
// by language.
var topMetrics = map[string]bool{"VIRT": true, "RES": true, "SHR": true, "%CPU": true, "%MEM": true}

// roles are what the analyses may use a column for, by its name.
var roles = map[string]model.Role{
	"%CPU": model.RoleCPUBusy, "%iowait": model.RoleIOWait, "iowait": model.RoleIOWait, "wa": model.RoleIOWait, "wai": model.RoleIOWait,
	"%idle": model.RoleCPUIdle, "idle": model.RoleCPUIdle, "id": model.RoleCPUIdle, "idl": model.RoleCPUIdle,
	"%util": model.RoleDiskBusy, "util": model.RoleDiskBusy, "util-percent": model.RoleDiskBusy,
	"kB_rd/s": model.RoleReadRate, "rkB": model.RoleReadRate, "rkB/s": model.RoleReadRate, "rMB/s": model.RoleReadRate,
	"kB_wr/s": model.RoleWriteRate, "wkB": model.RoleWriteRate, "wkB/s": model.RoleWriteRate, "wMB/s": model.RoleWriteRate,
}

// measure takes the cells of a row: one for each column of the heading.
func (r *reader) measure(rec record, st stamp, cells []string) {
	h := r.heading
	if r.boot {
		r.aside("hoststat/since-boot", rec)
		return
	}
	if r.other(h.tool) {
		r.aside("hoststat/other-form", rec)
		return
	}
	if !rec.ended && !r.whole(h, st, cells) {
		r.misfit(rec, len(cells))
		return
	}
	at := r.pos(rec)
	piece, began := r.clock.take(st, at, reason(st.kind, h))
	if began {
		r.notices.Add("hoststat/clock-steps", model.Note, at, model.Say("the stamps step back or far ahead, or another kind of time begins: the rows from here on have a clock of their own"))
	}
	t := r.trackOf(h, cells, piece)
	if t == nil {
		r.reject("hoststat/too-many-tracks", rec, model.Say("the file names more processes than {}: the others were not read", maxTracks))
		return
	}
	r.cap.Account.Read++
	r.cap.Account.Used++
	r.forms[h.tool]++
	if st.kind == model.DomainDay && len(r.clock.date.days) == 2 {
		r.clock.either++
	}
	r.places = places(cells[len(cells)-1])
	t.saw(tick{st.at, piece, at})
	for i, name := range h.cols {
		if i >= len(cells) || notMetrics[name] || i == h.entity || i == h.command || h.tool == toolTop && h.about == aboutProcess && !topMetrics[name] {
			continue
		}
		r.samples.Append(model.ClockTime(st.at), t.ID, r.metric(name), valueOf(h, name, cells[i]), rec.line, rec.off)
	}
}

// other reports whether run.yaml declares that the file is of another tool.
func (r *reader) other(t tool) bool { return r.only != toolNone && r.only != t }

// whole reports whether a row without a line end is known to be whole: its time
// stands last, or its last cell has as many decimal places as that of the row
// before, or names a process that was seen. Any other may have lost its last digits.
func (r *reader) whole(h *heading, st stamp, cells []string) bool {
	last := len(cells) - 1
	switch {
	case h.when == timeLast && st.kind != model.DomainNone:
		return true
	case last == h.command && h.about == aboutProcess:
		return r.tracks.by[processKey(h, cells)] != nil
	}
	return r.places > 0 && places(cells[last]) == r.places
}

// places is the number of decimal places of a cell; 0 where it has none.
func places(cell string) int {
	if n := strings.LastIndexAny(cell, ".,"); n >= 0 {
		return len(cell) - n - 1
	}
	return 0
}

// valueOf reads a cell.
func valueOf(h *heading, name, cell string) model.Maybe[float64] {
	v, ok := number(cell)
	if !ok {
		v, ok = humanNumber(name, cell)
	}
	switch {
	case !ok && (cell == "-" || cell == "" || cell == "n/a"):
		return model.Missing[float64](model.NotAvailable)
	case !ok:
		return model.Missing[float64](model.ReadError)
	case v < 0 && h.tool == toolPidstat && (strings.HasPrefix(name, "kB_") || name == "iodelay"):
		return model.Missing[float64](model.NotAvailable) // no permission, see pidstat(1)
	}
	return model.Known(v)
}

// number reads a decimal number, with a comma in some locales; top shortens large
// sizes by m, g and t.
func number(s string) (float64, bool) {
	if s == "" || len(s) > 40 {
		return 0, false
	}
	scale := 1.0
	switch s[len(s)-1] {
	case 'm':
		scale = 1 << 10
	case 'g':
		scale = 1 << 20
	case 't':
		scale = 1 << 30
	}
	if scale > 1 {
		s = s[:len(s)-1]
	}
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && c != '.' && c != ',' && c != '-' && c != '+' && c != 'e' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, false
	}
	return v * scale, true
}

// metric returns the id of a column's quantity.
func (r *reader) metric(name string) model.MetricID {
	q := quantityOf(name)
	k := metricKey{name: name, unit: q.unit}
	if id, ok := r.metrics[k]; ok {
		return id
	}
	id := model.MetricID(len(r.cap.Metrics))
	r.metrics[k] = id
	r.cap.Metrics = append(r.cap.Metrics, model.Metric{ID: id, Name: model.NewText(name, model.ClassMetric), Unit: model.NewText(k.unit, model.ClassMetric),
		Role: roles[name], Over: q.over})
	return id
}

// trackOf returns the track that a row is about.
func (r *reader) trackOf(h *heading, cells []string, piece model.DomainID) *track {
	switch h.about {
	case aboutProcess:
		return r.processOf(h, cells, piece)
	case aboutCPU:
		if id := cells[h.entity]; id != "all" && id != "-1" {
			return r.tracks.find(trackKey{kind: model.TrackCore, id: id}, r.tracks.hostTrack(piece), piece)
		}
	case aboutDisk:
		return r.tracks.find(trackKey{kind: model.TrackDisk, id: cells[h.entity]}, r.tracks.hostTrack(piece), piece)
	case aboutNet:
		return r.tracks.find(trackKey{kind: model.TrackHost, id: cells[h.entity]}, r.tracks.hostTrack(piece), piece)
	}
	return r.tracks.hostTrack(piece)
}

// processKey names the process of a row, or its thread.
func processKey(h *heading, cells []string) trackKey {
	cell := func(i int) string {
		if i < 0 || i >= len(cells) || cells[i] == "-" {
			return ""
		}
		return cells[i]
	}
	k := trackKey{kind: model.TrackProcess, name: strings.TrimPrefix(strings.TrimSpace(cell(h.command)), "|__")}
	if tid := cell(h.tid); tid != "" {
		k.id = threadID + tid
		return k
	}
	id := cell(h.tgid)
	if id == "" {
		id = cell(h.pid)
	}
	k.id = processID + id
	return k
}

// processOf returns the track of a process, or of a thread below the process whose
// row came last.
func (r *reader) processOf(h *heading, cells []string, piece model.DomainID) *track {
	k := processKey(h, cells)
	if strings.HasPrefix(k.id, threadID) {
		return r.tracks.thread(k, piece)
	}
	t := r.tracks.find(k, nil, piece)
	r.tracks.process = t
	return t
}
