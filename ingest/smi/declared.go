package smi

import (
	"slices"
	"strings"

	"tracemerge/ingest"
	"tracemerge/model"
)

// formWords are the variants as run.yaml may declare them and Source.Guess names them.
var formWords = [...]model.Word{
	formQuery: model.Lit("query-gpu"), formApps: model.Lit("compute-apps"), formDmon: model.Lit("dmon"), formPmon: model.Lit("pmon"),
	formDCGM: model.Lit("dcgmi-dmon"), formOwn: model.Lit("own-header"), formTable: model.Lit("printed-table"),
	formUnnamed: model.Lit("no-header"), formFree: model.Lit("free-memory"),
	formReport: model.Lit("query-text"), formXML: model.Lit("query-xml"),
}

// declare makes the reader obey run.yaml: only rows of the declared variant count, or
// the columns are those that it names.
func (r *reader) declare(text string) error {
	if text == "" {
		return nil
	}
	if names, ok := strings.CutPrefix(text, ingest.ColumnsWord); ok {
		return r.columns(names)
	}
	k := slices.IndexFunc(formWords[:], func(w model.Word) bool { return w.String() == text })
	if k < 0 {
		return model.Refuse("the variant that run.yaml declares for the file is none of an nvidia-smi log")
	}
	only := form(k)
	r.only = &only
	return nil
}

// columns begins a sheet with the declared names, as if they stood in the first line.
func (r *reader) columns(names string) error {
	f := formQuery
	for _, c := range strings.Split(names, ",") {
		name, _ := nameAndUnit(strings.TrimSpace(c))
		if !nameShaped([]byte(name)) {
			return model.Refuse("the columns that run.yaml declares for the file: expected names with commas between them, such as timestamp, index, utilization.gpu [%]")
		}
		if name == "pid" {
			f = formApps
		}
	}
	made, ok := r.make(f, names)
	if !ok {
		return model.Refuse("the columns that run.yaml declares for the file cannot be used")
	}
	r.sheet, r.heading, r.cap.Source.Form, r.declared = made.sheet, made.heading, formText[f]+", columns as declared", true
	return nil
}

// guess lists the variants whose rows the file holds, the most frequent first.
func (r *reader) guess() (out []model.Guess) {
	var all int64
	for _, n := range r.fits {
		all += n
	}
	for f, n := range r.fits {
		if n > 0 {
			out = append(out, model.Guess{Form: formWords[f].String(), Fits: n, Of: all})
		}
	}
	slices.SortStableFunc(out, func(a, b model.Guess) int { return int(b.Fits - a.Fits) })
	return out
}
