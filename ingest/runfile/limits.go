package runfile

import "tracemerge/ingest"

// Limits are the bounds of what is read of one run.yaml. What is beyond them is an
// error that names its line.
func Limits() []ingest.Limit {
	const fails = "it is an error"
	return []ingest.Limit{
		{Of: "the file", Max: MaxSize, Unit: "bytes", Then: fails},
		{Of: "values, those of aliases counted each time", Max: maxVisits, Unit: "values", Then: fails},
		{Of: "nested lists and mappings", Max: maxDepth, Unit: "levels", Then: fails},
		{Of: "a regular expression", Max: maxPattern, Unit: "bytes", Then: fails},
		{Of: "errors told at once", Max: maxErrors, Unit: "errors", Then: "further ones are told when these are mended"},
	}
}
