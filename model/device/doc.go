// Package device turns the spans of a profiler trace into sets of busy time, one
// group of sets for each device, and into the figures of the contract.
//
//	kernel   ─██████──███────   union over all streams, communication included
//	comm     ─────███──██────   kernels that a communication rule names
//	memcpy   ──────────────██
//	all      ─███████──███─██   kernel ∪ memcpy ∪ memset ∪ work of unknown kind
//	span      └─────────────┘   first start to last end, empty records included
//	idle     = span − all       no device work was recorded; not "nothing ran"
//
// All lengths are exact nanoseconds. Records of one stream may overlap (programmatic
// dependent launch, sampled files), so a union is not the sum of its records.
// Records of length 0 count as records and add no time. How much the kernels of one
// stream overlap is counted.
//
// A step of the host in which a device has no record is one in which the device was
// not observed; it is never reported as idle.
//
// The package does not look at the host, and it does not clip: what lies outside
// the recorder's window is in the sets.
package device
