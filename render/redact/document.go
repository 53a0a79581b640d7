package redact

import (
	"reflect"
	"strings"

	"tracemerge/model"
	"tracemerge/model/report"
)

// Document makes a report renderable. It redacts every text of the report once,
// in the order of the report's fields, so that the numbers of the placeholders
// and the counts depend neither on the renderer nor on how many outputs there are.
func (r *Redactor) Document(rep *report.Report) Document {
	d := Document{Redactor: r, Report: rep}
	w := walker{d: d, holds: map[reflect.Type]bool{}}
	for i := range rep.Runs {
		for _, s := range rep.Runs[i].Sources {
			r.Text(s.File)
		}
	}
	for i := range rep.Runs {
		w.run = i
		w.walk(reflect.ValueOf(&rep.Runs[i]).Elem())
	}
	for _, list := range [][]report.Comparison{rep.Comparisons, rep.Previous} {
		for i := range list {
			w.run = list[i].Candidate
			w.walk(reflect.ValueOf(&list[i]).Elem())
		}
	}
	w.run = 0
	w.walk(reflect.ValueOf(rep.Options))
	for i := range rep.Excerpts {
		e := &rep.Excerpts[i]
		w.run = e.Run
		w.walk(reflect.ValueOf(e).Elem())
		d.excerpts++
		for line := range strings.SplitSeq(r.text(e.Text).s, "\n") {
			if !showsAnything(line) {
				d.withheld++
			}
		}
	}
	return d
}

// files names the sources of a run.
func (d Document) files(run int) Files {
	if run < 0 || run >= len(d.Report.Runs) {
		return nil
	}
	sources := d.Report.Runs[run].Sources
	return func(id model.SourceID) model.Text {
		if i := int(id) - 1; i >= 0 && i < len(sources) && sources[i].ID == id {
			return sources[i].File
		}
		for i := range sources {
			if sources[i].ID == id {
				return sources[i].File
			}
		}
		return model.Text{}
	}
}

// A walker redacts every text below a value.
type walker struct {
	d     Document
	run   int
	holds map[reflect.Type]bool // whether values of the type can hold text
}

var (
	textType    = reflect.TypeFor[model.Text]()
	phraseType  = reflect.TypeFor[model.Phrase]()
	stageType   = reflect.TypeFor[model.StageID]()
	settingType = reflect.TypeFor[model.Setting]()
)

// fieldNames are the fields of a report that redact.show may name, by the key of
// run.yaml. Renderers pass the same names to Field.
var fieldNames = map[reflect.Type]map[string]string{
	reflect.TypeFor[report.Run](): {"Label": "name"},
	reflect.TypeFor[model.Declaration](): {"Name": "name", "SymptomText": "symptom", "Dataset": "dataset", "Location": "location",
		"AppName": "application", "AppVersion": "version", "DoneWhen": "done_when"},
	reflect.TypeFor[model.Quality]():            {"Metric": "quality"},
	reflect.TypeFor[model.DeclaredHypothesis](): {"Text": "hypothesis", "Change": "change", "RejectsIf": "rejects_if"},
	reflect.TypeFor[model.DeclaredResult]():     {"Text": "result", "Excluded": "excluded", "NextObservation": "next_observation"},
}

func (w *walker) walk(v reflect.Value) { w.walkField(v, "") }

// walkField redacts a value that a field of the name holds.
func (w *walker) walkField(v reflect.Value, name string) {
	if !w.mayHold(v.Type()) {
		return
	}
	switch v.Type() {
	case textType:
		w.d.field(name, v.Interface().(model.Text))
		return
	case phraseType:
		w.d.Phrase(w.run, v.Interface().(model.Phrase))
		return
	case stageType:
		w.d.Stage(v.Interface().(model.StageID))
		return
	case settingType:
		w.d.Setting(v.Interface().(model.Setting))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			w.walkField(v.Elem(), name)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			w.walkField(v.Index(i), name)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				w.walkField(v.Field(i), fieldNames[v.Type()][f.Name])
			}
		}
	}
}

// mayHold reports whether a value of the type can hold text. A type that
// contains itself is taken not to while it is looked at, which is right: it holds
// text only if another of its fields does.
func (w *walker) mayHold(t reflect.Type) bool {
	switch t {
	case textType, phraseType, stageType:
		return true
	}
	if h, ok := w.holds[t]; ok {
		return h
	}
	w.holds[t] = false
	h := false
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		h = w.mayHold(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && w.mayHold(f.Type) {
				h = true
			}
		}
	}
	w.holds[t] = h
	return h
}
