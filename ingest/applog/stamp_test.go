package applog

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

func TestStampForms(t *testing.T) {
	const (
		zoned = stampZoned
		epoch = stampEpoch
		civil = stampCivil
		month = stampMonth
		day   = stampDay
	)
	for _, k := range []struct {
		text   string
		kind   stampKind
		want   string // as a calendar time; "" where the stamp is not to be used
		digits int8
		left   string // what stands behind the stamp
	}{
		{"2026-03-02 14:05:00,113 INFO", civil, "2026-03-02 14:05:00.113", 3, " INFO"},
		{"2026-03-02T22:05:00.250+08:00 INFO", zoned, "2026-03-02 14:05:00.25", 3, " INFO"},
		{"2026-03-02T22:05:00.250+0800", zoned, "2026-03-02 14:05:00.25", 3, ""},
		{"2026-03-02T14:05:00.301Z x", zoned, "2026-03-02 14:05:00.301", 3, " x"},
		{"2026-03-02T14:05:04,5Z", zoned, "2026-03-02 14:05:04.5", 1, ""},
		{"2024-11-23T15:40:46.189322543+09:00", zoned, "2024-11-23 06:40:46.189322543", 9, ""},
		{"2024-11-23T15:40:46.1893225439999Z", zoned, "2024-11-23 15:40:46.189322543", 9, ""},
		{"2026-03-02 14:05:00 +0000 UTC m=+0.012", zoned, "2026-03-02 14:05:00", 0, " UTC m=+0.012"},
		{"2026/12/01 02:16:09.930068 [utc] train", zoned, "2026-12-01 02:16:09.930068", 6, " train"},
		{"2026/11/30 21:16:09.930058 train", civil, "2026-11-30 21:16:09.930058", 6, " train"},
		{"2026-03-02 15:05:01 CET INFO", civil, "2026-03-02 15:05:01", 0, " INFO"},
		{"2026-03-02 15:05:01 - 12", civil, "2026-03-02 15:05:01", 0, " - 12"},
		{"2026-03-02 15:05:01 UTCX", civil, "2026-03-02 15:05:01", 0, " UTCX"},
		{"2025-04-23 02:43:30 AM", civil, "2025-04-23 02:43:30", 0, ""},
		{"2025-04-23 12:43:30 AM", civil, "2025-04-23 00:43:30", 0, ""},
		{"2025-04-23 02:43:30 PM", civil, "2025-04-23 14:43:30", 0, ""},
		{"20260302T140502Z INFO", zoned, "2026-03-02 14:05:02", 0, " INFO"},
		{"2026.03.02-14:05:03 INFO", civil, "2026-03-02 14:05:03", 0, " INFO"},
		{"02.03.2026 14:05:03 INFO", civil, "2026-03-02 14:05:03", 0, " INFO"},
		{"05/16/21 22:08:20 - 0:00:00", civil, "2021-05-16 22:08:20", 0, " - 0:00:00"},
		{"25/Feb/2025:13:59:45 +0100 x", zoned, "2025-02-25 12:59:45", 0, " x"},
		{"25 Apr 2024 05:32:35.018 * x", civil, "2024-04-25 05:32:35.018", 3, " * x"},
		{"Mon, 02 Mar 2026 14:05:01 GMT INFO", zoned, "2026-03-02 14:05:01", 0, " INFO"},
		{"Sun Feb 23 16:24:18 2025] NVRM", civil, "2025-02-23 16:24:18", 0, "] NVRM"},
		{"Sun Aug 17 00:40:32 UTC 2025", zoned, "2025-08-17 00:40:32", 0, ""},
		{"Sun Aug 17 00:40:32 CST 2025", civil, "2025-08-17 00:40:32", 0, ""},
		{"Feb 25 2025 13:59:45] [INFO]", civil, "2025-02-25 13:59:45", 0, "] [INFO]"},
		{"Sep 23 01:50:09 2049 root", month, "1970-01-01 01:50:09", 0, " 2049 root"},
		{"Nov  3 01:01:03 host", month, "1970-01-01 01:01:03", 0, " host"},
		{"08-01 20:59:09 [x.py:1]", month, "1970-01-01 20:59:09", 0, " [x.py:1]"},
		{"I0517 15:04:22.619632 1952452992 x.cc:253]", month, "1970-01-01 15:04:22.619632", 6, " 1952452992 x.cc:253]"},
		{"W302 14:06:02.123456789 P.cpp:1]", month, "1970-01-01 14:06:02.123456789", 9, " P.cpp:1]"},
		{"I20251231 23:59:59.300948  4432 g.cc:3]", civil, "2025-12-31 23:59:59.300948", 6, "  4432 g.cc:3]"},
		{"14:05:02 INFO", day, "1970-01-01 14:05:02", 0, " INFO"},
		{"1772460300.402 INFO", epoch, "2026-03-02 14:05:00.402", 3, " INFO"},
		{"1772460300402 INFO", epoch, "2026-03-02 14:05:00.402", 3, " INFO"},
		{"1772460300402001 INFO", epoch, "2026-03-02 14:05:00.402001", 6, " INFO"},
		{"1772460300402001002 INFO", epoch, "2026-03-02 14:05:00.402001002", 9, " INFO"},
		{"9214646399999999999 x", epoch, "2261-12-31 23:59:59.999999999", 9, " x"},
		{"9214646400000000000 x", epoch, "", 0, " x"},
		{"9223372036854775807 x", epoch, "", 0, " x"},
		{"2026-03-02 24:00:00 x", civil, "", 0, " x"},
		{"2026-06-30T23:59:60Z x", zoned, "", 0, " x"},
		{"2026-02-30 10:00:00 x", civil, "", 0, " x"},
		{"2026-13-01 10:00:00 x", civil, "", 0, " x"},
		{"1969-12-31 10:00:00 x", civil, "", 0, " x"},
		{"03/02/2026 02:05:00 PM INFO", civil, "", 0, " INFO"},
		{"17/06/09 20:10:40 INFO", civil, "", 0, " INFO"},
		{"32/13/2021 20:10:40 INFO", civil, "", 0, " INFO"},
	} {
		t.Run(k.text, func(t *testing.T) {
			dates := dateOrder{set: orderAny}
			s, n := dates.parseStamp([]byte(k.text))
			if s.kind != k.kind || k.text[n:] != k.left {
				t.Fatalf("got kind %d and %q left, want %d and %q", s.kind, k.text[n:], k.kind, k.left)
			}
			if (s.verdict == fine) != (k.want != "") {
				t.Fatalf("verdict: got %d, want usable %v", s.verdict, k.want != "")
			}
			if k.want == "" {
				return
			}
			if got := time.Unix(0, s.at).UTC().Format("2006-01-02 15:04:05.999999999"); got != k.want || s.digits != k.digits {
				t.Errorf("got %s with %d digits, want %s with %d", got, s.digits, k.want, k.digits)
			}
		})
	}
}

func TestTextThatIsNoStamp(t *testing.T) {
	for _, text := range []string{"", "1", "2026", "12345678", "2026-03-02", "2026-03-02 14:05", "0:00:05 elapsed", "May I ask you this",
		"Sunshine of the day", "I0517 something else", "1234567890abc", "00:00:10:20 time", "10.0.0.1 - - host", "100% done of it all",
		"12/7 of the work and more", "Mar 45", "W302 14:06", "192.168.100.200 port 80", "2026-03-02 14:05:001 x"} {
		dates := dateOrder{set: orderAny}
		if s, n := dates.parseStamp([]byte(text)); n != 0 {
			t.Errorf("%q: got a stamp of kind %d and %d bytes, want none", text, s.kind, n)
		}
	}
}

// The standard library reads and writes the same forms: it is the oracle.
func TestStampAgreesWithTheStandardLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	layouts := []struct {
		layout string
		zoned  bool
	}{{time.RFC3339Nano, true}, {"2006-01-02 15:04:05,000", false}, {"2006/01/02 15:04:05.000000", false},
		{"2006-01-02T15:04:05.000-0700", true}, {time.RFC1123, true}, {"Mon Jan _2 15:04:05 2006", false}, {"20060102T150405Z07:00", true}}
	for range 20000 {
		l := layouts[r.IntN(len(layouts))]
		at := time.Unix(r.Int64N(9e9), r.Int64N(1e9)).UTC()
		if l.zoned && l.layout != time.RFC1123 {
			at = at.In(time.FixedZone("", (r.IntN(113)-56)*900))
		}
		text := at.Format(l.layout)
		want, err := time.Parse(l.layout, text)
		if err != nil {
			t.Fatalf("oracle: %v", err)
		}
		dates := dateOrder{set: orderAny}
		s, n := dates.parseStamp([]byte(text))
		if n != len(text) || s.at != want.UnixNano() || s.verdict != fine || (s.kind == stampZoned) != l.zoned {
			t.Fatalf("%q: got %d (kind %d, %d bytes, verdict %d), want %d", text, s.at, s.kind, n, s.verdict, want.UnixNano())
		}
	}
}

func TestEveryDayOfTheCalendar(t *testing.T) {
	for at := time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2262; at = at.AddDate(0, 0, 1) {
		y, m, d := at.Date()
		if got, want := unixDay(y, int(m), d), at.Unix()/86400; got != want {
			t.Fatalf("%s: got day %d, want %d", fmt.Sprint(at), got, want)
		}
	}
}
