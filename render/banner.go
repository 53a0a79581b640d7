package render

import (
	"strings"

	"tracemerge/model"
)

// conditions writes a run's window and the conditions under which it ran; what
// nobody declared stands there as not declared.
func (v *view) conditions() {
	v.start("div", "class", "conditions")
	v.start("p", "class", "when")
	if len(v.rep.Runs) > 1 {
		v.start("strong")
		v.name(runLabel(v.doc, v.run).String())
		v.end("strong")
		v.text(" ")
	}
	v.text(v.windowText())
	v.end("p")
	v.start("dl", "class", "conds")
	for _, c := range v.declared() {
		v.condition(c)
	}
	v.end("dl")
	v.end("div")
	v.line()
}

// windowText is the window in words.
func (v *view) windowText() string {
	w := v.run.Window
	if !w.Known {
		return "window not known (no source has a clock that could give one)"
	}
	t := v.plain.Span(w.At) + " (" + joinWith(", ", v.plain.Duration(w.At.Len()), v.plain.Spoken(w.At.Len())) + ")"
	if !w.UTC {
		t += ", on the clock of one source, which has no known relation to UTC"
	}
	return t
}

// A declaredValue is a condition of the run; empty parts are not declared.
type declaredValue struct {
	name  string
	parts []string
}

// declared are the conditions in the order of the head line.
func (v *view) declared() []declaredValue {
	d := v.run.Declared
	if d == nil {
		d = &model.Declaration{}
	}
	version := v.doc.Field("version", d.AppVersion).String()
	app := v.doc.Field("application", d.AppName).String()
	out := []declaredValue{
		{"input", []string{v.doc.Field("dataset", d.Dataset).String()}},
		{"location", []string{v.doc.Field("location", d.Location).String()}},
		{"application", []string{join(app, version)}},
		{"temperature", []string{temperature(d.Temperature)}},
	}
	var settings []string
	for _, s := range d.Settings {
		key, value := v.doc.Setting(s)
		settings = append(settings, key.String()+" "+value.String())
	}
	out = append(out, declaredValue{"settings", settings})
	return append(out, declaredValue{"done when", []string{v.doc.Field("done_when", d.DoneWhen).String()}})
}

// temperature maps the declared word to one of ours.
func temperature(t string) string {
	switch t {
	case "cold", "warm":
		return t
	}
	return ""
}

func (v *view) condition(c declaredValue) {
	v.start("div")
	v.elem("dt", c.name)
	v.start("dd")
	if strings.Join(c.parts, "") == "" {
		v.notDeclared()
	}
	for i, p := range c.parts {
		if p == "" {
			continue
		}
		if i > 0 {
			v.text(", ")
		}
		v.name(p)
	}
	v.end("dd")
	v.end("div")
}

func (p *page) notDeclared() { p.elem("i", "not declared", "class", "nd") }
