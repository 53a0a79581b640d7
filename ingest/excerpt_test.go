package ingest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tracemerge/model"
)

func TestExcerpts(t *testing.T) {
	pad := noise(300000)
	trace := `{"traceEvents": [` + strings.Repeat(" ", 100000) + `{"name": "a } \" {", "args": {"x": [1, {"y": "]"}]}}, {"name": "b"`
	dir := folder(t, map[string]string{
		"a.log":    "first line\r\nsecond äöü line\nlast",
		"b.gz":     string(gz(t, pad+"the cited line\nafter")),
		"c.json":   trace,
		"d.csv":    "x, 1\n",
		"changed":  "now longer",
		"e.arrow":  "ARROW1 and bytes",
		"cut.gz":   string(gz(t, pad)[:20000]),
		"bad.utf8": "ok \xff\xfe end\n",
	})
	caps := []*model.Capture{}
	add := func(name string, kind model.SourceKind) model.SourceID {
		c := &model.Capture{Source: model.Source{ID: model.SourceID(len(caps) + 1), File: label(name), Kind: kind}}
		if st, err := os.Stat(filepath.Join(dir, name)); err == nil {
			c.Source.Bytes = st.Size()
		}
		caps = append(caps, c)
		return c.Source.ID
	}
	log, packed := add("a.log", model.KindLog), add("b.gz", model.KindLog)
	json, csv := add("c.json", model.KindTrace), add("d.csv", model.KindSMI)
	changed, gone := add("changed", model.KindLog), add("gone", model.KindLog)
	arrow, cut, bad := add("e.arrow", model.KindSMI), add("cut.gz", model.KindLog), add("bad.utf8", model.KindLog)
	caps[changed-1].Source.Bytes--

	object := int64(strings.Index(trace, `{"name": "a`))
	pos := func(id model.SourceID, offset int64, n int32) model.Pos {
		p := model.Pos{Source: id, Offset: offset, Len: n}
		if offset == 0 {
			p.Line = 1
		}
		return p
	}
	at := []model.Pos{ // in no order, with repeats
		pos(csv, 0, 0), pos(bad, 0, 0), pos(log, 31, 0), pos(log, 12, 0), pos(log, 0, 0), pos(log, 12, 0), pos(log, 6, 4),
		pos(packed, 300000, 0), pos(json, object, 0), pos(json, object+48, 0),
		pos(changed, 0, 0), pos(gone, 0, 0), pos(arrow, 0, 0), pos(cut, 0, 0), pos(cut, 299999, 0), {}, {Source: log},
	}
	cited, notices, err := Excerpts(t.Context(), dir, caps, at, 20)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range cited {
		got = append(got, fmt.Sprintf("%d@%d %q %d", c.At.Source, c.At.Offset, c.Text.Raw.Reveal(), c.Text.Class))
	}
	line, row := int(model.ClassLogLine), int(model.ClassTableRow)
	want := []string{
		fmt.Sprintf("1@0 %q %d", "first line", line),
		fmt.Sprintf("1@6 %q %d", "line", line),
		fmt.Sprintf("1@12 %q %d", "second äöü line", line),
		fmt.Sprintf("1@31 %q %d", "last", line), // "ä", "ö", "ü" are two bytes each
		fmt.Sprintf("2@300000 %q %d", "the cited line", line),
		fmt.Sprintf("3@%d %q %d", object, `{"name": "a } \" {",…`, line),
		fmt.Sprintf("3@%d %q %d", object+48, `}]}}, {"name": "b"`, line),
		fmt.Sprintf("4@0 %q %d", "x, 1", row),
		fmt.Sprintf("8@0 %q %d", pad[:strings.IndexByte(pad, '\n')], line),
		fmt.Sprintf("9@0 %q %d", "ok \uFFFD end", line),
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
	var fails []string
	for _, n := range notices {
		_, args := n.Text.Format()
		fails = append(fails, fmt.Sprintf("%d: %v", n.At[0].Source, args[1]))
	}
	if g, w := strings.Join(fails, "\n"), `5: the file has changed since it was read
6: the file cannot be opened or read any more
7: it is a recording; the original file is not here
8: the file ends before them`; g != w {
		t.Errorf("notices: got\n%s\nwant\n%s", g, w)
	}
}

func TestExcerptOfAWholeTraceEvent(t *testing.T) {
	const event = `{"name": "a } \" {", "args": {"x": [1, {"y": "]"}]}}`
	for _, rest := range []string{"", ", {}", "\n]", "}"} {
		got := cutRecord([]byte(event+rest), model.Pos{}, model.KindTrace, 1000).Raw.Reveal()
		if got != event {
			t.Errorf("followed by %q: got %s, want %s", rest, got, event)
		}
	}
}

func TestExcerptCutBetweenCharacters(t *testing.T) {
	for limit, want := range map[int]string{5: "äö…", 4: "äö…", 3: "ä…", 1: "…", 6: "äöü"} {
		if got := cutRecord([]byte("äöü"), model.Pos{}, model.KindLog, limit).Raw.Reveal(); got != want {
			t.Errorf("limit %d: got %q, want %q", limit, got, want)
		}
	}
}

func TestExcerptsStopWhenInterrupted(t *testing.T) {
	dir := folder(t, map[string]string{"a": noise(100)})
	caps := []*model.Capture{{Source: model.Source{ID: 1, File: label("a"), Kind: model.KindLog, Bytes: 100}}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Excerpts(ctx, dir, caps, []model.Pos{{Source: 1, Offset: 50}}, 10); err == nil {
		t.Error("got no error, want that of the context")
	}
}
