package stage

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"tracemerge/model"
	"tracemerge/model/report"
)

type interval = model.Interval[model.Time]

// source is a capture on a clock with the offset and width.
func source(id model.SourceID, kind model.SourceKind, placed bool, width time.Duration) model.Placed {
	m := model.Mapping{Placed: placed, Why: model.ClockUnplaced}
	if placed {
		m.Segments = []model.Segment{{Valid: model.Interval[model.ClockTime]{Start: -1 << 60, End: 1 << 60},
			Offset: model.OffsetRange{Lo: -width, Hi: width}}}
	}
	c := &model.Capture{Source: model.Source{ID: id, Kind: kind}, Domains: []model.Domain{{Kind: model.DomainCivil}}}
	return model.Placed{Capture: c, Mappings: []model.Mapping{m}}
}

func logSource(id model.SourceID, from, to int64, marks ...model.Mark) model.Placed {
	p := source(id, model.KindLog, true, 0)
	p.Domains[0].Valid = model.Interval[model.ClockTime]{Start: model.ClockTime(from), End: model.ClockTime(to) + 1}
	p.Marks = model.MarkRows(marks)
	return p
}

func timeline(from, to model.Time, sources ...model.Placed) *model.Timeline {
	return &model.Timeline{UTC: true, Window: interval{Start: from, End: to}, Captures: sources}
}

// at is a mark; the input is "" for none.
func at(t int64, name string, e model.Edge, input string) model.Mark {
	return model.Mark{At: model.ClockTime(t), Edge: e, Stage: model.NewRaw(name), Input: model.NewRaw(input),
		From: model.Pos{Line: int32(t), Offset: t}}
}

const (
	s = model.EdgeStart
	e = model.EdgeEnd
)

func TestNamesMeanStages(t *testing.T) {
	for name, want := range map[string]model.StageID{
		"cpu_preparation": model.StageCPUPreparation, "CPU Preparation": model.StageCPUPreparation,
		"data-loading": model.StageCPUPreparation, "DataLoader": model.StageCPUPreparation, "decode": model.StageCPUPreparation,
		"open": model.StageFileOpen, "read": model.StageFileOpen, "H2D": model.StageTransfer, "copy": model.StageTransfer,
		"train_step": model.StageGPUCompute, "forward": model.StageGPUCompute, "inference": model.StageGPUCompute,
		"AllReduce": model.StageCommunication, "sync": model.StageCommunication, "export": model.StageWrite,
		"checkpoint": model.StageWrite, "eval": model.StageVerification, "other": model.StageOther,
		"rerank": model.StageNamed("rerank"), " Rerank ": model.StageNamed("Rerank"),
	} {
		if got := Named(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got.Key(), want.Key())
		}
	}
	for _, b := range model.BuiltinStages() {
		if got := Named(b.Builtin()); got != b {
			t.Errorf("identifier %q: got %q, want itself", b.Builtin(), got.Key())
		}
	}
}

func TestEdgesArePaired(t *testing.T) {
	whole := at(50, "load", model.EdgeWhole, "")
	whole.Duration = model.Known(20 * time.Nanosecond)
	rule := at(10, "x17", s, "")
	rule.Rule = 1
	ruleEnd := at(30, "x17", e, "")
	ruleEnd.Rule = 1
	prep, gpu := model.StageCPUPreparation, model.StageGPUCompute
	for _, c := range []struct {
		name    string
		marks   []model.Mark
		stage   model.StageID
		want    []interval
		open    []interval
		notices []string
	}{
		{"a start and an end", []model.Mark{at(10, "load", s, ""), at(30, "load", e, "")}, prep, []interval{{Start: 10, End: 30}}, nil, nil},
		{"concurrent instances pair by input", []model.Mark{at(10, "load", s, "a"), at(20, "load", s, "b"), at(30, "load", e, "b"), at(60, "load", e, "a")},
			prep, []interval{{Start: 10, End: 60}, {Start: 20, End: 30}}, nil, nil},
		{"concurrent instances without an input pair first in, first out", []model.Mark{at(10, "load", s, ""), at(20, "load", s, ""), at(30, "load", e, ""), at(60, "load", e, "")},
			prep, []interval{{Start: 10, End: 30}, {Start: 20, End: 60}}, nil, nil},
		{"an end without an input closes the oldest start", []model.Mark{at(10, "load", s, "a"), at(20, "load", s, "b"), at(30, "load", e, "")},
			prep, []interval{{Start: 10, End: 30}}, []interval{{Start: 20, End: 100}}, []string{"stage/edge-not-observed"}},
		{"an end with an input closes a start without one", []model.Mark{at(10, "load", s, ""), at(30, "load", e, "a")},
			prep, []interval{{Start: 10, End: 30}}, nil, nil},
		{"a whole stage ends at its stamp", []model.Mark{whole}, prep, []interval{{Start: 30, End: 50}}, nil, nil},
		{"a rule names the stage", []model.Mark{rule, ruleEnd}, gpu, []interval{{Start: 10, End: 30}}, nil, nil},
		{"the same start twice counts once", []model.Mark{at(10, "load", s, "a"), at(10, "load", s, "a"), at(30, "load", e, "a")},
			prep, []interval{{Start: 10, End: 30}}, nil, []string{"stage/same-start-twice"}},
		{"a second start leaves the first open to its own", []model.Mark{at(10, "load", s, "a"), at(40, "load", s, "a"), at(50, "load", e, "a")},
			prep, []interval{{Start: 40, End: 50}}, []interval{{Start: 10, End: 40}}, []string{"stage/edge-not-observed", "stage/second-start"}},
		{"a start without an end is open to the last record", []model.Mark{at(10, "load", s, "")},
			prep, nil, []interval{{Start: 10, End: 100}}, []string{"stage/edge-not-observed"}},
		{"an end without a start is open from the end before", []model.Mark{at(10, "load", s, ""), at(20, "load", e, ""), at(50, "load", e, "")},
			prep, []interval{{Start: 10, End: 20}}, []interval{{Start: 20, End: 50}}, []string{"stage/edge-not-observed"}},
		{"an end before its start is no stage time", []model.Mark{at(30, "load", s, ""), at(20, "load", e, "")},
			prep, nil, []interval{{Start: 0, End: 20}, {Start: 30, End: 100}}, []string{"stage/edge-not-observed", "stage/edges-do-not-fit"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tl := timeline(0, 100, logSource(1, 0, 100, c.marks...))
			tl.Declared = &model.Declaration{Stages: []model.StageRule{{Stage: gpu, Source: model.KindLog, Field: "phase", Value: model.NewRaw("x")}}}
			a := Analyse(tl, "")
			var got, open []interval
			for _, i := range a.Tables[0].Items {
				if i.Stage != c.stage {
					t.Errorf("stage: got %q, want %q", i.Stage.Key(), c.stage.Key())
				}
				if i.Open {
					open = append(open, i.At)
				} else {
					got = append(got, i.At)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("instances: got %v, want %v", got, c.want)
			}
			if !slices.Equal(open, c.open) {
				t.Errorf("open: got %v, want %v", open, c.open)
			}
			var codes []string
			for _, n := range a.Notices {
				codes = append(codes, n.Code)
			}
			slices.Sort(codes)
			if !slices.Equal(codes, c.notices) {
				t.Errorf("notices: got %v, want %v", codes, c.notices)
			}
		})
	}
}

func TestOpenTimeIsUnknownAndNoStageTime(t *testing.T) {
	tl := timeline(0, 200, logSource(1, 10, 100, at(10, "load", s, ""), at(30, "load", e, ""), at(40, "gpu", s, "")))
	tb := Tabulate(tl)[0]
	if got := tb.Rows[tb.Row(model.StageGPUCompute)]; got.Busy != 0 || got.Intervals != 0 {
		t.Errorf("open stage: got %v in %d intervals, want none", got.Busy, got.Intervals)
	}
	a := tb.Accounted
	if a.Stages != 20 || a.Unattributed != 10 || a.Unknown != 170 {
		t.Errorf("got stages %d, unattributed %d, unknown %d; want 20, 10, 170", a.Stages, a.Unattributed, a.Unknown)
	}
	if got, _ := tb.GPUShare().Get(); got != (model.Range[float64]{Lo: 0, Hi: .85}) {
		t.Errorf("GPU share: got %v, want [0, 0.85]", got)
	}
}

func TestGPUShareIsUnknownWhereTheBasisNeverShowsIt(t *testing.T) {
	tb := Tabulate(timeline(0, 100, logSource(1, 0, 100, at(10, "load", s, ""), at(30, "load", e, ""))))[0]
	if g := tb.GPUShare(); g.Known() || g.Why() != model.NotRecorded {
		t.Errorf("got known %v, %v; want unknown, %v", g.Known(), g.Why(), model.NotRecorded)
	}
}

func TestTimeIsUnknownOnlyWhereNoLogObserves(t *testing.T) {
	a := logSource(1, 0, 40, at(0, "load", s, ""), at(10, "load", e, ""))
	b := logSource(2, 30, 60, at(30, "gpu", s, ""), at(50, "gpu", e, ""))
	tb := Tabulate(timeline(0, 100, a, b))[0]
	if got := tb.Accounted; got.Stages != 30 || got.Unattributed != 30 || got.Unknown != 40 {
		t.Errorf("got stages %d, unattributed %d, unknown %d; want 30, 30, 40", got.Stages, got.Unattributed, got.Unknown)
	}
	if want := []model.SourceID{1, 2}; !slices.Equal(tb.Basis.Sources, want) {
		t.Errorf("sources: got %v, want %v", tb.Basis.Sources, want)
	}
}

func TestUnplacedLogKeepsItsOwnAxis(t *testing.T) {
	own := source(1, model.KindLog, false, 0)
	own.Domains[0].Valid = model.Interval[model.ClockTime]{Start: 1000, End: 1101}
	own.Marks = model.MarkRows{at(1000, "load", s, ""), at(1060, "load", e, "")}
	other := logSource(2, 0, 50, at(0, "gpu", s, ""), at(50, "gpu", e, ""))
	got := Tabulate(timeline(0, 50, own, other))
	if len(got) != 2 || !got[0].Basis.Placed || got[1].Basis.Placed {
		t.Fatalf("got %d tables, want the placed one and the unplaced one", len(got))
	}
	if want := (interval{Start: 1000, End: 1100}); got[1].Window != want || got[1].Rows[0].Busy != 60 {
		t.Errorf("got window %v busy %d, want %v busy 60", got[1].Window, got[1].Rows[0].Busy, want)
	}
}

func TestClockWidthIsCarried(t *testing.T) {
	p := source(1, model.KindLog, true, 7)
	p.Marks = model.MarkRows{at(10, "load", s, ""), at(30, "load", e, "")}
	tb := Tabulate(timeline(0, 100, p))[0]
	if got := tb.Rows[0].Unsure; got != 14 {
		t.Errorf("got %d ns, want 14 ns: the sum over both edges", got)
	}
}

// randomRun is instances of several stages, tasks and sources, and its marks.
func randomRun(r *rand.Rand) ([]model.Placed, map[string][]interval) {
	names := []string{"load", "gpu", "save", "own"}
	at1 := map[string][]interval{}
	var out []model.Placed
	for id := range model.SourceID(1 + r.IntN(3)) {
		var recs []model.Mark
		for k := range r.IntN(6) {
			from := r.Int64N(60)
			to := from + r.Int64N(30)
			name := names[r.IntN(len(names))]
			in := strconv.Itoa(k)
			recs = append(recs, at(from, name, s, in), at(to, name, e, in))
			at1[name] = append(at1[name], interval{Start: model.Time(from), End: model.Time(to)})
		}
		slices.SortStableFunc(recs, func(a, b model.Mark) int { return int(a.At - b.At) })
		if len(recs) > 0 {
			out = append(out, logSource(id+1, int64(recs[0].At), int64(recs[len(recs)-1].At), recs...))
		}
	}
	return out, at1
}

// TestTableAgreesWithBitmap counts every nanosecond of small runs one by one.
func TestTableAgreesWithBitmap(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	checked := 0
	for round := range 4000 {
		sources, truth := randomRun(r)
		if len(sources) == 0 {
			continue
		}
		from := model.Time(r.Int64N(20))
		w := interval{Start: from, End: from + 1 + model.Time(r.Int64N(80))}
		tb := Tabulate(timeline(w.Start, w.End, sources...))[0]
		busy, alone := map[model.StageID]time.Duration{}, map[model.StageID]time.Duration{}
		both := map[[2]model.StageID]time.Duration{}
		var union, idle, unknown time.Duration
		for now := w.Start; now < w.End; now++ {
			var on []model.StageID
			for name, list := range truth {
				if slices.ContainsFunc(list, func(i interval) bool { return i.Contains(now) }) {
					on = append(on, Named(name))
				}
			}
			slices.SortFunc(on, order)
			observed := slices.ContainsFunc(sources, func(p model.Placed) bool {
				v := p.Domains[0].Valid
				return model.ClockTime(now) >= v.Start && model.ClockTime(now) < v.End-1
			})
			switch {
			case len(on) > 0:
				union++
			case observed:
				idle++
			default:
				unknown++
			}
			for i, a := range on {
				busy[a]++
				if len(on) == 1 {
					alone[a]++
				}
				for _, b := range on[i+1:] {
					both[[2]model.StageID{a, b}]++
				}
			}
		}
		for _, row := range tb.Rows {
			if row.Busy != busy[row.Stage] || row.Exclusive != alone[row.Stage] || row.Overlap != row.Busy-row.Exclusive {
				t.Fatalf("run %d, stage %q: got busy %d alone %d overlap %d, want %d, %d", round, row.Stage.Key(), row.Busy, row.Exclusive, row.Overlap, busy[row.Stage], alone[row.Stage])
			}
		}
		if len(tb.Overlap) != len(both) {
			t.Fatalf("run %d: got %d overlapping pairs, want %d", round, len(tb.Overlap), len(both))
		}
		for _, o := range tb.Overlap {
			if want := both[[2]model.StageID{o.A, o.B}]; o.Both != want {
				t.Fatalf("run %d: overlap: got %d, want %d", round, o.Both, want)
			}
		}
		a := tb.Accounted
		if a.Stages != union || a.Unattributed != idle || a.Unknown != unknown || a.Stages+a.Unattributed+a.Unknown != w.Len() {
			t.Fatalf("run %d: got %d + %d + %d, want %d + %d + %d = %d", round, a.Stages, a.Unattributed, a.Unknown, union, idle, unknown, w.Len())
		}
		checked++
	}
	if checked < 3000 {
		t.Errorf("only %d runs had stages", checked)
	}
}

func TestOrderOfSourcesChangesNoFigure(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for range 300 {
		sources, _ := randomRun(r)
		if len(sources) == 0 {
			continue
		}
		want := Tables(timeline(0, 90, sources...))
		for i, p := range r.Perm(len(sources)) {
			sources[i], sources[p] = sources[p], sources[i]
		}
		for i := range sources {
			c := *sources[i].Capture
			c.Source.ID = model.SourceID(i + 1)
			sources[i].Capture = &c
		}
		got := Tables(timeline(0, 90, sources...))
		if len(got) != len(want) || !slices.EqualFunc(got[0].Rows, want[0].Rows, sameRow) || !slices.Equal(got[0].Overlap, want[0].Overlap) ||
			got[0].Accounted.Stages != want[0].Accounted.Stages || got[0].Accounted.Unknown != want[0].Accounted.Unknown {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	}
}

func sameRow(a, b report.StageRow) bool {
	return a.Stage == b.Stage && a.Busy == b.Busy && a.Exclusive == b.Exclusive && a.Intervals == b.Intervals && a.Longest == b.Longest
}

func TestRuleThatCannotBeUsedIsNoted(t *testing.T) {
	tl := timeline(0, 100, logSource(1, 0, 100, at(10, "load", s, ""), at(30, "load", e, "")))
	tl.Declared = &model.Declaration{Stages: []model.StageRule{
		{Stage: model.StageWrite, Name: model.NewRaw("(")},
		{Stage: model.StageTransfer, Source: model.KindTrace, Name: model.NewRaw("load")},
		{Stage: model.StageVerification, Field: "stage", Value: model.NewRaw("load")},
		{Stage: model.StageWrite, Name: model.NewRaw("load")}}}
	a := Analyse(tl, "")
	if len(a.Notices) != 1 || a.Notices[0].Code != "stage/rule-expression" {
		t.Errorf("notices: got %v, want stage/rule-expression", a.Notices)
	}
	if got := a.Tables[0].Rows[0].Stage; got != model.StageVerification {
		t.Errorf("got %q, want the first rule that matches a log", got.Key())
	}
}

func TestTasksThatRepeatAreLanesAndOthersAreWork(t *testing.T) {
	with := func(task string, m ...model.Mark) []model.Mark {
		for i := range m {
			m[i].Task = model.NewRaw(task)
		}
		return m
	}
	for _, c := range []struct {
		name   string
		marks  [][]model.Mark
		lanes  int
		width  int // of the widest
		serial int
	}{
		{"one task in sequence is one lane", [][]model.Mark{with("t", at(0, "load", s, ""), at(5, "load", e, ""), at(5, "gpu", s, ""), at(9, "gpu", e, ""))}, 1, 1, 0},
		{"tasks that repeat a stage are workers", [][]model.Mark{
			with("w0", at(0, "load", s, ""), at(5, "load", e, ""), at(6, "load", s, ""), at(9, "load", e, "")),
			with("w1", at(1, "load", s, ""), at(4, "load", e, ""), at(7, "load", s, ""), at(9, "load", e, ""))}, 2, 1, 2},
		{"a task for each batch is work, looked at together", [][]model.Mark{
			with("b0", at(0, "load", s, ""), at(5, "load", e, ""), at(5, "gpu", s, ""), at(9, "gpu", e, "")),
			with("b1", at(3, "load", s, ""), at(8, "load", e, ""), at(9, "gpu", s, ""), at(12, "gpu", e, ""))}, 2, 2, 0},
	} {
		marks := slices.Concat(c.marks...)
		slices.SortStableFunc(marks, func(a, b model.Mark) int { return int(a.At - b.At) })
		tb := Tabulate(timeline(0, 20, logSource(1, 0, 20, marks...)))[0]
		width, serial := 0, 0
		for _, l := range tb.Lanes {
			width = max(width, l.Width)
			if l.Serial {
				serial++
			}
		}
		if len(tb.Lanes) != c.lanes || width != c.width || serial != c.serial {
			t.Errorf("%s: got %d lanes, widest %d, %d serial; want %d, %d, %d", c.name, len(tb.Lanes), width, serial, c.lanes, c.width, c.serial)
		}
	}
}
