package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"tracemerge/align"
	"tracemerge/ingest"
	"tracemerge/ingest/torch"
	"tracemerge/model"
	"tracemerge/model/compare"
	"tracemerge/model/diagnosis"
	"tracemerge/model/ranks"
	"tracemerge/model/report"
	"tracemerge/model/stage"
	"tracemerge/render"
	"tracemerge/render/redact"
)

// buildOptions are the flags of build.
type buildOptions struct {
	output, json, zone string
	record             string
	scenarios          scenarioFlag
	from, to           timeFlag
	lang, progress     choice
	basis              choice
	cache              string
	jobs               int
	strict, relative   bool
	strictClock        bool
	hostSkew           skewFlag
	quiet, force       bool
}

func (o *buildOptions) flags() *flagSet {
	fs := newFlags("build")
	fs.StringVarP(&o.output, "output", "o", "tracemerge-report.html", "the report to write")
	fs.StringVar(&o.json, "json", "", "also write the summary as JSON to this file; - is standard output")
	fs.StringVar(&o.record, "record", "", "also write the record of the diagnosis as Markdown to this file, to paste into a ticket")
	o.reading(fs)
	o.lang = choice{"en", []string{"en"}}
	fs.Var(&o.lang, "lang", "language of the report")
	fs.StringVar(&o.cache, "cache", "off", "keep what was read between builds; only off so far")
	fs.BoolVar(&o.strict, "strict", false, "exit with 3 if some input could not be read or was cut off; bound busy shares by the widest sampler")
	o.progress = choice{"auto", []string{"auto", "plain", "off"}}
	fs.Var(&o.progress, "progress", "how far the reading is, on standard error")
	fs.BoolVar(&o.relative, "relative-time", false, "no absolute dates in the report")
	fs.BoolVarP(&o.quiet, "quiet", "q", false, "no messages but errors")
	fs.BoolVarP(&o.force, "force", "f", false, "overwrite an existing file that is not a tracemerge report")
	return fs
}

// reading are the flags that change what is read, which check shares.
func (o *buildOptions) reading(fs *flagSet) {
	fs.StringVarP(&o.zone, "zone", "z", "", "zone of sources whose stamps have none: an IANA name, local, or +09:00")
	fs.VarP(&o.scenarios, "what-if", "w", "a scenario, e.g. gpu_compute=0.5 halves that stage; repeatable; join several changes by commas")
	o.basis = choice{"auto", []string{"auto", "app-log", "pytorch-trace"}}
	fs.Var(&o.basis, "basis", "the sources whose stages fill the window and are scaled (auto: logs before traces)")
	o.hostSkew.add(fs)
	fs.BoolVar(&o.strictClock, "strict-clock", false, "place clocks only by their own stamps, by declarations and by what is certain, never by assumptions or signals")
	fs.Var(&o.from, "from", "the window begins here (with a zone: 2026-05-04T09:00:00+09:00)")
	fs.Var(&o.to, "to", "the window ends here")
	fs.IntVarP(&o.jobs, "jobs", "j", 0, "files read at the same time (0: one per processor)")
}

// readable checks what concerns reading.
func (o *buildOptions) readable(command string, runs []string) error {
	fail := func(format string, args ...any) error {
		return &usageError{command: command, text: fmt.Sprintf(format, args...)}
	}
	switch {
	case len(runs) == 0:
		return fail("name at least one run folder")
	case slices.Contains(runs, ""):
		return fail("a run folder has the empty name")
	case o.jobs < 0:
		return fail("--jobs: want 0 or more, found %d", o.jobs)
	case o.from.set && o.to.set && o.from.at >= o.to.at:
		return fail("--from must lie before --to")
	}
	return nil
}

func (o *buildOptions) validate(runs []string) error {
	fail := func(format string, args ...any) error {
		return &usageError{command: "build", text: fmt.Sprintf(format, args...)}
	}
	switch {
	case o.cache != "off":
		return fail("--cache: only off in this version, found %q", o.cache)
	case o.output == "" || o.output == "-":
		return fail("--output: name a file; the summary can go to standard output with --json -")
	case o.record == "-":
		return fail("--record: name a file; standard output is the summary's, with --json -")
	case o.record != "" && (filepath.Clean(o.record) == filepath.Clean(o.output) || filepath.Clean(o.record) == filepath.Clean(o.json)):
		return fail("--record names the file of another output")
	case o.json != "" && o.json != "-" && filepath.Clean(o.json) == filepath.Clean(o.output):
		return fail("--json and --output name the same file")
	}
	return o.readable("build", runs)
}

func buildCommand() command {
	return command{name: "build", args: "RUN...", summary: "reads run folders and writes one HTML report; the first run is the baseline",
		help: `
Each RUN is a folder of exported files. A file that cannot be read is reported and
never loses the others. Stamps without a zone (nvidia-smi writes such) are placed
by a declared zone: in run.yaml (clocks: {gpu.csv: {zone: Asia/Seoul}}) or with
--zone; else where one zone offset is left with which they meet another source of
the run, unless --strict-clock; otherwise the source stands on its own axis.

  tracemerge build ./run1
  tracemerge build ./before ./after -o report.html --zone Asia/Seoul
  tracemerge build ./run1 --what-if cpu_preparation=0.5 --json summary.json
`,
		flags: func() *flagSet { return new(buildOptions).flags() },
		run: func(ctx context.Context, args []string, io stdio) error {
			o := new(buildOptions)
			runs, err := parse(o.flags(), args)
			if err != nil {
				return err
			}
			if err := o.validate(runs); err != nil {
				return err
			}
			return build(ctx, o, runs, io)
		}}
}

// build is the main job: folders in, one report out.
func build(ctx context.Context, o *buildOptions, dirs []string, io stdio) (err error) {
	page, err := create(o.output, o.force, isReport)
	if err != nil {
		return err
	}
	defer page.abandon()
	var summary *output
	if o.json != "" && o.json != "-" {
		if summary, err = create(o.json, o.force, isSummary); err != nil {
			return err
		}
		defer summary.abandon()
	}
	var record *output
	if o.record != "" {
		if record, err = create(o.record, o.force, isRecord); err != nil {
			return err
		}
		defer record.abandon()
	}
	rep, err := o.read(ctx, dirs, io)
	if err != nil {
		return err
	}
	outs, err := o.render(rep)
	if err != nil {
		return err
	}
	if err := page.finish(outs.html); err != nil {
		return err
	}
	if record != nil {
		if err := record.finish(outs.record); err != nil {
			return err
		}
	}
	if err := writeSummary(outs.json, summary, o.json, io.out); err != nil {
		return err
	}
	return o.tell(rep, dirs, io.err)
}

// read makes the report of the folders: everything but its writing.
func (o *buildOptions) read(ctx context.Context, dirs []string, io stdio) (*report.Report, error) {
	rep := &report.Report{Options: report.Options{Scenarios: o.scenarios.list, AnySampler: o.strict, Basis: o.basis.kind(), CommRules: commRules(), StageWords: stage.Words()}}
	collected := make([]*ingest.Collected, len(dirs))
	for i, dir := range dirs {
		col, err := collect(ctx, o, dir, io)
		if err != nil {
			return nil, err
		}
		collected[i] = col
		tl, err := o.place(ctx, col, dir)
		if err != nil {
			return nil, err
		}
		run, err := diagnosis.Run(ctx, tl, model.NewText(runName(dir), model.ClassFile), rep.Options)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		rep.Runs = append(rep.Runs, run)
	}
	compare.Fill(rep)
	var err error
	rep.Excerpts, err = excerpts(ctx, rep, dirs, collected)
	return rep, err
}

// kind is the kind of source that was chosen, empty for auto.
func (c *choice) kind() model.SourceKind {
	if c.value == "auto" {
		return ""
	}
	return model.SourceKind(c.value)
}

// commRules are the names by which communication kernels are known.
func commRules() []report.Rule {
	var out []report.Rule
	for _, r := range torch.CommRules() {
		out = append(out, report.Rule(r))
	}
	return out
}

func writeSummary(data []byte, file *output, name string, out io.Writer) error {
	switch {
	case file != nil:
		return file.finish(data)
	case name == "-":
		_, err := out.Write(data)
		return err
	}
	return nil
}

func (o *buildOptions) align() align.Options {
	return align.Options{Zone: o.zone, LocalZone: time.Local, From: o.from.at, To: o.to.at, HasFrom: o.from.set, HasTo: o.to.set, StrictClock: o.strictClock,
		HostSkew: o.hostSkew.at, HasHostSkew: o.hostSkew.set}
}

// place puts the captures of one run on its clock. A cut that leaves nothing of
// the run is a mistake of the command line: its report would say nothing.
func (o *buildOptions) place(ctx context.Context, col *ingest.Collected, dir string) (*model.Timeline, error) {
	tl, err := align.Align(ctx, col.Captures, col.Declared, o.align())
	if err != nil {
		return nil, explain(err, col.Captures, []string{dir})
	}
	if (o.from.set || o.to.set) && tl.UTC && tl.Window.Empty() {
		return nil, &usageError{command: "build", text: fmt.Sprintf("%s: --from and --to leave nothing of the run; tracemerge inspect says what each file covers", dir)}
	}
	if err := ranks.Twice(tl); err != nil {
		return nil, explain(err, col.Captures, []string{dir})
	}
	tl.Notices = append(tl.Notices, col.Notices...)
	return tl, nil
}

// runName is the folder's own name, also for "." and "..".
func runName(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return filepath.Base(dir)
}

// collect reads one run folder.
func collect(ctx context.Context, o *buildOptions, dir string, io stdio) (*ingest.Collected, error) {
	jobs := o.jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	opt := ingest.CollectOptions{Jobs: jobs, RunFile: runFile(), Progress: o.progressOn(dir, io.err)}
	col, err := ingest.Collect(ctx, ingest.Run{Dir: dir}, formats(), opt)
	if err != nil {
		return nil, explain(err, nil, []string{dir})
	}
	return col, nil
}

// excerpts re-reads the records that the report cites.
func excerpts(ctx context.Context, rep *report.Report, dirs []string, collected []*ingest.Collected) ([]report.Excerpt, error) {
	var out []report.Excerpt
	for i := range rep.Runs {
		cited := diagnosis.Cited(&rep.Runs[i])
		at := make([]model.Pos, len(cited))
		for k, c := range cited {
			at[k] = c.At
		}
		texts, notices, err := ingest.Excerpts(ctx, dirs[i], collected[i].Captures, at, diagnosis.ExcerptBytes)
		if err != nil {
			return nil, fmt.Errorf("%s: reading the cited records again: %w", dirs[i], err)
		}
		rep.Runs[i].Notices = append(rep.Runs[i].Notices, notices...)
		for _, t := range texts {
			k := slices.IndexFunc(cited, func(e report.Evidence) bool { return e.At == t.At })
			out = append(out, report.Excerpt{Run: i, At: t.At, Why: cited[k].What, Text: t.Text})
		}
	}
	return out, nil
}

// rendered are the outputs of a report.
type rendered struct{ html, json, record []byte }

// render writes all outputs into memory; nothing private is in them.
func (o *buildOptions) render(rep *report.Report) (rendered, error) {
	ro := render.Options{Version: version(), Relative: o.relative, Zone: rep.Runs[0].Window.Zone}
	outs, err := redact.Write(policy(rep, o.relative), render.PlainFor(rep, ro), rep, func(doc redact.Document) ([][]byte, error) {
		var h, j, r, bare bytes.Buffer
		if err := render.HTML(&h, doc, ro); err != nil {
			return nil, fmt.Errorf("the report: %w", err)
		}
		if err := render.JSON(&j, doc, ro); err != nil {
			return nil, fmt.Errorf("the summary: %w", err)
		}
		if err := render.Record(&r, &bare, doc, ro); err != nil {
			return nil, fmt.Errorf("the record: %w", err)
		}
		return [][]byte{h.Bytes(), j.Bytes(), r.Bytes(), bare.Bytes()}, nil
	})
	if err != nil {
		return rendered{}, err
	}
	return rendered{outs[0], outs[1], outs[2]}, nil
}

// policy gathers what the runs declare about redaction.
func policy(rep *report.Report, relative bool) redact.Policy {
	p := redact.Policy{RelativeTime: relative}
	for _, run := range rep.Runs {
		p.Words = append(p.Words, run.Declared.RedactWords...)
		p.Show = append(p.Show, run.Declared.RedactShow...)
	}
	return p
}

// tell prints what the user should know at the terminal: the report's place, and
// a warning for each file with trouble.
func (o *buildOptions) tell(rep *report.Report, dirs []string, w io.Writer) error {
	r := redact.New(onTerminal(policy(rep, false), dirs), render.PlainFor(rep, render.Options{Zone: rep.Runs[0].Window.Zone}))
	troubled := 0
	for i, run := range rep.Runs {
		var caps []*model.Capture
		for _, s := range run.Sources {
			caps = append(caps, s.Capture)
		}
		for _, s := range run.Sources {
			lines := trouble(r, s, labels(caps))
			if len(lines) > 0 && broken(s.Capture) {
				troubled++
			}
			for _, l := range lines {
				if !o.quiet {
					fmt.Fprintf(w, "warning: %s: %s\n", filepath.Join(dirs[i], filepath.FromSlash(s.File.Raw.Reveal())), l)
				}
			}
		}
	}
	if !o.quiet {
		fmt.Fprintf(w, "report: %s\n", o.output)
	}
	if o.strict && troubled > 0 {
		return &partialError{troubled}
	}
	return nil
}

// progressOn returns what tells the user how far the reading is, nil for nothing.
func (o *buildOptions) progressOn(dir string, w io.Writer) func(ingest.Progress) {
	if o.quiet || o.progress.value == "off" || o.progress.value == "auto" && !isTerminal(w) {
		return nil
	}
	plain := o.progress.value == "plain"
	return func(p ingest.Progress) {
		line := fmt.Sprintf("%s: read %d of %d files, %d of %d MiB", dir, p.Files, p.OfFiles, p.Bytes>>20, p.OfBytes>>20)
		if plain {
			fmt.Fprintln(w, line)
			return
		}
		end := ""
		if p.Files == p.OfFiles {
			end = "\n"
		}
		fmt.Fprint(w, "\r"+line+strings.Repeat(" ", max(0, 60-len(line)))+end)
	}
}
