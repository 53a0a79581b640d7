package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"
)

var shells = []string{"bash", "zsh", "fish"}

func completionCommand() command {
	return command{name: "completion", args: "bash|zsh|fish", summary: "prints the shell's completion of commands, flags and files",
		help: `
  bash   source <(tracemerge completion bash)          in ~/.bashrc
  zsh    source <(tracemerge completion zsh)           in ~/.zshrc, after compinit
  fish   tracemerge completion fish | source           in config.fish
`,
		run: func(_ context.Context, args []string, io stdio) error {
			if len(args) != 1 {
				return &usageError{command: "completion", text: "completion: want one shell, " + strings.Join(shells, ", ")}
			}
			return writeCompletion(io.out, args[0])
		}}
}

func writeCompletion(w io.Writer, shell string) error {
	var text string
	switch shell {
	case "bash":
		text = bashCompletion()
	case "zsh":
		text = zshCompletion()
	case "fish":
		text = fishCompletion()
	default:
		return &usageError{command: "completion", text: fmt.Sprintf("completion: no completion for the shell %q; there are %s", shell, strings.Join(shells, ", "))}
	}
	_, err := io.WriteString(w, text)
	return err
}

// wordsOf are the words that may follow a command and are no file: none for those
// that take files or folders.
func wordsOf(name string) []string {
	switch name {
	case "help":
		out := []string{"limits"}
		for _, c := range commands() {
			out = append(out, c.name)
		}
		return out
	case "completion":
		return shells
	}
	return nil
}

// eachFlag visits the flags of a command in their order.
func eachFlag(c command, visit func(*pflag.Flag)) {
	if c.flags != nil {
		c.flags().VisitAll(visit)
	}
}

// valuesOf are the values of a flag that has a fixed set of them.
func valuesOf(f *pflag.Flag) []string {
	if c, ok := f.Value.(*choice); ok {
		return c.values
	}
	return nil
}

// takesValue reports whether a word must follow the flag.
func takesValue(f *pflag.Flag) bool { return f.NoOptDefVal == "" }

func bashCompletion() string {
	var b strings.Builder
	var names []string
	flags, values := map[string][]string{}, map[string]string{}
	for _, c := range commands() {
		names = append(names, c.name)
		eachFlag(c, func(f *pflag.Flag) {
			all := []string{"--" + f.Name}
			if f.Shorthand != "" {
				all = append(all, "-"+f.Shorthand)
			}
			flags[c.name] = append(flags[c.name], all...)
			for _, name := range all {
				if v := valuesOf(f); v != nil {
					values[c.name+" "+name] = strings.Join(v, " ")
				}
			}
		})
	}
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# bash completion for tracemerge")
	line("_tracemerge() {")
	line(`    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" words=""`)
	line(`    if [ "$COMP_CWORD" -eq 1 ]; then`)
	line(`        COMPREPLY=($(compgen -W "%s" -- "$cur"))`, strings.Join(names, " "))
	line("        return")
	line("    fi")
	line(`    case "${COMP_WORDS[1]} $prev" in`)
	for _, c := range commands() {
		for _, f := range flags[c.name] {
			if v, has := values[c.name+" "+f]; has {
				line(`    "%s %s") words="%s" ;;`, c.name, f, v)
			}
		}
	}
	line("    *)")
	line(`        case "${COMP_WORDS[1]} $cur" in`)
	for _, c := range commands() {
		if len(flags[c.name]) > 0 {
			line(`        "%s -"*) words="%s" ;;`, c.name, strings.Join(flags[c.name], " "))
		}
		if w := wordsOf(c.name); w != nil {
			line(`        "%s "*) words="%s" ;;`, c.name, strings.Join(w, " "))
		}
	}
	line("        esac ;;")
	line("    esac")
	line(`    if [ -n "$words" ]; then`)
	line(`        COMPREPLY=($(compgen -W "$words" -- "$cur"))`)
	line("    else")
	line("        compopt -o filenames 2>/dev/null")
	line(`        COMPREPLY=($(compgen -f -- "$cur"))`)
	line("    fi")
	line("}")
	line("complete -F _tracemerge tracemerge")
	return b.String()
}

// quoteZsh makes a text safe within a single-quoted argument of _arguments.
func quoteZsh(s string) string {
	return strings.NewReplacer("'", "'\\''", "[", "(", "]", ")", ":", "\\:").Replace(s)
}

func zshCompletion() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("#compdef tracemerge")
	line("_tracemerge() {")
	line("    local -a commands=(")
	for _, c := range commands() {
		line("        '%s:%s'", c.name, quoteZsh(c.summary))
	}
	line("    )")
	line("    if (( CURRENT == 2 )); then")
	line("        _describe command commands")
	line("        return")
	line("    fi")
	line("    shift words; (( CURRENT-- ))")
	line(`    case "$words[1]" in`)
	for _, c := range commands() {
		line("    %s)", c.name)
		line("        _arguments \\")
		eachFlag(c, func(f *pflag.Flag) {
			tail := ""
			if takesValue(f) {
				tail = ":" + quoteZsh(f.Value.Type()) + ":_files"
				if v := valuesOf(f); v != nil {
					tail = ":" + quoteZsh(f.Name) + ":(" + strings.Join(v, " ") + ")"
				}
			}
			line("            '*--%s[%s]%s' \\", f.Name, quoteZsh(f.Usage), tail)
			if f.Shorthand != "" {
				line("            '*-%s[%s]%s' \\", f.Shorthand, quoteZsh(f.Usage), tail)
			}
		})
		if w := wordsOf(c.name); w != nil {
			line("            '*:word:(%s)' ;;", strings.Join(w, " "))
		} else {
			line("            '*:file:_files' ;;")
		}
	}
	line("    esac")
	line("}")
	line("compdef _tracemerge tracemerge")
	return b.String()
}

func quoteFish(s string) string { return strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) }

func fishCompletion() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# fish completion for tracemerge")
	for _, c := range commands() {
		line("complete -c tracemerge -n __fish_use_subcommand -f -a %s -d '%s'", c.name, quoteFish(c.summary))
		in := "'__fish_seen_subcommand_from " + c.name + "'"
		eachFlag(c, func(f *pflag.Flag) {
			text := "complete -c tracemerge -n " + in + " -l " + f.Name
			if f.Shorthand != "" {
				text += " -s " + f.Shorthand
			}
			if v := valuesOf(f); v != nil {
				text += " -x -a '" + strings.Join(v, " ") + "'"
			} else if takesValue(f) {
				text += " -r"
			}
			line("%s -d '%s'", text, quoteFish(f.Usage))
		})
		if w := wordsOf(c.name); w != nil {
			line("complete -c tracemerge -n %s -f -a '%s'", in, strings.Join(w, " "))
		}
	}
	return b.String()
}
