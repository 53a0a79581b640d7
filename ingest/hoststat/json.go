package hoststat

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"tracemerge/model"
)

// looksJSON reports whether the text begins as sysstat's JSON does: {"sysstat": {.
func looksJSON(head []byte) bool {
	t := bytes.TrimSpace(head)
	rest, ok := bytes.CutPrefix(t, []byte("{"))
	return ok && bytes.HasPrefix(bytes.TrimSpace(rest), []byte(`"sysstat"`))
}

// json reads iostat -o JSON and sadf -j: hosts with a list of statistics, which are
// read one by one.
func (r *reader) json(ctx context.Context, in io.Reader) error {
	dec := json.NewDecoder(in)
	dec.UseNumber()
	depth := 0
	for n := 0; ; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		tok, err := dec.Token()
		switch {
		case errors.Is(err, io.EOF):
			if depth > 0 {
				r.cut(dec.InputOffset())
			}
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			r.cut(dec.InputOffset())
			return nil
		case err != nil:
			r.reject("hoststat/json", record{off: dec.InputOffset()}, model.Say("the JSON could not be read further; what stands before it is used"))
			return nil
		}
		switch t := tok.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				depth++
			} else {
				depth--
			}
		case string:
			if t == "nodename" {
				var name string
				if dec.Decode(&name) == nil {
					r.tracks.host = name
				}
				r.reports = 0
				continue
			}
			if t == "date" || t == "file-date" {
				var text string
				if dec.Decode(&text) == nil {
					if d, ok := dateOf(text, false); ok {
						r.clock.banner(d)
					}
				}
				continue
			}
			if t == "statistics" {
				if err := r.statistics(ctx, dec); err != nil {
					return err
				}
			}
		}
	}
}

func (r *reader) cut(at int64) {
	r.cap.Truncated = true
	r.notices.Add("hoststat/cut", model.DataLoss, model.Pos{Source: r.src, Offset: at}, model.Say("the file is cut off; what stands before is used"))
}

// statistics reads the list of one host.
func (r *reader) statistics(ctx context.Context, dec *json.Decoder) error {
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return nil
	}
	for dec.More() {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := dec.InputOffset()
		var s map[string]any
		if err := dec.Decode(&s); err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				r.cut(at)
				return nil
			}
			r.reject("hoststat/json", record{off: at}, model.Say("a report could not be read"))
			return nil
		}
		r.statistic(s, record{off: at, ended: true})
	}
	_, _ = dec.Token() // the closing bracket: a cut file is told by the caller
	return nil
}

// statistic is one report: its time and tables by name.
func (r *reader) statistic(s map[string]any, rec record) {
	r.boot = false
	st := stamp{}
	switch t := s["timestamp"].(type) {
	case string: // iostat: the first report counts from the start of the host
		r.report()
		if x, d, ok := lineStamp(t); ok {
			st = x
			if x.kind == model.DomainDay {
				st = r.clock.dated(x.at, d)
			}
		}
	case map[string]any: // sadf
		text := fmt.Sprint(t["date"], " ", t["time"])
		if fmt.Sprint(t["utc"]) == "1" {
			text += " UTC"
		}
		if x, ok := cellStamp(text); ok {
			st = x
		}
	default:
		r.report()
	}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if name != "timestamp" {
			r.jsonTable(name, s[name], st, rec)
		}
	}
}

// jsonTables are the tables that are read and what their rows are about.
var jsonTables = map[string]struct {
	about about
	names []string // keys that name what a row is about
}{
	"avg-cpu": {aboutHost, nil}, "cpu-load": {aboutCPU, []string{"cpu"}}, "disk": {aboutDisk, []string{"disk_device", "disk-device"}}, "memory": {aboutHost, nil}, "io": {aboutHost, nil},
}

func (r *reader) jsonTable(name string, v any, st stamp, rec record) {
	def, ok := jsonTables[name]
	if !ok {
		r.aside("hoststat/json-table", rec)
		return
	}
	rows, isList := v.([]any)
	if !isList {
		rows = []any{v}
	}
	for _, row := range rows {
		m, ok := row.(map[string]any)
		if !ok {
			r.reject("hoststat/json", rec, model.Say("a table of a report has no rows"))
			continue
		}
		h := &heading{tool: toolJSON, when: timeCell, about: def.about}
		var cells []string
		for _, k := range slices.Sorted(maps.Keys(m)) {
			n, isNumber := m[k].(json.Number)
			text := fmt.Sprint(m[k])
			if isNumber {
				text = n.String()
			}
			if !isNumber && !slices.Contains(def.names, k) {
				continue
			}
			h.cols, cells = append(h.cols, k), append(cells, text)
		}
		h.find()
		h.entity = slices.IndexFunc(h.cols, func(c string) bool { return slices.Contains(def.names, c) })
		if def.about != aboutHost && h.entity < 0 {
			r.reject("hoststat/json", rec, model.Say("a row of a report does not name what it is about"))
			continue
		}
		r.heading = h
		r.measure(rec, st, cells)
	}
}
