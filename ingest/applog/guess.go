package applog

import (
	"cmp"
	"slices"

	"tracemerge/model"
)

// style is how the stamp of a text record is written, which tells the loggers
// apart.
type style uint8

const (
	styleNone     style = iota
	stylePython         // 2026-03-02 14:05:00,123: Python's logging, and what is built on it
	styleLoguru         // 2026-03-02 14:05:00.123 |
	styleISO            // any other date with the year first, with or without a zone
	styleGlog           // I0302 14:05:00.123456: glog, absl, klog, c10
	styleSyslog         // Mar  2 14:05:00
	styleMonthDay       // 03-02 14:05:00: vLLM
	styleWords          // Mon Mar  2 14:05:00 2026, 2 Mar 2026 14:05:00, 02/Mar/2026:14:05:00
	styleFields         // 03/02/2026 14:05:00, its fields in whatever order
	styleEpoch          // 1772460300.123
	styleDay            // 14:05:00
	styleUptime         // [   12.345678]
	styles
)

// A variant is one way in which a log's records are written, under the name that
// run.yaml declares it by.
type variant struct {
	name  model.Word
	form  form   // of the records; formNone for a variant that only orders the fields of dates
	style style  // for formText
	order orders // for formNone
}

// variants returns the table of variants, the more specific first.
func variants() []variant {
	return []variant{
		{name: model.Lit("log-pattern"), form: formPattern},
		{name: model.Lit("mlperf"), form: formMLPerf},
		{name: model.Lit("json"), form: formJSON},
		{name: model.Lit("csv"), form: formCSV},
		{name: model.Lit("logfmt"), form: formLogfmt},
		{name: model.Lit("glog"), form: formText, style: styleGlog},
		{name: model.Lit("python-logging"), form: formText, style: stylePython},
		{name: model.Lit("loguru"), form: formText, style: styleLoguru},
		{name: model.Lit("iso-8601"), form: formText, style: styleISO},
		{name: model.Lit("epoch"), form: formText, style: styleEpoch},
		{name: model.Lit("syslog"), form: formText, style: styleSyslog},
		{name: model.Lit("month-day"), form: formText, style: styleMonthDay},
		{name: model.Lit("date-in-words"), form: formText, style: styleWords},
		{name: model.Lit("time-of-day"), form: formText, style: styleDay},
		{name: model.Lit("uptime"), form: formText, style: styleUptime},
		{name: model.Lit("month-first"), order: orderMDY},
		{name: model.Lit("day-first"), order: orderDMY},
		{name: model.Lit("year-first"), order: orderYMD},
	}
}

// formWords are the names of the variants, for run.yaml.
func formWords() []model.Word {
	var out []model.Word
	for _, v := range variants() {
		out = append(out, v.name)
	}
	return out
}

// declare makes the reader obey the variant that run.yaml declares for the file:
// only its records begin a record, or only its order of day and month is a date.
func (r *reader) declare(name string) error {
	if name == "" {
		return nil
	}
	for _, v := range variants() {
		if v.name.String() != name {
			continue
		}
		if v.form == formNone {
			r.dates = dateOrder{set: v.order, declared: true}
		} else {
			r.only = v
		}
		return nil
	}
	return model.Refuse("run.yaml declares a format that this reader does not have")
}

// allows reports whether records of that form may begin: all, unless run.yaml
// declares one.
func (r *reader) allows(f form) bool { return r.only.form == formNone || r.only.form == f }

// allowsText reports whether the text record at hand may begin.
func (r *reader) allowsText() bool {
	return r.only.form == formNone || r.only.form == formText && r.only.style == r.entry.stamp.style
}

// evidenceCount is the evidence of the whole file for each of its variants: how many
// records are written so.
type evidenceCount struct {
	byForm  [forms]int64
	byStyle [styles]int64
	byOrder [orderAny + 1]int64 // dates of three numbers, by the orders that they allow
	first   orders              // that were left at the first date which allows several
	unsure  bool                // there is such a date
	changed bool                // and another set was left at a later one
}

// count notes one record.
func (c *evidenceCount) count(f form, e *entry) {
	c.byForm[f]++
	if f == formText {
		c.byStyle[e.stamp.style]++
	}
	s := &e.stamp
	if s.orders == 0 || s.orders == orderNone {
		return
	}
	c.byOrder[s.orders]++
	if s.orders&(s.orders-1) == 0 {
		return
	}
	if !c.unsure {
		c.unsure, c.first = true, s.readAs
	}
	c.changed = c.changed || s.readAs != c.first
}

// misread reports whether dates were read under other orders than those which
// the whole file leaves.
func (c *evidenceCount) misread(left orders) bool {
	return c.unsure && (c.changed || c.first != left)
}

// records is the number of records of any form.
func (c *evidenceCount) records() (n int64) {
	for _, f := range [...]form{formPattern, formMLPerf, formJSON, formCSV, formLogfmt, formText} {
		n += c.byForm[f]
	}
	return n
}

// guess lists the variants that occur, the one with the most records first.
func (c *evidenceCount) guess() []model.Guess {
	var out []model.Guess
	all := c.records()
	for _, v := range variants() {
		var n int64
		switch {
		case v.form == formText:
			n = c.byStyle[v.style]
		case v.form != formNone:
			n = c.byForm[v.form]
		default:
			for set, dates := range c.byOrder {
				if orders(set)&v.order != 0 {
					n += dates
				}
			}
		}
		if n > 0 {
			out = append(out, model.Guess{Form: v.name.String(), Fits: n, Of: all})
		}
	}
	slices.SortStableFunc(out, func(a, b model.Guess) int { return cmp.Compare(b.Fits, a.Fits) })
	return out
}
