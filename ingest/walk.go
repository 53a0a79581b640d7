package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tracemerge/model"
)

// entry is one file of a run folder before it has been looked into.
type entry struct {
	rel  string // relative to the folder, slash-separated
	path string // what to open
	err  error  // it, or the folder of that name, cannot be listed
}

// walker lists a run folder.
type walker struct {
	root    string // absolute, without symbolic links
	files   []entry
	targets map[string]bool // link targets taken so far
	notices model.Notices
}

// list returns the files of the folder sorted by relative path, hidden ones left
// out, and notices on what is not followed. Only regular files are listed:
// opening a pipe or a device could wait for ever.
func list(ctx context.Context, dir string) ([]entry, []model.Notice, error) {
	st, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, fmt.Errorf("%s: no such folder", dir)
	case err != nil:
		return nil, nil, fmt.Errorf("%s: %w", dir, pathless(err))
	case !st.IsDir():
		return nil, nil, fmt.Errorf("%s: not a folder; a run is a folder of exported files", dir)
	}
	root, err := filepath.EvalSymlinks(dir)
	if err == nil {
		root, err = filepath.Abs(root)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, pathless(err))
	}
	w := &walker{root: root, targets: map[string]bool{}}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return w.visit(path, d, err)
	})
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, err
		}
		return nil, nil, fmt.Errorf("%s: %w", dir, pathless(err))
	}
	slices.SortFunc(w.files, func(a, b entry) int { return strings.Compare(a.rel, b.rel) })
	return w.files, w.notices.List, nil
}

func (w *walker) visit(path string, d fs.DirEntry, err error) error {
	rel, rerr := filepath.Rel(w.root, path)
	if rerr != nil {
		return rerr
	}
	rel = filepath.ToSlash(rel)
	if err != nil {
		if rel == "." {
			return err
		}
		w.files = append(w.files, entry{rel: rel, path: path, err: fmt.Errorf("listing: %w", pathless(err))})
		if d != nil && d.IsDir() {
			return fs.SkipDir
		}
		return nil
	}
	if rel != "." && strings.HasPrefix(d.Name(), ".") {
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	}
	switch {
	case d.IsDir():
	case d.Type().IsRegular():
		w.files = append(w.files, entry{rel: rel, path: path})
	case d.Type()&fs.ModeSymlink != 0:
		w.link(rel, path)
	default:
		w.notices.Add("ingest/not-a-file", model.Note, model.Pos{},
			model.Say("{} is neither a file nor a folder: not opened", label(rel)))
	}
	return nil
}

// link takes a symbolic link only where its target is a file of the folder that
// is not listed by itself, as in a mounted configuration whose visible names
// point into a hidden folder. Any other target would be read twice or lies
// outside.
func (w *walker) link(rel, path string) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		w.notices.Add("ingest/link-broken", model.Note, model.Pos{},
			model.Say("the link {} leads nowhere: not followed", label(rel)))
		return
	}
	in, err := filepath.Rel(w.root, target)
	if err != nil || in == ".." || strings.HasPrefix(in, ".."+string(filepath.Separator)) {
		w.notices.Add("ingest/link-outside", model.Note, model.Pos{},
			model.Say("the link {} leads out of the run folder: not followed; copy the file if it belongs to the run", label(rel)))
		return
	}
	st, err := os.Stat(target)
	if err != nil || !st.Mode().IsRegular() {
		w.notices.Add("ingest/link-folder", model.Note, model.Pos{},
			model.Say("the link {} does not lead to a file: not followed", label(rel)))
		return
	}
	if !hidden(in) || w.targets[target] {
		w.notices.Add("ingest/link-inside", model.Info, model.Pos{},
			model.Say("the link {} leads to a file of this folder that is read by itself", label(rel)))
		return
	}
	w.targets[target] = true
	w.files = append(w.files, entry{rel: rel, path: target})
}

// hidden reports whether any element of a relative path begins with a dot.
func hidden(rel string) bool {
	for _, part := range strings.Split(filepath.ToSlash(rel), "/") {
		if strings.HasPrefix(part, ".") {
			return true
		}
	}
	return false
}

func label(rel string) model.Text { return model.NewText(rel, model.ClassFile) }

// pathless takes the path out of an error of the operating system, so that an
// error kept in a capture holds no path of the machine.
func pathless(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
