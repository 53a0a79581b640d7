package main

import (
	"bytes"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"testing"
)

// summary builds the runs and returns the summary JSON, decoded with its numbers
// as text.
func summary(t *testing.T, args ...string) map[string]any {
	t.Helper()
	dir := t.TempDir()
	var out, msg bytes.Buffer
	all := append([]string{"build", "--json", "-", "-o", filepath.Join(dir, "report.html")}, args...)
	if code := run(all, stdio{nil, &out, &msg}); code != exitDone {
		t.Fatalf("exit %d: %s", code, msg.String())
	}
	var v map[string]any
	dec := json.NewDecoder(&out)
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// ns reads a number of seconds as nanoseconds, exactly.
func ns(t *testing.T, v any) int64 {
	t.Helper()
	n, ok := v.(json.Number)
	if !ok {
		t.Fatalf("want a number of seconds, found %v", v)
	}
	r, ok := new(big.Rat).SetString(n.String())
	if !ok {
		t.Fatalf("not a number: %s", n)
	}
	r.Mul(r, big.NewRat(1e9, 1))
	if !r.IsInt() {
		t.Fatalf("%s s is no whole number of nanoseconds", n)
	}
	return r.Num().Int64()
}

func object(t *testing.T, v any, keys ...string) any {
	t.Helper()
	for _, k := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			t.Fatalf("no object that could hold %q", k)
		}
		if v, ok = m[k]; !ok {
			t.Fatalf("no key %q", k)
		}
	}
	return v
}

func firstRun(t *testing.T, v map[string]any) map[string]any {
	t.Helper()
	return object(t, v, "runs").([]any)[0].(map[string]any)
}

// The worked example of the guide comes out to the nanosecond.
func TestWorkedExample(t *testing.T) {
	r := firstRun(t, summary(t, "../../fixtures/mockreview", "--what-if", "cpu_preparation=0.5", "--what-if", "gpu_compute=0.5"))
	stages := map[string]int64{}
	for _, s := range object(t, r, "stages").([]any) {
		stages[object(t, s, "stage").(string)] = ns(t, object(t, s, "seconds"))
	}
	for name, want := range map[string]int64{"cpu_preparation": 60e9, "gpu_compute": 20e9, "write": 20e9} {
		if stages[name] != want {
			t.Errorf("%s: got %d ns, want %d", name, stages[name], want)
		}
	}
	type row struct {
		total int64
		share string
	}
	want := map[string]row{
		"cpu_preparation": {70e9, "0.2857142857142857"},
		"gpu_compute":     {90e9, "0.1111111111111111"},
	}
	seen := 0
	for _, w := range object(t, r, "what_if").([]any) {
		changes := object(t, w, "changes").([]any)
		if len(changes) != 1 || object(t, changes[0], "factor").(json.Number) != "0.5" {
			continue
		}
		stage := object(t, changes[0], "stage").(string)
		x, ok := want[stage]
		if !ok {
			continue
		}
		seen++
		for _, end := range []string{"lo", "hi"} {
			if got := ns(t, object(t, w, "total_seconds", end)); got != x.total {
				t.Errorf("%s halved: total %s is %d ns, want %d", stage, end, got, x.total)
			}
			got, _ := new(big.Float).SetString(object(t, w, "gpu_share", end).(json.Number).String())
			exact, _ := new(big.Float).SetString(x.share)
			if diff, _ := new(big.Float).Sub(got, exact).Float64(); diff > 1e-12 || diff < -1e-12 {
				t.Errorf("%s halved: GPU share %s is %v, want %s", stage, end, got, x.share)
			}
		}
	}
	if seen != 2 { // each was asked for and is a usual one too: it stands once
		t.Errorf("%d rows for the 2 scenarios", seen)
	}
}

// The loader runs come out as they were simulated.
func TestLoaderRunsAgainstTheirSimulation(t *testing.T) {
	for _, name := range []string{"loader-before", "loader-after"} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile("../../fixtures/truth/" + name + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var want struct {
				Window       int64 `json:"window_ns"`
				Union        int64 `json:"union_ns"`
				Unattributed int64 `json:"unattributed_ns"`
				Stages       map[string]struct {
					Busy      int64 `json:"busy_ns"`
					Exclusive int64 `json:"exclusive_ns"`
					Intervals int64
				}
				Trace                       map[string]int64
				Accepted, Rejected, Retries int64
			}
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			r := firstRun(t, summary(t, "../../fixtures/"+name))
			equal := func(what string, got, want int64) {
				t.Helper()
				if got != want {
					t.Errorf("%s: got %d, want %d", what, got, want)
				}
			}
			equal("window", ns(t, object(t, r, "window", "seconds")), want.Window)
			equal("stage union", ns(t, object(t, r, "accounted", "stage_seconds")), want.Union)
			equal("unattributed", ns(t, object(t, r, "accounted", "unattributed_seconds")), want.Unattributed)
			equal("unknown", ns(t, object(t, r, "accounted", "unknown_seconds")), 0)
			seen := 0
			for _, s := range object(t, r, "stages").([]any) {
				if object(t, s, "basis") != "app-log" {
					continue
				}
				seen++
				id := object(t, s, "stage").(string)
				equal(id, ns(t, object(t, s, "seconds")), want.Stages[id].Busy)
				equal(id+" alone", ns(t, object(t, s, "exclusive_seconds")), want.Stages[id].Exclusive)
			}
			equal("stages", int64(seen), int64(len(want.Stages)))
			for key, n := range map[string]int64{"accepted": want.Accepted, "rejected": want.Rejected, "retries": want.Retries} {
				got, err := object(t, r, "progress", key).(json.Number).Int64()
				if err != nil {
					t.Fatal(err)
				}
				equal(key, got, n)
			}
			traces := 0
			for _, s := range object(t, r, "sources").([]any) {
				if object(t, s, "kind") != "pytorch-trace" {
					continue
				}
				traces++
				d := object(t, s, "trace", "devices").([]any)[0]
				equal("kernel busy", ns(t, object(t, d, "kernel_busy_seconds")), want.Trace["kernel_busy_ns"])
				equal("memcpy busy", ns(t, object(t, d, "memcpy_busy_seconds")), want.Trace["memcpy_busy_ns"])
				equal("device busy", ns(t, object(t, d, "gpu_busy_seconds")), want.Trace["busy_ns"])
				equal("device span", ns(t, object(t, d, "span_seconds")), want.Trace["span_ns"])
				equal("steps", int64(len(object(t, s, "trace", "steps").([]any))), want.Trace["steps"])
			}
			equal("traces", int64(traces), 1)
		})
	}
}
