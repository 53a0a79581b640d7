package hypothesis

import (
	"strings"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// ranked is a run with one trace for each rank, a device span of 1 s in each, and
// one collective, of which the ranks waited as given.
func ranked(world int64, matched bool, waited ...time.Duration) *report.Run {
	run := &report.Run{Primary: -1, Declared: &model.Declaration{}}
	c := report.Collective{Matched: matched}
	all := &run.Ranks.Together
	for i, w := range waited {
		id := model.SourceID(i + 1)
		run.Sources = append(run.Sources, report.Source{Source: model.Source{ID: id, Kind: model.KindTrace}, Trace: &report.Trace{
			Facts:   &model.TraceFacts{WorldSize: model.Known(world)},
			Devices: []report.TraceDevice{{Span: model.Interval[model.ClockTime]{End: model.ClockTime(time.Second)}, CommBusy: 300 * time.Millisecond}}}})
		run.Ranks.Ranks = append(run.Ranks.Ranks, report.Rank{Rank: int64(i), Source: id})
		c.Calls = append(c.Calls, 8)
		if matched {
			last := int64(0)
			if w == 0 {
				last = 5
			}
			all.Calls, all.Held = 8, append(all.Held, w+50*time.Millisecond)
			all.Waited, all.Last = append(all.Waited, w), append(all.Last, last)
		}
	}
	run.Ranks.Collectives = []report.Collective{c}
	return run
}

func formats(ps []model.Phrase) string {
	var out []string
	for _, p := range ps {
		f, _ := p.Format()
		out = append(out, f)
	}
	return strings.Join(out, "\n")
}

func TestParticipantWait(t *testing.T) {
	const ms = time.Millisecond
	for name, test := range map[string]struct {
		run     *report.Run
		want    report.State
		pro     int
		missing string // part of what is missing; empty: nothing is
		next    string // part of the next check
	}{
		"two ranks waited for the third": {ranked(3, true, 200*ms, 150*ms, 0), report.Supported, 2, "", "exchange the input"},
		"no rank waited":                 {ranked(2, true, 5*ms, 0), report.NotSupported, 0, "", "exchange the input"},
		"between the thresholds":         {ranked(2, true, 50*ms, 0), report.NotSupported, 0, "", "exchange the input"},
		"a rank was not recorded":        {ranked(8, true, 200*ms, 0), report.Supported, 1, "may have come later", "exchange the input"},
		"calls that do not match":        {ranked(2, false, 200*ms, 0), report.Supported, 2, "that match", "one schedule"},
		"one rank alone":                 {alone(), report.Supported, 1, "other ranks", "on every rank"},
	} {
		h := state(t, test.run, &model.Timeline{}, "participant_wait")
		if h.State != test.want || len(h.Supports) != test.pro {
			t.Errorf("%s: %s with %d for and %d against, want %s with %d for", name, h.State, len(h.Supports), len(h.Against), test.want, test.pro)
		}
		if got := formats(h.Missing); !strings.Contains(got, test.missing) || test.missing == "" && got != "" {
			t.Errorf("%s: missing %q, want %q", name, got, test.missing)
		}
		if next := formats([]model.Phrase{h.NextCheck}); !strings.Contains(next, test.next) {
			t.Errorf("%s: next check %q, want %q", name, next, test.next)
		}
	}
}

func alone() *report.Run {
	run := ranked(8, true, 0)
	run.Ranks = report.Ranks{Alone: true}
	return run
}

// The rank that waits least is no evidence that nobody waited.
func TestTheRankThatCameLastDoesNotSpeakAgainst(t *testing.T) {
	h := state(t, ranked(3, true, 200*time.Millisecond, 0, 0), &model.Timeline{}, "participant_wait")
	if len(h.Against) != 0 {
		t.Errorf("%d against, want none", len(h.Against))
	}
}
