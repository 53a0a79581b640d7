package smi

import (
	"strings"

	"tracemerge/model"
)

// maxDevices and maxTracks bound the GPUs and the processes of one file.
const (
	maxDevices = 1 << 12
	maxTracks  = 1 << 16
)

// factsKept bounds how many values of one property are kept; a property that
// changes more often is not an identity.
const factsKept = 8

// A place is where a record stands.
type place struct {
	line int32
	off  int64
}

// A track collects what belongs to one GPU or one process.
type track struct {
	model.Track
	uuid, index, bus, name string // as last seen; "" if the file has not said

	words map[string]string // last value of each property
	kept  map[string]int    // values kept of each property

	stamps []int64
	places []place // of the stamps
	cuts   []cut   // where in stamps a new piece of the clock begins
	piece  int     // of the last stamp
	last   []byte  // text of the last row
}

// A cut is where in a track's stamps a piece of the clock begins.
type cut struct {
	from  int
	piece model.DomainID
}

// trackTable finds the track of a row.
type trackTable struct {
	all       []*track
	byUUID    map[string]*track
	byIndex   map[string]*track // the GPU that had the index last
	processes map[string]*track
}

// shortName is a product name without the maker, which drivers from 2021 on print
// and older ones do not.
func shortName(name string) string { return strings.TrimPrefix(name, "NVIDIA ") }

// fits reports whether a track may have the product name.
func (t *track) fits(name string) bool {
	return t.name == "" || name == "" || shortName(t.name) == shortName(name)
}

// find returns the GPU of a row. The uuid decides where there is one; an index or
// a bus id alone is that of the GPU that had it last, unless the product name
// says otherwise.
func (tt *trackTable) find(k known, anonymous bool) *track {
	uuid, index, bus, name := k.UUID.known(), indexOf(k), k.Bus.known(), k.Name.known()
	switch {
	case uuid != "":
		if t := tt.byUUID[uuid]; t != nil {
			return t
		}
		return tt.only(func(t *track) bool {
			return t.uuid == "" && t.fits(name) && (index != "" && t.index == index || bus != "" && t.bus == bus)
		})
	case index != "":
		if t := tt.byIndex[index]; t != nil && t.fits(name) {
			return t
		}
		return tt.only(func(t *track) bool { return t.index == index && t.fits(name) })
	case bus != "":
		return tt.only(func(t *track) bool { return t.bus == bus && t.fits(name) })
	case name != "":
		if t := tt.only(func(t *track) bool { return t.fits(name) && t.name != "" }); t != nil {
			return t
		}
		return tt.only(func(t *track) bool { return t.uuid+t.index+t.bus == "" && t.fits(name) })
	case anonymous:
		if len(tt.all) == 1 {
			return tt.all[0]
		}
		return tt.only(func(t *track) bool { return t.uuid+t.index+t.bus+t.name == "" })
	}
	return nil
}

// only returns the one device track that answers, nil if there is none or several.
func (tt *trackTable) only(is func(*track) bool) *track {
	var found *track
	for _, t := range tt.all {
		if t.Kind == model.TrackDevice && is(t) {
			if found != nil {
				return nil
			}
			found = t
		}
	}
	return found
}

// indexOf is the index of a row's GPU. Scripts add a "gpu" of their own to
// nvidia-smi's "index"; where the two differ, the script asked one GPU at a time
// and only its own number tells them apart.
func indexOf(k known) string {
	if v := k.GPU.known(); v != "" {
		return v
	}
	return k.Index.known()
}

// full reports whether no track of the kind can be added.
func (tt *trackTable) full(kind model.TrackKind) bool {
	return len(tt.all) >= maxTracks || kind == model.TrackDevice && len(tt.all) >= maxDevices
}

// add makes a new track; nil when there are too many.
func (tt *trackTable) add(kind model.TrackKind, domain model.DomainID) *track {
	if tt.full(kind) {
		return nil
	}
	t := &track{words: map[string]string{}, kept: map[string]int{}, piece: -1}
	t.Track = model.Track{ID: model.TrackID(len(tt.all)), Kind: kind, Domain: domain, Parent: model.NoTrack}
	tt.all = append(tt.all, t)
	return t
}

// state adds a fact if its value is new for the property. It reports whether the
// property had another value before.
func (t *track) state(name, value string, c model.Class) (changed bool) {
	if value == "" || t.words[name] == value {
		return false
	}
	_, changed = t.words[name]
	t.words[name] = value
	fact := model.Fact{Name: model.NewText(name, model.ClassMetric), Value: model.NewText(value, c)}
	for _, f := range t.Facts {
		if f == fact {
			return changed
		}
	}
	if t.kept[name]++; t.kept[name] <= factsKept {
		t.Facts = append(t.Facts, fact)
	}
	return changed
}

// classOf is what a property's value is.
func classOf(name string) model.Class {
	switch name {
	case "uuid", "gpu_uuid", "serial", "gpu_serial", "pci.bus_id", "gpu_bus_id":
		return model.ClassGPUIdentity
	case "name", "gpu_name":
		return model.ClassGPUModel
	case "driver_version", "vbios_version":
		return model.ClassVersion
	case "process_name", "command", "pid":
		return model.ClassProcess
	}
	if strings.HasPrefix(name, "pci.") || strings.HasSuffix(name, "uuid") || strings.HasPrefix(name, "platform.") {
		return model.ClassGPUIdentity
	}
	return model.ClassCell
}

// trackOf returns the track of a row that was read through gocsv, making it if it
// is new, and notes the identity that the row states. It returns nil if the row
// names nothing.
func (r *reader) trackOf(k known, at model.Pos) *track {
	s := r.sheet
	if s.process() {
		return r.processOf(k)
	}
	if g, i := k.GPU.known(), k.Index.known(); g != "" && i != "" && g != i {
		r.notices.Add("smi/two-indexes", model.Note, at, model.Say(
			"columns {} and {} disagree about the GPU: the first is taken as its index",
			model.NewText(s.cols[s.at[fGPU]].name, model.ClassMetric), model.NewText(s.cols[s.at[fIndex]].name, model.ClassMetric)))
	}
	anonymous := s.at[fIndex] < 0 && s.at[fGPU] < 0 && s.at[fUUID] < 0 && s.at[fBus] < 0 && s.at[fName] < 0
	t := r.tracks.find(k, anonymous)
	if t == nil {
		if !anonymous && k.UUID.known()+indexOf(k)+k.Bus.known()+k.Name.known() == "" {
			return nil
		}
		if prior := r.tracks.byIndex[indexOf(k)]; prior != nil && k.UUID.known() == "" {
			r.notices.Add("smi/index-of-two-gpus", model.Note, at, model.Say(
				"index {} stands for GPUs of two product names: they are kept apart; export uuid to tell GPUs apart",
				model.NewText(indexOf(k), model.ClassCell)))
		}
		if t = r.tracks.add(model.TrackDevice, r.domain()); t == nil {
			return nil
		}
	}
	if index := indexOf(k); index != "" {
		if t.index != "" && t.index != index {
			r.notices.Add("smi/index-renumbered", model.Note, at, model.Say(
				"a GPU changes its index from {} to {}: it is followed by uuid",
				model.NewText(t.index, model.ClassCell), model.NewText(index, model.ClassCell)))
		}
		t.index = index
		r.tracks.byIndex[index] = t
	}
	if uuid := k.UUID.known(); uuid != "" {
		t.uuid = uuid
		r.tracks.byUUID[uuid] = t
	}
	if v := k.Bus.known(); v != "" {
		t.bus = v
	}
	if v := k.Name.known(); v != "" {
		t.name = v
	}
	r.identify(t, k)
	return t
}

// processOf is trackOf for the rows of --query-compute-apps and pmon.
func (r *reader) processOf(k known) *track {
	pid := k.PID.known()
	if pid == "" {
		return nil
	}
	gpu := indexOf(k) + "\x00" + k.UUID.known() + "\x00" + k.Bus.known()
	key := gpu + "\x00" + pid + "\x00" + string(k.Process)
	t := r.tracks.processes[key]
	if t == nil {
		if t = r.tracks.add(model.TrackProcess, r.domain()); t == nil {
			return nil
		}
		r.tracks.processes[key] = t
		t.index, t.uuid, t.bus = indexOf(k), k.UUID.known(), k.Bus.known()
	}
	r.identify(t, k)
	return t
}

// identify keeps the identity as facts, under the names of the file's columns, and
// fills in the track's name and key.
func (r *reader) identify(t *track, k known) {
	for f, c := range k.cells() {
		if f < fIndex || r.sheet.at[f] < 0 {
			continue
		}
		name := r.sheet.cols[r.sheet.at[f]].name
		t.state(name, c.known(), classOf(name))
	}
	if t.Device.Empty() {
		for _, key := range []string{t.index, t.uuid, t.bus} {
			if key != "" {
				t.Device = model.NewRaw(key)
				break
			}
		}
	}
	if !t.Name.Empty() {
		return
	}
	names := []model.Text{model.NewText(t.name, model.ClassGPUModel), model.NewText(t.uuid, model.ClassGPUIdentity),
		model.NewText(t.bus, model.ClassGPUIdentity), model.NewText(t.index, model.ClassCell)}
	if t.Kind == model.TrackProcess {
		names = []model.Text{model.NewText(k.Process.known(), model.ClassProcess), model.NewText(k.PID.known(), model.ClassProcess)}
	}
	for _, n := range names {
		if !n.Empty() {
			t.Name = n
			return
		}
	}
}
