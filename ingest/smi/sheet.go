package smi

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/gocarina/gocsv"

	"tracemerge/model"
)

// known holds the cells of a row that say when it was and what it belongs to. The
// tags are the names of nvidia-smi's own columns and those that hand-made files
// of the catalogue use for the same; every other column is a value.
type known struct {
	Timestamp cell `csv:"timestamp,Timestamp,datetime,unix_time"`
	Date      cell `csv:"Date,date"`
	Time      cell `csv:"Time,time"`
	Elapsed   cell `csv:"elapsed_sec,elapsed_s,elapsed"`
	Index     cell `csv:"index,gpu_index"`
	GPU       cell `csv:"gpu,gpu_id,GPU_ID,Entity,device,DeviceId"`
	UUID      cell `csv:"uuid,gpu_uuid"`
	Bus       cell `csv:"pci.bus_id,gpu_bus_id"`
	Name      cell `csv:"name,gpu_name"`
	Driver    cell `csv:"driver_version"`
	Serial    cell `csv:"serial,gpu_serial"`
	PID       cell `csv:"pid"`
	Process   cell `csv:"process_name,command"`
}

// The fields of known, by their place in cells.
const (
	fTimestamp = iota
	fDate
	fTime
	fElapsed
	fIndex
	fGPU
	fUUID
	fBus
	fName
	fDriver
	fSerial
	fPID
	fProcess
	fieldCount
)

// cells lists the fields, so that code can go from a field to its column.
func (k *known) cells() [fieldCount]*cell {
	return [fieldCount]*cell{&k.Timestamp, &k.Date, &k.Time, &k.Elapsed, &k.Index, &k.GPU, &k.UUID, &k.Bus,
		&k.Name, &k.Driver, &k.Serial, &k.PID, &k.Process}
}

// A column is one column of a sheet.
type column struct {
	name, unit string // as exported; the unit without its brackets
	metric     model.MetricID
	decided    bool // a cell has shown that the column holds values
	text       bool // it holds words, not measurements
	alone      bool // the name stands once in the header
}

// noMetric stands where a column has no metric yet.
const noMetric model.MetricID = -1

// spaces is the separator of a dmon or pmon table, where cells hold no blank.
const spaces = 0

// A sheet is a header with the rows that follow it.
type sheet struct {
	header string // the header's text, to recognise its repetition
	sep    byte   // ',', ';', tab, or spaces
	form   form
	cols   []column
	bound  [fieldCount]int // column of each field of known, -1 if there is none
	at     [fieldCount]int // the same without columns that do not hold what they say
	stamp  int             // column of the stamp, or of its time of day
	day    int             // column of the date where it stands apart
	values []int           // columns that are not fields of known
	words  []int           // columns whose words are kept as facts of the track
	keys   []int           // columns that tell tracks apart
	timed  bool            // the clock's column was checked against a first row

	feed  *feed
	csv   *csv.Reader
	table *gocsv.Unmarshaller
	tab   rune // the separator that gocsv is told
}

// newSheet binds a header to the known fields and its other columns.
func newSheet(header string, sep byte, cols []column, f form) (*sheet, error) {
	s := &sheet{header: header, sep: sep, form: f, cols: cols, feed: &feed{}}
	s.tab = rune(sep)
	if sep == spaces {
		s.tab = '\t'
	}
	names := make([]string, len(cols))
	seen := map[string]bool{}
	for i := range cols {
		c := &cols[i]
		c.metric, c.alone = noMetric, c.name != "" && !seen[c.name]
		c.text = isWords(c.name)
		seen[c.name] = true
		names[i] = c.name
		if !c.alone { // gocsv must not mistake the second for the first
			names[i] = "\x00" + strconv.Itoa(i)
		}
	}
	if err := s.feed.cells(names, s.tab); err != nil {
		return nil, err
	}
	r := csv.NewReader(s.feed)
	r.Comma = s.tab
	r.TrimLeadingSpace = sep != spaces && sep != '\t'
	r.LazyQuotes = true
	r.FieldsPerRecord = len(cols) // gocsv's unmatched columns index the header by the row's length
	table, err := gocsv.NewUnmarshaller(r, known{})
	if err != nil {
		return nil, fmt.Errorf("binding a header: %w", err)
	}
	s.csv, s.table = r, table
	return s, s.bind()
}

// bind finds out which column gocsv gives to which field, by letting it read a
// row of column numbers.
func (s *sheet) bind() error {
	probe := make([]string, len(s.cols))
	for i := range probe {
		probe[i] = strconv.Itoa(i)
	}
	if err := s.feed.cells(probe, s.tab); err != nil {
		return err
	}
	k, rest, err := s.pull()
	if err != nil {
		return fmt.Errorf("binding a header: %w", err)
	}
	taken := make([]bool, len(s.cols))
	for f, c := range k.cells() {
		s.at[f] = -1
		if i, err := strconv.Atoi(string(*c)); err == nil {
			s.at[f], taken[i] = i, true
		}
	}
	s.bound = s.at
	s.settle()
	for i, c := range s.cols {
		if _, free := rest[c.name]; free && !taken[i] && c.alone {
			s.values = append(s.values, i)
		}
	}
	for _, f := range []int{fIndex, fGPU, fUUID, fBus, fName, fPID, fProcess} {
		if s.at[f] >= 0 {
			s.keys = append(s.keys, s.at[f])
		}
	}
	for _, f := range []int{fDriver, fSerial} {
		if s.at[f] >= 0 {
			s.words = append(s.words, s.at[f])
		}
	}
	return nil
}

// settle chooses among the fields that can serve the same purpose.
func (s *sheet) settle() {
	s.stamp, s.day = s.at[fTimestamp], -1
	switch date, tod := s.at[fDate], s.at[fTime]; {
	case s.stamp >= 0:
	case date >= 0 && tod >= 0:
		s.stamp, s.day = tod, date
	default:
		s.stamp = max(date, tod)
	}
}

// process reports whether rows are processes rather than GPUs.
func (s *sheet) process() bool { return s.at[fPID] >= 0 }

// comma reports whether numbers may have decimal commas.
func (s *sheet) comma() bool { return s.sep == ';' || s.sep == '\t' }

var errRow = errors.New("quotes do not enclose whole cells")

// pull reads the row that was fed. A row whose quotes leave a part of it unread
// is an error, and the part must not be taken for the next row.
func (s *sheet) pull() (known, map[string]string, error) {
	v, rest, err := s.table.ReadUnmatched()
	for s.csv.InputOffset() < s.feed.fed {
		err = errRow
		if _, rerr := s.csv.Read(); rerr == io.EOF {
			break
		}
	}
	if err != nil {
		return known{}, nil, err
	}
	k, _ := v.(known) // what NewUnmarshaller was given
	return k, rest, nil
}

// readTyped reads the fields of one row through gocsv.
func (s *sheet) readTyped(text []byte) (known, error) {
	k, _, err := s.pullText(text)
	for f, c := range k.cells() {
		if s.at[f] < 0 {
			*c = ""
		}
	}
	return k, err
}

// pullText reads one row through gocsv.
func (s *sheet) pullText(text []byte) (known, map[string]string, error) {
	if s.sep != spaces {
		s.feed.text(text)
		return s.pull()
	}
	var row []string
	for _, c := range s.split(text, nil) {
		row = append(row, string(c))
	}
	if err := s.feed.cells(row, s.tab); err != nil {
		return known{}, nil, err
	}
	return s.pull()
}

// readQuoted reads a row with quoted cells through gocsv and returns its cells in
// the order of the columns; nil if the row has another number of them.
func (s *sheet) readQuoted(text []byte) ([][]byte, error) {
	k, rest, err := s.pullText(text)
	if err != nil {
		var count *csv.ParseError
		if errors.As(err, &count) && errors.Is(count.Err, csv.ErrFieldCount) {
			return nil, nil
		}
		return nil, err
	}
	out := make([][]byte, len(s.cols))
	for i, c := range s.cols {
		out[i] = bytes.TrimSpace([]byte(rest[c.name]))
	}
	for f, c := range k.cells() {
		if i := s.bound[f]; i >= 0 {
			out[i] = []byte(*c)
		}
	}
	return out, nil
}

// split cuts a row without quoted cells at the separators.
func (s *sheet) split(text []byte, out [][]byte) [][]byte {
	if s.sep == spaces {
		return s.splitSpaces(text, out)
	}
	from := 0
	for i, c := range text {
		if c == s.sep {
			out = append(out, trim(text[from:i]))
			from = i + 1
		}
	}
	return append(out, trim(text[from:]))
}

// splitSpaces cuts a row of dmon or pmon. The last column of pmon is a command,
// which may hold blanks; dcgmi names an entity in two words, "GPU 0".
func (s *sheet) splitSpaces(text []byte, out [][]byte) [][]byte {
	last := s.at[fProcess] == len(s.cols)-1 && len(s.cols) > 1
	for {
		text = bytes.TrimLeft(text, " \t")
		if len(text) == 0 {
			return out
		}
		if last && len(out) == len(s.cols)-1 {
			return append(out, trim(text))
		}
		n := bytes.IndexAny(text, " \t")
		if n < 0 {
			n = len(text)
		}
		if s.form == formDCGM && len(out) == 0 && bytes.HasPrefix(text[:n], []byte("GPU")) && n < len(text) {
			text = text[n:]
			continue
		}
		out = append(out, text[:n])
		text = text[n:]
	}
}

// trim removes blanks around a cell; it is bytes.TrimSpace for the bytes that
// stand there.
func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t' || b[0] == '\r') {
		b = b[1:]
	}
	for n := len(b) - 1; n >= 0 && (b[n] == ' ' || b[n] == '\t' || b[n] == '\r'); n-- {
		b = b[:n]
	}
	return b
}

// mergeProcess puts quotes around a process name that holds separators and has
// none, as --query-compute-apps prints it: the columns before and after the name
// are fixed, so what lies between them is the name. It returns nil if the row
// has no surplus cells or the sheet no such column.
func (s *sheet) mergeProcess(text []byte, cells int) []byte {
	p := s.at[fProcess]
	if p < 0 || cells <= len(s.cols) || s.sep == spaces {
		return nil
	}
	from, to := 0, len(text)
	for range p {
		from += bytes.IndexByte(text[from:], s.sep) + 1
	}
	for range len(s.cols) - 1 - p {
		to = bytes.LastIndexByte(text[:to], s.sep)
	}
	out := append([]byte(nil), text[:from]...)
	out = append(out, '"')
	out = append(out, bytes.ReplaceAll(trim(text[from:to]), []byte(`"`), []byte(`""`))...)
	return append(append(out, '"'), text[to:]...)
}

// insideQuotes reports whether text ends inside a cell that a quote opened.
func (s *sheet) insideQuotes(text []byte) bool {
	if s.sep == spaces {
		return false
	}
	start, inside := true, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inside && c == '"':
			if i+1 < len(text) && text[i+1] == '"' {
				i++
				continue
			}
			rest := trim(text[i+1:])
			inside = len(rest) > 0 && rest[0] != s.sep
		case inside:
		case c == s.sep:
			start = true
		case start && c == '"':
			inside, start = true, false
		case c != ' ':
			start = false
		}
	}
	return inside
}

// feed hands gocsv's csv.Reader one row at a time, so that it never reads ahead.
type feed struct {
	buf bytes.Buffer
	fed int64 // bytes handed over since the beginning
}

func (f *feed) text(row []byte) {
	f.buf.Reset()
	f.buf.Write(row)
	f.buf.WriteByte('\n')
	f.fed += int64(f.buf.Len())
}

func (f *feed) cells(row []string, sep rune) error {
	f.buf.Reset()
	w := csv.NewWriter(&f.buf)
	w.Comma = sep
	if err := w.Write(row); err != nil {
		return fmt.Errorf("writing cells: %w", err)
	}
	w.Flush()
	f.fed += int64(f.buf.Len())
	return w.Error()
}

// Read hands on what was fed.
func (f *feed) Read(p []byte) (int, error) { return f.buf.Read(p) }
