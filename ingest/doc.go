// Package ingest turns files into captures: bytes into records with positions,
// on the file's own clock, with an account of every record.
//
// What a reader promises:
//
//   - Records stand in the order of the file; every record has a position.
//   - Every record is accounted for: read = used + set aside + rejected, each
//     with a reason and the first place.
//   - A malformed record is counted and noted with its position; it never ends
//     the file. Only input/output does, and then what was read stays.
//   - No clock is guessed and no zone assumed: a reader states what the stamps
//     are (model.Domain), package align places them.
//   - Time is parsed from decimal text into int64 nanoseconds.
//   - Memory is bounded by what is kept in columns; a line or string longer than
//     its documented limit is rejected with its place, never silently cut.
//
// Files are opened through File, which undoes compression and encoding, so that
// a reader sees UTF-8 text whatever the file on disk is. Positions count bytes of
// that decoded text.
package ingest
