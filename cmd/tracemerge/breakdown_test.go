package main

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"tracemerge/ingest"
	"tracemerge/model"
	"tracemerge/model/breakdown"
	"tracemerge/model/device"
	"tracemerge/model/report"
)

const sharedTruth = "../../../shared/data/truth"

func readTruth(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(sharedTruth, name))
	if err != nil {
		t.Skipf("no shared data beside the repository: %s is not there", name)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func breakdownOf(t *testing.T, file string) report.Breakdown {
	t.Helper()
	c, err := ingest.Read(context.Background(), filepath.Join(sharedTruth, "..", file), formats(), ingest.CollectOptions{RunFile: runFile()})
	if err != nil {
		t.Fatal(err)
	}
	return breakdown.Of(c, device.BusySets(c))
}

// The TensorBoard plugin published the split of twelve steps, in microseconds.
func TestStepsAsTheTensorBoardPluginSplitsThem(t *testing.T) {
	var truth struct {
		Runs []struct {
			File  string
			Steps []map[string]int64
		}
	}
	readTruth(t, "tensorboard_steps.json", &truth)
	var n int
	for _, run := range truth.Runs {
		got := breakdownOf(t, run.File).Steps
		byNumber := map[string]report.StepSplit{}
		for _, s := range got {
			byNumber[s.Name.Raw.Reveal()] = s
		}
		for _, want := range run.Steps {
			name := "ProfilerStep#" + strconv.FormatInt(want["step"], 10)
			s, ok := byNumber[name]
			if !ok {
				t.Errorf("%s: no %s", run.File, name)
				continue
			}
			for key, part := range map[string]report.StepPart{"Kernel": report.StepKernel, "Memcpy": report.StepMemcpy, "Memset": report.StepMemset,
				"Runtime": report.StepRuntime, "DataLoader": report.StepDataLoader, "CPU Exec": report.StepOperator, "Other": report.StepOther} {
				n++
				if us := s.Parts[part].Microseconds(); us != want[key] {
					t.Errorf("%s, %s, %s: got %d us, want %d", run.File, name, key, us, want[key])
				}
			}
			var sum time.Duration
			for _, d := range s.Parts {
				sum += d
			}
			if sum != s.At.Len() {
				t.Errorf("%s, %s: the parts sum to %v, the step is %v", run.File, name, sum, s.At.Len())
			}
		}
	}
	if n < 80 {
		t.Errorf("compared %d figures only", n)
	}
}

// TraceLens published the timeline of a device; max_difference_us is what an
// independent calculation found against it.
func TestTimelinesAsTraceLensSplitsThem(t *testing.T) {
	var truth struct {
		Rows []struct {
			File          string
			Computation   float64 `json:"computation_ms"`
			ExposedMemcpy float64 `json:"exposed_memcpy_ms"`
			Idle          float64 `json:"idle_ms"`
			Total         float64 `json:"total_ms"`
			Difference    float64 `json:"max_difference_us"`
		}
	}
	readTruth(t, "tracelens_timelines.json", &truth)
	var n int
	for _, want := range truth.Rows {
		if want.File == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(sharedTruth, "..", want.File)); err != nil {
			continue
		}
		got := breakdownOf(t, want.File).Splits
		if len(got) != 1 {
			t.Errorf("%s: %d devices, want 1", want.File, len(got))
			continue
		}
		n++
		for name, pair := range map[string][2]float64{"computation": {got[0].Compute.Seconds() * 1e3, want.Computation},
			"exposed memcpy": {got[0].ExposedMemcpy.Seconds() * 1e3, want.ExposedMemcpy}, "idle": {got[0].Idle.Seconds() * 1e3, want.Idle},
			"total": {got[0].Total.Seconds() * 1e3, want.Total}} {
			if math.Abs(pair[0]-pair[1])*1e3 > want.Difference+0.02 {
				t.Errorf("%s, %s: got %.9f ms, want %.9f", want.File, name, pair[0], pair[1])
			}
		}
	}
	if n == 0 {
		t.Skip("no file of the published timelines is at hand")
	}
}

// Whatever the trace: the parts of a step fill it, the split of a device fills its
// span, and the buckets hold all of its idle time.
func TestBreakdownsReconcile(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(sharedTruth, "../traces/*.json.gz"))
	if err != nil || len(files) == 0 {
		t.Skip("no shared data beside the repository")
	}
	for _, file := range files {
		b := breakdownOf(t, filepath.Join("traces", filepath.Base(file)))
		for _, s := range b.Steps {
			var sum time.Duration
			for _, d := range s.Parts {
				if d < 0 {
					t.Errorf("%s: a negative part in %+v", file, s)
				}
				sum += d
			}
			if sum != s.At.Len() {
				t.Errorf("%s: parts %v, step %v", file, sum, s.At.Len())
			}
		}
		for _, s := range b.Splits {
			if s.Compute+s.ExposedComm+s.ExposedMemcpy+s.ExposedOther+s.Idle != s.Total {
				t.Errorf("%s: %+v does not fill its span", file, s)
			}
		}
		for _, g := range b.Gaps {
			var sum time.Duration
			for _, k := range g.Buckets {
				sum += k.Total
			}
			if sum != g.Idle {
				t.Errorf("%s: buckets %v, idle %v", file, sum, g.Idle)
			}
			for _, l := range g.Longest {
				if l.At.Start != g.Window.Start && l.Before == (model.Pos{}) || l.At.End != g.Window.End && l.After == (model.Pos{}) {
					t.Errorf("%s: a gap in the middle without its neighbours: %+v", file, l)
				}
			}
		}
	}
}
