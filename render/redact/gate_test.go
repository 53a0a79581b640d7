package redact

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"tracemerge/model"
)

func TestTheGateFindsALeakInEachEncoding(t *testing.T) {
	const private = `Hb<q>&"zw\vk'é/7`
	js, err := json.Marshal(private)
	if err != nil {
		t.Fatal(err)
	}
	planted := map[string]string{
		"raw":                private,
		"lower case":         strings.ToLower(private),
		"upper case":         strings.ToUpper(private),
		"HTML":               html.EscapeString(private),
		"JSON":               string(js),
		"query":              url.QueryEscape(private),
		"path":               url.PathEscape(private),
		"reversed":           reversed(private),
		"slashes":            strings.ReplaceAll(private, `\`, "/"),
		"base64":             base64.StdEncoding.EncodeToString([]byte(private)),
		"base64 after one":   base64.StdEncoding.EncodeToString([]byte("a" + private + "b")),
		"base64 after two":   base64.StdEncoding.EncodeToString([]byte("ab" + private + "bc")),
		"base64 after three": base64.URLEncoding.EncodeToString([]byte("abc" + private + "d")),
	}
	for name, p := range planted {
		r := newTestRedactor()
		r.Text(model.NewText(private, model.ClassUser))
		err := r.Check([]byte("<p>step 3 " + p + "</p>"))
		var leak *LeakError
		if !errors.As(err, &leak) {
			t.Errorf("%s: the leak was not found", name)
			continue
		}
		if want := []Count{{"user", 1}}; !reflect.DeepEqual(leak.Found, want) {
			t.Errorf("%s: got %v, want %v", name, leak.Found, want)
		}
		if strings.Contains(strings.ToLower(err.Error()), "zw") {
			t.Errorf("%s: the error shows the original: %v", name, err)
		}
	}
}

func TestTheGateLetsPassWhatIsNoLeak(t *testing.T) {
	for _, tt := range []struct {
		rule, private string
		class         model.Class
		out           string
		own           []byte
	}{
		{"the placeholder", "hbxqzwvk", model.ClassHost, "on ⟨host:1⟩", nil},
		{"a word of the vocabulary", "training", model.ClassHost, "training", nil},
		{"a short original", "hbxq", model.ClassHost, "hbxq", nil},
		{"a number of the report", "123456", model.ClassHost, `{"bytes":123456}`, nil},
		{"a part of a longer word", "these", model.ClassHost, "hypotheses", nil},
		{"text of ours that stands in the page", "hbxqzwvk", model.ClassHost, "<script>f(hbxqzwvk)</script>", []byte("f(hbxqzwvk)")},
		{"a word of a template", "hbxqzwvk", model.ClassHost, "<th>hbxqzwvk 3</th>", []byte("<th>hbxqzwvk {{.}}</th>")},
		{"a name that is shown elsewhere by right", "addmm", model.ClassSetting, "aten::addmm", nil},
		{"nothing at all", "hbxqzwvk", model.ClassHost, "", nil},
	} {
		r := newTestRedactor()
		r.Text(model.NewText("aten::addmm", model.ClassOperation))
		r.Text(model.NewText(tt.private, tt.class))
		if err := r.Check([]byte(tt.out), tt.own); err != nil {
			t.Errorf("%s: %v", tt.rule, err)
		}
	}
	r := newTestRedactor()
	r.Text(model.NewText("hbxqzwvk", model.ClassHost))
	if err := r.Check([]byte("f(hbxqzwvk) hbxqzwvk"), []byte("f(hbxqzwvk)")); err == nil {
		t.Error("a leak beside text of ours was not found")
	}
}

func TestTheGateFindsAnExcerptThatBypassedTheRedactor(t *testing.T) {
	r := newTestRedactor()
	line := "INFO patient reports severe pain, id ab12cd"
	r.Text(model.NewText(line, model.ClassLogLine))
	for _, out := range []string{line, "patient reports severe pain", "ab12cd"} {
		if r.Check([]byte(out)) == nil {
			t.Errorf("%q was not found", out)
		}
	}
}

// manyOriginals hides n users and returns a page of about a megabyte for each
// thousand.
func manyOriginals(n int) (*Redactor, []byte) {
	r, m := newTestRedactor(), newMinter(5)
	var page strings.Builder
	for i := range n {
		r.Text(model.NewText("/home/"+m.mint("aaaaaaaaaaaa"), model.ClassPath))
		fmt.Fprintf(&page, "%s⟨path:%d⟩ /home %d\n", strings.Repeat("<td>12.5 %</td>", 60), i, i)
	}
	return r, []byte(page.String())
}

func TestTheGateFindsOneLeakAmongMany(t *testing.T) {
	r, page := manyOriginals(2000)
	if err := r.Check(page); err != nil {
		t.Fatal(err)
	}
	var one string
	for o := range r.hidden {
		one = max(one, o)
	}
	if err := r.Check(append(page, one...)); err == nil {
		t.Error("the leak was not found")
	}
}

func BenchmarkCheck(b *testing.B) {
	r, page := manyOriginals(5000)
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		if err := r.Check(page); err != nil {
			b.Fatal(err)
		}
	}
}
