package device

import (
	"iter"
	"math/rand/v2"
	"testing"
	"time"

	"tracemerge/model"
)

func capture(spans ...model.Span) *model.Capture {
	raw := model.NewRaw
	return &model.Capture{
		Tracks: []model.Track{
			{ID: 0, Kind: model.TrackDevice, Parent: model.NoTrack, Device: raw("10")},
			{ID: 1, Kind: model.TrackStream, Parent: 0},
			{ID: 2, Kind: model.TrackStream, Parent: 0},
			{ID: 3, Kind: model.TrackDevice, Parent: model.NoTrack, Device: raw("9")},
			{ID: 4, Kind: model.TrackStream, Parent: 3},
			{ID: 5, Kind: model.TrackThread, Parent: model.NoTrack},
		},
		Spans: model.SpanRows(spans),
	}
}

func span(track model.TrackID, kind model.SpanKind, start, end model.ClockTime) model.Span {
	return model.Span{At: model.Interval[model.ClockTime]{Start: start, End: end}, Track: track, Kind: kind, Link: model.NoLink}
}

func TestFiguresAreUnionsOverStreams(t *testing.T) {
	rows := Tabulate(capture(
		span(1, model.SpanKernel, 10, 20),
		span(2, model.SpanCommunication, 15, 40),
		span(1, model.SpanKernel, 18, 30),    // overlaps its own stream
		span(2, model.SpanMemcpy, 35, 50),    // overlaps communication
		span(1, model.SpanMemset, 70, 70),    // empty: a record without time
		span(1, model.SpanKernel, 5, 6),      // out of order
		span(1, model.SpanDeviceNote, 0, 99), // spans gaps, is no work
		span(5, model.SpanOperator, 0, 99),
		span(4, model.SpanDeviceOther, 0, 3)))
	if len(rows) != 2 || rows[0].Device.Raw != model.NewRaw("10") || rows[1].Device.Raw != model.NewRaw("9") {
		t.Fatalf("devices: got %+v, want 10 and 9 in the order of their tracks", rows)
	}
	d := rows[0]
	got := [...]time.Duration{d.KernelBusy, d.CommBusy, d.CommOverlap, d.MemcpyBusy, d.MemsetBusy, d.Busy, d.Idle, d.Span.Len(), d.KernelSum,
		time.Duration(d.Kernels), time.Duration(d.Memcpys), time.Duration(d.Memsets)}
	want := [...]time.Duration{31, 25, 15, 15, 0, 41, 24, 65, 48, 4, 1, 1}
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if o := rows[1]; o.Kernels != 0 || o.Others != 1 || o.OtherBusy != 3 || o.Busy != 3 || o.Idle != 0 {
		t.Errorf("work of unknown kind: got %+v, want one record of 3 ns that counts as busy", o)
	}
}

func TestNoDeviceWorkGivesNoDevice(t *testing.T) {
	if rows := Tabulate(capture(span(5, model.SpanOperator, 0, 9))); len(rows) != 0 {
		t.Errorf("got %+v, want none", rows)
	}
	if rows := Tabulate(&model.Capture{}); len(rows) != 0 {
		t.Errorf("got %+v, want none", rows)
	}
}

// TestSetsAgreeWithBitmap compares with the slow, obvious sets.
func TestSetsAgreeWithBitmap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	kinds := []model.SpanKind{model.SpanKernel, model.SpanCommunication, model.SpanMemcpy, model.SpanMemset, model.SpanDeviceOther}
	for range 300 {
		var spans []model.Span
		var bits [5][100]bool
		for range 1 + r.IntN(30) {
			k, start := r.IntN(5), r.IntN(90)
			end := start + r.IntN(10)
			spans = append(spans, span(model.TrackID(1+r.IntN(2)), kinds[k], model.ClockTime(start), model.ClockTime(end)))
			for i := start; i < end; i++ {
				bits[k][i] = true
			}
		}
		s := BusySets(capture(spans...))[0]
		count := func(f func(i int) bool) (n time.Duration) {
			for i := range 100 {
				if f(i) {
					n++
				}
			}
			return n
		}
		for _, c := range []struct {
			what string
			got  time.Duration
			want time.Duration
		}{
			{"compute", s.Compute.Len(), count(func(i int) bool { return bits[0][i] })},
			{"communication", s.Comm.Len(), count(func(i int) bool { return bits[1][i] })},
			{"kernel", s.Kernel.Len(), count(func(i int) bool { return bits[0][i] || bits[1][i] })},
			{"memcpy", s.Memcpy.Len(), count(func(i int) bool { return bits[2][i] })},
			{"memset", s.Memset.Len(), count(func(i int) bool { return bits[3][i] })},
			{"all", s.All.Len(), count(func(i int) bool { return bits[0][i] || bits[1][i] || bits[2][i] || bits[3][i] || bits[4][i] })},
			{"overlap", s.Comm.Intersect(s.Compute).Len(), count(func(i int) bool { return bits[0][i] && bits[1][i] })},
		} {
			if c.got != c.want {
				t.Fatalf("%s of %+v: got %d, want %d", c.what, spans, c.got, c.want)
			}
		}
	}
}

func BenchmarkBusySets(b *testing.B) {
	for _, c := range []struct {
		name  string
		loose bool
	}{{"ordered", false}, {"shuffled", true}} {
		b.Run(c.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			spans := make([]model.Span, 1_000_000)
			for i := range spans {
				at := model.ClockTime(i * 10)
				spans[i] = span(model.TrackID(1+i%2), model.SpanKernel, at, at+8)
			}
			if c.loose {
				r.Shuffle(len(spans), func(i, j int) { spans[i], spans[j] = spans[j], spans[i] })
			}
			rows := capture(spans...)
			var batches []model.SpanBatch
			for x := range rows.Spans.Batches() {
				batches = append(batches, x)
			}
			rows.Spans = kept(batches)
			b.ReportAllocs()
			for b.Loop() {
				if len(BusySets(rows)) != 1 {
					b.Fatal("want one device")
				}
			}
		})
	}
}

type kept []model.SpanBatch

func (k kept) Len() int { return len(k[0].Start) }

func (k kept) Batches() iter.Seq[model.SpanBatch] {
	return func(yield func(model.SpanBatch) bool) {
		for _, b := range k {
			if !yield(b) {
				return
			}
		}
	}
}
