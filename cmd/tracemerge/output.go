package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"tracemerge/render"
)

// generatorMark stands near the top of every report that tracemerge writes.
const generatorMark = `<meta name="generator" content="tracemerge`

// output is a file that appears whole or not at all: it is written beside its
// place and renamed.
type output struct {
	path string
	tmp  *os.File
}

// create prepares an output before the long work, so that a place that cannot be
// written is known at once. An existing file is replaced only if own says that it
// is one of ours, or with force.
func create(path string, force bool, own func(head []byte) bool) (*output, error) {
	switch st, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("output: %w", err)
	case st.IsDir():
		return nil, fmt.Errorf("output: %s is a folder; name a file", path)
	case !st.Mode().IsRegular():
		// Renaming onto a device would replace the device.
		return nil, fmt.Errorf("output: %s is not a regular file; name another", path)
	case !force:
		head, err := readHead(path)
		if err != nil {
			return nil, fmt.Errorf("output: %w", err)
		}
		if len(head) > 0 && !own(head) {
			return nil, fmt.Errorf("output: %s exists and was not written by tracemerge; name another file or use --force", path)
		}
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".tracemerge-*")
	var at *fs.PathError
	switch {
	case errors.As(err, &at): // the temporary name would tell nobody anything
		return nil, fmt.Errorf("output: cannot write into the folder %s: %w", filepath.Dir(path), at.Err)
	case err != nil:
		return nil, fmt.Errorf("output: %w", err)
	}
	return &output{path: path, tmp: tmp}, nil
}

func readHead(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	head := make([]byte, 4096)
	n, err := io.ReadFull(f, head)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return head[:n], errors.Join(err, f.Close())
}

func isReport(head []byte) bool { return bytes.Contains(head, []byte(generatorMark)) }
func isSummary(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("{\n  \"tracemerge\""))
}

func isRecord(head []byte) bool { return bytes.HasPrefix(head, []byte(render.RecordMark)) }

// finish writes the bytes and puts the file in its place.
func (o *output) finish(data []byte) error {
	_, err := o.tmp.Write(data)
	if err == nil {
		err = o.tmp.Chmod(0o644)
	}
	if err = errors.Join(err, o.tmp.Close()); err == nil {
		err = os.Rename(o.tmp.Name(), o.path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(o.tmp.Name()))
		return fmt.Errorf("writing %s: %w", o.path, err)
	}
	o.tmp = nil
	return nil
}

// abandon removes what was begun; after finish it does nothing.
func (o *output) abandon() {
	if o == nil || o.tmp == nil {
		return
	}
	// The file is of no use to anybody: an error here has no consequence.
	_ = o.tmp.Close()
	_ = os.Remove(o.tmp.Name())
}
