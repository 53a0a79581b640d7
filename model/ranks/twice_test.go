package ranks

import (
	"testing"
	"time"

	"tracemerge/model"
)

func TestTwice(t *testing.T) {
	at := func(id model.SourceID, n int64, start, end model.ClockTime, kind model.DomainKind, offset time.Duration, placed bool) model.Placed {
		p := rank(id, n, offset, placed, nil)
		p.Window = interval{Start: start, End: end}
		p.Domains = []model.Domain{{Kind: kind}}
		return p
	}
	loose := func(p model.Placed, by time.Duration) model.Placed {
		o := &p.Mappings[0].Segments[0].Offset
		o.Lo, o.Hi = o.Lo-by, o.Hi+by
		return p
	}
	none := model.Placed{Capture: &model.Capture{Source: model.Source{ID: 9}}}
	const own, unix = model.DomainRelative, model.DomainUnix
	for name, test := range map[string]struct {
		a, b model.Placed
		want bool
	}{
		"other ranks":                       {at(1, 0, 0, 10, unix, 0, true), at(2, 1, 0, 10, unix, 0, true), false},
		"overlap":                           {at(1, 0, 0, 10, unix, 0, true), at(2, 0, 9, 20, unix, 0, true), true},
		"one after the other":               {at(1, 0, 0, 10, unix, 0, true), at(2, 0, 10, 20, unix, 0, true), false},
		"the later one first":               {at(1, 0, 10, 20, unix, 0, true), at(2, 0, 0, 10, unix, 0, true), false},
		"one after the other, not placed":   {at(1, 0, 0, 10, unix, 0, false), at(2, 0, 10, 20, unix, 0, false), false},
		"no common clock":                   {at(1, 0, 0, 10, own, 0, false), at(2, 0, 10, 20, own, 0, false), true},
		"apart by their offsets":            {at(1, 0, 0, 10, own, 0, true), at(2, 0, 0, 10, own, 10, true), false},
		"together by their offsets":         {at(1, 0, 0, 10, own, 0, true), at(2, 0, 10, 20, own, -5, true), true},
		"apart only if the offset is right": {at(1, 0, 0, 10, own, 0, true), loose(at(2, 0, 0, 10, own, 12, true), 3), true},
		"apart within the bounds":           {at(1, 0, 0, 10, own, 0, true), loose(at(2, 0, 0, 10, own, 13, true), 3), false},
		"nothing recorded":                  {at(1, 0, 0, 10, unix, 0, true), at(2, 0, 0, 0, unix, 0, true), false},
		"no trace":                          {at(1, 0, 0, 10, unix, 0, true), none, false},
	} {
		got := Twice(timeline(test.a, test.b))
		if (got != nil) != test.want {
			t.Errorf("%s: got %v, want an error: %v", name, got, test.want)
		}
		if got != nil && (got.At[0].Source != 1 || got.At[1].Source != 2) {
			t.Errorf("%s: got %v, want both files named", name, got.At)
		}
	}
}
