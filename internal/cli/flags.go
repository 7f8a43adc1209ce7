package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// flags are the flags of one command. Unlike those of package flag they may stand behind the arguments; "--" ends them.
type flags struct {
	*flag.FlagSet
	env       Env
	name      string // "jobs list"
	arguments string // "JOB"
	text      string
}

// flags begins the flags of a command.
func (env Env) flags(name, arguments, text string) *flags {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	return &flags{set, env, name, arguments, text}
}

// NoArguments is for commands without flags and arguments. It prints text when help is asked for, and refuses all else;
// the command returns its error.
func (env Env) NoArguments(name, text string, args []string) error {
	_, err := env.flags(name, "", text).parse(args, 0, 0)
	return err
}

// json adds --json.
func (f *flags) json() *bool { return f.Bool("json", false, "print the JSON of the API") }

// parse returns the arguments, of which there are at least the one number and at most the other.
func (f *flags) parse(args []string, least, most int) ([]string, error) {
	var found []string
	for len(args) > 0 {
		if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, errors.Join(f.help(), errHelp)
		} else if err != nil {
			return nil, f.usage("%s", strings.Replace(err.Error(), "flag provided but not defined", "no such flag", 1))
		}
		if ended := len(args) > f.NArg() && args[len(args)-f.NArg()-1] == "--"; ended {
			found = append(found, f.Args()...)
			break
		}
		if args = f.Args(); len(args) > 0 {
			found, args = append(found, args[0]), args[1:]
		}
	}
	switch {
	case len(found) < least:
		return nil, f.usage("%s is missing", f.arguments)
	case len(found) > most:
		return nil, f.usage("%q is one argument too many", found[most])
	}
	return found, nil
}

// usage says what is wrong with the command line.
func (f *flags) usage(format string, args ...any) error {
	return usagef("help "+f.name, "%s: %s", f.name, fmt.Sprintf(format, args...))
}

func (f *flags) help() error {
	var b strings.Builder
	line := strings.TrimSpace("platen " + f.name + " " + f.arguments)
	var some bool
	f.VisitAll(func(*flag.Flag) { some = true })
	if some {
		line += " [flags]"
	}
	_, _ = fmt.Fprintf(&b, "Usage: %s\n\n%s\n", line, strings.TrimSpace(f.text))
	if some {
		b.WriteString("\n")
		table := tabwriter.NewWriter(&b, 0, 8, 3, ' ', 0)
		f.VisitAll(func(one *flag.Flag) { writeFlag(table, one) })
		_ = table.Flush() // a Builder takes everything
	}
	_, err := io.WriteString(f.env.Stdout, b.String())
	return err
}

func writeFlag(w io.Writer, one *flag.Flag) {
	dash := "--"
	if len(one.Name) == 1 {
		dash = "-"
	}
	value, text := flag.UnquoteUsage(one)
	if zero := []string{"", "false", "0", "0s"}; !slices.Contains(zero, one.DefValue) {
		text += " (default " + defaultOf(one) + ")"
	}
	_, _ = fmt.Fprintf(w, "  %s%s\t%s\n", dash, strings.TrimSpace(one.Name+" "+value), text)
}

// defaultOf is a default as one would write it: words in quotes, and 24h for 24h0m0s.
func defaultOf(one *flag.Flag) string {
	getter, ok := one.Value.(flag.Getter)
	if !ok {
		return one.DefValue
	}
	switch getter.Get().(type) {
	case string:
		return strconv.Quote(one.DefValue)
	case time.Duration:
		return strings.TrimSuffix(strings.TrimSuffix(one.DefValue, "0s"), "0m")
	}
	return one.DefValue
}

// list is a flag that can be given several times.
type list []string

// String returns what was given.
func (l *list) String() string { return strings.Join(*l, " ") }

// Set adds a value.
func (l *list) Set(value string) error {
	*l = append(*l, value)
	return nil
}
