package render

import (
	"strconv"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// pauseKinds are the kinds of pauses in words.
var pauseKinds = map[string]string{
	"no_stage":    "no stage ran",
	"long_stage":  "a stage ran unusually long",
	"no_progress": "no progress was logged",
	"device_gap":  "no device work was recorded",

	"late_first_result": "the first result came late",
}

// pauses lists the stretches that stand out by the stated rule.
func (p *page) pauses() {
	p.eachRun("pauses", func(v *view) {
		v.say(v.run.PauseRule, "note")
		if len(v.run.Pauses) == 0 {
			v.elem("p", "No stretch stands out by this rule. It does not show that there was none where nothing was observed.", "class", "none")
			return
		}
		v.pauseTable()
		for i := range min(len(v.run.Pauses), pausesInFull) {
			v.pause(i)
		}
		if n := len(v.run.Pauses); n > pausesInFull {
			v.elem("p", "Evidence is shown for the first "+strconv.Itoa(pausesInFull)+" of "+strconv.Itoa(n)+" pauses; the summary JSON has all of them.", "class", "note")
		}
	})
}

// pausesInFull bounds how many pauses are shown with their evidence.
const pausesInFull = 25

func (v *view) pauseTable() {
	var ds []time.Duration
	for _, p := range v.run.Pauses {
		ds = append(ds, p.At.Len())
	}
	s := ScaleFor(ds...)
	at := ScaleFor(time.Second)
	at.decimals = 3
	t := table{caption: "Pauses", headed: true, cols: []column{figure("no."), figure("start, s"), figure("length, " + s.Unit()), words("what stands out"),
		words("stage running"), figure("evidence"), figure("not observed of it")}}
	numbers := make([]int, len(v.run.Pauses))
	for i := range numbers {
		numbers[i] = i
	}
	for _, i := range longest(numbers, func(i int) time.Duration { return v.run.Pauses[i].At.Len() }) {
		p := &v.run.Pauses[i]
		stage := cell{text: "none observed", class: "unk"}
		if p.HasStage {
			stage = cell{text: v.stage(p.Stage), swatch: v.stages.style(p.Stage), own: true}
		}
		t.rows = append(t.rows, []cell{{text: strconv.Itoa(i + 1), exact: strconv.Itoa(i + 1), link: v.pauseLink(i)},
			at.in(time.Duration(p.At.Start - v.plain.Start)), s.in(p.At.Len()), txt(pauseKinds[p.Kind]), stage,
			v.plain.countCell(int64(len(p.Evidence))), v.plain.rangeless(p.UnknownShare, v.plain.Percent)})
	}
	v.longestOnly(len(t.rows), len(v.run.Pauses), "pause")
	v.table(t)
}

// pauseLink is the id of the pause where the page shows its evidence.
func (v *view) pauseLink(i int) string {
	if i >= pausesInFull {
		return ""
	}
	return v.pauseID(i)
}

func (v *view) pauseID(i int) string {
	return "pause-" + strconv.Itoa(v.n+1) + "-" + strconv.Itoa(i+1)
}

func (v *view) pause(i int) {
	p := &v.run.Pauses[i]
	v.start("div", "class", "card", "id", v.pauseID(i))
	v.start("p")
	v.elem("strong", "Pause "+strconv.Itoa(i+1))
	v.text(", " + v.plain.Span(p.At) + " (" + v.plain.Duration(p.At.Len()) + ")")
	v.end("p")
	v.say(p.Why, "")
	v.evidence("Records whose own window overlaps it", p.Evidence)
	if len(p.NotSeen) > 0 {
		v.elem("p", "Not observed during it", "class", "label")
		v.sayAll(p.NotSeen, "notes")
	}
	v.end("div")
	v.line()
}

// evidenceShown bounds a list on the page; the summary JSON has all.
const evidenceShown = 12

// evidence lists observations with their places.
func (v *view) evidence(title string, es []report.Evidence) {
	v.elem("p", title+" ("+strconv.Itoa(len(es))+")", "class", "label")
	if len(es) == 0 {
		v.elem("p", "none", "class", "none")
		return
	}
	v.start("ul", "class", "evidence")
	for i, e := range es {
		if i == evidenceShown {
			v.elem("li", "and "+strconv.Itoa(len(es)-i)+" more; the summary JSON has all of them")
			break
		}
		v.start("li")
		v.text(v.phrase(e.What) + " ")
		if e.At.Source != 0 {
			v.cite(e.At)
		}
		if !e.When.Empty() {
			when := v.plain.Brief(e.When)
			if w := v.halfWidth(e.At.Source); w > 0 && w >= e.When.Len()/100 {
				when += " ± " + briefly(w)
			}
			v.elem("span", " "+when, "class", "when-small")
		} else if e.At.Source != 0 {
			v.elem("span", " "+reason(model.ClockUnplaced), "class", "when-small")
		}
		v.end("li")
	}
	v.end("ul")
}
