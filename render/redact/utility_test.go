package redact

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tracemerge/model"
)

var (
	levelIn  = regexp.MustCompile(`\b(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL)\b|"(?:debug|info|warn|warning|error|critical|fatal)"`)
	metricIn = regexp.MustCompile(`\b(?:loss|lr|step|steps|epoch|iteration|accuracy|throughput|grad_norm|learning rate|batch_size|elapsed|accepted|rejected)"?(?: ?[=:] ?| )(-?\d{1,12}(?:\.\d{1,9})?(?:[eE]-?\d{1,2})?)\b`)
	phaseIn  = regexp.MustCompile(`(?i)\b(?:training|train|eval|evaluation|validation|checkpoint|loading|load|saving|warmup|preparation|transfer|write|verification|export|init|compute|forward|backward|started|finished|start|end|failed|stage)\b`)
)

// kept counts what a cited line must keep: its level, its phase words and the
// values of its metrics.
func kept(line, shown string) (all, lost []string) {
	all = append(all, levelIn.FindAllString(line, 1)...)
	all = append(all, phaseIn.FindAllString(line, -1)...)
	for _, m := range metricIn.FindAllStringSubmatch(line, -1) {
		all = append(all, m[1])
	}
	for _, w := range all {
		if !strings.Contains(shown, w) {
			lost = append(lost, w)
		}
	}
	return all, lost
}

// The measure of REDACTION.md 7.4, on the lines of real and recorded logs that
// have a level, a phase or a metric outside of paths; only such lines are cited as
// evidence.
func TestLinesOfRealLogsKeepLevelPhaseAndMetrics(t *testing.T) {
	files, err := filepath.Glob("../../../shared/data/logs/*")
	if err != nil || len(files) == 0 {
		t.Skip("no logs in shared/data beside the repository")
	}
	lines, whole := 0, 0
	r := newTestRedactor()
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		s := bufio.NewScanner(f)
		s.Buffer(nil, 1<<20)
		for n := 0; n < 60 && s.Scan(); {
			line := normalise(s.Text())
			if len(line) > 400 { // a longer one is cut, see maskedShown
				continue
			}
			all, lost := kept(pathForm.ReplaceAllString(line, " "), r.Text(model.NewText(s.Text(), model.ClassLogLine)).String())
			if len(all) == 0 {
				continue
			}
			n++
			if lines++; len(lost) == 0 {
				whole++
			} else if testing.Verbose() {
				t.Logf("%s: lost %q\n  %s\n  %s", filepath.Base(name), lost, line, r.Text(model.NewText(s.Text(), model.ClassLogLine)))
			}
		}
		f.Close()
	}
	t.Logf("%d of %d lines keep all", whole, lines)
	if lines < 500 {
		t.Fatalf("only %d lines were measured", lines)
	}
	if share := float64(whole) / float64(lines); share < 0.95 {
		t.Errorf("%.1f %% of the lines keep level, phase and metrics, want 95 %%", 100*share)
	}
}
