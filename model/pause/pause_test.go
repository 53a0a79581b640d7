package pause

import (
	"context"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

const second = model.Time(time.Second)

func span(from, to model.Time) model.Interval[model.Time] {
	return model.Interval[model.Time]{Start: from * second, End: to * second}
}

func placed(c *model.Capture) model.Placed {
	whole := model.Interval[model.ClockTime]{Start: -1 << 60, End: 1 << 60}
	c.Domains = []model.Domain{{Kind: model.DomainUnix}}
	return model.Placed{Capture: c, Mappings: []model.Mapping{{Placed: true, Segments: []model.Segment{{Valid: whole}}}}}
}

func find(t *testing.T, in Input) []report.Pause {
	t.Helper()
	ps, _, err := Find(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return ps
}

func kinds(ps []report.Pause) (out []string) {
	for _, p := range ps {
		out = append(out, p.Kind)
	}
	return out
}

// usual is five batches of one second and one of the given length.
func usual(last model.Time) []Ran {
	var out []Ran
	for i := range model.Time(5) {
		out = append(out, Ran{Stage: model.StageFileOpen, At: span(2*i, 2*i+1)})
	}
	return append(out, Ran{Stage: model.StageFileOpen, At: span(20, 20+last)})
}

// firstAfter is a first result after so many seconds, where a later one usually
// takes usual.
func firstAfter(first, usual time.Duration) report.Progress {
	return report.Progress{FirstResult: model.Known(first * time.Second), Pace: report.Pace{Usual: model.Known(usual * time.Second)}}
}

// stated gives the first result a place in a log.
func stated(p report.Progress) report.Progress {
	p.Evidence = []report.Evidence{{At: model.Pos{Source: 7, Line: 1}}}
	return p
}

func TestRules(t *testing.T) {
	empty := &model.Timeline{Window: span(0, 40)}
	cases := []struct {
		name string
		in   Input
		want []string
	}{
		{"nothing stands out", Input{Timeline: empty, Ran: usual(4)}, nil},
		{"a stage more than four times its median", Input{Timeline: empty, Ran: usual(5)}, []string{"long_stage"}},
		{"too few values to call any usual", Input{Timeline: empty, Ran: usual(9)[2:]}, nil},
		{"observed time without a stage", Input{Timeline: empty, Unattributed: model.NewSet(span(30, 33))}, []string{"no_stage"}},
		{"a first result far later than usual", Input{Timeline: empty, Progress: firstAfter(25, 6)}, []string{"late_first_result"}},
		{"a first result within four times the usual", Input{Timeline: empty, Progress: firstAfter(24, 6)}, nil},
		{"a pipeline that fills is none", Input{Timeline: empty, Progress: firstAfter(25, 6), Batch: model.Known(7 * time.Second)}, nil},
		{"the log began late", Input{Timeline: empty, Progress: stated(firstAfter(30, 6)), Observed: []Observed{{Source: 7, Set: model.NewSet(span(20, 40))}}}, nil},
		{"the log was there", Input{Timeline: empty, Progress: stated(firstAfter(30, 6)), Observed: []Observed{{Source: 7, Set: model.NewSet(span(0, 40))}}}, []string{"late_first_result"}},
		{"nothing usual to compare the first result with", Input{Timeline: empty, Progress: report.Progress{FirstResult: model.Known(30 * time.Second)}}, nil},
		{"shorter than the floor", Input{Timeline: empty, Unattributed: model.NewSet(model.Interval[model.Time]{Start: 0, End: second - 1})}, nil},
	}
	for _, c := range cases {
		got := kinds(find(t, c.in))
		if len(got) != len(c.want) || len(got) == 1 && got[0] != c.want[0] {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestNoProgress(t *testing.T) {
	var marks model.MarkRows
	for _, s := range []int64{0, 1, 2, 3, 4, 5, 6, 16, 17} {
		marks = append(marks, model.Mark{At: model.ClockTime(s * int64(time.Second)), Accepted: model.Known(s), From: model.Pos{Source: 1, Line: int32(s) + 1}})
	}
	marks = append(marks, model.Mark{At: model.ClockTime(10 * time.Second), Retry: true, From: model.Pos{Source: 1, Line: 99}})
	tl := &model.Timeline{Window: span(0, 20), Captures: []model.Placed{placed(&model.Capture{Source: model.Source{ID: 1}, Marks: marks})}}
	ps := find(t, Input{Timeline: tl})
	if len(ps) != 1 || ps[0].Kind != "no_progress" || ps[0].At != span(6, 16) {
		t.Fatalf("got %v", ps)
	}
	lines := map[int32]bool{}
	for _, e := range ps[0].Evidence {
		lines[e.At.Line] = true
	}
	for _, want := range []int32{7, 17, 99} {
		if !lines[want] {
			t.Errorf("line %d is no evidence: %v", want, lines)
		}
	}
}

// A record that repeats what was reached is no progress.
func TestRepeatedProgressIsNone(t *testing.T) {
	var marks model.MarkRows
	for s := range int64(30) {
		n := min(s, 6)
		if s > 20 {
			n = s - 14
		}
		marks = append(marks, model.Mark{At: model.ClockTime(s * int64(time.Second)), Done: model.Known(n), From: model.Pos{Source: 1, Line: int32(s) + 1}})
	}
	tl := &model.Timeline{Window: span(0, 40), Captures: []model.Placed{placed(&model.Capture{Source: model.Source{ID: 1}, Marks: marks})}}
	ps := find(t, Input{Timeline: tl})
	if len(ps) != 1 || ps[0].At != span(6, 21) {
		t.Errorf("got %v, want the 15 s in which 6 was repeated", ps)
	}
}

func TestOnlyTheLongestAreListedAndTheRestIsSaid(t *testing.T) {
	in := Input{Timeline: &model.Timeline{Window: span(0, 100)}}
	var idle []model.Interval[model.Time]
	for i := range model.Time(20) {
		idle = append(idle, span(5*i, 5*i+2))
	}
	in.Unattributed = model.NewSet(idle...)
	ps, found, err := Find(context.Background(), in)
	if err != nil || len(ps) != most || found != 20 {
		t.Errorf("%d of %d listed (%v), want %d of 20", len(ps), found, err, most)
	}
	if text, args := Rule(found).Format(); len(args) != 3 || args[1] != 20 {
		t.Errorf("the rule does not say how many there are: %s %v", text, args)
	}
}

// A sample taken after a pause does not explain it, however odd its value.
func TestOnlySamplesWhoseWindowOverlapsCount(t *testing.T) {
	sample := func(s, v float64) model.Sample {
		return model.Sample{At: model.ClockTime(s * 1e9), Value: model.Known(v), Line: int32(s)}
	}
	c := &model.Capture{Source: model.Source{ID: 1, Kind: model.KindSMI},
		Metrics: []model.Metric{{Role: model.RoleGPUBusy, Name: model.NewText("utilization.gpu", model.ClassMetric)}},
		Tracks:  []model.Track{{Kind: model.TrackDevice, Name: model.NewText("0", model.ClassGPUIdentity)}},
		Samples: model.SampleRows{sample(29, 1), sample(31, 40), sample(34, 60), sample(36, 99)}}
	tl := &model.Timeline{Window: span(0, 40), Captures: []model.Placed{placed(c)}}
	ps := find(t, Input{Timeline: tl, Unattributed: model.NewSet(span(30, 34))})
	if len(ps) != 1 || len(ps[0].Evidence) != 1 {
		t.Fatalf("got %v", ps)
	}
	e := ps[0].Evidence[0]
	_, args := e.What.Format()
	if e.At.Line != 31 || args[2] != 40.0 || args[3] != 60.0 || args[4] != 2 {
		t.Errorf("got line %d and %v, want the samples at 31 s and 34 s only", e.At.Line, args)
	}
}

func TestUnknownShare(t *testing.T) {
	in := Input{Timeline: &model.Timeline{Window: span(0, 40)}, Unattributed: model.NewSet(span(30, 34)),
		Observed: []Observed{{Source: 1, Set: model.NewSet(span(0, 40))}, {Source: 2, Set: model.NewSet(span(0, 31))}}}
	p := find(t, in)[0]
	if v, ok := p.UnknownShare.Get(); !ok || v != 3.0/8 {
		t.Errorf("unknown share %v %v, want 3 of 8 source-seconds", v, ok)
	}
	if len(p.NotSeen) != 1 {
		t.Errorf("not seen: %v, want source 2 alone", p.NotSeen)
	}
}
