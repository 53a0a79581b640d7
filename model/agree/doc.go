// Package agree asks whether a sampler's utilization of a device can be what a
// trace recorded on it.
//
// A reading of u % says that for some window, at most a second long and at least
// a sixth of one, which ended at most a second before the stamp, a kernel was
// executing for a share of u-1 to u+1 percent (sample.Strict). Over all these
// windows the trace gives
//
//	least  = the smallest share that recorded kernels fill
//	most   = the greatest share that is not known to be idle
//
// and the reading is explained if its range meets [least, most]. Time before the
// first and after the last record of the device, copies and fills, and launches
// without a record are not known to be idle. Windows are tried in widths of equal
// distance, with every edge of the recorded work as an end; what lies between two
// widths is allowed for by a tolerance.
//
// More than most is consistent with another process on the device; less than least
// is not, since no other process lowers a utilization: it is consistent with a wrong
// clock, or another device. The test refutes; that all readings are explained does
// not show that the two describe the same device.
package agree
