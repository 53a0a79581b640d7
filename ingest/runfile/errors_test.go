package runfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"unknown key", "name: x\ntemprature: warm", `run.yaml:2: unknown key "temprature"; did you mean "temperature"?`},
		{"unknown nested key", "input:\n  dateset: d", `run.yaml:2: unknown key "dateset"; did you mean "dataset"?`},
		{"unknown key of an anchor", "anchors:\n- {a: {flie: x}}", `run.yaml:2: unknown key "flie"; did you mean "file"?`},
		{"swapped letters are near", "stgaes: []", `run.yaml:1: unknown key "stgaes"; did you mean "stages"?`},
		{"a key that stands twice", "name: a\nname: b", `run.yaml:2: key "name" stands twice, first in line 1`},
		{"a setting that stands twice", "settings:\n  a: 1\n  a: 2", `run.yaml:3: key "a" stands twice, first in line 2`},
		{"merge keys are no keys", "x: &x {name: a}\n<<: *x", "run.yaml:1: unknown key \"x\"; did you mean \"name\"?\nrun.yaml:2: unknown key \"<<\"; did you mean \"name\"?"},
		{"a list instead of a mapping", "symptom: [a]", "run.yaml:1: want keys with values here, found a list"},
		{"a text instead of the file", "just text", "run.yaml:1: want keys with values here, found text"},
		{"a mapping instead of a text", "name: {a: b}", "run.yaml:1: want one value here, found keys with values"},
		{"a mapping instead of a list", "anchors: {a: b}", "run.yaml:1: want a list here, found keys with values"},
		{"a key that is a list", "[a]: b", "run.yaml:1: a key must be a word, found a list"},
		{"a text instead of a number", "targets: {gpu_hours: many}", "run.yaml:1: want a number here, found text"},
		{"a quoted number is text", "targets: {gpu_hours: '16'}", "run.yaml:1: want a number here, found text"},
		{"a negative target", "targets: {gpu_hours: -1}", "run.yaml:1: want a number that is finite and not negative"},
		{"an infinite target", "targets: {gpu_hours: .inf}", "run.yaml:1: want a number that is finite and not negative"},
		{"not a number as quality", "quality: {value: .nan}", "run.yaml:1: want a number here, found a number"},
		{"unknown temperature", "temperature: wram", `run.yaml:1: unknown value "wram"; did you mean "warm"?`},
		{"unknown symptom", "symptom: {kind: pauses}", `run.yaml:1: unknown value "pauses"; did you mean "pause"?`},
		{"a time without a zone", "window: {start: 2026-05-04T09:00:00}", "run.yaml:1: the time has no zone; write it as 2026-05-04T09:00:00+09:00, or end it with Z for UTC"},
		{"a date is no time", "window: {start: 2026-05-04}", "run.yaml:1: want a time as 2026-05-04T09:00:00+09:00, found a time"},
		{"no such day", "window: {start: 2026-02-30T09:00:00Z}", "run.yaml:1: want a time as 2026-05-04T09:00:00+09:00, found text"},
		{"a year beyond nanoseconds", "window: {end: 2300-01-01T00:00:00Z}", "run.yaml:1: the year 2300 is out of range"},
		{"a window that ends before it starts", "window: {start: 2026-05-04T09:00:00Z, end: 2026-05-04T08:00:00Z}", "run.yaml:1: the window ends at or before its start"},
		{"an offset without a unit", "clocks: {f: {offset: 5}}", "run.yaml:1: want a duration with its unit, such as 1.25s, 5ms or -1h30m, found a number"},
		{"an offset that does not fit", "clocks: {f: {offset: 9223372036.854775808s}}", "run.yaml:1: want a duration with its unit, such as 1.25s, 5ms or -1h30m, found text"},
		{"hours that do not fit", "clocks: {f: {offset: 3000000h}}", "run.yaml:1: want a duration with its unit, such as 1.25s, 5ms or -1h30m, found text"},
		{"a negative uncertainty", "clocks: {f: {offset: 5s, uncertainty: -1s}}", "run.yaml:1: want a duration that is not negative"},
		{"a clock that states nothing", "clocks:\n  f: {uncertainty: 1s}", "run.yaml:2: a clock needs a zone, an offset, or both"},
		{"a zone that does not exist", "clocks: {f: {zone: Asia/Soul}}", `run.yaml:1: unknown zone "Asia/Soul"; write an IANA name such as Asia/Seoul, local, or an offset such as +09:00`},
		{"a zone outside the database", "clocks: {f: {zone: ../../etc/passwd}}", `run.yaml:1: unknown zone "../../etc/passwd"; write an IANA name such as Asia/Seoul, local, or an offset such as +09:00`},
		{"an offset beyond the clock", "clocks: {f: {zone: +09:60}}", `run.yaml:1: unknown zone "+09:60"; write an IANA name such as Asia/Seoul, local, or an offset such as +09:00`},
		{"an anchor with one record", "anchors:\n- {a: {file: x, line: 1}, within: 1s}", "run.yaml:2: an anchor needs two records, a and b"},
		{"an anchor without its width", "anchors:\n- {a: {file: x, line: 1}, b: {file: y, line: 1}}", "run.yaml:2: an anchor needs within: how far apart the two records may be, such as 10ms"},
		{"an anchor within one file", "anchors:\n- {a: {file: x, line: 1}, b: {file: x, line: 2}, within: 1s}", "run.yaml:2: an anchor ties two files; a and b name the same"},
		{"a record without a name", "anchors:\n- {a: {file: x}, b: {file: y, line: 1}, within: 1s}", "run.yaml:2: a record of an anchor is named by line or by event, one of the two"},
		{"a record with both names", "anchors:\n- {a: {file: x, line: 1, event: e}, b: {file: y, line: 1}, within: 1s}", "run.yaml:2: a record of an anchor is named by line or by event, one of the two"},
		{"line 0", "anchors:\n- {a: {file: x, line: 0}, b: {file: y, line: 1}, within: 1s}", "run.yaml:2: want a line number from 1, found a number"},
		{"an edge of a line", "anchors:\n- {a: {file: x, line: 1, edge: end}, b: {file: y, line: 1}, within: 1s}", "run.yaml:2: an edge belongs to an event; a line has none"},
		{"a rule without a stage", "stages:\n- {name: x}", "run.yaml:2: a rule needs the stage that it names"},
		{"a rule without a condition", "stages:\n- {stage: write}", "run.yaml:2: a rule needs name (a regular expression) or value (an exact text), one of the two"},
		{"a value without its field", "stages:\n- {stage: write, value: x}", "run.yaml:2: value is the value of a log field: say which with field"},
		{"an unknown source", "stages:\n- {stage: write, source: pytorch, name: x}", `run.yaml:2: unknown value "pytorch"; did you mean "pytorch-trace"?`},
		{"a bad regular expression", "stages:\n- {stage: write, name: '('}", "run.yaml:2: not a Go regular expression: a parenthesis without its partner"},
		{"a look-ahead", "log_patterns: ['(?=x)']", "run.yaml:1: not a Go regular expression: a (?…) that Go does not have, such as a look-ahead"},
		{"a group without a name", "log_patterns: ['(?P<time>x)(y)']", "run.yaml:1: group 2 of the pattern has no name: name it (?P<stage>…), or write (?:…) if it is no field"},
		{"an unknown group", "log_patterns: ['(?P<tiem>x)']", `run.yaml:1: unknown group "tiem" in the pattern; did you mean "time"?`},
		{"a group name that is no word", "log_patterns: ['(?P<ti me>x)']", "run.yaml:1: not a Go regular expression: a group name that is not a word"},
		{"a pattern that names nothing", "log_patterns: ['x']", "run.yaml:1: the pattern names no field: it needs groups such as (?P<time>…)"},
		{"a second document", "name: a\n---\nname: b", "run.yaml:2: a second YAML document; a run file holds one"},
		{"a tab", "input:\n\tdataset: x", "run.yaml:2: not well-formed YAML: a character that must stand in quotes"},
		{"a colon in a text", "name: a: b", `run.yaml:1: not well-formed YAML: a ": " that cannot stand here; put the text in quotes`},
		{"an open quote", "name: \"abc\n", "run.yaml:2: not well-formed YAML: a quote that is not closed"},
		{"an open bracket", "name: [a, b\nx: y", `run.yaml:2: not well-formed YAML: a "[" that is not closed, or a missing comma`},
		{"an unknown escape", `log_patterns: ["\d"]`, "run.yaml:1: not well-formed YAML: an unknown escape; put regular expressions in single quotes"},
		{"an open bracket deep in the file", "name: x\n\nsettings:\n  a: [b, c\nredact: {}", `run.yaml:4: not well-formed YAML: a "[" that is not closed, or a missing comma`},
		{"an indentation that does not fit", "name: x\ninput:\n  dataset: d\n location: l", "run.yaml:4: not well-formed YAML: the indentation of this line or the one before does not fit"},
		{"bytes that are no text", "name: \xff\xfe", "run.yaml: not UTF-8 text"},
		{"an alias without its anchor", "name: *x", "run.yaml: an alias (*name) without its anchor (&name)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cp, d, err := Parse([]byte(c.in), 7)
			var list *Errors
			if !errors.As(err, &list) {
				t.Fatalf("got %v, want Errors", err)
			}
			if got := list.Message(reveal); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
			if !slices.Equal(d.NotDeclared, everyKey) {
				t.Errorf("a wrong run file still declares something: %v", d.NotDeclared)
			}
			if !cp.Account.Balanced() || len(cp.Notices) != len(list.List) {
				t.Errorf("account %+v and %d notices for %d problems", cp.Account, len(cp.Notices), len(list.List))
			}
		})
	}
}

func TestErrorTextHoldsNothingOfTheFile(t *testing.T) {
	_, _, err := Parse([]byte("secretkey: 1\ntemperature: secretvalue\nclocks: {f: {zone: secretzone}}\nlog_patterns: ['(?P<secretgroup>x)', '(secretre']\nname: *secretalias"), 1)
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v, want errors without the file's texts", err)
	}
	_, _, err = Parse([]byte("secretkey: 1\ntemperature: secretvalue\n"), 1)
	if got, want := fmt.Sprint(err), "run.yaml:1: unknown key \"…\"; did you mean \"symptom\"?\nrun.yaml:2: unknown value \"…\"; did you mean \"cold\"?"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var one *Error
	if !errors.As(err, &one) || one.Line != 1 {
		t.Errorf("errors.As finds %+v, want the problem of line 1", one)
	}
}

func TestErrorsAreReportedTogether(t *testing.T) {
	var in strings.Builder
	for i := range 25 {
		fmt.Fprintf(&in, "bad%d: x\n", i)
	}
	_, _, err := Parse([]byte(in.String()), 1)
	var list *Errors
	if !errors.As(err, &list) || len(list.List) != 10 || list.More != 15 {
		t.Fatalf("got %v, want 10 problems and 15 more", err)
	}
	for i, e := range list.List {
		if e.Line != i+1 {
			t.Errorf("problem %d: got line %d, want the order of the file", i, e.Line)
		}
	}
	if !strings.HasSuffix(err.Error(), "\nand 15 more") {
		t.Errorf("got %q, want it to end with how many more", err)
	}
}
