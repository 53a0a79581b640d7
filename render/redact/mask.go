package redact

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"tracemerge/model"
)

const (
	maskedInput = 4 << 10 // bytes of a line that are looked at; the rest is not shown
	maskedShown = 600     // runes of a line that are shown
)

// A piece is a stretch of a line. What is settled is shown as it stands.
type piece struct {
	text    string
	settled bool
}

// mask shows of free text what the vocabulary, the numbers and the known keys
// allow. Steps: make plain, take out placeholders and the policy's words, find
// secrets, show the values of known keys, find the rest by detectors, judge what
// is left word by word, and collapse.
//
// A change can bring two words together that were apart, so it is repeated until
// nothing changes.
func (r *Redactor) mask(s string) string {
	for range 5 {
		t := r.maskOnce(s)
		if t == s {
			return t
		}
		s = t
	}
	return hiddenText
}

func (r *Redactor) maskOnce(s string) string {
	pieces := r.detect([]piece{{normalise(strings.Join(splitLines(s), "\n")), false}}, secretDetectors[:1], true)
	var lines []string
	line := []piece{}
	for _, p := range pieces {
		if p.settled {
			line = append(line, p)
			continue
		}
		for i, part := range strings.Split(p.text, "\n") {
			if i > 0 {
				lines = append(lines, r.maskLine(line))
				line = nil
			}
			line = append(line, piece{part, false})
		}
	}
	return strings.Join(append(lines, r.maskLine(line)), "\n")
}

func (r *Redactor) maskLine(pieces []piece) string {
	for i := range pieces {
		if !pieces[i].settled {
			pieces[i].text = cutText(pieces[i].text, maskedInput)
		}
	}
	pieces = r.detect(pieces, []detector{{"path", quotedPaths}}, true)
	pieces = r.detect(pieces, secretDetectors[1:], false)
	if len(pieces) > 0 && !pieces[0].settled {
		pieces = append(r.leadingEpoch(pieces[0].text), pieces[1:]...)
	}
	pieces = split(pieces, r.keyed)
	pieces = split(pieces, r.stampPieces)
	pieces = r.detect(pieces, lateDetectors, false)
	var m masker
	m.r = r
	for _, p := range pieces {
		if p.settled {
			m.settled(p.text)
		} else {
			m.scan(p.text)
		}
	}
	return m.line()
}

// cutText cuts at a rune.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// inFull shows text that the policy lets through: plain, without secrets.
func (r *Redactor) inFull(s string) string {
	pieces := r.detect([]piece{{strings.ReplaceAll(normalise(s), "\n", " "), false}}, secretDetectors, true)
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.text)
		if !p.settled {
			r.asked[fold(p.text)] = true
		}
	}
	return b.String()
}

// detect takes out placeholders and, first, the policy's words, then what the
// detectors find.
func (r *Redactor) detect(pieces []piece, ds []detector, first bool) []piece {
	if first {
		pieces = split(pieces, func(s string) []piece { return cutAt(s, r.placeholders(s), func(m string) string { return m }) })
		pieces = split(pieces, func(s string) []piece {
			return cutAt(s, r.wordsIn(s), r.wordPlaceholder)
		})
	}
	for _, d := range ds {
		if r.off.name == d.kind || r.off.name == "detectors" {
			continue
		}
		pieces = split(pieces, func(s string) []piece {
			return cutAt(s, d.find(s), func(m string) string { return r.label(d.kind, m) })
		})
	}
	return pieces
}

// label is the placeholder of what a detector found.
func (r *Redactor) label(kind, m string) string {
	switch kind {
	case "host", "ip":
		return r.placeholder("host", fold(m))
	case "path":
		return r.hidePath(m)
	case "secret", "env":
		return r.placeholder(kind, strings.Trim(m, `"'`))
	}
	return r.placeholder(kind, m)
}

// split replaces every unsettled piece by the pieces that f makes of it.
func split(pieces []piece, f func(string) []piece) []piece {
	var out []piece
	for _, p := range pieces {
		if p.settled || p.text == "" {
			out = append(out, p)
			continue
		}
		out = append(out, f(p.text)...)
	}
	return out
}

// cutAt settles the marked stretches.
func cutAt(s string, marks [][]int, show func(string) string) []piece {
	var out []piece
	at := 0
	for _, m := range marks {
		if m[0] > at {
			out = append(out, piece{s[at:m[0]], false})
		}
		out = append(out, piece{show(s[m[0]:m[1]]), true})
		at = m[1]
	}
	if at < len(s) {
		out = append(out, piece{s[at:], false})
	}
	return out
}

// letterLevel is a level as glog writes it, behind a stamp: "12:00:01.5: E ".
var letterLevel = regexp.MustCompile(`^:? [IWEFD] `)

// stampPieces settles stamps, and a level of one letter behind one.
func (r *Redactor) stampPieces(s string) []piece {
	var out []piece
	at := 0
	for _, m := range stamps(s) {
		stamp := s[m[0]:m[1]]
		if r.policy.RelativeTime {
			stamp = placeholderBare("time")
		}
		out = append(out, piece{s[at:m[0]], false}, piece{stamp, true})
		if at = m[1]; letterLevel.MatchString(s[at:]) {
			n := len(letterLevel.FindString(s[at:])) - 1
			out = append(out, piece{s[at : at+n], true})
			at += n
		}
	}
	return append(out, piece{s[at:], false})
}

var leadingEpoch = regexp.MustCompile(`^[\[ ]*(1\d{12}(?:\d{3}){0,2})\b`)

// leadingEpoch settles milliseconds, or smaller units, since 1970 at the beginning
// of a line.
func (r *Redactor) leadingEpoch(s string) []piece {
	m := leadingEpoch.FindStringSubmatchIndex(s)
	if m == nil {
		return []piece{{s, false}}
	}
	return cutAt(s, [][]int{m[2:4]}, func(e string) string {
		if r.policy.RelativeTime {
			return placeholderBare("time")
		}
		return e
	})
}

// keyClass says what the value of a known key is.
var keyClass = map[string]model.Class{
	"stage": model.ClassStage, "phase": model.ClassStage,
	"task": model.ClassTask, "task_id": model.ClassTask, "job": model.ClassTask, "job_id": model.ClassTask,
	"input": model.ClassInput, "batch_id": model.ClassInput, "input_id": model.ClassInput,
	"host": model.ClassHost, "hostname": model.ClassHost, "node": model.ClassHost, "server": model.ClassHost,
	"user": model.ClassUser, "username": model.ClassUser, "owner": model.ClassUser,
	"dataset": model.ClassDataset, "data_set": model.ClassDataset,
	"precision": model.ClassSetting, "dtype": model.ClassSetting, "optimizer": model.ClassSetting,
	"zone": model.ClassZone, "tz": model.ClassZone,
	"gpu_uuid": model.ClassGPUIdentity, "uuid": model.ClassGPUIdentity,
	"path": model.ClassPath, "file": model.ClassFile,
}

var (
	keyedForm   = regexp.MustCompile(`([A-Za-z_@][A-Za-z0-9_.@-]*)(["']?\s*[:=]\s*)(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s,;{}()\[\]"']+))`)
	valueForm   = regexp.MustCompile(`^-?(?:\d{1,6}|\d{1,4}\.\d{1,18})(?:[eE][-+]?\d{1,3})?$`)
	pairForm    = regexp.MustCompile(`^\d{1,9}/\d{1,9}$`)
	percentForm = regexp.MustCompile(`^\d{1,3}(?:\.\d{1,4})? ?%$`)
)

// keyed settles the values of known keys.
func (r *Redactor) keyed(s string) []piece {
	var out []piece
	at, from := 0, 0
	for from < len(s) {
		m := keyedForm.FindStringSubmatchIndex(s[from:])
		if m == nil {
			break
		}
		key := fold(s[from+m[2] : from+m[3]])
		lo, hi := value(m)
		shown, ok := r.keyedValue(key, s[from+lo:from+hi])
		if !ok {
			from += m[5]
			continue
		}
		out = append(out, piece{s[at : from+lo], false}, piece{shown, true})
		at = from + hi
		from = at
	}
	if at < len(s) {
		out = append(out, piece{s[at:], false})
	}
	return out
}

// value returns the group that holds the value of a keyed match.
func value(m []int) (lo, hi int) {
	for g := 6; g < len(m); g += 2 {
		if m[g] >= 0 {
			return m[g], m[g+1]
		}
	}
	return m[1], m[1]
}

func (r *Redactor) keyedValue(key, v string) (string, bool) {
	switch {
	case v == "":
		return "", false
	case timeKeys[key] && (epochForm.MatchString(v) || wholeStamp.MatchString(v)):
		if r.policy.RelativeTime {
			return placeholderBare("time"), true
		}
		return v, true
	case key == "progress" && (pairForm.MatchString(v) || percentForm.MatchString(v)):
		return v, true
	case (key == "value" || key == "val") && valueForm.MatchString(v): // of an MLPerf record
		return v, true
	case metricKeys[key] && (numberForm.MatchString(v) || pairForm.MatchString(v) || quantity(v)):
		return v, true
	}
	c, ok := keyClass[key]
	if !ok || c != model.ClassGPUIdentity && len(v) <= 4 && numberForm.MatchString(v) {
		return "", false
	}
	if c == model.ClassFile && strings.ContainsAny(v, `/\`) {
		c = model.ClassPath
	}
	return r.text(model.NewText(v, c)).s, true
}
