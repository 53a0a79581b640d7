package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tracemerge/model"
)

// The browser tests are a module of their own; they ask this test for the pages.
var (
	pagesDir = flag.String("pages", "", "write the page of each state into this folder")
	update   = flag.Bool("update-html", false, "rewrite the golden pages")
)

func pageOf(t *testing.T, s state) string {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, document(s.rep, s.opt), s.opt); err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	return b.String()
}

// bare is the page as a build without the chart script writes it.
func bare(t *testing.T, s state) string {
	t.Helper()
	var b bytes.Buffer
	if err := writeHTML(&b, document(s.rep, s.opt), s.opt, scripts{style: "/* style */", own: "/* script */"}); err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	return b.String()
}

func fileName(s state) string { return strings.NewReplacer(" ", "-", ",", "").Replace(s.name) }

func TestPages(t *testing.T) {
	for _, s := range states() {
		t.Run(s.name, func(t *testing.T) {
			page := pageOf(t, s)
			for _, id := range sectionIDs {
				if n := strings.Count(page, `<section id="`+id+`"`); n != 1 {
					t.Errorf("%d sections %s, want 1", n, id)
				}
			}
			if *pagesDir != "" {
				if err := os.WriteFile(filepath.Join(*pagesDir, fileName(s)+".html"), []byte(page), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// The golden pages hold the text of the page, one block a line.
func TestGoldenText(t *testing.T) {
	for _, s := range states() {
		if s.name == "64 devices" || s.name == "three days" {
			continue // long, and no text that the others do not have
		}
		t.Run(s.name, func(t *testing.T) {
			file := filepath.Join("testdata", "html", fileName(s)+".txt")
			got := asText(bare(t, s))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%v (go test -update-html writes it)", err)
			}
			if got != string(want) {
				t.Errorf("the page's text differs from %s: %s", file, firstDifference(got, string(want)))
			}
		})
	}
}

var (
	hidden = regexp.MustCompile(`(?s)<style.*?</style>|<script.*?</script>|<title>.*?</title>|<svg class="(ticks|defs).*?</svg>`)
	blocks = regexp.MustCompile(`</?(p|div|li|ul|tr|caption|h[1-6]|section|header|nav|main|details|summary|figure|figcaption|dl|pre|table|thead|tbody|body|head|html)\b[^>]*>`)
	cells  = regexp.MustCompile(`</t[dh]>`)
	tags   = regexp.MustCompile(`<[^>]*>`)
	blank  = regexp.MustCompile(`\n\s*\n+`)
)

func asText(page string) string {
	s := hidden.ReplaceAllString(page, "")
	s = cells.ReplaceAllString(s, " | ")
	s = blocks.ReplaceAllString(s, "\n")
	s = tags.ReplaceAllString(s, "")
	s = blank.ReplaceAllString(s, "\n")
	return strings.TrimSpace(s) + "\n"
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got " + g[i] + "\nwant " + w[i]
		}
	}
	return "one is longer than the other"
}

func TestSameDocumentSameBytes(t *testing.T) {
	for i, s := range states() {
		if a, b := pageOf(t, s), pageOf(t, states()[i]); a != b {
			t.Errorf("%s: two pages of the same report differ", s.name)
		}
	}
}

var address = regexp.MustCompile(`(?i)(src|href|xlink:href|action|formaction|poster|data|srcset)\s*=\s*["']?\s*([a-z]+:|//)[^"'>]*`)

// Nothing on a page names anything outside it.
func TestNothingIsFetched(t *testing.T) {
	for _, s := range states() {
		page := pageOf(t, s)
		markup := regexp.MustCompile(`(?s)<script.*?</script>`).ReplaceAllString(page, "")
		if m := address.FindString(markup); m != "" {
			t.Errorf("%s: an address outside the page: %s", s.name, m)
		}
		if strings.Contains(markup, "url(http") || strings.Contains(markup, "@import") {
			t.Errorf("%s: the style fetches something", s.name)
		}
		for _, m := range regexp.MustCompile(`https?://[^"'\s)]*`).FindAllString(page, -1) {
			if !strings.HasPrefix(m, "http://www.w3.org/") {
				t.Errorf("%s: an address: %s", s.name, m)
			}
		}
	}
}

// The policy names exactly the style and the scripts of the page, by the hashes
// of the bytes that stand in it; no element has a style or a handler of its own.
func TestContentSecurityPolicy(t *testing.T) {
	page := pageOf(t, states()[0])
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	if policy == nil || strings.Contains(policy[1], "unsafe") || !strings.HasPrefix(policy[1], "default-src &#39;none&#39;;") {
		t.Fatalf("policy: %q", policy)
	}
	named := 0
	for _, m := range regexp.MustCompile(`(?s)<(style|script)>(.*?)</(?:style|script)>`).FindAllStringSubmatch(page, -1) {
		sum := sha256.Sum256([]byte(m[2]))
		hash := strings.ReplaceAll(base64.StdEncoding.EncodeToString(sum[:]), "'", "&#39;")
		if !strings.Contains(policy[1], "sha256-"+hash) {
			t.Errorf("a %s of %d bytes is not named by the policy", m[1], len(m[2]))
		}
		named++
	}
	if want := strings.Count(policy[1], "sha256-"); named != want {
		t.Errorf("%d hashes in the policy, %d elements", want, named)
	}
	markup := regexp.MustCompile(`(?s)<script.*?</script>|<style.*?</style>`).ReplaceAllString(page, "")
	if m := regexp.MustCompile(`<[^>]*\s(style|on[a-z]+)=[^>]*>`).FindString(markup); m != "" {
		t.Errorf("an element with a style or a handler: %s", m)
	}
}

func TestHostileNamesStayText(t *testing.T) {
	for _, s := range states() {
		if s.name != "hostile names" {
			continue
		}
		page := pageOf(t, s)
		if n, scripts := strings.Count(page, "</script>"), strings.Count(page, "<script"); n != scripts {
			t.Errorf("%d script ends, %d scripts", n, scripts)
		}
		for _, bad := range []string{"<img", "onerror=\"", "<script>alert"} {
			if strings.Contains(page, bad) {
				t.Errorf("the page holds %s", bad)
			}
		}
	}
}

// An observation is stated; a cause is not.
func TestWordsThatTheReportDoesNotUse(t *testing.T) {
	banned := regexp.MustCompile(`(?i)\b(because|caused by|bottleneck|due to|missing|n/a\b[^)]|undefined|NaN)\b`)
	for _, s := range states() {
		if m := banned.FindString(asText(bare(t, s))); m != "" {
			t.Errorf("%s: the page says %q", s.name, m)
		}
	}
}

func TestEveryLinkInsideThePageLeadsSomewhere(t *testing.T) {
	for _, s := range states() {
		page := pageOf(t, s)
		ids := map[string]int{}
		for _, m := range regexp.MustCompile(`\sid="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			ids[m[1]]++
		}
		for id, n := range ids {
			if n > 1 {
				t.Errorf("%s: %d elements have the id %s", s.name, n, id)
			}
		}
		for _, m := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if ids[m[1]] == 0 {
				t.Errorf("%s: a link to #%s, which is not there", s.name, m[1])
			}
		}
	}
}

func TestWithoutTheChartScriptThePageSaysSo(t *testing.T) {
	page := bare(t, states()[0])
	if !strings.Contains(page, `class="note nochart"`) || !strings.Contains(page, "built without the chart script. It is complete without it") {
		t.Error("a page without the chart script does not say so")
	}
	if strings.Contains(page, "data-chart") {
		t.Error("a page without the chart script holds options of charts")
	}
}

func TestRelativeTimeShowsNoDate(t *testing.T) {
	for _, s := range states() {
		if !s.opt.Relative {
			continue
		}
		if m := regexp.MustCompile(`20\d\d-\d\d-\d\d|\d\d:\d\d:\d\d`).FindString(asText(bare(t, s))); m != "" {
			t.Errorf("%s: the page shows %s", s.name, m)
		}
	}
}

func TestTextsOfOursCanBeTranslated(t *testing.T) {
	s := states()[0]
	s.opt.Lang = "ko"
	s.opt.Translate = func(in string) string {
		if in == "Not observed" {
			return "관찰되지 않음"
		}
		return in
	}
	page := pageOf(t, s)
	if !strings.Contains(page, `<html lang="ko">`) || strings.Count(page, "관찰되지 않음") < 2 {
		t.Error("the page's language or the title of a section is not that of the options")
	}
}

// A hidden word that the page's own style or script holds too is no leak; a name
// that the page itself shows would be.
func TestTheGateKnowsThePagesOwnText(t *testing.T) {
	s := states()[0]
	rep := oneRun()
	rep.Runs[0].Sources[0].File = name("sample-column", model.ClassFile)
	rep.Runs[0].Declared.Dataset = name("scroll-padding-top", model.ClassDataset)
	rep.Runs[0].Declared.SymptomText = name("a pause of host-7731.example.org", model.ClassFree)
	d := document(rep, s.opt)
	var b bytes.Buffer
	if err := HTML(&b, d, s.opt); err != nil {
		t.Fatal(err)
	}
	if err := d.Check(b.Bytes()); err != nil {
		t.Errorf("a page without private text: %v", err)
	}
	if err := d.Check(append(b.Bytes(), " host-7731.example.org "...)); err == nil {
		t.Error("a private name after the page was not found")
	}
}

func TestEveryStatePassesTheGate(t *testing.T) {
	for _, s := range states() {
		d := document(s.rep, s.opt)
		var b bytes.Buffer
		if err := HTML(&b, d, s.opt); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if err := d.Check(b.Bytes()); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}
