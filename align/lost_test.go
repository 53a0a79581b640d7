package align

import (
	"math/rand/v2"
	"testing"
	"time"

	"tracemerge/model"
)

func TestLostRecordsMakeATraceUnobserved(t *testing.T) {
	unknown := model.Missing[int64](model.NotRecorded)
	for _, c := range []struct {
		name   string
		stated model.Maybe[int64] // rank of the statement
		n      int64
		want   [2]bool // traces of rank 0 and 1
	}{
		{"a statement without a rank is about all traces", unknown, 7, [2]bool{true, true}},
		{"one of rank 1", model.Known[int64](1), 7, [2]bool{false, true}},
		{"of a rank that has no trace", model.Known[int64](5), 7, [2]bool{false, false}},
		{"no record was lost", unknown, 0, [2]bool{false, false}},
	} {
		caps := ranksOf(rand.New(rand.NewPCG(1, 2)), []time.Duration{0, 0}, []bool{false, false})
		for i := range caps {
			caps[i].Trace.Rank = model.Known(int64(i))
		}
		log := logged(3, "app.log", model.DomainUnix, caps[0].Window.Start)
		log.Log = &model.LogFacts{Lost: []model.LostRecords{{Rule: model.LostDropped, N: c.n, Rank: c.stated, From: model.Pos{Source: 3, Line: 9}}}}
		tl := mustAlign(t, append(caps, log), nil, Options{})
		for i, want := range c.want {
			track := tl.Captures[i].Tracks[0]
			if got := len(track.Unknown) == 1 && track.Unknown[0].Why == model.DroppedRecords; got != want {
				t.Errorf("%s: rank %d: %+v, want unobserved %v", c.name, i, track, want)
			}
			if len(caps[i].Tracks[0].Unknown) > 0 {
				t.Errorf("%s: the capture itself was changed", c.name)
			}
		}
	}
}
