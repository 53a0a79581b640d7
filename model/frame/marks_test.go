package frame

import (
	"fmt"
	"testing"
	"time"

	"tracemerge/model"
)

// missing returns a mark that knows none of its figures.
func missing() model.Mark {
	no := model.Missing[int64](model.NotRecorded)
	return model.Mark{Rank: no, Step: no, Done: no, Total: no, Accepted: no, Rejected: no, Errors: no, Retries: no,
		Duration: model.Missing[time.Duration](model.NotRecorded)}
}

func sampleMark(i int) model.Mark {
	k := missing()
	k.At, k.Domain = model.ClockTime(i)*7, model.DomainID(i%3)
	k.From = model.Pos{Source: 4, Line: int32(i + 1), Len: int32(i % 90), Offset: int64(i) * 91}
	k.Level, k.Edge = model.Level(i%6), model.Edge(i%4)
	k.Retry, k.Error = i%5 == 0, i%7 == 0
	if i%2 == 0 {
		k.Stage, k.Rule = model.NewRaw(fmt.Sprint("stage ", i%4)), int32(i%3)
	}
	if i%3 == 0 {
		k.Task, k.Input = model.NewRaw("t"), model.NewRaw(fmt.Sprint("batch ", i))
	}
	if i%11 == 0 {
		k.Rank, k.Step = model.Known(int64(0)), model.Known(int64(-i))
		k.Duration = model.Known(time.Duration(i))
	}
	if i%13 == 5 {
		k.Done, k.Total = model.Known(int64(i)), model.Known(int64(2*i))
		k.Accepted, k.Rejected = model.Known(int64(i)), model.Known(int64(0))
	}
	if i > batchRows && i%17 == 0 {
		k.Errors, k.Retries = model.Known(int64(i)), model.Known(int64(1))
	}
	return k
}

func TestMarksRoundTrip(t *testing.T) {
	for _, n := range []int{1, 7, 8, 9, batchRows, batchRows + 1, 2*batchRows + 77} {
		var m Marks
		for i := range n {
			m.Append(sampleMark(i))
		}
		table := m.Table()
		if got := table.Len(); got != n {
			t.Fatalf("%d marks: Len: got %d", n, got)
		}
		for range 2 { // a table may be read any number of times
			i := 0
			for got := range table.All() {
				if want := sampleMark(i); got != want {
					t.Fatalf("%d marks: mark %d: got %+v, want %+v", n, i, got, want)
				}
				i++
			}
			if i != n {
				t.Fatalf("%d marks: All yielded %d", n, i)
			}
		}
	}
}

func TestMarksUnknownComesBackNotRecorded(t *testing.T) {
	var m Marks
	m.Append(model.Mark{Rank: model.Missing[int64](model.NotAvailable)})
	for k := range m.Table().All() {
		if got, want := k.Rank.Why(), model.NotRecorded; k.Rank.Known() || got != want {
			t.Errorf("rank: got known %v, reason %v; want unknown, %v", k.Rank.Known(), got, want)
		}
	}
}

func TestMarksRenumberReachesEveryBatch(t *testing.T) {
	var m Marks
	for i := range batchRows + 3 {
		m.Append(model.Mark{Domain: model.DomainID(i % 2)})
	}
	m.Renumber(func(d model.DomainID) model.DomainID { return 1 - d })
	i := 0
	for k := range m.Table().All() {
		if got, want := k.Domain, model.DomainID(1-i%2); got != want {
			t.Fatalf("mark %d: domain: got %d, want %d", i, got, want)
		}
		i++
	}
}

func TestMarksEmptyIsNil(t *testing.T) {
	var m Marks
	if got := m.Table(); got != nil {
		t.Errorf("table of no marks: got %v, want nil", got)
	}
}

func TestMarksStopEarly(t *testing.T) {
	var m Marks
	for i := range 5 {
		m.Append(sampleMark(i))
	}
	n := 0
	for range m.Table().All() {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("marks before the stop: got %d, want 2", n)
	}
}
