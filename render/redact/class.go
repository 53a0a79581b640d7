package redact

import (
	"regexp"
	"strings"
	"time"
	_ "time/tzdata" // zone names are checked against the same list on every machine

	"tracemerge/model"
)

// namedClasses are the classes of which a known name is shown and anything else
// becomes a placeholder of the kind.
var namedClasses = map[model.Class]struct {
	kind string
	rule nameRule
}{
	model.ClassStage:   {"stage", nameRule{[]map[string]bool{vocabulary, metricKeys}, 4, " -_./:#+()[],=", true}},
	model.ClassTask:    {"task", nameRule{[]map[string]bool{vocabulary, fileWords}, 4, " -_./:#+()[],=", true}},
	model.ClassInput:   {"input", nameRule{[]map[string]bool{vocabulary, fileWords}, 4, " -_./:#+()[],=", true}},
	model.ClassProcess: {"process", nameRule{[]map[string]bool{processWords, fileWords}, 7, " -_./:#+()[],=", true}},
	model.ClassMetric:  {"metric", nameRule{[]map[string]bool{metricWords}, 4, " -_./:%+[]()", false}},
}

// showsClass are names that redact.show may hold for a whole class of text. The
// terminal, which only the owner of the files reads, may show "file".
var showsClass = map[model.Class]string{
	model.ClassDataset:   "dataset",
	model.ClassHost:      "host",
	model.ClassUser:      "user",
	model.ClassFile:      "file",
	model.ClassOperation: "operation",
	model.ClassStage:     "stage",
	model.ClassTask:      "task",
	model.ClassInput:     "input",
	model.ClassProcess:   "process",
	model.ClassZone:      "zone",
	model.ClassVersion:   "version",
	model.ClassMetric:    "metric",
}

// byClass writes a text as far as its class allows. Words are replaced by the
// caller.
func (r *Redactor) byClass(s string, c model.Class) string {
	if r.isPlaceholder(s) || r.off == (protection{"class", c}) {
		return s
	}
	if field, ok := showsClass[c]; ok && r.show[field] {
		return r.inFull(s)
	}
	if n, ok := namedClasses[c]; ok {
		return r.name(s, n.kind, n.rule)
	}
	switch c {
	case model.ClassFile:
		return r.file(s)
	case model.ClassPath:
		return r.path(s)
	case model.ClassHost:
		return r.host(s)
	case model.ClassUser:
		return r.placeholder("user", s)
	case model.ClassDataset:
		return r.placeholder("dataset", s)
	case model.ClassOperation:
		return r.operation(s)
	case model.ClassGPUModel:
		return r.gpuModel(s)
	case model.ClassGPUIdentity:
		return r.gpuIdentity(s)
	case model.ClassVersion:
		return r.version(s)
	case model.ClassSetting:
		return r.setting(s)
	case model.ClassZone:
		return r.zone(s)
	case model.ClassCell:
		return r.cell(s)
	case model.ClassTableRow:
		return r.row(s)
	}
	return r.mask(s)
}

// name shows a name that the rule allows.
func (r *Redactor) name(s, kind string, rule nameRule) string {
	if place, ok := placeKind(s); ok {
		return r.label(place, s)
	}
	if r.calendar(s) {
		return r.placeholder(kind, s)
	}
	if units[s] || rule.allows(s) {
		r.publish(s)
		return s
	}
	return r.placeholder(kind, s)
}

var calendarForm = regexp.MustCompile(`\d{4}[-_./]?\d{2}[-_./]?\d{2}`)

// calendar reports whether a name holds a date that must not be shown.
func (r *Redactor) calendar(s string) bool {
	return r.policy.RelativeTime && calendarForm.MatchString(s)
}

var fileRule = nameRule{[]map[string]bool{fileWords}, 4, "-_. +#()[]=", true}

// file shows the known components of a path inside the run folder.
func (r *Redactor) file(s string) string {
	if place, ok := placeKind(s); ok { // not relative to the run folder
		return r.label(place, s)
	}
	parts := strings.Split(s, "/")
	for i, p := range parts {
		if i < len(parts)-1 {
			if !r.allowsFile(p) {
				parts[i] = r.placeholder("dir", p)
			}
			continue
		}
		base, ext := splitExtensions(p)
		if base != "" && !r.allowsFile(base) {
			parts[i] = r.placeholder("file", base) + ext
		}
	}
	return strings.Join(parts, "/")
}

func (r *Redactor) allowsFile(p string) bool {
	if p == "" || r.isPlaceholder(p) {
		return true
	}
	if r.calendar(p) || !fileRule.allows(p) {
		return false
	}
	r.publish(p)
	return true
}

// splitExtensions cuts the known extensions off a file name, ".pt.trace.json.gz".
// A name that consists of nothing else keeps its first part.
func splitExtensions(p string) (base, ext string) {
	base = p
	for {
		i := strings.LastIndexByte(base, '.')
		if i <= 0 || !extensions[base[i+1:]] {
			return base, p[len(base):]
		}
		base = base[:i]
	}
}

var (
	urlForm     = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]{1,20}://`)
	storageRule = nameRule{[]map[string]bool{storageWords}, 2, " -_", false}
)

// path hides a path or URL and keeps a known extension.
func (r *Redactor) path(s string) string {
	if storageRule.allows(s) {
		r.publish(s)
		return s
	}
	if base, ext := splitExtensions(s); r.isPlaceholder(base) {
		return base + ext
	}
	if urlForm.MatchString(s) {
		return r.placeholder(urlKind(s), s)
	}
	return r.hidePath(s)
}

func (r *Redactor) hidePath(s string) string {
	i := strings.LastIndexAny(s, `/\`) + 1
	_, ext := splitExtensions(s[i:])
	return r.placeholder("path", s) + ext
}

var bucketScheme = set("s3 s3a s3n gs gcs abfs abfss wasb wasbs az oss cos hdfs dbfs swift r2 hf file")

func urlKind(s string) string {
	if scheme, _, ok := strings.Cut(fold(s), "://"); ok && bucketScheme[scheme] {
		return "bucket"
	}
	return "url"
}

// host hides a host name or address; upper and lower case name the same host.
func (r *Redactor) host(s string) string {
	if fold(s) == "localhost" {
		return "localhost"
	}
	return r.placeholder("host", fold(s))
}

var versionForm = regexp.MustCompile(`^[vV]?\d{1,4}(?:\.\d{1,5}){0,4}(?:[.+-]?(?:rc|a|b|dev|post|alpha|beta|cu|rocm|nv|cpu)\d{0,4}){0,3}$`)

// version shows digits and dots with the suffixes of releases. Four groups of
// digits could be an address and are not shown.
func (r *Redactor) version(s string) string {
	if versionForm.MatchString(s) && !ipv4Form.MatchString(s) && !r.calendar(s) {
		return s
	}
	return r.placeholder("version", s)
}

var (
	settingRule   = nameRule{[]map[string]bool{settingWords}, 6, " -_./:,[]{}()=+'\"*", false}
	numberForm    = regexp.MustCompile(`^[-+]?\d{1,12}(?:\.\d{1,18})?(?:[eE][-+]?\d{1,3})?$`)
	quantityForm  = regexp.MustCompile(`^[-+]?\d{1,12}(?:\.\d{1,12})?(?:[eE][-+]?\d{1,3})? ?([A-Za-zµ°%/]{1,9})$`)
	hexMaskForm   = regexp.MustCompile(`^0x[0-9a-fA-F]{1,16}$`)
	wholeStamp    = regexp.MustCompile(`^(?:` + stampPattern + `)$`)
	epochForm     = regexp.MustCompile(`^[-+]?\d{1,19}(?:\.\d{1,9})?(?:[eE][-+]?\d{1,3})?$`)
	gpuNumberForm = regexp.MustCompile(`^(?:(?i:gpu|cuda|device)[ :_-]?)?\d{1,3}$`)
)

// setting shows numbers and the known words of training settings.
func (r *Redactor) setting(s string) string {
	if numberForm.MatchString(s) || quantity(s) {
		return s
	}
	if place, ok := placeKind(s); ok {
		return r.label(place, s)
	}
	if settingRule.allows(s) && !r.calendar(s) {
		r.publish(s)
		return s
	}
	return r.placeholder("setting", s)
}

// quantity reports whether the text is a number with a known unit.
func quantity(s string) bool {
	m := quantityForm.FindStringSubmatch(s)
	return m != nil && units[m[1]]
}

var (
	zoneForm   = regexp.MustCompile(`^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc|US)(?:/[A-Za-z0-9_+-]{1,20}){1,2}$`)
	offsetForm = regexp.MustCompile(`^(?i:UTC|GMT)?[+-]\d{1,2}:?(?:\d{2})?$`)
)

// zone shows zones of the tz database, their abbreviations and offsets.
func (r *Redactor) zone(s string) string {
	if zoneWord(s) || offsetForm.MatchString(s) {
		return s
	}
	if zoneForm.MatchString(s) {
		if _, err := time.LoadLocation(s); err == nil {
			r.publish(s)
			return s
		}
	}
	return r.placeholder("zone", s)
}

// gpuIdentity shows an index; a UUID, serial or bus id is a placeholder.
func (r *Redactor) gpuIdentity(s string) string {
	if gpuNumberForm.MatchString(s) || unavailable[fold(s)] {
		return s
	}
	return r.placeholder("gpu", s)
}

var (
	gpuWords = set(`nvidia tesla geforce quadro titan rtx gtx gt amd radeon instinct pro graphics laptop gpu ti super max q
mobile ada generation pcie pcle sxm sxm2 sxm3 sxm4 sxm5 sxm6 nvl hbm2 hbm2e hbm3 hbm3e oam intel arc data center series
xe grid mig hopper ampere blackwell turing volta pascal edition workstation server with design black xp x v d s`)
	gpuPart = regexp.MustCompile(`^(?:(?:RTX|GTX|GT|GB|GH|GV|MI|TU|GA|AD|PG|A|B|H|L|T|V|P|K|M)?\d{1,4}[A-Za-z]{0,2}|\d{1,3}(?:GB|gb)|\d{1,2}g)$`)
)

// gpuModel shows product names: makers' words and model numbers.
func (r *Redactor) gpuModel(s string) string {
	if unavailable[fold(s)] {
		return s
	}
	parts := strings.FieldsFunc(s, func(c rune) bool { return strings.ContainsRune(" -/.()_", c) })
	if len(parts) == 0 || len(s) > nameLength {
		return r.placeholder("gpu", s)
	}
	known := false
	for _, p := range parts {
		switch {
		case gpuWords[fold(p)]:
			known = known || len(p) > 1
		case gpuPart.MatchString(p):
			known = known || isLetterByte(p[0])
		default:
			return r.placeholder("gpu", s)
		}
	}
	if !known {
		return r.placeholder("gpu", s)
	}
	r.publish(s)
	return s
}
