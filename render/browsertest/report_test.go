package browsertest

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// sections are the ids of the contract.
var sections = []string{"summary", "waterfall", "devices", "what-if", "pauses", "hypotheses", "comparison", "record", "clock", "unknown", "excerpts", "method"}

const visibleSections = `Array.from(document.querySelectorAll("main > section")).filter(s => s.getBoundingClientRect().height > 30 && getComputedStyle(s).visibility === "visible").map(s => s.id)`

// A page says nothing, asks for nothing, has its sections, draws its pictures
// and fits its width.
func TestPagesInABrowser(t *testing.T) {
	in := browser(t)
	for _, p := range pages(t) {
		t.Run(p.name, func(t *testing.T) {
			for _, width := range []int64{1440, 320} {
				b := open(t, in, p, width)
				if got := eval[[]string](b, visibleSections); !slices.Equal(got, sections) {
					t.Errorf("at %d px: sections %v, want %v", width, got, sections)
				}
				if got := eval[[]float64](b, `[document.documentElement.scrollWidth, document.documentElement.clientWidth]`); got[0] > got[1] {
					t.Errorf("at %d px the page is %v px wide: %s", width, got[0], eval[string](b, widest))
				}
				if got := eval[[]string](b, emptyPictures); len(got) > 0 {
					t.Errorf("at %d px: pictures without a size: %v", width, got)
				}
				b.quiet()
				b.shot(p.name + map[int64]string{1440: "-wide", 320: "-narrow"}[width])
			}
		})
	}
}

// widest names the elements that stick out of the page.
const widest = `Array.from(document.querySelectorAll("body *")).filter(e => !e.closest(".scroll, svg, .skip, details:not([open])") && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).slice(0, 5).map(e => e.tagName + "." + e.className).join(", ")`

// emptyPictures are the strips in sight that have no size.
const emptyPictures = `Array.from(document.querySelectorAll("svg.strip, svg.barpic")).filter(s => !s.closest("details:not([open])")).filter(s => { const r = s.getBoundingClientRect(); return r.width < 40 || r.height < 8; }).map(s => s.getAttribute("aria-label") || s.className.baseVal)`

func handmade(t *testing.T, name string) page { return byName(t, pages(t), name) }

func byName(t *testing.T, all []page, name string) page {
	t.Helper()
	for _, p := range all {
		if p.name == name {
			return p
		}
	}
	t.Fatalf("no page %s", name)
	return page{}
}

func TestPicturesAreDrawn(t *testing.T) {
	b := open(t, browser(t), handmade(t, "one-run"), 1440)
	for what, js := range map[string]string{
		"boxes of stages":     `document.querySelectorAll("#waterfall rect.stage").length`,
		"hatched stretches":   `document.querySelectorAll("#waterfall rect.unknown").length`,
		"sampled boxes":       `document.querySelectorAll("#devices rect.sample").length`,
		"lighter parts":       `document.querySelectorAll("#devices rect.unsure").length`,
		"whiskers":            `document.querySelectorAll("#waterfall line.whisker").length`,
		"brackets":            `document.querySelectorAll("#waterfall line.bracket").length`,
		"bounds":              `document.querySelectorAll("#what-if rect.bound").length`,
		"links to an excerpt": `document.querySelectorAll("a[href^='#excerpt-']").length`,
	} {
		if n := eval[int](b, js); n == 0 {
			t.Errorf("no %s", what)
		}
	}
	if n := eval[int](b, `Array.from(document.querySelectorAll("rect.stage")).filter(r => r.getBoundingClientRect().width > 0).length`); n < 10 {
		t.Errorf("%d stage boxes have a width, want at least 10", n)
	}
	if eval[bool](b, `typeof echarts === "undefined"`) {
		if n := eval[int](b, `document.querySelectorAll(".nochart").length`); n == 0 {
			t.Error("built without the chart script, and the page does not say so")
		}
		t.Log("built without the chart script: charts are not looked at")
		return
	}
	if got := eval[[]int](b, `[document.querySelectorAll("script[data-chart]").length, document.querySelectorAll(".chart canvas").length]`); got[0] == 0 || got[1] < got[0] {
		t.Errorf("%d charts, %d canvases", got[0], got[1])
	}
}

// One zoom moves every picture with the same axis, and the address keeps it.
func TestZoomSortAndCopy(t *testing.T) {
	p := handmade(t, "one-run")
	b := open(t, browser(t), p, 1440)
	b.do(chromedp.Click(chromedp.CSS(`#waterfall .tools button[aria-label="Zoom in"]`)))
	if got := eval[int](b, `new Set(Array.from(document.querySelectorAll("#summary svg.zoom, #devices svg.zoom")).map(z => z.getAttribute("width"))).size`); got != 1 {
		t.Errorf("%d different zooms after one click, want 1", got)
	}
	if got := eval[string](b, `document.querySelector("#devices svg.zoom").getAttribute("width")`); got != "200%" {
		t.Errorf("width after zooming in: %s, want 200%%", got)
	}
	if got := eval[string](b, `location.hash`); !strings.HasPrefix(got, "#t=") {
		t.Errorf("address after zooming in: %q", got)
	}
	readout := `(() => { const s = document.querySelector("#waterfall svg.strip"), r = s.getBoundingClientRect(); s.dispatchEvent(new PointerEvent("pointermove", {bubbles: true, clientX: r.left + r.width / 2, clientY: r.top + 5})); return document.querySelector("#waterfall .readout").textContent; })()`
	if got := eval[string](b, readout); !strings.Contains(got, "150.0") || !strings.Contains(got, "2026-05-04 09:02:30") || !strings.Contains(got, "+09:00") {
		t.Errorf("the readout in the middle of the axis: %q", got)
	}
	sorted := `Array.from(document.querySelectorAll("#waterfall table tbody tr")).length && (() => { const t = Array.from(document.querySelectorAll("#waterfall table")).find(t => t.caption.textContent.startsWith("Stages, ")); const h = t.tHead.rows[0].cells[1]; h.querySelector("button").click(); return [h.getAttribute("aria-sort"), ...Array.from(t.tBodies[0].rows, r => r.cells[1].dataset.v)]; })()`
	got := eval[[]string](b, sorted)
	if got[0] != "ascending" || len(got) < 4 || !strings.HasPrefix(got[3], "180.") {
		t.Errorf("after sorting by time: %v", got)
	}
	b.do(chromedp.Navigate(strings.TrimSuffix(p.url, "#")+"#t=150,180"), chromedp.Reload())
	if got := eval[string](b, `document.querySelector("#devices svg.zoom").getAttribute("width")`); got != "1000%" {
		t.Errorf("width at #t=150,180 of 300 s: %s, want 1000%%", got)
	}
	b.quiet()
}

// A table is sorted by exact values, what has none stays last, and its copy holds
// the exact values in the order shown; a text that a spreadsheet would compute
// stays text.
func TestSortAndCopyAsCSV(t *testing.T) {
	b := open(t, browser(t), handmade(t, "one-run"), 1440)
	const find = `const t = Array.from(document.querySelectorAll("#devices table")).find(t => t.caption.textContent.startsWith("Metrics of device"));`
	sort := func(column int) []string {
		return eval[[]string](b, `(() => { `+find+` const i = `+strconv.Itoa(column)+`, h = t.tHead.rows[0].cells[i]; h.querySelector("button").click();
			return [h.getAttribute("aria-sort"), ...Array.from(t.tBodies[0].rows, r => r.cells[i].dataset.v === undefined ? "none" : r.cells[i].dataset.v)]; })()`)
	}
	up, down := sort(6), sort(6)
	if up[0] != "ascending" || down[0] != "descending" || len(up) < 3 {
		t.Fatalf("sorted by mean: %v, then %v", up, down)
	}
	for n, got := range [][]string{up[1:], down[1:]} {
		for i := 1; i < len(got); i++ {
			a, errA := strconv.ParseFloat(got[i-1], 64)
			c, errC := strconv.ParseFloat(got[i], 64)
			switch {
			case errA != nil && errC == nil:
				t.Errorf("a row without a value stands before one with: %v", got)
			case errA == nil && errC == nil && (n == 0 && a > c || n == 1 && a < c):
				t.Errorf("not in order: %v", got)
			}
		}
	}
	const copied = `(async () => { ` + find + ` t.tBodies[0].rows[0].cells[0].textContent = '=1+1,"x"'; let got = "";
		Object.defineProperty(navigator, "clipboard", {configurable: true, value: {writeText: async (s) => { got = s; }}});
		const button = t.parentElement.nextElementSibling; button.click(); await new Promise(r => setTimeout(r, 50));
		return [button.textContent, got, t.tBodies[0].rows[0].cells[1].dataset.v, String(t.tBodies[0].rows.length)]; })()`
	got := run(b, chromedp.Evaluate[[]string](copied, chromedp.EvalAwaitPromise))
	lines := strings.Split(strings.TrimSuffix(got[1], "\r\n"), "\r\n")
	if got[0] != "Copied" || strconv.Itoa(len(lines)-1) != got[3] || !strings.HasPrefix(lines[0], `"metric","samples",`) {
		t.Fatalf("button %q, copy %q of %s rows", got[0], got[1], got[3])
	}
	if want := `"'=1+1,""x""",` + got[2] + ","; !strings.HasPrefix(lines[1], want) {
		t.Errorf("first row %q, want it to begin with %q", lines[1], want)
	}
	b.quiet()
}

func TestWithoutScripts(t *testing.T) {
	b := open(t, browser(t), handmade(t, "one-run"), 1440, send(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	if got := eval[[]string](b, visibleSections); !slices.Equal(got, sections) {
		t.Errorf("sections %v, want %v", got, sections)
	}
	if n := eval[int](b, `document.querySelectorAll("rect.stage").length`); n < 10 {
		t.Errorf("%d stage boxes without scripts, want at least 10", n)
	}
	if n := eval[int](b, `document.querySelectorAll("button").length`); n != 0 {
		t.Errorf("%d buttons that do nothing", n)
	}
	b.quiet()
}

func TestDarkAndToggle(t *testing.T) {
	b := open(t, browser(t), handmade(t, "one-run"), 1440, scheme("dark"))
	const ground = `getComputedStyle(document.body).backgroundColor`
	if got := eval[string](b, ground); got != "rgb(18, 22, 27)" {
		t.Errorf("ground in the dark: %s", got)
	}
	b.shot("one-run-dark")
	b.do(chromedp.Click(chromedp.CSS(".theme")), chromedp.Click(chromedp.CSS(".theme")))
	if got := eval[string](b, ground); got != "rgb(255, 255, 255)" {
		t.Errorf("ground after asking for light: %s", got)
	}
	b.quiet()
}

func TestPrint(t *testing.T) {
	b := open(t, browser(t), handmade(t, "one-run"), 1440)
	pdf := run(b, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4), chromedp.PDFPrintBackground()))
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) || len(pdf) < 50_000 {
		t.Errorf("printing gave %d bytes", len(pdf))
	}
	if dir := os.Getenv("TRACEMERGE_SHOTS"); dir != "" {
		b.keep(dir, "one-run.pdf", pdf)
	}
	b.do(send(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}), chromedp.EmulateViewport(720, 1000))
	b.shot("one-run-print")
	if n := eval[int](b, `Array.from(document.querySelectorAll("button, .toc")).filter(e => e.getBoundingClientRect().height > 0 && !e.closest("th")).length`); n != 0 {
		t.Errorf("%d controls on paper", n)
	}
	if n := eval[int](b, `Array.from(document.querySelectorAll("details table")).filter(e => e.getBoundingClientRect().height === 0).length`); n != 0 {
		t.Errorf("%d folded tables are not printed", n)
	}
	b.quiet()
}

// axe-core finds no violation of WCAG 2.1 A and AA, in light, dark and narrow.
func TestAccessibility(t *testing.T) {
	const axe = "../js/node_modules/axe-core/axe.min.js"
	source, err := os.ReadFile(axe)
	if err != nil {
		if os.Getenv("TRACEMERGE_BROWSER") == "require" {
			t.Fatalf("axe-core is not installed, run npm ci in render/js: %v", err)
		}
		t.Skip("axe-core is not installed; run npm ci in render/js")
	}
	in, all := browser(t), pages(t)
	for _, name := range []string{"one-run", "two-incomparable-runs", "nothing-placed", "hostile-names", "8-ranks", "clocks-in-doubt"} {
		for _, colours := range []string{"light", "dark"} {
			t.Run(name+" "+colours, func(t *testing.T) {
				b := open(t, in, byName(t, all, name), 1440, scheme(colours))
				for _, v := range violations(b, string(source)) {
					t.Error(v)
				}
			})
		}
	}
}

func violations(b *tab, axe string) []string {
	b.t.Helper()
	eval[bool](b, axe+"; true")
	report := run(b, chromedp.Evaluate[string](`document.querySelectorAll("details").forEach(d => d.open = true);
		axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}).then(r => JSON.stringify(r.violations.map(v => v.id + " ×" + v.nodes.length + ": " + v.help + ": " + v.nodes[0].html.slice(0, 160) + " | " + v.nodes[0].failureSummary)))`, chromedp.EvalAwaitPromise))
	var out []string
	if err := json.Unmarshal([]byte(report), &out); err != nil {
		b.t.Fatalf("axe-core's answer: %v", err)
	}
	return out
}
