package redact

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tracemerge/model"
)

// stageWords are the built-in stages for a reader.
var stageWords = map[string]string{
	"file_open":       "file open",
	"cpu_preparation": "CPU preparation",
	"transfer":        "transfer",
	"gpu_compute":     "GPU compute",
	"communication":   "communication",
	"write":           "write",
	"verification":    "verification",
	"other":           "other",
}

// Stage writes a stage in words: a built-in one in ours, the user's own as far as
// it may be shown.
func (r *Redactor) Stage(s model.StageID) Shown {
	if b := s.Builtin(); b != "" {
		return Shown{r.own(stageWords[b])}
	}
	return r.Text(s.Own())
}

// StageCode writes the identifier of a built-in stage, untranslated; the user's
// own stage like Stage.
func (r *Redactor) StageCode(s model.StageID) Shown {
	if b := s.Builtin(); b != "" {
		return Shown{b}
	}
	return r.Text(s.Own())
}

// Phrase writes a sentence.
func (r *Redactor) Phrase(p model.Phrase, files Files) Shown {
	format, args := p.Format()
	if format == "" {
		return Shown{}
	}
	format = r.own(format)
	var b strings.Builder
	next := 0
	for format != "" {
		i := strings.IndexByte(format, '{')
		if i < 0 {
			break
		}
		b.WriteString(format[:i])
		format = format[i:]
		end := strings.IndexByte(format, '}')
		n, verb := argument(format, end, &next)
		if !verb || n >= len(args) {
			b.WriteByte('{')
			format = format[1:]
			continue
		}
		b.WriteString(r.argument(args[n], files))
		format = format[end+1:]
	}
	b.WriteString(format)
	return Shown{b.String()}
}

// argument reads the verb at the beginning of a format: {} takes the next
// argument, {3} the third.
func argument(format string, end int, next *int) (n int, ok bool) {
	if end == 1 {
		n = *next
		*next++
		return n, true
	}
	if end < 0 || end > 3 {
		return 0, false
	}
	n, err := strconv.Atoi(format[1:end])
	return n - 1, err == nil && n > 0
}

// argument writes one typed argument. The types are those of model.Say.
func (r *Redactor) argument(a any, files Files) string {
	switch v := a.(type) {
	case model.Text:
		return r.Text(v).s
	case model.Reason:
		return r.own(v.Explain())
	case model.StageID:
		return r.Stage(v).s
	case model.Time:
		return r.Instant(v).s
	case time.Duration:
		return r.Duration(v).s
	case model.Word:
		return r.own(v.String())
	case float64:
		return r.Number(v).s
	case model.Fraction:
		return r.values.Percent(float64(v))
	case model.Phrase:
		return r.Phrase(v, files).s
	case model.Pos:
		return r.Pos(v, files).s
	case model.SourceID:
		return r.source(v, files).s
	case int, int32, int64, uint64:
		return fmt.Sprint(v)
	}
	return placeholderBare("text")
}

// Pos writes a place: "gpu.csv:41", or "trace.json, byte 1234" where the file is
// not line-oriented.
func (r *Redactor) Pos(p model.Pos, files Files) Shown {
	name := r.source(p.Source, files).s
	switch {
	case p.Line > 0 && name != "":
		return Shown{name + ":" + strconv.Itoa(int(p.Line))}
	case p.Line > 0:
		return Shown{r.own("line") + " " + strconv.Itoa(int(p.Line))}
	}
	if name != "" {
		name += ", "
	}
	return Shown{name + r.own("byte") + " " + strconv.FormatInt(p.Offset, 10)}
}

func (r *Redactor) source(id model.SourceID, files Files) Shown {
	if files == nil || id == 0 {
		return Shown{}
	}
	return r.Text(files(id))
}
