package runfile

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"tracemerge/ingest"
	"tracemerge/model"
)

// MaxSize is the size beyond which a file is not taken for a run file that a
// person wrote.
const MaxSize = 1 << 20

// Reader is this package as package ingest calls it.
func Reader() ingest.RunFile { return ingest.RunFile{Read: Read, None: None} }

// None is the declaration of a run without a run file.
func None() *model.Declaration {
	d := &model.Declaration{}
	d.NotDeclared = absent(d)
	return d
}

// Read reads a run file. The capture's account counts keys; with an error the
// declaration is that of None.
func Read(ctx context.Context, f *ingest.File) (*model.Capture, *model.Declaration, error) {
	text, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return &model.Capture{}, None(), fmt.Errorf("reading: %w", err)
	}
	if ctx.Err() != nil {
		return &model.Capture{}, None(), context.Cause(ctx)
	}
	return Parse(text, f.ID)
}

// Parse reads the content of a run file.
func Parse(text []byte, id model.SourceID) (*model.Capture, *model.Declaration, error) {
	p := newParser(text, id)
	c := &model.Capture{}
	if len(text) > MaxSize {
		p.fail(0, model.Say("larger than {} bytes: not a run file", MaxSize))
	} else {
		p.document(text)
	}
	c.Account = p.account
	c.Source.Form = "run.yaml"
	if len(p.errs) > 0 {
		for _, e := range p.errs {
			c.Notices = append(c.Notices, model.Notice{Code: "runfile/error", Severity: model.Failure,
				Text: e.Text, N: 1, At: []model.Pos{p.at(e.Line)}})
		}
		slices.SortStableFunc(p.errs, func(a, b *Error) int { return cmp.Compare(a.Line, b.Line) })
		return c, None(), &Errors{List: p.errs, More: p.more}
	}
	p.d.Source = id
	p.d.NotDeclared = absent(p.d)
	return c, p.d, nil
}

// document reads the one YAML document of the file.
func (p *parser) document(text []byte) {
	var doc, second yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(text))
	err := dec.Decode(&doc)
	switch {
	case errors.Is(err, io.EOF): // empty, or comments only
		return
	case err != nil:
		p.syntax(err)
		return
	}
	switch err := dec.Decode(&second); {
	case err == nil:
		p.fail(second.Line, model.Say("a second YAML document; a run file holds one"))
	case !errors.Is(err, io.EOF):
		p.syntax(err)
		return
	}
	if len(doc.Content) == 0 {
		return
	}
	if root := p.follow(doc.Content[0]); !isNull(root) {
		p.mapping(root, topKeys)
	}
}

var lineInYAML = regexp.MustCompile(`line (\d+): `)

// yamlWords are the complaints of the YAML scanner and parser that people meet,
// in our words: their own text is not passed on, since it can quote the file.
//
// The line in such a message counts from 1 for the scanner and from 0 for the
// parser, and is left out where it is the first (yaml v3, (*parser).fail in
// decode.go); anchors and bytes that are no text have no line at all.
var yamlWords = []struct {
	has  string
	from int // what to add to the line; -1: the message has none
	say  model.Phrase
}{
	{"a tab character", 0, model.Say("not well-formed YAML: a tab where an indentation of spaces is needed")},
	{"mapping values are not allowed", 0, model.Say(`not well-formed YAML: a ": " that cannot stand here; put the text in quotes`)},
	{"unexpected end of stream", 0, model.Say("not well-formed YAML: a quote that is not closed")},
	{"did not find expected ',' or ']'", 1, model.Say(`not well-formed YAML: a "[" that is not closed, or a missing comma`)},
	{"did not find expected ',' or '}'", 1, model.Say(`not well-formed YAML: a "{" that is not closed, or a missing comma`)},
	{"did not find expected key", 1, model.Say("not well-formed YAML: the indentation of this line or the one before does not fit")},
	{"did not find expected '-' indicator", 1, model.Say(`not well-formed YAML: a "- " is missing`)},
	{"did not find expected node content", 1, model.Say("not well-formed YAML: a value is missing")},
	{"did not find expected <document start>", 1, model.Say("not well-formed YAML: more text after the end of the document")},
	{"could not find expected ':'", 0, model.Say(`not well-formed YAML: a ":" is missing`)},
	{"unknown escape character", 0, model.Say("not well-formed YAML: an unknown escape; put regular expressions in single quotes")},
	{"cannot start any token", 0, model.Say("not well-formed YAML: a character that must stand in quotes")},
	{"control characters", -1, model.Say("not well-formed YAML: a control character")},
	{"unknown anchor", -1, model.Say("an alias (*name) without its anchor (&name)")},
	{"UTF-8", -1, model.Say("not UTF-8 text")},
}

func (p *parser) syntax(err error) {
	line := 0
	if m := lineInYAML.FindStringSubmatch(err.Error()); m != nil {
		line, _ = strconv.Atoi(m[1]) // digits by the expression
	}
	for _, w := range yamlWords {
		switch {
		case !strings.Contains(err.Error(), w.has):
			continue
		case w.from < 0:
			line = 0
		case line == 0:
			line = 1
		default:
			line += w.from
		}
		p.fail(line, w.say)
		return
	}
	p.fail(line, model.Say("not well-formed YAML"))
}
