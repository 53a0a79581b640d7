package stage

import (
	"regexp"

	"tracemerge/model"
)

// rules are the stage rules of run.yaml, compiled. A rule whose expression does
// not compile is left out and noted: the reader of run.yaml rejects it first, so
// it is met only in timelines made by hand.
type rules struct {
	list []rule
	log  map[model.Raw]model.StageID // memory of log names already judged
}

type rule struct {
	stage  model.StageID
	source model.SourceKind
	field  string
	value  model.Raw
	name   *regexp.Regexp
}

func compile(d *model.Declaration, notes *model.Notices) *rules {
	r := &rules{log: map[model.Raw]model.StageID{}}
	if d == nil {
		return r
	}
	for _, s := range d.Stages {
		c := rule{stage: s.Stage, source: s.Source, field: s.Field, value: s.Value}
		if !s.Name.Empty() {
			expr, err := regexp.Compile(s.Name.Reveal())
			if err != nil {
				notes.Add("stage/rule-expression", model.Failure, s.From,
					model.Say("the expression of a stage rule cannot be used; the rule is left out"))
				continue
			}
			c.name = expr
		}
		r.list = append(r.list, c)
	}
	return r
}

func (c rule) matches(kind model.SourceKind, field, text string) bool {
	if c.source != "" && c.source != kind || c.field != field {
		return false
	}
	if c.name != nil {
		return c.name.MatchString(text)
	}
	return !c.value.Empty() && c.value.Reveal() == text
}

// span returns the stage that a rule gives to a span's name.
func (r *rules) span(name string) (model.StageID, bool) {
	for _, c := range r.list {
		if c.matches(model.KindTrace, "", name) {
			return c.stage, true
		}
	}
	return model.StageID{}, false
}

// mark returns the stage of a log record: the rule that the reader applied, a
// rule on the stage's name, or what the name means.
func (r *rules) mark(d *model.Declaration, m model.Mark) (model.StageID, bool) {
	if d != nil && m.Rule > 0 && int(m.Rule) <= len(d.Stages) {
		return d.Stages[m.Rule-1].Stage, true
	}
	if m.Stage.Empty() {
		return model.StageID{}, false
	}
	if s, ok := r.log[m.Stage]; ok {
		return s, true
	}
	name := m.Stage.Reveal()
	s := Named(name)
	for _, c := range r.list {
		if c.matches(model.KindLog, "", name) || c.matches(model.KindLog, "stage", name) {
			s = c.stage
			break
		}
	}
	r.log[m.Stage] = s
	return s, true
}
