package smi

import (
	"bytes"
	"strings"

	"tracemerge/model"
)

// form is the kind of table that a header announces.
type form uint8

const (
	formQuery   form = iota // nvidia-smi --query-gpu
	formApps                // nvidia-smi --query-compute-apps
	formDmon                // nvidia-smi dmon
	formPmon                // nvidia-smi pmon
	formDCGM                // dcgmi dmon
	formOwn                 // a header of somebody's own
	formTable               // the table that nvidia-smi prints for people
	formUnnamed             // rows without a header
	formFree                // free memory in words
	formReport              // nvidia-smi -q
	formXML                 // nvidia-smi -q -x
	formCount
)

var formText = [...]string{"query-gpu csv", "query-compute-apps csv", "dmon table", "pmon table", "dcgmi dmon table", "csv with a header of its own", "printed table", "csv without a header", "free memory in words", "query text", "query xml"}

// fieldFamilies are beginnings of the field names of nvidia-smi
// --help-query-gpu and --help-query-compute-apps that nothing else uses.
var fieldFamilies = []string{"utilization.", "memory.", "power.", "temperature.", "clocks.", "clocks_throttle_reasons.",
	"clocks_event_reasons.", "pci.", "pcie.", "fan.speed", "ecc.", "enforced.power", "encoder.stats.", "mig.mode", "module.power"}

var fieldNames = []string{"pstate", "uuid", "gpu_uuid", "gpu_name", "gpu_bus_id", "gpu_serial", "used_gpu_memory",
	"used_memory", "driver_version", "vbios_version", "persistence_mode", "compute_mode"}

// isField reports whether a name is one that nvidia-smi prints and nothing else
// is likely to.
func isField(name string) bool {
	for _, f := range fieldFamilies {
		if strings.HasPrefix(name, f) {
			return true
		}
	}
	for _, f := range fieldNames {
		if name == f {
			return true
		}
	}
	return false
}

// isGPUName reports whether a column name of somebody's own says that it is about
// a GPU.
func isGPUName(name string) bool {
	low := strings.ToLower(name)
	if !strings.Contains(low, "gpu") && low != "gfx_activity" {
		return false
	}
	for _, c := range []byte(low) {
		if !(c >= 'a' && c <= 'z' || isDigit(c) || c == '_' || c == '.' || c == '(' || c == ')' || c == '%') {
			return false
		}
	}
	return true
}

// isBlankedName reports whether a column is one of rocm-smi --csv or of xpu-smi dump,
// whose names hold blanks: "GPU use (%)", "GPU memory use (%)", "VRAM Total Used Memory
// (B)"; "GPU Utilization (%)", "GPU Power (W)".
func isBlankedName(name string) bool {
	return strings.HasPrefix(name, "GPU Utilization (") || strings.HasPrefix(name, "GPU Power (") || strings.HasPrefix(name, "GPU use") || strings.HasPrefix(name, "GPU memory use") || strings.HasPrefix(name, "VRAM Total")
}

// isWords reports whether a column of that name holds words, identifiers or
// versions, though some of them look like numbers.
func isWords(name string) bool {
	for _, p := range []string{"pci.", "inforom.", "driver_model.", "gom.", "mig.mode", "ecc.mode", "fabric.", "platform."} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	switch name {
	case "vbios_version", "compute_cap", "type", "Type", "Perf", "Compute M.", "addressing_mode", "gpu_recovery_action", "gsp.mode.current":
		return true
	}
	return strings.HasSuffix(name, "_mode") || strings.HasSuffix(name, ".mode") ||
		strings.HasPrefix(name, "vgpu_")
}

// nameShaped reports whether text can be a column name. A name begins with a
// letter; rows of values hold a number or a bracket somewhere.
func nameShaped(b []byte) bool {
	if len(b) == 0 || len(b) > 100 {
		return false
	}
	if c := b[0] | 0x20; c < 'a' || c > 'z' {
		return false
	}
	for _, c := range b {
		if c < ' ' || c == ':' || c == '=' || c == '"' || c == '|' || c >= 0x7f {
			return false
		}
	}
	return true
}

// separatorOf chooses the separator of a header: a column name holds none of them.
func separatorOf(text []byte) byte {
	for _, sep := range []byte{';', '\t'} {
		if bytes.IndexByte(text, sep) >= 0 {
			return sep
		}
	}
	return ','
}

// maxColumns bounds the columns of a header; driver 590 knows 212 fields.
const maxColumns = 1 << 12

// A heading is a line that was recognised as a header.
type heading struct {
	sep    byte
	form   form
	cols   []column
	fields int // columns with names of nvidia-smi's
}

// headingOf recognises a CSV header: every cell is shaped like a name, and the
// names are nvidia-smi's or speak of GPUs.
func headingOf(text []byte) (heading, bool) {
	if len(text) == 0 || isDigit(text[0]) {
		return heading{}, false
	}
	h := heading{sep: separatorOf(text), form: formQuery}
	if bytes.Count(text, []byte{h.sep}) >= maxColumns {
		return heading{}, false
	}
	own, gpu, apps := 0, 0, false
	for cellText := range bytes.SplitSeq(text, []byte{h.sep}) {
		c := bytes.Trim(trim(cellText), `"`)
		if len(c) == 0 { // the unnamed index column of a data frame
			h.cols = append(h.cols, column{})
			continue
		}
		if !nameShaped(c) {
			return heading{}, false
		}
		if _, word := missing(c); word {
			return heading{}, false
		}
		name, unit := nameAndUnit(string(c))
		h.cols = append(h.cols, column{name: name, unit: unit})
		apps = apps || name == "pid"
		switch {
		case isField(name):
			h.fields++
		case isGPUName(name), isBlankedName(name):
			gpu++
			own++
		case !isShared(name):
			own++
		}
	}
	switch {
	case h.fields > 0 && apps:
		h.form = formApps
	case h.fields > 0 && own <= h.fields:
	case gpu > 0 && len(h.cols) > 1:
		h.form = formOwn
	default:
		return heading{}, false
	}
	return h, true
}

// isShared reports whether nvidia-smi prints a column of that name and other
// programs do too.
func isShared(name string) bool {
	switch name {
	case "timestamp", "index", "name", "count", "serial", "pid", "process_name":
		return true
	}
	return false
}

// nameAndUnit separates "utilization.gpu [%]".
func nameAndUnit(c string) (name, unit string) {
	if open := strings.LastIndexByte(c, '['); open > 0 && strings.HasSuffix(c, "]") {
		return strings.TrimSpace(c[:open]), strings.TrimSpace(c[open+1 : len(c)-1])
	}
	return c, ""
}

// tableHeading recognises the header line of dmon, pmon or dcgmi dmon: "#" and the
// names.
func tableHeading(text []byte) (heading, bool) {
	if len(text) == 0 || text[0] != '#' {
		return heading{}, false
	}
	h := heading{sep: spaces, form: formDmon}
	names := bytes.Fields(text[1:])
	if bytes.IndexByte(text, ',') >= 0 { // dmon --format csv
		h.sep = ','
		names = bytes.Split(text[1:], []byte{','})
	}
	if len(names) > maxColumns {
		return heading{}, false
	}
	has := map[string]bool{}
	for _, n := range names {
		name := string(trim(n))
		has[name] = true
		h.cols = append(h.cols, column{name: name})
	}
	switch {
	case has["Entity"] && len(h.cols) > 1:
		h.form = formDCGM
	case !has["gpu"] || len(h.cols) < 2:
		return heading{}, false
	case has["pid"]:
		h.form = formPmon
	}
	h.fields = len(h.cols)
	return h, true
}

// unitsLine recognises the second header line of dmon and pmon, "# Idx W C", and
// of dcgmi dmon, "ID".
func unitsLine(text []byte, h heading) ([]string, bool) {
	if h.form == formDCGM && bytes.Equal(text, []byte("ID")) {
		return nil, true
	}
	if len(text) == 0 || text[0] != '#' {
		return nil, false
	}
	parts := bytes.Fields(text[1:])
	if h.sep == ',' {
		parts = bytes.Split(text[1:], []byte{','})
	}
	units := make([]string, len(parts))
	idx := false
	for i, p := range parts {
		units[i] = string(trim(p))
		idx = idx || units[i] == "Idx"
	}
	return units, idx && len(units) == len(h.cols)
}

// roleOf says what analyses may use a column for. A process's share of a GPU is
// not the GPU's, so columns of process tables have no role; nor has a column of
// somebody's own whose name leaves open what it measures or in what unit.
func roleOf(name string, f form) model.Role {
	if f == formApps || f == formPmon {
		return model.RoleNone
	}
	switch name {
	case "utilization.gpu", "gpu_util_pct", "gpu_utilization_percent":
		return model.RoleGPUBusy
	case "utilization.memory":
		return model.RoleMemoryBusy
	case "memory.used", "mem_used_mb", "memory_used_MB", "memory_used_mb":
		return model.RoleMemoryUsed
	case "memory.total", "mem_total_mb", "memory_total_MB", "memory_total_mb":
		return model.RoleMemoryTotal
	case "power.draw", "power.draw.average", "power.draw.instant", "power_w":
		return model.RolePower
	case "temperature.gpu", "temp_c", "temperature_C":
		return model.RoleTemperature
	case "clocks.sm", "clocks.current.sm":
		return model.RoleClockSM
	}
	for _, p := range []string{"clocks_throttle_reasons.", "clocks_event_reasons."} {
		if rest, ok := strings.CutPrefix(name, p); ok && rest != "supported" {
			return model.RoleThrottle
		}
	}
	switch f {
	case formTable:
		return tableRole(name)
	case formReport, formXML:
		return reportRole(name)
	}
	if f == formDmon || f == formDCGM {
		return dmonRole(name)
	}
	return model.RoleNone
}

// tableRole maps the names of the table that nvidia-smi prints for people.
func tableRole(name string) model.Role {
	switch name {
	case "GPU-Util":
		return model.RoleGPUBusy
	case "Memory-Usage":
		return model.RoleMemoryUsed
	case "Memory-Usage total":
		return model.RoleMemoryTotal
	case "Pwr:Usage":
		return model.RolePower
	case "Temp":
		return model.RoleTemperature
	}
	return model.RoleNone
}

// dmonRole maps the column names of dmon (nvidia-smi dmon -h) and of dcgmi dmon.
func dmonRole(name string) model.Role {
	switch name {
	case "sm", "GPUTL":
		return model.RoleGPUBusy
	case "mem", "MCUTL":
		return model.RoleMemoryBusy
	case "fb", "FBUSD":
		return model.RoleMemoryUsed
	case "pwr":
		return model.RolePower
	case "gtemp":
		return model.RoleTemperature
	case "pclk":
		return model.RoleClockSM
	}
	return model.RoleNone
}
