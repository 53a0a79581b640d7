package hoststat

import (
	"slices"
	"strings"

	"tracemerge/model"
)

// maxTracks bounds the processes and threads of one file.
const maxTracks = 1 << 16

type trackKey struct {
	kind model.TrackKind
	id   string // pid, tid, core or device
	name string // of a process: another command under the same pid is another process
}

// What an id of a process or thread begins with.
const (
	processID = "pid "
	threadID  = "tid "
)

// A track collects what belongs to one thing.
type track struct {
	model.Track
	seen []stretch
}

// A stretch is from the first to the last row of a track on one piece of the clock.
type stretch struct {
	piece       model.DomainID
	first, last int64
}

func (t *track) saw(at tick) {
	if n := len(t.seen); n > 0 && t.seen[n-1].piece == at.piece {
		t.seen[n-1].last = max(t.seen[n-1].last, at.at)
		return
	}
	t.seen = append(t.seen, stretch{at.piece, at.at, at.at})
}

type trackTable struct {
	by    map[trackKey]*track
	list  []*track
	host  string // as the banner names it
	whole *track // the host itself

	process *track // whose row came last
}

func (t *trackTable) any(k model.TrackKind) bool {
	return slices.ContainsFunc(t.list, func(x *track) bool { return x.Kind == k })
}

// find returns the track, making it if it is new; nil when there are too many.
func (t *trackTable) find(k trackKey, parent *track, piece model.DomainID) *track {
	if x := t.by[k]; x != nil {
		return x
	}
	if len(t.list) >= maxTracks {
		return nil
	}
	x := &track{Track: model.Track{ID: model.TrackID(len(t.list)), Kind: k.kind, Domain: piece, Parent: model.NoTrack}}
	if parent != nil {
		x.Parent = parent.ID
	}
	switch k.kind {
	case model.TrackProcess:
		x.Name = model.NewText(k.name, model.ClassProcess)
		what, id, _ := strings.Cut(k.id, " ")
		x.Facts = []model.Fact{{Name: model.NewText(what, model.ClassMetric), Value: model.NewText(id, model.ClassCell)}}
	case model.TrackHost:
		x.Name = model.NewText(k.id, model.ClassHost)
	default:
		x.Name = model.NewText(k.id, model.ClassCell)
	}
	t.by[k] = x
	t.list = append(t.list, x)
	return x
}

// thread returns the track of a thread of the process whose row came last.
func (t *trackTable) thread(k trackKey, piece model.DomainID) *track {
	parent := t.process
	if parent == nil {
		parent = t.hostTrack(piece)
	}
	return t.find(k, parent, piece)
}

// hostTrack returns the track of the host.
func (t *trackTable) hostTrack(piece model.DomainID) *track {
	if t.whole == nil {
		name := t.host
		if name == "" {
			name = "host"
		}
		t.whole = t.find(trackKey{kind: model.TrackHost, id: name}, nil, piece)
	}
	return t.whole
}

func (t *trackTable) build() []model.Track {
	out := make([]model.Track, len(t.list))
	for i, x := range t.list {
		out[i] = x.Track
	}
	return out
}
