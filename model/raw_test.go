package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"text/template"
	"time"
)

const secret = "s3cret-path"

// nested holds raw text in unexported fields, behind pointers, in maps and
// slices: fmt reaches these without calling methods.
type nested struct {
	raw  Raw
	text Text
	ptr  *Raw
	list []Raw
	byID map[Raw]Text
	any  any
	cap  Capture
	mark Mark
	say  Phrase
}

func secrets() nested {
	r := NewRaw(secret)
	return nested{raw: r, text: NewText(secret, ClassPath), ptr: &r, list: []Raw{r}, byID: map[Raw]Text{r: NewText(secret, ClassFree)},
		any: r, cap: Capture{Names: []Raw{r}, Source: Source{File: NewText(secret, ClassFile)}}, mark: Mark{Stage: r},
		say: Say("at {}", NewText(secret, ClassPath))}
}

func TestRawIsNeverPrinted(t *testing.T) {
	n := secrets()
	r := NewRaw(secret)
	for name, v := range map[string]any{
		"Raw": r, "*Raw": &r, "Text": n.text, "nested": n, "*nested": &n, "slice": []any{n, &n, r}, "map": map[string]any{"k": n},
		"map key": map[Raw]int{r: 1}, "Maybe": Known(r), "StageID": StageNamed(secret), "Setting": []Setting{{n.text, n.text}},
		"error": fmt.Errorf("x: %v", r), "Phrase": n.say, "Declaration": Declaration{Name: n.text, RedactWords: []Raw{r}},
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%p", "%U", "%c", "%08.3f", "%w", "%T"} {
			got := fmt.Sprintf(verb, v)
			for _, leak := range []string{secret, fmt.Sprintf("%x", secret), fmt.Sprintf("%X", secret), "115 51 99 114"} {
				if strings.Contains(got, leak) {
					t.Errorf("%s of %s prints the text: %s", verb, name, got)
				}
			}
		}
	}
	if got := fmt.Sprintf("%v %s %q %#v", r, r, r, r); got != "[unredacted] [unredacted] [unredacted] [unredacted]" {
		t.Errorf("got %s, want [unredacted] for every verb", got)
	}
}

func TestRawIsNeverWrittenAsJSON(t *testing.T) {
	n := secrets()
	for name, v := range map[string]any{"Raw": n.raw, "Text": n.text, "slice": n.list, "key": map[Raw]int{n.raw: 1}, "Setting": Setting{Key: n.text},
		"Source": Source{File: n.text}} {
		if got, err := json.Marshal(v); err == nil {
			t.Errorf("%s: got %s, want an error", name, got)
		}
	}
	for name, v := range map[string]any{"nested": n, "Phrase": n.say, "StageID": StageNamed(secret)} {
		if got, _ := json.Marshal(v); strings.Contains(string(got), secret) {
			t.Errorf("%s: JSON holds the text: %s", name, got)
		}
	}
}

func TestRawIsNeverWrittenByTemplates(t *testing.T) {
	var b strings.Builder
	tm := template.Must(template.New("").Parse("{{.R}} {{.T}} {{.P}} {{printf \"%#v\" .T}}"))
	if err := tm.Execute(&b, map[string]any{"R": NewRaw(secret), "T": NewText(secret, ClassFree), "P": Say("{}", NewText(secret, ClassFree))}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), secret) {
		t.Errorf("a template prints the text: %s", b.String())
	}
}

func TestRawComparesByContent(t *testing.T) {
	a, b := NewRaw("x"+strings.Repeat("y", 3)), NewRaw("xyyy")
	if a != b || a == NewRaw("other") {
		t.Error("equal texts must be equal Raws, different ones different")
	}
	if a.Reveal() != "xyyy" || (Raw{}).Reveal() != "" {
		t.Errorf("Reveal: got %q and %q, want the text, and nothing for the zero value", a.Reveal(), Raw{}.Reveal())
	}
	if !(Raw{}).Empty() || !NewRaw("").Empty() || a.Empty() || !(Text{}).Empty() {
		t.Error("Empty holds for no text and for the empty text only")
	}
}

func TestSayTakesOnlyTypedArguments(t *testing.T) {
	for name, arg := range map[string]any{
		"Text": NewText("x", ClassFree), "Reason": NotDeclared, "StageID": StageWrite, "Time": Time(1), "Duration": time.Second,
		"Word": Lit("w"), "int": 1, "int32": int32(1), "int64": int64(1), "uint64": uint64(1), "float64": 1.5, "Phrase": Say("p"), "Pos": Pos{}, "SourceID": SourceID(1),
	} {
		if p := Say("{}", arg); p.Empty() {
			t.Errorf("%s: got an empty phrase", name)
		}
	}
	for name, arg := range map[string]any{
		"string": "free text", "[]byte": []byte("x"), "Raw": NewRaw("x"), "error": fmt.Errorf("x"), "nil": nil, "ClockTime": ClockTime(1),
		"*Text": &Text{}, "Maybe": Known(1), "slice": []Text{}, "rune string type": SourceKind("x"), "bool": true, "Stringer": time.UTC, "float32": float32(1),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: was accepted as an argument", name)
				}
			}()
			Say("{}", arg)
		}()
	}
}

func TestPhraseKeepsFormatAndArguments(t *testing.T) {
	p := Say("{} of {}", 1, Lit("two"))
	format, args := p.Format()
	if format != "{} of {}" || len(args) != 2 || args[0] != 1 || args[1] != Lit("two") {
		t.Errorf("got %q %v", format, args)
	}
	if !(Phrase{}).Empty() || p.Empty() {
		t.Error("only the zero phrase says nothing")
	}
}
