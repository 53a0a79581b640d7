package model

import (
	"slices"
	"testing"
	"time"
)

func TestMaybeZeroValueIsUnknown(t *testing.T) {
	var m Maybe[int64]
	if _, ok := m.Get(); ok || m.Known() || m.Why() != NotSet {
		t.Errorf("got known %v, reason %v; want unknown, not_set", m.Known(), m.Why())
	}
	if v, ok := Known[int64](0).Get(); !ok || v != 0 {
		t.Error("the measured value 0 must be known")
	}
	if m := Missing[int64](NotAvailable); m.Known() || m.Why() != NotAvailable {
		t.Errorf("got known %v, reason %v; want unknown, not_available", m.Known(), m.Why())
	}
}

func TestReasonsHaveCodesAndWords(t *testing.T) {
	seen := map[string]Reason{}
	for r := NotSet; r <= NotComputable; r++ {
		if r.String() == "" || r.String() == "unknown_reason" || r.Explain() == "" {
			t.Errorf("reason %d: code %q, words %q", uint8(r), r.String(), r.Explain())
		}
		if o, twice := seen[r.String()]; twice {
			t.Errorf("reasons %d and %d share the code %s", uint8(o), uint8(r), r.String())
		}
		seen[r.String()] = r
	}
	if beyond := Reason(200); beyond.String() != "unknown_reason" || beyond.Explain() != "unknown" {
		t.Errorf("a reason outside the table: got %q", beyond.String())
	}
}

func TestAccountLaw(t *testing.T) {
	var a Account
	if !a.Balanced() {
		t.Error("an account of nothing is balanced")
	}
	for i := range 10 {
		a.Read++
		at := Pos{Line: int32(i + 1)}
		switch i % 3 {
		case 0:
			a.Used++
		case 1:
			Count(&a.SetAside, "blank", at)
		default:
			Count(&a.Rejected, "short", at)
		}
	}
	if !a.Balanced() || Sum(a.SetAside) != 3 || Sum(a.Rejected) != 3 {
		t.Errorf("got %+v, want 10 = 4 + 3 + 3", a)
	}
	CountN(&a.Rejected, "short", Pos{Line: 99}, 5)
	if a.Balanced() {
		t.Error("five records that were not read must unbalance the account")
	}
	if len(a.Rejected) != 1 || a.Rejected[0].N != 8 || a.Rejected[0].First.Line != 3 {
		t.Errorf("got %+v, want 8 of one code, first in line 3", a.Rejected)
	}
	Count(&a.Rejected, "long", Pos{Line: 100})
	if len(a.Rejected) != 2 || a.Rejected[1].Code != "long" {
		t.Errorf("got %+v, want a second code behind the first", a.Rejected)
	}
}

func TestNoticesKeepTheFirstPlaces(t *testing.T) {
	var n Notices
	for i := range 9 {
		n.Add("a", Note, Pos{Line: int32(i + 1)}, Say("first said"))
	}
	n.Add("b", Failure, Pos{}, Say("other"))
	if len(n.List) != 2 || n.List[0].N != 9 || len(n.List[0].At) != 5 || n.List[0].At[4].Line != 5 || n.List[1].N != 1 {
		t.Errorf("got %+v, want 9 of a with the first five places, and 1 of b", n.List)
	}
}

func TestStages(t *testing.T) {
	var names []string
	for _, s := range BuiltinStages() {
		names = append(names, s.Builtin())
		if StageNamed(s.Builtin()) != s || !s.Own().Empty() {
			t.Errorf("%s: its name must lead to itself, without text of a user", s.Builtin())
		}
	}
	want := []string{"file_open", "cpu_preparation", "transfer", "gpu_compute", "communication", "write", "verification", "other"}
	if !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	own := StageNamed("my stage")
	if own.Builtin() != "" || own.Own().Raw.Reveal() != "my stage" || own.Own().Class != ClassStage || own != StageNamed("my stage") {
		t.Errorf("a user's stage keeps its text as ClassStage and equals itself")
	}
	if StageNamed("write").Key() == StageNamed("\x00write").Key() || own.Key() == StageNamed("other stage").Key() {
		t.Error("keys of different stages must differ")
	}
}

func TestPlace(t *testing.T) {
	m := Mapping{Placed: true, Segments: []Segment{
		{Valid: Interval[ClockTime]{0, 100}, Offset: OffsetRange{Lo: 990, Estimate: 1000, Hi: 1030}},
		{Valid: Interval[ClockTime]{100, 200}, Offset: OffsetRange{Lo: 500, Estimate: 500, Hi: 500}},
	}}
	for _, c := range []struct {
		name  string
		at    ClockTime
		want  Time
		width time.Duration
		ok    bool
	}{
		{"first reading", 0, 1000, 30, true},
		{"last of a segment", 99, 1099, 30, true},
		{"the next segment has its own offset", 100, 600, 0, true},
		{"the end is outside", 200, 0, 0, false},
		{"before is outside", -1, 0, 0, false},
	} {
		at, width, ok := m.Place(c.at)
		if at != c.want || width != c.width || ok != c.ok {
			t.Errorf("%s: got %d ± %d, %v; want %d ± %d, %v", c.name, at, width, ok, c.want, c.width, c.ok)
		}
	}
	m.Placed = false
	if _, _, ok := m.Place(50); ok {
		t.Error("a mapping that is not placed places nothing")
	}
	p := Placed{Capture: &Capture{}, Mappings: []Mapping{{}, {Placed: true}}}
	if !p.OnTimeline() || (Placed{}).OnTimeline() || (Placed{Mappings: p.Mappings[:1]}).OnTimeline() {
		t.Error("a source is on the timeline if one of its clocks is placed")
	}
	if _, _, ok := p.At(7, 0); ok {
		t.Error("a domain that does not exist places nothing")
	}
}

func TestDomainAt(t *testing.T) {
	c := Capture{Domains: []Domain{{ID: 0}, {ID: 1, From: Pos{Offset: 100}}, {ID: 2, From: Pos{Offset: 200}}}}
	for offset, want := range map[int64]DomainID{0: 0, 99: 0, 100: 1, 199: 1, 200: 2, 1 << 40: 2} {
		if got := c.DomainAt(offset); got != want {
			t.Errorf("offset %d: got domain %d, want %d", offset, got, want)
		}
	}
}

func TestSampleRowsKeepUnknownApart(t *testing.T) {
	rows := SampleRows{{Value: Known(0.0)}, {Value: Missing[float64](NotAvailable)}, {}}
	for b := range rows.Batches() {
		if !slices.Equal(b.Why, []uint8{Present, uint8(NotAvailable), uint8(NotSet)}) {
			t.Errorf("got %v, want the measured 0 present, the others with their reasons", b.Why)
		}
	}
	n := 0
	for range (SampleRows{}).Batches() {
		n++
	}
	for range (SpanRows{}).Batches() {
		n++
	}
	if n != 0 {
		t.Errorf("tables without rows gave %d batches, want none", n)
	}
}

func TestOnlyWorkCountsAsDeviceWork(t *testing.T) {
	work := map[SpanKind]bool{SpanKernel: true, SpanCommunication: true, SpanMemcpy: true, SpanMemset: true, SpanDeviceOther: true}
	for k := SpanOther; k <= SpanRecordWindow; k++ {
		if k.OnDevice() != work[k] {
			t.Errorf("kind %d: OnDevice is %v, want %v", k, k.OnDevice(), work[k])
		}
	}
}
