package runfile

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"tracemerge/ingest"
	"tracemerge/model"
)

// maxVisits bounds how many values are looked at, so that nested aliases cannot
// multiply the work. A run file that a person wrote holds some hundred.
const maxVisits = 1 << 17

// maxDepth bounds nested lists and mappings inside settings.
const maxDepth = 20

type parser struct {
	d       *model.Declaration
	id      model.SourceID
	lines   []int64 // offset of each line's first byte
	errs    []*Error
	more    int
	failed  bool // the value being read has a problem of its own
	visits  int
	account model.Account
}

func newParser(text []byte, id model.SourceID) *parser {
	p := &parser{d: &model.Declaration{}, id: id, lines: []int64{0}}
	for i := 0; i < len(text); {
		n := bytes.IndexByte(text[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
		p.lines = append(p.lines, int64(i))
	}
	return p
}

// at is the position of a line.
func (p *parser) at(line int) model.Pos {
	if line < 1 || line > len(p.lines) {
		return model.Pos{Source: p.id}
	}
	return model.Pos{Source: p.id, Line: int32(line), Offset: p.lines[line-1]}
}

func (p *parser) fail(line int, text model.Phrase) {
	p.failed = true
	if len(p.errs) == maxErrors {
		p.more++
		return
	}
	p.errs = append(p.errs, &Error{line, text})
}

// follow resolves aliases. An alias of an alias does not exist in YAML.
func (p *parser) follow(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	if p.visits++; p.visits == maxVisits+1 {
		p.fail(n.Line, model.Say("more than {} values, counting those that aliases repeat", maxVisits))
	}
	if p.visits > maxVisits {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Line: n.Line}
	}
	return n
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// key is one key of a mapping and what reads its value; the value is never null.
type key struct {
	name string
	word model.Word // the same name, for sentences
	read func(p *parser, n *yaml.Node)
}

// mapping reads the entries of a mapping by the table of its keys.
func (p *parser) mapping(n *yaml.Node, keys []key) {
	p.entries(n, func(k, v *yaml.Node) {
		for _, known := range keys {
			if known.name == k.Value {
				known.read(p, v)
				return
			}
		}
		p.fail(k.Line, model.Say(`unknown key "{}"; did you mean "{}"?`, text(k.Value, model.ClassFree), nearest(k.Value, keys)))
	})
}

// entries calls visit with each entry of a mapping that has a value, and keeps
// the account: a key is used, empty, or rejected for a problem of its own.
func (p *parser) entries(n *yaml.Node, visit func(k, v *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		p.fail(n.Line, model.Say("want keys with values here, found {}", found(n)))
		return
	}
	first := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := p.follow(n.Content[i]), p.follow(n.Content[i+1])
		p.account.Read++
		p.failed = false
		line, twice := first[k.Value]
		switch {
		case k.Kind != yaml.ScalarNode:
			p.fail(k.Line, model.Say("a key must be a word, found {}", found(k)))
		case twice:
			p.fail(k.Line, model.Say(`key "{}" stands twice, first in line {}`, text(k.Value, model.ClassFree), line))
		default:
			first[k.Value] = k.Line
			if isNull(v) && !p.failed {
				model.Count(&p.account.SetAside, "runfile/empty", p.at(k.Line))
				continue
			}
			visit(k, v)
		}
		if p.failed {
			model.Count(&p.account.Rejected, "runfile/error", p.at(k.Line))
		} else {
			p.account.Used++
		}
		p.failed = false
	}
}

// list calls visit with each item of a list; nulls are left out.
func (p *parser) list(n *yaml.Node, visit func(v *yaml.Node)) {
	if n.Kind != yaml.SequenceNode {
		p.fail(n.Line, model.Say("want a list here, found {}", found(n)))
		return
	}
	for _, v := range n.Content {
		if v = p.follow(v); !isNull(v) {
			visit(v)
		}
	}
}

// found names what stands in the place of something else.
func found(n *yaml.Node) model.Word {
	switch n.Kind {
	case yaml.MappingNode:
		return model.Lit("keys with values")
	case yaml.SequenceNode:
		return model.Lit("a list")
	}
	switch n.ShortTag() {
	case "!!int", "!!float":
		return model.Lit("a number")
	case "!!bool":
		return model.Lit("true or false")
	case "!!timestamp":
		return model.Lit("a time")
	}
	return model.Lit("text")
}

// text wraps text of the file for a sentence, cut to what a line can hold.
func text(s string, c model.Class) model.Text {
	const most = 80
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	return model.NewText(s, c)
}

// nearest is the known key with the smallest edit distance, the earlier of two.
func nearest(s string, keys []key) model.Word {
	best, at := 1<<30, 0
	for i, k := range keys {
		if d := ingest.Distance(s, k.name); d < best {
			best, at = d, i
		}
	}
	return keys[at].word
}

// oneOf reports whether s is one of the names.
func oneOf(s string, keys []key) bool {
	return slices.ContainsFunc(keys, func(k key) bool { return k.name == s })
}
