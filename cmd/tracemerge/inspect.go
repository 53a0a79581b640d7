package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"tracemerge/align"
	"tracemerge/ingest"
	"tracemerge/model"
	"tracemerge/model/diagnosis"
	"tracemerge/model/ranks"
	"tracemerge/model/report"
	"tracemerge/render"
	"tracemerge/render/redact"
)

func inspectCommand() command {
	return command{name: "inspect", args: "PATH...", summary: "says what each file is, its clock, what it covers, and what is wrong with it",
		help: `
Each PATH is a run folder or a single file. The table names files as they are; the
JSON (--json) is redacted like the report's summary. Where records of a file are
written in several formats, their counts stand under it; formats in run.yaml
declares which to read, if the content misleads.

--clock prints the whole argument about the clocks instead: what each offset rests
on, with file and line; the constraints that agree, contradict or cannot be tested;
other offsets that would explain the evidence; and what would tighten it most. The
JSON holds the same under clocks.

  tracemerge inspect ./run1
  tracemerge inspect ./run1 --clock
  tracemerge inspect gpu.csv --zone Asia/Seoul --json
`,
		flags: func() *flagSet { return new(inspectOptions).flags() },
		run: func(ctx context.Context, args []string, io stdio) error {
			o := new(inspectOptions)
			paths, err := parse(o.flags(), args)
			if err != nil {
				return err
			}
			switch {
			case len(paths) == 0:
				return &usageError{command: "inspect", text: "name at least one file or folder"}
			case o.jobs < 0:
				return &usageError{command: "inspect", text: fmt.Sprintf("--jobs: want 0 or more, found %d", o.jobs)}
			}
			return inspect(ctx, o, paths, io)
		}}
}

type inspectOptions struct {
	json        bool
	clock       bool
	zone        string
	strictClock bool
	hostSkew    skewFlag
	jobs        int
}

func (o *inspectOptions) flags() *flagSet {
	fs := newFlags("inspect")
	fs.BoolVar(&o.json, "json", false, "print JSON")
	fs.BoolVar(&o.clock, "clock", false, "print the evidence by which the clocks were placed")
	fs.StringVarP(&o.zone, "zone", "z", "", "zone of sources whose stamps have none: an IANA name, local, or +09:00")
	o.hostSkew.add(fs)
	fs.BoolVar(&o.strictClock, "strict-clock", false, "place clocks only by their own stamps, by declarations and by what is certain, never by assumptions or signals")
	fs.IntVarP(&o.jobs, "jobs", "j", 0, "files read at the same time (0: one per processor)")
	return fs
}

// inspect reads each path as a run of its own and prints its sources.
func inspect(ctx context.Context, o *inspectOptions, paths []string, io stdio) error {
	rep := &report.Report{}
	for _, path := range paths {
		col, err := o.read(ctx, path)
		if err != nil {
			return explain(err, nil, []string{path})
		}
		run, err := o.diagnose(ctx, col, path)
		if err != nil {
			return err
		}
		rep.Runs = append(rep.Runs, run)
	}
	ro := render.Options{Version: version()}
	if o.json {
		outs, err := redact.Write(policy(rep, false), render.PlainFor(rep, ro), rep, func(doc redact.Document) ([][]byte, error) {
			var b bytes.Buffer
			err := render.InspectJSON(&b, doc, ro)
			return [][]byte{b.Bytes()}, err
		})
		if err != nil {
			return err
		}
		_, err = io.out.Write(outs[0])
		return err
	}
	ro.Zone = rep.Runs[0].Window.Zone
	doc := redact.New(onTerminal(policy(rep, false), paths), render.PlainFor(rep, ro)).Document(rep)
	var table strings.Builder
	write := render.InspectTable
	if o.clock {
		write = render.InspectClocks
	}
	if err := write(&table, doc, ro); err != nil {
		return err
	}
	_, err := fmt.Fprint(io.out, terminalText(table.String()))
	return err
}

func (o *inspectOptions) read(ctx context.Context, path string) (*ingest.Collected, error) {
	jobs := o.jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	opt := ingest.CollectOptions{Jobs: jobs, RunFile: runFile(), Tolerant: true}
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return ingest.Collect(ctx, ingest.Run{Dir: path}, formats(), opt)
	}
	c, err := ingest.Read(ctx, path, formats(), opt)
	if err != nil {
		return nil, err
	}
	return &ingest.Collected{Captures: []*model.Capture{c}, Declared: runFile().None()}, nil
}

// diagnose places and describes the sources; a declaration that cannot be used is
// a notice here, for inspect is what shows it.
func (o *inspectOptions) diagnose(ctx context.Context, col *ingest.Collected, path string) (report.Run, error) {
	opt := (&buildOptions{zone: o.zone, strictClock: o.strictClock, hostSkew: o.hostSkew}).align()
	tl, err := align.Align(ctx, col.Captures, col.Declared, opt)
	var declared *align.DeclarationError
	switch {
	case errors.As(err, &declared) && declared.At.Source != 0:
		plain := *col.Declared
		plain.Clocks, plain.Anchors = nil, nil
		if tl, err = align.Align(ctx, col.Captures, &plain, opt); err != nil {
			return report.Run{}, explain(err, col.Captures, []string{path})
		}
		tl.Notices = append(tl.Notices, model.Notice{Code: "align/declaration", Severity: model.Failure, Text: declared.Text, N: 1, At: []model.Pos{declared.At}})
	case err != nil:
		return report.Run{}, explain(err, col.Captures, []string{path})
	}
	tl.Notices = append(tl.Notices, col.Notices...)
	if twice := ranks.Twice(tl); twice != nil {
		tl.Notices = append(tl.Notices, model.Notice{Code: "ranks/twice", Severity: model.Failure, Text: twice.Text, N: 1, At: twice.At})
	}
	run, err := diagnosis.Run(ctx, tl, model.NewText(runName(path), model.ClassFile), report.Options{})
	if err != nil {
		return run, fmt.Errorf("%s: %w", path, err)
	}
	return run, nil
}
