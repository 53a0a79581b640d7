// Package applog reads application logs: JSON lines, logfmt, MLPerf result logs,
// text with a stamp at the start of a record, and the forms of them that
// containers and launchers prefix. The form is decided line by line, since real
// files mix them, and counted: the guess of a file is how many of its records are
// of which variant. run.yaml can declare one (formats); then only its records
// begin a record, and every other line belongs to the record above it.
//
// A record is what a writer wrote at one instant: a line with a stamp and the
// lines without one that follow it (tracebacks, tables). Lines before the first
// stamp, JSON objects without a time and progress bars are records of their own,
// read and set aside. JSON that lines do not divide, an array or objects over
// several lines, is told by its first record and split by braces. Blank lines are no records. A carriage return ends a line
// as a line feed does, so a bar redrawn a thousand times is a thousand records.
//
// A record with a time is Used: it shows that the application wrote at that
// instant, and so where the log looked. It becomes a mark only if it says what
// an analysis uses: a stage's edge, progress, counts, an error, a retry, a step.
// Whether the silence between two records is known to be idle is not decided
// here: Observed is first to last record of each clock.
//
// Stamps are read from decimal text into nanoseconds. What they count is stated,
// never completed: a stamp without a zone is civil time, one without a year a
// count from midnight of the first record's day, and an impossible date is
// rejected, never normalised. A date of three numbers is read in the order of day
// and month that the dates of the whole file leave, or that run.yaml declares;
// where several are left it is ambiguous and set aside. A file whose stamps are of several kinds has a
// clock for each; the kind with the most records comes first. A clock without a
// zone that goes back by more than a second begins a new piece, one with a zone
// only gets a notice: its readings stand as they are.
//
// The package does not interpret messages beyond steps, ranks in brackets and the words of a retry,
// does not guess what a number without a unit means, and does not pair edges.
package applog
