package render

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// argued fills in why the clocks of the hand-made run stand where they stand: one
// constraint of each use.
func argued(r *report.Run) {
	const ms = time.Millisecond
	ref := func(s model.SourceID) model.ClockRef { return model.ClockRef{Source: s} }
	for i := range r.Sources {
		for k := range r.Sources[i].Clocks {
			m := &r.Sources[i].Clocks[k].Mapping
			m.Status = model.ClockExact
			if g := m.Segments[0].Offset; g.Lo < g.Hi {
				m.Status, m.Ranges = model.ClockBounded, []model.OffsetRange{g}
			}
		}
	}
	between := func(lo, hi dur) []model.Range[dur] { return []model.Range[dur]{{Lo: lo, Hi: hi}} }
	r.Clocks = model.ClockArgument{
		Reference: model.Say("UTC: {} states its zone", srcLog),
		Constraints: []model.Constraint{
			{Rule: "declared_zone", Strength: model.StrengthDeclared, A: ref(srcGPU), Allowed: between(-9*3600*sec, -9*3600*sec), Use: model.ConstraintAgrees,
				What: model.Say("run.yaml declares the zone {}", name("Asia/Seoul", model.ClassZone)), From: []model.Pos{pos(srcRun, 9, 210)}},
			{Rule: "trace_signal", Strength: model.StrengthStatistical, A: ref(srcGPU), B: ref(srcTrace), Allowed: between(-9*3600*sec-38*ms, -9*3600*sec+25*ms), Use: model.ConstraintTight,
				What: model.Say("busy samples must cover {} kernels", 2140), From: []model.Pos{pos(srcGPU, 62, 2810), pos(srcTrace, 0, 120034)}},
			{Rule: "causal_pair", Strength: model.StrengthCausal, A: ref(srcLog), B: ref(srcTrace), Allowed: between(model.OpenLow, 4*ms), Use: model.ConstraintAgrees, Assumed: true,
				What: model.Say("step {} is logged after it began", 12), From: []model.Pos{pos(srcLog, 40, 3000)}},
			{Rule: "file_time", Strength: model.StrengthHint, A: ref(srcGPU), Allowed: between(-8*3600*sec, model.OpenHigh), Use: model.ConstraintContradicted, Against: []int{0, 1},
				What: model.Say("the file was last written at {}", at(299, 299).Start)},
			{Rule: "file_name", Strength: model.StrengthHint, A: ref(srcLog), Use: model.ConstraintUntestable, What: model.Say("the file's name holds no time")},
		},
		Tighten: []model.Phrase{model.Say("one shared marker within {} in {} and {} would cut {} to {}", 10*ms, srcGPU, srcLog, 40*ms, 10*ms)},
	}
}

// clocksInDoubt is a run in which the samples fit at two offsets and a trace is
// bounded on one side.
func clocksInDoubt() *report.Report {
	rep := oneRun()
	r := &rep.Runs[0]
	gpu, trace := &r.Sources[1], &r.Sources[2]
	gpu.Placed, gpu.Observed, gpu.Covered = false, nil, model.Missing[time.Duration](model.ClockUnplaced)
	gpu.Clocks[0].Mapping = model.Mapping{Status: model.ClockAmbiguous, Method: model.MethodNone, Why: model.ClockUnplaced, Evidence: []model.Phrase{model.Say("the stamps have no zone")},
		Ranges: []model.OffsetRange{{Lo: -9*3600*sec - 600*time.Millisecond, Estimate: -9 * 3600 * sec, Hi: -9*3600*sec + 600*time.Millisecond}, {Lo: -8*3600*sec - 400*time.Millisecond, Estimate: -8*3600*sec + 35*time.Millisecond, Hi: -8*3600*sec + 470*time.Millisecond}}}
	trace.Placed, trace.Observed, trace.Covered = false, nil, model.Missing[time.Duration](model.ClockUnplaced)
	trace.Clocks[0].Mapping = model.Mapping{Status: model.ClockOneSided, Method: model.MethodNone, Why: model.ClockUnplaced, Against: []model.Phrase{model.Say("its name states another day")}}
	r.Devices[0].Placed = false
	return rep
}

func TestClockArgumentOnThePage(t *testing.T) {
	page := asText(bare(t, state{name: "clocks", rep: oneRun(), opt: Options{Zone: seoul}}))
	for _, want := range []string{
		"Reference clock: UTC: app.log states its zone.", "would cut 40.0\u00a0ms to 10.0\u00a0ms",
		"−32400\u00a0s (−9\u00a0h) | ± 40\u00a0ms | bounded | declared zone, Asia/Seoul",
		"4 | contradicted | hint | file time |", "at least −28800\u00a0s | off by 3600\u00a0s | 1, 2 |",
		"2 | tight | statistical | trace signal |", "causal, an assumption", "at most +0.004\u00a0s | holds",
		"no value | not tested",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	page = asText(bare(t, state{name: "doubt", rep: clocksInDoubt(), opt: Options{Zone: seoul}}))
	for _, want := range []string{"ambiguous, several offsets explain the evidence: −32400\u00a0s (−9\u00a0h) ± 0.6\u00a0s, or −28799.97\u00a0s (−8\u00a0h) ± 0.44\u00a0s; it is not placed.",
		"bounded on one side only; its name states another day; it is not placed.", "ambiguous (2 offsets)"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestInspectClocks(t *testing.T) {
	text := func(rep *report.Report) string {
		var b bytes.Buffer
		if err := InspectClocks(&b, document(rep, Options{Zone: seoul}), Options{Zone: seoul}); err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(b.String(), "\u00a0", " ")
	}
	got := text(oneRun())
	for _, want := range []string{
		"reference: UTC: app.log states its zone",
		"contradicted: given up, since stronger evidence excludes it\n    [4] file time, hint: the file was last written",
		"        gpu.csv − the reference: at least −28800 s; off by 3600 s\n        excluded by [1], [2]\n",
		"    [2] trace signal, statistical: busy samples must cover 2140 kernels (gpu.csv:62; rank0.json, byte 120034)",
		"app.log − rank0.json: at most +0.004 s; holds",
		"causal, an assumption",
		"app.log − the reference: no value\n",
		"What would tighten it most:\n  - one shared marker",
		"\ngpu.csv (tight: [2])\n  stamps",
		"possible too: −28800 s (−8 h)",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the argument does not say %q:\n%s", want, got)
		}
	}
	got = text(clocksInDoubt())
	for _, want := range []string{"status: ambiguous (2 offsets); not placed", "offset: −32400.6 to −32399.4 s\n  offset: −28800.4 to −28799.53 s", "contradicts it\n    its name states another day"} {
		if !strings.Contains(got, want) {
			t.Errorf("the argument does not say %q:\n%s", want, got)
		}
	}
	if none := text(noClocks()); !strings.Contains(none, "No evidence between the clocks") {
		t.Errorf("a run without evidence: %s", none)
	}
}

func noClocks() *report.Report {
	rep := oneRun()
	rep.Runs[0].Clocks = model.ClockArgument{}
	return rep
}

// A clock that nothing but the zones of the world bounds has some forty offsets;
// no line lists them all.
func TestManyOffsets(t *testing.T) {
	rep := clocksInDoubt()
	r := &rep.Runs[0]
	m := &r.Sources[1].Clocks[0].Mapping
	m.Ranges, m.Other = nil, nil
	c := &r.Clocks.Constraints[0]
	c.Allowed = nil
	for h := range 42 {
		d := dur(h) * 1800 * sec
		m.Ranges = append(m.Ranges, model.OffsetRange{Lo: d, Estimate: d, Hi: d})
		m.Other = append(m.Other, d)
		c.Allowed = append(c.Allowed, model.Range[dur]{Lo: d, Hi: d})
	}
	page := asText(bare(t, state{name: "many", rep: rep}))
	var b bytes.Buffer
	if err := InspectClocks(&b, document(rep, Options{}), Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"38 more", "30 offsets more", "ambiguous (42 offsets)", "42 intervals from 0 to +73800\u00a0s"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if want := "offset: 30 more (--json lists all)"; !strings.Contains(b.String(), want) || strings.Contains(b.String(), "possible too: 0") {
		t.Errorf("the argument does not say %q, or says its offsets twice:\n%s", want, b.String())
	}
}

// Text of a file can neither break a line of the argument nor steer a terminal.
func TestInspectClocksKeepsToItsLines(t *testing.T) {
	rep := oneRun()
	rep.Runs[0].Sources[1].File = name("gpu\n\x1b[31m.csv", model.ClassFile)
	var b bytes.Buffer
	if err := InspectClocks(&b, document(rep, Options{}), Options{}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\r\t") {
		t.Errorf("got %q", b.String())
	}
}

// What is written of an offset holds the true one: the rounded bounds reach at
// least as far as the exact ones, with two digits of the width.
func TestRoundedOffsetsHoldTheTruth(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	for range 20000 {
		mid := dur(r.Int64N(1<<50) - 1<<49)
		scale := int64(1) << r.IntN(45)
		o := model.OffsetRange{Lo: mid - dur(r.Int64N(scale)), Estimate: mid, Hi: mid + dur(r.Int64N(scale))}
		at, width := rounded(o)
		if at-width > o.Lo || at+width < o.Hi {
			t.Fatalf("%+v is written as %v ± %v", o, at, width)
		}
		if exact := max(o.Hi-mid, mid-o.Lo); width > exact+exact/5+2 {
			t.Fatalf("%+v: ± %v is written as ± %v", o, exact, width)
		}
	}
}

func TestClocksInJSON(t *testing.T) {
	rep := oneRun()
	var doc struct {
		Runs []struct {
			Clocks struct {
				Reference   string
				Tighten     []string
				Constraints []struct {
					Rule, Use, Strength string
					Assumed             bool
					A, B                *struct{ File string }
					BUnknown            string `json:"b_unknown"`
					Allowed             []struct {
						Lo, Hi    *float64
						LoUnknown string `json:"lo_unknown"`
					} `json:"allowed_seconds"`
					Residual *float64 `json:"residual_seconds"`
					From     []struct{ Line, Byte *int }
					Against  []int
				}
			}
			Sources []struct {
				Clock struct {
					Status string
					Ranges []struct{ Lo, Estimate, Hi float64 }
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(writeJSON(t, rep, Options{})), &doc); err != nil {
		t.Fatal(err)
	}
	c := doc.Runs[0].Clocks
	if c.Reference == "" || len(c.Tighten) != 1 || len(c.Constraints) != 5 {
		t.Fatalf("got %+v", c)
	}
	if k := c.Constraints[3]; *k.Residual != 3600 || len(k.Against) != 2 || k.Against[1] != 1 || k.B != nil || k.BUnknown != "reference_clock" || k.Use != "contradicted" {
		t.Errorf("the contradicted one: got %+v", k)
	}
	if k := c.Constraints[2]; k.Allowed[0].Lo != nil || k.Allowed[0].LoUnknown != "unbounded" || *k.Allowed[0].Hi != 0.004 || !k.Assumed || *k.From[0].Line != 40 {
		t.Errorf("the open one: got %+v", k)
	}
	if s := doc.Runs[0].Sources[1].Clock; s.Status != "bounded" || len(s.Ranges) != 1 || s.Ranges[0].Hi != -32399.975 {
		t.Errorf("the clock of the samples: got %+v", s)
	}
}
