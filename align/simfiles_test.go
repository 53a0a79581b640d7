package align

import (
	"fmt"
	"math"
	"slices"
	"time"

	"tracemerge/model"
)

// log writes a log from the run's start to its end, with the numbers of its steps.
func (s *simRun) log(k *simClock, steps []model.Interval[model.ClockTime], count int64) {
	c := s.capture(model.KindLog, "app.log")
	var rows model.MarkRows
	write := func(at time.Duration, step model.Maybe[int64]) {
		t := s.stamp(k, s.start.Add(at))
		rows = append(rows, model.Mark{At: t.raw, Domain: t.domain, Step: step, From: model.Pos{Source: c.Source.ID, Line: int32(len(rows) + 1), Offset: int64(100 * (len(rows) + 1))}})
	}
	write(0, model.Missing[int64](model.NotRecorded))
	for n, at := range steps {
		write(min(time.Duration(at.End)+s.between(0, 200*time.Millisecond), s.long), model.Known(int64(n)+count))
	}
	write(s.long, model.Missing[int64](model.NotRecorded))
	for n, at := range s.marked {
		raw, _, _ := k.read(s.start.Add(time.Duration(at.Start) + s.between(0, at.Len())))
		m := model.Marker{Name: model.NewRaw(fmt.Sprintf("m%d", n)), At: model.Interval[model.ClockTime]{Start: raw, End: raw + model.ClockTime(k.step)}, From: model.Pos{Source: c.Source.ID, Line: int32(len(rows) + n + 1), Offset: int64(100 * (len(rows) + n + 1))}}
		for _, d := range c.Domains {
			if d.Valid.Contains(raw) {
				m.Domain = d.ID
				c.Markers = append(c.Markers, m)
				break
			}
		}
	}
	c.Marks, c.Window = rows, c.Domains[0].Valid
}

// steps are those of the job, one after the other.
func (s *simRun) steps() []model.Interval[model.ClockTime] {
	var out []model.Interval[model.ClockTime]
	mean := max(500*time.Millisecond, s.long/time.Duration(20+s.r.IntN(100)))
	for at := time.Duration(0); ; {
		end := at + s.between(mean/2, mean*3/2)
		if end >= s.long {
			return out
		}
		out = append(out, model.Interval[model.ClockTime]{Start: model.ClockTime(at), End: model.ClockTime(end)})
		at = end
	}
}

// sampler writes utilization from one time to another: the share of the last whole
// second before each stamp, as real loops show it.
func (s *simRun) sampler(name string, k *simClock, from, to time.Duration) {
	c := s.capture(model.KindSMI, name)
	c.Tracks = []model.Track{{Kind: model.TrackDevice, Parent: model.NoTrack, Device: model.NewRaw("0")}}
	c.Metrics = []model.Metric{{Role: model.RoleGPUBusy}}
	loop := s.between(100*time.Millisecond, 5*time.Second)
	loop = max(loop, (to-from)/1500)
	phase := model.ClockTime(s.r.Int64N(1e9))
	var rows model.SampleRows
	for at := from; at <= to; at += loop + s.between(0, loop/20) {
		t := s.stamp(k, s.start.Add(at))
		end := phase + (model.ClockTime(at)-phase)/1e9*1e9
		if end > model.ClockTime(at) {
			end -= 1e9
		}
		share := s.busy.Within(model.Interval[model.ClockTime]{Start: end - 1e9, End: end}).Len().Seconds()
		rows = append(rows, model.Sample{At: t.raw, Value: model.Known(math.Round(100 * share)), Line: int32(len(rows) + 1), Offset: int64(100 * (len(rows) + 1))})
		if next := at + s.between(loop, 30*time.Second); s.chance(200) && (k.set == nil || k.set(s.start.Add(at-loop)) == k.set(s.start.Add(next+2*loop))) {
			at = next // started again, but not where the clock is set
		}
	}
	c.Samples, c.Window = rows, c.Domains[0].Valid
}

// traces writes the traces of so many ranks, which meet in collectives.
func (s *simRun) traces(ks []*simClock, steps []model.Interval[model.ClockTime], from, to time.Duration) {
	type call struct{ at, end time.Duration }
	entered := make([][]call, len(ks))
	calls := 5 + s.r.IntN(30)
	for n := range calls {
		at := from + (to-from)*time.Duration(n)/time.Duration(calls)
		last := at
		for i := range ks {
			in := at + s.between(0, (to-from)/time.Duration(4*calls))
			entered[i] = append(entered[i], call{at: in})
			last = max(last, in)
		}
		for i := range ks {
			entered[i][n].end = last + time.Millisecond + s.between(0, 50*time.Microsecond)
		}
	}
	work := s.busy
	for _, e := range entered[0] {
		s.busy = s.busy.Union(model.NewSet(model.Interval[model.ClockTime]{Start: model.ClockTime(e.at), End: model.ClockTime(e.end)}))
	}
	for range s.r.IntN(4) {
		at := model.ClockTime(s.between(from, to))
		s.marked = append(s.marked, model.Interval[model.ClockTime]{Start: at, End: min(at+model.ClockTime(s.between(0, time.Second)), model.ClockTime(to))})
	}
	for i, k := range ks {
		c := s.capture(model.KindTrace, fmt.Sprintf("rank%d.json", i))
		c.Trace = &model.TraceFacts{}
		if s.named {
			c.Trace.Host = model.NewText(fmt.Sprintf("node%d", k.on), model.ClassHost)
		}
		c.Tracks = []model.Track{{Kind: model.TrackDevice, Parent: model.NoTrack, Device: model.NewRaw("0")}, {ID: 1, Kind: model.TrackStream, Parent: 0}}
		c.Names = []model.Raw{model.NewRaw("gemm"), model.NewRaw("ncclDevKernel_AllReduce_Sum_f32_RING_LL")}
		var rows model.SpanRows
		add := func(kind model.SpanKind, name int32, at, end time.Duration) {
			a := s.stamp(k, s.start.Add(at))
			b, _, _ := k.read(s.start.Add(end))
			c.Domains[0].Valid.End = max(c.Domains[0].Valid.End, b+1)
			rows = append(rows, model.Span{At: model.Interval[model.ClockTime]{Start: a.raw, End: b}, Track: 1, Name: name, Kind: kind, Link: model.NoLink, Offset: int64(100 * len(s.truth[len(s.caps)-1]))})
		}
		within := model.Interval[model.ClockTime]{Start: model.ClockTime(from), End: model.ClockTime(to)}
		if i == 0 { // the device that the sampler sees; those of the other ranks only communicate
			for _, b := range work.Within(within).Parts() {
				add(model.SpanKernel, 0, time.Duration(b.Start), time.Duration(b.End))
			}
		}
		for _, e := range entered[i] {
			add(model.SpanCommunication, 1, e.at, e.end)
		}
		slices.SortStableFunc(rows, func(a, b model.Span) int { return int(a.At.Start - b.At.Start) })
		for n, at := range steps {
			if at.Start < within.Start || at.End > within.End {
				continue
			}
			a, _, _ := k.read(s.start.Add(time.Duration(at.Start)))
			b, _, _ := k.read(s.start.Add(time.Duration(at.End)))
			c.Trace.Steps = append(c.Trace.Steps, model.TraceStep{N: model.Known(int64(n)), At: model.Interval[model.ClockTime]{Start: a, End: b}, From: model.Pos{Source: c.Source.ID}})
		}
		if i == 0 {
			for n, at := range s.marked {
				a, _, _ := k.read(s.start.Add(time.Duration(at.Start)))
				b, _, _ := k.read(s.start.Add(time.Duration(at.End)))
				c.Markers = append(c.Markers, model.Marker{Name: model.NewRaw(fmt.Sprintf("m%d", n)), At: model.Interval[model.ClockTime]{Start: a, End: b}, From: model.Pos{Source: c.Source.ID}})
			}
		}
		c.Spans, c.Window = rows, c.Domains[0].Valid
		if k.kind == model.DomainUnix && s.every {
			s.declare(false, true)
		}
	}
}
