package frame

import (
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"tracemerge/model"
)

// sizes lie around the borders of batches.
var sizes = []int{1, 255, 256, 257, batchRows - 1, batchRows, batchRows + 1, 3*batchRows + 17}

// span is the i-th test span; every column differs from row to row and from the
// others.
func span(i int) model.Span {
	link := int64(i) * 7
	if i%3 == 0 {
		link = model.NoLink
	}
	return model.Span{At: model.Interval[model.ClockTime]{Start: model.ClockTime(i)*1000 - 5, End: model.ClockTime(i)*1000 + 999},
		Track: model.TrackID(i % 11), Name: int32(i % 1021), Kind: model.SpanKind(i % 16), Link: link, Offset: int64(i) << 20}
}

func TestSpansComeBackAsTheyWentIn(t *testing.T) {
	for _, n := range sizes {
		var b Spans
		for i := range n {
			s := span(i)
			b.Append(int64(s.At.Start), int64(s.At.End), s.Track, s.Name, s.Kind, s.Link, s.Offset)
		}
		table := b.Table()
		if table.Len() != n {
			t.Errorf("%d spans: Len is %d", n, table.Len())
		}
		for pass := range 2 { // a table may be read any number of times
			i := 0
			for c := range table.Batches() {
				for k := range c.Start {
					got := model.Span{At: model.Interval[model.ClockTime]{Start: model.ClockTime(c.Start[k]), End: model.ClockTime(c.End[k])},
						Track: model.TrackID(c.Track[k]), Name: c.Name[k], Kind: model.SpanKind(c.Kind[k]), Link: c.Link[k], Offset: c.Offset[k]}
					if want := span(i); got != want {
						t.Fatalf("%d spans, pass %d, row %d: got %+v, want %+v", n, pass, i, got, want)
					}
					i++
				}
			}
			if i != n {
				t.Errorf("%d spans, pass %d: %d rows came back", n, pass, i)
			}
		}
	}
}

func sample(i int) model.Sample {
	s := model.Sample{At: model.ClockTime(i) * 13, Track: model.TrackID(i % 5), Metric: model.MetricID(i % 9), Line: int32(i + 2), Offset: int64(i) * 100}
	switch i % 4 {
	case 0:
		s.Value = model.Known(0.0)
	case 1:
		s.Value = model.Known(float64(i) / 3)
	case 2:
		s.Value = model.Missing[float64](model.NotAvailable)
	default:
		s.Value = model.Missing[float64](model.NotSet)
	}
	return s
}

func TestSamplesComeBackAsTheyWentIn(t *testing.T) {
	for _, n := range sizes {
		var b Samples
		rows := make(model.SampleRows, n)
		for i := range n {
			s := sample(i)
			rows[i] = s
			b.Append(s.At, s.Track, s.Metric, s.Value, s.Line, s.Offset)
		}
		var got model.SampleBatch
		for c := range b.Table().Batches() {
			got.At = append(got.At, c.At...)
			got.Track = append(got.Track, c.Track...)
			got.Metric = append(got.Metric, c.Metric...)
			got.Value = append(got.Value, c.Value...)
			got.Why = append(got.Why, c.Why...)
			got.Line = append(got.Line, c.Line...)
			got.Offset = append(got.Offset, c.Offset...)
		}
		for want := range rows.Batches() { // the same rows through the plain row table
			if !slices.Equal(got.At, want.At) || !slices.Equal(got.Track, want.Track) || !slices.Equal(got.Metric, want.Metric) ||
				!slices.Equal(got.Value, want.Value) || !slices.Equal(got.Why, want.Why) || !slices.Equal(got.Line, want.Line) ||
				!slices.Equal(got.Offset, want.Offset) {
				t.Errorf("%d samples: the columns differ from the rows that went in", n)
			}
		}
		if b.Table().Len() != n {
			t.Errorf("%d samples: Len is %d", n, b.Table().Len())
		}
	}
}

func TestNothingAppendedIsNoTable(t *testing.T) {
	var s Spans
	var m Samples
	if s.Table() != nil || m.Table() != nil {
		t.Errorf("got %v and %v, want no table", s.Table(), m.Table())
	}
}

func TestReadingMayStopEarly(t *testing.T) {
	var b Spans
	for i := range 3 * batchRows {
		b.Append(int64(i), int64(i), 0, 0, model.SpanOther, model.NoLink, 0)
	}
	seen := 0
	for c := range b.Table().Batches() {
		seen += len(c.Start)
		break
	}
	if seen != batchRows {
		t.Errorf("got %d rows before the break, want one batch of %d", seen, batchRows)
	}
}

// The batches hold the builder's own slices: Arrow must neither copy them nor
// keep anything allocated by itself.
func TestRecordsTakeNoMemoryOfArrow(t *testing.T) {
	before := memory.DefaultAllocator
	checked := memory.NewCheckedAllocator(memory.NewGoAllocator())
	memory.DefaultAllocator = checked
	defer func() { memory.DefaultAllocator = before }()
	start := []int64{1, 2, 3}
	col := wrap(i64, start)
	r := record(arrow.NewSchema([]arrow.Field{field("start_ns", i64)}, nil), 3, col)
	if got := ints(r, 0); &got[0] != &start[0] || len(got) != 3 {
		t.Errorf("got %v at another place, want the same memory", got)
	}
	r.Release()
	checked.AssertSize(t, 0)
}

func TestRecordsCarryTheirSchema(t *testing.T) {
	var b Spans
	b.Append(1, 2, 3, 4, model.SpanKernel, 5, 6)
	r := b.Table().(*table[model.SpanBatch]).batches[0]
	if !r.Schema().Equal(spanSchema()) || r.NumRows() != 1 {
		t.Errorf("got %v with %d rows, want %v with 1", r.Schema(), r.NumRows(), spanSchema())
	}
	var m Samples
	m.Append(1, 2, 3, model.Known(4.0), 5, 6)
	if r := m.Table().(*table[model.SampleBatch]).batches[0]; !r.Schema().Equal(sampleSchema()) {
		t.Errorf("got %v, want %v", r.Schema(), sampleSchema())
	}
}
