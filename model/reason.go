package model

// A Reason says why something is unknown. The set is closed; what the file
// itself said is reached through the position that goes with it.
type Reason uint8

// The reasons, in the fixed order in which an instant with several of them is
// attributed to one for totals.
const (
	NotSet               Reason = iota // nobody filled the value in: a defect of ours if it is ever shown
	OutsideObservation                 // before the first or after the last record of the source
	CollectorGap                       // the sampler wrote nothing for longer than its period allows
	NotAvailable                       // the source says so: [N/A], [Not Supported], "-"
	ReadError                          // the source failed to read it: ERR!, [Unknown Error], [GPU is lost], unparsable
	ProfilerNotRecording               // outside the profiler's record window
	KernelRecordMissing                // launched, but no device record in the file
	DroppedRecords                     // the recorder said that it dropped records
	TruncatedFile                      // the file is cut off here
	MalformedRecords                   // records here could not be read
	EdgeNotObserved                    // a stage began or ended without a record of it
	LogSilence                         // a log shows points; between them nothing is asserted
	WindowUnknown                      // the sample's own window is not known closely enough
	ClockUncertain                     // within the clock uncertainty of an edge
	ClockUnplaced                      // the source's clock has no known relation to the reference
	Conflict                           // two sources assert the opposite
	OrderUndecided                     // two edges lie closer than their uncertainties
	NotDeclared                        // run.yaml does not state it
	NotRecorded                        // the source does not carry this quantity
	NoSource                           // no file of the run could have shown it
	NotApplicable                      // has no meaning here
	NotComputable                      // 0/0 and the like
)

var reasonTable = [...]struct{ code, text string }{
	NotSet:               {"not_set", "not set"},
	OutsideObservation:   {"outside_observation", "not observed: outside this source's records"},
	CollectorGap:         {"collector_gap", "not observed: the collector wrote nothing here"},
	NotAvailable:         {"not_available", "not available: the source reports N/A"},
	ReadError:            {"read_error", "not available: the source reports a read error"},
	ProfilerNotRecording: {"profiler_not_recording", "not observed: the profiler was not recording"},
	KernelRecordMissing:  {"kernel_record_missing", "not observed: a launch without a device record"},
	DroppedRecords:       {"dropped_records", "not observed: the recorder dropped records"},
	TruncatedFile:        {"truncated_file", "not observed: the file is cut off"},
	MalformedRecords:     {"malformed_records", "not observed: records here could not be read"},
	EdgeNotObserved:      {"edge_not_observed", "not observed: a start or an end without a record"},
	LogSilence:           {"log_silence", "not observed: the log is silent here"},
	WindowUnknown:        {"window_unknown", "not decidable: the sample's own window is not known"},
	ClockUncertain:       {"clock_uncertain", "not decidable: within the clock uncertainty"},
	ClockUnplaced:        {"clock_unplaced", "clock not placed"},
	Conflict:             {"conflict", "sources contradict each other"},
	OrderUndecided:       {"order_undecided", "order not decidable"},
	NotDeclared:          {"not_declared", "not declared"},
	NotRecorded:          {"not_recorded", "not recorded by this source"},
	NoSource:             {"no_source", "no file of this run shows it"},
	NotApplicable:        {"not_applicable", "not applicable"},
	NotComputable:        {"not_computable", "not computable"},
}

// String returns the stable code of the reason, as used in the summary JSON.
func (r Reason) String() string {
	if int(r) < len(reasonTable) {
		return reasonTable[r].code
	}
	return "unknown_reason"
}

// Explain returns the reason in words for a reader.
func (r Reason) Explain() string {
	if int(r) < len(reasonTable) {
		return reasonTable[r].text
	}
	return "unknown"
}
