package require

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

// Expr is one requirement.
type Expr struct {
	text   string
	path   []string
	op     string
	number *big.Rat // nil: the value is a word
	word   string
}

// String is the requirement as it was written.
func (e Expr) String() string { return e.text }

// expression is path, comparison and value; a part of a path or the value may stand
// in quotation marks.
var expression = regexp.MustCompile(`^\s*((?:"[^"]*"|[\pL\pN_-]+)(?:\.(?:"[^"]*"|[\pL\pN_-]+))*)\s*(<=|>=|==|!=|<|>)\s*("[^"]*"|[^\s"]+)\s*$`)

// numeral is a number of at most 18 digits before and after the point: more is a
// slip, and an exponent without limit would be computed exactly.
var numeral = regexp.MustCompile(`^[-+]?\d{1,18}(?:\.\d{1,18})?(?:[eE][-+]?\d{1,2})?$`)

var part = regexp.MustCompile(`"[^"]*"|[^."]+`)

// Parse reads one requirement.
func Parse(text string) (Expr, error) {
	m := expression.FindStringSubmatch(text)
	if m == nil {
		return Expr{}, fmt.Errorf("want PATH OP VALUE, such as stages.cpu_preparation.share.hi < 0.3, found %q", text)
	}
	e := Expr{text: strings.TrimSpace(text), op: m[2]}
	for _, p := range part.FindAllString(m[1], -1) {
		e.path = append(e.path, strings.Trim(p, `"`))
	}
	if numeral.MatchString(m[3]) {
		e.number, _ = new(big.Rat).SetString(m[3])
		return e, nil
	}
	e.word = strings.Trim(m[3], `"`)
	if e.op != "==" && e.op != "!=" {
		return Expr{}, fmt.Errorf("%s compares numbers, found %q; a word goes with == and !=", e.op, m[3])
	}
	return e, nil
}
