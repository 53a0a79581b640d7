package render

import (
	"tracemerge/model"
	"tracemerge/model/report"
)

// hostKinds name the kinds of host tracks.
var hostKinds = map[model.TrackKind]string{model.TrackHost: "host", model.TrackCore: "core", model.TrackDisk: "block device", model.TrackProcess: "process"}

// hostRoles are the quantities that the page shows of host tracks.
var hostRoles = []model.Role{model.RoleCPUBusy, model.RoleIOWait, model.RoleReadRate, model.RoleWriteRate, model.RoleCPUIdle, model.RoleDiskBusy}

// hosts shows what host tools recorded: one row for each quantity of each track that
// the analyses know.
func (v *view) hosts() {
	h := &v.run.Hosts
	if h.Of == 0 {
		return
	}
	v.heading("Hosts, disks, processes and threads")
	t := table{caption: "What host tools recorded", headed: true, cols: []column{words("kind"), words("name"), words("id"), words("quantity"),
		figure("samples"), figure("least"), figure("mean"), figure("most"), words("in")}}
	shown := map[model.Role]bool{}
	for i := range h.Tracks {
		x := &h.Tracks[i]
		for k := range x.Metrics {
			m := &x.Metrics[k]
			if !knownRole(m.Role) || m.Samples == 0 {
				continue
			}
			shown[m.Role] = true
			t.rows = append(t.rows, []cell{txt(kindOf(x)), file(v.shown(x.ID)), file(v.factsOf(x)), file(v.metricName(m)), v.plain.countCell(m.Samples),
				v.plain.numberCell(m.Min), v.plain.numberCell(m.Mean), v.plain.numberCell(m.Max), file(v.source(x.Source))})
		}
	}
	if len(t.rows) == 0 {
		v.elem("p", "The host tools' files hold no processor time of processes, waits, or rates of reading and writing; the summary JSON has what they hold.", "class", "none")
		return
	}
	v.table(t)
	if n := h.Of - len(h.Tracks); n > 0 {
		v.elem("p", "Of "+plural(h.Of, "track")+" the hosts, cores and block devices are listed, and the processes and threads with most processor time, bytes read or bytes written.", "class", "note")
	}
	for _, r := range hostRoles {
		if shown[r] {
			is, isNot := define(r)
			v.elem("p", is+" "+isNot, "class", "note")
		}
	}
	v.elem("p", "The mean is that of the samples in the window; it says nothing about time without one.", "class", "note")
}

func knownRole(r model.Role) bool {
	for _, k := range hostRoles {
		if k == r {
			return true
		}
	}
	return false
}

func kindOf(h *report.HostTrack) string {
	if h.Kind == model.TrackProcess && !h.Parent.Empty() {
		return "thread"
	}
	return hostKinds[h.Kind]
}

// factsOf are the numbers by which the system knows the track.
func (v *view) factsOf(h *report.HostTrack) string {
	out := ""
	for _, f := range h.Facts {
		out = joinWith(", ", out, v.shown(f.Name)+" "+v.shown(f.Value))
	}
	return out
}
