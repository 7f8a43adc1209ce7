// Package cli is the commands of platen that talk to a server, and the one that renders without any. It links neither
// the store nor the queue. A command gets everything from outside in an [Env], so that tests run it like a user does.
//
// Rules of all commands: what was asked for goes to standard output, everything else to standard error. Without --json
// the output is for people and may change. The exit status is 0, 1 when something went wrong, 2 when the command
// line is not understood, and 3 when a batch has ended without all of its documents.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"text/tabwriter"

	"github.com/platen-render/platen/internal/fault"
)

// Env is what a command has of the world.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	// HTTP sends the requests; nil means one on [http.DefaultTransport].
	HTTP *http.Client
	// Version is what "platen version" says.
	Version string
}

// Command is one word of the command line.
type Command struct {
	Name    string
	Summary string // one line for the list of commands
	// Run gets the arguments behind the name. "-h" and "--help" among them ask for help on Stdout.
	Run func(ctx context.Context, env Env, args []string) error
}

// Commands returns the commands of this package, in the order of the help.
func Commands() []Command {
	return []Command{
		{"render", "Render a document and save it", renderDocument},
		{"inspect", "Say which engine a page is for, and why", inspectDocument},
		{"compare", "Render a page with both engines and tell the differences", compareDocument},
		{"jobs", "Look at jobs, retry and cancel them", group("jobs", jobCommands())},
		{"batch", "Submit many documents at once, look after them, get them all", group("batch", batchCommands())},
		{"watch", "Follow what happens to all jobs and batches", watch},
		{"documents", "Look at documents, save and purge them, make them anew", group("documents", documentCommands())},
		{"templates", "Write, store and look at templates", group("templates", templateCommands())},
		{"assets", "Store and look at images, fonts and style sheets of templates", group("assets", assetCommands())},
		{"deliveries", "Look at callbacks, deliver again, send tests", group("deliveries", deliveryCommands())},
		{"gone", "Look at callback URLs that are gone, call them again", group("gone", goneCommands())},
		{"keys", "Make, list and revoke API keys", group("keys", keyCommands())},
		{"tenants", "Look at tenants and change them", group("tenants", tenantCommands())},
		{"secrets", "Change secrets and master keys", group("secrets", secretCommands())},
		{"receipts", "Get receipts and the keys that verify them, look for removed documents", group("receipts", receiptCommands())},
		{"verify", "Say whether a file is a document that was issued", verifyFile},
		{"listen", "Receive callbacks, verify and print them", listen},
		{"version", "Print the version", version},
	}
}

// Main runs the command that args name, and returns the exit status.
func Main(ctx context.Context, env Env, commands []Command, args []string) int {
	err := dispatch(ctx, env, commands, args)
	var usage usageError
	var incomplete incompleteError
	switch {
	case err == nil, errors.Is(err, errHelp):
		return 0
	case errors.As(err, &usage):
		_, _ = fmt.Fprintf(env.Stderr, "platen: %v\n%s\n", err, usage.hint)
		return 2
	case errors.As(err, &incomplete):
		_, _ = fmt.Fprintf(env.Stderr, "platen: %v\n", err)
		return 3
	default:
		_, _ = fmt.Fprintf(env.Stderr, "platen: %s\n", fault.Text(err))
		return 1
	}
}

func dispatch(ctx context.Context, env Env, commands []Command, args []string) error {
	if len(args) == 0 {
		return usagef("help", "a command is missing")
	}
	name, rest := args[0], args[1:]
	if asksForHelp(name) {
		if len(rest) == 0 {
			return help(env.Stdout, commands)
		}
		name, rest = rest[0], append(rest[1:len(rest):len(rest)], "--help")
	}
	if name == "-version" || name == "--version" {
		name = "version"
	}
	c, err := choose("", commands, name)
	if err != nil {
		return err
	}
	return c.Run(ctx, env, rest)
}

// group makes a command of commands.
func group(name string, commands []Command) func(context.Context, Env, []string) error {
	return func(ctx context.Context, env Env, args []string) error {
		if len(args) == 0 {
			return usagef("help "+name, "%s: a command is missing", name)
		}
		if asksForHelp(args[0]) {
			return groupHelp(env.Stdout, name, commands)
		}
		c, err := choose(name, commands, args[0])
		if err != nil {
			return err
		}
		return c.Run(ctx, env, args[1:])
	}
}

func choose(parent string, commands []Command, name string) (Command, error) {
	var names []string
	for _, c := range commands {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	full := strings.TrimSpace(parent + " " + name)
	if near := nearest(name, names); near != "" {
		return Command{}, usagef(strings.TrimSpace("help "+parent), "there is no command %q; did you mean %q?", full, strings.TrimSpace(parent+" "+near))
	}
	return Command{}, usagef(strings.TrimSpace("help "+parent), "there is no command %q", full)
}

func asksForHelp(arg string) bool {
	return arg == "help" || arg == "-h" || arg == "-help" || arg == "--help"
}

func version(_ context.Context, env Env, args []string) error {
	if err := env.NoArguments("version", "Prints the version of this program.", args); err != nil {
		return err
	}
	_, err := fmt.Fprintln(env.Stdout, "platen", env.Version)
	return err
}

const settingsHelp = `Settings come from the environment:
  PLATEN_URL         where the server is; by default http://127.0.0.1:8080
  PLATEN_KEY         an API key; without it, the key that "platen dev" left in .platen/dev.json
                     (or in the folder PLATEN_DATA_DIR) is used with the server of "platen dev"
  PLATEN_ADMIN_KEY   for "platen keys", "tenants", "secrets" and "receipts rotate": the bootstrap key; without it, the one that
                     "platen dev" left, with its server, or else PLATEN_KEY
`

func help(w io.Writer, commands []Command) error {
	_, err := fmt.Fprintf(w, "Platen renders documents, issues each once, and reports it at least once.\n\nUsage: platen COMMAND [arguments]\n\n%s\n%s\nplaten help COMMAND tells more.\n",
		summaries(commands), settingsHelp)
	return err
}

func groupHelp(w io.Writer, name string, commands []Command) error {
	_, err := fmt.Fprintf(w, "Usage: platen %s COMMAND [arguments]\n\n%s\nplaten help %s COMMAND tells more.\n", name, summaries(commands), name)
	return err
}

func summaries(commands []Command) string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 8, 3, ' ', 0)
	for _, c := range commands {
		_, _ = fmt.Fprintf(table, "  %s\t%s\n", c.Name, c.Summary)
	}
	_ = table.Flush() // a Builder takes everything
	return b.String()
}
