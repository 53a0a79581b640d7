package redact

import (
	"regexp"
	"strings"
)

// unavailable are the ways in which nvidia-smi and others say that there is no
// value.
var unavailable = set(`n/a [n/a] - -- none nan err! [unknown]`)

var unavailablePhrases = map[string]bool{
	"[not supported]": true, "[unknown error]": true, "[gpu is lost]": true, "[requested functionality has been deprecated]": true,
	"[gpu requires reset]": true, "[insufficient permissions]": true, "not active": true, "active": true, "enabled": true,
	"disabled": true, "default": true, "exclusive_process": true, "prohibited": true, "not supported": true, "no": true, "yes": true,
}

var cellRule = nameRule{[]map[string]bool{metricWords, units}, 4, " -_./%[]():", false}

// cell shows one cell of a table or one value as its source spells it.
func (r *Redactor) cell(s string) string { return r.value(s, 12) }

// value shows numbers of at most so many digits, with or without unit, stamps,
// absent values, product names and column names.
func (r *Redactor) value(s string, digits int) string {
	t := strings.TrimSpace(s)
	switch {
	case t == "", r.isPlaceholder(t):
		return s
	case unavailable[fold(t)], unavailablePhrases[fold(t)], units[t]:
		return s
	case wholeStamp.MatchString(t):
		if r.policy.RelativeTime {
			return strings.Replace(s, t, placeholderBare("time"), 1)
		}
		return s
	case quantity(t), hexMaskForm.MatchString(t):
		return s
	case numberForm.MatchString(t) && countDigits(t) <= digits:
		return s
	case versionForm.MatchString(t) && strings.Count(t, ".") != 3 && countDigits(t) <= 12 && strings.Contains(t, "."):
		return s
	case vbiosForm.MatchString(t), pstateForm.MatchString(t), deviceForm.MatchString(t):
		return s
	}
	if _, ok := placeKind(t); !ok && cellRule.allows(t) && !r.calendar(t) {
		r.publish(t)
		return s
	}
	lead := s[:len(s)-len(strings.TrimLeft(s, " \t"))]
	if isGPUModel(t) {
		return lead + r.gpuModel(t)
	}
	if serialForm.MatchString(t) {
		return lead + r.placeholder("gpu", t)
	}
	return lead + r.mask(t)
}

var (
	vbiosForm  = regexp.MustCompile(`^[0-9A-Fa-f]{2}(?:\.[0-9A-Fa-f]{2}){4}$`)
	pstateForm = regexp.MustCompile(`^P\d{1,2}$`)
	// deviceForm is a block device as the kernel numbers it; volumes that people name
	// have other names.
	deviceForm = regexp.MustCompile(`^(?:(?:s|v|xv)d[a-z]\d{0,2}|nvme\d{1,2}n\d(?:p\d{1,2})?|mmcblk\d(?:p\d)?|(?:dm-|md|loop|zram)\d{1,3})$`)
	serialForm = regexp.MustCompile(`^\d{10,15}$`)
	modelHead  = regexp.MustCompile(`^(?i:nvidia|tesla|geforce|quadro|amd|radeon|rtx|gtx|titan)\b`)
)

func isGPUModel(s string) bool { return modelHead.MatchString(s) }

func countDigits(s string) int {
	n := 0
	for i := range len(s) {
		if isDigitByte(s[i]) {
			n++
		}
	}
	return n
}

// row shows a row of a table cell by cell; without commas the cells stand between
// spaces. Numbers without unit are shown up to seven digits (MiB, process ids): a
// serial number has ten or more. The first cell may be seconds or fractions of
// them since 1970.
func (r *Redactor) row(s string) string {
	lines := splitLines(s)
	for i, line := range lines {
		line = normalise(cutText(line, maskedInput))
		sep := ","
		cells := strings.Split(line, sep)
		if len(cells) == 1 {
			sep = " "
			cells = strings.Fields(line)
		}
		var shown []string
		for j, c := range cells {
			if j == 0 && rowEpoch.MatchString(strings.TrimSpace(c)) {
				if r.policy.RelativeTime {
					c = placeholderBare("time")
				}
			} else {
				c = r.value(c, 7)
			}
			if c != "" || sep == "," {
				shown = append(shown, c)
			}
		}
		lines[i] = strings.Join(shown, sep)
	}
	return strings.Join(lines, "\n")
}

var rowEpoch = regexp.MustCompile(`^1\d{9}(?:\d{3}|\d{6}|\d{9})?(?:\.\d{1,9})?$`)
