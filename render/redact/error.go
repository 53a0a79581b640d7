package redact

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"tracemerge/model"
)

// A Speaker is an error that says what happened in a sentence of ours.
type Speaker interface{ Phrase() model.Phrase }

// Error writes an error for the terminal. Paths are shown where the user typed
// them (Policy.Args) or where they lie in a folder that the user typed, and then
// as far as a file name may be shown; the text of errors of unknown origin is
// shown like free text.
func (r *Redactor) Error(err error) Shown {
	if err == nil {
		return Shown{}
	}
	return Shown{r.replaceWords(r.errorText(err))}
}

func (r *Redactor) errorText(err error) string {
	if s, ok := err.(Speaker); ok {
		text := r.Phrase(s.Phrase(), nil).s
		if in, ok := errors.Unwrap(err).(Speaker); ok {
			text += ": " + r.Phrase(in.Phrase(), nil).s
		}
		return text
	}
	switch e := err.(type) {
	case *fs.PathError:
		return r.operationWord(e.Op) + " " + r.argumentPath(e.Path) + ": " + r.errorText(e.Err)
	case *os.LinkError:
		return r.operationWord(e.Op) + " " + r.argumentPath(e.Old) + " " + r.argumentPath(e.New) + ": " + r.errorText(e.Err)
	case *os.SyscallError:
		return r.operationWord(e.Syscall) + ": " + r.errorText(e.Err)
	case syscall.Errno:
		return e.Error()
	case interface{ Unwrap() []error }:
		return r.joined(err, e.Unwrap())
	}
	for _, known := range []error{io.EOF, io.ErrUnexpectedEOF, io.ErrShortWrite, io.ErrClosedPipe, fs.ErrNotExist, fs.ErrExist,
		fs.ErrPermission, fs.ErrInvalid, fs.ErrClosed, context.Canceled, context.DeadlineExceeded, os.ErrDeadlineExceeded} {
		if err == known {
			return err.Error()
		}
	}
	if in := errors.Unwrap(err); in != nil {
		if head, ok := strings.CutSuffix(err.Error(), in.Error()); ok {
			return r.errorPart(head) + r.errorText(in)
		}
	}
	return r.errorPart(err.Error())
}

// joined writes an error that wraps several: one a line if that is its text, else
// as free text.
func (r *Redactor) joined(err error, in []error) string {
	var texts, shown []string
	for _, e := range in {
		texts = append(texts, e.Error())
		shown = append(shown, r.errorText(e))
	}
	if strings.Join(texts, "\n") == err.Error() {
		return strings.Join(shown, "\n")
	}
	return r.errorPart(err.Error())
}

// errorPart masks text around an error; what the user typed stays.
func (r *Redactor) errorPart(s string) string {
	for _, a := range r.policy.Args {
		if i := strings.Index(s, a); a != "" && i >= 0 && !partOfPath(s, i, len(a)) {
			return r.errorPart(s[:i]) + a + r.errorPart(s[i+len(a):])
		}
	}
	core := strings.TrimSpace(s)
	if core == "" {
		return s
	}
	at := strings.Index(s, core)
	return s[:at] + r.mask(core) + s[at+len(core):]
}

func partOfPath(s string, at, n int) bool {
	in := func(c byte) bool { return isWordByte(c) || c == '-' || c == '.' || c >= 0x80 }
	return at > 0 && (in(s[at-1]) || s[at-1] == '/') || at+n < len(s) && in(s[at+n])
}

// operationWord shows the name of a system operation.
func (r *Redactor) operationWord(op string) string {
	if vocabulary[op] || strings.HasPrefix(op, "readdir") || syscallNames[op] {
		return op
	}
	return hiddenText
}

var syscallNames = set("openat fstat fstatat newfstatat getdents mmap munmap ioctl chmod chdir mkdirat readlink symlink truncate ftruncate createtemp getwd fork exec wait write read open close")

// argumentPath shows a path that the user typed, or one below it.
func (r *Redactor) argumentPath(p string) string {
	best := ""
	for _, a := range r.policy.Args {
		if p == a {
			return p
		}
		dir := strings.TrimRight(filepath.ToSlash(filepath.Clean(a)), "/") + "/"
		if strings.HasPrefix(p, dir) && len(dir) > len(best) {
			best = dir
		}
	}
	if best == "" {
		return r.hidePath(p)
	}
	return best + r.Text(model.NewText(p[len(best):], model.ClassFile)).s
}
