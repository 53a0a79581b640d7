package model

// TrackID numbers the tracks of one capture, from 0.
type TrackID int32

// NoTrack stands where there is no track.
const NoTrack TrackID = -1

// TrackKind says what a track's records belong to.
type TrackKind uint8

// The kinds of tracks.
const (
	TrackLog     TrackKind = iota // the records of an application log
	TrackThread                   // a host thread of a trace
	TrackDevice                   // a GPU, as a sampler or a trace names it
	TrackStream                   // a queue of a device; Parent is the device
	TrackProcess                  // a process of a process table
	TrackHost                     // a host as a whole
	TrackCore                     // one core of a host; Parent is the host
	TrackDisk                     // one block device of a host; Parent is the host
)

// A Track is where the records of one thing lie.
type Track struct {
	ID     TrackID
	Kind   TrackKind
	Domain DomainID // the clock of the first piece; samples of later pieces name their own through Capture.DomainAt
	Parent TrackID  // NoTrack, or the device of a stream
	Name   Text     // as the source names it
	Device Raw      // key of the device: the trace's ordinal ("0"), the sampler's index, else its UUID or bus id
	Facts  []Fact   // identity as exported: uuid, name, pci.bus_id, driver_version, …

	// Unknown is where the source did not look at this track inside its window, with
	// reasons. Each hole lies on the clock of the piece that its first place is in.
	Unknown []Hole
}

// Identity is what tells the track's device from others: its key as the source
// exports it, else the track's name.
func (t *Track) Identity() Text {
	if t.Device.Empty() {
		return t.Name
	}
	return Text{t.Device, ClassGPUIdentity}
}

// A Fact is a named property of a track as the source states it.
type Fact struct {
	Name  Text // as exported
	Value Text
}

// A Hole is an unobserved interval on a source's own clock.
type Hole struct {
	At   Interval[ClockTime]
	Why  Reason
	Note Phrase // optional: what the collector said, how many rows are missing
	From []Pos
}

// MetricID numbers the metrics of one capture, from 0.
type MetricID int32

// A Metric is one sampled quantity, named and spelt as the source exports it.
type Metric struct {
	ID   MetricID
	Name Text // exactly as exported, without the unit: "utilization.gpu"
	Unit Text // as exported: "%", "MiB", "W"; empty where the file does not say
	Role Role // what the analyses may use it for
	Over SampleWindow
}

// SampleWindow says which time a sample describes.
type SampleWindow uint8

// The windows of samples.
const (
	WindowByRole   SampleWindow = iota // as Role implies
	WindowInstant                      // the moment of the stamp
	WindowPrevious                     // from the track's previous row to the stamp
	WindowBoot                         // from the start of the host or process to the stamp: the first report of iostat and vmstat
)

// Role is the meaning of a metric that analyses know by; RoleNone is a metric
// that is shown but not interpreted.
type Role uint8

// The roles of metrics.
const (
	RoleNone        Role = iota
	RoleGPUBusy          // share of the past sample period with a kernel executing, percent
	RoleMemoryBusy       // share of the past sample period with device memory traffic, percent
	RoleMemoryUsed       // device memory allocated
	RoleMemoryTotal      // device memory installed
	RolePower            // watts drawn
	RoleTemperature      // degrees Celsius
	RoleClockSM          // streaming multiprocessor clock
	RoleThrottle         // throttle or event reasons, a bit mask or one flag
	RoleCPUBusy          // share of one core used by a thread or process, percent
	RoleIOWait           // share of time waiting for input or output, percent
	RoleReadRate         // bytes read per second
	RoleWriteRate        // bytes written per second
	RoleCPUIdle          // share of time in which a core, or all on average, had nothing to run, percent
	RoleDiskBusy         // share of time in which a block device had a request outstanding, percent
)
