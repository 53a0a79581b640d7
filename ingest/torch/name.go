package torch

import (
	"strings"

	"tracemerge/ingest"
	"tracemerge/ingest/torch/internal/jsonscan"
	"tracemerge/model"
)

// names is the dictionary of span names. Raw spellings are looked up as they
// stand in the file, so a name is unescaped once and not once per event.
type names struct {
	raw   map[string]int32 // by spelling in the file
	byRaw map[model.Raw]int32
	list  []model.Raw
	facts []nameFacts
	rules []CommRule
}

type nameFacts struct {
	judged bool
	rule   int // that names it as communication, or -1; once judged
	isStep bool
	n      int64
	marker string // the name of the marker that it carries
}

func newNames() names {
	return names{raw: map[string]int32{}, byRaw: map[model.Raw]int32{}, rules: CommRules()}
}

// nameOf returns the index of the name in the capture's dictionary.
func (r *reader) nameOf(b []byte, t token, at model.Pos) int32 {
	raw := b[t.from:t.to]
	if t.kind == tokNested || t.kind == tokNone || t.kind == tokBare && string(raw) == "null" {
		raw = nil
	}
	if id, ok := r.names.raw[string(raw)]; ok {
		return id
	}
	s, flaws := jsonscan.Unescape(raw)
	for _, f := range []struct {
		flaw jsonscan.Flaws
		code code
	}{{jsonscan.Control, nameControl}, {jsonscan.NotUTF8, nameNotUTF8}, {jsonscan.BadEscape, nameEscape}} {
		if flaws&f.flaw != 0 {
			r.note(f.code, at)
		}
	}
	id := r.names.add(model.NewRaw(s))
	r.names.raw[string(raw)] = id
	return id
}

func (n *names) add(raw model.Raw) int32 {
	if id, ok := n.byRaw[raw]; ok {
		return id
	}
	id := int32(len(n.list))
	n.list = append(n.list, raw)
	n.byRaw[raw] = id
	var f nameFacts
	if num, ok := strings.CutPrefix(raw.Reveal(), "ProfilerStep#"); ok {
		f.n, f.isStep = stepNumber(num)
	}
	f.marker = string(ingest.MarkerIn([]byte(raw.Reveal())))
	n.facts = append(n.facts, f)
	return id
}

func stepNumber(s string) (int64, bool) {
	var v int64
	for _, c := range []byte(s) {
		if c < '0' || c > '9' || v > 1<<58 {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	return v, s != ""
}

// communication reports whether a kernel of that name is communication.
func (n *names) communication(id int32) bool {
	f := &n.facts[id]
	if !f.judged {
		f.judged, f.rule = true, commRule(n.rules, n.list[id].Reveal())
	}
	return f.rule >= 0
}

// step returns the number of a ProfilerStep#N.
func (n *names) step(id int32) (int64, bool) { return n.facts[id].n, n.facts[id].isStep }
