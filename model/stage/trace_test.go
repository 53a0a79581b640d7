package stage

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"tracemerge/model"
)

type row struct {
	from, to int64
	track    model.TrackID
	kind     model.SpanKind
	name     string
}

// traceSource has a host thread (track 0) and two streams of one device (1, 2).
func traceSource(id model.SourceID, record interval, rows ...row) model.Placed {
	p := source(id, model.KindTrace, true, 0)
	p.Tracks = []model.Track{{ID: 0, Kind: model.TrackThread}, {ID: 1, Kind: model.TrackStream}, {ID: 2, Kind: model.TrackStream}}
	p.Trace = &model.TraceFacts{Record: model.Interval[model.ClockTime]{Start: model.ClockTime(record.Start), End: model.ClockTime(record.End)}}
	var spans model.SpanRows
	for _, r := range rows {
		n := slices.Index(p.Names, model.NewRaw(r.name))
		if n < 0 {
			n = len(p.Names)
			p.Names = append(p.Names, model.NewRaw(r.name))
		}
		spans = append(spans, model.Span{At: model.Interval[model.ClockTime]{Start: model.ClockTime(r.from), End: model.ClockTime(r.to)},
			Track: r.track, Name: int32(n), Kind: r.kind, Link: model.NoLink})
	}
	p.Spans = spans
	return p
}

func TestSpansCountAsStages(t *testing.T) {
	kernel := row{50, 60, 1, model.SpanKernel, "k"}
	for _, c := range []struct {
		name string
		rows []row
		want map[string]time.Duration
		note bool
	}{
		{"device work by what the recorder says it is", []row{{0, 10, 1, model.SpanKernel, "k"}, {5, 20, 2, model.SpanCommunication, "nccl"},
			{20, 25, 1, model.SpanMemcpy, "Memcpy HtoD"}, {24, 30, 2, model.SpanMemset, "Memset"}, {40, 50, 1, model.SpanDeviceOther, "?"}},
			map[string]time.Duration{"gpu_compute": 20, "communication": 15, "transfer": 10}, true},
		{"kernels of two streams are one union", []row{{0, 10, 1, model.SpanKernel, "k"}, {5, 20, 2, model.SpanKernel, "k"}},
			map[string]time.Duration{"gpu_compute": 20}, false},
		{"annotations mirrored on the device are no work", []row{kernel, {0, 90, 1, model.SpanDeviceNote, "forward"}, {0, 90, 1, model.SpanDeviceStep, "ProfilerStep#1"}},
			map[string]time.Duration{"gpu_compute": 10}, false},
		{"the wait of a data loader is preparation", []row{kernel, {0, 30, 0, model.SpanAnnotation, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"}},
			map[string]time.Duration{"cpu_preparation": 30, "gpu_compute": 10}, false},
		{"a host range named like a stage is that stage", []row{kernel, {0, 30, 0, model.SpanAnnotation, "Data Loading"}, {30, 40, 0, model.SpanOperator, "checkpoint"}},
			map[string]time.Duration{"cpu_preparation": 30, "write": 10, "gpu_compute": 10}, false},
		{"a host range named like a device stage is not used beside device work", []row{kernel, {0, 40, 0, model.SpanAnnotation, "forward"}},
			map[string]time.Duration{"gpu_compute": 10}, true},
		{"without device work it is used", []row{{0, 40, 0, model.SpanAnnotation, "forward"}},
			map[string]time.Duration{"gpu_compute": 40}, false},
		{"a rule of the user comes first", []row{kernel, {0, 40, 0, model.SpanAnnotation, "load_batch 7"}, {40, 45, 1, model.SpanKernel, "ring_reduce"}},
			map[string]time.Duration{"write": 40, "communication": 5, "gpu_compute": 10}, false},
		{"operators and calls of no stage are no stage", []row{kernel, {0, 40, 0, model.SpanOperator, "aten::mm"}, {0, 40, 0, model.SpanRuntime, "cudaLaunchKernel"}, {0, 99, 0, model.SpanPython, "train.py(1): load"}},
			map[string]time.Duration{"gpu_compute": 10}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			tl := timeline(0, 120, traceSource(1, interval{Start: 0, End: 100}, c.rows...))
			tl.Declared = &model.Declaration{Stages: []model.StageRule{
				{Stage: model.StageWrite, Source: model.KindLog, Name: model.NewRaw("^load")},
				{Stage: model.StageWrite, Source: model.KindTrace, Name: model.NewRaw("^load_batch")},
				{Stage: model.StageCommunication, Value: model.NewRaw("ring_reduce")}}}
			tb := Tabulate(tl)[0]
			got := map[string]time.Duration{}
			for _, r := range tb.Rows {
				got[r.Stage.Key()] = r.Busy
			}
			if len(got) != len(c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
			for k, d := range c.want {
				if got[k] != d {
					t.Errorf("%s: got %d ns, want %d ns", k, got[k], d)
				}
			}
			if noted := len(tb.Notes) > 0; noted != c.note {
				t.Errorf("noted: got %v, want %v", noted, c.note)
			}
			if tb.Accounted.Unknown != 20 {
				t.Errorf("unknown: got %d ns, want the 20 ns after the record window", tb.Accounted.Unknown)
			}
		})
	}
}

func TestHolesOfADeviceAreUnknown(t *testing.T) {
	p := traceSource(1, interval{Start: 0, End: 100}, row{0, 10, 1, model.SpanKernel, "k"}, row{60, 70, 0, model.SpanAnnotation, "save"})
	p.Tracks[1].Unknown = []model.Hole{{At: model.Interval[model.ClockTime]{Start: 50, End: 80}, Why: model.KernelRecordMissing}}
	tb := Tabulate(timeline(0, 100, p))[0]
	if a := tb.Accounted; a.Stages != 20 || a.Unattributed != 60 || a.Unknown != 20 {
		t.Errorf("got %d + %d + %d, want 20 + 60 + 20", a.Stages, a.Unattributed, a.Unknown)
	}
	if got, _ := tb.GPUShare().Get(); got != (model.Range[float64]{Lo: .1, Hi: .4}) {
		t.Errorf("GPU share: got %v, want [0.1, 0.4]: the hole may hold GPU compute beside another stage", got)
	}
}

func TestLogIsPrimaryBeforeTrace(t *testing.T) {
	log := logSource(1, 0, 100, at(0, "load", s, ""), at(60, "load", e, ""))
	tr := traceSource(2, interval{Start: 0, End: 50}, row{0, 10, 1, model.SpanKernel, "k"})
	got := Tabulate(timeline(0, 100, tr, log))
	if len(got) != 2 || got[0].Basis.Kind != model.KindLog || got[1].Basis.Kind != model.KindTrace {
		t.Fatalf("got %d tables, want the log's and the trace's", len(got))
	}
	if got := Tabulate(timeline(70, 100, tr, log)); got[0].Basis.Kind != model.KindLog {
		t.Errorf("neither shows a stage: got %v first, want the log", got[0].Basis.Kind)
	}
	late := logSource(1, 0, 100, at(60, "load", s, ""), at(90, "load", e, ""))
	if got := Tabulate(timeline(0, 50, tr, late)); got[0].Basis.Kind != model.KindTrace {
		t.Errorf("only the trace shows a stage in the window: got %v first", got[0].Basis.Kind)
	}
}

func TestThreadsWorkUnlessSeenWaiting(t *testing.T) {
	ms := int64(time.Millisecond)
	tl := timeline(0, model.Time(100*ms), traceSource(1, interval{Start: 0, End: model.Time(100 * ms)},
		row{0, 20 * ms, 0, model.SpanOperator, "aten::mm"}, row{21 * ms, 30 * ms, 0, model.SpanOperator, "aten::mm"},
		row{30 * ms, 70 * ms, 0, model.SpanRuntime, "cudaDeviceSynchronize"}, row{70 * ms, 80 * ms, 0, model.SpanAnnotation, "save"},
		row{5 * ms, 70 * ms, 1, model.SpanKernel, "k"}))
	tb := Tabulate(tl)[0]
	var thread, stream *Lane
	for i := range tb.Lanes {
		if tb.Lanes[i].Fed {
			stream = &tb.Lanes[i]
		} else {
			thread = &tb.Lanes[i]
		}
	}
	if thread == nil || stream == nil || len(tb.Lanes) != 2 {
		t.Fatalf("got %d lanes, want a thread and a stream", len(tb.Lanes))
	}
	want := []Run{{NoRow, interval{Start: 0, End: model.Time(30 * ms)}, NoItem}, {tb.Row(model.StageWrite), interval{Start: model.Time(70 * ms), End: model.Time(80 * ms)}, NoItem}}
	if !slices.Equal(thread.Runs, want) {
		t.Errorf("thread: got %v, want %v", thread.Runs, want)
	}
	if got := thread.Full.Len(); got != 80*time.Millisecond {
		t.Errorf("thread: covered %v, want 80ms with its wait", got)
	}
}

func TestStepsMakeTheWaterfallOfATrace(t *testing.T) {
	p := traceSource(1, interval{Start: 0, End: 100}, row{0, 30, 1, model.SpanKernel, "k"}, row{40, 90, 2, model.SpanKernel, "k"})
	for n := range int64(2) {
		p.Trace.Steps = append(p.Trace.Steps, model.TraceStep{Name: model.NewText("ProfilerStep#"+strconv.FormatInt(n, 10), model.ClassOperation),
			N: model.Known(n), At: model.Interval[model.ClockTime]{Start: model.ClockTime(50 * n), End: model.ClockTime(50 * (n + 1))}})
	}
	w := Waterfalls(timeline(0, 100, p))[0]
	if w.By != "step" || w.Of != 2 || len(w.Rows) != 2 {
		t.Fatalf("got %d of %d rows by %q, want 2 of 2 by step", len(w.Rows), w.Of, w.By)
	}
	var got [][]interval
	for _, r := range w.Rows {
		var in []interval
		for _, i := range r.Intervals {
			in = append(in, i.At)
		}
		got = append(got, in)
	}
	if want := [][]interval{{{Start: 0, End: 30}, {Start: 40, End: 50}}, {{Start: 50, End: 90}}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestWaterfallOfALogGoesByInput(t *testing.T) {
	marks := []model.Mark{at(0, "load", s, "a"), at(5, "load", e, "a"), at(6, "gpu", s, "a"), at(9, "gpu", e, "a"), at(7, "load", s, "b")}
	slices.SortStableFunc(marks, func(a, b model.Mark) int { return int(a.At - b.At) })
	w := Waterfalls(timeline(0, 20, logSource(1, 0, 10, marks...)))[0]
	if w.By != "input" || len(w.Rows) != 2 {
		t.Fatalf("got %d rows by %q, want 2 by input", len(w.Rows), w.By)
	}
	if got := w.Rows[0]; len(got.Intervals) != 2 || got.Intervals[1].Stage != model.StageGPUCompute {
		t.Errorf("first row: got %+v, want preparation and GPU compute", got)
	}
	b := w.Rows[1]
	if len(b.Intervals) != 1 || !b.Intervals[0].Open || len(b.Unknown) == 0 || b.Unknown[0].Why != model.EdgeNotObserved {
		t.Errorf("second row: got %+v, want one open interval that is unknown", b)
	}
}

func TestWaterfallKeepsTheLongestAndASpread(t *testing.T) {
	var marks []model.Mark
	const n = 1000
	for i := range int64(n) {
		d := int64(1)
		if i == 437 {
			d = 9
		}
		in := strconv.FormatInt(i, 10)
		marks = append(marks, at(10*i, "load", s, in), at(10*i+d, "load", e, in))
	}
	w := Waterfalls(timeline(0, 10*n, logSource(1, 0, 10*n, marks...)))[0]
	if w.Of != n || len(w.Rows) > keptRows || len(w.Rows) < keptRows/2 {
		t.Fatalf("got %d of %d rows, want at most %d of %d", len(w.Rows), w.Of, keptRows, n)
	}
	has := func(start model.Time) bool {
		for _, r := range w.Rows {
			if r.Intervals[0].At.Start == start {
				return true
			}
		}
		return false
	}
	for _, start := range []model.Time{0, 4370, 10 * (n - 1)} {
		if !has(start) {
			t.Errorf("the row that starts at %d is not kept", start)
		}
	}
	gap := model.Time(0)
	for i := 1; i < len(w.Rows); i++ {
		d := w.Rows[i].Intervals[0].At.Start - w.Rows[i-1].Intervals[0].At.Start
		if d <= 0 {
			t.Fatalf("rows are not in order of their start")
		}
		gap = max(gap, d)
	}
	if gap > 10*n/50 {
		t.Errorf("widest gap between kept rows: got %d, want an even spread", gap)
	}
}
