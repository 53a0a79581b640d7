package torch

import (
	"bytes"
	"strconv"

	"tracemerge/model"
)

// tracks numbers the tracks of the file by first appearance.
type tracks struct {
	list      []track
	byKey     map[string]model.TrackID
	key       []byte // scratch
	lastKey   []byte
	last      model.TrackID
	processes map[string]string // process_name by pid
	threads   map[string]string // thread_name by pid, 0, tid
}

type track struct {
	kind     model.TrackKind
	pid, tid string // of a thread; of a stream its device and its own name
	parent   model.TrackID
}

func newTracks() tracks {
	return tracks{byKey: map[string]model.TrackID{}, last: model.NoTrack, processes: map[string]string{}, threads: map[string]string{}}
}

// place returns the track of an event of the current category. The device is
// args.device where the file states one (CONTRACT), else the process.
func (r *reader) place(b []byte, e *element, at model.Pos) model.TrackID {
	dev, stream := e.device, e.stream
	_, stated := integer(b, dev)
	switch {
	case r.class.device:
	case r.class.unknown && stated && stream.kind != tokNone:
		r.note(unclassified, at)
	default:
		return r.tracks.find(r, 'h', b, e.pid, e.tid)
	}
	if !stated {
		dev = e.pid
	}
	if stream.kind == tokNone || stream.kind == tokNested || stream.kind == tokBare && string(b[stream.from:stream.to]) == "null" {
		stream = e.tid
	}
	return r.tracks.find(r, 's', b, dev, stream)
}

// find returns the track of a thread ('h') or stream ('s').
func (t *tracks) find(r *reader, class byte, b []byte, major, minor token) model.TrackID {
	key := append(t.key[:0], class)
	key = appendScalar(key, r, b, major)
	cut := len(key)
	key = append(key, 0)
	key = appendScalar(key, r, b, minor)
	t.key = key
	if t.last != model.NoTrack && bytes.Equal(key, t.lastKey) {
		return t.last
	}
	id, ok := t.byKey[string(key)]
	if !ok {
		parent := model.NoTrack
		kind := model.TrackThread
		pid, tid := string(key[1:cut]), string(key[cut+1:])
		if class == 's' {
			kind, parent = model.TrackStream, t.device(pid)
		}
		id = t.add(string(key), track{kind, pid, tid, parent})
	}
	t.lastKey, t.last = append(t.lastKey[:0], key...), id
	return id
}

// appendScalar appends a value as text; numbers and strings of the same text are
// the same process or thread.
func appendScalar(key []byte, r *reader, b []byte, t token) []byte {
	switch t.kind {
	case tokString, tokBare:
		return append(key, b[t.from:t.to]...)
	case tokEscaped:
		return append(key, r.text(b, t)...)
	}
	return key
}

func (t *tracks) add(key string, tr track) model.TrackID {
	id := model.TrackID(len(t.list))
	t.list = append(t.list, tr)
	t.byKey[key] = id
	return id
}

// device returns the track of a device.
func (t *tracks) device(name string) model.TrackID {
	key := "d" + name
	if id, ok := t.byKey[key]; ok {
		return id
	}
	return t.add(key, track{model.TrackDevice, name, "", model.NoTrack})
}

// ascend turns the threads of the process "Ascend Hardware" into streams of a
// device named by the process id, and returns which tracks those are.
func (t *tracks) ascend() map[model.TrackID]bool {
	found := map[model.TrackID]bool{}
	for i := range t.list {
		if tr := t.list[i]; tr.kind == model.TrackThread && t.processes[tr.pid] == ascendHardware {
			tr.kind, tr.parent = model.TrackStream, t.device(tr.pid)
			t.list[i] = tr
			found[model.TrackID(i)] = true
		}
	}
	return found
}

// process returns the id of the process to which the threads of the host belong.
// Reserved names ("Spans", "Traces"), -1 and 0 are no processes: PyTorch wrote pid
// 0 for some Python frames.
func (t *tracks) process() model.Maybe[int64] {
	found := model.Missing[int64](model.NotDeclared)
	for _, tr := range t.list {
		n, err := strconv.ParseInt(tr.pid, 10, 64)
		if tr.kind != model.TrackThread || err != nil || n <= 0 {
			continue
		}
		if v, ok := found.Get(); ok && v != n {
			return model.Missing[int64](model.NotApplicable)
		}
		found = model.Known(n)
	}
	return found
}

// build returns the tracks as the model has them.
func (t *tracks) build() []model.Track {
	out := make([]model.Track, len(t.list))
	for i, tr := range t.list {
		m := model.Track{ID: model.TrackID(i), Kind: tr.kind, Parent: tr.parent}
		name := t.threads[tr.pid+"\x00"+tr.tid]
		switch tr.kind {
		case model.TrackDevice:
			name = tr.pid
			m.Device = model.NewRaw(tr.pid)
		case model.TrackStream:
			m.Device = model.NewRaw(tr.pid)
			m.Facts = facts("device", tr.pid, "stream", tr.tid)
		default:
			m.Facts = facts("pid", tr.pid, "tid", tr.tid, "process_name", t.processes[tr.pid])
		}
		if name == "" {
			name = tr.tid
		}
		m.Name = model.NewText(name, model.ClassProcess)
		out[i] = m
	}
	return out
}

func facts(pairs ...string) []model.Fact {
	var out []model.Fact
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, model.Fact{Name: model.NewText(pairs[i], model.ClassMetric), Value: model.NewText(pairs[i+1], model.ClassProcess)})
		}
	}
	return out
}
