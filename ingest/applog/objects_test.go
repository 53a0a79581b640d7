package applog

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"tracemerge/ingest"
	"tracemerge/model"
)

// JSON records that lines do not divide are read like those that they do: same
// readings, same figures, with the place where the record begins.
func TestJSONOverLines(t *testing.T) {
	const a, b = `{"time":"2026-05-04T09:00:00Z","msg":"a } \" {","n":{"x":[1,{}]},"step":1}`, `{"time":"2026-05-04T09:00:01Z","msg":"b","step":2}`
	pretty := strings.NewReplacer(`,"step":1}`, ",\n  \"step\":1\n}", `,"step":2}`, ",\n  \"step\":2\n}", `,"`, ",\n  \"", `{"time`, "{\n  \"time")
	for _, k := range []struct {
		name, text string
		lines      [2]int32
	}{
		{"an array on one line", "[" + a + "," + b + "]", [2]int32{1, 1}},
		{"an array, a record a line", "[\n" + a + ",\n" + b + "\n]\n", [2]int32{2, 3}},
		{"an array, pretty", "[\n" + pretty.Replace(a) + ",\n" + pretty.Replace(b) + "\n]\n", [2]int32{2, 8}},
		{"pretty", pretty.Replace(a) + "\n" + pretty.Replace(b) + "\n", [2]int32{1, 7}},
		{"pretty, without line ends between", pretty.Replace(a) + pretty.Replace(b), [2]int32{1, 6}},
		{"CRLF", strings.ReplaceAll(pretty.Replace(a)+"\n"+pretty.Replace(b)+"\n", "\n", "\r\n"), [2]int32{1, 7}},
	} {
		t.Run(k.name, func(t *testing.T) {
			if got := Format().Match([]byte(k.text)); got != ingest.Likely {
				t.Errorf("match: got %d, want likely", got)
			}
			c := readText(t, k.text, model.Declaration{})
			var got []string
			for m := range marks(c) {
				first := int64(strings.Index(k.text, "{"))
				if figureOf(m.Step) == 2 {
					first = int64(strings.LastIndex(k.text, "{"))
				}
				if m.From.Offset != first || !strings.HasSuffix(k.text[first:first+int64(m.From.Len)], "}") {
					t.Errorf("step %d: got offset %d and length %d, want %d to a brace", figureOf(m.Step), m.From.Offset, m.From.Len, first)
				}
				got = append(got, fmt.Sprintf("%d@%d", figureOf(m.Step), m.From.Line))
			}
			if want := []string{fmt.Sprintf("1@%d", k.lines[0]), fmt.Sprintf("2@%d", k.lines[1])}; fmt.Sprint(got) != fmt.Sprint(want) || c.Account.Read != 2 {
				t.Errorf("got steps %v of %d records, want %v of 2", got, c.Account.Read, want)
			}
		})
	}
}

func TestDamagedJSONOverLines(t *testing.T) {
	const ok = "{\n \"time\": \"2026-05-04T09:00:00Z\",\n \"step\": 1\n}\n"
	for _, k := range []struct {
		name, text     string
		used           int64
		aside, refused string
	}{
		{"a record that is not closed", ok + "{\n \"time\": \"2026-05-04T09:00:01Z\",\n \"a\": {\n" + ok, 2, "", "applog/bad-json"},
		{"a string that is not closed", ok + "{\n \"time\": \"2026-05-04T09:00:01Z,\n \"a\": 1\n}\n" + ok, 2, "", "applog/bad-json"},
		{"cut off", ok + "{\n \"time\": \"2026-05", 1, "applog/cut-record", ""},
		{"a banner between", ok + "restarted\n" + ok, 2, "", ""},
		{"text with a stamp between", ok + "2026-05-04T09:00:01Z step 2\n" + ok, 3, "", ""},
		{"a record without a time", ok + "{\n \"a\": 1\n}\n", 1, "applog/no-time", ""},
	} {
		c := readText(t, k.text, model.Declaration{})
		if c.Account.Used != k.used || tally(c.Account.SetAside, k.aside) != int64(min(len(k.aside), 1)) || tally(c.Account.Rejected, k.refused) != int64(min(len(k.refused), 1)) {
			t.Errorf("%s: got %+v, want %d used, %q, %q", k.name, c.Account, k.used, k.aside, k.refused)
		}
	}
}

func TestObjectLongerThanTheLimit(t *testing.T) {
	text := `[{"a":"` + strings.Repeat("x", 100) + `"},{"a":1}]`
	o := newObjects(iotest.OneByteReader(strings.NewReader(text)), 32)
	first, ok1 := o.next()
	long, end := first.tooLong, first.ended
	second, ok2 := o.next()
	if !ok1 || !ok2 || !long || !end || string(second.text) != `{"a":1}` || second.tooLong || second.offset != int64(len(text)-8) {
		t.Errorf("got too long %v, ended %v, then %q at %d", long, end, second.text, second.offset)
	}
	_, more := o.next()
	if _, _, err := o.end(); more || err != io.EOF {
		t.Errorf("end: got more %v, error %v; want no more, %v", more, err, io.EOF)
	}
}

// Documents of other kinds are not taken for logs.
func TestJSONThatIsNoLog(t *testing.T) {
	for _, head := range []string{
		"{\n \"timestamp\": \"2026-05-04T09:00:00Z\",\n \"version\": 3\n}\n",
		"[{\"ph\": \"X\", \"ts\": 1772460303123456.5, \"name\": \"a\", \"step\": 1}]",
		"[\n {\n  \"a\": 1\n }\n]\n", "[1,2]", "[", "{", "[{",
	} {
		if got := Format().Match([]byte(head)); got != ingest.No {
			t.Errorf("%q: got %d, want no", head, got)
		}
	}
}
