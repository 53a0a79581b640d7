package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"tracemerge/model/report"
	"tracemerge/render"
	"tracemerge/render/redact"
)

func initCommand() command {
	return command{name: "init", args: "RUN", summary: "writes a commented run.yaml from what the folder shows",
		help: `
The file declares nothing until you take away the # before a key. It asks what no
exported file says (what was run, with what, what is wrong) and names the files whose
clocks need a declaration. A run.yaml that is there already is never overwritten.

  tracemerge init ./run1
`,
		run: func(ctx context.Context, args []string, io stdio) error {
			if len(args) != 1 {
				return &usageError{command: "init", text: "init: want one run folder"}
			}
			return initialise(ctx, args[0], io)
		}}
}

// initialise writes run.yaml into a run folder.
func initialise(ctx context.Context, dir string, io stdio) error {
	for _, name := range []string{"run.yaml", "run.yml"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return fmt.Errorf("%s is there already; nothing was written", filepath.Join(dir, name))
		}
	}
	if st, err := os.Stat(dir); err == nil && !st.IsDir() {
		return fmt.Errorf("%s: not a folder; a run is a folder of exported files", dir)
	}
	o := new(inspectOptions)
	col, err := o.read(ctx, dir)
	if err != nil {
		return explain(err, nil, []string{dir})
	}
	run, err := o.diagnose(ctx, col, dir)
	if err != nil {
		return err
	}
	rep := &report.Report{Runs: []report.Run{run}}
	ro := render.Options{Version: version()}
	var b bytes.Buffer
	doc := redact.New(onTerminal(policy(rep, false), []string{dir}), render.PlainFor(rep, ro)).Document(rep)
	if err := render.RunFile(&b, doc); err != nil {
		return err
	}
	path := filepath.Join(dir, "run.yaml")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already; nothing was written", path)
	}
	if err != nil {
		return fmt.Errorf("output: %w", err)
	}
	_, err = f.Write(b.Bytes())
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return errors.Join(fmt.Errorf("output: %w", err), os.Remove(path))
	}
	_, err = fmt.Fprintf(io.out, "%s: take away the # before what you know\n", path)
	return err
}
