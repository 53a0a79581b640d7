package whatif

import (
	"math/big"
	"time"

	"tracemerge/model"
	"tracemerge/model/replay"
	"tracemerge/model/report"
	"tracemerge/model/stage"
)

// A replayer runs a table again with other durations.
type replayer interface {
	Total(factor func(row int) *big.Rat) model.Range[time.Duration]
	Path() report.CriticalPath
}

// replayOf is the replay of a table with what it claims, nil with the reason where
// there is none.
func replayOf(t *stage.Table, tolerance time.Duration) (replayer, model.Phrase, model.Reason) {
	if t.Basis.Kind == model.KindTrace {
		g, why := replay.OfTrace(t)
		if g == nil {
			return nil, noReplay(why), why
		}
		return g, model.Say("The replay adds a claim to the bounds: that the host does what it did in the order in which it did it, that device work waits for its launch, for its stream and for what ended just before it on another stream, that calls which wait for a device or a stream return when its work has ended, and that all lags stay as they were. What other ranks and processes do, a queue of launches that becomes full, and events between streams that did not hold anything up in this run are not known to it. Which of several streams a call waits for is not in its record: the range holds that it waits for each of them, and for none. In simulated programs the truth lay inside in 99 of 100 changes where every dependency was recorded, in 97 with events between streams, in 96 with waits for one stream of several, and in 85 where launches took unequally long."), model.NotSet
	}
	g, why := replay.Of(t, tolerance)
	if g == nil {
		return nil, model.Phrase{}, why
	}
	return g, model.Say("The replay adds a claim to the bounds: that nothing but the observed order of each input, the places of each lane and the observed lags holds anything up, whatever the durations become; a buffer that becomes full is not known to it. In simulated pipelines the truth lay inside in 94 of 100 changes where nothing was hidden, and in 74 to 82 where pauses were; it always lay inside the bounds."), model.NotSet
}

// noReplay says why a trace is not replayed.
func noReplay(why model.Reason) model.Phrase {
	switch why {
	case model.NotApplicable:
		return model.Say("No replay of several traces: what one of them waits for in another is not recorded. A report of one trace alone has one.")
	case model.NoSource:
		return model.Say("No replay: it needs a trace with device work and with the calls that launched it.")
	case model.NotRecorded:
		return model.Say("No replay: of more than one device span in a hundred the trace does not record which call launched it, so what that work waited for is unknown.")
	case model.OutsideObservation:
		return model.Say("No replay: parts of the window were not observed, so what was waited for there is unknown.")
	case model.NotComputable:
		return model.Say("No replay: the trace holds more than {} device spans, calls and stages.", replay.MaxSpans)
	}
	return model.Say("No replay of this trace: {}.", why)
}
