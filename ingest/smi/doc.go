// Package smi reads what nvidia-smi prints: the CSV of --query-gpu and
// --query-compute-apps, the text tables of dmon and pmon, the table for people, the
// reports of -q as text and XML, and the CSV files that people make around them, where
// the header says plainly what a column is. Rows without a header are read too: what
// proves itself (stamps, UUIDs, bus ids) is used, other columns are shown by their
// place and used for nothing, unless run.yaml names them.
//
// A file is a sequence of rows under headers. Columns are known by their names
// alone, and a header in the middle of a file (a collector
// that was started again) is obeyed from there on. A row names its GPU by uuid,
// else by index, else by bus id; the track follows the uuid when indexes move.
//
// Stamps of nvidia-smi are local time without a zone ("when the query was made",
// nvidia-smi --help-query-gpu): such a file has a civil clock of 1 ms, and is
// placed by package align. A clock that goes back begins a new piece (domain) of
// the capture; rows are never sorted. Track.Unknown is worked out piece by piece: a
// hole belongs to the piece in which its From lies.
//
// A cell is a number, a flag, or the reason why there is none. The words of the
// N/A family become NotAvailable, those of a failed reading ReadError; a cell that
// is no number of the column's unit is ReadError too. Nothing becomes 0.
//
// How rows are read: gocsv binds each header to typed cells (struct known) and
// keeps every other column under its exact name; it also reads each row that
// names a GPU or process for the first time and each row with quoted cells. All
// other rows are cut at the separators directly, by the positions that gocsv
// found: through gocsv's reflection a row costs 22 allocations and reading took
// four to five times as long (60 to 75 MB/s against 200 to 400, BenchmarkRead and
// BenchmarkGocsv). A test holds both ways to the same cells.
//
// What the samples mean is not decided here: a reading of utilization.gpu covers
// a window before its stamp, and the part of a hole that the next reading's window
// covers is the business of package align.
package smi
