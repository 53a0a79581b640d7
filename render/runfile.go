package render

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/render/redact"
)

// questions are what no exported file says, as lines of a run.yaml: prose begins with
// "# ", a key that is commented out with "#".
const questions = `# run.yaml says what the files of this folder cannot. Every key is optional; what is
# missing is reported as not declared, never guessed. Take away the # before a key and
# write what is true.

# What was run, and what is wrong with it?
#name: baseline
#symptom: {kind: pause, text: "a 40 s pause between batches"}
# kind is late_first_result, pause or output_rate_drop.

# With what? Two runs are comparable where these agree.
#temperature: warm
# cold or warm: were caches filled, kernels compiled, data near?
#input: {dataset: corpus-a, location: local}
#application: {name: trainer, version: "1.0"}
#settings: {batch_size: 32, precision: bf16, processes: 1, loader_workers: 4}
#done_when: 1000 accepted outputs
#quality: {metric: reject_rate, value: 0.01, at_most: 0.02}

# What would be good enough, and what do you suspect?
#targets: {deadline_seconds: 7200, accepted_per_minute: 60, gpu_hours: 16}
#hypothesis: {text: "preparation starves the GPU", change: "loader_workers 4 -> 8", rejects_if: "the pause stays"}
`

// RunFile writes a run.yaml for the first run of a report: the questions that its files
// leave open, and what the files need to be placed and read.
func RunFile(w io.Writer, d redact.Document) error {
	f := &draft{doc: d}
	f.text.WriteString(questions)
	sources := slices.DeleteFunc(slices.Clone(d.Report.Runs[0].Sources), func(s report.Source) bool { return s.Kind == model.KindRunFile })
	f.clocks(sources)
	f.unread(sources)
	if _, err := io.WriteString(w, f.text.String()); err != nil {
		return fmt.Errorf("writing run.yaml: %w", err)
	}
	return nil
}

type draft struct {
	doc  redact.Document
	text strings.Builder
}

func (f *draft) line(format string, args ...any) { fmt.Fprintf(&f.text, format+"\n", args...) }

// file is the name of a source as a YAML string; ok is false where a part of it is not
// shown, or is no print: a key with another name would name no file.
func (f *draft) file(s *report.Source) (name string, ok bool) {
	text := f.doc.Text(s.File).String()
	return strconv.Quote(text), strings.Map(printable, text) == text && !strings.Contains(text, "⟨")
}

// clocks names the files whose clocks need a declaration.
func (f *draft) clocks(sources []report.Source) {
	var need []string
	f.line("\n# Clocks. The files of this folder:")
	for i := range sources {
		s := &sources[i]
		name, ok := f.file(s)
		if !ok || !observes(s.Kind) || len(s.Clocks) == 0 {
			continue
		}
		m, kind := s.Clocks[0].Mapping, s.Clocks[0].Domain.Kind
		switch {
		case kind == model.DomainNone:
			f.line("#   %s has no time stamps; record it with time stamps", name)
		case m.Placed && m.Method == model.MethodAbsolute:
			f.line("#   %s states UTC or its zone", name)
		case kind == model.DomainRelative:
			f.line("#   %s counts from an unknown start; an offset leads to seconds since 1970", name)
			need = append(need, name+": {offset: 1777852800s, uncertainty: 5ms}")
		default:
			how := "is not placed without it"
			if m.Placed {
				how = "is placed by " + methodText(m.Method)
			}
			f.line("#   %s has stamps without a zone and %s", name, how)
			need = append(need, name+": {zone: Asia/Seoul}")
		}
	}
	if len(need) > 0 {
		f.line("#clocks: {%s}", strings.Join(need, ", "))
	}
}

// unread names the files that nothing reads, which a pattern may make a log.
func (f *draft) unread(sources []report.Source) {
	first := true
	for i := range sources {
		s := &sources[i]
		name, ok := f.file(s)
		if !ok || s.Kind != model.KindUnknown {
			continue
		}
		if first {
			f.line("\n# Not recognised. If one is a log, say how its lines begin:")
		}
		first = false
		f.line("#   %s", name)
	}
	if !first {
		f.line("#log_patterns: ['^\\[(?P<time>[^\\]]+)\\] (?P<stage>\\w+) (?P<edge>start|end)']")
	}
}
