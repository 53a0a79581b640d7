package sample

import (
	"cmp"
	"slices"

	"tracemerge/model"
	"tracemerge/model/report"
)

// hostKept bounds the processes and threads that are described for each of the
// quantities by which they are ranked.
const hostKept = 12

// Hosts describes what host tools recorded: every host, core and block device, and
// of the processes and threads those with the greatest sums of processor time, bytes
// read and bytes written over the time that they were sampled.
func Hosts(placed []model.Placed, window model.Interval[model.Time]) report.Hosts {
	var out report.Hosts
	var many []report.HostTrack
	for _, p := range placed {
		if p.Capture == nil || p.Source.Kind != model.KindHost {
			continue
		}
		for _, d := range Tracks(p, window, Regular(), func(*model.Track) bool { return true }) {
			t := &p.Tracks[d.Track]
			h := report.HostTrack{Device: d, Kind: t.Kind}
			if t.Parent >= 0 && int(t.Parent) < len(p.Tracks) && p.Tracks[t.Parent].Kind == model.TrackProcess {
				h.Parent = p.Tracks[t.Parent].Name
			}
			if t.Kind == model.TrackProcess {
				many = append(many, h)
			} else {
				out.Tracks = append(out.Tracks, h)
			}
		}
	}
	out.Of = len(out.Tracks) + len(many)
	keep := map[int]bool{}
	for _, role := range []model.Role{model.RoleCPUBusy, model.RoleReadRate, model.RoleWriteRate} {
		order := make([]int, len(many))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(amount(&many[b], role), amount(&many[a], role)) })
		for _, i := range order[:min(hostKept, len(order))] {
			keep[i] = keep[i] || amount(&many[i], role) > 0
		}
	}
	for i := range many {
		if keep[i] {
			out.Tracks = append(out.Tracks, many[i])
		}
	}
	return out
}

// amount is the sum of the samples of a role: each speaks for about the same time.
func amount(h *report.HostTrack, role model.Role) float64 {
	for _, m := range h.Metrics {
		if v, ok := m.Mean.Get(); ok && m.Role == role {
			return v * float64(m.Samples)
		}
	}
	return 0
}
