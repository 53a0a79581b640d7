package ingest

import (
	"bytes"
	"path"
	"strings"

	"tracemerge/model"
)

// verdict says what a file is.
type verdict struct {
	format  *Format // nil: none, see why
	runFile bool
	own     bool // an output of tracemerge
	why     model.Phrase
	notes   []model.Notice
}

// judge decides the kind of a file by its first decoded bytes; only run.yaml is
// also known by its name. The surest format wins; of two equally sure ones of
// different kinds the earlier in formats does, and a notice names both.
func judge(rel string, head []byte, formats []Format, rf RunFile) verdict {
	if isOwnOutput(head) {
		return verdict{own: true}
	}
	if rf.Read != nil && IsRunFileName(rel) && !isBinary(head) {
		return verdict{runFile: true}
	}
	var v verdict
	best := No
	var rival *Format
	for i := range formats {
		f := &formats[i]
		c, note := confidence(f, head)
		if note != nil {
			v.notes = append(v.notes, *note)
		}
		switch {
		case c > best:
			best, v.format, rival = c, f, nil
		case c == best && c > No && rival == nil && f.Kind != v.format.Kind:
			rival = f
		}
	}
	if v.format == nil {
		v.why = notRecognised(head)
	}
	if rival != nil {
		v.notes = append(v.notes, model.Notice{Code: "ingest/ambiguous", Severity: model.Note, N: 1,
			Text: model.Say("the content fits {} and {} equally well: read as {}",
				KindWord(v.format.Kind), KindWord(rival.Kind), KindWord(v.format.Kind))})
	}
	return v
}

// confidence asks one format; a defect in it counts as no and is noted.
func confidence(f *Format, head []byte) (c Confidence, note *model.Notice) {
	defer func() {
		if r := recover(); r != nil {
			c = No
			note = &model.Notice{Code: "ingest/internal", Severity: model.Failure, N: 1,
				Text: model.Say("internal error while asking whether this is {}", KindWord(f.Kind))}
		}
	}()
	return f.Match(head), nil
}

// IsRunFileName reports whether a file of that path would be the run file:
// run.yaml or run.yml, possibly compressed.
func IsRunFileName(rel string) bool {
	base := path.Base(rel)
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".gz"), ".zst")
	return base == "run.yaml" || base == "run.yml"
}

// generatorMark stands in the head of every HTML report of ours.
const generatorMark = `<meta name="generator" content="tracemerge`

// isOwnOutput recognises reports (by their generator mark) and summaries (by
// their first key).
func isOwnOutput(head []byte) bool {
	t := bytes.TrimLeft(head, " \t\r\n")
	if len(t) == 0 {
		return false
	}
	switch t[0] {
	case '<':
		return bytes.Contains(t, []byte(generatorMark))
	case '{':
		t = bytes.TrimLeft(t[1:], " \t\r\n")
		rest, ok := bytes.CutPrefix(t, []byte(`"tracemerge"`))
		return ok && bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(":"))
	}
	return false
}

// isBinary reports whether the content cannot be text: it holds a NUL byte.
func isBinary(head []byte) bool { return bytes.IndexByte(head, 0) >= 0 }

// magics are beginnings of files that people put beside exports and that are not
// read, each from the format's own specification.
var magics = []struct {
	magic string
	at    int
	why   model.Phrase
}{
	{"PK\x03\x04", 0, model.Say("a zip archive: unpack it into the run folder")},
	{"ustar", 257, model.Say("a tar archive: unpack it into the run folder")},
	{"BZh", 0, model.Say("compressed with bzip2: only gzip and zstd are read; unpack it")},
	{"7z\xbc\xaf\x27\x1c", 0, model.Say("a 7z archive: unpack it into the run folder")},
	{"\xfd7zXZ\x00", 0, model.Say("compressed with xz: only gzip and zstd are read; unpack it")},
	{"SQLite format 3\x00", 0, model.Say("an SQLite database: export it as text first")},
	{"PAR1", 0, model.Say("a Parquet file: not read")},
	{"%PDF-", 0, model.Say("a PDF document: not read")},
	{"\x89PNG", 0, model.Say("a picture: not read")},
	{"\x7fELF", 0, model.Say("a program: not read")},
}

func notRecognised(head []byte) model.Phrase {
	if len(head) == 0 {
		return model.Say("the file is empty")
	}
	for _, m := range magics {
		if len(head) >= m.at && bytes.HasPrefix(head[m.at:], []byte(m.magic)) {
			return m.why
		}
	}
	if isBinary(head) {
		return model.Say("binary content of a kind that is not read")
	}
	return model.Say("text in which no reader finds its records")
}

// KindWord names a kind inside a phrase.
func KindWord(k model.SourceKind) model.Word {
	switch k {
	case model.KindSMI:
		return model.Lit("nvidia-smi")
	case model.KindTrace:
		return model.Lit("pytorch-trace")
	case model.KindLog:
		return model.Lit("app-log")
	case model.KindHost:
		return model.Lit("host-stats")
	case model.KindRunFile:
		return model.Lit("run-file")
	case model.KindRecording:
		return model.Lit("recording")
	}
	return model.Lit("not-recognised")
}
