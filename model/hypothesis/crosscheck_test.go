package hypothesis

import (
	"testing"

	"tracemerge/model"
	"tracemerge/model/report"
)

func TestSamplerAgainstTrace(t *testing.T) {
	check := func(verdict string, same bool, above, below int64) report.CrossCheck {
		return report.CrossCheck{Sampler: 1, Trace: 2, Device: model.NewText("0", model.ClassCell), TraceDevice: model.NewText("0", model.ClassCell),
			SameName: same, Verdict: verdict, Tested: 20, Above: above, Below: below}
	}
	for _, c := range []struct {
		name   string
		checks []report.CrossCheck
		want   report.State
	}{
		{"nothing to compare", nil, report.NotEvaluated},
		{"other names only", []report.CrossCheck{check(report.CheckContradicts, false, 9, 0)}, report.NotEvaluated},
		{"too few readings", []report.CrossCheck{check(report.CheckUntestable, true, 0, 0)}, report.NotEvaluated},
		{"they agree", []report.CrossCheck{check(report.CheckAgrees, true, 1, 0), check(report.CheckContradicts, false, 9, 0)}, report.NotSupported},
		{"they contradict", []report.CrossCheck{check(report.CheckContradicts, true, 9, 0), check(report.CheckAgrees, false, 0, 0)}, report.Supported},
	} {
		run := staged(nil)
		run.CrossChecks = c.checks
		h := state(t, run, &model.Timeline{}, "sampler_contradicts_trace")
		if h.State != c.want || (h.State == report.NotEvaluated) != (len(h.Missing) > 0) {
			t.Errorf("%s: %s with %d missing, want %s", c.name, h.State, len(h.Missing), c.want)
		}
	}
}
