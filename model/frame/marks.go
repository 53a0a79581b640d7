package frame

import (
	"iter"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"tracemerge/model"
)

// The optional figures of a mark, in the order of their columns.
const (
	figRank = iota
	figStep
	figDuration
	figDone
	figTotal
	figAccepted
	figRejected
	figErrors
	figRetries
	figures
)

// The columns of a mark batch before the figures, in the order of markSchema.
const (
	colAt = iota
	colDomain
	colLine
	colLen
	colOffset
	colLevel
	colEdge
	colFlags
	colStage
	colRule
	colTask
	colInput
	colFigures
)

// The bits of the flags column.
const (
	flagRetry = 1 << iota
	flagError
)

// markSchema returns the columns of a mark batch. stage, task and input index the
// table's dictionary, in which 0 is the empty text.
func markSchema() *arrow.Schema {
	fields := []arrow.Field{field("at_ns", i64), field("domain", i32), field("line", i32), field("len", i32),
		field("offset", i64), field("level", u8), field("edge", u8), field("flags", u8), field("stage", i32),
		field("rule", i32), field("task", i32), field("input", i32)}
	for _, n := range [figures]string{"rank", "step", "duration_ns", "done", "total", "accepted", "rejected",
		"errors", "retries"} {
		fields = append(fields, arrow.Field{Name: n, Type: i64, Nullable: true})
	}
	return arrow.NewSchema(fields, nil)
}

// figure is one nullable column being filled. It holds nothing until the first
// known value of the batch: most logs state few of the figures.
type figure struct {
	value []int64
	valid []byte // bit i%8 of byte i/8: row i is known
	nulls int
}

// Marks collects the marks of one source. The zero value is ready to use. A
// figure that a mark does not know is null and comes back unknown with reason
// NotRecorded, whatever its reason was: a log either states a figure or does not.
type Marks struct {
	at, offset               []int64
	domain, line, length     []int32
	level, edge, flags       []uint8
	stage, rule, task, input []int32
	fig                      [figures]figure
	dict                     []model.Raw
	index                    map[model.Raw]int32
	source                   model.SourceID
	batches                  []arrow.Record
	rows                     int
	schema                   *arrow.Schema
	zeros                    []int64 // shared by all columns of a batch without a known value
}

// Append adds one mark. All marks of a table are of one source.
func (m *Marks) Append(k model.Mark) {
	if m.schema == nil {
		m.schema, m.index, m.dict = markSchema(), map[model.Raw]int32{{}: 0}, []model.Raw{{}}
		m.source = k.From.Source
	}
	if m.at == nil {
		m.grow()
	}
	m.at = append(m.at, int64(k.At))
	m.domain = append(m.domain, int32(k.Domain))
	m.line = append(m.line, k.From.Line)
	m.length = append(m.length, k.From.Len)
	m.offset = append(m.offset, k.From.Offset)
	m.level = append(m.level, uint8(k.Level))
	m.edge = append(m.edge, uint8(k.Edge))
	m.flags = append(m.flags, flagsOf(k))
	m.stage = append(m.stage, m.word(k.Stage))
	m.rule = append(m.rule, k.Rule)
	m.task = append(m.task, m.word(k.Task))
	m.input = append(m.input, m.word(k.Input))
	row := len(m.at) - 1
	if d, ok := k.Duration.Get(); ok {
		m.fig[figDuration].set(row, int64(d))
	}
	for i, v := range [figures]model.Maybe[int64]{figRank: k.Rank, figStep: k.Step, figDone: k.Done, figTotal: k.Total,
		figAccepted: k.Accepted, figRejected: k.Rejected, figErrors: k.Errors, figRetries: k.Retries} {
		if n, ok := v.Get(); ok {
			m.fig[i].set(row, n)
		}
	}
	if len(m.at) == batchRows {
		m.flush()
	}
}

func (m *Marks) grow() {
	n := min(batchRows, max(256, m.rows))
	m.at, m.offset = make([]int64, 0, n), make([]int64, 0, n)
	m.domain, m.line, m.length = make([]int32, 0, n), make([]int32, 0, n), make([]int32, 0, n)
	m.level, m.edge, m.flags = make([]uint8, 0, n), make([]uint8, 0, n), make([]uint8, 0, n)
	m.stage, m.rule, m.task, m.input = make([]int32, 0, n), make([]int32, 0, n), make([]int32, 0, n), make([]int32, 0, n)
}

func flagsOf(k model.Mark) (f uint8) {
	if k.Retry {
		f |= flagRetry
	}
	if k.Error {
		f |= flagError
	}
	return f
}

func (m *Marks) word(r model.Raw) int32 {
	if r == (model.Raw{}) {
		return 0
	}
	i, ok := m.index[r]
	if !ok {
		i = int32(len(m.dict))
		m.dict = append(m.dict, r)
		m.index[r] = i
	}
	return i
}

// set notes that the row has a value; rows skipped before it are null.
func (f *figure) set(row int, v int64) {
	for len(f.value) < row {
		f.value = append(f.value, 0)
		f.nulls++
	}
	f.value = append(f.value, v)
	for len(f.valid) <= row/8 {
		f.valid = append(f.valid, 0)
	}
	f.valid[row/8] |= 1 << (row % 8)
}

// column ends the figure's batch of n rows.
func (m *Marks) column(f *figure, n int) arrow.Array {
	if f.value == nil {
		if m.zeros == nil {
			m.zeros = make([]int64, batchRows)
		}
		f.value, f.nulls = m.zeros[:n], n
		f.valid = make([]byte, (n+7)/8)
	}
	for len(f.value) < n {
		f.value = append(f.value, 0)
		f.nulls++
	}
	for len(f.valid) < (n+7)/8 {
		f.valid = append(f.valid, 0)
	}
	values := wrap(i64, f.value)
	defer values.Release()
	d := array.NewData(i64, n, []*memory.Buffer{memory.NewBufferBytes(f.valid), values.Data().Buffers()[1]}, nil, f.nulls, 0)
	defer d.Release()
	*f = figure{}
	return array.MakeFromData(d)
}

func (m *Marks) flush() {
	n := len(m.at)
	cols := []arrow.Array{wrap(i64, m.at), wrap(i32, m.domain), wrap(i32, m.line), wrap(i32, m.length),
		wrap(i64, m.offset), wrap(u8, m.level), wrap(u8, m.edge), wrap(u8, m.flags), wrap(i32, m.stage),
		wrap(i32, m.rule), wrap(i32, m.task), wrap(i32, m.input)}
	for i := range m.fig {
		cols = append(cols, m.column(&m.fig[i], n))
	}
	m.batches = append(m.batches, record(m.schema, n, cols...))
	m.rows += n
	m.at, m.offset, m.domain, m.line, m.length = nil, nil, nil, nil, nil
	m.level, m.edge, m.flags = nil, nil, nil
	m.stage, m.rule, m.task, m.input = nil, nil, nil, nil
}

// Renumber replaces the domain of every mark so far: a reader knows the order of
// a file's clocks only at its end. It must be called before Table.
func (m *Marks) Renumber(to func(model.DomainID) model.DomainID) {
	for _, b := range m.batches {
		renumber(ids(b, colDomain), to)
	}
	renumber(m.domain, to)
}

func renumber(col []int32, to func(model.DomainID) model.DomainID) {
	for i, d := range col {
		col[i] = int32(to(model.DomainID(d)))
	}
}

// Table ends the collection and returns it; nil if nothing was appended.
func (m *Marks) Table() model.MarkTable {
	if len(m.at) > 0 {
		m.flush()
	}
	if m.rows == 0 {
		return nil
	}
	return &markTable{batches: m.batches, rows: m.rows, dict: m.dict, source: m.source}
}

type markTable struct {
	batches []arrow.Record
	rows    int
	dict    []model.Raw
	source  model.SourceID
}

func (t *markTable) Len() int { return t.rows }

func (t *markTable) All() iter.Seq[model.Mark] {
	return func(yield func(model.Mark) bool) {
		for _, b := range t.batches {
			v := t.view(b)
			for i := range int(b.NumRows()) {
				if !yield(v.mark(i)) {
					return
				}
			}
		}
	}
}

// markView is one batch with its columns at hand.
type markView struct {
	*markTable
	at, offset                                     []int64
	domain, line, length, stage, rule, task, input []int32
	level, edge, flags                             []uint8
	fig                                            [figures]*array.Int64
}

func (t *markTable) view(b arrow.Record) *markView {
	v := &markView{markTable: t, at: ints(b, colAt), offset: ints(b, colOffset), domain: ids(b, colDomain),
		line: ids(b, colLine), length: ids(b, colLen), stage: ids(b, colStage), rule: ids(b, colRule),
		task: ids(b, colTask), input: ids(b, colInput), level: small(b, colLevel), edge: small(b, colEdge),
		flags: small(b, colFlags)}
	for i := range v.fig {
		v.fig[i] = b.Column(colFigures + i).(*array.Int64)
	}
	return v
}

func (v *markView) mark(i int) model.Mark {
	k := model.Mark{At: model.ClockTime(v.at[i]), Domain: model.DomainID(v.domain[i]),
		From:  model.Pos{Source: v.source, Line: v.line[i], Len: v.length[i], Offset: v.offset[i]},
		Level: model.Level(v.level[i]), Edge: model.Edge(v.edge[i]),
		Retry: v.flags[i]&flagRetry != 0, Error: v.flags[i]&flagError != 0,
		Stage: v.dict[v.stage[i]], Rule: v.rule[i], Task: v.dict[v.task[i]], Input: v.dict[v.input[i]],
		Rank: v.figure(figRank, i), Step: v.figure(figStep, i), Done: v.figure(figDone, i), Total: v.figure(figTotal, i),
		Accepted: v.figure(figAccepted, i), Rejected: v.figure(figRejected, i), Errors: v.figure(figErrors, i),
		Retries: v.figure(figRetries, i), Duration: model.Missing[time.Duration](model.NotRecorded)}
	if d, ok := v.figure(figDuration, i).Get(); ok {
		k.Duration = model.Known(time.Duration(d))
	}
	return k
}

func (v *markView) figure(f, i int) model.Maybe[int64] {
	if v.fig[f].IsNull(i) {
		return model.Missing[int64](model.NotRecorded)
	}
	return model.Known(v.fig[f].Value(i))
}
