package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"tracemerge/align"
	"tracemerge/model"
	"tracemerge/model/report"
	"tracemerge/model/whatif"
)

// flagSet is the flags of one command.
type flagSet = pflag.FlagSet

// newFlags is an empty set that reports mistakes as errors and prints nothing.
func newFlags(name string) *flagSet {
	fs := pflag.NewFlagSet(name, pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.SortFlags = false
	return fs
}

// scenarioFlag collects --what-if values.
type scenarioFlag struct{ list []report.Requested }

// String is the default's text in the help.
func (f *scenarioFlag) String() string { return "" }

// Type names the value in the help.
func (f *scenarioFlag) Type() string { return "STAGE=FACTOR[,…]" }

// Set parses "cpu_preparation=0.5" or "cpu_preparation=0.5,write=0".
func (f *scenarioFlag) Set(text string) error {
	var r report.Requested
	for _, part := range strings.Split(text, ",") {
		name, factor, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok || name == "" {
			return fmt.Errorf("want STAGE=FACTOR, such as gpu_compute=0.5, found %q", part)
		}
		v, err := whatif.ParseFactor(factor)
		if err != nil {
			return fmt.Errorf("%q: %w", part, err)
		}
		stage := model.StageNamed(name)
		for _, c := range r.Changes {
			if c.Stage == stage {
				return fmt.Errorf("the stage %q stands twice in one scenario", name)
			}
		}
		r.Changes = append(r.Changes, report.Change{Stage: stage, Factor: v})
	}
	f.list = append(f.list, r)
	return nil
}

// timeFlag is an instant with a zone.
type timeFlag struct {
	at  model.Time
	set bool
}

// String is the default's text in the help.
func (f *timeFlag) String() string { return "" }

// Type names the value in the help.
func (f *timeFlag) Type() string { return "TIME" }

// Set parses an RFC 3339 instant.
func (f *timeFlag) Set(text string) error {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return fmt.Errorf("want an instant with its zone, such as 2026-05-04T09:00:00+09:00, found %q", text)
	}
	f.at, f.set = model.Time(t.UnixNano()), true
	return nil
}

// skewFlag is how far the clocks of two hosts may lie apart.
type skewFlag struct {
	at  time.Duration
	set bool
}

func (f *skewFlag) add(fs *flagSet) {
	fs.Var(f, "host-skew", "clocks of traces of different hosts are taken to be this close (an assumption; default "+align.DefaultHostSkew.String()+")")
}

// String returns the value for the help.
func (f *skewFlag) String() string { return "" }

// Type names the value in the help.
func (f *skewFlag) Type() string { return "DURATION" }

// Set parses a duration that is not negative.
func (f *skewFlag) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return fmt.Errorf("want a duration such as 5ms, found %q", text)
	}
	f.at, f.set = d, true
	return nil
}

// choice is a flag with a fixed set of values.
type choice struct {
	value  string
	values []string
}

// String is the value.
func (c *choice) String() string { return c.value }

// Type names the value in the help.
func (c *choice) Type() string { return strings.Join(c.values, "|") }

// Set accepts one of the values.
func (c *choice) Set(text string) error {
	for _, v := range c.values {
		if v == text {
			c.value = text
			return nil
		}
	}
	return fmt.Errorf("want %s, found %q", strings.Join(c.values, " or "), text)
}

// isTerminal reports whether the writer is a terminal.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}
