package torch

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tracemerge/ingest"
	"tracemerge/model"
	"tracemerge/model/device"
)

// truth is one entry of truth.json, made by an independent program.
type truth struct {
	File   string `json:"file"`
	Events int64  `json:"events_total"`
	Bad    int64  `json:"events_unusable"`
	Clock  string `json:"clock"`
	Base   int64  `json:"base_ns"`
	XSpan  struct {
		Start, End int64
		UnixStart  *int64 `json:"unix_start"`
	} `json:"x_span"`
	Salvaged bool `json:"salvaged"`
	Devices  map[string]struct {
		Kernels, Memcpys, Memsets int64
		KernelSum                 int64 `json:"kernel_sum"`
		Kernel                    int64 `json:"kernel_union"`
		Memcpy                    int64 `json:"memcpy_union"`
		Memset                    int64 `json:"memset_union"`
		All                       int64 `json:"all_union"`
		Start                     int64 `json:"span_start"`
		Span, Idle                int64
		Comm                      int64 `json:"comm_union"`
		Overlap                   int64 `json:"compute_comm_overlap"`
		Same                      int64 `json:"same_stream_kernel_overlaps"`
	} `json:"devices"`
	Extra map[string]map[string]struct{ N, Union, Span int64 } `json:"extra_device_work"`
	Steps []struct {
		Step, Start, Dur int64
		GPU              map[string]struct{ All, Kernel, Memcpy, Comm int64 } `json:"gpu"`
	} `json:"steps"`
	Latency *struct{ N, Negative int64 } `json:"launch_latency"`
	Rank    *struct {
		Rank  *int64 `json:"rank"`
		World *int64 `json:"world_size"`
	} `json:"rank"`
	Host *string `json:"host_name"`
}

// sharedData is the folder of real files beside the repository.
const sharedData = "../../../shared/data"

func sharedFile(t testing.TB, name string) string {
	t.Helper()
	p := filepath.Join(sharedData, name)
	if _, err := os.Stat(p); err != nil {
		t.Skipf("no shared data beside the repository: %s is not there", name)
	}
	return p
}

func load(t testing.TB, path string) (*model.Capture, error) {
	t.Helper()
	f, err := ingest.Open(path, 1, model.NewText(filepath.Base(path), model.ClassFile))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	return Format().Read(context.Background(), f, ingest.Options{})
}

func readTruth(t testing.TB) []truth {
	t.Helper()
	text, err := os.ReadFile(sharedFile(t, "traces/truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []truth
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestEveryFigureOfTheTruth(t *testing.T) {
	all := readTruth(t)
	if len(all) < 20 {
		t.Fatalf("truth of %d files, want at least 20", len(all))
	}
	for _, want := range all {
		t.Run(want.File, func(t *testing.T) {
			c, err := load(t, sharedFile(t, "traces/"+want.File))
			if err != nil {
				t.Fatal(err)
			}
			if want.Salvaged {
				// The truth stops at the first text that is no JSON; this reader goes
				// on behind it. All 13 events of the file have a ph and a ts.
				want.Events, want.XSpan.End = 13, 2539_000
			}
			compare(t, c, want)
		})
	}
}

func compare(t *testing.T, c *model.Capture, want truth) {
	t.Helper()
	eq := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	var off int64
	switch kind := c.Domains[0].Kind; want.Clock {
	case "base":
		off = want.Base
		eq("clock", kind, model.DomainUnix)
	case "absolute":
		eq("clock", kind, model.DomainUnix)
	default:
		eq("clock", kind, model.DomainRelative)
	}
	if !c.Account.Balanced() {
		t.Errorf("account does not balance: %+v", c.Account)
	}
	eq("events", c.Trace.Events, want.Events)
	eq("rejected", model.Sum(c.Account.Rejected), want.Bad)
	lo, hi := xSpan(c)
	eq("first start", lo, want.XSpan.Start+off)
	eq("last end", hi, want.XSpan.End+off)
	compareDevices(t, c, want, off)
	eq("steps", len(c.Trace.Steps), len(want.Steps))
	for i, s := range c.Trace.Steps {
		n, _ := s.N.Get()
		eq("step number", n, want.Steps[i].Step)
		eq("step start", int64(s.At.Start), want.Steps[i].Start+off)
		eq("step length", int64(s.At.Len()), want.Steps[i].Dur)
	}
	compareSteps(t, c, want)
	if early, linked := c.Trace.BeforeLaunch.Get(); want.Latency != nil && want.Latency.Negative == 0 {
		eq("earliest before its launch", early, time.Duration(0))
		if want.Latency.N > 0 {
			eq("linked", linked, true)
		}
	}
	if want.Rank != nil {
		maybeEq(t, "rank", c.Trace.Rank, want.Rank.Rank)
		maybeEq(t, "world size", c.Trace.WorldSize, want.Rank.World)
	}
	if want.Host != nil {
		eq("host", c.Trace.Host.Raw.Reveal(), *want.Host)
	}
}

// compareSteps holds each step on each device against the truth, which leaves out
// the devices without work in a step.
func compareSteps(t *testing.T, c *model.Capture, want truth) {
	t.Helper()
	sets := device.BusySets(c)
	rows := device.TabulateSets(sets)
	table := device.Coverage(c, sets, rows)
	if len(table) != len(rows)*len(c.Trace.Steps) {
		t.Errorf("steps on devices: got %d, want %d", len(table), len(rows)*len(c.Trace.Steps))
	}
	for _, s := range table {
		name := rows[s.Device].Device.Raw.Reveal()
		got, seen := s.Work.Get()
		w, ok := want.Steps[s.Step].GPU[name]
		if _, known := want.Devices[name]; !ok && !known {
			continue // work of unknown kind, which the truth does not split by steps
		}
		if all := [4]int64{int64(got.Busy), int64(got.Kernel), int64(got.Memcpy), int64(got.Comm)}; all != [4]int64{w.All, w.Kernel, w.Memcpy, w.Comm} {
			t.Errorf("step %d, device %s: got %v, want %+v", s.Step, name, all, w)
		}
		if length := c.Trace.Steps[s.Step].At.Len(); seen != (s.Records > 0) || seen && got.Busy+got.Idle != length {
			t.Errorf("step %d, device %s: seen %v with %d records; busy %v and idle %v of %v", s.Step, name, seen, s.Records, got.Busy, got.Idle, length)
		}
	}
}

func maybeEq(t *testing.T, what string, got model.Maybe[int64], want *int64) {
	t.Helper()
	v, ok := got.Get()
	if ok != (want != nil) || ok && v != *want {
		t.Errorf("%s: got %d (known %v), want %v", what, v, ok, want)
	}
}

// xSpan is the extent of the spans that are no record windows.
func xSpan(c *model.Capture) (lo, hi int64) {
	first := true
	if c.Spans == nil {
		return 0, 0
	}
	for b := range c.Spans.Batches() {
		for i, k := range b.Kind {
			if model.SpanKind(k) == model.SpanRecordWindow {
				continue
			}
			if first {
				lo, hi, first = b.Start[i], b.End[i], false
			}
			lo, hi = min(lo, b.Start[i]), max(hi, b.End[i])
		}
	}
	return lo, hi
}

func compareDevices(t *testing.T, c *model.Capture, want truth, off int64) {
	t.Helper()
	rows := device.Tabulate(c)
	wanted := len(want.Devices)
	for _, m := range want.Extra {
		wanted += len(m)
	}
	if len(rows) != wanted {
		t.Errorf("devices: got %d, want %d", len(rows), wanted)
	}
	for _, d := range rows {
		name := d.Device.Raw.Reveal()
		ns := func(d time.Duration) int64 { return int64(d) }
		eq := func(what string, got, want int64) {
			t.Helper()
			if got != want {
				t.Errorf("device %s, %s: got %d, want %d", name, what, got, want)
			}
		}
		for _, m := range want.Extra {
			if x, ok := m[name]; ok {
				eq("other records", d.Others, x.N)
				eq("other busy", ns(d.OtherBusy), x.Union)
				eq("busy", ns(d.Busy), x.Union)
				eq("span", ns(d.Span.Len()), x.Span)
			}
		}
		w, ok := want.Devices[name]
		if !ok {
			continue
		}
		eq("kernels", d.Kernels, w.Kernels)
		eq("memcpys", d.Memcpys, w.Memcpys)
		eq("memsets", d.Memsets, w.Memsets)
		eq("kernel busy", ns(d.KernelBusy), w.Kernel)
		eq("kernel sum", ns(d.KernelSum), w.KernelSum)
		eq("memcpy busy", ns(d.MemcpyBusy), w.Memcpy)
		eq("memset busy", ns(d.MemsetBusy), w.Memset)
		eq("busy", ns(d.Busy), w.All)
		eq("idle", ns(d.Idle), w.Idle)
		eq("span start", int64(d.Span.Start), w.Start+off)
		eq("span", ns(d.Span.Len()), w.Span)
		eq("communication", ns(d.CommBusy), w.Comm)
		eq("overlap", ns(d.CommOverlap), w.Overlap)
		eq("overlaps on one stream", d.Overlaps, w.Same)
	}
}
