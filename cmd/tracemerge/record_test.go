package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The record is written beside the report, is no file of a run, and replaces
// nothing that somebody else wrote.
func TestRecordFile(t *testing.T) {
	dir := t.TempDir()
	record := filepath.Join(dir, "record.md")
	build := func(args ...string) ran {
		return call(append([]string{"build", "-q", "-o", filepath.Join(dir, "r.html"), "--record", record}, args...)...)
	}
	build(fixtures+"loader-before", fixtures+"loader-after").wantCode(t, exitDone)
	text := read(t, record)
	for _, want := range []string{"before against after", "loader\\_workers: 2 to 6", "| batch interval, median | s |", "| improved |", "## Excluded paths"} {
		if !strings.Contains(text, want) {
			t.Errorf("the record does not hold %q", want)
		}
	}
	table := call("inspect", dir)
	if strings.Contains(table.out, "record.md") {
		t.Errorf("the record is taken for a file of the run:\n%s", table.out)
	}
	build(fixtures+"mockreview").wantCode(t, exitDone)
	if again := read(t, record); again == text || !strings.Contains(again, "nothing is compared") {
		t.Error("the record of one run did not replace the other")
	}
	if err := os.WriteFile(record, []byte("my notes"), 0o644); err != nil {
		t.Fatal(err)
	}
	build(fixtures+"mockreview").wantCode(t, exitNothing)
	if read(t, record) != "my notes" {
		t.Error("somebody's notes were replaced")
	}
}
