package redact

import (
	"regexp"
	"strings"
)

// A detector finds what a stretch of text is. Detectors choose the label only:
// what none of them finds is still not shown unless the vocabulary knows it.
// They run in the order of the table, each on what those before have left.
type detector struct {
	kind string
	find func(s string) [][]int // where, in order, not overlapping
}

const stampPattern = `\d{4}[-/]\d{1,2}[-/]\d{1,2}[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?` +
	`|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:[A-Z][a-z]{2} [ \d]\d|\d{1,2} [A-Z][a-z]{2})(?: \d{4})? \d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?: (?:[AP]M|Z|UTC|GMT|[+-]\d{4}))?(?: \d{4})?` +
	`|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d{2}:\d{2}:\d{2}(?:\.\d{1,9})?` +
	`|[IWEFD](?:\d{4})?\d{4} \d{2}:\d{2}:\d{2}\.\d{1,9}` +
	`|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2},? \d{4}(?: \d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)?` +
	`|\d{1,2}/\d{1,2}/\d{2,4}(?:,? \d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: [AP]M)?)?` +
	`|\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?` +
	`|1\d{9}\.\d{1,9}` +
	`|\d{4}-\d{2}-\d{2}|\d{4}/\d{2}/\d{2}` +
	`|\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?: [AP]M)?`

// The detectors before and behind the stretches that are shown by their key.
var (
	secretDetectors = []detector{
		{"key", whole(`-----BEGIN [A-Z ]*PRIVATE KEY[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`)},
		{"secret", group(`(?i)\b(?:bearer|basic|token|apikey|negotiate|digest)\s+([A-Za-z0-9._~+/=-]{8,})`, notVocabulary)},
		{"bucket", bounded(whole(`(?i)\b(?:s3[an]?|gc?s|abfss?|wasbs?|az|oss|cos|hdfs|dbfs|swift|r2|hf|file)://[^\s'"<>\])}]+`), nil)},
		{"url", bounded(whole(`(?i)\b[a-z][a-z0-9+.-]{1,20}(?::[a-z]+)?://[^\s'"<>\])}]+`), nil)},
		{"secret", bounded(whole(`\b(?:hf_|sk-|sk_|pk_|rk_|ghp_|gho_|ghs_|ghu_|ghr_|github_pat_|glpat-|gldt-|glrt-|xox[abeprs]-|xapp-|AKIA|ASIA|ABIA|ACCA|AIza|ya29\.|nvapi-|dapi|dop_v1_|doo_v1_|r8_|pat_|npm_|pypi-|eyJ|shpat_|shpss_|SG\.|AGE-SECRET-KEY-|glsa_|hvs\.|hvb\.|sq0[a-z]{3}-|whsec_|tfp_|rubygems_|lin_api_|key-|dckr_pat_|PMAK-|sntrys_|secret_|figd_|pscale_tkn_|xkeysib-|ATATT3|ATCTT3|gsk_|AQ\.|wandb_v1_|local-[a-f])[A-Za-z0-9._~+/=-]{8,}`), nil)},
		{"secret", namedSecrets},
	}
	lateDetectors = []detector{
		{"gpu", whole(`\b(?:GPU|MIG)-[0-9a-fA-F][0-9a-fA-F-]{7,}|\b[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-9]\b`)},
		{"id", bounded(whole(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`), nil)},
		{"env", group(`\b[A-Z][A-Z0-9_]{2,}=("[^"]*"|'[^']*'|[^\s'",;]+)`, notPlain)},
		{"secret", filter(whole(`[A-Za-z0-9+/_-]{20,}={0,2}`), mixedClasses)},
		{"email", whole(`[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]*[\p{L}\p{N}]`)},
		{"ip", bounded(whole(`\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?`), addressRunes)},
		{"ip", ipv6In},
		{"path", pathsIn},
		{"host", filter(whole(`[\p{L}\p{N}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)+`), hostName)},
		{"id", bounded(filter(whole(`(?:0x)?[0-9a-fA-F]{12,}`), func(m string) bool { return strings.ContainsAny(m, "abcdefABCDEF") }), nil)},
		{"id", bounded(filter(whole(`\d{2,}(?:-\d{2,})+`), func(m string) bool { return countDigits(m) >= 9 }), nil)},
		{"id", bounded(whole(`\d{4}(?: \d{4}){3}`), nil)},
		{"id", bounded(whole(`\+\d{1,3}(?:[ -]?\(?\d{2,5}\)?){2,5}`), nil)},
	}
	stamps   = bounded(whole(stampPattern), nil)
	ipv4Form = regexp.MustCompile(`^\d{1,3}(?:\.\d{1,3}){3}$`)
)

// whole finds the matches of an expression.
func whole(expr string) func(string) [][]int {
	re := regexp.MustCompile(expr)
	return func(s string) [][]int { return re.FindAllStringIndex(s, -1) }
}

// group finds the first group of an expression where accept agrees.
func group(expr string, accept func(string) bool) func(string) [][]int {
	re := regexp.MustCompile(expr)
	return func(s string) [][]int {
		var out [][]int
		for _, m := range re.FindAllStringSubmatchIndex(s, -1) {
			if accept(s[m[2]:m[3]]) {
				out = append(out, m[2:4])
			}
		}
		return out
	}
}

// filter keeps the matches that accept agrees with.
func filter(find func(string) [][]int, accept func(string) bool) func(string) [][]int {
	return func(s string) [][]int {
		var out [][]int
		for _, m := range find(s) {
			if accept(s[m[0]:m[1]]) {
				out = append(out, m)
			}
		}
		return out
	}
}

// addressRunes are what may not stand beside an address beside letters and digits.
var addressRunes = func(c byte) bool { return c == '.' || c == ':' }

// bounded keeps the matches that are not part of a longer word.
func bounded(find func(string) [][]int, also func(byte) bool) func(string) [][]int {
	inWord := func(c byte) bool {
		return c == '_' || isLetterByte(c) || isDigitByte(c) || c >= 0x80 || also != nil && also(c)
	}
	return func(s string) [][]int {
		var out [][]int
		for _, m := range find(s) {
			before := m[0] > 0 && inWord(s[m[0]-1]) && s[m[0]-1] != ':'
			after := m[1] < len(s) && isWordByte(s[m[1]])
			if !before && !after {
				out = append(out, m)
			}
		}
		return out
	}
}

func isWordByte(c byte) bool { return c == '_' || isLetterByte(c) || isDigitByte(c) }

func notVocabulary(m string) bool { return !vocabulary[fold(m)] }

// notPlain reports whether the value of a variable says more than a short number
// or a word of the vocabulary.
func notPlain(m string) bool {
	m = strings.Trim(m, `"'`)
	return !(len(m) <= 4 && strings.Trim(m, "0123456789") == "" || vocabulary[fold(m)])
}

// mixedClasses tells keys from identifiers: digits, capitals and small letters in
// one long run.
func mixedClasses(m string) bool {
	return strings.ContainsAny(m, "0123456789") && strings.ContainsFunc(m, func(c rune) bool { return 'A' <= c && c <= 'Z' }) &&
		strings.ContainsFunc(m, func(c rune) bool { return 'a' <= c && c <= 'z' })
}

var (
	colonRun = regexp.MustCompile(`[0-9A-Za-z_]*(?::[0-9A-Za-z_]*){2,}(?:\.\d{1,3}){0,3}(?:%[0-9A-Za-z]+)?`)
	hexGroup = regexp.MustCompile(`^[0-9a-fA-F]{0,4}$`)
)

// ipv6In finds IPv6 addresses: two or more groups of at most four hexadecimal
// digits between colons, with "::" or at least five of them, which tells them
// from times and C++ names. What stands before (NCCL writes eth0:fe80::1) or
// after as another group is left out.
func ipv6In(s string) [][]int {
	var out [][]int
	for _, m := range colonRun.FindAllStringIndex(s, -1) {
		from, to := m[0], m[1]
		for from < to {
			g, _, more := strings.Cut(s[from:to], ":")
			if hexGroup.MatchString(g) || !more {
				break
			}
			from += len(g) + 1
		}
		a := s[from:to]
		groups := strings.Count(a, ":")
		digits := strings.ContainsAny(a, "0123456789")
		if digits && (strings.Contains(a, "::") || groups >= 4) {
			out = append(out, []int{from, to})
		}
	}
	return out
}

// hostName tells host names from numbers, files and dotted names of the field.
func hostName(m string) bool {
	labels := strings.Split(m, ".")
	if codeExtensions[fold(labels[len(labels)-1])] || !strings.ContainsFunc(m, isLetter) && !strings.ContainsFunc(m, func(c rune) bool { return c >= 0x80 }) {
		return false
	}
	if numberLead.MatchString(m) {
		return false
	}
	for _, l := range labels {
		if !identifierKnown(l) {
			return true
		}
	}
	return false
}

var (
	numberLead = regexp.MustCompile(`^[vV]?\d+(?:\.\d+)*(?:[eE][-+]?\d{1,3}|[A-Za-z%/]{0,9})$`)
	pathForm   = regexp.MustCompile(`(?:~|\.{1,2})?(?:/[^\s'"<>|,;:)\]}]+)+/?|~[A-Za-z0-9_]+|\b[A-Za-z]:[\\/][^\s'"<>|,;)]+|\\\\[^\s'"]+`)
)

// pathsIn finds absolute paths, those of a home, and Windows paths, whatever their
// components are; one in quotes may hold spaces. A slash inside a word (it/s,
// 7/100) begins no path, nor does the one that closes an element (</b>).
func pathsIn(s string) [][]int {
	var out [][]int
	for at := 0; at < len(s); {
		m := pathForm.FindStringIndex(s[at:])
		if m == nil {
			break
		}
		from, to := at+m[0], at+m[1]
		at = to
		before := byte(' ')
		if from > 0 {
			before = s[from-1]
		}
		path := s[from:to]
		if s[from] == '/' && (isWordByte(before) || before >= 0x80 || before == '%') ||
			before == '<' && strings.Count(path, "/") == 1 || strings.Trim(path, "/.~") == "" {
			continue
		}
		if before == '"' || before == '\'' {
			if i := strings.IndexByte(s[from:], before); i > 0 {
				to = from + i
				at = to
			}
		}
		out = append(out, []int{from, to})
	}
	return out
}

// quotedPaths finds the paths that begin behind a quote, before a word inside one
// ("/data/the secret model") is taken for something else.
func quotedPaths(s string) [][]int {
	var out [][]int
	for _, m := range pathsIn(s) {
		if m[0] > 0 && (s[m[0]-1] == '"' || s[m[0]-1] == '\'') {
			out = append(out, m)
		}
	}
	return out
}

// placeKind tells names that are an absolute path or a URL, and what they are.
func placeKind(s string) (kind string, ok bool) {
	if urlForm.MatchString(s) {
		return urlKind(s), true
	}
	if m := pathsIn(s); len(m) > 0 && m[0][0] == 0 {
		return "path", true
	}
	return "", false
}

var (
	secretKey  = regexp.MustCompile(`(?i)[A-Za-z0-9_.-]*(?:pass|pwd|secret|token|key|cred|auth|sas|sig|dsn|webhook|login|cookie|pin)[A-Za-z0-9_.-]*`)
	secretTail = regexp.MustCompile(`^["']?(\s*(?:[=:]|=>)\s*|\s+(?:is\s+|as\s+)?)(?:("[^"]*"?|'[^']*'?)|([^\s'",;]+))`)

	secretWords = set(`password passwd passwort pwd pass passphrase passcode secret secrets token credential credentials cred creds auth
authorization authtoken sas sig signature dsn webhook login apikey cookie pin accesskey secretkey privatekey`)
	// plainSecrets are words behind which any word may be the secret; "token" and
	// "key" also name other things.
	plainSecrets = set(`password passwd passwort pwd passphrase passcode secret secrets credential credentials apikey`)
	// statesOfSecrets may follow them in a sentence.
	statesOfSecrets = set(`is are was not no missing invalid failed failure error errors expired empty denied refused rejected accepted required
unknown found given set unset ok valid and or for in of from to on at by with has file files path manager check checked changed rotated
key keys token tokens name type format length reset update updated loaded read storage store`)
	tokenForm    = regexp.MustCompile(`(?i)^(?:(?:eos|bos|pad|unk|cls|sep|mask|image|special|max|min|num|new|total|next|per)_token(?:_ids?)?|token_(?:ids?|count|num|len|length|type|type_ids?|per_second))$`)
	harmlessKeys = set("pin_memory pin_memory_device pin-memory pin-memory-device")
	keyOwners    = set(`api access private secret auth encryption signing ssh account storage license shared master subscription wandb hf
openai anthropic aws azure gcp service deploy ngc comet neptune`)
)

// namedSecrets finds the values of fields, options and words that name a secret:
// password=…, --api-key …, "token": …, login ….
func namedSecrets(s string) [][]int {
	var out [][]int
	for at := 0; at < len(s); {
		k := secretKey.FindStringIndex(s[at:])
		if k == nil {
			break
		}
		key, end := s[at+k[0]:at+k[1]], at+k[1]
		at = end
		if !namesSecret(key) {
			continue
		}
		t := secretTail.FindStringSubmatchIndex(s[end:])
		if t == nil {
			continue
		}
		from, to := t[4], t[5]
		if from < 0 {
			from, to = t[6], t[7]
		}
		value := s[end+from : end+to]
		spaced := !strings.ContainsAny(s[end+t[2]:end+t[3]], "=:")
		option := strings.HasSuffix(s[:end-len(key)], "--")
		if strings.Trim(value, `"'`) == "" || spaced && !option && spaceSaysNothing(key, value) || valueOfTokens(key, value) {
			continue
		}
		out = append(out, []int{end + from, end + to})
		at = end + to
	}
	return out
}

// spaceSaysNothing reports whether a word behind one that names a secret is part of
// the sentence rather than the secret: "password missing", "token batch".
func spaceSaysNothing(key, value string) bool {
	if !strings.ContainsFunc(value, isLetterOrDigit) || statesOfSecrets[fold(value)] {
		return true
	}
	return vocabulary[fold(value)] && !plainSecrets[fold(strings.TrimLeft(key, "-_."))]
}

// valueOfTokens reports whether a field counts or numbers the tokens of a model:
// pad_token_id=0.
func valueOfTokens(key, value string) bool {
	return tokenForm.MatchString(key) && numberForm.MatchString(value) && len(value) <= 7
}

func isLetterOrDigit(c rune) bool { return isWordRune(c) && c != '_' }

// namesSecret reports whether a field of that name holds a secret.
func namesSecret(key string) bool {
	if harmlessKeys[fold(key)] {
		return false
	}
	last := ""
	for _, run := range strings.FieldsFunc(key, func(c rune) bool { return c == '-' || c == '_' || c == '.' || isDigit(c) }) {
		for _, p := range camel(run) {
			p = fold(p)
			if secretWords[p] || p == "key" && keyOwners[last] {
				return true
			}
			last = p
		}
		if secretWords[fold(run)] {
			return true
		}
	}
	return false
}
