package main

import (
	"context"
	"fmt"

	"tracemerge/render/require"
)

// requireFlag collects --require values.
type requireFlag struct{ list []require.Expr }

// String is the default's text in the help.
func (f *requireFlag) String() string { return "" }

// Type names the value in the help.
func (f *requireFlag) Type() string { return "EXPR" }

// Set parses one requirement.
func (f *requireFlag) Set(text string) error {
	e, err := require.Parse(text)
	if err != nil {
		return err
	}
	f.list = append(f.list, e)
	return nil
}

// checkOptions are the flags of check: its own and those of build that change what
// is read.
type checkOptions struct {
	buildOptions
	require requireFlag
}

func (o *checkOptions) flags() *flagSet {
	fs := newFlags("check")
	fs.VarP(&o.require, "require", "r", "what has to hold, e.g. 'stages.cpu_preparation.share.hi < 0.3'; repeatable")
	o.reading(fs)
	o.progress.value = "off"
	fs.BoolVarP(&o.quiet, "quiet", "q", false, "print only what does not hold or is not decidable")
	return fs
}

func checkCommand() command {
	return command{name: "check", args: "RUN... --require EXPR", summary: "says whether requirements hold, for scripts: exit 0, 1 or 3",
		help: `
Reads the runs as build does, writes no report, and decides each requirement from
the summary that build --json would write:

  tracemerge check ./run1 --require 'stages.cpu_preparation.share.hi < 0.3'
  tracemerge check ./before ./after -r 'comparison.metrics.batch_interval_median.verdict == improved'
  tracemerge check ./before ./after -r 'comparison.metrics.batch_interval_median.ratio.hi < 0.9' -r 'progress.errors == 0'
  tracemerge check ./run1 -r 'targets.deadline_seconds.met == true'

A requirement is PATH OP VALUE; OP is < <= > >= == or !=, VALUE a number, true,
false or a word (in quotation marks where it holds a space).

The path follows the keys of the summary. Beginning with a key of its top level
(runs, comparison) it starts there, else in the last run. An element of a list is
named by its id, stage, name, scenario, basis, kind, file or device, written with _
for everything but letters and digits, or by its place, counted from 1. Where
several have the name, the next part of the path may choose among them
(stages.gpu_compute.pytorch_trace.seconds), else the first is meant. A list of one
element needs no name.

Every number has bounds, .lo and .hi: a stage's seconds and share are as much larger
at most as the window was not observed; a count from a log that was cut off has no
upper bound. Without .lo or .hi a requirement holds if it holds for every value in
the bounds, does not hold if it holds for none, and is not decidable else. Not
decidable is also what is unknown, what the runs do not show, a comparison of runs
that are not comparable, and a verdict where there is none.

Exit status: 0 all hold; 1 one does not hold; 3 none fails, but one is not decidable;
2 a mistake in the command line, or a run that could not be read. A line on standard
output for each says what was found.
`,
		flags: func() *flagSet { return new(checkOptions).flags() },
		run: func(ctx context.Context, args []string, io stdio) error {
			o := new(checkOptions)
			runs, err := parse(o.flags(), args)
			if err != nil {
				return err
			}
			return check(ctx, o, runs, io)
		}}
}

// checkError ends a check that did not find every requirement to hold.
type checkError struct{ failed, undecided int }

func (e *checkError) Error() string {
	return fmt.Sprintf("%d do not hold, %d are not decidable", e.failed, e.undecided)
}

func check(ctx context.Context, o *checkOptions, dirs []string, io stdio) error {
	mistake := func(text string) error { return &usageError{command: "check", text: text} }
	if err := o.readable("check", dirs); err != nil {
		return err
	}
	if len(o.require.list) == 0 {
		return mistake("name at least one requirement: --require 'stages.cpu_preparation.share.hi < 0.3'")
	}
	rep, err := o.read(ctx, dirs, io)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnread, err)
	}
	outs, err := o.render(rep)
	if err != nil {
		return err
	}
	summary, err := require.Read(outs.json)
	if err != nil {
		return err
	}
	words := map[require.Answer]string{require.Holds: "holds", require.Fails: "does not hold", require.Undecidable: "not decidable"}
	var end checkError
	for _, e := range o.require.list {
		r, err := summary.Decide(e)
		if err != nil {
			return mistake(fmt.Sprintf("%s: %v", e, err))
		}
		switch r.Answer {
		case require.Fails:
			end.failed++
		case require.Undecidable:
			end.undecided++
		}
		if !o.quiet || r.Answer != require.Holds {
			fmt.Fprintf(io.out, "%s: %s: %s\n", words[r.Answer], e, r.Why)
		}
	}
	if end.failed+end.undecided > 0 {
		return &end
	}
	return nil
}
