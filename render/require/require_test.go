package require

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

const sample = `{"tracemerge": {"version": "1"}, "runs": [
 {"name": "first", "gpu_share": {"lo": 0.2, "hi": 0.4}},
 {"name": "second", "window": {"seconds": 100}, "accounted": {"unknown_seconds": 10}, "gpu_share": null, "gpu_share_unknown": "no_source",
  "progress": {"errors": 2, "accepted": 9},
  "sources": [{"file": "a.log", "kind": "app-log", "truncated": true}],
  "targets": [{"name": "deadline_seconds", "met": null, "met_unknown": "clock_unplaced"}, {"name": "gpu_hours", "met": true}],
  "stages": [{"stage": "write", "basis": "app-log", "primary": true, "seconds": 20, "share": 0.2, "intervals": 4},
             {"stage": "gpu_compute", "basis": "app-log", "primary": true, "seconds": 30.000000001, "share": 0.3},
             {"stage": "gpu_compute", "basis": "pytorch-trace", "primary": false, "seconds": 5, "share": 0.05}]}],
 "comparison": [{"comparable": true, "warnings": [], "metrics": [{"name": "batch interval, median", "ratio": {"lo": 0.8, "hi": 0.9}, "verdict": "improved"},
   {"name": "window", "ratio": {"lo": 0.7, "hi": 0.7}, "verdict": "one_observation"}]}],
 "comparison_with_previous": [
  {"comparable": false, "comparability_undeclared": false, "warnings": ["cold against warm"], "metrics": [{"name": "window", "ratio": {"lo": 0.7, "hi": 0.7}, "verdict": "not_comparable"}]},
  {"comparable": false, "comparability_undeclared": true, "warnings": ["not declared"], "metrics": []}]}`

func summary(t *testing.T, text string) Summary {
	t.Helper()
	s, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDecide(t *testing.T) {
	for _, c := range []struct {
		rule, expr string
		want       Answer
		why        string // part of the sentence
	}{
		{"a bare path starts in the last run", "name == second", Holds, "second"},
		{"a number counts from 1", "runs.1.gpu_share < 0.5", Holds, "0.2 to 0.4"},
		{"a run by its name", "runs.first.gpu_share.lo >= 0.2", Holds, ""},
		{"all values of a pair", "runs.first.gpu_share < 0.3", Undecidable, "0.2 to 0.4"},
		{"none of a pair", "runs.first.gpu_share > 0.4", Fails, ""},
		{"an unknown value", "gpu_share < 1", Undecidable, "no source"},
		{"an end of an unknown value", "gpu_share.hi < 1", Undecidable, "no source"},
		{"a stage is longer by what was not observed", "stages.write.seconds < 25", Undecidable, "20 to 30"},
		{"its upper end", "stages.write.share.hi <= 0.3", Holds, "not observed"},
		{"its lower end", "stages.write.share.lo == 0.2", Holds, ""},
		{"a count of intervals is as it is", "stages.write.intervals == 4", Holds, ""},
		{"nanoseconds count", "stages.gpu_compute.seconds > 30", Holds, "30.000000001"},
		{"the next part chooses", "stages.gpu_compute.pytorch_trace.seconds.lo == 5", Holds, ""},
		{"another basis may have missed all", "stages.gpu_compute.pytorch_trace.share < 0.5", Undecidable, "0.05 to 1"},
		{"a stage that was not seen", "stages.verification.seconds < 1", Undecidable, "no \"verification\""},
		{"a log that was cut off counts at least", "progress.errors < 3", Undecidable, "cut off"},
		{"and may already be too many", "progress.errors < 2", Fails, ""},
		{"a target that is not decidable", "targets.deadline_seconds.met == true", Undecidable, "clock unplaced"},
		{"a target that is met", "targets.gpu_hours.met == true", Holds, ""},
		{"one comparison needs no name", "comparison.metrics.batch_interval_median.ratio < 1", Holds, ""},
		{"a name in quotation marks", `comparison.metrics."batch interval, median".verdict != worse`, Holds, ""},
		{"no verdict decides nothing", "comparison.metrics.window.verdict != worse", Undecidable, "no spread"},
		{"not comparable", "comparison_with_previous.1.metrics.window.ratio < 1", Undecidable, "cold against warm"},
		{"not comparable is known", "comparison_with_previous.1.comparable == true", Fails, ""},
		{"not declared is not known", "comparison_with_previous.2.comparable == true", Undecidable, "not declared"},
	} {
		e, err := Parse(c.expr)
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		r, err := summary(t, sample).Decide(e)
		if err != nil || r.Answer != c.want || !strings.Contains(r.Why, c.why) {
			t.Errorf("%s: %s: got %d %q %v, want %d %q", c.rule, c.expr, r.Answer, r.Why, err, c.want, c.why)
		}
	}
}

func TestMistakes(t *testing.T) {
	for _, text := range []string{"", "a", "a <", "< 1", "a < b", "a => 1", "a..b < 1", "a.b < 1 2", "a < 1e999", "a < 1234567890123456789", "a = 1"} {
		if e, err := Parse(text); err == nil {
			t.Errorf("%q was read as %v %s", text, e.path, e.op)
		}
	}
	for _, text := range []string{"stage.x < 1", "name < 1", "stages.write.longest < 1", "window == true", "name.first == x", "stages.write.seconds.mid < 1"} {
		e, err := Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if r, err := summary(t, sample).Decide(e); err == nil {
			t.Errorf("%q: got %d %q, want a mistake", text, r.Answer, r.Why)
		}
	}
}

// hold says what trying all values of the bounds says.
func TestHoldAgreesWithEveryValue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	truth := map[string]func(int) bool{"<": func(c int) bool { return c < 0 }, "<=": func(c int) bool { return c <= 0 }, ">": func(c int) bool { return c > 0 },
		">=": func(c int) bool { return c >= 0 }, "==": func(c int) bool { return c == 0 }, "!=": func(c int) bool { return c != 0 }}
	for range 3000 {
		lo := int64(r.IntN(6))
		hi := lo + int64(r.IntN(4))
		wanted := int64(r.IntN(8))
		for op, isTrue := range truth {
			e, err := Parse("x " + op + " " + strconv.FormatInt(wanted, 10))
			if err != nil {
				t.Fatal(err)
			}
			yes, no := 0, 0
			for v := 2 * lo; v <= 2*hi; v++ { // halves lie between the whole values
				if isTrue(big.NewRat(v, 2).Cmp(e.number)) {
					yes++
				} else {
					no++
				}
			}
			want := Undecidable
			switch {
			case no == 0:
				want = Holds
			case yes == 0:
				want = Fails
			}
			if got := e.hold(between{big.NewRat(lo, 1), big.NewRat(hi, 1), ""}); got != want {
				t.Fatalf("%d..%d %s %d: got %d, want %d", lo, hi, op, wanted, got, want)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"stages.write.share.hi < 0.3", `a."b c".d == "e f"`, "x != -1e9", "runs.1.name==x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text)
		if err != nil {
			return
		}
		if len(e.path) == 0 || e.number == nil && e.op != "==" && e.op != "!=" {
			t.Errorf("%q: %+v", text, e)
		}
		var none Summary
		if r, err := none.Decide(e); err == nil {
			t.Errorf("%q of an empty summary: %d", text, r.Answer)
		}
	})
}
