// Package jsonscan reads JSON text through a sliding window, without allocation
// and without recursion.
//
// The window always ends in sentinel bytes: quotation marks, which stop every
// loop of the scanner, so the loops need no length checks. The convention that
// makes this sound is that of two places:
//
//	… "ts": 42|""""""""""""""""…      | is Window.End
//
// A scan that fails or ends at or behind End has met the end of what was read,
// not a mistake in the text: the caller fills the window and begins the record
// again. A scan that fails before End has met text that is not JSON.
//
// The package accepts more than JSON on purpose: control characters and bytes
// that are no UTF-8 inside strings, bare words such as nan. It checks what keeps
// it from running away when quotation marks are not escaped: what stands behind
// a string, and that brackets match.
package jsonscan
