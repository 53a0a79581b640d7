package compare

import (
	"slices"

	"tracemerge/model"
	"tracemerge/model/report"
)

// conditions compares what the runs were.
func conditions(c *report.Comparison, a, b *report.Run) {
	x, y := a.Declared, b.Declared
	text(c, model.Say("input data set"), x.Dataset, y.Dataset, true)
	judge(c, report.Condition{Name: model.Say("cold or warm"), Base: temperature(x.Temperature), Next: temperature(y.Temperature)},
		x.Temperature != "" && y.Temperature != "", x.Temperature == y.Temperature, true)
	text(c, model.Say("what counts as done"), x.DoneWhen, y.DoneWhen, true)
	text(c, model.Say("input location"), x.Location, y.Location, false)
	text(c, model.Say("application"), x.AppName, y.AppName, false)
	text(c, model.Say("application version"), x.AppVersion, y.AppVersion, false)
	text(c, model.Say("quality metric"), x.Quality.Metric, y.Quality.Metric, false)
	settings(c, x, y)
	recorded(c, a, b)
	changed(c)
	quality(c, model.Say("the baseline"), x.Quality)
	quality(c, model.Say("the candidate"), y.Quality)
}

// changed gathers what differs without making the runs incomparable: with more
// than one, a difference cannot be attributed.
func changed(c *report.Comparison) {
	for _, k := range c.Conditions {
		if k.State == "different" && !k.Decides {
			c.Changed = append(c.Changed, k.Name)
		}
	}
	if len(c.Changed) < 2 {
		return
	}
	list := c.Changed[0]
	for _, k := range c.Changed[1:] {
		list = model.Say("{}, {}", list, k)
	}
	c.Warnings = append(c.Warnings, model.Say("{} conditions changed together ({}): a difference cannot be attributed to one of them.", len(c.Changed), list))
}

func temperature(t string) model.Phrase {
	switch t {
	case "cold":
		return model.Say("cold")
	case "warm":
		return model.Say("warm")
	}
	return model.Say("not declared")
}

func declared(t model.Text) model.Phrase {
	if t.Empty() {
		return model.Say("not declared")
	}
	return model.Say("{}", t)
}

func text(c *report.Comparison, name model.Phrase, a, b model.Text, decides bool) {
	judge(c, report.Condition{Name: name, Base: declared(a), Next: declared(b)}, !a.Empty() && !b.Empty(), a.Raw == b.Raw, decides)
}

// judge files a condition; one that decides makes the runs incomparable where it
// is known to differ.
func judge(c *report.Comparison, cond report.Condition, known, equal, decides bool) {
	cond.Decides = decides
	switch {
	case !known:
		cond.State = "not_declared"
		if decides {
			c.Undeclared = true
			c.Warnings = append(c.Warnings, model.Say("Not declared in both runs, so not checked: {}.", cond.Name))
		}
	case equal:
		cond.State = "equal"
	default:
		cond.State = "different"
		if decides {
			c.Comparable = false
			c.Warnings = append(c.Warnings, model.Say("The runs differ in this condition, so their numbers stand side by side without a verdict: {} ({} against {}).", cond.Name, cond.Base, cond.Next))
		}
	}
	c.Conditions = append(c.Conditions, cond)
}

// settings lists every setting of either run and names those that changed.
func settings(c *report.Comparison, x, y *model.Declaration) {
	find := func(d *model.Declaration, key model.Raw) model.Text {
		for _, s := range d.Settings {
			if s.Key.Raw == key {
				return s.Value
			}
		}
		return model.Text{}
	}
	var keys []model.Text
	for _, s := range slices.Concat(x.Settings, y.Settings) {
		if !slices.ContainsFunc(keys, func(k model.Text) bool { return k.Raw == s.Key.Raw }) {
			keys = append(keys, s.Key)
		}
	}
	for _, k := range keys {
		a, b := find(x, k.Raw), find(y, k.Raw)
		if a.Raw != b.Raw {
			c.ChangedSettings = append(c.ChangedSettings, k)
			if a.Empty() || b.Empty() { // perhaps changed: one run does not say
				c.Changed = append(c.Changed, model.Say("setting {}", k))
			}
		}
		text(c, model.Say("setting {}", k), a, b, false)
	}
	if len(keys) == 0 {
		c.Warnings = append(c.Warnings, model.Say("No settings are declared in either run: what changed between them is not known."))
	}
}

// quality refuses a run outside its own declared limit: a gain that was paid for
// with quality is none.
func quality(c *report.Comparison, who model.Phrase, q model.Quality) {
	v, ok := q.Value.Get()
	if !ok {
		return
	}
	limit, most := q.AtMost.Get()
	least, atLeast := q.AtLeast.Get()
	if most && v > limit || atLeast && v < least {
		c.Comparable = false
		c.Warnings = append(c.Warnings, model.Say("The quality of {} lies outside its declared limit.", who))
	}
}
