package render

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

// manyRanks is a run with a trace of each of n ranks and no sampled device. Rank
// 1 waits longest; the last rank comes last.
func manyRanks(n int) *report.Report {
	rep := oneRun()
	r := &rep.Runs[0]
	r.Devices = nil
	for i := range n - 1 {
		s := r.Sources[2]
		s.ID, s.File = model.SourceID(10+i), name("rank"+strconv.Itoa(i+1)+".json", model.ClassFile)
		r.Sources = append(r.Sources, s)
	}
	r.Ranks = sideBySide(r.Sources, n)
	return rep
}

func sideBySide(sources []report.Source, n int) report.Ranks {
	var rs report.Ranks
	reduce := report.Collective{Name: name("ncclDevKernel_AllReduce", model.ClassOperation), Matched: true, Shortest: secs(0.2),
		Why: model.Say("matched by name and order; all calls of a match ran at the same time")}
	gather := report.Collective{Name: name("ncclDevKernel_AllGather", model.ClassOperation), Why: model.Say("not matched: the ranks recorded different numbers of them, from {} to {}", 8, 9)}
	for i := range n {
		id := srcTrace
		if i > 0 {
			id = model.SourceID(9 + i)
		}
		rs.Ranks = append(rs.Ranks, report.Rank{Rank: int64(i), Source: id})
		waited, last := secs(0.01*float64((n-i)%n)), int64(0)
		if i == n-1 {
			waited, last = 0, 20
		}
		reduce.Calls, reduce.Held = append(reduce.Calls, 24), append(reduce.Held, secs(0.2)+waited)
		reduce.Waited, reduce.Last = append(reduce.Waited, waited), append(reduce.Last, last)
		gather.Calls, gather.Held = append(gather.Calls, 8+int64(i%2)), append(gather.Held, secs(0.04))
	}
	for k := range 24 {
		s := report.RankStep{N: int64(k + 12), Slowest: (k * 5) % n, Spread: secs(0.05)}
		for i := range n {
			s.Length = append(s.Length, known(secs(0.4+0.002*float64((i*k)%7))))
		}
		s.Length[s.Slowest] = known(secs(0.45))
		if k == 3 {
			s.Length[(s.Slowest+1)%n] = model.Missing[time.Duration](model.NotRecorded)
		}
		rs.Steps = append(rs.Steps, s)
	}
	rs.Collectives = []report.Collective{reduce, gather}
	rs.Together = report.Waits{Calls: 24, Held: reduce.Held, Waited: reduce.Waited, Last: reduce.Last}
	rs.Repeated = []report.Rank{{Rank: int64(n), Source: srcTrace}, {Rank: int64(n), Source: srcTrace}}
	return rs
}

// What could not be matched or was not recorded stands on the page as such, and
// not as a wait or a length of 0.
func TestRanksSayWhatIsNotKnown(t *testing.T) {
	for _, n := range []int{8, 64} {
		page := asText(bare(t, state{name: "ranks", rep: manyRanks(n), opt: Options{Zone: seoul}}))
		for _, want := range []string{"several traces state the same rank", "not matched: the ranks recorded different numbers of them, from 8 to 9", "| 8–9 | not matched | not matched |", "rank " + strconv.Itoa(n-1) + " (20)"} {
			if !strings.Contains(page, want) {
				t.Errorf("%d ranks: the page does not say %q", n, want)
			}
		}
	}
	page := asText(bare(t, state{name: "ranks", rep: manyRanks(8), opt: Options{Zone: seoul}}))
	if row := "15 | rank 7 | 0.050 | not recorded by this source"; !strings.Contains(page, row) {
		t.Errorf("the step that rank 0 did not record is not listed as %q", row)
	}
}

func TestOneStepIsDrawnAsBars(t *testing.T) {
	rep := manyRanks(4)
	rep.Runs[0].Ranks.Steps = rep.Runs[0].Ranks.Steps[3:4]
	page := bare(t, state{name: "one step", rep: rep})
	for _, want := range []string{`aria-label="rank 3: 0.45`, `aria-label="rank 0: not recorded`} {
		if !strings.Contains(page, want) {
			t.Errorf("no bar %q", want)
		}
	}
}

// The clocks of many traces of which the same is said stand in one row; each has
// its own in the folded table.
func TestClocksOfManyRanksStandTogether(t *testing.T) {
	page := asText(bare(t, state{name: "ranks", rep: manyRanks(64), opt: Options{Zone: seoul}}))
	for _, want := range []string{"rank0.json, … | 64 | 0\u00a0s | ± 2\u00a0ms | bounded |", "gpu.csv | 1 | −32400", "Table: each of 66 clocks", "Evidence for each of 66 sources", "rank63.json | 0\u00a0s | ± 2\u00a0ms"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestOneRankThatCommunicates(t *testing.T) {
	rep := oneRun()
	rep.Runs[0].Ranks.Alone = true
	if page := asText(bare(t, state{name: "alone", rep: rep})); !strings.Contains(page, "Communication was recorded of one rank alone") {
		t.Error("the page does not say that one rank alone was recorded")
	}
}
