package ingest

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"tracemerge/model"
)

// A Cited is the text of one record that a report cites.
type Cited struct {
	At   model.Pos
	Text model.Text // ClassLogLine or ClassTableRow; ends in … where it was cut
}

// Excerpts reads the records at the given positions again from the files in dir,
// in one pass per file that ends after the last of them. A record is cut to
// limit bytes. The result is sorted by source and offset, each position once.
// Records that cannot be read again (the file is gone or has another size, a
// recording without its original) are left out, with a notice per file. A
// position without line, offset and length means a file as a whole and has no
// excerpt.
func Excerpts(ctx context.Context, dir string, caps []*model.Capture, at []model.Pos, limit int) ([]Cited, []model.Notice, error) {
	at = slices.DeleteFunc(slices.Clone(at), func(p model.Pos) bool { return p.Line == 0 && p.Offset == 0 && p.Len == 0 })
	slices.SortFunc(at, func(a, b model.Pos) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Offset, b.Offset), cmp.Compare(b.Len, a.Len), cmp.Compare(a.Line, b.Line))
	})
	at = slices.CompactFunc(at, func(a, b model.Pos) bool { return a.Source == b.Source && a.Offset == b.Offset })
	var out []Cited
	var notices []model.Notice
	for len(at) > 0 {
		n := 1
		for n < len(at) && at[n].Source == at[0].Source {
			n++
		}
		mine := at[:n]
		at = at[n:]
		i := slices.IndexFunc(caps, func(c *model.Capture) bool { return c.Source.ID == mine[0].Source })
		if i < 0 {
			continue // source 0: evidence without a record
		}
		cited, err := excerptsOf(ctx, dir, caps[i].Source, mine, limit)
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		out = append(out, cited...)
		if err != nil {
			notices = append(notices, model.Notice{Code: "ingest/excerpt", Severity: model.Note, N: int64(len(mine) - len(cited)),
				Text: model.Say("cited records of {} cannot be shown: {}", caps[i].Source.File, excerptFault(err)),
				At:   mine[len(cited):min(len(mine), len(cited)+5)]})
		}
	}
	return out, notices, nil
}

var (
	errChanged   = errors.New("the file has changed since it was read")
	errRecording = errors.New("it is a recording, not the original file")
)

func excerptFault(err error) model.Word {
	switch {
	case errors.Is(err, errChanged):
		return model.Lit("the file has changed since it was read")
	case errors.Is(err, errRecording):
		return model.Lit("it is a recording; the original file is not here")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return model.Lit("the file ends before them")
	}
	return model.Lit("the file cannot be opened or read any more")
}

// excerptsOf reads the positions of one file, which are sorted by offset.
func excerptsOf(ctx context.Context, dir string, src model.Source, at []model.Pos, limit int) (out []Cited, err error) {
	f, err := Open(filepath.Join(dir, filepath.FromSlash(src.File.Raw.Reveal())), src.ID, src.File)
	if err != nil {
		return nil, err
	}
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}()
	if f.Bytes != src.Bytes {
		return nil, errChanged
	}
	if head := f.Head(); src.Kind == model.KindRecording || bytes.HasPrefix(head, []byte("ARROW1")) || bytes.HasPrefix(head, []byte("\xff\xff\xff\xff")) {
		return nil, errRecording
	}
	in := bufio.NewReaderSize(f, max(limit+1, 64<<10))
	pos := int64(0)
	for _, p := range at {
		for pos < p.Offset {
			n, err := in.Discard(int(min(p.Offset-pos, 1<<24)))
			pos += int64(n)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return out, err
			}
		}
		rec, err := in.Peek(limit + 1)
		if len(rec) == 0 {
			return out, cmp.Or(err, io.ErrUnexpectedEOF)
		}
		out = append(out, Cited{p, cutRecord(rec, p, src.Kind, limit)})
	}
	return out, nil
}

// cutRecord takes the record from the bytes that begin with it.
func cutRecord(b []byte, p model.Pos, kind model.SourceKind, limit int) model.Text {
	end := len(b)
	switch {
	case p.Len > 0:
		end = min(end, int(p.Len))
	case kind == model.KindTrace && b[0] == '{':
		end = objectEnd(b)
	default:
		if n := bytes.IndexByte(b, '\n'); n >= 0 {
			end = n
		}
	}
	cut := end > limit
	if cut {
		end = limit
		for end > 0 && !utf8.RuneStart(b[end]) {
			end--
		}
	}
	text := strings.TrimRight(strings.ToValidUTF8(string(b[:end]), "\uFFFD"), "\r\n")
	if cut {
		text += "…"
	}
	class := model.ClassLogLine
	if kind == model.KindSMI {
		class = model.ClassTableRow
	}
	return model.NewText(text, class)
}

// objectEnd is the length of the JSON object that b begins with, or all of b.
func objectEnd(b []byte) int {
	depth, inString, escaped := 0, false, false
	for i, c := range b {
		switch {
		case escaped:
			escaped = false
		case inString:
			escaped = c == '\\'
			inString = c != '"'
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(b)
}
