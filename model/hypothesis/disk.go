package hypothesis

import (
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// Thresholds of disk use during a stage, in percent.
const (
	deviceFull  = 90  // a block device with requests outstanding nearly all the time
	deviceEmpty = 10  // no device above it: what else the stage waited for is asked
	waitMuch    = 20  // I/O wait of all cores on average
	diskMuch    = 0.5 // of the samples
	diskSamples = 3   // samples of a stage at least
)

// A stageUse counts the samples of one track that mostly describe a stage.
type stageUse struct {
	name    model.Text
	role    model.Role
	last    model.Time // stamp of the sample before, where set
	set     bool
	n, high int
	most    float64
	first   model.Pos // of the first high one
	unsure  int       // samples whose clock is too uncertain to say
}

// diskUse weighs what host tools recorded of block devices and of waits while a
// stage ran. Only samples that describe the stage for half of their time or more
// count: from the previous row of the track to the stamp. Idle devices are not
// against a hypothesis: the stage may wait for a network file system or compute.
func (v *view) diskUse(f *finding, during model.Set[model.Time], stage model.Phrase) {
	n, unsure, devices, busiest := 0, 0, false, 0.0
	for _, c := range v.tl.Captures {
		if c.Capture == nil || c.Source.Kind != model.KindHost || c.Samples == nil || !c.OnTimeline() {
			continue
		}
		for _, u := range stageUses(c, during) {
			unsure += u.unsure
			if u.n < diskSamples {
				continue
			}
			n += u.n
			if u.role == model.RoleDiskBusy {
				devices, busiest = true, max(busiest, u.most)
			}
			if float64(u.high) >= diskMuch*float64(u.n) {
				f.pro(report.Evidence{At: u.first, When: v.run.Window.At, What: u.what(stage)})
			}
		}
	}
	switch {
	case n > 0:
		f.thresholds = append(f.thresholds, model.Say("a block device with requests outstanding at least {} % of the time, or I/O wait of at least {} % of all cores, in {} of the samples of the stage speaks for it (choices of ours)", deviceFull, waitMuch, model.Fraction(diskMuch)))
		if devices && busiest < deviceEmpty {
			f.lacks(model.Say("{}: waits for network file systems and for processors; no recorded block device had a request outstanding for more than {} % of the time in a sample, and those are not among them ({}, {})", stage, busiest, model.Lit("nfsiostat 1"), model.Lit("pidstat -t -u 1")))
		}
	case unsure > 0:
		f.lacks(model.Say("{}: host samples whose clock is certain enough to say which of them lie in the stage", stage))
	default:
		f.lacks(model.Say("{}: use of block devices and I/O wait ({})", stage, model.Lit("iostat -xt 1")))
	}
}

// what says what was seen on the track.
func (u *stageUse) what(stage model.Phrase) model.Phrase {
	if u.role == model.RoleDiskBusy {
		return model.Say("{}: block device {} had a request outstanding at least {} % of the time in {} of {} samples", stage, u.name, deviceFull, u.high, u.n)
	}
	return model.Say("{}: cores were idle with disk input or output outstanding at least {} % of the time, on average over all, in {} of {} samples", stage, waitMuch, u.high, u.n)
}

// stageUses counts the samples of a capture's devices and hosts, in the order of the
// tracks.
func stageUses(c model.Placed, during model.Set[model.Time]) []*stageUse {
	type key struct {
		track  model.TrackID
		metric int32
	}
	by := map[key]*stageUse{}
	var out []*stageUse
	for b := range c.Samples.Batches() {
		for i := range b.At {
			t, m := model.TrackID(b.Track[i]), b.Metric[i]
			if t < 0 || int(t) >= len(c.Tracks) || m < 0 || int(m) >= len(c.Metrics) || !tellsUse(c.Metrics[m].Role, c.Tracks[t].Kind) {
				continue
			}
			u := by[key{t, m}]
			if u == nil {
				u = &stageUse{name: c.Tracks[t].Name, role: c.Metrics[m].Role}
				by[key{t, m}] = u
				out = append(out, u)
			}
			d := c.DomainAt(b.Offset[i])
			at, doubt, ok := c.At(d, model.ClockTime(b.At[i]))
			if !ok {
				u.set = false
				continue
			}
			doubt += c.Domains[d].Step // stamps are cut to it
			if b.Why[i] == model.Present && u.set && at > u.last {
				u.take(model.Interval[model.Time]{Start: u.last, End: at}, doubt, during, b.Value[i], model.Pos{Source: c.Source.ID, Line: b.Line[i], Offset: b.Offset[i]})
			}
			u.last, u.set = at, true
		}
	}
	return out
}

// tellsUse reports whether a metric of the track is weighed.
func tellsUse(role model.Role, kind model.TrackKind) bool {
	return role == model.RoleDiskBusy && kind == model.TrackDisk || role == model.RoleIOWait && kind == model.TrackHost
}

// take counts a sample that describes the interval, which may lie earlier or later
// by the doubt: only where it describes the stage for half of its time wherever it
// lies. What of the widened interval is outside of the stage may all lie in it.
func (u *stageUse) take(over model.Interval[model.Time], doubt time.Duration, during model.Set[model.Time], percent float64, pos model.Pos) {
	if during.Within(over).Len()*2 < over.Len() {
		return
	}
	wide := model.Interval[model.Time]{Start: over.Start - model.Time(doubt), End: over.End + model.Time(doubt)}
	if outside := wide.Len() - during.Within(wide).Len(); outside*2 > over.Len() {
		u.unsure++
		return
	}
	u.n++
	u.most = max(u.most, percent)
	high := float64(waitMuch)
	if u.role == model.RoleDiskBusy {
		high = deviceFull
	}
	if percent >= high {
		if u.high++; u.high == 1 {
			u.first = pos
		}
	}
}

// writeBound is the rule for writing: where it ran alone, and what the disks did.
func writeBound(v *view) finding {
	f := aloneRule(v, model.StageWrite)
	if during, ok := v.set(model.StageWrite); ok {
		v.diskUse(&f, during, model.Say("while results were written"))
	}
	return f
}
