package require

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// Answer says whether a requirement holds.
type Answer int

// The answers.
const (
	Holds Answer = iota
	Fails
	Undecidable
)

// Result is the answer with the sentence that explains it.
type Result struct {
	Expr   Expr
	Answer Answer
	Why    string
}

// Summary is a decoded summary JSON.
type Summary struct{ top map[string]any }

// Read decodes a summary.
func Read(data []byte) (Summary, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber() // numbers are compared exactly
	var s Summary
	if err := d.Decode(&s.top); err != nil {
		return s, fmt.Errorf("the summary: %w", err)
	}
	return s, nil
}

// Decide answers one requirement; the error is a PathError.
func (s Summary) Decide(e Expr) (Result, error) {
	r := Result{Expr: e, Answer: Undecidable}
	at, err := find(s.top, e.path)
	var none *absent
	switch {
	case errors.As(err, &none):
		r.Why = none.text
		return r, nil
	case err != nil:
		return r, err
	}
	if why := at.refused(); why != "" {
		r.Why = why
		return r, nil
	}
	if at.value == nil {
		why, _ := at.parent[at.key+"_unknown"].(string)
		r.Why = fmt.Sprintf("%s is unknown (%s)", at.key, strings.ReplaceAll(why, "_", " "))
		return r, nil
	}
	if e.number == nil {
		return e.decideWord(at, r)
	}
	b, err := at.bounds()
	if err != nil {
		return r, err
	}
	r.Answer, r.Why = e.hold(b), "it is "+b.String()
	return r, nil
}

// refused says why what a comparison says decides nothing; empty where it may.
func (at place) refused() string {
	if at.compare == nil || at.compare["comparable"] == true {
		return ""
	}
	switch at.inside {
	case "metrics", "stages", "predictions":
		return "the runs are not comparable: " + first(at.compare["warnings"])
	case "comparable":
		if at.compare["comparability_undeclared"] == true {
			return "comparability is not established: " + first(at.compare["warnings"])
		}
	}
	return ""
}

func first(list any) string {
	if l, _ := list.([]any); len(l) > 0 {
		if s, ok := l[0].(string); ok {
			return s
		}
	}
	return "see the warnings of the comparison"
}

// verdictless are the verdicts that are none.
var verdictless = map[string]string{"not_comparable": "the runs are not comparable", "not_observed": "it was not observed in both runs",
	"one_observation": "each run has one value, which shows no spread", "too_few": "there are too few independent values in a run"}

// decideWord answers a requirement about a word or a truth value.
func (e Expr) decideWord(at place, r Result) (Result, error) {
	var found string
	switch v := at.value.(type) {
	case string:
		found = v
	case bool:
		found = fmt.Sprint(v)
	default:
		return r, &PathError{fmt.Sprintf("%s is compared with the word %q, but it is no text", strings.Join(e.path, "."), e.word)}
	}
	if why := verdictless[found]; at.key == "verdict" && why != "" && e.word != found {
		r.Why = "no verdict: " + why
		return r, nil
	}
	r.Why = fmt.Sprintf("it is %q", found)
	if (found == e.word) == (e.op == "==") {
		r.Answer = Holds
	} else {
		r.Answer = Fails
	}
	return r, nil
}

// between is the bounds of a number; hi nil: there is no upper bound.
type between struct {
	lo, hi *big.Rat
	why    string // of the width, where it is not the summary's own
}

// String writes the bounds with at most nine decimals.
func (b between) String() string {
	write := func(r *big.Rat) string {
		t := r.FloatString(9)
		return strings.TrimRight(strings.TrimRight(t, "0"), ".")
	}
	text := write(b.lo)
	switch {
	case b.hi == nil:
		text = "at least " + text
	case b.lo.Cmp(b.hi) != 0:
		text += " to " + write(b.hi)
	}
	if b.why != "" {
		text += ", " + b.why
	}
	return text
}

// bounds are those between which the true value of the place lies.
func (at place) bounds() (between, error) {
	switch v := at.value.(type) {
	case json.Number:
		return at.widened(v)
	case bound:
		b, err := at.widened(v.Number)
		if err != nil {
			return b, err
		}
		if v.end == "lo" {
			return between{b.lo, b.lo, ""}, nil
		}
		if b.hi == nil {
			return b, nil
		}
		return between{b.hi, b.hi, b.why}, nil
	case map[string]any:
		lo, ok := rat(v["lo"])
		hi, ok2 := rat(v["hi"])
		if ok && ok2 {
			return between{lo, hi, ""}, nil
		}
	}
	return between{}, &PathError{fmt.Sprintf("%s is compared with a number, but it is none", at.key)}
}

func rat(v any) (*big.Rat, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return nil, false
	}
	return new(big.Rat).SetString(n.String())
}

// hold compares all values of the bounds with the number.
func (e Expr) hold(b between) Answer {
	low, high := b.lo.Cmp(e.number), 1
	if b.hi != nil {
		high = b.hi.Cmp(e.number)
	}
	decided := func(all, none bool) Answer {
		switch {
		case all:
			return Holds
		case none:
			return Fails
		}
		return Undecidable
	}
	switch e.op {
	case "<":
		return decided(high < 0, low >= 0)
	case "<=":
		return decided(high <= 0, low > 0)
	case ">":
		return decided(low > 0, high <= 0)
	case ">=":
		return decided(low >= 0, high < 0)
	case "==":
		return decided(low == 0 && high == 0, low > 0 || high < 0)
	}
	return decided(low > 0 || high < 0, low == 0 && high == 0)
}
