package applog

import (
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"tracemerge/model"
)

// FuzzRead: no input makes the reader panic, unbalances the account, or reads
// differently in pieces than at once.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		`{"time":"2026-05-04T09:00:00.000+09:00","stage":"write","edge":"start","progress":"7/100"}` + "\n" + `{"ts":1796091369.92,"took":"1m2s","err":{"a":[1,"\u0041"]}}`,
		"time=2026-11-30T21:16:09.929-05:00 level=INFO msg=\"a \\\"b\\\"\" took=150.7ms step=1 x='y'",
		"0: [rank1]:[W302 14:06:02.123456789 P.cpp:1] a\nI0517 15:04:22.619 1 x] step 3/4\nFeb 28 01:00:00 x\nMar  1 02:00:00 y",
		"\r 1%|x| 1/9 [00:01<00:02, 1.0it/s]2026-05-04 09:00:00,1 retry 3 of 3\nTraceback (most recent call last):\n",
		":::MLLOG {\"time_ms\": 1, \"key\": \"a_start\"}\n:::MLPv0.5.0 a 1543785258.9 (x) run_stop\nSun Aug 17 00:40:32 UTC 2025\n05/16/21 22:08:20 a",
		"{\"log\":\"2025 {\\\"a\\\":1}\",\"stream\":\"e\",\"time\":\"2025-11-02T05:59:59Z\"}\n\x1b[2Kweb-1  | 14:05:02 x\x00\xff",
		"[1,2]<stdout>:[rank: 1] a\n<11>1 2026-03-02T14:05:03Z h a\n 2: (W rank=1 pid=2, ip=x) [a|b:1] 2026-03-02 14:05:03,1 >> step 1\nn-1: [2026-03-02 14:05:03,1] a=1/b=2/c",
		"2026-03-02T14:05:03.1Z stdout P E:  9%|x| 1/9 [00:01<00:02, 1.0it/s]\n2026-03-02T14:05:03.1Z\tERROR\ta\t{\"step\": 7}\n05/04/26 09:00:00 a\n16/04/26 09:00:00 {'step': 5}",
		"[{\"time\":\"2026-05-04T09:00:00Z\",\"step\":1},\n {\"a\":\"}\\\"\"}]{\n\"a\":{\n{\"b\":1}\nx\r2026-05-04 09:00:00 y",
		"time,stage,\"took_ms\"\n2026-05-04 09:00:00,\"a,\"\"b\",12\n",
	} {
		f.Add(s)
	}
	decl := model.Declaration{Stages: []model.StageRule{{Source: model.KindLog, Name: model.NewRaw("^a"), Stage: model.StageWrite},
		{Field: "stage", Value: model.NewRaw("write"), Stage: model.StageTransfer}},
		Patterns: []model.LogPattern{{Expr: model.NewRaw(`^<(?P<time>[^>]*)> (?P<stage>\w*)`)}}}
	f.Fuzz(func(t *testing.T, text string) {
		Format().Match([]byte(text))
		whole := readFrom(t, strings.NewReader(text), text, decl)
		pieces := readFrom(t, iotest.OneByteReader(strings.NewReader(text)), text, decl)
		if got, want := describe(pieces), describe(whole); got != want {
			t.Errorf("in pieces:\n%s\nat once:\n%s", got, want)
		}
	})
}

// describe spells all that a capture says, for comparison.
func describe(c *model.Capture) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%+v %v %v %s\n", c.Account, c.Window, c.Truncated, c.Source.Form)
	for _, d := range c.Domains {
		fmt.Fprintf(&s, "%d %v %v %v %+v\n", d.ID, d.Kind, d.Step, d.Valid, d.From)
	}
	for _, n := range c.Notices {
		fmt.Fprintf(&s, "%s %d %v\n", n.Code, n.N, n.At)
	}
	for m := range marks(c) {
		fmt.Fprintf(&s, "%d %d %+v %+v %d\n", m.At, m.Domain, m.From, sum(m), m.Rule)
	}
	return s.String()
}
