package render

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"strings"
)

// assets holds the style sheet, our script, and, where the build of render/js
// ran, the chart script. The folder is embedded as a whole so that a build
// without the chart script compiles.
//
//go:embed assets
var assets embed.FS

// scripts are the page's style and programs.
type scripts struct{ style, own, charts string }

const (
	styleFile  = "assets/report.css"
	scriptFile = "assets/report.js"
	chartFile  = "assets/echarts.min.js"
)

func loadScripts() (scripts, error) {
	style, err := assets.ReadFile(styleFile)
	if err != nil {
		return scripts{}, err
	}
	own, err := assets.ReadFile(scriptFile)
	if err != nil {
		return scripts{}, err
	}
	s := scripts{style: string(style), own: string(own)}
	if charts, err := assets.ReadFile(chartFile); err == nil && embeddable(string(charts)) {
		s.charts = string(charts)
	}
	return s, nil
}

// HasCharts reports whether the chart script is part of this build.
func HasCharts() bool {
	s, err := loadScripts()
	return err == nil && s.charts != ""
}

// embeddable reports whether a script can stand in a script element: it does not
// end the element, nor open a comment in it.
func embeddable(script string) bool {
	low := strings.ToLower(script)
	return script != "" && !strings.Contains(low, "</script") && !strings.Contains(low, "<!--")
}

// policy is the content security policy: nothing but the style and the scripts
// whose bytes stand in the page, and pictures that scripts make.
func (s scripts) policy() string {
	p := "default-src 'none'; style-src " + hashOf(s.style) + "; script-src " + hashOf(s.own)
	if s.charts != "" {
		p += " " + hashOf(s.charts)
	}
	return p + "; img-src data:; base-uri 'none'; form-action 'none'"
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
