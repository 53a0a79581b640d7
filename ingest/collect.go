package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"tracemerge/model"
)

// A Run is one run folder.
type Run struct{ Dir string }

// A RunFile reads run.yaml. It is passed in, so that this package does not
// import its own children; package runfile has the one there is.
type RunFile struct {
	// Read reads the file. The capture and the declaration are never nil; the
	// error says what in the file cannot be used.
	Read func(ctx context.Context, f *File) (*model.Capture, *model.Declaration, error)
	// None is the declaration of a run without a run file: nothing declared.
	None func() *model.Declaration
}

// CollectOptions are the settings of reading a folder.
type CollectOptions struct {
	Jobs    int     // files read at the same time; 0: one per processor
	RunFile RunFile // the zero value: run.yaml is a file like any other
	// Tolerant reads the other files even if the run file is wrong; its error
	// then stands in its capture only. Otherwise it ends the reading.
	Tolerant bool
	// Progress, if set, is told how far the reading is, never twice at once.
	Progress func(Progress)
}

// Progress is how much of a folder has been read.
type Progress struct {
	Files, OfFiles int
	Bytes, OfBytes int64 // on disk
}

// Collected is what one folder holds.
type Collected struct {
	Captures []*model.Capture // by source id: Captures[i].Source.ID is i+1
	Declared *model.Declaration
	Notices  []model.Notice // on the folder: links not followed, own outputs skipped
}

// candidate is a listed file with what it was judged to be.
type candidate struct {
	entry
	verdict
	id    model.SourceID
	bytes int64
	form  string // that run.yaml declares; empty where the content decides
}

// Collect reads a run folder: every file into a capture, in the order of their
// relative paths.
//
//  1. List the folder.
//  2. Look into each file and decide its kind; leave out outputs of tracemerge;
//     number the rest.
//  3. Read the run file, so that the readers know what it declares; ask the
//     formats again about files that none of them knew; obey the formats that it
//     declares.
//  4. Read the others, several at a time.
//
// A file that cannot be read is a capture with Err; the error returned is about
// the folder or the run file.
func Collect(ctx context.Context, run Run, formats []Format, opt CollectOptions) (*Collected, error) {
	entries, notices, err := list(ctx, run.Dir)
	if err != nil {
		return nil, err
	}
	col := &collector{formats: formats, opt: opt}
	files, own, err := col.look(ctx, entries)
	if err != nil {
		return nil, err
	}
	notices = append(notices, own...)
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no files; put the exported files of one run there", run.Dir)
	}
	out := &Collected{Captures: make([]*model.Capture, len(files)), Notices: notices}
	at, err := theRunFile(run.Dir, files)
	if err != nil {
		return nil, err
	}
	col.start(files)
	col.declared = col.none()
	if at >= 0 {
		out.Captures[at], err = col.readOne(ctx, files[at])
		if err != nil && !opt.Tolerant {
			return nil, fmt.Errorf("%s: %w", filepath.Join(run.Dir, filepath.FromSlash(files[at].rel)), err)
		}
	}
	for i := range files {
		col.judgeAgain(&files[i])
	}
	for _, e := range col.declareFormats(files) {
		if !opt.Tolerant {
			return nil, e
		}
		out.Notices = append(out.Notices, model.Notice{Code: "ingest/declaration", Severity: model.Failure, N: 1, Text: e.Text, At: []model.Pos{e.At}})
	}
	if err := col.readAll(ctx, files, out.Captures); err != nil {
		return nil, err
	}
	setAsideCopies(out.Captures)
	out.Declared = col.declared
	return out, nil
}

// Read reads a single file; formats and opt are those of Collect. The error is
// for what is no readable file at all; trouble inside it is in the capture.
func Read(ctx context.Context, path string, formats []Format, opt CollectOptions) (*model.Capture, error) {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file", path)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, pathless(err))
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s: not a file", path)
	}
	col := &collector{formats: formats, opt: opt}
	files := []candidate{col.lookInto(entry{rel: filepath.Base(path), path: path})}
	files[0].id = 1
	if files[0].own {
		files[0].why = model.Say("an output of tracemerge")
	}
	col.start(files)
	col.declared = col.none()
	c, _ := col.readOne(ctx, files[0])
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return c, nil
}

// theRunFile finds the run file among the files, -1 if there is none.
func theRunFile(dir string, files []candidate) (int, error) {
	at := -1
	for i, f := range files {
		switch {
		case !f.runFile:
		case at >= 0:
			return 0, fmt.Errorf("%s: two run files, %s and %s; keep one", dir, files[at].rel, f.rel)
		default:
			at = i
		}
	}
	return at, nil
}

// judgeAgain asks the formats about a file that none of them knew, now that it is
// known what run.yaml declares.
func (c *collector) judgeAgain(f *candidate) {
	if f.format != nil || f.runFile || f.err != nil {
		return
	}
	in, err := Open(f.path, 0, label(f.rel))
	if err != nil {
		f.err = err
		return
	}
	head, best := in.Head(), No
	for i := range c.formats {
		if ask := c.formats[i].Declared; ask != nil {
			if sure := ask(head, c.declared); sure > best {
				best, f.format = sure, &c.formats[i]
			}
		}
	}
	f.err = in.Close()
}

// collector holds the state of one Collect.
type collector struct {
	formats  []Format
	opt      CollectOptions
	declared *model.Declaration

	mu      sync.Mutex // held while Progress is called
	shown   Progress
	pending atomic.Int64 // bytes read since the last call of Progress
}

func (c *collector) none() *model.Declaration {
	if c.opt.RunFile.None == nil {
		return &model.Declaration{}
	}
	return c.opt.RunFile.None()
}

// look decides what each file is and numbers those that are kept.
func (c *collector) look(ctx context.Context, entries []entry) ([]candidate, []model.Notice, error) {
	var files []candidate
	var own model.Notices
	for _, e := range entries {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		f := c.lookInto(e)
		if f.own {
			own.Add("ingest/own-output", model.Info, model.Pos{}, model.Say("{} is an output of tracemerge: skipped", label(e.rel)))
			continue
		}
		f.id = model.SourceID(len(files) + 1)
		files = append(files, f)
	}
	return files, own.List, nil
}

func (c *collector) lookInto(e entry) candidate {
	f := candidate{entry: e}
	if f.err != nil {
		f.why = model.Say("it could not be opened")
		return f
	}
	in, err := Open(e.path, 0, label(e.rel))
	if err != nil {
		f.err, f.why = err, model.Say("it could not be opened")
		return f
	}
	f.bytes = in.Bytes
	if f.err = in.Damage(); f.err != nil {
		f.why = model.Say("its content could not be read")
	} else {
		f.verdict = judge(e.rel, in.Head(), c.formats, c.opt.RunFile)
	}
	if err := in.Close(); f.err == nil {
		f.err = err
	}
	return f
}

// start sets the totals that Progress reports against.
func (c *collector) start(files []candidate) {
	c.shown.OfFiles = len(files)
	for _, f := range files {
		c.shown.OfBytes += f.bytes
	}
}

// progressStep is how many bytes are read between two reports of progress.
const progressStep = 4 << 20

func (c *collector) read(n int64, files int) {
	if c.opt.Progress == nil {
		return
	}
	if c.pending.Add(n) < progressStep && files == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shown.Bytes += c.pending.Swap(0)
	c.shown.Files += files
	c.opt.Progress(c.shown)
}

// readAll reads every file that has no capture yet.
func (c *collector) readAll(ctx context.Context, files []candidate, into []*model.Capture) error {
	jobs := c.opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(jobs, len(files)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(files) || ctx.Err() != nil {
					return
				}
				if into[i] == nil {
					into[i], _ = c.readOne(ctx, files[i]) // the error is kept in the capture
				}
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
