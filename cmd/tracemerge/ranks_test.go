package main

import (
	"fmt"
	"strings"
	"testing"
)

// One run has a rank once: build ends and names both files, inspect goes on. Two
// cycles of one worker are two captures.
func TestARankTwiceInOneRun(t *testing.T) {
	trace := func(base int) string {
		return fmt.Sprintf(`{"schemaVersion": 1, "baseTimeNanoseconds": 1700000000000000000, "distributedInfo": {"rank": 3, "world_size": 8},
 "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 7, "ts": %d.5, "dur": 100}]}`, base)
	}
	dir := folder(t, map[string]string{"one.json": trace(1000), "two.json": trace(1050)})
	got := call("build", dir, "-o", t.TempDir()+"/r.html").wantCode(t, exitNothing)
	for _, want := range []string{"one.json and two.json both state rank 3", "their windows overlap", "a folder of its own"} {
		if !strings.Contains(got.err, want) {
			t.Errorf("got %q, want %q", got.err, want)
		}
	}
	if table := call("inspect", dir).wantCode(t, 0).out; !strings.Contains(table, "both state rank 3") {
		t.Errorf("inspect does not name the problem:\n%s", table)
	}
	cycles := folder(t, map[string]string{"one.json": trace(1000), "two.json": trace(2000)})
	call("build", cycles, "-o", t.TempDir()+"/r.html").wantCode(t, 0)
}
