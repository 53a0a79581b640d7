package smi

import "tracemerge/ingest"

func limits() []ingest.Limit {
	return []ingest.Limit{
		{Of: "one line", Max: maxLine, Unit: "bytes", Then: "it is rejected"},
		{Of: "a quoted cell", Max: maxQuotedLines, Unit: "lines", Then: "its quote is taken for text"},
		{Of: "columns of one header", Max: maxColumns, Unit: "columns", Then: "the line is no header"},
		{Of: "GPUs of one file", Max: maxDevices, Unit: "GPUs", Then: "rows of further ones are rejected"},
		{Of: "processes of one file", Max: maxTracks, Unit: "processes", Then: "rows of further ones are rejected"},
		{Of: "processes of one GPU in a report of nvidia-smi -q", Max: maxReportProcesses, Unit: "processes", Then: "further ones are rejected"},
		{Of: "pieces of one clock", Max: maxPieces, Unit: "pieces", Then: "rows that step back again are rejected"},
	}
}
