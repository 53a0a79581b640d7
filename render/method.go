package render

import (
	"strconv"
	"strings"

	"tracemerge/model"
	"tracemerge/model/report"
)

// method says how the page came to be: definitions, rules, thresholds,
// assumptions, redaction, inventory.
func (p *page) method() {
	p.elem("p", "Made by tracemerge "+p.opt.version()+".")
	if len(p.rep.Runs) > 0 {
		p.view(0).say(p.rep.Options.Command, "command")
	}
	p.start("ul", "class", "notes")
	p.elem("li", "A run folder is one run: its files are taken to have been recorded during the same run.")
	p.elem("li", "Intervals are half-open, from their start up to but without their end; times are whole nanoseconds. On this page they are rounded for reading, and the exact value stands in the tooltip of a figure, in copies of a table, and in the summary JSON.")
	if p.script.charts == "" {
		p.elem("li", "This page was built without the chart script. It is complete without it: every picture on it is drawn in the page itself.")
	} else {
		p.elem("li", "Interactive charts are drawn by Apache ECharts, which stands in the page; nothing is fetched.")
	}
	if p.opt.Relative {
		p.elem("li", "Absolute dates and times are left out; instants are seconds from the window's start.")
	}
	p.end("ul")
	p.definitionsTable()
	p.conventions()
	p.redaction()
	p.eachRun("method", func(v *view) {
		v.inventory()
		v.problems()
		v.stageRules()
		v.thresholds()
		v.traceOptions()
	})
}

// figureDefinitions are the meaning of every figure that has no definition
// beside its picture: what it shows, and what it does not.
var figureDefinitions = [][3]string{
	{"time of a stage", "Length of the union of its intervals inside the window.", "It does not say how many of its intervals ran at once."},
	{"alone", "The part of it in which no other stage ran.", "It does not say that nothing else ran that no source shows."},
	{"share", "Time of the stage divided by the length of the window.", "Shares add up to more than 100 % where stages overlap."},
	{"unattributed", "Time that was observed and in which no stage ran.", "It does not say that the program was idle."},
	{"not observed", "Time in which no source was looking, with a reason.", "It says nothing about what happened there."},
	{"GPU share", "Share of the window in which the stage GPU compute ran.", "It does not predict what a sampling tool will show."},
	{"share of the window with a kernel", "Bounds from the samples, the lower one as if nothing ran where nothing was observed.", "It does not say how much of the device was used, nor whether the work was useful."},
	{"lighter part of a sample", "Time that may or may not belong to what the sample measured: the source does not say when it last renewed its value.", "It does not say that the value held there."},
	{"busy of a trace device", "Union of kernels, copies and fills over all streams.", "It does not count annotations, and says nothing outside the trace."},
	{"idle of a trace device", "From the first to the last device record, minus busy.", "It does not say what the device waited for."},
	{"gap of a trace device", "A stretch of the trace's window in which no stream of the device had a record.", "It does not say that the device was free: the recorder drops records, most at the window's edges."},
	{"waiting in a collective, at least", "What a rank's kernel took beyond the shortest kernel of the same call on any rank.", "It holds if no rank's own transfer took longer than that shortest kernel, and does not say what made a rank late."},
	{"communication under other kernels", "Time in which a communication kernel and another kernel ran on the same device.", "It does not say that the overlap saved time."},
	{"total of a scenario", "Bounds on the window's length if the stages took the given factor of their time.", "It is not a forecast, and says nothing about cost."},
	{"limit of the speed-up", "Speed-up if the changed stages took no time at all.", "It does not say that this can be reached."},
	{"clock uncertainty", "How far the true instant may lie to either side, from the evidence for the offset.", "It does not include errors of the source's own stamps."},
	{"evidence", "A record whose own observation window overlaps the interval it speaks for.", "It does not show a cause."},
}

func (p *page) definitionsTable() {
	v := &view{page: p}
	t := table{caption: "Definitions", headed: true, cols: []column{words("figure"), words("what it shows"), words("what it does not")}}
	for _, d := range figureDefinitions {
		t.rows = append(t.rows, []cell{txt(d[0]), {text: d[1], class: "wide"}, {text: d[2], class: "wide"}})
	}
	v.table(t)
}

// conventions are the built-in names by which kernels and log lines are sorted.
func (p *page) conventions() {
	v := &view{page: p}
	rules := table{caption: "Communication kernels: a kernel whose name holds one of these, in upper or lower case", headed: true,
		cols: []column{words("name holds"), words("where the naming comes from")}}
	for _, r := range p.rep.Options.CommRules {
		rules.rows = append(rules.rows, []cell{txt(r.Pattern), {text: r.Source, class: "wide"}})
	}
	if len(rules.rows) > 0 {
		p.fold("Names of communication kernels (" + plural(len(rules.rows), "rule") + ")")
		p.elem("p", "A convention of names with holes: a communication kernel under another name counts as computation.", "class", "note")
		v.table(rules)
		p.foldEnd()
	}
	stages := table{caption: "Built-in words for stages, without regard to case, spaces, hyphens, underscores and dots", headed: true,
		cols: []column{words("stage"), words("words")}}
	for _, s := range p.rep.Options.StageWords {
		if len(s.Words) > 0 {
			stages.rows = append(stages.rows, []cell{{text: p.stage(s.Stage), swatch: p.stages.style(s.Stage)}, {text: strings.Join(s.Words, ", "), class: "wide"}})
		}
	}
	if len(stages.rows) > 0 {
		p.fold("Words for the built-in stages")
		p.elem("p", "They are compared with the whole name of a stage in a log. Any other name stays the user's own stage; rules in run.yaml come first.", "class", "note")
		v.table(stages)
		p.foldEnd()
	}
}

func (p *page) redaction() {
	excerpts, withheld := p.doc.Withheld()
	var parts []string
	for _, c := range p.doc.Counts() {
		parts = append(parts, c.Kind+" "+strconv.Itoa(c.N))
	}
	text := "Redaction: "
	if len(parts) == 0 {
		text += "nothing was replaced"
	} else {
		text += "replaced by placeholders, different originals by kind: " + strings.Join(parts, ", ")
	}
	p.elem("p", text+". "+plural(excerpts, "excerpt")+", of which "+plural(withheld, "line")+" show nothing but placeholders.", "class", "note")
}

// inventory accounts for every record of every file.
func (v *view) inventory() {
	t := table{caption: "Files: records read = used + set aside + rejected", headed: true, cols: []column{words("file"), words("kind"), words("form"), figure("on disk"),
		figure("read"), figure("used"), figure("set aside"), figure("rejected"), words("reasons"), words("state")}}
	for i := range v.run.Sources {
		s := &v.run.Sources[i]
		row := []cell{file(v.source(s.ID)), txt(kindName(s.Kind)), txt(s.Form), {text: v.plain.Bytes(s.Bytes), exact: strconv.FormatInt(s.Bytes, 10), unit: "B"}}
		if s.Capture == nil {
			why := none("not read")
			row = append(row, why, why, why, why, cell{text: v.phrase(s.Why), class: "wide"}, txt("not recognised"))
			t.rows = append(t.rows, row)
			continue
		}
		a := s.Capture.Account
		row = append(row, v.plain.countCell(a.Read), v.plain.countCell(a.Used), v.plain.countCell(model.Sum(a.SetAside)), v.plain.countCell(model.Sum(a.Rejected)),
			v.tallies(s, a), txt(fileState(s)))
		t.rows = append(t.rows, row)
	}
	v.heading("Inventory")
	if len(t.rows) == 0 {
		v.elem("p", "The run folder holds no file.", "class", "none")
	}
	v.table(t)
}

func fileState(s *report.Source) string {
	switch {
	case s.Kind == model.KindUnknown:
		return "not recognised"
	case s.Capture.Err != nil:
		return "could not be read further"
	case s.Capture.Truncated:
		return "cut off"
	case !s.Placed && observes(s.Kind):
		return "clock not placed"
	}
	return "read"
}

// tallies are the reasons why records were set aside or rejected, with the first
// place of each.
func (v *view) tallies(s *report.Source, a model.Account) cell {
	var parts []string
	c := cell{class: "wide"}
	for _, g := range []struct {
		name string
		ts   []model.Tally
	}{{"set aside", a.SetAside}, {"rejected", a.Rejected}} {
		for _, t := range g.ts {
			parts = append(parts, g.name+" "+t.Code+" "+v.plain.Count(t.N))
			if t.First.Source != 0 && g.name == "rejected" {
				c.places = append(c.places, t.First)
			}
		}
	}
	if !s.Why.Empty() {
		parts = append(parts, v.phrase(s.Why))
	}
	c.text = strings.Join(parts, "; ")
	return c
}

var severityWords = [...]string{"for information", "note", "data lost", "failure"}

func severity(s model.Severity) string {
	if int(s) < len(severityWords) {
		return severityWords[s]
	}
	return "note"
}

// problems lists the notices of the run and of its files.
func (v *view) problems() {
	t := table{caption: "Notices", headed: true, cols: []column{words("code"), words("severity"), figure("count"), words("text"), words("first places")}}
	add := func(ns []model.Notice) {
		for _, n := range ns {
			t.rows = append(t.rows, []cell{txt(n.Code), txt(severity(n.Severity)), v.plain.countCell(n.N), {text: v.phrase(n.Text), class: "wide"}, {places: places(n.At...)}})
		}
	}
	add(v.run.Notices)
	for i := range v.run.Sources {
		if c := v.run.Sources[i].Capture; c != nil {
			add(c.Notices)
		}
	}
	if len(t.rows) == 0 {
		v.elem("p", "No notice about any file.", "class", "none")
		return
	}
	v.heading("Notices")
	v.table(t)
}

// stageRules lists the declared rules; the first that matches wins, before the
// built-in ones.
func (v *view) stageRules() {
	d := v.run.Declared
	if d == nil || len(d.Stages) == 0 {
		return
	}
	v.heading("Stage rules")
	t := table{caption: "Declared stage rules, the first match wins, before the built-in ones", headed: true,
		cols: []column{words("stage"), words("in"), words("field"), words("matches"), words("declared at")}}
	for _, r := range d.Stages {
		in := "any source"
		if r.Source != "" {
			in = kindName(r.Source)
		}
		what, field := model.Text{Raw: r.Name, Class: model.ClassFree}, r.Field
		if r.Name.Empty() {
			what = model.Text{Raw: r.Value, Class: model.ClassFree}
		}
		if field == "" {
			field = "name"
		} else {
			field = v.shown(model.NewText(field, model.ClassSetting))
		}
		t.rows = append(t.rows, []cell{{text: v.stage(r.Stage), own: true}, txt(in), file(field), file(v.shown(what)), {places: places(r.From)}})
	}
	v.table(t)
}

// thresholds repeats each threshold once, with its origin.
func (v *view) thresholds() {
	var all []model.Phrase
	seen := map[string]bool{}
	add := func(ph model.Phrase) {
		if t := v.phrase(ph); t != "" && !seen[t] {
			seen[t] = true
			all = append(all, ph)
		}
	}
	add(v.run.PauseRule)
	for _, h := range v.run.Hypotheses {
		for _, t := range h.Threshold {
			add(t)
		}
	}
	for _, a := range v.run.WhatIf.Assumes {
		add(a)
	}
	if len(all) == 0 {
		return
	}
	v.heading("Thresholds and assumptions")
	v.sayAll(all, "notes")
}

// traceOptions lists what the profiler was told to record.
func (v *view) traceOptions() {
	t := table{caption: "Profiler traces", headed: true, cols: []column{words("trace"), figure("events"), words("rank"), words("of"), words("format"),
		words("stacks"), words("shapes"), words("memory"), figure("Python frames"), figure("memory records")}}
	for i := range v.run.Sources {
		s := &v.run.Sources[i]
		if s.Trace == nil || s.Trace.Facts == nil {
			continue
		}
		f := s.Trace.Facts
		rank := v.plain.intText(f.Rank)
		if f.FromName.Rank {
			rank += " (from the file's name)"
		}
		t.rows = append(t.rows, []cell{file(v.source(s.ID)), v.plain.countCell(f.Events), txt(rank), txt(v.plain.intText(f.WorldSize)),
			file(v.shown(model.NewText(f.Schema, model.ClassVersion))), txt(option(f.WithStack)), txt(option(f.RecordShapes)), txt(option(f.ProfileMemory)),
			v.plain.countCell(f.PythonFrames), v.plain.countCell(f.MemoryRecords)})
	}
	if len(t.rows) > 0 {
		v.heading("Profiler traces")
		v.elem("p", "Recording shapes, stacks or memory lengthens host work and the gaps between kernels, kernels hardly; a trace's total time is not the program's usual time. Files that do not state an option may still hold what it records.", "class", "note")
		v.table(t)
	}
}
