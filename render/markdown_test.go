package render

import (
	"bytes"
	"strings"
	"testing"

	"tracemerge/render/redact"
)

func TestMarkdownOfTextsHasNoMarks(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain words", "batch 7 took 1.5 s", "batch 7 took 1.5 s"},
		{"a cell stays a cell", "a|b", `a\|b`},
		{"a heading", "# x", `\# x`},
		{"a list", "- x", `\- x`},
		{"a rule of a heading", "=== x", `\=== x`},
		{"emphasis and code", "*a* _b_ `c` ~d~", "\\*a\\* \\_b\\_ \\`c\\` \\~d\\~"},
		{"a link", "[a](http://b)", `\[a\](http\://b)`},
		{"an image", "![a](b)", `\!\[a\](b)`},
		{"HTML", "<b onclick=x>&amp;", "&lt;b onclick=x&gt;&amp;amp;"},
		{"a mention", "@team", `\@team`},
		{"an escape", `\*`, `\\\*`},
		{"a new line", "a\nb", "a b"},
		{"a control that turns text around", "a\u202eb", "a\ufffdb"},
	} {
		if got := escapeMarkdown(c.in); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// A record holds its parts in every state of a report, and each row of its table
// has as many cells as the head.
func TestRecordHasItsParts(t *testing.T) {
	for _, s := range states() {
		t.Run(s.name, func(t *testing.T) {
			var text, bare bytes.Buffer
			if err := Record(&text, &bare, redact.New(redact.Policy{}, PlainFor(s.rep, s.opt)).Document(s.rep), s.opt); err != nil {
				t.Fatal(err)
			}
			if len(s.rep.Runs) == 0 {
				return
			}
			for _, part := range []string{RecordMark, "## Symptom\n", "## Hypothesis and change\n", "## Conditions\n", "## Result\n", "## Excluded paths\n", "## Next observation\n"} {
				if strings.Count(text.String(), part) != 1 || !strings.Contains(bare.String(), part) {
					t.Errorf("%q does not stand in the record once", strings.TrimSpace(part))
				}
			}
			for line := range strings.Lines(text.String()) {
				if strings.HasPrefix(line, "|") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 7 {
					t.Errorf("a row of another width: %s", line)
				}
			}
			if len(s.rep.Comparisons) == 0 != strings.Contains(text.String(), "so nothing is compared") {
				t.Error("whether runs are compared is not said")
			}
		})
	}
}
