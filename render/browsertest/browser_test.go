package browsertest

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var browsers = []string{"chromium", "chromium-browser", "google-chrome", "chrome"}

// browser starts one browser for a test, or skips where there is none.
func browser(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, b := range browsers {
		if p, err := exec.LookPath(b); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		if os.Getenv("TRACEMERGE_BROWSER") == "require" {
			t.Fatal("TRACEMERGE_BROWSER=require, and no browser was found: " + strings.Join(browsers, ", "))
		}
		t.Skip("no browser was found (" + strings.Join(browsers, ", ") + "); TRACEMERGE_BROWSER=require makes this a failure")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.Flag("disable-gpu", true))
	alloc, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(stop)
	ctx, stopTab := chromedp.NewContext(alloc)
	t.Cleanup(stopTab)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	return ctx
}

// A tab is one page with what it asked for and what it said.
type tab struct {
	t    *testing.T
	ctx  context.Context
	mu   sync.Mutex
	said []string // requests other than the page, console messages, exceptions
}

// A step is one action without a value.
type step = chromedp.Action[chromedp.Void]

// send is a command of the browser's protocol as a step.
func send[P, R any](c cdp.Command[P, R], params P) step {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

// scheme asks for a colour scheme.
func scheme(name string) step {
	return send(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
}

// open loads a page in a tab of its own, after the given settings.
func open(t *testing.T, in context.Context, p page, width int64, before ...step) *tab {
	t.Helper()
	ctx, stop := chromedp.NewContext(in)
	t.Cleanup(stop)
	b := &tab{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, func(ev any) { b.hear(ev, p.url) }); err != nil {
		t.Fatalf("opening a tab: %v", err)
	}
	b.do(send(network.Enable, network.EnableParams{}), send(log.Enable, cdp.Empty{}), chromedp.EmulateViewport(width, 900))
	b.do(before...)
	b.do(chromedp.Navigate(p.url))
	return b
}

func (b *tab) hear(ev any, url string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := ev.(type) {
	case *network.EventRequestWillBeSent:
		if at, _, _ := strings.Cut(e.Request.URL, "#"); at != url {
			b.said = append(b.said, "request: "+e.Request.URL)
		}
	case *runtime.EventConsoleAPICalled:
		b.said = append(b.said, "console: "+string(e.Type))
	case *runtime.EventExceptionThrown:
		b.said = append(b.said, "exception: "+e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		b.said = append(b.said, "log: "+e.Entry.Text)
	}
}

// quiet fails if the page asked for anything or said anything.
func (b *tab) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.said {
		b.t.Errorf("the page is not quiet: %s", s)
	}
}

func (b *tab) do(steps ...step) {
	b.t.Helper()
	run(b, chromedp.Steps(steps...))
}

// run runs one action and returns its value.
func run[T any](b *tab, a chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 2*time.Minute)
	defer cancel()
	v, err := chromedp.Run(ctx, a)
	if err != nil {
		b.t.Fatalf("in the browser: %v", err)
	}
	return v
}

// eval evaluates an expression in the page; it works with the page's scripts
// switched off too.
func eval[T any](b *tab, js string) T {
	b.t.Helper()
	return run(b, chromedp.Evaluate[T](js))
}

// shot keeps a picture of the whole page where TRACEMERGE_SHOTS names a folder.
func (b *tab) shot(name string) {
	b.t.Helper()
	if dir := os.Getenv("TRACEMERGE_SHOTS"); dir != "" {
		b.keep(dir, name+".png", run(b, chromedp.FullScreenshot(100)))
	}
}

func (b *tab) keep(dir, name string, content []byte) {
	b.t.Helper()
	if err := os.WriteFile(dir+string(os.PathSeparator)+name, content, 0o644); err != nil {
		b.t.Fatal(err)
	}
}
