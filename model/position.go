package model

// SourceID numbers the sources of a run in the order of their labels; 0 is none.
type SourceID int32

// Pos is a place in a source.
type Pos struct {
	Source SourceID
	Line   int32 // 1-based; 0 where the file is not line-oriented
	Len    int32 // bytes of the record; 0 if not known
	Offset int64 // byte offset into the decoded (uncompressed, UTF-8) content
}

// A Tally is a count with the reason that names it.
type Tally struct {
	Code  string // stable code of ours, "smi/short-row"
	N     int64
	First Pos // the first place where it happened
}

// An Account says what became of every record of a source.
//
// Invariant: Read = Used + sum(SetAside) + sum(Rejected).
type Account struct {
	Read     int64
	Used     int64
	SetAside []Tally // understood and deliberately not used
	Rejected []Tally // could not be read
}

// Sum adds the counts.
func Sum(ts []Tally) int64 {
	var n int64
	for _, t := range ts {
		n += t.N
	}
	return n
}

// Balanced reports whether the account's law holds.
func (a Account) Balanced() bool { return a.Read == a.Used+Sum(a.SetAside)+Sum(a.Rejected) }

// Count adds one to the tally of the code, and notes the place of the first.
func Count(ts *[]Tally, code string, at Pos) { CountN(ts, code, at, 1) }

// CountN adds n to the tally of the code, and notes the place of the first.
func CountN(ts *[]Tally, code string, at Pos, n int64) {
	for i := range *ts {
		if (*ts)[i].Code == code {
			(*ts)[i].N += n
			return
		}
	}
	*ts = append(*ts, Tally{code, n, at})
}

// Severity orders notices.
type Severity uint8

// The severities. DataLoss is correct operation that still lost data.
const (
	Info Severity = iota
	Note
	DataLoss
	Failure
)

// A Notice limits or explains a result. It travels inside what it qualifies.
type Notice struct {
	Code     string // stable, "torch/ts-zero"
	Severity Severity
	Text     Phrase // what was found, what was expected, what to do
	N        int64  // how often; at least 1
	At       []Pos  // the first few places
}

// Notices collects notices by code, keeping the first few places of each.
type Notices struct{ List []Notice }

const placesKept = 5

// Add counts one more occurrence of the notice at the place.
func (n *Notices) Add(code string, sev Severity, at Pos, text Phrase) {
	for i := range n.List {
		if e := &n.List[i]; e.Code == code {
			e.N++
			if len(e.At) < placesKept {
				e.At = append(e.At, at)
			}
			return
		}
	}
	n.List = append(n.List, Notice{Code: code, Severity: sev, Text: text, N: 1, At: []Pos{at}})
}
