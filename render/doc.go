// Package render writes a redacted report: as one HTML page, and as the summary
// JSON.
//
// It formats and draws; it does no arithmetic on measurements beyond the scale
// of a picture or of a column of numbers.
//
// # Text
//
// Every text of a page passes through one writer (markup), which escapes it.
// Text that came from a file reaches that writer only as redact.Shown; plain
// strings are constants of this package or numbers.
//
// # Pictures
//
// The pictures are SVG drawn here, so that the page is whole without a script.
// They carry no view box: positions along the time axis are percentages of the
// picture's width and heights are pixels. A picture therefore fits any width
// without distorting its hatching, its lines or its letters, and a script can
// zoom all pictures by changing two attributes.
//
//	ground, hatched      not observed, with a reason
//	pale, solid          observed, and nothing ran
//	colour               something ran
//	strong and light     of a sample: the time it speaks for, and the part of it
//	                     that may lie outside
//
// A lane with more intervals than a reader can tell apart is drawn in columns:
// what is covered of a column fills it from below, what was not observed hangs
// hatched from above, and no interval is lost. The caption says so.
//
// # One file
//
// The style sheet and the scripts stand in the page and are named by their
// hashes in its content security policy; nothing is fetched. The chart script is
// made by the build in render/js and is not kept in the repository. A build
// without it writes the same page without the interactive charts, and says so.
//
// Two pages of the same document and options have the same bytes.
package render
