package breakdown

import (
	"time"

	"tracemerge/model"
	"tracemerge/model/device"
	"tracemerge/model/report"
)

// splits is the timeline of each device.
func splits(sets []device.Sets) []report.DeviceSplit {
	var out []report.DeviceSplit
	for _, s := range sets {
		comp := s.Compute.Union(s.Memset)
		comm := s.Comm.Subtract(comp)
		seen := comp.Union(comm)
		copies := s.Memcpy.Subtract(seen)
		seen = seen.Union(copies)
		other := s.Other.Subtract(seen)
		out = append(out, report.DeviceSplit{Device: s.Device, Compute: comp.Len(), ExposedComm: comm.Len(), ExposedMemcpy: copies.Len(),
			ExposedOther: other.Len(), Idle: s.Span.Len() - s.All.Len(), Total: s.Span.Len()})
	}
	return out
}

// idle sorts the gaps between the records of each stream into categories.
func idle(c *model.Capture, records [][]record) []report.StreamIdle {
	var out []report.StreamIdle
	for t, rs := range records {
		if len(rs) == 0 {
			continue
		}
		track := &c.Tracks[t]
		row := report.StreamIdle{Device: track.Identity(), Stream: track.Name, Records: int64(len(rs))}
		if p := track.Parent; p >= 0 && int(p) < len(c.Tracks) {
			row.Device = c.Tracks[p].Identity()
		}
		ended := rs[0].at.End
		for _, r := range rs[1:] {
			if r.at.Start > ended {
				count(&row, r, ended)
			}
			ended = max(ended, r.at.End)
		}
		out = append(out, row)
	}
	return out
}

// count adds the gap that ends with the record.
func count(row *report.StreamIdle, next record, ended clock) {
	gap := time.Duration(next.at.Start - ended)
	switch {
	case next.launched && next.launch.Start > ended:
		row.HostWait += gap
	case gap < report.KernelDelay:
		row.KernelWait += gap
	default:
		row.OtherWait += gap
	}
	if !next.launched {
		row.NoLaunch++
	}
}
