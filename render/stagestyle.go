package render

import (
	"strconv"

	"tracemerge/model"
	"tracemerge/model/report"
)

// ownStyles is the number of styles for stages that a user named; further ones
// repeat them, and the label beside the bar tells them apart.
const ownStyles = 8

// A palette gives each stage its style. Built-in stages have a fixed one, so
// that a hue means the same on every page. A user's own stages take the next one
// in order of appearance: a style derived from the name itself would show that
// two reports hide the same name.
type palette struct{ own map[model.StageID]int }

// newPalette walks the report once, in the order in which the page shows it.
func newPalette(rep *report.Report) palette {
	p := palette{own: map[model.StageID]int{}}
	for i := range rep.Runs {
		r := &rep.Runs[i]
		for _, t := range r.Stages {
			for _, row := range t.Rows {
				p.meet(row.Stage)
			}
		}
		for _, w := range r.Waterfalls {
			for _, row := range w.Rows {
				for _, s := range row.Intervals {
					p.meet(s.Stage)
				}
			}
		}
	}
	return p
}

func (p palette) meet(s model.StageID) {
	if s.Builtin() != "" {
		return
	}
	if _, ok := p.own[s]; !ok {
		p.own[s] = len(p.own)
	}
}

// style is the name of the stage's style: st-gpu_compute, st-own3.
func (p palette) style(s model.StageID) string {
	if b := s.Builtin(); b != "" {
		return "st-" + b
	}
	return "st-own" + strconv.Itoa(p.own[s]%ownStyles)
}

// patterns draws the fills that pictures refer to: one for what was not
// observed, one for each stage. Unknown alone is diagonal. The fills take their
// colours from the style sheet, so that they follow the theme.
func (m *markup) patterns(p palette) {
	m.start("svg", "class", "defs", "width", "0", "height", "0", "aria-hidden", "true", "focusable", "false")
	m.start("defs")
	m.start("pattern", "id", "hatch", "width", "6", "height", "6", "patternUnits", "userSpaceOnUse", "patternTransform", "rotate(45)")
	m.shape("rect", "class", "hatch-ground", "width", "6", "height", "6")
	m.shape("line", "class", "hatch-line", "x1", "1", "y1", "0", "x2", "1", "y2", "6")
	m.end("pattern")
	for _, s := range model.BuiltinStages() {
		m.texture("st-"+s.Builtin(), builtinTexture[s.Builtin()])
	}
	for i := range min(len(p.own), ownStyles) {
		m.texture("st-own"+strconv.Itoa(i), ownTexture[i%len(ownTexture)])
	}
	m.end("defs")
	m.end("svg")
	m.line()
}

// Textures over the stage's colour, none of them diagonal.
const (
	textureNone    = ""
	textureDots    = "dots"
	textureUpright = "upright"
	textureLevel   = "level"
	textureGrid    = "grid"
)

var builtinTexture = map[string]string{
	"file_open":       textureDots,
	"cpu_preparation": textureNone,
	"transfer":        textureUpright,
	"gpu_compute":     textureNone,
	"communication":   textureLevel,
	"write":           textureDots,
	"verification":    textureGrid,
	"other":           textureLevel,
}

var ownTexture = []string{textureUpright, textureDots, textureGrid, textureLevel}

func (m *markup) texture(style, texture string) {
	m.start("pattern", "id", "p-"+style, "width", "6", "height", "6", "patternUnits", "userSpaceOnUse")
	m.shape("rect", "class", style, "width", "6", "height", "6")
	upright := func() { m.shape("line", "class", "tex", "x1", "3", "y1", "0", "x2", "3", "y2", "6") }
	level := func() { m.shape("line", "class", "tex", "x1", "0", "y1", "3", "x2", "6", "y2", "3") }
	switch texture {
	case textureDots:
		m.shape("circle", "class", "tex-dot", "cx", "3", "cy", "3", "r", "1.1")
	case textureUpright:
		upright()
	case textureLevel:
		level()
	case textureGrid:
		upright()
		level()
	}
	m.end("pattern")
}

// fillOf is the fill of a stage's bars.
func (p palette) fillOf(s model.StageID) string { return "url(#p-" + p.style(s) + ")" }
