package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"tracemerge/model"
)

// readOne reads a file into a capture. The error is also kept in the capture.
func (c *collector) readOne(ctx context.Context, f candidate) (*model.Capture, error) {
	var cp *model.Capture
	var err error
	src := model.Source{ID: f.id, File: label(f.rel), Kind: model.KindUnknown, Why: f.why, Bytes: f.bytes}
	switch {
	case f.err != nil:
		cp, err = &model.Capture{}, f.err
		src.SHA256, src.Bytes = hashOnDisk(f)
	case f.format == nil && !f.runFile:
		cp = &model.Capture{}
		src.SHA256, src.Bytes = hashOnDisk(f)
	default:
		cp, err = c.readKnown(ctx, f, &src)
	}
	for _, n := range f.notes {
		n.At = []model.Pos{{Source: f.id}}
		cp.Notices = append(cp.Notices, n)
	}
	if cp.Source.Kind != "" { // a recording speaks for the source it was made from
		src.Kind = cp.Source.Kind
	}
	if src.Form == "" {
		src.Form = cp.Source.Form
	}
	src.Guess = cp.Source.Guess
	cp.Source, cp.Err = src, err
	cp.Truncated = cp.Truncated || errors.Is(err, io.ErrUnexpectedEOF)
	if f.format == nil && !f.runFile {
		c.read(f.bytes, 0)
	}
	c.read(0, 1)
	return cp, err
}

// readKnown opens a file of a known kind, has it read, and takes its hash from
// the same pass over the bytes.
func (c *collector) readKnown(ctx context.Context, f candidate, src *model.Source) (*model.Capture, error) {
	in, err := Open(f.path, f.id, src.File)
	if err != nil {
		return &model.Capture{}, err
	}
	c.read(in.raw.n, 0) // opening reads the first buffer
	in.raw.seen = func(n int) { c.read(int64(n), 0) }
	src.Kind = model.KindRunFile
	if !f.runFile {
		src.Kind = f.format.Kind
	}
	cp, err := c.guarded(ctx, f, in)
	if n, zeros := in.Behind(); n > 0 {
		cp.Notices = append(cp.Notices, behind(f.id, n, zeros))
	}
	if ctx.Err() == nil {
		sum, serr := in.Sum()
		if serr == nil {
			src.SHA256, src.Bytes, src.Content = sum, in.raw.n, in.Content()
		} else if err == nil {
			err = serr
		}
	}
	if cerr := in.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("closing: %w", cerr)
	}
	return cp, err
}

// behind is the notice of bytes after the end of compressed data.
func behind(id model.SourceID, n int64, zeros bool) model.Notice {
	note := model.Notice{Code: "ingest/behind-gzip", Severity: model.Note, N: 1, At: []model.Pos{{Source: id}},
		Text: model.Say("{} bytes stand behind the compressed data and are none themselves: they were not read; the data before them is whole", n)}
	if zeros {
		note.Severity, note.Text = model.Info, model.Say("{} zero bytes stand behind the compressed data, as some devices fill files up with: they were not read; the data before them is whole", n)
	}
	return note
}

// guarded calls the reader. A panic in it is a defect of ours; it must cost one
// file, not the report.
func (c *collector) guarded(ctx context.Context, f candidate, in *File) (cp *model.Capture, err error) {
	defer func() {
		if r := recover(); r != nil {
			cp, err = &model.Capture{}, internalError(f, r)
		}
	}()
	if f.runFile {
		var d *model.Declaration
		cp, d, err = c.opt.RunFile.Read(ctx, in)
		if err == nil && d != nil {
			d.Source = f.id
			c.declared = d
		}
	} else {
		cp, err = f.format.Read(ctx, in, Options{Declared: c.declared, Form: f.form})
	}
	if cp == nil {
		cp = &model.Capture{}
		if err == nil {
			err = model.Refuse("internal error: the reader gave nothing")
		}
	}
	return cp, err
}

// internalError describes a panic without what the panic says, which may quote
// the file, unless it is one of the runtime's own.
func internalError(f candidate, r any) error {
	what := fmt.Sprintf("%T", r)
	if e, ok := r.(runtime.Error); ok {
		what = e.Error()
	}
	kind := model.KindRunFile
	if !f.runFile {
		kind = f.format.Kind
	}
	function, line := panicPlace()
	return &model.Refusal{Text: model.Say("internal error reading it as {} (source line {}); please report it", KindWord(kind), line),
		Err: fmt.Errorf("%s at %s", what, function)}
}

// panicPlace names the function and line that panicked.
func panicPlace() (function string, line int) {
	pc := make([]uintptr, 32)
	frames := runtime.CallersFrames(pc[:runtime.Callers(1, pc)])
	panicking := false
	for {
		fr, more := frames.Next()
		if panicking && !runtimeFrame(fr.Function) {
			return fr.Function, fr.Line
		}
		panicking = panicking || fr.Function == "runtime.gopanic"
		if !more {
			return "an unknown place", 0
		}
	}
}

func runtimeFrame(fn string) bool { return len(fn) > 8 && fn[:8] == "runtime." }

// hashOnDisk returns the SHA-256 and size of a file that no reader reads, "" if
// even its bytes cannot be had.
func hashOnDisk(f candidate) (sum string, size int64) {
	disk, err := os.Open(f.path)
	if err != nil {
		return "", f.bytes
	}
	defer disk.Close() // only read from
	h := sha256.New()
	n, err := io.Copy(h, disk)
	if err != nil {
		return "", f.bytes
	}
	return hex.EncodeToString(h.Sum(nil)), n
}
