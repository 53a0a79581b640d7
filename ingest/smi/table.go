package smi

import (
	"bytes"
	"strings"
	"time"

	"tracemerge/model"
)

// A part is a part of the table that nvidia-smi prints for people.
type part uint8

const (
	partHead      part = iota // driver, and the names of the columns
	partGPUs                  // two or three lines for each GPU
	partProcesses             // a line for each process
	partMIG                   // a line for each instance of a divided GPU
)

// A table is what is known of the table at hand. nvidia-smi prints one for each turn
// of a loop (-l), below a line with the local time in the form of ctime(3):
//
//	Tue Oct 29 19:00:23 2024
//	| NVIDIA-SMI 550.54.15   Driver Version: 550.54.15   CUDA Version: 12.4 |
//	| GPU  Name        Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
//	| Fan  Temp  Perf  Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
//	|================================+========================+======================|
//	|   0  NVIDIA L40S          On   | 00000000:4A:00.0   Off |                    0 |
//	| N/A  53C   P0     305W /  350W |   11948MiB / 46068MiB  |    100%      Default |
//
// The line of values is the record; what frames and names it is none.
type table struct {
	time   string // as nvidia-smi writes it in CSV; "" if the table has none
	driver string
	headed bool // the time is that of a table that has begun
	part   part
	below  part     // what the part after the next double line is
	name   [][]byte // cells of the first line of a GPU, nil if none is open
}

// tableColumns are the names of a table's values, as it prints them: a value behind a
// slash under the name behind it.
var tableColumns = [3]string{
	partGPUs:      "index,name,pci.bus_id,driver_version,Fan [%],Temp [C],Perf,Pwr:Usage [W],Pwr:Cap [W],Memory-Usage [MiB],Memory-Usage total [MiB],GPU-Util [%],Compute M.",
	partProcesses: "index,pid,Type,process_name,GPU Memory Usage [MiB]",
}

// printed takes a line of a printed table, or of its time. It reports false for any
// other line.
func (r *reader) printed(rec record, text []byte) bool {
	t := &r.table
	if isCtime(text) {
		if at, ok := ctime(string(text)); ok {
			*t = table{time: at, driver: t.driver}
			r.cap.Account.Read--
			return true
		}
	}
	if shapeOf(text) != shapeSMITable {
		return false
	}
	r.shapes[shapeSMITable]++
	frame := text[0] == '+' || bytes.HasPrefix(text, []byte("|--")) || bytes.HasPrefix(text, []byte("|=="))
	if !frame && text[len(text)-1] != '|' { // the frame of its end is cut off
		r.unreadable(rec)
		return true
	}
	inner := bytes.Trim(text, "|+")
	switch has := func(s string) bool { return bytes.Contains(inner, []byte(s)) }; {
	case frame:
		t.name = nil
		if has("====") {
			t.part = t.below
		}
		r.cap.Account.Read--
	case has("NVIDIA-SMI "):
		if t.headed { // the line with this table's time was lost: that of the table before is not its time
			t.time = ""
		}
		t.headed, t.part, t.below = true, partHead, partGPUs
		t.driver = wordAfter(inner, "Driver Version:")
		r.cap.Account.Read--
	case has("Processes:"):
		t.part, t.below = partHead, partProcesses
		r.cap.Account.Read--
	case has("MIG devices:"):
		t.part, t.below = partHead, partMIG
		r.cap.Account.Read--
	case t.part == partGPUs:
		r.gpuLine(rec, inner)
	case t.part == partProcesses:
		r.processLine(rec, inner)
	case t.part == partMIG:
		r.aside("smi/table-mig", rec)
	default: // names of columns
		r.cap.Account.Read--
	}
	return true
}

// ctime reads a text such as "Tue Oct 29 19:00:23 2024", of ctime(3), and writes it as
// nvidia-smi does in CSV.
func ctime(text string) (string, bool) {
	at, err := time.Parse("Mon Jan 2 15:04:05 2006", strings.Join(strings.Fields(text), " "))
	return at.Format("2006/01/02 15:04:05"), err == nil
}

// isCtime reports whether a line is as long as a time of ctime(3) and has its colons,
// so that not every line of a log is parsed.
func isCtime(text []byte) bool {
	return len(text) == len(time.ANSIC) && text[13] == ':' && text[16] == ':'
}

func wordAfter(text []byte, before string) string {
	_, rest, ok := bytes.Cut(text, []byte(before))
	if fields := bytes.Fields(rest); ok && len(fields) > 0 {
		return string(fields[0])
	}
	return ""
}

// gpuLine takes a line of a GPU: its name and bus, its values, or its MIG mode.
func (r *reader) gpuLine(rec record, inner []byte) {
	t := &r.table
	cells := bytes.Split(inner, []byte("|"))
	if len(cells) != 3 {
		r.unreadable(rec)
		return
	}
	first := bytes.Fields(cells[0])
	switch {
	case len(first) > 1 && allDigits(first[0]) && bytes.IndexByte(cells[1], ':') > 0:
		t.name = [][]byte{bytes.Clone(cells[0]), bytes.Clone(cells[1])}
		r.cap.Account.Read--
	case t.name == nil || len(first) == 0: // the third line of a GPU
		r.cap.Account.Read--
	default:
		row, ok := valuesLine(t, cells)
		if t.name = nil; !ok {
			r.unreadable(rec)
			return
		}
		r.printedRow(rec, partGPUs, row)
	}
}

// unreadable accounts for a line of a table that has not the form of its part.
func (r *reader) unreadable(rec record) {
	if !rec.ended {
		r.cutOff(rec)
		return
	}
	r.reject("smi/table", rec)
	r.notices.Add("smi/table", model.DataLoss, r.pos(rec), model.Say("a line of a printed table does not have the form of its part: it was not read"))
}

// valuesLine makes the cells of a GPU's row from its name and its values.
func valuesLine(t *table, cells [][]byte) ([]string, bool) {
	named := bytes.Fields(t.name[0])
	// The name is cut off to the width of its column, and the last word is the
	// persistence mode or the driver's model.
	name := string(bytes.Join(named[1:max(1, len(named)-1)], []byte(" ")))
	if strings.HasSuffix(name, "...") {
		name = "" // not whole
	}
	bus := string(bytes.Fields(t.name[1])[0])
	left, middle, right := bytes.Fields(cells[0]), cells[1], bytes.Fields(cells[2])
	if len(left) < 4 || len(right) == 0 {
		return nil, false
	}
	usage, limit, ok1 := slashed(bytes.Join(left[3:], nil))
	used, total, ok2 := slashed(middle)
	row := []string{string(named[0]), name, bus, t.driver, unitOf(left[0]), unitOf(left[1]), string(left[2]), usage, limit, used, total,
		unitOf(right[0]), string(bytes.Join(right[1:], []byte(" ")))}
	return row, ok1 && ok2
}

// slashed reads "305W / 350W".
func slashed(text []byte) (before, after string, ok bool) {
	if whole := string(trim(text)); whole == "N/A" || whole == "Not Supported" || whole == "ERR!" {
		return whole, whole, true
	}
	// "N/A / N/A" has three slashes.
	parts := bytes.Split(bytes.ReplaceAll(text, []byte("N/A"), []byte("-")), []byte("/"))
	if len(parts) != 2 {
		return "", "", false
	}
	return unitOf(trim(parts[0])), unitOf(trim(parts[1])), true
}

// unitOf puts a blank between a number and its unit.
func unitOf(text []byte) string {
	n := 0
	for n < len(text) && (isDigit(text[n]) || text[n] == '.') {
		n++
	}
	if n == 0 || n == len(text) {
		return string(text)
	}
	return string(text[:n]) + " " + string(text[n:])
}

// processLine takes a line of a process: the GPU, from 2020 on the ids of a GPU's
// instance, the process, its type and name, and its memory.
func (r *reader) processLine(rec record, inner []byte) {
	f := bytes.Fields(inner)
	if len(f) == 0 || !allDigits(f[0]) { // "No running processes found", lines on what is not shown
		r.cap.Account.Read--
		return
	}
	if len(f) > 1 && string(f[1]) == "Not" { // "Not Supported": the driver lists no processes of this GPU
		r.aside("smi/table-not-supported", rec)
		return
	}
	pid := 1
	for _, p := range []int{1, 3} {
		if len(f) > p+2 && allDigits(f[p]) && processType(f[p+1]) {
			pid = p
		}
	}
	if len(f) < pid+3 || !processType(f[pid+1]) {
		r.unreadable(rec)
		return
	}
	memory := f[len(f)-1]
	name := bytes.Join(f[pid+2:len(f)-1], []byte(" "))
	r.printedRow(rec, partProcesses, []string{string(f[0]), string(f[pid]), string(f[pid+1]), string(name), unitOf(memory)})
}

// processType reports whether a word is a type of process: C, G, C+G, M, M+C.
func processType(b []byte) bool { return len(b) > 0 && len(b) <= 3 && len(bytes.Trim(b, "CGM+")) == 0 }

// printedRow reads the cells as a row of a CSV table with the names of the part.
func (r *reader) printedRow(rec record, p part, row []string) {
	names := tableColumns[p]
	if at := r.table.time; at != "" {
		names, row = "timestamp,"+names, append([]string{at}, row...)
	}
	rec.ended = true // the line of a table ends with its frame
	r.rowUnder(rec, formTable, names, row)
}
