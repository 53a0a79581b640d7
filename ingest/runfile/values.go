package runfile

import (
	"math"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"tracemerge/ingest"
	"tracemerge/model"
)

// scalar returns the text of a value as it is spelt: "1.10" stays "1.10".
func (p *parser) scalar(n *yaml.Node) (string, bool) {
	if n.Kind != yaml.ScalarNode {
		p.fail(n.Line, model.Say("want one value here, found {}", found(n)))
		return "", false
	}
	return n.Value, true
}

// textInto reads a text of a class.
func (p *parser) textInto(to *model.Text, c model.Class, n *yaml.Node) {
	if s, ok := p.scalar(n); ok {
		*to = model.NewText(strings.TrimSpace(s), c)
	}
}

func (p *parser) rawInto(to *model.Raw, n *yaml.Node) {
	if s, ok := p.scalar(n); ok {
		*to = model.NewRaw(s)
	}
}

// choice reads one of a few words; "" means that it was none.
func (p *parser) choice(n *yaml.Node, among []key) string {
	s, ok := p.scalar(n)
	if !ok || s == "" {
		return ""
	}
	if !oneOf(s, among) {
		p.fail(n.Line, model.Say(`unknown value "{}"; did you mean "{}"?`, text(s, model.ClassFree), nearest(s, among)))
		return ""
	}
	return s
}

// number reads a finite number that is not negative.
func (p *parser) number(to *model.Maybe[float64], n *yaml.Node) {
	var v float64
	tag := n.ShortTag()
	if n.Kind != yaml.ScalarNode || tag != "!!int" && tag != "!!float" || n.Decode(&v) != nil {
		p.fail(n.Line, model.Say("want a number here, found {}", found(n)))
		return
	}
	if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		p.fail(n.Line, model.Say("want a number that is finite and not negative"))
		return
	}
	*to = model.Known(v)
}

// count reads a whole number that is not negative.
func (p *parser) count(to *model.Maybe[int64], n *yaml.Node) {
	var v int64
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || n.Decode(&v) != nil || v < 0 {
		p.fail(n.Line, model.Say("want a whole number that is not negative here, found {}", found(n)))
		return
	}
	*to = model.Known(v)
}

// signed reads a finite number.
func (p *parser) signed(to *model.Maybe[float64], n *yaml.Node) {
	var v float64
	tag := n.ShortTag()
	if n.Kind != yaml.ScalarNode || tag != "!!int" && tag != "!!float" || n.Decode(&v) != nil ||
		math.IsNaN(v) || math.IsInf(v, 0) {
		p.fail(n.Line, model.Say("want a number here, found {}", found(n)))
		return
	}
	*to = model.Known(v)
}

// instantLayouts are RFC 3339 and the forms that YAML allows for it.
var instantLayouts = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00",
	"2006-01-02T15:04Z07:00", "2006-01-02 15:04Z07:00", "2006-01-02 15:04 Z07:00",
}

// instant reads a time with its zone.
func (p *parser) instant(n *yaml.Node) (model.Time, bool) {
	s, ok := p.scalar(n)
	if !ok {
		return 0, false
	}
	for _, l := range instantLayouts {
		t, err := time.Parse(l, s)
		if err != nil {
			continue
		}
		if t.Year() < 1678 || t.Year() > 2261 { // what int64 nanoseconds hold
			p.fail(n.Line, model.Say("the year {} is out of range", t.Year()))
			return 0, false
		}
		return model.Time(t.UnixNano()), true
	}
	for _, l := range instantLayouts {
		if _, err := time.Parse(strings.TrimRight(strings.TrimSuffix(l, "Z07:00"), " "), s); err == nil {
			p.fail(n.Line, model.Say("the time has no zone; write it as 2026-05-04T09:00:00+09:00, or end it with Z for UTC"))
			return 0, false
		}
	}
	p.fail(n.Line, model.Say("want a time as 2026-05-04T09:00:00+09:00, found {}", found(n)))
	return 0, false
}

var durationPart = regexp.MustCompile(`^([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|min|m|h)`)

// units are the nanoseconds of a duration's units as 10^scale times factor.
var units = map[string]struct {
	scale  int
	factor int64
}{
	"ns": {0, 1}, "us": {3, 1}, "µs": {3, 1}, "μs": {3, 1}, "ms": {6, 1}, "s": {9, 1},
	"m": {9, 60}, "min": {9, 60}, "h": {9, 3600},
}

// parseDuration reads "-1m2.5s" exactly; a bare 0 needs no unit.
func parseDuration(s string) (time.Duration, bool) {
	rest, negative := strings.CutPrefix(s, "-")
	rest = strings.TrimPrefix(rest, "+")
	if rest == "0" {
		return 0, true
	}
	var sum int64
	for ok := false; !ok; ok = rest == "" {
		m := durationPart.FindStringSubmatch(rest)
		if m == nil {
			return 0, false
		}
		rest = rest[len(m[0]):]
		u := units[m[2]]
		v, err := ingest.ParseDecimal([]byte(m[1]), u.scale)
		if err != nil || v > (math.MaxInt64-sum)/u.factor {
			return 0, false
		}
		sum += v * u.factor
	}
	if negative {
		sum = -sum
	}
	return time.Duration(sum), true
}

func (p *parser) duration(n *yaml.Node) (time.Duration, bool) {
	s, ok := p.scalar(n)
	if !ok {
		return 0, false
	}
	d, ok := parseDuration(strings.ReplaceAll(s, " ", ""))
	if !ok {
		p.fail(n.Line, model.Say("want a duration with its unit, such as 1.25s, 5ms or -1h30m, found {}", found(n)))
	}
	return d, ok
}

// width reads a duration that is not negative.
func (p *parser) width(n *yaml.Node) (time.Duration, bool) {
	d, ok := p.duration(n)
	if ok && d < 0 {
		p.fail(n.Line, model.Say("want a duration that is not negative"))
		return 0, false
	}
	return d, ok
}

var fixedZone = regexp.MustCompile(`^[+-]([01][0-9]):[0-5][0-9]$`)

// zone reads a time zone: an IANA name, "local" or an offset from UTC.
func (p *parser) zone(n *yaml.Node) model.Text {
	s, ok := p.scalar(n)
	if !ok || s == "" {
		return model.Text{}
	}
	if s != "local" && !fixedZone.MatchString(s) {
		if _, err := time.LoadLocation(s); err != nil || s == "Local" {
			p.fail(n.Line, model.Say(`unknown zone "{}"; write an IANA name such as Asia/Seoul, local, or an offset such as +09:00`,
				text(s, model.ClassFree)))
			return model.Text{}
		}
	}
	return model.NewText(s, model.ClassZone)
}

// maxPattern bounds a regular expression; longer ones are machine-made.
const maxPattern = 4096

// expression checks a regular expression.
func (p *parser) expression(n *yaml.Node) (*regexp.Regexp, bool) {
	s, ok := p.scalar(n)
	if !ok {
		return nil, false
	}
	if len(s) > maxPattern {
		p.fail(n.Line, model.Say("a regular expression of more than {} bytes", maxPattern))
		return nil, false
	}
	re, err := regexp.Compile(s)
	if err != nil {
		p.fail(n.Line, model.Say("not a Go regular expression: {}", expressionFault(err)))
		return nil, false
	}
	return re, true
}

// expressionFault names what is wrong with an expression without quoting it.
func expressionFault(err error) model.Word {
	e, ok := err.(*syntax.Error)
	if !ok {
		return model.Lit("it cannot be compiled")
	}
	switch e.Code {
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen:
		return model.Lit("a parenthesis without its partner")
	case syntax.ErrMissingBracket:
		return model.Lit("a [ that is not closed")
	case syntax.ErrInvalidCharClass, syntax.ErrInvalidCharRange:
		return model.Lit("a character class that does not exist")
	case syntax.ErrInvalidEscape, syntax.ErrTrailingBackslash:
		return model.Lit("a backslash before a character that it cannot escape")
	case syntax.ErrInvalidNamedCapture:
		return model.Lit("a group name that is not a word")
	case syntax.ErrInvalidPerlOp:
		return model.Lit("a (?…) that Go does not have, such as a look-ahead")
	case syntax.ErrInvalidRepeatOp, syntax.ErrMissingRepeatArgument, syntax.ErrInvalidRepeatSize:
		return model.Lit("a repetition that cannot stand there or is too large")
	case syntax.ErrInvalidUTF8:
		return model.Lit("not UTF-8")
	}
	return model.Lit("it cannot be compiled")
}

// line reads a 1-based line number.
func (p *parser) line(n *yaml.Node) int32 {
	s, ok := p.scalar(n)
	if !ok {
		return 0
	}
	v, err := strconv.ParseInt(s, 10, 32)
	if err != nil || v < 1 {
		p.fail(n.Line, model.Say("want a line number from 1, found {}", found(n)))
		return 0
	}
	return int32(v)
}
