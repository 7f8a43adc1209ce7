package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/platen-render/platen/internal/gc"
)

// Collector finds blobs that nobody points to, and removes them.
type Collector interface {
	List(ctx context.Context) (gc.Report, error)
	Delete(ctx context.Context, findings []gc.Finding, removed func(gc.Finding)) error
}

// OpenCollector opens the store and the blobs that the environment names, with what is old enough to be judged without its job. The caller
// calls done.
type OpenCollector func(ctx context.Context, env Env, olderThan time.Duration) (c Collector, done func() error, err error)

const gcText = `
Lists blobs that nobody points to: "orphan" is what the janitor removes by itself sooner or later, "unknown" belongs to
documents, templates or assets that Redis does not know, and "foreign" has a name that is not Platen's. It talks to Redis
and the storage itself, so it needs the settings of a worker: PLATEN_REDIS_URL, PLATEN_BLOB_DIR, PLATEN_SECRET_KEY and
what goes with them.

With --delete it removes what it has listed, after a question, but for what is foreign. What is unknown may be known to a
backup of Redis: keep one. A Redis that has never issued a document is taken for the wrong one. The exit status is 1 when
not everything could be judged or removed; that there are findings is no error.`

// leastAge is how old what is deleted must be at least: a job may be made any moment.
const leastAge = 24 * time.Hour

// GC is the command that removes garbage. It is handed what opens the store, which this package does not link.
func GC(open OpenCollector) Command {
	return Command{Name: "gc", Summary: "List blobs that nobody points to, delete them", Run: func(ctx context.Context, env Env, args []string) error {
		return collectGarbage(ctx, env, args, open)
	}}
}

func collectGarbage(ctx context.Context, env Env, args []string, open OpenCollector) (err error) {
	f := env.flags("gc", "", gcText)
	asJSON := f.Bool("json", false, "print JSON")
	remove := f.Bool("delete", false, "delete what can be deleted, after a question")
	yes := f.Bool("yes", false, "delete without a question")
	olderThan := f.Duration("older-than", leastAge, "how old something must be whose job or document is not known, as a `DURATION` like 72h")
	if _, err := f.parse(args, 0, 0); err != nil {
		return err
	}
	switch {
	case *yes && !*remove:
		return f.usage("--yes goes with --delete")
	case *asJSON && *remove && !*yes:
		return f.usage("--json with --delete needs --yes")
	case *olderThan < 0, *remove && *olderThan < leastAge:
		return f.usage("--older-than must be %v at least with --delete, and never negative", leastAge)
	}
	c, done, err := open(ctx, env, *olderThan)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	report, judged := c.List(ctx)
	g := garbage{env: env, report: report, deleted: map[string]bool{}}
	if !*asJSON {
		if err := g.print(); err != nil {
			return errors.Join(judged, err)
		}
	}
	if *remove {
		judged = errors.Join(judged, g.delete(ctx, c, *yes))
	}
	if *asJSON {
		judged = errors.Join(judged, g.printJSON())
	}
	return judged
}

// garbage is what was found, and what became of it.
type garbage struct {
	env     Env
	report  gc.Report
	deleted map[string]bool
}

func (g *garbage) print() error {
	rows := make([][]string, 0, len(g.report.Findings))
	var count int
	var bytes int64
	for _, f := range g.report.Findings {
		rows = append(rows, []string{string(f.Verdict), fmt.Sprint(f.Bytes), moment(f.Written), line(f.Name)})
		if f.Removable() {
			count++
			bytes += f.Bytes
		}
	}
	if len(rows) > 0 {
		if err := printTable(g.env.Stdout, []string{"FOUND", "BYTES", "WRITTEN", "BLOB"}, rows); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(g.env.Stderr, "%s with %d bytes; nobody points to %d with %d bytes\n", plural(g.report.Seen, "blob", "blobs"), g.report.Bytes, count, bytes)
	return err
}

// delete removes what can be removed, and says how much it was.
func (g *garbage) delete(ctx context.Context, c Collector, yes bool) error {
	count := 0
	for _, f := range g.report.Findings {
		if f.Removable() {
			count++
		}
	}
	if count == 0 {
		return nil
	}
	if !yes {
		if err := g.env.confirm(fmt.Sprintf("Delete %d blobs for good?", count)); err != nil {
			return err
		}
	}
	err := c.Delete(ctx, g.report.Findings, func(f gc.Finding) { g.deleted[f.Name] = true })
	_, _ = fmt.Fprintf(g.env.Stderr, "%d blobs deleted\n", len(g.deleted)) // the error says more
	return err
}

// confirm asks on standard error and takes nothing but "yes" from standard input.
func (env Env) confirm(question string) error {
	if _, err := fmt.Fprintf(env.Stderr, "%s Type yes: ", question); err != nil {
		return err
	}
	answer, _ := bufio.NewReader(env.Stdin).ReadString('\n') // the end of the input is no yes
	if strings.TrimSpace(answer) != "yes" {
		return errors.New("nothing was deleted")
	}
	return nil
}

type garbageJSON struct {
	Blobs    int           `json:"blobs"`
	Bytes    int64         `json:"bytes"`
	Findings []findingJSON `json:"findings"`
}

type findingJSON struct {
	Blob      string    `json:"blob"`
	Found     string    `json:"found"`
	Bytes     int64     `json:"bytes"`
	WrittenAt time.Time `json:"written_at"`
	Deleted   bool      `json:"deleted"`
}

func (g *garbage) printJSON() error {
	out := garbageJSON{Blobs: g.report.Seen, Bytes: g.report.Bytes, Findings: []findingJSON{}}
	for _, f := range g.report.Findings {
		out.Findings = append(out.Findings, findingJSON{f.Name, string(f.Verdict), f.Bytes, f.Written.UTC(), g.deleted[f.Name]})
	}
	return printJSON(g.env.Stdout, out)
}
