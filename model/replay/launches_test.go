package replay

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/stage"
)

// A deed is one thing that a simulated host does.
type deed struct {
	kind   byte  // 'w' works, 'p' prepares (a stage), 'l' launches, 's' waits for the device, 'y' for a stream, 'c' copies and waits
	long   int64 // of the work, or of the device work
	stream int32
	after  int // index of the deed whose device work it waits for, or none
}

// simulate runs a host that launches work on streams: device work starts when its
// launch has begun and a latency has passed (up to the jitter more), when its stream is free, and when the work
// that it waits for has ended. prepare and compute are the factors of the host's stage
// and of the device.
func simulate(program []deed, latency, jitter int64, prepare, compute *big.Rat) (spans model.SpanRows, end int64) {
	scale := func(d int64, f *big.Rat) int64 { return d * f.Num().Int64() / f.Denom().Int64() }
	now := int64(1000)
	free := map[int32]int64{}
	ended := make([]int64, len(program))
	add := func(kind model.SpanKind, name, track int32, from, to, link int64) {
		spans = append(spans, model.Span{At: model.Interval[model.ClockTime]{Start: model.ClockTime(from), End: model.ClockTime(to)}, Track: model.TrackID(track), Name: name, Kind: kind, Link: link, Offset: int64(len(spans))})
	}
	all := func() (last int64) {
		for _, f := range free {
			last = max(last, f)
		}
		return last
	}
	for i, d := range program {
		switch d.kind {
		case 'w':
			add(model.SpanOperator, 0, 0, now, now+d.long, model.NoLink)
			now += d.long
		case 'p':
			long := scale(d.long, prepare)
			add(model.SpanAnnotation, 1, 0, now, now+long, model.NoLink)
			now += long
		case 'l', 'c':
			start := max(now+latency+jitter*int64(i*7919%100)/100, free[d.stream])
			if d.after >= 0 {
				start = max(start, ended[d.after]+2000)
			}
			kind, name := model.SpanKernel, int32(2)
			if d.kind == 'c' {
				kind, name = model.SpanMemcpy, 3
			}
			ended[i] = start + scale(d.long, compute)
			if d.kind == 'c' {
				ended[i] = start + d.long
			}
			free[d.stream] = ended[i]
			add(kind, name, 1+d.stream, start, ended[i], int64(i))
			call := now + 4000
			if d.kind == 'c' {
				call = max(now, ended[i]+1500)
			}
			add(model.SpanRuntime, name+2, 0, now, call, int64(i))
			now = call
		case 's':
			back := max(now+500, all()+3000)
			add(model.SpanRuntime, 6, 0, now, back, model.NoLink)
			now = back
		case 'y':
			back := max(now+500, free[d.stream]+3000)
			add(model.SpanRuntime, 7, 0, now, back, model.NoLink)
			now = back
		}
	}
	add(model.SpanOperator, 0, 0, now, now+500, model.NoLink)
	return spans, max(now+500, all())
}

var simulated = []string{"aten::add", "cpu_preparation", "kern", "Memcpy DtoH", "cudaLaunchKernel", "cudaMemcpy", "cudaDeviceSynchronize", "cudaStreamSynchronize"}

func traced(spans model.SpanRows, end int64) *stage.Table {
	c := &model.Capture{Source: model.Source{ID: 1, Kind: model.KindTrace}, Trace: &model.TraceFacts{}, Spans: spans}
	for _, n := range simulated {
		c.Names = append(c.Names, model.NewRaw(n))
	}
	c.Tracks = []model.Track{{ID: 0, Kind: model.TrackThread}, {ID: 1, Kind: model.TrackStream}, {ID: 2, Kind: model.TrackStream}, {ID: 3, Kind: model.TrackStream}}
	valid := model.Interval[model.ClockTime]{Start: 0, End: model.ClockTime(end) + 1}
	c.Domains = []model.Domain{{Kind: model.DomainUnix, Valid: valid, Step: 1}}
	c.Window = model.Interval[model.ClockTime]{Start: 0, End: model.ClockTime(end)}
	c.Trace.Record = c.Window
	tl := &model.Timeline{UTC: true, Window: model.Interval[model.Time]{End: model.Time(end)},
		Captures: []model.Placed{{Capture: c, Mappings: []model.Mapping{{Placed: true, Segments: []model.Segment{{Valid: valid}}}}}}}
	return &stage.Tabulate(tl)[0]
}

// program is a random program; across: with events between streams; unnamed: with waits
// for one stream of several. With one stream, which one it is needs no record.
func program(r *rand.Rand, across, unnamed bool) []deed {
	var out []deed
	streams := 1 + r.Int32N(3)
	deeds := "wwplllllsc"
	if unnamed {
		streams = 2 + r.Int32N(2)
	}
	if unnamed || streams == 1 {
		deeds += "yy"
	}
	for range 5 + r.IntN(60) {
		d := deed{kind: deeds[r.IntN(len(deeds))], long: 2000 + 1000*r.Int64N(100), stream: r.Int32N(streams), after: -1}
		if across && d.kind == 'l' && len(out) > 0 && r.IntN(3) == 0 {
			if k := r.IntN(len(out)); out[k].kind == 'l' {
				d.after = k
			}
		}
		out = append(out, d)
	}
	return append(out, deed{kind: 'l', long: 5000, after: -1}, deed{kind: 's', after: -1})
}

// Simulated hosts that launch device work: where every dependency is recorded, the
// replay holds what the program takes with other durations, and unchanged it is the
// run; the path fills the window.
func TestReplayOfLaunchesHoldsTheTruth(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	one := big.NewRat(1, 1)
	const recorded, across, jittered, unnamed = 0, 1, 2, 3
	var inside, changes [4]int
	for n := range 1600 {
		how := n % 4
		p := program(r, how == across, how == unnamed)
		latency, jitter := 1000+r.Int64N(8000), int64(0)
		if how == jittered {
			jitter = 5000
		}
		spans, end := simulate(p, latency, jitter, one, one)
		tb := traced(spans, end)
		g, why := OfTrace(tb)
		if g == nil {
			t.Fatalf("run %d: no graph: %v", n, why)
		}
		if got := g.Total(func(int) *big.Rat { return nil }); got != model.Exactly(tb.Window.Len()) {
			t.Fatalf("run %d, unchanged: %v, want %v", n, got, tb.Window.Len())
		}
		path := g.Path()
		sum := path.Host + path.Lag + path.Unrecorded
		for _, s := range path.Stages {
			sum += s.Time
		}
		if sum != tb.Window.Len() {
			t.Fatalf("run %d: the path fills %v of %v", n, sum, tb.Window.Len())
		}
		for _, c := range []struct {
			stage            model.StageID
			prepare, compute *big.Rat
		}{{model.StageCPUPreparation, big.NewRat(1, 2), one}, {model.StageGPUCompute, one, big.NewRat(1, 2)}, {model.StageGPUCompute, one, big.NewRat(2, 1)}, {model.StageCPUPreparation, new(big.Rat), one}} {
			if tb.Row(c.stage) < 0 {
				continue
			}
			_, truth := simulate(p, latency, jitter, c.prepare, c.compute)
			got := g.Total(func(row int) *big.Rat {
				if tb.Rows[row].Stage != c.stage {
					return nil
				}
				if c.stage == model.StageGPUCompute {
					return c.compute
				}
				return c.prepare
			})
			changes[how]++
			if got.Lo <= time.Duration(truth) && time.Duration(truth) <= got.Hi {
				inside[how]++
			}
		}
	}
	t.Logf("inside in %d of %d changes with every dependency recorded, %d of %d with events between streams, %d of %d with launches of unequal delay, %d of %d with waits for one stream of several",
		inside[recorded], changes[recorded], inside[across], changes[across], inside[jittered], changes[jittered], inside[unnamed], changes[unnamed])
	for how, least := range [4]int{99, 95, 80, 95} {
		if inside[how]*100 < changes[how]*least {
			t.Errorf("kind %d: the truth is inside in %d of %d, want %d of 100", how, inside[how], changes[how], least)
		}
	}
}

// A trace that does not hold what was waited for has no replay, with the reason.
func TestNoReplayOfLaunches(t *testing.T) {
	one := big.NewRat(1, 1)
	deeds := []deed{{kind: 'p', long: 9000, after: none}, {kind: 'l', long: 5000, after: none}, {kind: 's', after: none}}
	for _, c := range []struct {
		name string
		edit func(*model.SpanRows, *stage.Table)
		want model.Reason
	}{
		{"as it is", func(*model.SpanRows, *stage.Table) {}, model.NotSet},
		{"several traces", func(_ *model.SpanRows, tb *stage.Table) { tb.Trace = nil }, model.NotApplicable},
		{"a hole", func(_ *model.SpanRows, tb *stage.Table) { tb.Unobserved = model.NewSet(tb.Window) }, model.OutsideObservation},
		{"no correlation", func(s *model.SpanRows, _ *stage.Table) { edit(*s, model.SpanKernel, model.NoLink) }, model.NotRecorded},
		{"the launch is missing", func(s *model.SpanRows, _ *stage.Table) { edit(*s, model.SpanKernel, 77) }, model.NotRecorded},
		{"no host calls", func(s *model.SpanRows, _ *stage.Table) { *s = without(*s, model.SpanRuntime) }, model.NoSource},
		{"no device work", func(s *model.SpanRows, _ *stage.Table) { *s = without(*s, model.SpanKernel) }, model.NoSource},
	} {
		spans, end := simulate(deeds, 1000, 0, one, one)
		tb := traced(spans, end)
		c.edit(&spans, tb)
		if tb.Trace != nil {
			tb.Trace.Capture.Spans = spans
		}
		if g, why := OfTrace(tb); why != c.want || (g == nil) != (why != model.NotSet) {
			t.Errorf("%s: %v, want %v", c.name, why, c.want)
		}
	}
}

// A wait for the device that returns while work still runs is for less than all of it.
func TestWaitThatReturnsWhileWorkRuns(t *testing.T) {
	one := big.NewRat(1, 1)
	deeds := []deed{{kind: 'l', long: 90000, stream: 0, after: none}, {kind: 'l', long: 5000, stream: 1, after: none}, {kind: 'y', stream: 1, after: none}, {kind: 'w', long: 200000, after: none}}
	spans, end := simulate(deeds, 1000, 0, one, one)
	for i := range spans {
		if spans[i].Name == 7 {
			spans[i].Name = 6 // of the second of two devices
		}
	}
	g, why := OfTrace(traced(spans, end))
	if g == nil {
		t.Fatal(why)
	}
	if got := g.Total(func(int) *big.Rat { return nil }); got != model.Exactly(time.Duration(end)) {
		t.Errorf("unchanged: %v, want %v", got, time.Duration(end))
	}
}

func edit(spans model.SpanRows, kind model.SpanKind, link int64) {
	for i := range spans {
		if spans[i].Kind == kind {
			spans[i].Link = link
		}
	}
}

func without(spans model.SpanRows, kind model.SpanKind) (out model.SpanRows) {
	for _, s := range spans {
		if s.Kind != kind {
			out = append(out, s)
		}
	}
	return out
}

// An id that a file has twice is that of the later call, as for the launches elsewhere.
func TestTheLaterCallOfAnID(t *testing.T) {
	calls := []call{{link: 3, point: 1}, {link: 5, point: 2}, {link: 5, point: 4}, {link: 9, point: 6}}
	for link, want := range map[int64]int32{3: 1, 5: 4, 9: 6, 4: none, 1: none, 10: none, model.NoLink: none} {
		if got := launchOf(calls, link); got != want {
			t.Errorf("id %d: point %d, want %d", link, got, want)
		}
	}
}
