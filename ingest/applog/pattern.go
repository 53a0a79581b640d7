package applog

import (
	"bytes"
	"fmt"
	"regexp"

	"tracemerge/model"
)

// A pattern is one of run.yaml's log_patterns.
type pattern struct {
	re     *regexp.Regexp
	groups []string
}

// compilePatterns compiles the declared patterns; the declaration has been
// checked by whoever read it, so an error here names the pattern's number only.
func compilePatterns(decl *model.Declaration) ([]pattern, error) {
	var out []pattern
	for i, p := range decl.Patterns {
		re, err := regexp.Compile(p.Expr.Reveal())
		if err != nil {
			return nil, fmt.Errorf("log_patterns, number %d: not a regular expression", i+1)
		}
		out = append(out, pattern{re, re.SubexpNames()})
	}
	return out, nil
}

// groupNames maps the groups of the contract to the fields they stand for.
func groupName(g string) ([]byte, bool) {
	switch g {
	case "time", "level", "task", "stage", "edge", "input", "progress", "accepted", "rejected", "error", "rank":
		return []byte(g), true
	}
	return nil, false
}

// match reads the line by the pattern. Groups that end with the line are not
// taken from a line without an end: they may be cut.
func (p pattern) match(b []byte, e *entry, whole bool) bool {
	m := p.re.FindSubmatchIndex(b)
	if m == nil {
		return false
	}
	for i, g := range p.groups {
		name, ok := groupName(g)
		if !ok || m[2*i] < 0 || m[2*i+1] == len(b) && !whole && g != "time" {
			continue
		}
		text := b[m[2*i]:m[2*i+1]]
		if g == "time" {
			if s, n := e.dates.parseStamp(bytes.TrimSpace(text)); n > 0 {
				e.stamp, e.timed = s, true
			}
			continue
		}
		if g == "error" && len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		e.field(name, value{kind: valueText, text: text})
	}
	if !e.timed { // the pattern names no time: the line's own stamp stands
		if s, _, n := e.firstStamp(b); n > 0 {
			e.stamp, e.timed = s, true
		}
	}
	e.pinned = e.timed
	return true
}

// matchAny reads the line by the first pattern that matches.
func matchAny(patterns []pattern, b []byte, e *entry, whole bool) bool {
	for _, p := range patterns {
		if p.match(b, e, whole) {
			return true
		}
	}
	return false
}

// A rule is one of run.yaml's stage rules that applies to logs.
type rule struct {
	number int // 1-based in the declaration
	field  string
	value  string
	name   *regexp.Regexp // on the field's value, or on the message where field is empty
	stage  []byte         // for a rule on messages: the stage's own text
	logs   bool           // the rule names app-log as its source
}

func compileRules(decl *model.Declaration) ([]rule, error) {
	var out []rule
	for i, r := range decl.Stages {
		if r.Source != "" && r.Source != model.KindLog {
			continue
		}
		c := rule{number: i + 1, field: r.Field, value: r.Value.Reveal(), logs: r.Source == model.KindLog}
		c.stage = []byte(r.Stage.Builtin())
		if own := r.Stage.Own(); !own.Empty() {
			c.stage = []byte(own.Raw.Reveal())
		}
		if !r.Name.Empty() {
			re, err := regexp.Compile(r.Name.Reveal())
			if err != nil {
				return nil, fmt.Errorf("stages, number %d: name is not a regular expression", i+1)
			}
			c.name = re
		}
		out = append(out, c)
	}
	return out, nil
}

func (r rule) matches(text []byte) bool {
	if r.name != nil {
		return r.name.Match(text)
	}
	return r.value != "" && string(text) == r.value
}

// tryRules applies the rules on fields; the first rule of run.yaml that matches
// any field of the record wins.
func (e *entry) tryRules(key []byte, v value) {
	if v.kind == valueNested || v.kind == valueNull {
		return
	}
	for i := range e.rules {
		r := &e.rules[i]
		if e.rule > 0 && r.number >= e.rule {
			return
		}
		if r.field == "" || !bytes.EqualFold(key, []byte(r.field)) {
			continue
		}
		if text := v.plain(); r.matches(text) {
			e.rule, e.ruled = r.number, text
		}
	}
}

// messageRules applies the rules without a field: to the stage that the record
// names, else, for a rule that names logs as its source, to the message.
func (e *entry) messageRules() {
	for i := range e.rules {
		r := &e.rules[i]
		if r.field != "" || e.rule > 0 && r.number > e.rule {
			continue
		}
		switch {
		case len(e.stage) > 0:
			if r.matches(e.stage) {
				e.rule, e.ruled = r.number, e.stage
				return
			}
		case r.logs && e.message != nil && r.matches(e.message):
			e.rule, e.ruled = r.number, r.stage
			if e.edge == model.EdgeNone {
				e.edge = edgeInMessage(e.message)
			}
			return
		}
	}
}

// edgeInMessage returns the edge that the words of a message name, none where
// they name both or neither.
func edgeInMessage(m []byte) model.Edge {
	var start, end bool
	for _, w := range bytes.FieldsFunc(m, func(r rune) bool { return r < 'A' || r > 'z' || r > 'Z' && r < 'a' }) {
		if len(w) > 1 {
			switch edgeNamed(w) {
			case model.EdgeStart:
				start = true
			case model.EdgeEnd:
				end = true
			}
		}
	}
	switch {
	case start && !end:
		return model.EdgeStart
	case end && !start:
		return model.EdgeEnd
	}
	return model.EdgeNone
}
