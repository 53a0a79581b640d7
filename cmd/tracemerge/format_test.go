package main

import (
	"strings"
	"testing"
)

// inspect names the variants of a file with their counts, and obeys the one that
// run.yaml declares.
func TestInspectShowsAndObeysFormats(t *testing.T) {
	const log = "2026-05-04 09:00:00,100 - a - INFO - step 1\n05/04/2026 09:00:00 - INFO - step 1\n2026-05-04 09:00:01,100 - a - INFO - step 2\n"
	for _, k := range []struct{ run, has, hasNot string }{
		{"", "records by format: python-logging 2 of 3, month-first 1, day-first 1; run.yaml can declare one", "declares"},
		{"formats: {app.log: python-logging}\n", "app.log   app-log         2 ", "ambiguous"},
		{"formats: {app.log: month-first}\n", "app.log   app-log         3 ", "ambiguous"},
	} {
		files := map[string]string{"app.log": log}
		if k.run != "" {
			files["run.yaml"] = k.run
		}
		r := call("inspect", folder(t, files)).wantCode(t, 0)
		if !strings.Contains(r.out, k.has) || strings.Contains(r.out, k.hasNot) {
			t.Errorf("%q: want %q, not %q, in\n%s", k.run, k.has, k.hasNot, r.out)
		}
	}
}
