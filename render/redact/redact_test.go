package redact

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"tracemerge/model"
	"tracemerge/model/report"
)

var allClasses = []model.Class{
	model.ClassFree, model.ClassFile, model.ClassPath, model.ClassHost, model.ClassUser, model.ClassOperation, model.ClassStage,
	model.ClassTask, model.ClassInput, model.ClassMetric, model.ClassGPUModel, model.ClassGPUIdentity, model.ClassProcess,
	model.ClassLogLine, model.ClassTableRow, model.ClassDataset, model.ClassVersion, model.ClassSetting, model.ClassZone, model.ClassCell,
}

// records writes every canary line, disguise and class with the minter's values.
func records(r *Redactor, m *minter) string {
	var b strings.Builder
	show := func(s string, c model.Class) {
		b.WriteString(r.Text(model.NewText(s, c)).String())
		b.WriteByte('\n')
	}
	for _, c := range []model.Class{model.ClassLogLine, model.ClassFree, model.ClassTableRow} {
		for _, l := range canaryLines {
			show(strings.ReplaceAll(l.line, "{}", m.mint(l.pattern)), c)
		}
		for _, d := range disguises {
			show(d.of(m.word()), c)
		}
	}
	for _, c := range allClasses {
		for _, pattern := range []string{"aaaaaaaa", "aaaa-aaaa.aaaaaa", "Aaaaaaaa Aaaaaaaa", "aaaa_0000aaaa", "/aaaaaa/aaaaaaa/aaaaaa.csv", "0000000000000"} {
			if pattern == "0000000000000" && (c == model.ClassVersion || c == model.ClassSetting || c == model.ClassCell) {
				continue // a number of that class may be shown up to a length
			}
			show(m.mint(pattern), c)
		}
	}
	for _, op := range []string{"void {}_kernel<float>(int)", "void at::native::vectorized_elementwise_kernel<4, {}::Functor>(int)",
		"aten::linear /home/{}", "{}::fused_op", "## {} forward ##", "/home/{}/train.py(3): step", "Optimizer.step#{}.step",
		"autograd::engine::evaluate_function: {}Backward", "nn.Module: {}_0", "cuda{}", "nccl:{}", "flash{}", "void flash_{}(int)"} {
		show(strings.ReplaceAll(op, "{}", m.word()), model.ClassOperation)
	}
	return b.String()
}

func TestNoPrivateValueIsShownInAnyClass(t *testing.T) {
	for seed := range uint64(20) {
		m := newMinter(seed)
		out := records(newTestRedactor(), m)
		for _, l := range leaked(out, m.made) {
			t.Errorf("seed %d: %q is shown in:\n%s", seed, l, linesWith(out, l))
		}
		if t.Failed() {
			return
		}
	}
}

func linesWith(out, s string) string {
	var b strings.Builder
	for l := range strings.Lines(out) {
		if strings.Contains(strings.ToLower(l), strings.ToLower(s)) {
			b.WriteString(l)
		}
	}
	return b.String()
}

func TestTwinsGiveTheSameBytes(t *testing.T) {
	for seed := range uint64(20) {
		a := records(newTestRedactor(), newMinter(seed))
		b := records(newTestRedactor(), newMinter(seed+1000))
		if a == b {
			continue
		}
		la, lb := strings.Split(a, "\n"), strings.Split(b, "\n")
		for i := range la {
			if i < len(lb) && la[i] != lb[i] {
				t.Fatalf("seed %d, line %d:\n%s\n%s", seed, i, la[i], lb[i])
			}
		}
		t.Fatalf("seed %d: %d lines and %d", seed, len(la), len(lb))
	}
}

// lineParts are what random lines are made of; an upper-case P is a private value.
var lineParts = []string{"INFO", "started", "12", "loss=0.25", "stage=P", `"task": "P"`, "password ", "password=P", "--token P", "P", "P/P", "/P/P.pt", "P.P.P", "P:P",
	"rank0", "=", ":", ",", "(", ")", "[", "]", `"`, "'", "<", ">", "{", "}", "|", "-", "--", "_", "/", "\\", "P_P", "_P", "P!", "P@P", "eth0:", "::", "P::P", "12:00:01", "97 %", "http://P", "~P", "#P",
	"GPU", "user", "host=P", "node: P", "1,P", "P=P", "x=", "+", "*", "\t", "\x1b[1m", "\u200b", "é", "=P"}

var privatePatterns = []string{"aaaaaaaa", "Aaaaaaaa", "AAAAAAAA", "aaaa0000aaaa", "f0f0f0f0f0f0f0f0f0f0", "aA0aA0aA0aA0aA0aA0aA0aA0", "000000000000", "GPU-0f0f0f0f-0f0f-0f0f-0f0f-0f0f0f0f0f0f", "aaaaAaaaa"}

func randomLines(seed uint64, m *minter, n int) []string {
	shape := rand.New(rand.NewPCG(seed, 1))
	var out []string
	for range n {
		var b strings.Builder
		for range 1 + shape.IntN(9) {
			part := lineParts[shape.IntN(len(lineParts))]
			for strings.Contains(part, "P") && !strings.Contains(part, "GPU") {
				i := strings.Index(part, "P")
				b.WriteString(part[:i])
				b.WriteString(m.mint(privatePatterns[shape.IntN(len(privatePatterns))]))
				part = part[i+1:]
			}
			b.WriteString(part)
			if shape.IntN(3) > 0 {
				b.WriteByte(' ')
			}
		}
		out = append(out, b.String())
	}
	return out
}

func TestRandomLinesOfTwinsGiveTheSameBytes(t *testing.T) {
	const lines = 200
	ma, mb := newMinter(11), newMinter(12)
	la, lb := randomLines(9, ma, lines), randomLines(9, mb, lines)
	ra, rb := newTestRedactor(), newTestRedactor()
	for i := range lines {
		var inLine []string
		for _, c := range ma.made {
			if strings.Contains(la[i], c) {
				inLine = append(inLine, c)
			}
		}
		for _, c := range allClasses {
			if c == model.ClassCell || c == model.ClassSetting {
				continue // numbers up to twelve digits are shown in these
			}
			a, b := ra.Text(model.NewText(la[i], c)).String(), rb.Text(model.NewText(lb[i], c)).String()
			if a != b {
				t.Fatalf("class %d, line %d:\n  %q\n> %q\n  %q\n> %q", c, i, la[i], a, lb[i], b)
			}
			if l := leaked(a, inLine); len(l) > 0 {
				t.Fatalf("class %d: %q is shown in %q", c, l, a)
			}
		}
	}
}

func TestShownTextIsUnchangedWhenRedactedAgain(t *testing.T) {
	r := newTestRedactor("projectx")
	again := func(s string, c model.Class) {
		t.Helper()
		once := r.Text(model.NewText(s, c)).String()
		if twice := r.Text(model.NewText(once, c)).String(); twice != once {
			t.Errorf("class %d, %q:\nonce  %q\ntwice %q", c, s, once, twice)
		}
	}
	m := newMinter(3)
	for _, c := range allClasses {
		for _, l := range canaryLines {
			again(strings.ReplaceAll(l.line, "{}", m.mint(l.pattern)), c)
		}
		for _, d := range disguises {
			again(d.of(m.word()), c)
		}
		for _, s := range []string{"aten::projectx_mm", "rank0.json", "a/projectx/gpu.csv.gz", "Optimizer.step#Projectx.step", "/x/y.json"} {
			again(s, c)
		}
	}
}

// fill puts text into every field of a report that can hold some.
func fill(v reflect.Value, m *minter, class *int, depth int) {
	switch v.Type() {
	case textType:
		*class++
		v.Set(reflect.ValueOf(model.NewText(m.word(), allClasses[*class%len(allClasses)])))
		return
	case phraseType:
		*class++
		v.Set(reflect.ValueOf(model.Say("found {} at {}, {} of {}", model.NewText(m.word(), allClasses[*class%len(allClasses)]),
			model.Pos{Source: 1, Line: 7}, model.StageNamed(m.word()), model.SourceID(1))))
		return
	case stageType:
		v.Set(reflect.ValueOf(model.StageNamed(m.word())))
		return
	case reflect.TypeFor[model.Raw]():
		v.Set(reflect.ValueOf(model.NewRaw(m.word())))
		return
	}
	if depth > 12 {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), m, class, depth+1)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), m, class, depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), m, class, depth+1)
			}
		}
	}
}

// writeAll renders every text of a value the way a renderer would.
func writeAll(d Document, run int, v reflect.Value, b *strings.Builder) {
	switch x := v.Interface().(type) {
	case model.Text:
		b.WriteString(d.Text(x).String() + "\n")
		return
	case model.Phrase:
		b.WriteString(d.Phrase(run, x).String() + "\n")
		return
	case model.StageID:
		b.WriteString(d.Stage(x).String() + d.StageCode(x).String() + "\n")
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			writeAll(d, run, v.Elem(), b)
		}
	case reflect.Slice:
		for i := range v.Len() {
			writeAll(d, run, v.Index(i), b)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				writeAll(d, run, v.Field(i), b)
			}
		}
	}
}

func filledReport(seed uint64) (*report.Report, *minter) {
	m, rep, class := newMinter(seed), &report.Report{}, 0
	fill(reflect.ValueOf(rep).Elem(), m, &class, 0)
	for i := range rep.Runs {
		for j := range rep.Runs[i].Sources {
			rep.Runs[i].Sources[j].ID = model.SourceID(j + 1)
		}
	}
	for i := range rep.Excerpts {
		rep.Excerpts[i].Text.Class = model.ClassLogLine
	}
	return rep, m
}

func TestNoFieldOfAReportIsShown(t *testing.T) {
	rep, m := filledReport(1)
	if len(m.made) < 200 {
		t.Fatalf("only %d fields were filled", len(m.made))
	}
	d := newTestRedactor().Document(rep)
	var b strings.Builder
	writeAll(d, 0, reflect.ValueOf(*rep), &b)
	for _, l := range leaked(b.String(), m.made) {
		t.Errorf("%q is shown", l)
	}
	if err := d.Check([]byte(b.String())); err != nil {
		t.Error(err)
	}
}

func TestAReportOfTwinsGivesTheSameBytes(t *testing.T) {
	var out [2]string
	for i := range out {
		rep, _ := filledReport(uint64(i))
		d := newTestRedactor().Document(rep)
		var b strings.Builder
		writeAll(d, 1, reflect.ValueOf(*rep), &b)
		out[i] = b.String()
	}
	if out[0] != out[1] {
		t.Errorf("the twins differ:\n%s\n%s", out[0], out[1])
	}
}

func TestPlaceholdersDoNotDependOnTheOrderOfRendering(t *testing.T) {
	rep, _ := filledReport(1)
	a, b := newTestRedactor().Document(rep), newTestRedactor().Document(rep)
	last := rep.Excerpts[1].Text
	var rest strings.Builder
	writeAll(a, 0, reflect.ValueOf(*rep), &rest)
	if got, want := b.Text(last), a.Text(last); got != want {
		t.Errorf("got %s first, %s last", got, want)
	}
	if !reflect.DeepEqual(a.Counts(), b.Counts()) {
		t.Errorf("counts %v and %v", a.Counts(), b.Counts())
	}
}

func TestTheCountsAndTheWithheldLinesAreThoseOfTheReport(t *testing.T) {
	rep := &report.Report{Excerpts: []report.Excerpt{
		{Text: model.NewText("INFO step 3 started", model.ClassLogLine)},
		{Text: model.NewText("Grüße hbxqz", model.ClassLogLine)},
		{Text: model.NewText("on 10.9.8.7 and 10.9.8.7", model.ClassLogLine)},
	}}
	d := newTestRedactor().Document(rep)
	if got, want := d.Counts(), []Count{{"host", 1}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if n, lines := d.Withheld(); n != 3 || lines != 1 {
		t.Errorf("got %d excerpts and %d lines withheld, want 3 and 1", n, lines)
	}
}

func FuzzText(f *testing.F) {
	f.Add("INFO rank 3 \xff\xfe ")
	f.Add("</script>\u202e\x00⟨host:1⟩⟨text⟩")
	f.Add("stage=\"a\\\"b\" token ` x=")
	f.Add("12:00:01 1:2:3:4::5 +49 151 0.1e5/s")
	f.Fuzz(func(t *testing.T, s string) {
		const canary = "qzxhbvwkjq"
		r := newTestRedactor()
		for _, c := range allClasses {
			for _, in := range []string{s, canary + " " + s, s + " " + canary, s + canary} {
				out := r.Text(model.NewText(in, c)).String()
				if strings.Contains(strings.ToLower(out), canary) && !strings.Contains(strings.ToLower(s), canary) {
					t.Fatalf("class %d: the canary is shown in %q", c, out)
				}
				if !utf8.ValidString(out) || strings.ContainsFunc(out, forbiddenRune) {
					t.Fatalf("class %d: %q holds what no page may", c, out)
				}
				if again := r.Text(model.NewText(out, c)).String(); again != out {
					t.Fatalf("class %d: %q becomes %q", c, out, again)
				}
			}
		}
	})
}

func forbiddenRune(c rune) bool {
	return c < ' ' && c != '\n' || c == 0x7f || 0x200b <= c && c <= 0x200f || 0x202a <= c && c <= 0x202e || c == utf8.RuneError
}
