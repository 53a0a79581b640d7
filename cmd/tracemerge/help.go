package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
)

func helpCommand() command {
	return command{name: "help", args: "[COMMAND|limits]", summary: "explains the program, one command, or the limits of what is read",
		run: func(_ context.Context, args []string, io stdio) error {
			if len(args) > 1 {
				return &usageError{text: "help explains one command at a time"}
			}
			return writeHelp(io.out, args)
		}}
}

func versionCommand() command {
	return command{name: "version", summary: "prints the version",
		run: func(_ context.Context, args []string, io stdio) error {
			if len(args) > 0 {
				return &usageError{text: fmt.Sprintf("version takes no arguments, found %q", args[0])}
			}
			return writeVersion(io.out)
		}}
}

// overview is the first half of the general help.
const overview = `tracemerge reads the exported files of a slow GPU job, puts them on one clock,
and writes one HTML report: what was observed, what was not, where the time went,
and what a change could gain at least and at most. It works offline; it never
touches a GPU and never sends anything anywhere.

A run folder holds the exported files of one run, in any names and depth, plain or
.gz or .zst. What each file is, is decided by its content:

  nvidia-smi      nvidia-smi --query-gpu=… --format=csv --loop=1
  pytorch-trace   PyTorch profiler (Kineto) JSON
  app-log         JSON lines, logfmt, or text with a leading time stamp
  run-file        run.yaml: what the run was, zones of clocks, names of stages

`

// exits is the second half of the general help.
const exits = `
Exit status: 0 done; 1 nothing could be written; 2 mistake in the command line;
3 written, but some input could not be read or was cut off, with --strict.
Of check: 0 all requirements hold; 1 one does not; 3 one is not decidable.
Messages go to standard error, data to standard output.
`

func writeHelp(w io.Writer, args []string) error {
	var b strings.Builder
	if len(args) == 0 {
		b.WriteString(overview)
		b.WriteString("Commands:\n")
		for _, c := range commands() {
			fmt.Fprintf(&b, "  %-18s %s\n", strings.TrimSpace(c.name+" "+c.args), c.summary)
		}
		b.WriteString(exits)
		_, err := io.WriteString(w, b.String())
		return err
	}
	if args[0] == "limits" {
		return writeLimits(w)
	}
	for _, c := range commands() {
		if c.name != args[0] {
			continue
		}
		usage := []string{"tracemerge", c.name}
		if c.flags != nil {
			usage = append(usage, "[flags]")
		}
		fmt.Fprintf(&b, "%s\n\n%s.\n%s", strings.TrimSpace(strings.Join(usage, " ")+" "+c.args), capital(c.summary), c.help)
		if c.flags != nil {
			fmt.Fprintf(&b, "\nFlags:\n%s", c.flags().FlagUsagesWrapped(96))
		}
		_, err := io.WriteString(w, b.String())
		return err
	}
	return &usageError{text: fmt.Sprintf("no command %q; there are %s", args[0], commandNames())}
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func writeVersion(w io.Writer) error {
	_, err := fmt.Fprintf(w, "tracemerge %s (%s, %s/%s)\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// version is the module's version from the build information, with the revision
// where the build recorded one.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "0.1-dev"
	}
	return info.Main.Version
}
