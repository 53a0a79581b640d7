package require

import (
	"encoding/json"
	"math/big"
	"slices"
)

// widened are the bounds of a number that the summary states as seen: what was not
// observed may be more of it.
func (at place) widened(n json.Number) (between, error) {
	v, ok := new(big.Rat).SetString(n.String())
	if !ok {
		return between{}, &PathError{at.key + " is no number"}
	}
	exact := between{v, v, ""}
	switch {
	case at.run == nil:
		return exact, nil
	case at.inside == "stages":
		return at.stageBounds(v), nil
	case at.inside == "progress" && slices.Contains([]string{"accepted", "rejected", "errors", "retries", "accepted_per_minute"}, at.key) && logCut(at.run):
		return between{v, nil, "and a log of the run was cut off"}, nil
	}
	return exact, nil
}

// stageBounds adds to a stage's time what was not observed of the window. The
// unknown time of the summary is that of the primary basis; of
// another basis it is not stated, so that the stage may have filled the window.
func (at place) stageBounds(v *big.Rat) between {
	exact := between{v, v, ""}
	window, ok := number(at.run, "window", "seconds")
	unknown, ok2 := number(at.run, "accounted", "unknown_seconds")
	switch at.key {
	case "seconds", "exclusive_seconds", "overlap_seconds", "share":
	default:
		return exact
	}
	if !ok || window.Sign() <= 0 || !ok2 {
		return between{v, nil, "and it is not known how much of the window was observed"}
	}
	hi, why := new(big.Rat).Add(v, scaled(unknown, window, at.key)), "with the time that was not observed"
	if at.parent["primary"] != true {
		hi, why = scaled(window, window, at.key), "and this basis states not how much of the window it observed"
	}
	if hi.Cmp(v) <= 0 {
		return exact
	}
	return between{v, hi, why}
}

// scaled is a time in the unit of the key: a share of the window, or seconds.
func scaled(t, window *big.Rat, key string) *big.Rat {
	if key == "share" {
		return new(big.Rat).Quo(t, window)
	}
	return t
}

func number(x map[string]any, object, key string) (*big.Rat, bool) {
	o, _ := x[object].(map[string]any)
	return rat(o[key])
}

// logCut reports whether an application log of the run ends before its end.
func logCut(run map[string]any) bool {
	sources, _ := run["sources"].([]any)
	return slices.ContainsFunc(sources, func(s any) bool {
		x, _ := s.(map[string]any)
		return x["kind"] == "app-log" && x["truncated"] == true
	})
}
