package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// example is one command of the manual with the output that stands below it.
type example struct {
	line int
	args []string
	want []string
}

// examples finds the "$ tracemerge …" blocks of a package comment.
func examples(source string) []example {
	var all []example
	in := false
	for i, line := range strings.Split(source, "\n") {
		code, indented := strings.CutPrefix(line, "//\t")
		command, begins := strings.CutPrefix(code, "$ tracemerge ")
		switch {
		case indented && begins:
			all = append(all, example{line: i + 1, args: strings.Fields(command)})
			in = true
		case indented && in:
			last := &all[len(all)-1]
			last.want = append(last.want, code)
		default:
			in = false
		}
	}
	return all
}

// inPlace turns the paths of an example into paths of the test: fixtures lie two
// folders up, outputs go into dir.
func inPlace(args []string, dir string) []string {
	out := slices.Clone(args)
	for i, a := range out {
		switch {
		case strings.HasPrefix(a, "fixtures/"):
			out[i] = "../../" + a
		case i > 0 && slices.Contains([]string{"-o", "--output", "--json"}, out[i-1]) && !strings.HasPrefix(a, "-"):
			out[i] = filepath.Join(dir, a)
		}
	}
	if len(out) > 0 && out[0] == "build" && !slices.ContainsFunc(out, func(a string) bool { return a == "-o" || a == "--output" }) {
		out = append(out, "-o", filepath.Join(dir, "tracemerge-report.html"))
	}
	return out
}

// fits reports whether the lines are what the manual shows; a line … stands for
// any number of lines, … within a line for any text.
func fits(want, got []string) bool {
	for len(want) > 0 {
		if want[0] == "…" {
			for k := range len(got) + 1 {
				if fits(want[1:], got[k:]) {
					return true
				}
			}
			return false
		}
		if len(got) == 0 || !fitsLine(want[0], got[0]) {
			return false
		}
		want, got = want[1:], got[1:]
	}
	return len(got) == 0
}

func fitsLine(want, got string) bool {
	parts := strings.Split(want, "…")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile("^" + strings.Join(parts, ".*") + "$").MatchString(got)
}

func TestFits(t *testing.T) {
	for _, c := range []struct {
		name      string
		want, got string
		fits      bool
	}{
		{"equal lines", "a|b", "a|b", true},
		{"another line", "a|b", "a|c", false},
		{"a line missing", "a|b", "a", false},
		{"a line too many", "a", "a|b", false},
		{"dots stand for lines", "a|…|d", "a|b|c|d", true},
		{"dots stand for no line", "a|…|d", "a|d", true},
		{"dots do not stand for what follows", "a|…|d", "a|b|c", false},
		{"dots in a line stand for text", "a … c", "a b c", true},
		{"the rest of the line counts", "a … c", "a b d", false},
		{"the text is no pattern", "a.c", "abc", false},
	} {
		if got := fits(strings.Split(c.want, "|"), strings.Split(c.got, "|")); got != c.fits {
			t.Errorf("%s: got %v, want %v", c.name, got, c.fits)
		}
	}
}

// The manual's examples do what it says.
func TestManualExamples(t *testing.T) {
	all := examples(read(t, "doc.go"))
	if len(all) < 5 {
		t.Fatalf("found %d examples: the check would prove little", len(all))
	}
	for _, x := range all {
		t.Run(fmt.Sprintf("line %d", x.line), func(t *testing.T) {
			dir := t.TempDir()
			r := call(inPlace(x.args, dir)...)
			text := r.out + r.err
			if r.code != exitDone {
				text += fmt.Sprintf("exit status %d\n", r.code)
			}
			text = strings.ReplaceAll(strings.ReplaceAll(text, dir+"/", ""), "../../fixtures", "fixtures")
			got := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			want := x.want
			for len(want) > 0 && want[len(want)-1] == "" {
				want = want[:len(want)-1]
			}
			if !fits(want, got) {
				t.Errorf("tracemerge %s\ngot\n%.3000s\nwant\n%s", strings.Join(x.args, " "), text, strings.Join(want, "\n"))
			}
		})
	}
}

// flagsOf is every flag of a command.
func flagsOf(t *testing.T, name string) *flagSet {
	t.Helper()
	for _, c := range commands() {
		if c.name == name && c.flags != nil {
			return c.flags()
		}
	}
	return newFlags(name)
}

var (
	longFlag  = regexp.MustCompile(`(^|[\s` + "`" + `(/])--([a-z][a-z-]*)`)
	shortFlag = regexp.MustCompile("(^|[\\s`/])-([a-zA-Z])\\b")
)

// knows reports the flags of a text that the command does not have.
func unknownFlags(t *testing.T, command, text string) []string {
	t.Helper()
	fs := flagsOf(t, command)
	var out []string
	for _, m := range longFlag.FindAllStringSubmatch(text, -1) {
		if m[2] != "help" && fs.Lookup(m[2]) == nil {
			out = append(out, "--"+m[2])
		}
	}
	for _, m := range shortFlag.FindAllStringSubmatch(text, -1) {
		if m[2] != "h" && fs.ShorthandLookup(m[2]) == nil {
			out = append(out, "-"+m[2])
		}
	}
	return out
}

// missingFlags lists the flags of a command that a text does not name.
func missingFlags(t *testing.T, command, text string) []string {
	t.Helper()
	named := map[string]bool{}
	for _, m := range longFlag.FindAllStringSubmatch(text, -1) {
		named[m[2]] = true
	}
	var out []string
	for _, line := range strings.Split(flagsOf(t, command).FlagUsages(), "\n") {
		if m := longFlag.FindStringSubmatch(line); m != nil && !named[m[2]] {
			out = append(out, "--"+m[2])
		}
	}
	return out
}

func TestFlagFindersFind(t *testing.T) {
	if got := unknownFlags(t, "build", "`--output/-o FILE`, --frob x -X `-j`"); !slices.Equal(got, []string{"--frob", "-X"}) {
		t.Errorf("got %v, want --frob and -X", got)
	}
	if got := missingFlags(t, "inspect", "has `--json`, --clock, --strict-clock, --host-skew, --zone/-z"); !slices.Equal(got, []string{"--jobs"}) {
		t.Errorf("got %v, want --jobs", got)
	}
}

// sections splits the manual at its headings.
func sections(source string) map[string]string {
	out := map[string]string{}
	heading := ""
	for _, line := range strings.Split(source, "\n") {
		if h, ok := strings.CutPrefix(line, "// # "); ok {
			heading = h
		}
		out[heading] += line + "\n"
	}
	return out
}

// The manual explains every flag and names none that is not there.
func TestManualNamesEveryFlag(t *testing.T) {
	manual := sections(read(t, "doc.go"))
	for _, command := range []string{"build", "check", "inspect"} {
		text := manual[command]
		if text == "" {
			t.Errorf("the manual has no section on %s", command)
		}
		if m := missingFlags(t, command, text); len(m) > 0 {
			t.Errorf("%s: the manual does not name %v", command, m)
		}
		if u := unknownFlags(t, command, text); len(u) > 0 {
			t.Errorf("%s: the manual names %v", command, u)
		}
	}
	for _, c := range commands() {
		if !strings.Contains(read(t, "doc.go"), "tracemerge "+c.name) {
			t.Errorf("the manual does not show the command %s", c.name)
		}
	}
}

// shellWords are the words of a line, text in single quotes being one.
func shellWords(line string) []string {
	var out []string
	for _, w := range regexp.MustCompile(`'[^']*'|[^\s']+`).FindAllString(line, -1) {
		out = append(out, strings.Trim(w, "'"))
	}
	return out
}

// The command lines of the README can be typed, and it names every flag.
func TestReadmeCommandLines(t *testing.T) {
	readme := read(t, "../../README.md")
	typed := regexp.MustCompile("(?m)(?:^|`)(?:bin/)?tracemerge ([a-z]+[^`\n#]*)").FindAllStringSubmatch(readme, -1)
	found := 0
	for _, m := range typed {
		words := shellWords(m[1])
		if !slices.ContainsFunc(commands(), func(c command) bool { return c.name == words[0] }) {
			if strings.HasPrefix(m[0], "`") || strings.Contains(m[0], "bin/") {
				t.Errorf("the README names the command %q", words[0])
			}
			continue
		}
		found++
		if _, err := parse(flagsOf(t, words[0]), words[1:]); err != nil {
			t.Errorf("tracemerge %s: %v", strings.TrimSpace(m[1]), err)
		}
	}
	if found < 3 {
		t.Errorf("found %d command lines: the check would prove little", found)
	}
	paragraph := func(command string) string {
		return regexp.MustCompile("(?m)^`" + command + " .*$").FindString(readme)
	}
	for _, command := range []string{"build", "check", "inspect"} {
		text := paragraph(command)
		if text == "" {
			t.Errorf("the README has no paragraph on %s", command)
		}
		if u := unknownFlags(t, command, text); len(u) > 0 {
			t.Errorf("the README names %v of %s, which there are not", u, command)
		}
	}
	if m := missingFlags(t, "build", paragraph("build")); len(m) > 0 {
		t.Errorf("the README does not name %v of build", m)
	}
}
