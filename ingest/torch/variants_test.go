package torch

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"tracemerge/model"
	"tracemerge/model/device"
)

// codesOf returns the codes of the notices, with how often each occurred.
func codesOf(c *model.Capture) map[string]int64 {
	m := map[string]int64{}
	for _, n := range c.Notices {
		m[n.Code] = n.N
	}
	return m
}

func tally(ts []model.Tally) map[string]int64 {
	m := map[string]int64{}
	for _, t := range ts {
		m[t.Code] = t.N
	}
	return m
}

// TestEachVariant reads the files that were derived from one real trace by one
// change each: the figures must be those of the original, or deviate in the way
// the change explains.
func TestEachVariant(t *testing.T) {
	text, err := os.ReadFile(sharedFile(t, "traces/derived/variants.json"))
	if err != nil {
		t.Fatal(err)
	}
	var variants map[string]struct {
		Expect, Clock string
		Bad           int64
	}
	if err := json.Unmarshal(text, &variants); err != nil {
		t.Fatal(err)
	}
	for name, v := range variants {
		t.Run(name, func(t *testing.T) {
			c, err := load(t, sharedFile(t, "traces/derived/"+name))
			if c == nil || !c.Account.Balanced() {
				t.Fatalf("no capture or an account that does not balance: %+v", c)
			}
			if v.Expect == "error" {
				if err == nil || !strings.Contains(err.Error(), "expected") {
					t.Fatalf("got error %v, want one that says what was expected", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := truthOf(t, "D17_")
			switch v.Clock {
			case "absolute":
				want.Clock = v.Clock
				want.XSpan.Start, want.XSpan.End = want.XSpan.Start+want.Base, want.XSpan.End+want.Base
				shiftTruth(&want, want.Base)
			case "none":
				want.Clock = v.Clock
			}
			switch {
			case v.Expect == "skip":
				want.Events, want.Bad = want.Events+v.Bad, v.Bad
			case strings.HasPrefix(name, "begin_end"):
				want.Events = c.Trace.Events // each pair is two elements
			}
			own(t, name, c, want)
		})
	}
}

// truthOf reads the entry of one file.
func truthOf(t *testing.T, prefix string) truth {
	t.Helper()
	for _, w := range readTruth(t) {
		if strings.HasPrefix(w.File, prefix) {
			return w
		}
	}
	t.Fatalf("no truth of %s", prefix)
	return truth{}
}

func shiftTruth(w *truth, by int64) {
	for name, d := range w.Devices {
		d.Start += by
		w.Devices[name] = d
	}
	for i := range w.Steps {
		w.Steps[i].Start += by
	}
}

// own holds what each variant shows beyond the figures.
func own(t *testing.T, name string, c *model.Capture, want truth) {
	t.Helper()
	codes, rejected := codesOf(c), tally(c.Account.Rejected)
	has := func(code string, n int64) {
		t.Helper()
		if codes[code] != n {
			t.Errorf("notice %s: got %d, want %d (all: %v)", code, codes[code], n, codes)
		}
	}
	switch name {
	case "truncated.json":
		if c.Trace.Events != 150 || !c.Truncated {
			t.Errorf("got %d events, truncated %v; want 150, true", c.Trace.Events, c.Truncated)
		}
		has("torch/truncated", 1)
		if rejected["torch/cut-off"] != 1 {
			t.Errorf("rejected: got %v, want one event cut off", rejected)
		}
		return
	case "truncated.json.gz":
		if c.Trace.Events == 0 || !c.Truncated || c.Domains[0].Kind != model.DomainRelative {
			t.Errorf("got %d events, truncated %v, clock %v; want some, true, relative", c.Trace.Events, c.Truncated, c.Domains[0].Kind)
		}
		has("torch/cut-stream", 1)
		return
	case "empty_events.json", "empty_array.json":
		has("torch/no-events", 1)
		return
	case "ts_zero_kernel.json":
		want.Events++
		has("torch/ts-zero", 1)
		if n := tally(c.Account.SetAside)["torch/ts-zero"]; n != 1 {
			t.Errorf("set aside at 0: got %d, want 1", n)
		}
	case "negative_dur.json":
		has("torch/negative-duration", 1)
	case "bad_events.json":
		for _, code := range []string{"torch/ts-not-a-number", "torch/ts-missing"} {
			if rejected[code] != 1 {
				t.Errorf("%s: got %d, want 1", code, rejected[code])
			}
		}
		if rejected["torch/not-an-object"] != 2 {
			t.Errorf("not an object: got %d, want 2", rejected["torch/not-an-object"])
		}
	case "bare_nan_inf.json", "nan_in_args.json":
		if codes["torch/bare-word"] == 0 {
			t.Errorf("no notice of bare words: %v", codes)
		}
	case "array_no_close.json":
		has("torch/array-not-closed", 1)
		if c.Truncated {
			t.Error("an array that is not closed is allowed: it is not cut off")
		}
	case "trailing_comma.json":
		has("torch/stray-comma", 1)
	case "raw_newline_in_name.json":
		has("torch/control-in-name", 1)
	case "invalid_utf8.json":
		has("torch/name-not-utf8", 1)
	case "rank_string_info.json":
		one, two := int64(1), int64(2)
		maybeEq(t, "rank", c.Trace.Rank, &one)
		maybeEq(t, "world size", c.Trace.WorldSize, &two)
	case "rank0_copy1.json", "rank0_copy2.json":
		zero := int64(0)
		maybeEq(t, "rank", c.Trace.Rank, &zero)
	}
	compare(t, c, want)
}

// TestPublishedTimelines compares with figures that TraceLens publishes for its
// own traces. It computes in float64, so the files state by how much it may
// deviate.
func TestPublishedTimelines(t *testing.T) {
	text, err := os.ReadFile(sharedFile(t, "truth/tracelens_timelines.json"))
	if err != nil {
		t.Fatal(err)
	}
	var published struct {
		Rows []struct {
			File        string
			Computation float64 `json:"computation_ms"`
			Memcpy      float64 `json:"exposed_memcpy_ms"`
			Busy        float64 `json:"busy_ms"`
			Idle        float64 `json:"idle_ms"`
			Total       float64 `json:"total_ms"`
			Within      float64 `json:"max_difference_us"`
			Events      int64   `json:"gpu_events"`
		}
	}
	if err := json.Unmarshal(text, &published); err != nil {
		t.Fatal(err)
	}
	if len(published.Rows) == 0 {
		t.Fatal("no published rows")
	}
	for _, want := range published.Rows {
		t.Run(want.File, func(t *testing.T) {
			c, err := load(t, sharedFile(t, want.File))
			if err != nil {
				t.Fatal(err)
			}
			rows := device.Tabulate(c)
			if len(rows) != 1 {
				t.Fatalf("got %d devices, want 1", len(rows))
			}
			d := rows[0]
			if n := d.Kernels + d.Memcpys + d.Memsets; n != want.Events {
				t.Errorf("device events: got %d, want %d", n, want.Events)
			}
			near := func(what string, got int64, want, within float64) {
				t.Helper()
				if diff := float64(got)/1e3 - want*1e3; diff > within+0.001 || diff < -within-0.001 {
					t.Errorf("%s: got %d ns, want %.6f ms within %.3f us", what, got, want, within)
				}
			}
			near("busy", int64(d.Busy), want.Busy, want.Within)
			near("idle", int64(d.Idle), want.Idle, want.Within)
			near("total", int64(d.Span.Len()), want.Total, want.Within)
		})
	}
}
