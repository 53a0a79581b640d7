package applog

import (
	"bytes"

	"tracemerge/model"
)

// A bar of tqdm or of a library like it: " 33%|███   | 4/12 [00:00<00:01, 5.0it/s]".
func isBar(b []byte) bool {
	return bytes.Contains(b, []byte("%|")) || bytes.Contains(b, []byte("it/s]")) || bytes.Contains(b, []byte("s/it]")) ||
		bytes.Contains(b, []byte("it/s, ")) && bytes.IndexByte(b, '|') >= 0
}

// afterBar returns what another writer wrote behind a bar in the same line.
func afterBar(b []byte) []byte {
	end := -1
	for _, mark := range []string{"it/s]", "s/it]"} {
		if i := bytes.LastIndex(b, []byte(mark)); i >= 0 {
			end = max(end, i+len(mark))
		}
	}
	if end < 0 {
		return nil
	}
	return bytes.TrimLeft(b[end:], " ")
}

// bar takes the progress that a bar behind another writer's stamp shows: "Epoch
// 3:  10%|#   | 50/500 [01:23<12:30, 6.00it/s]". The words before it name what
// progresses.
func (e *entry) bar(b []byte) {
	i := bytes.LastIndex(b, []byte("| "))
	if i < 0 {
		return
	}
	counts, _, ok := bytes.Cut(b[i+2:], []byte(" ["))
	done, total, good := ratio(counts)
	if !ok || !good {
		return
	}
	e.done, e.total = model.Known(done), model.Known(total)
	if what, _, ok := bytes.Cut(b, []byte(": ")); ok && len(e.task) == 0 && bytes.IndexByte(what, '%') < 0 {
		e.task = what
	}
}
