package ingest

import (
	"fmt"
	"path"
	"strings"

	"tracemerge/model"
)

// A DeclarationError is a format in run.yaml that cannot be used. Its text may
// quote what the user wrote, so it is a phrase for the redactor; Error names only
// the place.
type DeclarationError struct {
	Text model.Phrase // what was found, and the nearest that there is
	At   model.Pos    // in run.yaml
}

// Error names the place, without any text from a file.
func (e *DeclarationError) Error() string {
	return fmt.Sprintf("run.yaml:%d: the declared format cannot be used", e.At.Line)
}

// declareFormats makes the files that run.yaml names be read as it says, whatever
// their content looks like. It returns what cannot be used.
func (c *collector) declareFormats(files []candidate) (errs []*DeclarationError) {
	for _, d := range c.declared.Formats {
		hits := named(files, d.File)
		if len(hits) == 0 {
			errs = append(errs, &DeclarationError{At: d.From, Text: noSuchFile(files, d.File)})
			continue
		}
		for _, i := range hits {
			f := &files[i]
			format, word := c.formatNamed(d.Form, f.format)
			if format == nil {
				errs = append(errs, &DeclarationError{At: d.From, Text: model.Say(`formats: unknown format "{}"; did you mean "{}"?`,
					model.NewText(d.Form, model.ClassFree), c.nearestFormat(d.Form))})
				break
			}
			f.format, f.why = format, model.Phrase{}
			if f.form = d.Form; d.Form == string(format.Kind) {
				f.form = ""
			}
			f.notes = append(f.notes, model.Notice{Code: "ingest/declared-format", Severity: model.Info, N: 1,
				Text: model.Say("run.yaml declares the file as {}", word)})
		}
	}
	return errs
}

// formatNamed finds the format that has the kind or the variant of that name; of
// several the file's own, then the first.
func (c *collector) formatNamed(name string, own *Format) (f *Format, word model.Word) {
	for i := range c.formats {
		has := &c.formats[i]
		if string(has.Kind) == name {
			return has, KindWord(has.Kind)
		}
		if has.Columns && strings.HasPrefix(name, ColumnsWord) {
			return has, model.Lit("columns that it names")
		}
		for _, w := range has.Forms {
			if w.String() == name && (f == nil || has == own) {
				f, word = has, w
			}
		}
	}
	return f, word
}

// nearestFormat is the kind or variant whose name takes the fewest edits.
func (c *collector) nearestFormat(name string) (word model.Word) {
	best := 1 << 30
	try := func(w model.Word) {
		if d := Distance(name, w.String()); d < best {
			best, word = d, w
		}
	}
	for i := range c.formats {
		try(KindWord(c.formats[i].Kind))
		for _, w := range c.formats[i].Forms {
			try(w)
		}
	}
	return word
}

// named finds the files that a name in run.yaml means: the one with that relative
// path, else all with that base name; the run file itself is none.
func named(files []candidate, file model.Raw) (hits []int) {
	want := path.Clean(strings.ReplaceAll(file.Reveal(), `\`, "/"))
	for i, f := range files {
		switch have := path.Clean(f.rel); {
		case f.runFile:
		case have == want:
			return []int{i}
		case path.Base(have) == want:
			hits = append(hits, i)
		}
	}
	return hits
}

func noSuchFile(files []candidate, file model.Raw) model.Phrase {
	want, best, at := file.Reveal(), 1<<30, -1
	for i, f := range files {
		if f.runFile {
			continue
		}
		if d := min(Distance(want, f.rel), Distance(want, path.Base(f.rel))); d < best {
			best, at = d, i
		}
	}
	name := model.Text{Raw: file, Class: model.ClassFile}
	if at < 0 {
		return model.Say("formats: the run has no file {}; it has no other file", name)
	}
	return model.Say("formats: the run has no file {}; the nearest name is {}", name, label(files[at].rel))
}

// longestName bounds the words that Distance compares, in letters: it takes time
// in proportion to the product of their lengths.
const longestName = 100

// Distance is the number of single-letter insertions, deletions, replacements and
// swaps of neighbours between two words (optimal string alignment), of which the
// first hundred letters count.
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	x, y = x[:min(len(x), longestName)], y[:min(len(y), longestName)]
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(x)][len(y)]
}
