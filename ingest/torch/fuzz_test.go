package torch

import (
	"bytes"
	"context"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"tracemerge/model"
	"tracemerge/model/device"
)

// seeds are small documents, each for one rule of the reader.
func seeds() []string {
	return []string{
		`{"schemaVersion":1,"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1.5,"dur":2,"args":{"device":0,"stream":7,"correlation":3}}],"baseTimeNanoseconds":1712}`,
		`[{"ph":"X","ts":"1e3","dur":"2","name":"a\u0062\n","args":{"x":[1,{"y":"]}"}]}},null,1,"s",[{}]]`,
		`[{"args":{"name":"n"},"ph":"M","name":"process_name","pid":1},{"ph":"B","ts":1,"pid":1,"tid":2,"name":"b"},{"ph":"E","ts":3,"pid":1,"tid":2}]`,
		`{"traceEvents": [{"name":"quo"te","ph":"X","ts":1,"dur":1},{"ph":"i","ts":2,"name":"Record Window End"}]`,
		`[{"ph":"X","ts":-0.0005,"dur":1.0005},{"ph":"X","ts":12345678901234567.12345,"dur":1e-30},]`,
		`{"nodes":[],"schema":"1"}`, `{"traceEvents":null}`, ``, `[]`, `{`, `[`, `"`, "[W 1] x\n{\"traceEvents\":[",
		`[{"ph":"X","ts":1,"args":{"a":1, {"ph":"X","ts":2,"dur":1}]`,
		`{"INFO":["a "b" c"],"traceEvents":[{"ph":"C","ts":nan}]}`,
		`{"distributedInfo":"{\"rank\":3}","traceEvents":[{"\u0070h":"X","ts":0,"dur":4},{"ph":"X","ts":5,"dur":-4}]}`,
		`[{"args":{"device":1,"stream":7,"correlation":18446744073709551615},"cat":"kernel","ph":"X","ts":9e3,"dur":1},{"ph":"X","cat":"Runtime","ts":9001,"args":{"correlation":18446744073709551615}},{"ph":"X","cat":"gpu_memcpy","ts":7e15,"dur":-1}]`,
		strings.Repeat("[", 70) + strings.Repeat("]", 70),
	}
}

// FuzzRead reads anything: it must end, balance its account, keep every place
// inside the file and Start <= End, and not depend on the pieces it is given.
func FuzzRead(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := readFrom(context.Background(), bytes.NewReader(text), 1, model.Text{})
		if c == nil {
			t.Fatal("no capture")
		}
		if !c.Account.Balanced() {
			t.Errorf("account does not balance: %+v", c.Account)
		}
		for _, n := range c.Notices {
			for _, at := range n.At {
				if at.Offset < 0 || at.Offset > int64(len(text)) {
					t.Errorf("%s: place %d outside the file of %d bytes", n.Code, at.Offset, len(text))
				}
			}
			if n.N < 1 || n.Text.Empty() {
				t.Errorf("%s: notice without count or text", n.Code)
			}
		}
		rows := spanRows(c)
		for _, s := range rows {
			if s.At.End < s.At.Start || s.Offset < 0 || s.Offset >= int64(len(text)) || s.Kind == uncategorised ||
				int(s.Track) >= len(c.Tracks) || int(s.Name) >= len(c.Names) {
				t.Errorf("span %+v in a file of %d bytes", s, len(text))
			}
		}
		again, err2 := readFrom(context.Background(), iotest.OneByteReader(bytes.NewReader(text)), 1, model.Text{})
		if (err == nil) != (err2 == nil) {
			t.Errorf("byte by byte: got error %v, at once %v", err2, err)
		}
		same(t, again, c)
		checkFigures(t, c)
	})
}

// addSeeds adds the small documents, and the shared variants of one real trace
// where they are at hand.
func addSeeds(f *testing.F) {
	f.Helper()
	for _, s := range seeds() {
		f.Add([]byte(s))
	}
	paths, err := filepath.Glob(filepath.Join(sharedData, "traces/derived/*.json"))
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text[:min(len(text), 6000)]) // short texts are mutated more often
	}
}

// checkFigures holds the laws of what is computed from a capture.
func checkFigures(t *testing.T, c *model.Capture) {
	t.Helper()
	for _, q := range c.Trace.Quarantine {
		if q.N < 1 || q.Rule == "" || q.Why.Empty() {
			t.Errorf("quarantine without rule, count or words: %+v", q)
		}
	}
	if d, ok := c.Trace.BeforeLaunch.Get(); ok && d < 0 {
		t.Errorf("a device record %v before its launch", d)
	}
	sets := device.BusySets(c)
	rows := device.TabulateSets(sets)
	for _, s := range device.Coverage(c, sets, rows) {
		w, ok := s.Work.Get()
		if ok != (s.Records > 0) || ok && w.Busy+w.Idle != c.Trace.Steps[s.Step].At.Len() {
			t.Errorf("step %d on device %d: %+v of %v", s.Step, s.Device, s, c.Trace.Steps[s.Step].At.Len())
		}
	}
	for _, d := range rows {
		if d.Busy+d.Idle != d.Span.Len() || d.KernelBusy > d.Busy || d.CommOverlap > d.CommBusy || d.OverlapTime < 0 {
			t.Errorf("device figures contradict one another: %+v", d)
		}
	}
}

func spanRows(c *model.Capture) []model.Span {
	var out []model.Span
	if c.Spans == nil {
		return nil
	}
	for b := range c.Spans.Batches() {
		for i := range b.Start {
			out = append(out, model.Span{At: model.Interval[model.ClockTime]{Start: model.ClockTime(b.Start[i]), End: model.ClockTime(b.End[i])},
				Track: model.TrackID(b.Track[i]), Name: b.Name[i], Kind: model.SpanKind(b.Kind[i]), Link: b.Link[i], Offset: b.Offset[i]})
		}
	}
	return out
}

// plainSpan is an X event as encoding/json and big.Rat have it.
type plainSpan struct {
	start, end int64
	name       string
}

// FuzzAgainstEncodingJSON holds what the scanner makes of valid documents
// against encoding/json and exact rational arithmetic.
func FuzzAgainstEncodingJSON(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) {
			return
		}
		elements, ok := reference(text)
		if !ok {
			return
		}
		c, err := readFrom(context.Background(), bytes.NewReader(text), 1, model.Text{})
		if err != nil {
			if len(elements) > 0 && hasEvent(elements) {
				t.Fatalf("valid trace refused: %v", err)
			}
			return
		}
		if c.Trace.Events != int64(len(elements)) || c.Truncated {
			t.Fatalf("got %d elements, truncated %v; want %d", c.Trace.Events, c.Truncated, len(elements))
		}
		var got []plainSpan
		for _, s := range spanRows(c) {
			got = append(got, plainSpan{int64(s.At.Start), int64(s.At.End), c.Names[s.Name].Reveal()})
		}
		want := spansOf(elements)
		if len(got) != len(want) {
			// Records may be kept out, B and E events may be joined.
			if len(c.Trace.Quarantine) == 0 && !hasPhase(elements, "B") {
				t.Fatalf("got %d spans, want %d", len(got), len(want))
			}
			return
		}
		base := int64(0)
		if len(got) > 0 {
			base = got[0].start - want[0].start
		}
		for i := range got {
			if hasPhase(elements, "B") {
				break
			}
			if got[i].start-base != want[i].start || got[i].end-base != want[i].end || got[i].name != want[i].name {
				t.Fatalf("span %d: got %+v (base %d), want %+v", i, got[i], base, want[i])
			}
		}
	})
}

// reference returns the elements of the event array of a valid document.
func reference(text []byte) ([]any, bool) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	tok, err := dec.Token()
	if err != nil {
		return nil, false
	}
	if tok == json.Delim('[') {
		var all []any
		again := json.NewDecoder(bytes.NewReader(text))
		again.UseNumber()
		return all, again.Decode(&all) == nil && fill(&all, text)
	}
	if tok != json.Delim('{') {
		return nil, false
	}
	var all []any
	found := false
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, false
		}
		var v any
		if dec.Decode(&v) != nil {
			return nil, false
		}
		if key == "traceEvents" {
			ev, ok := v.([]any)
			if !ok {
				return nil, false
			}
			all, found = append(all, ev...), true
		}
	}
	return all, found
}

// fill decodes a bare array.
func fill(all *[]any, text []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return dec.Decode(all) == nil
}

func phaseOf(e any) string {
	m, _ := e.(map[string]any)
	ph, _ := m["ph"].(string)
	return ph
}

func hasPhase(all []any, ph string) bool {
	for _, e := range all {
		if phaseOf(e) == ph {
			return true
		}
	}
	return false
}

func hasEvent(all []any) bool {
	for _, e := range all {
		if phaseOf(e) != "" {
			return true
		}
	}
	return false
}

func spansOf(all []any) []plainSpan {
	var out []plainSpan
	limit := new(big.Rat).SetInt64(maxNS)
	for _, e := range all {
		m, _ := e.(map[string]any)
		if phaseOf(e) != "X" {
			continue
		}
		ts, ok := rational(m["ts"])
		if !ok || new(big.Rat).Abs(ts).Cmp(limit) > 0 {
			continue
		}
		dur, ok := rational(m["dur"])
		if !ok || dur.Sign() < 0 || dur.Cmp(limit) > 0 {
			dur = new(big.Rat)
		}
		end := new(big.Rat).Add(ts, dur)
		if end.Cmp(limit) > 0 {
			continue
		}
		name, _ := m["name"].(string)
		switch v := m["name"].(type) {
		case json.Number:
			name = v.String()
		case bool:
			name = strconv.FormatBool(v)
		}
		out = append(out, plainSpan{halfEven(ts), halfEven(end), name})
	}
	return out
}

var decimal = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$`)

// rational is a value in nanoseconds.
func rational(v any) (*big.Rat, bool) {
	var s string
	switch v := v.(type) {
	case json.Number:
		s = v.String()
	case string:
		s = strings.TrimSpace(v)
	}
	if !decimal.MatchString(s) {
		return nil, false
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return nil, false
	}
	return r.Mul(r, big.NewRat(1000, 1)), true
}

func halfEven(r *big.Rat) int64 {
	num, den := r.Num(), r.Denom()
	q, m := new(big.Int).DivMod(num, den, new(big.Int))
	switch twice := new(big.Int).Lsh(m, 1); twice.Cmp(den) {
	case 1:
		q.Add(q, big.NewInt(1))
	case 0:
		if q.Bit(0) == 1 {
			q.Add(q, big.NewInt(1))
		}
	}
	return q.Int64()
}
