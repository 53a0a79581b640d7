package hoststat

import (
	"strings"

	"tracemerge/model"
)

// quantity is what a manual page says of a column.
type quantity struct {
	unit string
	over model.SampleWindow
}

// quantities are the columns whose unit does not stand in their name, or that show
// the moment of the stamp. sysstat's kB and MB are 1024 and 1024² bytes (iostat(1));
// top's sizes are brought to KiB by their suffix. The sizes of vmstat depend on its
// option -S, which the file does not show: they have no unit.
var quantities = map[string]quantity{
	"VIRT": {"KiB", model.WindowInstant}, "RES": {"KiB", model.WindowInstant}, "SHR": {"KiB", model.WindowInstant}, "%MEM": {"%", model.WindowInstant},
	"VSZ": {"kB", model.WindowInstant}, "RSS": {"kB", model.WindowInstant}, "StkSize": {"kB", model.WindowInstant}, "StkRef": {"kB", model.WindowInstant},
	"threads": {"", model.WindowInstant}, "fd-nr": {"", model.WindowInstant}, "prio": {"", model.WindowInstant},
	"swpd": {"", model.WindowInstant}, "free": {"", model.WindowInstant}, "buff": {"", model.WindowInstant}, "cache": {"", model.WindowInstant},
	"inact": {"", model.WindowInstant}, "active": {"", model.WindowInstant}, "r": {"", model.WindowInstant}, "b": {"", model.WindowInstant},
	"in": {"1/s", model.WindowPrevious}, "cs": {"1/s", model.WindowPrevious},
	"us": {"%", model.WindowPrevious}, "sy": {"%", model.WindowPrevious}, "id": {"%", model.WindowPrevious}, "wa": {"%", model.WindowPrevious}, "st": {"%", model.WindowPrevious},
	"ni": {"%", model.WindowPrevious}, "hi": {"%", model.WindowPrevious}, "si": {"", model.WindowPrevious}, "so": {"", model.WindowPrevious},
	"tps": {"1/s", model.WindowPrevious}, "rtps": {"1/s", model.WindowPrevious}, "wtps": {"1/s", model.WindowPrevious},
	"await": {"ms", model.WindowPrevious}, "r_await": {"ms", model.WindowPrevious}, "w_await": {"ms", model.WindowPrevious},
	"d_await": {"ms", model.WindowPrevious}, "f_await": {"ms", model.WindowPrevious}, "svctm": {"ms", model.WindowPrevious},
	"areq-sz": {"kB", model.WindowPrevious}, "rareq-sz": {"kB", model.WindowPrevious}, "wareq-sz": {"kB", model.WindowPrevious},
	"avgrq-sz": {"sectors", model.WindowPrevious}, "iodelay": {"ticks", model.WindowPrevious},
	"runq-sz": {"", model.WindowInstant}, "plist-sz": {"", model.WindowInstant}, "blocked": {"", model.WindowInstant},
	"ldavg-1": {"", model.WindowInstant}, "ldavg-5": {"", model.WindowInstant}, "ldavg-15": {"", model.WindowInstant},
	"rkB": {"kB/s", model.WindowPrevious}, "wkB": {"kB/s", model.WindowPrevious}, "util": {"%", model.WindowPrevious}, "util-percent": {"%", model.WindowPrevious},
	"usr": {"%", model.WindowPrevious}, "sys": {"%", model.WindowPrevious}, "idl": {"%", model.WindowPrevious}, "wai": {"%", model.WindowPrevious}, "stl": {"%", model.WindowPrevious},
}

// quantityOf is what is known of a column by its name: a name such as rkB/s states
// its unit itself.
func quantityOf(name string) quantity {
	if q, ok := quantities[name]; ok {
		return q
	}
	q := quantity{over: model.WindowPrevious}
	kilo := strings.HasPrefix(name, "kb")
	of, per := strings.CutSuffix(name, "/s")
	switch {
	case strings.HasPrefix(name, "%"):
		q.unit = "%"
	case per && (strings.HasSuffix(of, "kB") || strings.HasPrefix(of, "kB_")):
		q.unit = "kB/s"
	case per && strings.HasSuffix(of, "MB"):
		q.unit = "MB/s"
	case per && (strings.HasSuffix(of, "sec") || strings.HasSuffix(of, "sect")):
		q.unit = "sectors/s"
	case per:
		q.unit = "1/s"
	case kilo:
		q = quantity{"kB", model.WindowInstant}
	}
	return q
}

// humanNumber reads a cell of sysstat's option --human: a percentage with its sign,
// or a size with its unit under a heading in kB.
func humanNumber(name, cell string) (float64, bool) {
	if len(cell) < 2 {
		return 0, false
	}
	digits, suffix := cell[:len(cell)-1], cell[len(cell)-1]
	v, ok := number(digits)
	switch {
	case !ok || digits[len(digits)-1] > '9':
		return 0, false
	case suffix == '%' && quantityOf(name).unit == "%":
		return v, true
	case !strings.HasPrefix(quantityOf(name).unit, "kB"):
		return 0, false
	}
	switch suffix {
	case 'B':
		return v / (1 << 10), true
	case 'k':
		return v, true
	case 'M':
		return v * (1 << 10), true
	case 'G':
		return v * (1 << 20), true
	case 'T':
		return v * (1 << 30), true
	}
	return 0, false
}
