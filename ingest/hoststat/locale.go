package hoststat

import "regexp"

// Stamps of the locales of Korea, Japan and China, as strftime's %X and %x write
// them: "02시 09분 41초", "02時09分41秒", "2026년 12월 01일", "2026年12月01日".
// Others write digits with colons, dots, slashes or dashes, and the halves of the
// day as AM, PM, am, pm, a.m. or p.m.
var (
	clockWords = regexp.MustCompile(`(\d\d)[시時时] ?(\d\d)[분分] ?(\d\d)[초秒]`)
	dateWords  = regexp.MustCompile(`(\d{4})[년年] ?(\d\d)[월月] ?(\d\d)[일日]`)
	halfWords  = regexp.MustCompile(`^(\d\d:\d\d:\d\d|\S+ +\d\d:\d\d:\d\d) +([aApP])\.?[mM]\.?( |$)`)
)

// Most bytes of a line in which a stamp begins: two dates with their words. Behind
// it stand names of commands, which are left alone.
const stampHead = 64

// plainStamps writes the time at the beginning of a line, and the date of a banner,
// as the C locale does. Most lines have nothing of the kind and are returned as they
// are.
func plainStamps(text []byte) []byte {
	if isBanner(text) {
		return dateWords.ReplaceAll(text, []byte("$1-$2-$3"))
	}
	if len(text) == 0 || text[0] < '0' || text[0] > '9' {
		return text
	}
	n := min(len(text), stampHead)
	head := text[:n]
	foreign, half := false, false
	for _, c := range head {
		foreign = foreign || c >= 0x80
		half = half || c == 'm' || c == 'M'
	}
	switch {
	case foreign:
		for _, p := range []*regexp.Regexp{dateWords, clockWords} {
			at := p.FindSubmatchIndex(head)
			if at == nil {
				continue
			}
			sep := ":"
			if p == dateWords {
				sep = "-"
			}
			if at[0] > 0 && (sep == "-" || at[0] > len("2026-12-01 ")) {
				continue // behind the beginning: part of a name
			}
			plain := string(head[:at[0]]) + string(head[at[2]:at[3]]) + sep + string(head[at[4]:at[5]]) + sep + string(head[at[6]:at[7]])
			head = append([]byte(plain), head[at[1]:]...)
		}
	case half:
		m := halfWords.FindSubmatchIndex(head)
		if m == nil {
			return text
		}
		letter := head[m[4]] &^ 0x20
		plain := string(head[m[2]:m[3]]) + " " + string(letter) + "M"
		head = append([]byte(plain), head[m[6]:]...)
	default:
		return text
	}
	return append(head[:len(head):len(head)], text[n:]...)
}
