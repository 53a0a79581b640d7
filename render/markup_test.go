package render

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"tracemerge/model"
	"tracemerge/model/report"
)

func TestEscaping(t *testing.T) {
	for _, c := range []struct{ rule, in, want string }{
		{"markup", `</script><b a="1" c='2'>&`, "&lt;/script&gt;&lt;b a=&#34;1&#34; c=&#39;2&#39;&gt;&amp;"},
		{"control characters", "a\x00b\x1b[31m", "a�b�[31m"},
		{"bidirectional overrides", "a\u202eb\u2066c", "a�b�c"},
		{"letters from right to left stay", "مرحلة", "مرحلة"},
		{"bytes that are no text", "a\xffb", "a�b"},
		{"line breaks stay", "a\nb\tc", "a\nb\tc"},
	} {
		var m markup
		m.text(c.in)
		if got := m.b.String(); got != c.want {
			t.Errorf("%s: got %q, want %q", c.rule, got, c.want)
		}
	}
}

func TestAttributesAreEscapedAndEmptyOnesLeftOut(t *testing.T) {
	var m markup
	m.titled("rect", `a"><script>`, "class", "", "x", `1"`)
	if got, want := string(m.bytes()), `<rect x="1&#34;"><title>a&#34;&gt;&lt;script&gt;</title></rect>`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestJSONCannotLeaveItsElement(t *testing.T) {
	if got, want := jsonText([]byte("[\"</script><!--&\u2028\"]")), `["\u003c/script\u003e\u003c!--\u0026\u2028"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A picture is well-formed XML, whatever the names are.
func TestPicturesAreWellFormed(t *testing.T) {
	for _, s := range states() {
		page := pageOf(t, s)
		for rest := page; ; {
			i := strings.Index(rest, "<figure")
			if i < 0 {
				break
			}
			rest = rest[i:]
			end := strings.Index(rest, "</figure>") + len("</figure>")
			d := xml.NewDecoder(strings.NewReader(rest[:end]))
			for {
				if _, err := d.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("%s: a picture is not well-formed: %v", s.name, err)
				}
			}
			rest = rest[end:]
		}
	}
}

func TestCoarsenKeepsExtremesAndHoles(t *testing.T) {
	var in []report.Bucket
	for i := range 1000 {
		b := report.Bucket{Support: at(float64(i), float64(i+1)), Lo: float64(i % 7), Hi: float64(i % 13), Known: true, N: 1}
		if i == 500 {
			b = report.Bucket{Support: b.Support, Why: model.CollectorGap, N: 1}
		}
		if i > 700 {
			b.Support = at(float64(i+50), float64(i+51))
		}
		in = append(in, b)
	}
	out := coarsen(in, 40)
	lo, hi, n := 99.0, -99.0, int64(0)
	for _, b := range out {
		n += b.N
		if b.Known {
			lo, hi = min(lo, b.Lo), max(hi, b.Hi)
		}
	}
	if len(out) > 60 || lo != 0 || hi != 12 || n != 1000 {
		t.Errorf("%d buckets from %v to %v of %d samples, want about 40 from 0 to 12 of 1000", len(out), lo, hi, n)
	}
	if got, want := knownSet(out), knownSet(in); got.Len() != want.Len() {
		t.Errorf("known for %v after joining, %v before", got.Len(), want.Len())
	}
}
