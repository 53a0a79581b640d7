package smi

import (
	"strings"

	"tracemerge/model"
)

// chooseClock settles which column is the clock, at the first row: a name does not
// always hold what it says. Where another column holds stamps in nvidia-smi's own
// form, those are the times of the query, and the named column is the clock of the
// script around it.
func (r *reader) chooseClock(rec record, cells [][]byte) {
	s := r.sheet
	s.timed = true
	if s.stamp < 0 || s.form == formDmon || s.form == formPmon || smiForm(cells[s.stamp]) {
		return
	}
	for i, c := range cells {
		if i == s.stamp || !smiForm(c) {
			continue
		}
		if _, ok := r.dates.parse(c); !ok {
			continue
		}
		r.notices.Add("smi/header-doubt", model.Note, r.pos(rec), model.Say(
			"column {} holds stamps of nvidia-smi, not what its name says: it is taken as the clock, column {} is not used",
			model.NewText(s.cols[i].name, model.ClassMetric), model.NewText(s.cols[s.stamp].name, model.ClassMetric)))
		s.stamp = i
		s.forget(i)
		clear(r.cache)
		return
	}
}

// forget takes a column out of the identity and the values.
func (s *sheet) forget(col int) {
	for f, i := range s.at {
		if i == col {
			s.at[f] = -1
		}
	}
	drop := func(list []int) []int {
		out := list[:0]
		for _, i := range list {
			if i != col {
				out = append(out, i)
			}
		}
		return out
	}
	s.keys, s.values, s.words = drop(s.keys), drop(s.values), drop(s.words)
}

// stampOf reads the row's clock. A table without one has no clock at all: its rows
// count samples and place nothing.
func (r *reader) stampOf(cells [][]byte) (stamp, bool) {
	s := r.sheet
	switch {
	case s.stamp >= 0 && s.day >= 0:
		r.joined = append(append(append(r.joined[:0], cells[s.day]...), ' '), cells[s.stamp]...)
		return r.dates.parse(r.joined)
	case s.stamp >= 0:
		return r.dates.parse(cells[s.stamp])
	case s.at[fElapsed] >= 0:
		return elapsed(cells[s.at[fElapsed]])
	}
	return stamp{kind: model.DomainNone}, true
}

// badStamp accounts for a row whose time cannot be read. nvidia-smi prints a row of
// nothing but error words when one GPU of several fails.
func (r *reader) badStamp(rec record, cells [][]byte) {
	words := true
	for _, c := range cells {
		_, w := missing(c)
		words = words && w
	}
	if words {
		r.aside("smi/no-identity", rec)
		if len(r.nameless) < placesKept {
			r.nameless = append(r.nameless, place{rec.line, rec.off})
		}
		r.notices.Add("smi/error-row", model.DataLoss, r.pos(rec), model.Say(
			"a row holds error words alone, without time and GPU: the collector failed to read one of the GPUs"))
		return
	}
	r.reject("smi/stamp", rec)
	r.notices.Add("smi/stamp", model.DataLoss, r.pos(rec), model.Say(
		"the time of a row is no date and time that exists: expected YYYY/MM/DD HH:MM:SS.mmm, ISO 8601 or seconds since 1970"))
}

// measure reads the value columns of a row into samples.
func (r *reader) measure(t *track, st stamp, rec record, cells [][]byte) {
	s := r.sheet
	r.readings = r.readings[:0]
	broken := false
	comma := s.comma()
	for _, i := range s.values {
		v := read(cells[i], comma)
		r.readings = append(r.readings, v)
		broken = broken || v.what == holdsMissing && v.why == model.ReadError
	}
	for n, i := range s.values {
		c, v := &s.cols[i], r.readings[n]
		if c.text || v.what == holdsText && !c.decided && c.unit == "" && r.role(c) == model.RoleNone {
			c.text = true
			if v.what != holdsMissing {
				r.word(t, c.name, cells[i], rec)
			}
			continue
		}
		if c.metric == noMetric || !c.decided && c.unit == "" && len(v.unit) > 0 {
			c.metric = r.metricOf(c, v)
		}
		c.decided = c.decided || v.what == holdsNumber
		r.samples.Append(model.ClockTime(st.at), t.ID, c.metric, r.judge(c, v, broken, rec), rec.line, rec.off)
	}
	for _, i := range s.words {
		if c := (cell)(cells[i]).known(); c != "" {
			r.word(t, s.cols[i].name, cells[i], rec)
		}
	}
}

// judge decides whether a reading is a value.
func (r *reader) judge(c *column, v reading, broken bool, rec record) model.Maybe[float64] {
	if v.what == holdsMissing {
		return model.Missing[float64](v.why)
	}
	role := r.role(c)
	share := role == model.RoleGPUBusy || role == model.RoleMemoryBusy
	switch {
	case v.what == holdsText, len(v.unit) > 0 && string(v.unit) != c.unit:
		r.notices.Add("smi/bad-cell", model.DataLoss, r.pos(rec), model.Say(
			"a cell of column {} is no number with the unit of the column: its value is unknown", model.NewText(c.name, model.ClassMetric)))
		return model.Missing[float64](model.ReadError)
	case share && (v.value < 0 || v.value > 100):
		r.notices.Add("smi/no-share", model.DataLoss, r.pos(rec), model.Say(
			"a cell of column {} lies outside 0 to 100 %: its value is unknown", model.NewText(c.name, model.ClassMetric)))
		return model.Missing[float64](model.ReadError)
	case broken && v.value == 0 && strings.HasPrefix(c.name, "memory."):
		// A driver that cannot reach the GPU prints "0 MiB" beside its error words.
		r.notices.Add("smi/zero-beside-error", model.Note, r.pos(rec), model.Say(
			"column {} reads 0 in a row whose other cells report a failure: its value is taken as unknown", model.NewText(c.name, model.ClassMetric)))
		return model.Missing[float64](model.ReadError)
	}
	return model.Known(v.value)
}

func (r *reader) role(c *column) model.Role { return roleOf(c.name, r.sheet.form) }

// word keeps what a column of words says as a fact of the track.
func (r *reader) word(t *track, name string, text []byte, rec record) {
	if t.words[name] == string(text) {
		return
	}
	if t.state(name, string(text), classOf(name)) {
		r.notices.Add("smi/property-changed", model.Info, r.pos(rec), model.Say(
			"column {} changes its value within the file", model.NewText(name, model.ClassMetric)))
	}
}

// metricOf returns the metric of a column. A name with and without its unit (a
// collector restarted with nounits) is one metric; with two units it is two.
func (r *reader) metricOf(c *column, v reading) model.MetricID {
	if c.unit == "" {
		c.unit = string(v.unit)
	}
	name, unit := model.NewText(c.name, model.ClassMetric), model.NewText(c.unit, model.ClassMetric)
	for _, id := range r.metrics[c.name] {
		m := &r.cap.Metrics[id]
		if !m.Unit.Empty() && !unit.Empty() && m.Unit != unit {
			continue
		}
		if m.Unit.Empty() {
			m.Unit = unit
		}
		return m.ID
	}
	id := model.MetricID(len(r.cap.Metrics))
	r.metrics[c.name] = append(r.metrics[c.name], id)
	r.cap.Metrics = append(r.cap.Metrics, model.Metric{ID: id, Name: name, Unit: unit, Role: r.role(c)})
	return id
}
