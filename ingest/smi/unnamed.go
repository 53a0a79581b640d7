package smi

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tracemerge/model"
)

// unnamed takes a row of a file in which no line names the columns (noheader), or a
// line with the time of the row below it. What proves itself is used as what it is:
// stamps, UUIDs, bus ids, product names. A column of numbers is shown by its place and
// used for nothing, since which percentage is which is nowhere in the file. It reports
// false for any other line.
func (r *reader) unnamed(rec record, text []byte) bool {
	if at, ok := bannerTime(text); ok {
		r.above = at
		r.cap.Account.Read--
		return true
	}
	if m := freeMemory.FindSubmatch(text); m != nil {
		row := make([]string, len(m)-1)
		for i, c := range m[1:] {
			row[i] = string(c)
		}
		r.placed(rec, formFree, "device,name,free [MiB],total [MiB],temperature [C]", row)
		return true
	}
	switch rowShape(text) {
	case shapeClockLine:
		r.above = string(text)
		r.cap.Account.Read--
		return true
	case shapeUnnamed, shapeNumbers:
	default:
		return false
	}
	row := unnamedCells(text)
	if r.sheet == nil || r.heading.form != formUnnamed {
		r.notices.Add("smi/no-header", model.DataLoss, r.pos(rec), model.Say(
			"the rows have no header (noheader): columns that do not prove what they hold are shown by their place and used for nothing; name them in run.yaml, as in formats: {FILE: \"columns timestamp, index, utilization.gpu, memory.used\"}"))
	}
	r.placed(rec, formUnnamed, r.namesOf(row), row)
	return true
}

// unnamedCells are the cells of a row whose columns have no names.
func unnamedCells(text []byte) (out []string) {
	for c := range bytes.SplitSeq(text, []byte{separatorOf(text)}) {
		out = append(out, string(trim(c)))
	}
	return out
}

// bannerTime reads a line that holds a date and a time between signs, "=====
// 2024-11-19 19:40:10.286 =====".
func bannerTime(text []byte) (string, bool) {
	inner := bytes.Trim(text, "=-#* ")
	if len(inner) < 19 || len(inner) == len(text) {
		return "", false
	}
	_, ok := new(dater).parse(inner)
	return string(inner), ok && (inner[4] == '-' || inner[4] == '/')
}

// freeMemory is a line that scripts print from torch.cuda.mem_get_info.
var freeMemory = regexp.MustCompile(`^(\S+) (.+): (\d+ MiB) free out of (\d+ MiB) total, temperature: (\d+ C)$`)

// namesOf names the columns of rows without a header, by the row at hand: it is asked
// again where the number of columns changes.
func (r *reader) namesOf(row []string) string {
	if r.sheet != nil && r.heading.form == formUnnamed && r.width == len(row) {
		return r.names
	}
	names := make([]string, len(row))
	has := map[string]bool{}
	for i, c := range row {
		name := proven(i, c)
		if i == r.counts && name == "" {
			name = "index"
		}
		if name == "" || has[name] {
			name = "column " + strconv.Itoa(i+1)
		}
		names[i], has[name] = name, true
	}
	r.width, r.names = len(row), strings.Join(names, ",")
	return r.names
}

var (
	uuidText = regexp.MustCompile(`^(GPU|MIG)-[0-9a-f]{8}-[0-9a-f-]{27}$`)
	busText  = regexp.MustCompile(`^[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]$`)
)

// proven is the name of a column whose cell can be nothing else, "" if it can.
func proven(place int, cell string) string {
	switch {
	case place == 0 && len(cell) >= 19 && (cell[4] == '/' || cell[4] == '-') && cell[7] == cell[4]:
		return "timestamp"
	case uuidText.MatchString(cell):
		return "uuid"
	case busText.MatchString(cell):
		return "pci.bus_id"
	case strings.HasPrefix(cell, "NVIDIA ") || strings.HasPrefix(cell, "Tesla "):
		return "name"
	}
	return ""
}

// placed reads cells as a row of a table with the names, and with the time that stood
// above it.
func (r *reader) placed(rec record, f form, names string, row []string) {
	if r.above != "" {
		names, row = "timestamp,"+names, append([]string{r.above}, row...)
		if f == formUnnamed {
			r.above = "" // the time of one line
		}
	}
	r.rowUnder(rec, f, names, row)
}

// counting finds, in the rows at the beginning of a file without a header, the column
// that tells the GPUs apart: whole numbers that count up from the same number in every
// turn of the collector, over at least two GPUs. Stamps must show the same turns, or
// there must be three at least, since few readings of one GPU can count by chance. It is
// -1 if there is none.
func counting(head []byte) int {
	var rows [][]string
	width := 0
	for line := range bytes.Lines(head) {
		text := trim(bytes.TrimRight(line, "\r\n"))
		if !bytes.HasSuffix(line, []byte("\n")) || rowShape(text) != shapeUnnamed && rowShape(text) != shapeNumbers {
			continue
		}
		row := unnamedCells(text)
		if len(rows) > 0 && len(row) != width {
			return -1
		}
		width, rows = len(row), append(rows, row)
	}
	found := -1
	for c := range width {
		if turns := countsUp(rows, c); len(turns) > 2 && !stampedRows(rows) || len(turns) > 1 && apart(rows, turns) {
			if found >= 0 {
				return -1 // two do: neither is surer
			}
			found = c
		}
	}
	return found
}

// countsUp returns the rows at which the column begins to count anew, nil if it does
// not count.
func countsUp(rows [][]string, c int) (turns []int) {
	first, last, most := -1, -1, 0
	for i, row := range rows {
		v, err := strconv.Atoi(row[c])
		switch {
		case err != nil || v < 0 || v > 255:
			return nil
		case first < 0:
			first, last, turns = v, v, []int{i}
		case v == last+1 && (len(turns) == 1 || v <= most):
			last = v
		case v == first && last > first && (len(turns) == 1 || last == most):
			most, last = last, v
			turns = append(turns, i)
		default:
			return nil
		}
	}
	return turns
}

// stampedRows reports whether rows begin with a stamp of nvidia-smi.
func stampedRows(rows [][]string) bool { return len(rows) > 0 && smiForm([]byte(rows[0][0])) }

// apart reports whether the stamps of rows lie farther apart between two turns than
// within any: rows of one query are milliseconds apart.
func apart(rows [][]string, turns []int) bool {
	var dates dater
	within, between := int64(0), int64(math.MaxInt64)
	last := int64(0)
	for i, row := range rows {
		st, ok := dates.parse([]byte(row[0]))
		if !ok || !smiForm([]byte(row[0])) {
			return false
		}
		switch d := st.at - last; {
		case i == 0:
		case slices.Contains(turns, i):
			between = min(between, d)
		default:
			within = max(within, d)
		}
		last = st.at
	}
	return within < between
}

// writer is the host before every line of a file, "node1: ", as pdsh and clush put it
// there; "" where the lines have none or several.
func writer(head []byte) string {
	host, lines := "", 0
	for line := range bytes.Lines(head) {
		text := trim(bytes.TrimRight(line, "\r\n"))
		if !bytes.HasSuffix(line, []byte("\n")) || len(text) == 0 {
			continue
		}
		name, rest, ok := bytes.Cut(text, []byte(": "))
		if !ok || len(name) == 0 || bytes.ContainsAny(name, " ,;\t{\"") || host != "" && string(name) != host {
			return ""
		}
		_, heads := headingOf(trim(rest))
		if host == "" && !heads && !stamped(rest) {
			return ""
		}
		host = string(name)
		lines++
	}
	if lines < 2 {
		return ""
	}
	return host
}
