package smi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"tracemerge/model"
)

// looksGpustat reports whether the text begins as gpustat --json does: an object
// with the host's name, the time of the query and a list of GPUs.
func looksGpustat(head []byte) bool {
	t := bytes.TrimSpace(head)
	return bytes.HasPrefix(t, []byte("{")) && bytes.Contains(t, []byte(`"query_time"`)) && bytes.Contains(t, []byte(`"gpus"`))
}

// snapshot is one object that gpustat --json prints. Its GPUs are objects whose keys
// are nvidia-smi's names of fields.
type snapshot struct {
	Time string                       `json:"query_time"`
	GPUs []map[string]json.RawMessage `json:"gpus"`
}

// gpustat reads objects one after the other, as a loop appends them. Each GPU of an
// object is a record, read as a row of a table with its keys as columns.
func (r *reader) gpustat(ctx context.Context, in io.Reader) error {
	lines := &newlines{}
	dec := json.NewDecoder(io.TeeReader(in, lines))
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		dec.More() // passes the blanks before the next object
		rec := record{off: dec.InputOffset(), ended: true}
		rec.line = lines.at(rec.off)
		var s snapshot
		err := dec.Decode(&s)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			r.cap.Account.Read++
			r.cap.Truncated = true
			r.aside("smi/cut-last-line", rec)
			r.notices.Add("smi/cut-last-line", model.DataLoss, r.pos(rec), model.Say("the last object of the file is cut off and was set aside"))
			return nil
		case err != nil:
			r.cap.Account.Read++
			r.reject("smi/json", rec)
			r.notices.Add("smi/json", model.DataLoss, r.pos(rec), model.Say("an object is no JSON: it and what follows it are not read"))
			return nil
		}
		for _, gpu := range s.GPUs {
			r.snapshotRow(s.Time, gpu, rec)
		}
	}
}

// newlines counts the lines of what passes by. It keeps the places of those that the
// decoder has read ahead.
type newlines struct {
	ahead []int64
	seen  int64 // bytes
	line  int32 // of the last place asked for, from 0
}

// Write takes the next bytes; it never fails.
func (n *newlines) Write(b []byte) (int, error) {
	for i, c := range b {
		if c == '\n' {
			n.ahead = append(n.ahead, n.seen+int64(i))
		}
	}
	n.seen += int64(len(b))
	return len(b), nil
}

// at is the line of a byte, from 1; bytes are asked for in rising order.
func (n *newlines) at(off int64) int32 {
	k := 0
	for k < len(n.ahead) && n.ahead[k] < off {
		k++
	}
	n.ahead = n.ahead[k:]
	n.line += int32(k)
	return n.line + 1
}

// snapshotRow writes one GPU as a header and a row, and has them read.
func (r *reader) snapshotRow(when string, gpu map[string]json.RawMessage, rec record) {
	header, row := []string{"timestamp"}, []string{quoted(when)}
	for _, k := range slices.Sorted(maps.Keys(gpu)) {
		if k == "processes" || strings.ContainsAny(k, ",;\t\"\r\n") {
			continue // a list; its processes have no field of their own
		}
		header, row = append(header, k), append(row, jsonCell(gpu[k]))
	}
	if h := strings.Join(header, ","); r.sheet == nil || r.sheet.header != h {
		rec.text = []byte(h)
		if !r.takeHeader(rec, rec.text) {
			r.cap.Account.Read++
			r.reject("smi/header", rec)
			return
		}
	}
	r.cap.Source.Form = "gpustat json"
	rec.text = []byte(strings.Join(row, ","))
	r.cap.Account.Read++
	r.row(rec, rec.text)
}

// jsonCell writes a JSON value as a cell: null is no value.
func jsonCell(v json.RawMessage) string {
	var text string
	switch {
	case string(v) == "null":
		return "[N/A]"
	case json.Unmarshal(v, &text) == nil:
		return quoted(text)
	}
	return quoted(string(v))
}

// quoted encloses a cell that holds a separator in quotes.
func quoted(s string) string {
	if !strings.ContainsAny(s, ",\"\r\n") {
		return s
	}
	return `"` + strings.ReplaceAll(strings.NewReplacer("\r", " ", "\n", " ").Replace(s), `"`, `""`) + `"`
}
