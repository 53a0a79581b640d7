package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"tracemerge/ingest"
	"tracemerge/ingest/runfile"
)

// writeLimits lists the bounds of what is read, from the constants of the readers.
func writeLimits(w io.Writer) error {
	var b strings.Builder
	b.WriteString(`Limits of what is read of one record, one name or one clock, so that no single one of
them can take the memory. What is beyond is counted and named in the inventory of the
report and by inspect. The number of files and of records is not limited: records are
read as a stream and kept in columns of numbers, without their text. The nesting of a
trace's events is not limited either: it takes no memory.

`)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	group := func(name string, all []ingest.Limit) {
		fmt.Fprintf(t, "%s\n", name)
		for _, l := range all {
			fmt.Fprintf(t, "  %s\t%d %s\t%s\n", l.Of, l.Max, l.Unit, l.Then)
		}
	}
	group("every file", ingest.Limits())
	for _, f := range formats() {
		group(f.Name, f.Limits)
	}
	group("run.yaml", runfile.Limits())
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}
