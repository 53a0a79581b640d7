// Package frame keeps spans, samples and marks in Arrow record batches and gives
// them back as the model's columns without copying.
//
// A builder is filled row by row into plain slices and turned into a record
// batch every batchRows rows by wrapping those slices, so the cost of a row is
// that of an append. Times are int64 nanoseconds of the capture's own clock,
// names are indices into the capture's dictionary, unknown values are null with
// their reason in a column beside them.
package frame

import (
	"iter"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"tracemerge/model"
)

// batchRows is the number of rows of a full record batch.
const batchRows = 1 << 16

// number is what a fixed-width Arrow column holds.
type number interface {
	~int64 | ~int32 | ~uint8 | ~float64
}

// wrap makes an Arrow array over the slice itself.
func wrap[T number](t arrow.DataType, v []T) arrow.Array {
	var bytes []byte
	if len(v) > 0 {
		bytes = unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))
	}
	d := array.NewData(t, len(v), []*memory.Buffer{nil, memory.NewBufferBytes(bytes)}, nil, 0, 0)
	defer d.Release()
	return array.MakeFromData(d)
}

func record(s *arrow.Schema, n int, cols ...arrow.Array) arrow.Record {
	defer func() {
		for _, c := range cols {
			c.Release()
		}
	}()
	return array.NewRecord(s, cols, int64(n))
}

// table is a list of record batches read as B.
type table[B any] struct {
	batches []arrow.Record
	rows    int
	view    func(arrow.Record) B
}

func (t *table[B]) Len() int { return t.rows }

func (t *table[B]) Batches() iter.Seq[B] {
	return func(yield func(B) bool) {
		for _, r := range t.batches {
			if !yield(t.view(r)) {
				return
			}
		}
	}
}

func (t *table[B]) add(r arrow.Record) {
	t.batches = append(t.batches, r)
	t.rows += int(r.NumRows())
}

// layout says how batches of B become records and back.
type layout[B any] struct {
	schema  *arrow.Schema
	fresh   func(rows int) B // an empty batch with room for the rows
	columns func(B) []arrow.Array
	view    func(arrow.Record) B
}

// builder collects rows in plain slices and turns them into a record batch every
// batchRows rows.
type builder[B any] struct {
	layout layout[B]
	cur    B
	n      int // rows of cur
	table  *table[B]
}

// begin makes room for the next row. Small tables stay small: a batch has room for
// as many rows as there are already.
func (b *builder[B]) begin(l func() layout[B]) {
	if b.n > 0 {
		return
	}
	if b.table == nil {
		b.layout = l()
		b.table = &table[B]{view: b.layout.view}
	}
	b.cur = b.layout.fresh(min(batchRows, max(256, b.table.rows)))
}

// end closes a row.
func (b *builder[B]) end() {
	if b.n++; b.n == batchRows {
		b.flush()
	}
}

func (b *builder[B]) flush() {
	var none B
	b.table.add(record(b.layout.schema, b.n, b.layout.columns(b.cur)...))
	b.cur, b.n = none, 0
}

// Table ends the collection and returns it; nil if nothing was appended.
func (b *builder[B]) Table() model.Columns[B] {
	if b.n > 0 {
		b.flush()
	}
	if b.table == nil {
		return nil
	}
	return b.table
}

var (
	i64 = arrow.PrimitiveTypes.Int64
	i32 = arrow.PrimitiveTypes.Int32
	u8  = arrow.PrimitiveTypes.Uint8
	f64 = arrow.PrimitiveTypes.Float64
)

func field(name string, t arrow.DataType) arrow.Field { return arrow.Field{Name: name, Type: t} }

func ints(r arrow.Record, i int) []int64     { return r.Column(i).(*array.Int64).Int64Values() }
func ids(r arrow.Record, i int) []int32      { return r.Column(i).(*array.Int32).Int32Values() }
func small(r arrow.Record, i int) []uint8    { return r.Column(i).(*array.Uint8).Uint8Values() }
func floats(r arrow.Record, i int) []float64 { return r.Column(i).(*array.Float64).Float64Values() }

// spanSchema returns the columns of a span batch.
func spanSchema() *arrow.Schema {
	return arrow.NewSchema([]arrow.Field{field("start_ns", i64), field("end_ns", i64), field("track", i32),
		field("name", i32), field("kind", u8), field("link", i64), field("offset", i64)}, nil)
}

func spanLayout() layout[model.SpanBatch] {
	return layout[model.SpanBatch]{
		schema: spanSchema(),
		fresh: func(n int) model.SpanBatch {
			return model.SpanBatch{Start: make([]int64, 0, n), End: make([]int64, 0, n), Track: make([]int32, 0, n),
				Name: make([]int32, 0, n), Kind: make([]uint8, 0, n), Link: make([]int64, 0, n), Offset: make([]int64, 0, n)}
		},
		columns: func(c model.SpanBatch) []arrow.Array {
			return []arrow.Array{wrap(i64, c.Start), wrap(i64, c.End), wrap(i32, c.Track), wrap(i32, c.Name),
				wrap(u8, c.Kind), wrap(i64, c.Link), wrap(i64, c.Offset)}
		},
		view: func(r arrow.Record) model.SpanBatch {
			return model.SpanBatch{Start: ints(r, 0), End: ints(r, 1), Track: ids(r, 2), Name: ids(r, 3),
				Kind: small(r, 4), Link: ints(r, 5), Offset: ints(r, 6)}
		},
	}
}

// Spans collects spans. The zero value is ready to use.
type Spans struct{ builder[model.SpanBatch] }

// Append adds one span; start and end are ClockTime, name an index into the
// capture's Names, link a correlation id or model.NoLink, offset the byte where
// the record begins.
func (s *Spans) Append(start, end int64, track model.TrackID, name int32, kind model.SpanKind, link, offset int64) {
	s.begin(spanLayout)
	c := &s.cur
	c.Start = append(c.Start, start)
	c.End = append(c.End, end)
	c.Track = append(c.Track, int32(track))
	c.Name = append(c.Name, name)
	c.Kind = append(c.Kind, uint8(kind))
	c.Link = append(c.Link, link)
	c.Offset = append(c.Offset, offset)
	s.end()
}

// sampleSchema returns the columns of a sample batch.
func sampleSchema() *arrow.Schema {
	return arrow.NewSchema([]arrow.Field{field("at_ns", i64), field("track", i32), field("metric", i32),
		field("value", f64), field("why", u8), field("line", i32), field("offset", i64)}, nil)
}

func sampleLayout() layout[model.SampleBatch] {
	return layout[model.SampleBatch]{
		schema: sampleSchema(),
		fresh: func(n int) model.SampleBatch {
			return model.SampleBatch{At: make([]int64, 0, n), Track: make([]int32, 0, n), Metric: make([]int32, 0, n),
				Value: make([]float64, 0, n), Why: make([]uint8, 0, n), Line: make([]int32, 0, n), Offset: make([]int64, 0, n)}
		},
		columns: func(c model.SampleBatch) []arrow.Array {
			return []arrow.Array{wrap(i64, c.At), wrap(i32, c.Track), wrap(i32, c.Metric), wrap(f64, c.Value),
				wrap(u8, c.Why), wrap(i32, c.Line), wrap(i64, c.Offset)}
		},
		view: func(r arrow.Record) model.SampleBatch {
			return model.SampleBatch{At: ints(r, 0), Track: ids(r, 1), Metric: ids(r, 2), Value: floats(r, 3),
				Why: small(r, 4), Line: ids(r, 5), Offset: ints(r, 6)}
		},
	}
}

// Samples collects samples. The zero value is ready to use.
type Samples struct{ builder[model.SampleBatch] }

// Append adds one cell of a row: the value if it is known, else its reason; line
// and offset are the place of the row.
func (s *Samples) Append(at model.ClockTime, track model.TrackID, metric model.MetricID, value model.Maybe[float64], line int32, offset int64) {
	v, ok := value.Get()
	why := model.Present
	if !ok {
		why = uint8(value.Why())
	}
	s.begin(sampleLayout)
	c := &s.cur
	c.At = append(c.At, int64(at))
	c.Track = append(c.Track, int32(track))
	c.Metric = append(c.Metric, int32(metric))
	c.Value = append(c.Value, v)
	c.Why = append(c.Why, why)
	c.Line = append(c.Line, line)
	c.Offset = append(c.Offset, offset)
	s.end()
}
