package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// stdio is what the program reads from and writes to.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// The exit statuses of the contract.
const (
	exitDone    = 0
	exitNothing = 1 // nothing could be written; check: a requirement does not hold
	exitUsage   = 2
	exitPartial = 3 // written, but some input could not be read, and --strict; check: not decidable
)

// command is one verb of the command line.
type command struct {
	name, args, summary string
	help                string // everything after the usage line and before the flags
	flags               func() *flagSet
	run                 func(ctx context.Context, args []string, io stdio) error
}

func commands() []command {
	return []command{buildCommand(), checkCommand(), inspectCommand(), initCommand(), completionCommand(), helpCommand(), versionCommand()}
}

// usageError is a mistake in the command line.
type usageError struct {
	command string
	text    string
}

func (e *usageError) Error() string { return e.text }

// partialError is the end of a run that wrote its output although some input
// could not be read.
type partialError struct{ files int }

func (e *partialError) Error() string {
	return fmt.Sprintf("the report is written, but %d of its files could not be read whole (--strict)", e.files)
}

// errUnread is a check of runs that could not be read, which is neither of its
// answers.
var errUnread = errors.New("nothing is checked")

// run is the program: it returns the exit status.
func run(args []string, io stdio) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := dispatch(ctx, args, io)
	var usage *usageError
	var partial *partialError
	var found *checkError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &usage):
		fmt.Fprintf(io.err, "tracemerge: %s\n", usage.text)
		if usage.command != "" {
			fmt.Fprintf(io.err, "see: tracemerge help %s\n", usage.command)
		} else {
			fmt.Fprintln(io.err, "see: tracemerge help")
		}
		return exitUsage
	case errors.As(err, &partial):
		fmt.Fprintf(io.err, "tracemerge: %v\n", err)
		return exitPartial
	case errors.As(err, &found) && found.failed > 0:
		return exitNothing
	case errors.As(err, &found):
		return exitPartial
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(io.err, "tracemerge: interrupted; nothing was written")
		return exitNothing
	}
	fmt.Fprintf(io.err, "tracemerge: %v\n", err)
	if errors.Is(err, errUnread) {
		return exitUsage
	}
	return exitNothing
}

func dispatch(ctx context.Context, args []string, io stdio) error {
	if len(args) == 0 {
		return &usageError{text: "which command? " + commandNames() + ""}
	}
	switch args[0] {
	case "-h", "--help":
		return writeHelp(io.out, nil)
	case "--version":
		return writeVersion(io.out)
	}
	for _, c := range commands() {
		if c.name == args[0] {
			if wantsHelp(args[1:]) {
				return writeHelp(io.out, []string{c.name})
			}
			return c.run(ctx, args[1:], io)
		}
	}
	return &usageError{text: fmt.Sprintf("no command %q; there are %s", args[0], commandNames())}
}

// wantsHelp reports whether -h or --help stands among the flags.
func wantsHelp(args []string) bool {
	for _, a := range args {
		switch a {
		case "--":
			return false
		case "-h", "--help":
			return true
		}
	}
	return false
}

func commandNames() string {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}

// parse parses the flags of a command; a mistake is a usageError.
func parse(fs *flagSet, args []string) ([]string, error) {
	if err := fs.Parse(args); err != nil {
		return nil, &usageError{command: fs.Name(), text: err.Error()}
	}
	return fs.Args(), nil
}
