package render

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// A figure of a trace that nobody observed is null with its reason, not 0: a device
// without a record in a step, ranks whose calls cannot be matched, an open bucket.
func TestTraceFiguresThatAreNotKnown(t *testing.T) {
	rep := fullReport()
	run := &rep.Runs[0]
	name := func(s string) model.Text { return model.NewText(s, model.ClassOperation) }
	run.Sources[1].Trace = &report.Trace{
		Facts: &model.TraceFacts{Steps: []model.TraceStep{{Name: name("ProfilerStep#3")}}, BeforeLaunch: model.Missing[time.Duration](model.NotRecorded),
			Communication: []model.NameRule{{Pattern: "nccl", Source: "NCCL", N: 4}},
			Quarantine:    []model.Quarantined{{Rule: "torch/ts-zero", Why: model.Say("no time"), N: 2, Would: 5, First: model.Pos{Source: 2, Offset: 77}}}},
		Devices:     []report.TraceDevice{{Device: model.NewText("0", model.ClassCell)}},
		StepDevices: []report.StepDevice{{Work: model.Missing[report.StepWork](model.ProfilerNotRecording)}},
		Breakdown: report.Breakdown{Gaps: []report.DeviceGaps{{Buckets: []report.GapBucket{{Below: 1<<63 - 1, N: 1, Total: 9}},
			Longest: []report.Gap{{Kinds: []report.GapKind{{Kind: model.SpanRuntime, Time: 4}}}}}}},
	}
	run.Ranks = report.Ranks{Ranks: []report.Rank{{Rank: 0, Source: 1}, {Rank: 1, Source: 2}}, Repeated: []report.Rank{{Rank: 5, Source: 2}},
		Steps:       []report.RankStep{{N: 3, Slowest: 1, Spread: 2, Length: []model.Maybe[time.Duration]{model.Missing[time.Duration](model.NotRecorded), model.Known(time.Duration(7))}}},
		Collectives: []report.Collective{{Name: name("ncclKernel_AllReduce"), Why: model.Say("not matched"), Calls: []int64{1, 2}, Held: make([]time.Duration, 2)}}}
	var doc any
	if err := json.Unmarshal([]byte(writeJSON(t, rep, Options{})), &doc); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]any{
		"sources.1.trace.step_devices.0.gpu_busy_seconds":               nil,
		"sources.1.trace.step_devices.0.gpu_busy_seconds_unknown":       "profiler_not_recording",
		"sources.1.trace.before_launch_seconds_unknown":                 "not_recorded",
		"sources.1.trace.quarantine.0.stated_seconds":                   5e-9,
		"sources.1.trace.quarantine.0.byte":                             77.0,
		"sources.1.trace.gaps.0.lengths.0.below_seconds_unknown":        "unbounded",
		"sources.1.trace.gaps.0.longest.0.host.0.kind":                  "runtime",
		"sources.1.trace.gaps.0.longest.0.after_byte":                   nil,
		"sources.1.trace.communication_rules.0.kernels":                 4.0,
		"ranks.matched_together.calls":                                  0.0,
		"ranks.stated_twice.0.rank":                                     5.0,
		"ranks.steps.0.slowest_rank":                                    1.0,
		"ranks.steps.0.by_rank.0.seconds_unknown":                       "not_recorded",
		"ranks.collectives.0.shortest_seconds":                          nil,
		"ranks.collectives.0.by_rank.1.beyond_shortest_seconds_unknown": "not_computable",
	} {
		got := doc
		for _, key := range strings.Split("runs.0."+path, ".") {
			switch v := got.(type) {
			case []any:
				n, err := strconv.Atoi(key)
				if err != nil || n >= len(v) {
					t.Fatalf("%s: no entry %s", path, key)
				}
				got = v[n]
			case map[string]any:
				entry, ok := v[key]
				if !ok {
					t.Fatalf("%s: no key %s", path, key)
				}
				got = entry
			}
		}
		if got != want {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
}
