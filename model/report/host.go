package report

import "tracemerge/model"

// A HostTrack is a host, a core, a block device, a process or a thread as a host
// tool shows it.
type HostTrack struct {
	Device
	Kind   model.TrackKind
	Parent model.Text // of a thread: its process; empty if none
}

// Hosts are what host tools recorded.
type Hosts struct {
	// Tracks are the hosts, cores and block devices, then the processes and threads
	// that used most processor time, read most or wrote most, as far as the tools
	// sampled them.
	Tracks []HostTrack
	Of     int // tracks present
}
