package main

import (
	"tracemerge/ingest"
	"tracemerge/ingest/applog"
	"tracemerge/ingest/hoststat"
	"tracemerge/ingest/runfile"
	"tracemerge/ingest/smi"
	"tracemerge/ingest/torch"
)

// formats are the kinds of files that can be read; where two are equally sure of
// a file, the earlier one has it.
func formats() []ingest.Format {
	return []ingest.Format{torch.Format(), smi.Format(), hoststat.Format(), applog.Format()}
}

// runFile reads run.yaml.
func runFile() ingest.RunFile { return runfile.Reader() }
