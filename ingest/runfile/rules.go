package runfile

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"tracemerge/model"
)

// readClocks reads what is declared about the clock of each file.
func readClocks(p *parser, n *yaml.Node) {
	p.entries(n, func(k, v *yaml.Node) {
		c := model.DeclaredClock{File: model.NewRaw(k.Value), From: p.at(k.Line)}
		before := p.problems()
		p.mapping(v, []key{
			{"zone", model.Lit("zone"), func(p *parser, n *yaml.Node) { c.Zone = p.zone(n) }},
			{"offset", model.Lit("offset"), func(p *parser, n *yaml.Node) { c.Offset, c.HasOffset = p.duration(n) }},
			{"uncertainty", model.Lit("uncertainty"), func(p *parser, n *yaml.Node) { c.Uncertainty, _ = p.width(n) }},
		})
		switch {
		case p.problems() > before:
		case c.Zone.Empty() && !c.HasOffset:
			p.fail(k.Line, model.Say("a clock needs a zone, an offset, or both"))
		default:
			p.d.Clocks = append(p.d.Clocks, c)
		}
	})
}

// readFormats reads what files are, where their content would be judged otherwise.
// Which formats there are, and which files, the collector knows.
func readFormats(p *parser, n *yaml.Node) {
	p.entries(n, func(k, v *yaml.Node) {
		if s, ok := p.scalar(v); ok {
			p.d.Formats = append(p.d.Formats, model.DeclaredFormat{File: model.NewRaw(k.Value), Form: strings.TrimSpace(s), From: p.at(k.Line)})
		}
	})
}

// problems counts the problems found so far.
func (p *parser) problems() int { return len(p.errs) + p.more }

// readAnchors reads pairs of records that are the same moment. Without "within"
// an anchor says nothing about the clocks, so it must be there.
func readAnchors(p *parser, n *yaml.Node) {
	p.list(n, func(v *yaml.Node) {
		a := model.DeclaredAnchor{From: p.at(v.Line)}
		before := p.problems()
		hasA, hasB, hasWithin := false, false, false
		p.mapping(v, []key{
			{"a", model.Lit("a"), func(p *parser, n *yaml.Node) { a.A, hasA = readPoint(p, n), true }},
			{"b", model.Lit("b"), func(p *parser, n *yaml.Node) { a.B, hasB = readPoint(p, n), true }},
			{"within", model.Lit("within"), func(p *parser, n *yaml.Node) { a.Within, hasWithin = p.width(n) }},
		})
		switch {
		case p.problems() > before:
		case !hasA || !hasB:
			p.fail(v.Line, model.Say("an anchor needs two records, a and b"))
		case !hasWithin:
			p.fail(v.Line, model.Say("an anchor needs within: how far apart the two records may be, such as 10ms"))
		case a.A.File == a.B.File:
			p.fail(v.Line, model.Say("an anchor ties two files; a and b name the same"))
		default:
			p.d.Anchors = append(p.d.Anchors, a)
		}
	})
}

// readPoint reads one record of an anchor; the edge of an event is its start
// unless stated.
func readPoint(p *parser, n *yaml.Node) model.AnchorPoint {
	var pt model.AnchorPoint
	before := p.problems()
	edge := ""
	p.mapping(n, []key{
		{"file", model.Lit("file"), func(p *parser, n *yaml.Node) { p.rawInto(&pt.File, n) }},
		{"line", model.Lit("line"), func(p *parser, n *yaml.Node) { pt.Line = p.line(n) }},
		{"event", model.Lit("event"), func(p *parser, n *yaml.Node) { p.rawInto(&pt.Event, n) }},
		{"edge", model.Lit("edge"), func(p *parser, n *yaml.Node) { edge = p.choice(n, edges) }},
	})
	switch {
	case p.problems() > before:
	case pt.File.Empty():
		p.fail(n.Line, model.Say("a record of an anchor needs its file"))
	case (pt.Line == 0) == pt.Event.Empty():
		p.fail(n.Line, model.Say("a record of an anchor is named by line or by event, one of the two"))
	case pt.Line != 0 && edge != "":
		p.fail(n.Line, model.Say("an edge belongs to an event; a line has none"))
	}
	switch {
	case edge == "end":
		pt.Edge = model.EdgeEnd
	case !pt.Event.Empty():
		pt.Edge = model.EdgeStart
	}
	return pt
}

// readStages reads the rules that map records to stages.
func readStages(p *parser, n *yaml.Node) {
	p.list(n, func(v *yaml.Node) {
		r := model.StageRule{From: p.at(v.Line)}
		before := p.problems()
		stage := ""
		p.mapping(v, []key{
			{"stage", model.Lit("stage"), func(p *parser, n *yaml.Node) { stage, _ = p.scalar(n) }},
			{"source", model.Lit("source"), func(p *parser, n *yaml.Node) { r.Source = model.SourceKind(p.choice(n, sourceKinds)) }},
			{"field", model.Lit("field"), func(p *parser, n *yaml.Node) { r.Field, _ = p.scalar(n) }},
			{"value", model.Lit("value"), func(p *parser, n *yaml.Node) { p.rawInto(&r.Value, n) }},
			{"name", model.Lit("name"), func(p *parser, n *yaml.Node) {
				if _, ok := p.expression(n); ok {
					r.Name = model.NewRaw(n.Value)
				}
			}},
		})
		switch {
		case p.problems() > before:
		case stage == "":
			p.fail(v.Line, model.Say("a rule needs the stage that it names"))
		case r.Name.Empty() == r.Value.Empty():
			p.fail(v.Line, model.Say("a rule needs name (a regular expression) or value (an exact text), one of the two"))
		case !r.Value.Empty() && r.Field == "":
			p.fail(v.Line, model.Say("value is the value of a log field: say which with field"))
		default:
			r.Stage = model.StageNamed(stage)
			p.d.Stages = append(p.d.Stages, r)
		}
	})
}

// readPatterns reads the regular expressions for log lines. A group without a
// name would be dropped silently, so it must be written as one that does not
// capture.
func readPatterns(p *parser, n *yaml.Node) {
	p.list(n, func(v *yaml.Node) {
		re, ok := p.expression(v)
		if !ok {
			return
		}
		before := p.problems()
		for i, name := range re.SubexpNames()[1:] {
			switch {
			case name == "":
				p.fail(v.Line, model.Say("group {} of the pattern has no name: name it (?P<stage>…), or write (?:…) if it is no field", i+1))
			case !oneOf(name, groups):
				p.fail(v.Line, model.Say(`unknown group "{}" in the pattern; did you mean "{}"?`, text(name, model.ClassFree), nearest(name, groups)))
			}
		}
		if re.NumSubexp() == 0 {
			p.fail(v.Line, model.Say("the pattern names no field: it needs groups such as (?P<time>…)"))
		}
		if p.problems() == before {
			p.d.Patterns = append(p.d.Patterns, model.LogPattern{Expr: model.NewRaw(v.Value), From: p.at(v.Line)})
		}
	})
}
