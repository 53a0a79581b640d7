package smi

import (
	"bytes"
	"slices"
	"strings"

	"tracemerge/model"
)

// A report is what nvidia-smi -q prints, as text or with -x as XML, once for each turn
// of a loop (-l). Text is indented by four blanks for each level, and XML has one
// element in a line:
//
//	==============NVSMI LOG==============        <nvidia_smi_log>
//	Timestamp        : Mon Mar  2 14:05:00 2026    <timestamp>Mon Mar  2 14:05:00 2026</timestamp>
//	GPU 00000000:4A:00.0                           <gpu id="00000000:4A:00.0">
//	    Utilization                                  <utilization>
//	        Gpu      : 97 %                            <gpu_util>97 %</gpu_util>
//
// A GPU of one turn is a record, and so is each of its processes. Both stand where
// their part of the report begins.
type report struct {
	xml    bool
	at     string // the local time of the turn, as nvidia-smi writes it in CSV; "" if it states none
	driver string
	path   []string // names of what is open: below the GPU in text, from the outermost in XML
	lost   bool     // an element was broken: nothing is read until the next turn
	gpu    *reportGPU
}

// A reportGPU collects the part of a report about one GPU.
type reportGPU struct {
	rec             record
	bus, uuid, name string
	names, cells    []string
	processes       []reportProcess
}

// A reportProcess is a process that a GPU's part lists.
type reportProcess struct {
	rec                     record
	pid, kind, name, memory string
}

const (
	maxReportDepth     = 64
	maxReportProcesses = 1 << 12 // of one GPU in one turn
)

// reportSections are the parts of a report whose values change while a job runs, in
// the spelling of XML. The other parts are the GPU's configuration and its history.
var reportSections = []string{"utilization", "fb_memory_usage", "memory_usage", "temperature", "power_readings", "gpu_power_readings",
	"clocks", "clocks_throttle_reasons", "clocks_event_reasons", "performance_state", "fan_speed"}

// asElement spells a name of the text as XML does.
func asElement(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "_") }

// reportRole maps the names of a report's values, in the spelling of XML. Drivers have
// changed some of the names.
func reportRole(name string) model.Role {
	switch section, key, _ := strings.Cut(asElement(name), "."); section {
	case "utilization":
		switch key {
		case "gpu", "gpu_util":
			return model.RoleGPUBusy
		case "memory", "memory_util":
			return model.RoleMemoryBusy
		}
	case "fb_memory_usage", "memory_usage":
		switch key {
		case "used":
			return model.RoleMemoryUsed
		case "total":
			return model.RoleMemoryTotal
		}
	case "temperature":
		switch key {
		case "gpu", "gpu_current_temp", "gpu_temp":
			return model.RoleTemperature
		}
	case "power_readings", "gpu_power_readings":
		switch key {
		case "power_draw", "average_power_draw", "instantaneous_power_draw", "instant_power_draw":
			return model.RolePower
		}
	case "clocks":
		if key == "sm" || key == "sm_clock" {
			return model.RoleClockSM
		}
	case "clocks_throttle_reasons", "clocks_event_reasons":
		return model.RoleThrottle
	}
	return model.RoleNone
}

// begin reports whether the text begins as a report, and notes of which kind. A CSV
// header before it makes the file a table with other text in it.
func (p *report) begin(head []byte) bool {
	for line := range bytes.SplitSeq(head, []byte{'\n'}) {
		text := uncleared(trim(bytes.Trim(line, "\x00")))
		switch s := shapeOf(text); {
		case isBanner(text):
			return true
		case s == shapeXML && text[0] == '<':
			p.xml = true
			return true
		}
		if _, ok := tableHeading(text); ok {
			return false
		}
		if _, ok := headingOf(text); ok {
			return false
		}
	}
	return false
}

func isBanner(text []byte) bool {
	return len(text) > 0 && text[0] == '=' && string(bytes.Trim(text, "= ")) == "NVSMI LOG"
}

// reportLine takes one line of a report.
func (r *reader) reportLine(rec record, text []byte) {
	switch {
	case len(text) == 0:
		return
	case rec.long, !rec.ended && !(r.report.xml && bytes.HasSuffix(text, []byte(">"))):
		r.cap.Account.Read++
		if rec.long {
			r.reject("smi/long-line", rec)
			r.notices.Add("smi/long-line", model.DataLoss, r.pos(rec), model.Say("a line is longer than {} bytes and was not read", maxLine))
			return
		}
		r.cutOff(rec)
		return
	}
	known := false
	if r.report.xml {
		known = r.element(rec, text)
	} else {
		known = r.queryLine(rec, text)
	}
	if known {
		return
	}
	r.cap.Account.Read++
	if !r.foreign(rec, text) {
		r.shapes[shapeOther]++
		r.aside("smi/other-text", rec)
	}
}

// queryLine takes a line of the text: the banner, "Name : value", or a name alone.
func (r *reader) queryLine(rec record, text []byte) bool {
	p := &r.report
	if isBanner(text) {
		r.newTurn()
		r.shapes[shapeQueryText]++
		return true
	}
	if r.shapes[shapeQueryText] == 0 {
		return false // other text before the first turn
	}
	key, value, valued := bytes.Cut(text, []byte(" : "))
	if !valued {
		key, valued = bytes.CutSuffix(text, []byte(" :"))
	}
	name, level := string(trim(key)), indent(rec.text)
	if !nameShaped(trim(key)) && !bytes.HasPrefix(text, []byte("GPU ")) || strings.ContainsAny(name, ",") {
		return false
	}
	if level == 0 {
		return r.outerLine(rec, name, string(trim(value)), valued)
	}
	if p.gpu == nil {
		return true // a list below a line about the host, such as what the vGPU driver can do
	}
	p.path = append(p.path[:min(level-1, len(p.path))], name)
	if valued {
		r.reportValue(rec, p.path, string(trim(value)))
	}
	return true
}

// indent is how deep a line lies; nvidia-smi indents by four blanks.
func indent(line []byte) int {
	return (len(line) - len(bytes.TrimLeft(line, " "))) / 4
}

// outerLine takes a line that is not indented: of the host, or the name of a GPU.
func (r *reader) outerLine(rec record, name, value string, valued bool) bool {
	p := &r.report
	if bus, is := strings.CutPrefix(name, "GPU "); is && !valued && busText.MatchString(bus) {
		r.openGPU(rec, bus)
		return true
	}
	switch name {
	case "Timestamp":
		p.at = reportTime(value)
	case "Driver Version":
		p.driver = value
	case "CUDA Version", "Attached GPUs", "vGPU Driver Capability":
	default:
		return false
	}
	r.closeGPU()
	return true
}

// reportTime writes the time of a report as a stamp; text that is none stays.
func reportTime(text string) string {
	if at, ok := ctime(text); ok {
		return at
	}
	return text
}

// newTurn forgets the time and what was open.
func (r *reader) newTurn() {
	r.closeGPU()
	r.report.at, r.report.path, r.report.lost = "", nil, false
}

func (r *reader) openGPU(rec record, bus string) {
	r.closeGPU()
	rec.text, rec.ended = bytes.Clone(rec.text), true
	r.report.path = r.report.path[:0]
	r.report.gpu = &reportGPU{rec: rec, bus: bus}
}

// reportValue takes a value of the GPU that is open; path begins below the GPU.
func (r *reader) reportValue(rec record, path []string, value string) {
	g := r.report.gpu
	section := asElement(path[0])
	key := asElement(path[len(path)-1])
	switch {
	case section == "product_name":
		g.name = value
	case section == "gpu_uuid", section == "uuid":
		g.uuid = value
	case section == "processes" && len(path) > 1:
		r.reportProcess(rec, key, value)
	case !slices.Contains(reportSections, section):
	case len(g.names) >= maxColumns:
		r.cap.Account.Read++
		r.reject("smi/columns", rec)
	default:
		g.names, g.cells = append(g.names, strings.Join(path, ".")), append(g.cells, value)
	}
}

// reportProcess takes a line about a process. Its id begins it.
func (r *reader) reportProcess(rec record, key, value string) {
	g := r.report.gpu
	if key == "process_id" || key == "pid" {
		if len(g.processes) >= maxReportProcesses {
			r.cap.Account.Read++
			r.reject("smi/too-many-tracks", rec)
			return
		}
		rec.text, rec.ended = bytes.Clone(rec.text), true
		g.processes = append(g.processes, reportProcess{rec: rec, pid: value})
		return
	}
	if len(g.processes) == 0 {
		return // the instance of a divided GPU stands before the first id
	}
	switch p := &g.processes[len(g.processes)-1]; key {
	case "type":
		p.kind = value
	case "name", "process_name":
		p.name = value
	case "used_gpu_memory", "used_memory":
		p.memory = value
	}
}

// closeGPU reads what was collected of a GPU as rows.
func (r *reader) closeGPU() {
	p := &r.report
	g := p.gpu
	if g == nil {
		return
	}
	p.gpu = nil
	f := formReport
	if p.xml {
		f = formXML
	}
	// What the report has no line for is no column: the file may be cut off before it.
	whose := columnsOf("timestamp", p.at, "pci.bus_id", g.bus, "uuid", g.uuid)
	r.cap.Account.Read++
	if len(g.names) == 0 && len(g.processes) == 0 {
		r.aside("smi/query-no-values", g.rec)
		return
	}
	gpu := whose.and("name", g.name, "driver_version", p.driver)
	r.rowUnder(g.rec, f, strings.Join(append(gpu.names, g.names...), ","), append(gpu.cells, g.cells...))
	for _, w := range g.processes {
		r.cap.Account.Read++
		if w.pid == "" {
			r.aside("smi/no-process", w.rec)
			continue
		}
		process := whose.and("pid", w.pid, "process_name", w.name, "type", w.kind, "used_memory", w.memory)
		r.rowUnder(w.rec, f, strings.Join(process.names, ","), process.cells)
	}
	r.notices.Add("smi/query-selected", model.Info, r.pos(g.rec), model.Say(
		"of a report of nvidia-smi -q the parts that change while a job runs are read: utilization, memory usage, temperature, power, clocks and the reasons of their limits, performance state, fan, processes"))
}

// stated are columns of a row that the file states, with their cells.
type stated struct{ names, cells []string }

// columnsOf takes names and cells in turn, and leaves out what is empty.
func columnsOf(pairs ...string) stated { return stated{}.and(pairs...) }

func (s stated) and(pairs ...string) stated {
	out := stated{slices.Clone(s.names), slices.Clone(s.cells)}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out.names, out.cells = append(out.names, pairs[i]), append(out.cells, pairs[i+1])
		}
	}
	return out
}
