package applog

import (
	"testing"
	"time"

	"tracemerge/model"
)

// none stands for a figure that the record does not state.
const none = -1 << 40

func figureOf(m model.Maybe[int64]) int64 {
	if v, ok := m.Get(); ok {
		return v
	}
	return none
}

func TestMarkOfTheRecommendedLine(t *testing.T) {
	c := readText(t, `{"time":"2026-05-04T09:00:00.000+09:00","task":"t1","stage":"cpu_preparation","edge":"start","input":"batch-7","progress":"7/100","accepted":6,"rejected":1}`+"\n", model.Declaration{})
	m := only(t, c)
	if got, want := spell(m.At), "2026-05-04 00:00:00"; got != want {
		t.Errorf("time: got %s, want %s", got, want)
	}
	if c.Domains[0].Kind != model.DomainUnix || c.Domains[0].Step != time.Millisecond {
		t.Errorf("domain: got %v with step %v, want unix with 1ms", c.Domains[0].Kind, c.Domains[0].Step)
	}
	if m.Stage != model.NewRaw("cpu_preparation") || m.Edge != model.EdgeStart || m.Task != model.NewRaw("t1") || m.Input != model.NewRaw("batch-7") {
		t.Errorf("words: got stage %q, edge %d, task %q, input %q", m.Stage.Reveal(), m.Edge, m.Task.Reveal(), m.Input.Reveal())
	}
	for _, f := range []struct {
		name string
		got  model.Maybe[int64]
		want int64
	}{{"done", m.Done, 7}, {"total", m.Total, 100}, {"accepted", m.Accepted, 6}, {"rejected", m.Rejected, 1},
		{"errors", m.Errors, none}, {"retries", m.Retries, none}, {"rank", m.Rank, none}, {"step", m.Step, none}} {
		if got := figureOf(f.got); got != f.want {
			t.Errorf("%s: got %d, want %d", f.name, got, f.want)
		}
	}
	if want := (model.Pos{Source: 1, Line: 1, Len: 156}); m.From != want {
		t.Errorf("place: got %+v, want %+v", m.From, want)
	}
}

// said is what a test expects of one mark, in short.
type said struct {
	stage            string
	edge             model.Edge
	dur              time.Duration
	step, done       int64
	accepted, errors int64
	retries, rank    int64
	err, retry       bool
}

func sum(m model.Mark) said {
	s := said{stage: m.Stage.Reveal(), edge: m.Edge, step: figureOf(m.Step), done: figureOf(m.Done), accepted: figureOf(m.Accepted),
		errors: figureOf(m.Errors), retries: figureOf(m.Retries), rank: figureOf(m.Rank), err: m.Error, retry: m.Retry, dur: -1}
	if d, ok := m.Duration.Get(); ok {
		s.dur = d
	}
	return s
}

func says(change func(*said)) said {
	s := said{dur: -1, step: none, done: none, accepted: none, errors: none, retries: none, rank: none}
	change(&s)
	return s
}

func TestFieldsOfOneRecord(t *testing.T) {
	const at = `"time":"2026-05-04T09:00:00Z"`
	cases := []struct {
		name, line string
		want       said
	}{
		{"a stage and a duration are the whole stage", `{` + at + `,"stage":"write","duration_s":1.5}`,
			says(func(s *said) { s.stage, s.edge, s.dur = "write", model.EdgeWhole, 1500*time.Millisecond })},
		{"a duration with the unit in the value", `{` + at + `,"phase":"write","elapsed":"150.7ms"}`,
			says(func(s *said) { s.stage, s.edge, s.dur = "write", model.EdgeWhole, 150700*time.Microsecond })},
		{"a duration of several units", `{` + at + `,"stage":"write","took":"1m2.5s"}`,
			says(func(s *said) { s.stage, s.edge, s.dur = "write", model.EdgeWhole, 62500*time.Millisecond })},
		{"a duration in minutes", `{` + at + `,"stage":"write","elapsed_min":1.5}`,
			says(func(s *said) { s.stage, s.edge, s.dur = "write", model.EdgeWhole, 90*time.Second })},
		{"a bare number is no duration", `{` + at + `,"stage":"write","took":150716630}`,
			says(func(s *said) { s.stage = "write" })},
		{"an end keeps its duration", `{` + at + `,"stage":"write","edge":"finished","took_ms":2}`,
			says(func(s *said) { s.stage, s.edge, s.dur = "write", model.EdgeEnd, 2*time.Millisecond })},
		{"a status is an edge beside a stage", `{` + at + `,"stage":"write","status":"Started"}`,
			says(func(s *said) { s.stage, s.edge = "write", model.EdgeStart })},
		{"an event is an edge beside a stage", `{` + at + `,"stage":"write","event":"stop"}`,
			says(func(s *said) { s.stage, s.edge = "write", model.EdgeEnd })},
		{"an edge without a stage is no edge", `{` + at + `,"edge":"start","step":3}`,
			says(func(s *said) { s.step = 3 })},
		{"an unknown edge is none", `{` + at + `,"stage":"write","edge":"sideways"}`,
			says(func(s *said) { s.stage = "write" })},
		{"progress as a number", `{` + at + `,"progress":7}`, says(func(s *said) { s.done = 7 })},
		{"a share of progress is no count", `{` + at + `,"progress":0.07,"step":1}`, says(func(s *said) { s.step = 1 })},
		{"zero is a measurement", `{` + at + `,"accepted":0,"errors":0}`, says(func(s *said) { s.accepted, s.errors = 0, 0 })},
		{"null is no measurement", `{` + at + `,"accepted":null,"errors":1}`, says(func(s *said) { s.errors = 1 })},
		{"a number as a string", `{` + at + `,"accepted":"12"}`, says(func(s *said) { s.accepted = 12 })},
		{"an error text is an error", `{` + at + `,"error":"no such file"}`, says(func(s *said) { s.err = true })},
		{"an empty error is none", `{` + at + `,"error":"","step":1}`, says(func(s *said) { s.step = 1 })},
		{"a number of errors is a count", `{` + at + `,"error":3}`, says(func(s *said) { s.errors = 3 })},
		{"an error level is an error", `{` + at + `,"severity":"Error"}`, says(func(s *said) { s.err = true })},
		{"pino's level 50 is an error", `{` + at + `,"level":50}`, says(func(s *said) { s.err = true })},
		{"syslog's priority 3 is an error", `{` + at + `,"PRIORITY":"3"}`, says(func(s *said) { s.err = true })},
		{"loguru's nested level", `{` + at + `,"level":{"name":"ERROR","no":40}}`, says(func(s *said) { s.err = true })},
		{"retry as a truth", `{` + at + `,"retry":true}`, says(func(s *said) { s.retry = true })},
		{"no retry", `{` + at + `,"retry":false,"step":1}`, says(func(s *said) { s.step = 1 })},
		{"retries are a total", `{` + at + `,"retries":4}`, says(func(s *said) { s.retries = 4 })},
		{"the second attempt is a retry", `{` + at + `,"attempt":2}`, says(func(s *said) { s.retry = true })},
		{"a message that says retrying", `{` + at + `,"msg":"Retrying upload"}`, says(func(s *said) { s.retry = true })},
		{"the first attempt is no retry", `{` + at + `,"msg":"attempt 1","step":1}`, says(func(s *said) { s.step = 1 })},
		{"fields one level down", `{` + at + `,"fields":{"stage":"write","edge":"start","rank":2}}`,
			says(func(s *said) { s.stage, s.edge, s.rank = "write", model.EdgeStart, 2 })},
		{"escapes are undone", `{` + at + `,"st\u0061ge":"a \"b\"\n","edge":"end"}`,
			says(func(s *said) { s.stage, s.edge = "a \"b\"\n", model.EdgeEnd })},
		{"NaN of Python is unknown", `{` + at + `,"loss":NaN,"accepted":NaN,"step":4}`, says(func(s *said) { s.step = 4 })},
		{"logfmt", `time=2026-05-04T09:00:00Z stage="cpu preparation" edge=start rank=1 accepted=5`,
			says(func(s *said) { s.stage, s.edge, s.rank, s.accepted = "cpu preparation", model.EdgeStart, 1, 5 })},
		{"pairs behind a stamp", `2026-05-04 09:00:00,000 INFO stage=write edge=end accepted=5, took=2 ms (rank=3)`,
			says(func(s *said) {
				s.stage, s.edge, s.accepted, s.dur, s.rank = "write", model.EdgeEnd, 5, 2*time.Millisecond, 3
			})},
		{"an object behind a stamp", `2026-05-04T09:00:00.000000001Z stdout F {"stage":"write","edge":"start","time":"1999-01-01T00:00:00Z"}`,
			says(func(s *said) { s.stage, s.edge = "write", model.EdgeStart })},
		{"a step in words", `2026-05-04 09:00:00 INFO step 3/12 loss=2.0`, says(func(s *said) { s.step, s.done = 3, 3 })},
		{"footstep 3 is no step", `2026-05-04 09:00:00 ERROR footstep 3`, says(func(s *said) { s.err = true })},
		{"a level in lower case is prose", `2026-05-04 09:00:00 no error here, step 1`, says(func(s *said) { s.step = 1 })},
		{"a duration in words", `2026-05-04 09:00:00 step 1 took 150.71663ms`, says(func(s *said) { s.step, s.dur = 1, 150716630 })},
		{"the rank of srun", `3: 2026-05-04 09:00:00 step 1`, says(func(s *said) { s.rank, s.step = 3, 1 })},
		{"the rank of torchrun", `[rank5]: 2026-05-04 09:00:00 step 1`, says(func(s *said) { s.rank, s.step = 5, 1 })},
		{"an MLPerf start", `:::MLLOG {"time_ms": 1714993490208, "event_type": "INTERVAL_START", "key": "init_start", "value": null, "metadata": {"step_num": 7}}`,
			says(func(s *said) { s.stage, s.edge, s.step = "init", model.EdgeStart, 7 })},
		{"text before the MLPerf marker", `Gradient overflow 256.0:::MLLOG {"time_ms": 1714993490208, "event_type": "INTERVAL_END", "key": "eval_stop"}`,
			says(func(s *said) { s.stage, s.edge = "eval", model.EdgeEnd })},
		{"MLPerf of 2018", `:::MLPv0.5.0 resnet 1543785258.927179813 (benchmark_cnn.py:1271) run_start`,
			says(func(s *said) { s.stage, s.edge = "run", model.EdgeStart })},
	}
	for _, k := range cases {
		t.Run(k.name, func(t *testing.T) {
			if got := sum(only(t, readText(t, k.line+"\n", model.Declaration{}))); got != k.want {
				t.Errorf("got %+v, want %+v", got, k.want)
			}
		})
	}
}

func TestWhatCannotBeUsedIsNoted(t *testing.T) {
	for _, k := range []struct{ name, line, code string }{
		{"a duration without a unit", `{"time":"2026-05-04T09:00:00Z","took":0.150}`, "applog/duration-without-unit"},
		{"an edge of another word", `{"time":"2026-05-04T09:00:00Z","stage":"x","edge":"sideways"}`, "applog/unknown-edge"},
		{"MLPerf key against event type", `:::MLLOG {"time_ms": 1714993490208, "event_type": "INTERVAL_END", "key": "init_start"}`, "applog/mllog-contradiction"},
		{"an ambiguous date", `03/02/2026 02:05:00 PM INFO x`, "applog/ambiguous-date"},
		{"an impossible date", `2026-02-30 10:00:00 INFO x`, "applog/impossible-time"},
		{"hour 24", `2026-02-20 24:00:00 INFO x`, "applog/impossible-time"},
		{"second 60", `2026-06-30T23:59:60Z INFO x`, "applog/impossible-time"},
		{"a line that is no JSON", `{"time":"2026-05-04T09:00:00Z",`, "applog/bad-json"},
	} {
		t.Run(k.name, func(t *testing.T) {
			c := readText(t, k.line+"\n", model.Declaration{})
			if got := noticed(c, k.code); got != 1 {
				t.Errorf("%s: noted %d times, want 1; notices %v", k.code, got, c.Notices)
			}
		})
	}
}

func TestDeclaredPatternAndRules(t *testing.T) {
	decl := model.Declaration{
		Patterns: []model.LogPattern{{Expr: model.NewRaw(`<(?P<stage>\w+)> (?P<edge>opens|start)`)}, {Expr: model.NewRaw(`^\[(?P<time>[^\]]+)\] (?P<stage>\w+) (?P<edge>start|end)(?: n=(?P<accepted>\d+))?`)}},
		Stages: []model.StageRule{
			{Stage: model.StageTransfer, Source: model.KindTrace, Name: model.NewRaw(".*")},
			{Stage: model.StageWrite, Source: model.KindLog, Field: "stage", Value: model.NewRaw("export")},
			{Stage: model.StageCPUPreparation, Source: model.KindLog, Field: "phase", Name: model.NewRaw("^load")},
			{Stage: model.StageVerification, Source: model.KindLog, Name: model.NewRaw("^checking")},
			{Stage: model.StageFileOpen, Name: model.NewRaw("^open")},
		},
	}
	for _, k := range []struct {
		name, line, stage string
		edge              model.Edge
		rule              int32
	}{
		{"a pattern, and a rule on its stage", "[2026-05-04 09:00:00] export start n=3", "export", model.EdgeStart, 2},
		{"a pattern without a time keeps the line's stamp", "2026-05-04 09:00:00 <copy> start", "copy", model.EdgeStart, 0},
		{"a pattern whose stage no rule names", "[2026-05-04 09:00:00] import end", "import", model.EdgeEnd, 0},
		{"a rule on a field by expression", `{"time":"2026-05-04T09:00:00Z","phase":"load_batch","edge":"end"}`, "load_batch", model.EdgeEnd, 3},
		{"a rule on the message", `2026-05-04 09:00:00 checking of outputs finished`, "verification", model.EdgeEnd, 4},
		{"the first rule wins", `{"time":"2026-05-04T09:00:00Z","stage":"export","phase":"load","edge":"start"}`, "export", model.EdgeStart, 2},
		{"a rule for any source on the stage", `{"time":"2026-05-04T09:00:00Z","stage":"open_all","edge":"start"}`, "open_all", model.EdgeStart, 5},
	} {
		t.Run(k.name, func(t *testing.T) {
			m := only(t, readText(t, k.line+"\n", decl))
			if got := m.Stage.Reveal(); got != k.stage || m.Edge != k.edge || m.Rule != k.rule {
				t.Errorf("got stage %q, edge %d, rule %d; want %q, %d, %d", got, m.Edge, m.Rule, k.stage, k.edge, k.rule)
			}
		})
	}
}

func TestPatternThatDoesNotCompileIsAnError(t *testing.T) {
	for _, d := range []model.Declaration{
		{Patterns: []model.LogPattern{{Expr: model.NewRaw("(")}}},
		{Stages: []model.StageRule{{Source: model.KindLog, Name: model.NewRaw("(")}}},
	} {
		if _, err := newReader(1, &d, ""); err == nil {
			t.Errorf("declaration %+v: got no error", d)
		}
	}
}
