// Package runfile reads run.yaml: what a person declares about a run.
//
// Every key is optional. What is absent, empty or null is listed by its key in
// Declaration.NotDeclared, in the order of the contract; nothing is guessed in
// its place. A key that is not known is an error, since a misspelt declaration
// that is silently ignored would be shown as not declared.
//
//	window: {start: 2026-05-04T09:00:00+09:00}
//	→ Window.Start, HasStart; NotDeclared holds "window.end"
//
// Problems are collected, each with its line, and up to ten are returned
// together as Errors. Their sentences hold text of the file as typed arguments,
// so that it is printed only where that is allowed; Error() leaves it out.
//
// Instants need a zone. Durations are decimal numbers with a unit ("1.25s",
// "5ms") and become int64 nanoseconds without floating point.
//
// The file is read whole, up to MaxSize bytes; aliases are followed, but never
// more than a bounded number of values is visited. The package does not decide
// what a declaration means for a clock: package align does.
package runfile
