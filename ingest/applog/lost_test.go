package applog

import (
	"strings"
	"testing"

	"tracemerge/model"
)

// What the profiler says of records that its trace lacks is kept with its place,
// and with its time where the line has one.
func TestLostRecords(t *testing.T) {
	const at = "WARNING:2026-05-04 09:00:01 4711:4711 CuptiActivityApi.cpp:1] "
	for _, k := range []struct {
		name, line string
		rule       string
		n          int64
		timed      bool
		rank       int64
	}{
		{"dropped", at + "Dropped 12 activity records", model.LostDropped, 12, true, none},
		{"dropped, of a rank", "[rank3]:" + at + "Dropped 12 activity records", model.LostDropped, 12, true, 3},
		{"out of range", strings.Replace(at, "WARNING", "INFO", 1) + "Record counts: Out-of-range = 5, Blocklisted runtime = 0, Invalid ext correlations = 0", model.LostOutOfRange, 5, true, none},
		{"without a stamp of its own", "Dropped 12 activity records", model.LostDropped, 12, false, none},
		{"none", at + "Record counts: Out-of-range = 0, Blocklisted runtime = 3", "", 0, false, none},
		{"no number", at + "Dropped some activity records", "", 0, false, none},
		{"another word", at + "Kept 12 activity records", "", 0, false, none},
	} {
		c := readText(t, "2026-05-04 09:00:00 a\n"+k.line+"\n2026-05-04 09:00:02,5 b\n", model.Declaration{})
		if k.n == 0 {
			if c.Log != nil {
				t.Errorf("%s: got %+v, want nothing", k.name, c.Log.Lost)
			}
			continue
		}
		if c.Log == nil || len(c.Log.Lost) != 1 || noticed(c, k.rule) != 1 {
			t.Errorf("%s: got %+v, notices %+v; want one of %s", k.name, c.Log, c.Notices, k.rule)
			continue
		}
		l := c.Log.Lost[0]
		reading, timed := l.At.Get()
		if l.Rule != k.rule || l.N != k.n || timed != k.timed || l.From.Line != 2 || figureOf(l.Rank) != k.rank {
			t.Errorf("%s: got %+v, want %s, %d, timed %v", k.name, l, k.rule, k.n, k.timed)
		}
		if timed && (spell(reading) != "2026-05-04 09:00:01" || !c.Domains[l.Domain].Valid.Contains(reading)) {
			t.Errorf("%s: got %s in domain %d", k.name, spell(reading), l.Domain)
		}
	}
}

func TestStatementsOfLossAreBounded(t *testing.T) {
	c := readText(t, strings.Repeat("Dropped 1 activity records\n", maxLost+5), model.Declaration{})
	if len(c.Log.Lost) != maxLost || noticed(c, model.LostDropped) != maxLost+5 {
		t.Errorf("got %d kept, %d counted; want %d, %d", len(c.Log.Lost), noticed(c, model.LostDropped), maxLost, maxLost+5)
	}
}
