package torch

import (
	"tracemerge/ingest/torch/internal/jsonscan"
	"tracemerge/model"
)

// code names what happened to an element, or what was repaired.
type code int

// fate is what a code means for the account.
type fate uint8

const (
	noted    fate = iota // the element was used; the notice says with what doubt
	aside                // understood and not used
	rejected             // could not be read
)

const (
	flowEvent code = iota
	instantEvent
	counterEvent
	metadataEvent
	asyncEvent
	otherPhase
	tsZero
	farOff
	endsLate
	startsEarly
	unmatchedBegin
	unmatchedEnd

	notObject
	noPhase
	tsMissing
	tsNotNumber
	tsOutOfRange
	unreadable
	cutOff

	durMissing
	durNotNumber
	durNegative
	bareWord
	strayComma
	commaMissing
	strayText
	repairedQuote
	nameControl
	nameNotUTF8
	nameEscape
	headerBroken
	textBefore
	textAfter
	tooLong
	unclassified
	windowFar
	windowDoubted
	codeCount
)

// A rule is how a code is reported.
type rule struct {
	name string
	fate fate
	sev  model.Severity
	text model.Phrase // empty: the account alone shows it
}

// rules is the table of codes, in the order of the constants.
func rules() [codeCount]rule {
	return [codeCount]rule{
		flowEvent:      {"torch/flow", aside, model.Info, model.Phrase{}},
		instantEvent:   {"torch/instant", aside, model.Info, model.Phrase{}},
		counterEvent:   {"torch/counter", aside, model.Info, model.Phrase{}},
		metadataEvent:  {"torch/metadata", aside, model.Info, model.Phrase{}},
		asyncEvent:     {"torch/async", aside, model.Info, model.Phrase{}},
		otherPhase:     {"torch/other-phase", aside, model.Info, model.Say("events of a phase that no rule knows: not used")},
		tsZero:         {"torch/ts-zero", aside, model.DataLoss, model.Phrase{}}, // these are said with the time that they cover
		farOff:         {"torch/far-from-all", aside, model.DataLoss, model.Phrase{}},
		endsLate:       {"torch/ends-after-window", aside, model.DataLoss, model.Phrase{}},
		startsEarly:    {"torch/starts-before-window", aside, model.DataLoss, model.Phrase{}},
		unmatchedBegin: {"torch/unmatched-begin", aside, model.DataLoss, model.Say("begin events without an end: not used, their duration is not known")},
		unmatchedEnd:   {"torch/unmatched-end", aside, model.DataLoss, model.Say("end events without a begin: not used")},

		notObject:    {"torch/not-an-object", rejected, model.DataLoss, model.Say("elements of the event array that are no objects: expected events")},
		noPhase:      {"torch/no-phase", rejected, model.DataLoss, model.Say("events without ph: what they mean is not known")},
		tsMissing:    {"torch/ts-missing", rejected, model.DataLoss, model.Say("events without ts: their time is not known")},
		tsNotNumber:  {"torch/ts-not-a-number", rejected, model.DataLoss, model.Say("events whose ts is no number: their time is not known")},
		tsOutOfRange: {"torch/ts-out-of-range", rejected, model.DataLoss, model.Say("events whose ts or end lies more than 146 years from 0: not usable as times")},
		unreadable:   {"torch/unreadable", rejected, model.DataLoss, model.Say("events that are no JSON and could not be repaired: reading went on at the next event")},
		cutOff:       {"torch/cut-off", rejected, model.DataLoss, model.Say("the file ends inside an event")},

		durMissing:   {"torch/dur-missing", noted, model.DataLoss, model.Say("complete events without dur: kept with length 0")},
		durNotNumber: {"torch/dur-not-a-number", noted, model.DataLoss, model.Say("complete events whose dur is no number: kept with length 0")},
		durNegative:  {"torch/negative-duration", noted, model.DataLoss, model.Phrase{}}, // said with the time that they state
		bareWord:     {"torch/bare-word", noted, model.Note, model.Say("values that are no JSON (such as nan or inf): taken as unknown")},
		strayComma:   {"torch/stray-comma", noted, model.Note, model.Say("commas with nothing behind them: ignored")},
		commaMissing: {"torch/comma-missing", noted, model.Note, model.Say("no comma between two events: read as if there were one")},
		strayText:    {"torch/stray-text", noted, model.DataLoss, model.Say("text between events that is no event: skipped to the next event")},
		repairedQuote: {"torch/repaired-event", noted, model.Note,
			model.Say("events that are no JSON, such as a name with quotation marks that are not escaped: read by their keys")},
		nameControl:  {"torch/control-in-name", noted, model.Note, model.Say("distinct names with control characters that are not escaped: read as they stand")},
		nameNotUTF8:  {"torch/name-not-utf8", noted, model.Note, model.Say("distinct names with bytes that are no UTF-8: those bytes are replaced")},
		nameEscape:   {"torch/bad-escape", noted, model.Note, model.Say("distinct names with a backslash that begins no escape: read as a backslash")},
		headerBroken: {"torch/header-broken", noted, model.DataLoss, model.Say("a top-level value that is no JSON: skipped to the next key that is known")},
		textBefore:   {"torch/text-before", noted, model.Note, model.Say("text before the document: skipped")},
		textAfter:    {"torch/text-after", noted, model.DataLoss, model.Say("text behind the end of the document: not read")},
		tooLong:      {"torch/record-too-long", noted, model.DataLoss, model.Say("one record takes more than {} MiB of text: skipped to the next event", jsonscan.Limit>>20)},
		unclassified: {"torch/unclassified-device-record", noted, model.Note,
			model.Say("records on a device of a category that no rule knows: unclassified, not counted as device work")},
		windowFar: {"torch/window-not-usable", noted, model.DataLoss,
			model.Say("the recorder states a window that lies far from all records: not used; the window is that of the records")},
		windowDoubted: {"torch/window-doubted", noted, model.DataLoss,
			model.Say("half of the device records or more do not lie inside the recorder's window: they are kept, and the window is doubtful")},
	}
}

const placesKept = 5

// happening counts one code.
type happening struct {
	n  int64
	at []model.Pos
}

func (r *reader) note(c code, at model.Pos) { r.seen[c].addN(at, 1) }

func (h *happening) addN(at model.Pos, n int64) {
	h.n += n
	if len(h.at) < placesKept {
		h.at = append(h.at, at)
	}
}

// settle turns the counts into the account and the notices of the capture.
func (r *reader) settle() {
	a := &r.cap.Account
	a.Read, a.Used = r.read, r.used
	for c, rule := range rules() {
		h := &r.seen[c]
		if h.n == 0 {
			continue
		}
		switch rule.fate {
		case aside:
			model.CountN(&a.SetAside, rule.name, h.at[0], h.n)
		case rejected:
			model.CountN(&a.Rejected, rule.name, h.at[0], h.n)
		}
		if !rule.text.Empty() {
			r.cap.Notices = append(r.cap.Notices, model.Notice{Code: rule.name, Severity: rule.sev, Text: rule.text, N: h.n, At: h.at})
		}
	}
}

// say adds a notice that occurs once.
func (r *reader) say(name string, sev model.Severity, at model.Pos, text model.Phrase) {
	r.cap.Notices = append(r.cap.Notices, model.Notice{Code: name, Severity: sev, Text: text, N: 1, At: []model.Pos{at}})
}
