package runfile

import (
	"go.yaml.in/yaml/v3"

	"tracemerge/model"
)

// textKey is a key whose value is one text.
func textKey(name string, word model.Word, class model.Class, of func(*model.Declaration) *model.Text) key {
	return key{name, word, func(p *parser, n *yaml.Node) { p.textInto(of(p.d), class, n) }}
}

// numberKey is a key whose value is a number that is not negative.
func numberKey(name string, word model.Word, of func(*model.Declaration) *model.Maybe[float64]) key {
	return key{name, word, func(p *parser, n *yaml.Node) { p.number(of(p.d), n) }}
}

// signedKey is a key whose value is any number.
func signedKey(name string, word model.Word, of func(*model.Declaration) *model.Maybe[float64]) key {
	return key{name, word, func(p *parser, n *yaml.Node) { p.signed(of(p.d), n) }}
}

// under is a key whose value is a mapping.
func under(name string, word model.Word, keys ...key) key {
	return key{name, word, func(p *parser, n *yaml.Node) { p.mapping(n, keys) }}
}

// value is a word that may stand as a value; it is a key without a reader.
func value(name string, word model.Word) key { return key{name: name, word: word} }

var (
	symptomKinds = []key{
		value("late_first_result", model.Lit("late_first_result")),
		value("pause", model.Lit("pause")),
		value("output_rate_drop", model.Lit("output_rate_drop")),
	}
	temperatures = []key{value("cold", model.Lit("cold")), value("warm", model.Lit("warm"))}
	sourceKinds  = []key{
		value("nvidia-smi", model.Lit("nvidia-smi")), value("pytorch-trace", model.Lit("pytorch-trace")),
		value("app-log", model.Lit("app-log")), value("host-stats", model.Lit("host-stats")),
	}
	edges  = []key{value("start", model.Lit("start")), value("end", model.Lit("end"))}
	groups = []key{
		value("time", model.Lit("time")), value("level", model.Lit("level")), value("task", model.Lit("task")),
		value("stage", model.Lit("stage")), value("edge", model.Lit("edge")), value("input", model.Lit("input")),
		value("progress", model.Lit("progress")), value("accepted", model.Lit("accepted")),
		value("rejected", model.Lit("rejected")), value("error", model.Lit("error")), value("rank", model.Lit("rank")),
	}
)

// topKeys are the keys of a run file, as the contract states them.
var topKeys = []key{
	textKey("name", model.Lit("name"), model.ClassFree, func(d *model.Declaration) *model.Text { return &d.Name }),
	under("symptom", model.Lit("symptom"),
		key{"kind", model.Lit("kind"), func(p *parser, n *yaml.Node) { p.d.SymptomKind = p.choice(n, symptomKinds) }},
		textKey("text", model.Lit("text"), model.ClassFree, func(d *model.Declaration) *model.Text { return &d.SymptomText })),
	{"window", model.Lit("window"), readWindow},
	{"temperature", model.Lit("temperature"), func(p *parser, n *yaml.Node) { p.d.Temperature = p.choice(n, temperatures) }},
	under("input", model.Lit("input"),
		textKey("dataset", model.Lit("dataset"), model.ClassDataset, func(d *model.Declaration) *model.Text { return &d.Dataset }),
		textKey("location", model.Lit("location"), model.ClassPath, func(d *model.Declaration) *model.Text { return &d.Location })),
	under("application", model.Lit("application"),
		textKey("name", model.Lit("name"), model.ClassProcess, func(d *model.Declaration) *model.Text { return &d.AppName }),
		textKey("version", model.Lit("version"), model.ClassVersion, func(d *model.Declaration) *model.Text { return &d.AppVersion })),
	{"settings", model.Lit("settings"), readSettings},
	{"warm_up", model.Lit("warm_up"), func(p *parser, n *yaml.Node) { p.count(&p.d.WarmUp, n) }},
	{"thresholds", model.Lit("thresholds"), readThresholds},
	textKey("done_when", model.Lit("done_when"), model.ClassFree, func(d *model.Declaration) *model.Text { return &d.DoneWhen }),
	under("quality", model.Lit("quality"),
		textKey("metric", model.Lit("metric"), model.ClassMetric, func(d *model.Declaration) *model.Text { return &d.Quality.Metric }),
		signedKey("value", model.Lit("value"), func(d *model.Declaration) *model.Maybe[float64] { return &d.Quality.Value }),
		signedKey("at_most", model.Lit("at_most"), func(d *model.Declaration) *model.Maybe[float64] { return &d.Quality.AtMost }),
		signedKey("at_least", model.Lit("at_least"), func(d *model.Declaration) *model.Maybe[float64] { return &d.Quality.AtLeast })),
	under("targets", model.Lit("targets"),
		numberKey("deadline_seconds", model.Lit("deadline_seconds"), func(d *model.Declaration) *model.Maybe[float64] { return &d.Targets.DeadlineSeconds }),
		numberKey("accepted_per_minute", model.Lit("accepted_per_minute"), func(d *model.Declaration) *model.Maybe[float64] { return &d.Targets.AcceptedPerMinute }),
		numberKey("gpu_hours", model.Lit("gpu_hours"), func(d *model.Declaration) *model.Maybe[float64] { return &d.Targets.GPUHours })),
	under("hypothesis", model.Lit("hypothesis"),
		textKey("text", model.Lit("text"), model.ClassFree, func(d *model.Declaration) *model.Text { return &d.Hypothesis.Text }),
		textKey("change", model.Lit("change"), model.ClassFree, func(d *model.Declaration) *model.Text { return &d.Hypothesis.Change }),
		textKey("rejects_if", model.Lit("rejects_if"), model.ClassFree, func(d *model.Declaration) *model.Text { return &d.Hypothesis.RejectsIf })),
	under("result", model.Lit("result"),
		textKey("text", model.Lit("text"), model.ClassFree, func(d *model.Declaration) *model.Text { return &d.Result.Text }),
		key{"excluded", model.Lit("excluded"), readExcluded},
		textKey("next_observation", model.Lit("next_observation"), model.ClassFree, func(d *model.Declaration) *model.Text { return &d.Result.NextObservation })),
	{"clocks", model.Lit("clocks"), readClocks},
	{"anchors", model.Lit("anchors"), readAnchors},
	{"formats", model.Lit("formats"), readFormats},
	{"stages", model.Lit("stages"), readStages},
	{"log_patterns", model.Lit("log_patterns"), readPatterns},
	{"redact", model.Lit("redact"), func(p *parser, n *yaml.Node) {
		p.mapping(n, []key{{"words", model.Lit("words"), readWords}, {"show", model.Lit("show"), readShow}})
	}},
}

func readWindow(p *parser, n *yaml.Node) {
	d := p.d
	p.mapping(n, []key{
		{"start", model.Lit("start"), func(p *parser, n *yaml.Node) { d.Window.Start, d.HasStart = p.instant(n) }},
		{"end", model.Lit("end"), func(p *parser, n *yaml.Node) { d.Window.End, d.HasEnd = p.instant(n) }},
	})
	if d.HasStart && d.HasEnd && d.Window.End <= d.Window.Start {
		p.fail(n.Line, model.Say("the window ends at or before its start"))
	}
}

func readExcluded(p *parser, n *yaml.Node) {
	p.list(n, func(v *yaml.Node) {
		var t model.Text
		if p.textInto(&t, model.ClassFree, v); !t.Empty() {
			p.d.Result.Excluded = append(p.d.Result.Excluded, t)
		}
	})
}

func readWords(p *parser, n *yaml.Node) {
	p.list(n, func(v *yaml.Node) {
		var r model.Raw
		if p.rawInto(&r, v); !r.Empty() {
			p.d.RedactWords = append(p.d.RedactWords, r)
		}
	})
}

func readShow(p *parser, n *yaml.Node) {
	p.list(n, func(v *yaml.Node) {
		if s, ok := p.scalar(v); ok && s != "" {
			p.d.RedactShow = append(p.d.RedactShow, s)
		}
	})
}

// readSettings keeps settings in the order of the file; a setting inside another
// gets a dotted key.
func readSettings(p *parser, n *yaml.Node) { p.settings(n, "", 0) }

func (p *parser) settings(n *yaml.Node, prefix string, depth int) {
	if depth > maxDepth {
		p.fail(n.Line, model.Say("settings nested deeper than {} levels", maxDepth))
		return
	}
	p.entries(n, func(k, v *yaml.Node) {
		if v.Kind == yaml.MappingNode {
			p.settings(v, prefix+k.Value+".", depth+1)
			return
		}
		if s, ok := p.flat(v, depth); ok && s != "" {
			p.d.Settings = append(p.d.Settings, model.Setting{
				Key:   model.NewText(prefix+k.Value, model.ClassSetting),
				Value: model.NewText(s, model.ClassSetting)})
		}
	})
}

// flat writes a value, or a list of values, as one text.
func (p *parser) flat(n *yaml.Node, depth int) (string, bool) {
	if n.Kind != yaml.SequenceNode {
		return p.scalar(n)
	}
	if depth > maxDepth {
		p.fail(n.Line, model.Say("settings nested deeper than {} levels", maxDepth))
		return "", false
	}
	out := "["
	for i, v := range n.Content {
		s, ok := p.flat(p.follow(v), depth+1)
		if !ok {
			return "", false
		}
		if i > 0 {
			out += ", "
		}
		if out += s; len(out) > maxPattern {
			p.fail(n.Line, model.Say("a list of more than {} bytes as one setting", maxPattern))
			return "", false
		}
	}
	return out + "]", true
}

// thresholdKeys are the thresholds of the hypotheses, as shares of 0 to 1.
var thresholdKeys = []key{
	thresholdKey(model.AloneMuch, model.Lit("alone_much")), thresholdKey(model.AloneLittle, model.Lit("alone_little")),
	thresholdKey(model.BusyHigh, model.Lit("busy_high")), thresholdKey(model.BusyLow, model.Lit("busy_low")),
	thresholdKey(model.RejectedMuch, model.Lit("rejected_much")), thresholdKey(model.RejectedFew, model.Lit("rejected_few")),
	thresholdKey(model.MemoryFull, model.Lit("memory_full")), thresholdKey(model.MemoryRoom, model.Lit("memory_room")),
	thresholdKey(model.IdleMuch, model.Lit("idle_much")), thresholdKey(model.IdleLittle, model.Lit("idle_little")),
}

func readThresholds(p *parser, n *yaml.Node) { p.mapping(n, thresholdKeys) }

// thresholdKey is a key whose value is a share.
func thresholdKey(name model.Threshold, word model.Word) key {
	return key{string(name), word, func(p *parser, n *yaml.Node) {
		var v model.Maybe[float64]
		p.number(&v, n)
		f, ok := v.Get()
		switch {
		case !ok:
		case f > 1:
			p.fail(n.Line, model.Say("want a share between 0 and 1"))
		default:
			p.d.Thresholds = append(p.d.Thresholds, model.DeclaredThreshold{Name: name, Value: f, From: p.at(n.Line)})
		}
	}}
}
