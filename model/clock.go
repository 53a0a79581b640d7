package model

import "time"

// DomainID numbers the clock domains of one capture, from 0.
type DomainID int32

// DomainKind says what a reading of the domain counts.
type DomainKind uint8

// The kinds of clock domains.
const (
	DomainNone     DomainKind = iota // the source has no clock at all; ClockTime then counts nothing
	DomainUnix                       // nanoseconds since the Unix epoch: the stamps carry a zone or an epoch
	DomainCivil                      // calendar time without a zone
	DomainRelative                   // nanoseconds since an unknown start
	DomainDay                        // time of day without a date
)

var domainKindText = [...]string{"none", "unix", "civil", "relative", "time_of_day"}

// String returns the stable code of the kind.
func (k DomainKind) String() string { return domainKindText[k] }

// A Domain is one clock of one source, or one piece of it between two steps of
// that clock.
type Domain struct {
	ID    DomainID
	Kind  DomainKind
	Step  time.Duration       // resolution of a stamp: the true reading is in [t, t+Step)
	Valid Interval[ClockTime] // first to last reading, end included by +1 ns
	From  Pos                 // first record of the piece
	Zone  Text                // of a DomainUnix: the zone that its first stamp states, "+09:00"; empty if none
	Why   Phrase              // how the kind was recognised ("stamps carry the zone …", "baseTimeNanoseconds …")
	Notes []Phrase            // doubts about this clock, in words
	// Days are the calendar days that the file allows for its first reading, as civil
	// midnights, where they are several; of a DomainDay.
	Days []ClockTime
}

// An OffsetRange is what must be ADDED to a reading to get reference time:
// reference = reading + offset, and the true offset lies in [Lo, Hi].
type OffsetRange struct{ Lo, Estimate, Hi time.Duration }

// A Method names how an offset was found.
type Method string

// The methods.
const (
	MethodNone      Method = "none"
	MethodAbsolute  Method = "absolute_stamps" // the source's own stamps are UTC or carry their zone
	MethodZone      Method = "declared_zone"
	MethodOffset    Method = "declared_offset"
	MethodAnchor    Method = "declared_anchor"                     // records declared to be the same moment
	MethodReference Method = "own_axis"                            // the source is the reference itself
	MethodDay       Method = "declared_zone_and_the_day_of_others" // of a time of day: the one day on which it meets other sources
	MethodInferred  Method = "inferred_zone"                       // the one zone offset that the evidence leaves
	MethodEvidence  Method = "evidence"                            // bounded by constraints between sources
)

// A Mapping places one domain on the timeline.
type Mapping struct {
	Domain   DomainID
	Placed   bool
	Why      Reason // when not placed
	Status   ClockStatus
	Method   Method
	Zone     Text // the zone used, if any
	Segments []Segment
	Evidence []Phrase        // why this offset, each with what it rests on
	Against  []Phrase        // contradictions
	Other    []time.Duration // other offsets that would be possible
	Ranges   []OffsetRange   // what the evidence leaves, one per component; more than one where the clock is ambiguous
}

// A Segment is a stretch of a domain with one offset; a daylight saving change
// begins a new one. Segments are ordered and do not overlap.
type Segment struct {
	Valid  Interval[ClockTime]
	Offset OffsetRange
}

// Place converts a reading. ok is false where the mapping is not placed or the
// reading lies in no segment; width is how far the true instant may lie from at
// to either side.
func (m Mapping) Place(c ClockTime) (at Time, width time.Duration, ok bool) {
	if !m.Placed {
		return 0, 0, false
	}
	for _, s := range m.Segments {
		if c >= s.Valid.Start && c < s.Valid.End {
			o := s.Offset
			return Time(c) + Time(o.Estimate), max(o.Hi-o.Estimate, o.Estimate-o.Lo), true
		}
	}
	return 0, 0, false
}
