package sample

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tracemerge/model"
)

// cell is one row of a one-device sampler: seconds, and the values of
// utilization.gpu and memory.used; nil is N/A, absent is no column.
type cell struct {
	at         float64
	busy, used any
}

func known(v any) model.Maybe[float64] {
	switch x := v.(type) {
	case int:
		return model.Known(float64(x))
	case float64:
		return model.Known(x)
	case model.Reason:
		return model.Missing[float64](x)
	}
	return model.Missing[float64](model.NotAvailable)
}

// source is a placed sampler with one device.
func source(cells ...cell) model.Placed {
	c := &model.Capture{Source: model.Source{ID: 1, Kind: model.KindSMI}}
	c.Tracks = []model.Track{{ID: 0, Kind: model.TrackDevice, Parent: model.NoTrack, Name: model.NewText("0", model.ClassGPUIdentity)}}
	c.Metrics = []model.Metric{{ID: 0, Role: model.RoleGPUBusy}, {ID: 1, Role: model.RoleMemoryUsed}}
	var rows model.SampleRows
	for i, x := range cells {
		at := model.ClockTime(x.at * 1e9)
		line := int32(i + 2)
		rows = append(rows, model.Sample{At: at, Value: known(x.busy), Line: line, Offset: int64(line) * 50},
			model.Sample{At: at, Metric: 1, Value: known(x.used), Line: line, Offset: int64(line) * 50})
	}
	if len(rows) > 0 {
		c.Samples = rows
	}
	valid := model.Interval[model.ClockTime]{Start: -1 << 60, End: 1 << 60}
	c.Domains = []model.Domain{{ID: 0, Kind: model.DomainUnix, Valid: valid, Step: time.Millisecond}}
	return model.Placed{Capture: c, Mappings: []model.Mapping{{Placed: true, Segments: []model.Segment{{Valid: valid}}}}}
}

func seconds(a, b float64) span { return between(model.Time(a*1e9), model.Time(b*1e9)) }

func loopOf(from, to int, skip ...int) []cell {
	var out []cell
next:
	for i := from; i <= to; i++ {
		for _, s := range skip {
			if s == i {
				continue next
			}
		}
		out = append(out, cell{float64(i), 50, 1000})
	}
	return out
}

func TestKnownTimeFollowsTheRuleOfTheMetric(t *testing.T) {
	for _, tc := range []struct {
		name       string
		cells      []cell
		window     span
		busy, used time.Duration // known
	}{
		{"a loop of 1 s is known throughout", loopOf(0, 10), seconds(0, 10), 10 * time.Second, 10 * time.Second},
		{"activity reaches 2 s back, a gauge one usual distance", []cell{{4, 1, 1}, {5, 1, 1}}, seconds(0, 10), 3 * time.Second, 2 * time.Second},
		{"neither reaches forward", []cell{{0, 1, 1}, {1, 1, 1}}, seconds(1, 10), 0, 0},
		{"a gap is not bridged", append(loopOf(0, 5), loopOf(20, 25)...), seconds(0, 25), 12 * time.Second, 11 * time.Second},
		{"a slow loop is known in part", []cell{{10, 1, 1}, {20, 1, 1}, {30, 1, 1}}, seconds(0, 30), 6 * time.Second, 6 * time.Second},
		{"N/A is not known", []cell{{1, nil, 1}, {2, nil, 1}, {3, nil, nil}}, seconds(0, 3), 0, 2 * time.Second},
		{"a single row of a gauge is an instant", []cell{{1, nil, 7}}, seconds(0, 3), 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := Devices(source(tc.cells...), tc.window, Regular())
			if len(d) != 1 || len(d[0].Metrics) != 2 {
				t.Fatalf("got %d devices, want 1 with 2 metrics", len(d))
			}
			for i, want := range []time.Duration{tc.busy, tc.used} {
				m := d[0].Metrics[i]
				if m.Known != want || m.Known+m.Unknown != tc.window.Len() {
					t.Errorf("metric %d: got known %v + unknown %v, want %v of %v", i, m.Known, m.Unknown, want, tc.window.Len())
				}
			}
		})
	}
}

func TestStatisticsAreOfKnownRowsInTheWindow(t *testing.T) {
	d := Devices(source(cell{0, 10, nil}, cell{1, 20, nil}, cell{2, nil, nil}, cell{3, 60, nil}, cell{4, 99, nil}), seconds(1, 3), Regular())[0]
	m := d.Metrics[0]
	lo, _ := m.Min.Get()
	mean, _ := m.Mean.Get()
	hi, _ := m.Max.Get()
	if m.Samples != 2 || m.NotKnown != 1 || lo != 20 || mean != 40 || hi != 60 {
		t.Errorf("got %d known, %d not, %v/%v/%v; want 2, 1, 20/40/60", m.Samples, m.NotKnown, lo, mean, hi)
	}
	if u := d.Metrics[1]; u.Mean.Known() || u.Mean.Why() != model.NotAvailable {
		t.Errorf("all N/A: got %v %v, want not_available", u.Mean.Known(), u.Mean.Why())
	}
	if far := Devices(source(loopOf(0, 3)...), seconds(50, 60), Regular())[0]; far.Metrics[0].Mean.Why() != model.OutsideObservation || far.Metrics[0].Mean.Known() {
		t.Errorf("no row in the window: got %v", far.Metrics[0].Mean.Why())
	}
}

func TestBusyShareOfADevice(t *testing.T) {
	d := Devices(source(loopOf(0, 60)...), seconds(0, 60), Regular())[0]
	r, ok := d.BusyShare.Get()
	if !ok || r.Lo > 0.5 || r.Hi < 0.5 || d.BusyBy.Empty() {
		t.Errorf("50 %% throughout: got %v %v, want bounds around 0.5 and the sampler named", r, ok)
	}
	for name, tc := range map[string]struct {
		p   model.Placed
		why model.Reason
	}{
		"all N/A":    {source(cell{1, nil, 1}, cell{2, nil, 1}), model.NotAvailable},
		"not placed": {model.Placed{Capture: source(loopOf(0, 5)...).Capture, Mappings: []model.Mapping{{Why: model.ClockUnplaced}}}, model.ClockUnplaced},
	} {
		got := Devices(tc.p, seconds(0, 5), Regular())[0]
		if got.BusyShare.Known() || got.BusyShare.Why() != tc.why {
			t.Errorf("%s: got %v %v, want %v", name, got.BusyShare.Known(), got.BusyShare.Why(), tc.why)
		}
	}
}

func TestUnplacedSourceIsDescribedOnItsOwnAxis(t *testing.T) {
	p := source(loopOf(100, 110)...)
	p.Mappings = []model.Mapping{{Why: model.ClockUnplaced}}
	d := Devices(p, seconds(0, 5), Regular())[0]
	m := d.Metrics[0]
	if d.Placed || m.Known != 0 || m.Unknown != 5*time.Second || m.Samples != 11 || len(m.Series) != 11 || m.Series[10].Support.End != model.Time(110e9) {
		t.Errorf("got placed %v, known %v, %d samples, %d buckets; want 11 on its own axis and nothing known", d.Placed, m.Known, m.Samples, len(m.Series))
	}
	if u := Unknown(p, seconds(0, 5)); len(u) == 0 || u[0].Why != model.ClockUnplaced || u[0].At != seconds(0, 5) {
		t.Errorf("got %v, want the window with clock_unplaced", u)
	}
}

func TestPictureKeepsEveryExtremeAndEveryAbsence(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var cells []cell
	for i := range 20000 {
		var v any = r.IntN(90)
		if i == 12345 {
			v = 99.5
		}
		if i > 15000 && i < 15100 {
			v = model.ReadError
		}
		if i > 5000 && i < 7000 {
			continue
		}
		cells = append(cells, cell{float64(i), v, 1})
	}
	m := Devices(source(cells...), seconds(0, 20000), Regular())[0].Metrics[0]
	if len(m.Series) > drawn || m.Shown != int64(len(m.Series)) || m.Of != int64(len(cells)) {
		t.Fatalf("got %d buckets (shown %d) of %d, want at most %d of %d", len(m.Series), m.Shown, m.Of, drawn, len(cells))
	}
	var n int64
	high, failed := 0.0, false
	for _, b := range m.Series {
		n += b.N
		if b.Known {
			high = max(high, b.Hi)
		} else {
			failed = failed || b.Why == model.ReadError
		}
		if b.Support.Overlaps(seconds(5030, 6960)) {
			t.Errorf("bucket %v lies in the collector's gap", b.Support)
		}
	}
	if n != m.Of || high != 99.5 || !failed {
		t.Errorf("got %d rows, maximum %v, read error drawn %v; want %d, 99.5, true", n, high, failed, m.Of)
	}
}

// law checks that known time, and what the listed intervals say about a metric,
// fill the window.
func law(t *testing.T, p model.Placed, window span) {
	t.Helper()
	observed := Observed(p, window)
	var parts []span
	sum := observed.Len()
	for _, u := range Unknown(p, window) {
		if u.Placed && u.Track.Empty() {
			parts = append(parts, u.At)
			sum += u.At.Len()
		}
		if u.At.Empty() || u.Placed && u.At.Intersect(window) != u.At {
			t.Fatalf("interval %v lies outside the window %v or is empty", u.At, window)
		}
	}
	if got := observed.Union(model.NewSet(parts...)).Len(); got != window.Len() || sum != window.Len() {
		t.Fatalf("observed and unknown: union %v, sum %v, want %v", got, sum, window.Len())
	}
	for _, d := range Devices(p, window, Regular()) {
		for _, m := range d.Metrics {
			if m.Known+m.Unknown != window.Len() || m.Known < 0 || m.Unknown < 0 {
				t.Fatalf("known %v + unknown %v, want %v", m.Known, m.Unknown, window.Len())
			}
		}
	}
}

func TestKnownPlusUnknownIsTheWindow(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 2000 {
		var cells []cell
		at := r.Float64() * 10
		for range r.IntN(20) {
			var busy, used any = r.IntN(101), r.IntN(1000)
			if r.IntN(4) == 0 {
				busy = nil
			}
			if r.IntN(4) == 0 {
				used = model.ReadError
			}
			cells = append(cells, cell{at, busy, used})
			at += []float64{0, 0.1, 1, 1, 1, 7}[r.IntN(6)]
			if r.IntN(30) == 0 {
				at -= 5
			}
		}
		from := r.Float64() * 20
		law(t, source(cells...), seconds(from, from+r.Float64()*20))
	}
}

func TestAddingARowNeverShrinksWhatIsKnown(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 1000 {
		var skip []int
		for range 1 + r.IntN(5) {
			skip = append(skip, 1+r.IntN(28))
		}
		w := seconds(r.Float64()*10, 10+r.Float64()*20)
		before := Devices(source(loopOf(0, 30, skip...)...), w, Regular())[0]
		after := Devices(source(loopOf(0, 30, skip[1:]...)...), w, Regular())[0]
		for m := range before.Metrics {
			if after.Metrics[m].Known < before.Metrics[m].Known {
				t.Fatalf("metric %d: known fell from %v to %v with a row more", m, before.Metrics[m].Known, after.Metrics[m].Known)
			}
		}
	}
}

func TestUnknownIntervalsNameTheirReason(t *testing.T) {
	cells := append(loopOf(5, 10), loopOf(20, 25)...)
	cells[2].busy, cells[3].busy, cells[4].busy = nil, nil, nil // 7, 8, 9 s
	p := source(cells...)
	p.Tracks[0].Unknown = []model.Hole{{At: model.Interval[model.ClockTime]{Start: 12e9, End: 13e9}, Why: model.MalformedRecords, From: []model.Pos{{Line: 99}}}}
	type want struct {
		from, to float64
		why      model.Reason
		metric   bool
	}
	wants := []want{{0, 4, model.OutsideObservation, false}, {10, 19, model.MalformedRecords, false}, {25, 30, model.TruncatedFile, false}, {6, 8, model.NotAvailable, true}}
	p.Truncated = true
	got := Unknown(p, seconds(0, 30))
	if len(got) != len(wants) {
		t.Fatalf("got %d intervals %v, want %d", len(got), got, len(wants))
	}
	for i, w := range wants {
		u := got[i]
		if u.At != seconds(w.from, w.to) || u.Why != w.why || w.metric == (len(u.From) == 1) && w.metric {
			t.Errorf("%d: got %v %v from %v, want %v..%v %v", i, u.At, u.Why, u.From, w.from, w.to, w.why)
		}
	}
	if len(got[1].From) != 1 || got[1].From[0].Line != 99 {
		t.Errorf("the reader's own place of the gap: got %v, want line 99", got[1].From)
	}
}

// Beyond a distance of 1.5 times the usual one a row is late, and beyond 3 times, or 5 s,
// the collector had stopped; stamps of whole seconds may hide up to one.
func TestLateRowsAreNoStop(t *testing.T) {
	for _, tc := range []struct {
		name      string
		usual     float64
		step      time.Duration
		distance  float64
		gap, late bool
	}{
		{"a little more than usual", 1, time.Millisecond, 1.4, false, false},
		{"late", 1, time.Millisecond, 2.5, true, true},
		{"three times", 1, time.Millisecond, 3, true, true},
		{"stopped", 1, time.Millisecond, 3.01, true, false},
		{"of whole seconds", 1, time.Second, 4, true, true},
		{"of whole seconds, stopped", 1, time.Second, 5, true, false},
		{"more than 5 s of a slow loop", 4, time.Millisecond, 7, true, false},
		{"late in a fast loop", .1, time.Millisecond, .36, true, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var cells []cell
			at := 1.0
			for i := range 20 {
				if i == 10 {
					at += tc.distance - tc.usual
				}
				cells = append(cells, cell{at, 50, 1000})
				at += tc.usual
			}
			p := source(cells...)
			p.Domains[0].Step = tc.step
			us := Unknown(p, seconds(cells[0].at, cells[19].at))
			if (len(us) == 1) != tc.gap {
				t.Fatalf("got %v, want a gap: %v", us, tc.gap)
			}
			if tc.gap && (us[0].Late != tc.late || us[0].Why != model.CollectorGap || tc.late == us[0].Note.Empty()) {
				t.Errorf("got late %v, %v, want %v", us[0].Late, us[0].Why, tc.late)
			}
		})
	}
}

func TestEveryRoleIsDefined(t *testing.T) {
	for role := model.RoleNone; role <= model.RoleDiskBusy; role++ {
		if Definition(role).Empty() {
			t.Errorf("role %d has no definition", role)
		}
	}
}

// A loop that sees the reading change faster than once a second contradicts the
// regular sampler; the bounds then rest on NVIDIA's statement alone, and say so.
func TestContradictedSamplerFallsBack(t *testing.T) {
	var cells []cell
	for i := range 40 {
		cells = append(cells, cell{float64(i) / 4, 100 * (i % 2), nil})
	}
	d := Devices(source(cells...), seconds(0, 10), Regular())[0]
	r, ok := d.BusyShare.Get()
	if !ok || r.Lo > r.Hi {
		t.Fatalf("no bounds: %v", d.BusyShare)
	}
	strict := Devices(source(cells...), seconds(0, 10), Strict())[0]
	if want, _ := strict.BusyShare.Get(); r != want {
		t.Errorf("got %v, want the strict sampler's %v", r, want)
	}
	if text, _ := d.BusyBy.Format(); !strings.Contains(text, "contradict") {
		t.Errorf("the fall-back is not said: %q", text)
	}
}
