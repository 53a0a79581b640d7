package applog

import (
	"bytes"

	"tracemerge/model"
)

// mlperf finds the marker of an MLPerf record, which may stand behind text of
// another writer: 80 of 1,776 logs of MLPerf v1.1 have it in mid-line.
var mlperf = []byte(":::ML")

// readMLPerf reads ":::MLLOG {json}" and the form of 2018, ":::MLPv0.5.0 model
// 1541635591.129 (file:line) key: value". b begins with the marker. contradicts
// is true where key and event_type name opposite edges.
func (e *entry) readMLPerf(b []byte) (ok, contradicts bool) {
	if rest, found := bytes.CutPrefix(b, []byte(":::MLLOG ")); found {
		rest = bytes.TrimLeft(rest, " ")
		if len(rest) == 0 || rest[0] != '{' {
			return false, false
		}
		m := mllog{entry: e}
		if _, ok := scanObject(rest, &m); !ok {
			return false, false
		}
		return true, m.settle()
	}
	rest, found := bytes.CutPrefix(b, []byte(":::MLPv0.5.0 "))
	if !found {
		return false, false
	}
	_, rest, _ = bytes.Cut(rest, []byte{' '})
	text, rest, _ := bytes.Cut(rest, []byte{' '})
	s, ok := epochStamp(text, unitSeconds)
	if !ok {
		return false, false
	}
	e.stamp, e.timed = s, true
	if i := bytes.Index(rest, []byte(") ")); i >= 0 {
		rest = rest[i+2:]
	}
	key, _, _ := bytes.Cut(rest, []byte{':'})
	e.stage, e.edge = keyEdge(bytes.TrimSpace(key))
	if e.edge == model.EdgeNone {
		e.stage = nil
	}
	return true, false
}

// mllog reads the members of an MLLOG object.
type mllog struct {
	*entry
	key   []byte
	event string
}

func (m *mllog) field(key []byte, v value) {
	switch string(key) {
	case "time_ms":
		if s, ok := epochStamp(v.text, unitMillis); ok && v.kind == valueNumber {
			m.stamp, m.timed = s, true
		}
	case "key":
		m.key = v.plain()
	case "event_type":
		m.event = string(v.text)
	case "metadata":
		if v.kind == valueNested && v.text[0] == '{' {
			scanObject(v.text, metadata{m.entry})
		}
	}
}

// metadata takes the step out of an MLLOG record's metadata; all else there
// (file, lineno, samples_count) describes the benchmark, not the run's progress.
type metadata struct{ *entry }

func (m metadata) field(key []byte, v value) {
	if string(key) == "step_num" || string(key) == "step" {
		m.count(meansStep, v)
	}
}

// settle makes the stage and edge. The key decides where it names an edge: files
// in which event_type says otherwise are common (140 of 1,776 in v1.1), and the
// key is what the compliance checker pairs by.
func (m *mllog) settle() (contradicts bool) {
	stage, edge := keyEdge(m.key)
	byType := model.EdgeNone
	switch m.event {
	case "INTERVAL_START":
		byType = model.EdgeStart
	case "INTERVAL_END":
		byType = model.EdgeEnd
	}
	if edge == model.EdgeNone {
		if byType == model.EdgeNone {
			return false
		}
		m.stage, m.edge = m.key, byType
		return false
	}
	m.stage, m.edge = stage, edge
	return m.event != "" && byType != edge
}

// keyEdge splits "init_start" into the stage and its edge.
func keyEdge(key []byte) ([]byte, model.Edge) {
	for _, s := range [...]struct {
		suffix string
		edge   model.Edge
	}{{"_start", model.EdgeStart}, {"_stop", model.EdgeEnd}, {"_end", model.EdgeEnd}} {
		if n := len(key) - len(s.suffix); n > 0 && string(key[n:]) == s.suffix {
			return key[:n], s.edge
		}
	}
	return key, model.EdgeNone
}
