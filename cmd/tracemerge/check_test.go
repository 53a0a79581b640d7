package main

import (
	"strings"
	"testing"
)

// The exit status of check is its answer, and each requirement has its line.
func TestCheckAnswers(t *testing.T) {
	const before, after, mock = fixtures + "loader-before", fixtures + "loader-after", fixtures + "mockreview"
	for _, c := range []struct {
		name string
		args []string
		code int
		out  []string
	}{
		{"all hold", []string{mock, "-r", "stages.gpu_compute.share == 0.2", "-r", "gpu_share < 1"}, exitDone, []string{"holds: stages.gpu_compute.share == 0.2: it is 0.2", "holds: gpu_share"}},
		{"one does not", []string{mock, "-r", "gpu_share < 0.1", "-r", "stages.verification.seconds < 1"}, 1, []string{"does not hold: gpu_share", "not decidable: stages.verification"}},
		{"one is not decidable", []string{mock, "-r", "gpu_share < 1", "-r", "stages.verification.seconds < 1"}, 3, []string{"holds: gpu_share", "not decidable: stages.verification"}},
		{"quiet leaves out what holds", []string{mock, "-q", "-r", "gpu_share < 1", "-r", "gpu_share < 0.1"}, 1, []string{"does not hold"}},
		{"a comparison", []string{before, after, "-r", "comparison.metrics.batch_interval_median.verdict == improved"}, exitDone, []string{"improved"}},
		{"runs that are not comparable", []string{mock, after, "-r", "comparison.metrics.window.ratio < 1"}, 3, []string{"the runs are not comparable: "}},
		{"no such run", []string{fixtures + "none", "-r", "gpu_share < 1"}, exitUsage, nil},
	} {
		r := call(append([]string{"check"}, c.args...)...)
		lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
		if r.out == "" {
			lines = nil
		}
		if r.code != c.code || len(lines) != len(c.out) {
			t.Errorf("%s: status %d, want %d; %d lines, want %d:\n%s%s", c.name, r.code, c.code, len(lines), len(c.out), r.out, r.err)
			continue
		}
		for i, want := range c.out {
			if !strings.Contains(lines[i], want) {
				t.Errorf("%s: got %q, want it to hold %q", c.name, lines[i], want)
			}
		}
	}
}
