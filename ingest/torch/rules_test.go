package torch

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"tracemerge/ingest"
	"tracemerge/model"
	"tracemerge/model/device"
)

// x writes one X event.
func x(cat, name string, ts, dur any, more string) string {
	return fmt.Sprintf(`{"ph":"X","cat":%q,"name":%q,"pid":0,"tid":7,"ts":%v,"dur":%v%s}`, cat, name, ts, dur, more)
}

func doc(events ...string) string {
	return `{"baseTimeNanoseconds":1712000000000000000,"traceEvents":[` + strings.Join(events, ",\n") + `]}`
}

func mustRead(t *testing.T, text string) *model.Capture {
	t.Helper()
	c, err := readText(t, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if !c.Account.Balanced() {
		t.Fatalf("account does not balance: %+v", c.Account)
	}
	return c
}

func TestKindFollowsFromTheCategory(t *testing.T) {
	cases := []struct {
		cat, name string
		want      model.SpanKind
	}{
		{"kernel", "gemm", model.SpanKernel},
		{"Kernel", "gemm", model.SpanKernel},
		{"kernel", "ncclDevKernel_AllReduce", model.SpanCommunication},
		{"kernel", "void vllm::cross_device_reduce_1stage<>", model.SpanCommunication},
		{"kernel", "dpsk::ep::dispatch", model.SpanCommunication},
		{"kernel", "multimem_all_reduce_kernel", model.SpanCommunication},
		{"cpu_op", "nccl:all_reduce", model.SpanOperator},
		{"gpu_memcpy", "Memcpy nccl", model.SpanMemcpy},
		{"Memcpy", "m", model.SpanMemcpy},
		{"gpu_memset", "m", model.SpanMemset},
		{"mtia_ccp_events", "pe", model.SpanDeviceOther},
		{"gpu_user_annotation", "a", model.SpanDeviceNote},
		{"gpu_user_annotation", "ProfilerStep#3", model.SpanDeviceStep},
		{"user_annotation", "ProfilerStep#3", model.SpanStep},
		{"Operator", "ProfilerStep#3", model.SpanStep},
		{"cpu_op", "ProfilerStep#x", model.SpanOperator},
		{"cuda_runtime", "cudaLaunchKernel", model.SpanRuntime},
		{"Runtime", "cudaLaunchKernel", model.SpanRuntime},
		{"python_function", "f", model.SpanPython},
		{"cuda_sync", "Stream Sync", model.SpanSync},
		{"overhead", "o", model.SpanOverhead},
		{"Trace", "PyTorch Profiler (0)", model.SpanRecordWindow},
		{"something_new", "s", model.SpanOther},
		{"kernel", "userbuffers_fp16_sum_inplace_gpu_rr_rs<2>", model.SpanCommunication},
		{"kernel", "quickreduce::allreduce_prototype_twoshot<x>", model.SpanCommunication},
		{"kernel", "oneShotAllReduceKernel<half, 8>", model.SpanCommunication},
		{"kernel", "CatAllreduceBatchedCopy", model.SpanKernel},
		{"cuda_event", "Event Record", model.SpanDeviceNote},
		{"cuda_profiler_range", "r", model.SpanDeviceNote},
		{"xpu_runtime", "urEnqueueKernelLaunch", model.SpanRuntime},
	}
	for _, c := range cases {
		rows := spanRows(mustRead(t, doc(x(c.cat, c.name, 5, 1, ""))))
		if len(rows) != 1 || rows[0].Kind != c.want {
			t.Errorf("cat %s, name %s: got %+v, want kind %d", c.cat, c.name, rows, c.want)
		}
	}
}

// TestTolerance reads text that is no JSON, or no sound event, in the ways that
// real recorders write it.
func TestTolerance(t *testing.T) {
	good := x("cpu_op", "good", 100, 5, "")
	cases := []struct {
		rule   string
		text   string
		events int64
		used   int64
		code   string // of a notice or tally that must be there
	}{
		{"quotation marks in a name are read by the keys around it",
			doc(good, `{"ph":"X","cat":"cpu_op","name":"say "hi", then {go}","pid":1,"tid":2,"ts":101,"dur":2}`, good), 3, 3, "torch/repaired-event"},
		{"a backslash before the closing quotation mark",
			doc(good, `{"ph":"X","cat":"cpu_op","name":"C:\dir\","pid":1,"tid":2,"ts":101,"dur":2}`, good), 3, 3, "torch/repaired-event"},
		{"half a number is no time",
			doc(good, `{"ph":"X","cat":"cpu_op","name":"n","pid":1,"tid":2,"ts":10"1,"dur":2}`, good), 2, 2, "torch/unreadable"},
		{"a bracket that is missing does not swallow the neighbours",
			doc(good, `{"ph":"X","cat":"cpu_op","name":"n","ts":101,"dur":2,"args":{"a":1`, good), 2, 2, "torch/unreadable"},
		{"behind a line of a log an event whose args stand first",
			doc(good, "[W socket.cpp:697] no {route}\n"+`{"args":{"device":1,"name":"n"},"cat":"cpu_op","dur":1,"name":"n","ph":"X","ts":3}`), 2, 2, "torch/stray-text"},
		{"behind a broken event one whose name holds an escaped quotation mark",
			doc(good, `{"ph":"X","cat":"cpu_op","name":"n","ts":101,"args":{"a":1`, `{"cat":"cpu_op","name":"say \"ph\"","args":{},"ph":"X","ts":3}`), 2, 2, "torch/unreadable"},
		{"between a name with quotation marks and a line of a log",
			doc(good, `{"ph":"X","cat":"cpu_op","name":"say "hi" {x}","ts":101,"dur":2}`, "[W 12:00] socket.cpp:697] no {route}\n"+good), 3, 3, "torch/stray-text"},
		{"a line of a log between events", doc(good, "[W socket.cpp:697] no {route}\n"+good), 2, 2, "torch/stray-text"},
		{"lines of a log before the document", "[W 12:00] hello\nINFO {x}\n" + doc(good), 1, 1, "torch/text-before"},
		{"text behind the document", doc(good) + "\nKilled\n", 1, 1, "torch/text-after"},
		{"no comma between events", doc(good + good), 2, 2, "torch/comma-missing"},
		{"two commas", doc(good, "", good), 2, 2, "torch/stray-comma"},
		{"a comma before the end of an object", doc(good, `{"ph":"X","ts":101,"dur":2,}`), 2, 2, "torch/stray-comma"},
		{"a bare word as a value", doc(good, `{"ph":"X","ts":101,"dur":nan}`), 2, 2, "torch/dur-not-a-number"},
		{"a bare word as a time", doc(good, `{"ph":"X","ts":-inf,"dur":1}`), 2, 1, "torch/ts-not-a-number"},
		{"no dur", doc(good, `{"ph":"X","ts":101}`), 2, 2, "torch/dur-missing"},
		{"a time no clock can mean", doc(good, `{"ph":"X","ts":1e300,"dur":1}`), 2, 1, "torch/ts-not-a-number"},
		{"a time out of range", doc(good, `{"ph":"X","ts":4600000000000000,"dur":4600000000000000}`), 2, 1, "torch/ts-out-of-range"},
		{"an array and a number are no events", doc(good, `[1,{"ph":"X"}]`, "7"), 3, 1, "torch/not-an-object"},
		{"an event without ph", doc(good, `{"ts":1}`), 2, 1, "torch/no-phase"},
		{"an end without a begin", doc(good, `{"ph":"E","ts":1,"pid":1,"tid":1}`), 2, 1, "torch/unmatched-end"},
		{"a begin without an end", doc(good, `{"ph":"B","ts":1,"pid":1,"tid":1}`), 2, 1, "torch/unmatched-begin"},
		{"the file ends in the head", `{"traceEvents":[` + good + `],"INFO":["a`, 1, 1, "torch/truncated"},
		{"broken log lines in the tail", strings.TrimSuffix(doc(good), "}") + `,"INFO":["a "b" c","d"],"traceName":"x"}`, 1, 1, "torch/header-broken"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := mustRead(t, c.text)
			if got.Trace.Events != c.events || got.Account.Used != c.used {
				t.Errorf("got %d events, %d used; want %d, %d (%s)", got.Trace.Events, got.Account.Used, c.events, c.used, said(got))
			}
			if codesOf(got)[c.code]+tally(got.Account.SetAside)[c.code]+tally(got.Account.Rejected)[c.code] == 0 {
				t.Errorf("%s is not reported: %s", c.code, said(got))
			}
		})
	}
}

// The table of rules is data that a report can show, with what each rule named.
func TestCommunicationRulesAreCounted(t *testing.T) {
	k := func(name string) string { return x("kernel", name, 5, 1, "") }
	c := mustRead(t, doc(k("ncclDevKernel_Generic"), k("ncclKernel_AllGather"), k("deep_ep::dispatch"), k("gemm"), x("cpu_op", "nccl:x", 5, 1, "")))
	named := map[string]int64{}
	for _, r := range c.Trace.Communication {
		if r.N > 0 {
			named[r.Pattern] = r.N
		}
		if r.Source == "" || r.Pattern != strings.ToLower(r.Pattern) {
			t.Errorf("rule %+v: want a pattern in lower case and its source", r)
		}
	}
	if len(c.Trace.Communication) != len(CommRules()) || len(named) != 2 || named["nccl"] != 2 || named["deep_ep"] != 1 {
		t.Errorf("got %v of %d rules, want nccl 2 and deep_ep 1 of %d", named, len(c.Trace.Communication), len(CommRules()))
	}
}

// A category that no rule knows is no work of the device, whatever its name: it
// lies on the device if it states one, and is reported.
func TestUnknownCategoriesOnADeviceAreUnclassified(t *testing.T) {
	on := `,"args":{"device":3,"stream":21}`
	c := mustRead(t, doc(x("kernel", "k", 1, 1, on), x("brand_new", "ncclDevKernel", 5, 9, on), x("brand_new", "host", 5, 9, `,"args":{"device":3}`)))
	rows := spanRows(c)
	if k := c.Tracks[rows[1].Track].Kind; rows[1].Kind != model.SpanOther || k != model.TrackStream {
		t.Errorf("got kind %d on a track of kind %d, want other, on a stream", rows[1].Kind, k)
	}
	if k := c.Tracks[rows[2].Track].Kind; k != model.TrackThread {
		t.Errorf("without a stream: got a track of kind %d, want a thread", k)
	}
	if d := device.Tabulate(c)[0]; d.Busy != time.Microsecond || codesOf(c)["torch/unclassified-device-record"] != 1 {
		t.Errorf("got busy %v, %s; want 1us and one unclassified record", d.Busy, said(c))
	}
}

func TestNameWithQuotationMarksKeepsThem(t *testing.T) {
	c := mustRead(t, doc(`{"ph":"X","name":"say "hi" \now","pid":1,"ts":101,"dur":2}`))
	if got, want := c.Names[0].Reveal(), "say \"hi\" \now"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPairsAreJoinedInnermostFirst(t *testing.T) {
	c := mustRead(t, doc(
		`{"ph":"E","ts":9,"pid":1,"tid":1}`, // stands first in the file, and ends the outer one
		`{"ph":"B","ts":1,"pid":1,"tid":1,"name":"outer","cat":"cpu_op"}`,
		`{"ph":"B","ts":2,"pid":1,"tid":1,"name":"inner","cat":"cpu_op"}`,
		`{"ph":"E","ts":5,"pid":1,"tid":"1"}`,
		x("kernel", "k", 3, 1, "")))
	var got []string
	for _, s := range spanRows(c) {
		got = append(got, fmt.Sprint(c.Names[s.Name].Reveal(), s.At.Len()))
	}
	if want := "outer8µs inner3µs k1µs"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestDeviceAndStreamComeFromArgs(t *testing.T) {
	c := mustRead(t, doc(
		`{"args":{"device":3,"stream":"21","correlation":"55"},"ts":1,"dur":2,"pid":9,"tid":8,"name":"k","cat":"kernel","ph":"X"}`,
		`{"ph":"X","cat":"kernel","name":"k","pid":9,"tid":8,"ts":1,"dur":2}`,
		`{"ph":"M","name":"thread_name","pid":9,"tid":8,"args":{"name":"stream 8"}}`))
	rows := spanRows(c)
	if rows[0].Link != 55 || rows[1].Link != model.NoLink {
		t.Errorf("links: got %d and %d, want 55 and none", rows[0].Link, rows[1].Link)
	}
	for i, want := range []string{"3 21", "9 stream 8"} {
		tr := c.Tracks[rows[i].Track]
		dev := c.Tracks[tr.Parent]
		got := dev.Device.Reveal() + " " + tr.Name.Raw.Reveal()
		if got != want || tr.Kind != model.TrackStream || dev.Kind != model.TrackDevice {
			t.Errorf("event %d: got %q on a track of kind %d, want %q", i, got, tr.Kind, want)
		}
	}
}

func TestClock(t *testing.T) {
	at := func(ts string) string { return x("cpu_op", "a", ts, 1, "") }
	cases := []struct {
		rule, text string
		kind       model.DomainKind
		start      int64
		notes      int
	}{
		{"the base is added", `{"traceEvents":[` + at("1.5") + `],"baseTimeNanoseconds":1751410836000000000}`, model.DomainUnix, 1751410836000001500, 0},
		{"the base may be a string", `{"baseTimeNanoseconds":"1751410836000000000","traceEvents":[` + at("1") + `]}`, model.DomainUnix, 1751410836000001000, 0},
		{"a base that is no quarter is doubtful", `{"baseTimeNanoseconds":5,"traceEvents":[` + at("1") + `]}`, model.DomainUnix, 1005, 1},
		{"large stamps are Unix time", `[` + at("1712195495406752.797") + `]`, model.DomainUnix, 1712195495406752797, 0},
		{"small stamps have no clock", `[` + at("999999999999999") + `]`, model.DomainRelative, 999999999999999000, 0},
		{"the smallest stamp decides, not one at 0", `[` + at("1712195495406752") + "," + at("0") + `]`, model.DomainUnix, 1712195495406752000, 0},
		{"a base that is no number is absent", `{"baseTimeNanoseconds":"x","traceEvents":[` + at("1") + `]}`, model.DomainRelative, 1000, 0},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := mustRead(t, c.text)
			d := got.Domains[0]
			if rows := spanRows(got); len(rows) != 1 || int64(rows[0].At.Start) != c.start || d.Kind != c.kind || len(d.Notes) != c.notes {
				t.Errorf("got %+v, kind %v, %d notes; want start %d, kind %v, %d", rows, d.Kind, len(d.Notes), c.start, c.kind, c.notes)
			}
		})
	}
}

func TestTimeZeroNeverStretchesTheWindow(t *testing.T) {
	far := x("kernel", "k", 5_000_000_000, 10, "")
	c := mustRead(t, `[`+far+`,`+x("kernel", "zero", 0, 7, "")+`]`)
	if got := device.Tabulate(c)[0].Span.Len(); got != 10*time.Microsecond || tally(c.Account.SetAside)["torch/ts-zero"] != 1 {
		t.Errorf("got span %v, set aside %v; want 10us, one record", got, c.Account.SetAside)
	}
	near := x("cpu_op", "n", 300, 10, "")
	if c := mustRead(t, `[`+near+`,`+x("cpu_op", "first", 0, 7, "")+`]`); c.Spans.Len() != 2 {
		t.Errorf("a trace that counts from its own start: got %d spans, want 2", c.Spans.Len())
	}
}

func TestRankIn(t *testing.T) {
	cases := []struct {
		path string
		want int64 // -1: none
	}{
		{"rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz", 34}, {"a/rank_7/trace.json", 7}, {"rank0_copy1.json", 0},
		{"mtia_inference_rank_3.json", 3}, {"rank2/rank5.json", 5}, {"frank7.json", -1}, {"ranks.json", -1}, {"a_rank_3_b.json", 3},
		{"worker0.1623143089861.pt.trace.json", 0}, {"logs/worker3_step_12.1694128201557.pt.trace.json", 3},
		{"resnet50_num_workers_4.1623212756351.pt.trace.json.gz", -1}, {"worker4/trace.json", -1}, {"num_worker4.json", -1},
	}
	for _, c := range cases {
		n, ok := rankIn(c.path)
		if !ok {
			n = -1
		}
		if n != c.want {
			t.Errorf("%s: got %d, want %d", c.path, n, c.want)
		}
	}
}

func TestMatch(t *testing.T) {
	cases := []struct {
		head string
		want ingest.Confidence
	}{
		{`{"traceEvents":[]}`, ingest.Certain}, {`[{"ph":"X","ts":1}]`, ingest.Certain}, {`[ {"name":"n","args":{},"ph":"M"}`, ingest.Certain},
		{`{"schemaVersion":1,"deviceProperties":[`, ingest.Likely}, {`{"schema":"1","nodes":[]}`, ingest.Maybe}, {`[]`, ingest.Maybe},
		{"[W 12:00] x\nINFO:y\n[{\"ph\":\"X\",\"ts\":1}]", ingest.Certain}, {`[null, {"ph":"X","ts":1}]`, ingest.Likely},
		{"[W 12:00] x\n[{\"level\":\"X\",\"ts\":1}]", ingest.No},
		{`{"time":"2026-05-04","msg":"x"}`, ingest.No}, {`[W 12:00] x`, ingest.No}, {`[[1,2]]`, ingest.No}, {``, ingest.No}, {`a,b`, ingest.No},
	}
	for _, c := range cases {
		if got := match([]byte(c.head)); got != c.want {
			t.Errorf("%q: got %d, want %d", c.head, got, c.want)
		}
	}
}

func TestErrorsSayWhatWasExpected(t *testing.T) {
	for _, text := range []string{"", " \n", "{}", `{"traceEvents":3}`, `{"nodes":[],"schema":"1"}`, "hello\nworld", `[[1,2],[3]]`, `[1]`} {
		c, err := readText(t, []byte(text))
		if err == nil || !strings.Contains(err.Error(), "expected") || c == nil {
			t.Errorf("%q: got %v, want an error that says what was expected", text, err)
		}
	}
}

// TestExactMicros compares with exact rational arithmetic.
func TestExactMicros(t *testing.T) {
	texts := []string{"0", "1", "0.0005", "0.0015", "0.00149999999999999999999999", "85.01199999999994", "1704161511420306.491",
		"13.079999923706055", "1e-3", "5e-4", "15e-4", "1.25E+2", "-0.0005", "-2.5e-3", "-85.01199999999994", "123e-30", "0e999", "00012", "+4", "4.", ".5e1"}
	for _, a := range texts {
		for _, b := range texts {
			x, err1 := exactMicros([]byte(a))
			y, err2 := exactMicros([]byte(b))
			if err1 != nil || err2 != nil {
				t.Fatalf("%s, %s: %v, %v", a, b, err1, err2)
			}
			ra, _ := rational(a)
			rb, _ := rational(b)
			if got, want := x.plus(y).round(), halfEven(new(big.Rat).Add(ra, rb)); got != want {
				t.Errorf("%s + %s: got %d, want %d", a, b, got, want)
			}
			if ns, ok := fastMicros([]byte(a)); ok && ns != x.round() {
				t.Errorf("%s: fast %d, exact %d", a, ns, x.round())
			}
		}
	}
	for _, bad := range []string{"", "-", "1e", "1.2.3", "nan", "0x1", "1e300", "--1", "-+1", "1 2", "9999999999999999999"} {
		if _, err := exactMicros([]byte(bad)); err == nil {
			t.Errorf("%q: no error", bad)
		}
		if v, ok := fastMicros([]byte(bad)); ok {
			t.Errorf("%q: fast gave %d", bad, v)
		}
	}
}

func TestMarkersOfATrace(t *testing.T) {
	c := mustRead(t, doc(x("user_annotation", "tracemerge-marker a", 100, 4, ""), x("gpu_user_annotation", "tracemerge-marker a", 101, 2, ""), x("cpu_op", "tracemerge-marker b", 110, 4, ""), x("user_annotation", "another", 120, 4, "")))
	if len(c.Markers) != 1 || c.Markers[0].Name.Reveal() != "a" || c.Markers[0].At.Len() != 4*time.Microsecond || c.Markers[0].From.Offset == 0 {
		t.Errorf("got %+v", c.Markers)
	}
}
