// Package browsertest opens reports in a real browser and looks at them: what
// is requested, what is said on the console, what is drawn, what fits, what
// remains without a script, in the dark, on paper and for a screen reader.
//
// It is a module of its own so that the browser's driver never enters the
// program's dependencies. The pages come from the render package's own test,
// which writes the page of each of its states into a folder; where
// TRACEMERGE_BIN names a built program, and TRACEMERGE_RUNS run folders
// separated like a path list, the pages that it builds are looked at as well.
//
// Without a browser the tests skip, unless TRACEMERGE_BROWSER is "require".
package browsertest
