package main

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// Every shell's script names every command and every flag, and bash takes it: what it
// offers is what there is.
func TestCompletionNamesEverything(t *testing.T) {
	for _, shell := range shells {
		script := call("completion", shell).wantCode(t, exitDone).out
		for _, c := range commands() {
			if !strings.Contains(script, c.name) {
				t.Errorf("%s: no command %s", shell, c.name)
			}
			eachFlag(c, func(f *pflag.Flag) {
				if !strings.Contains(script, f.Name) {
					t.Errorf("%s: no flag --%s of %s", shell, f.Name, c.name)
				}
			})
		}
		if path, err := exec.LookPath(shell); err == nil {
			cmd := exec.Command(path, "-n")
			cmd.Stdin = strings.NewReader(script)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s does not take the script: %v\n%s", shell, err, out)
			}
		}
	}
	call("completion").wantCode(t, exitUsage)
	call("completion", "tcsh").wantCode(t, exitUsage)
}

func TestBashCompletes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	dir := folder(t, map[string]string{"run1/app.log": "x\n"})
	script := bashCompletion()
	for _, c := range []struct {
		words []string
		want  []string
	}{
		{[]string{"tracemerge", "b"}, []string{"build"}},
		{[]string{"tracemerge", "build", "--stri"}, []string{"--strict", "--strict-clock"}},
		{[]string{"tracemerge", "build", "--basis", "a"}, []string{"auto", "app-log"}},
		{[]string{"tracemerge", "build", "--jobs", "1", "--progress", ""}, []string{"auto", "plain", "off"}},
		{[]string{"tracemerge", "completion", ""}, shells},
		{[]string{"tracemerge", "help", "lim"}, []string{"limits"}},
		{[]string{"tracemerge", "inspect", "ru"}, []string{"run1"}},
	} {
		program := script + "\nCOMP_WORDS=("
		for _, w := range c.words {
			program += "'" + w + "' "
		}
		program += ")\nCOMP_CWORD=$((${#COMP_WORDS[@]}-1))\n_tracemerge\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"
		cmd := exec.Command(bash, "--norc", "-c", program)
		cmd.Dir = filepath.Clean(dir)
		out, err := cmd.Output()
		got := strings.Fields(string(out))
		slices.Sort(got)
		want := slices.Sorted(slices.Values(c.want))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %q, %v; want %q", c.words, got, err, want)
		}
	}
}
