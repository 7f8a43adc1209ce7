package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

const renderText = `
Submits FILE, shows the progress while it waits, saves the document and prints its path and sha256. FILE is HTML, or
Markdown when its name ends in .md, or with --data a template. "-" is the standard input. An address that begins with
https:// or http:// is a page that the server's browser loads.

Without FILE, --template names a template that the server has, which is filled in with the JSON of --data, or the JSON of --job
brings the page: its template, html, markdown or url.

The file is saved only when it is the whole document. When the job fails its error is printed and the status is 1.
Run again with the same --key or --document-key, the command gives the same document and makes no second one.`

// renderFlags are what "platen render" was asked.
type renderFlags struct {
	*flags
	looks

	file                  string        // the page; "-" is the standard input, and "" that it is elsewhere
	stored                *api.Template // of --template
	out, as, data, job    string
	key, documentKey      string
	engine, priority      string
	callbackURL           string
	files                 list
	waitFor               string
	local, asJSON, strict bool
}

func renderDocument(ctx context.Context, env Env, args []string) error {
	f, err := parseRender(env, args)
	if err != nil {
		return err
	}
	submission, err := f.submission()
	if err != nil {
		return err
	}
	out, err := f.target(submission.Request)
	if err != nil {
		return err
	}
	if f.local {
		return renderLocally(ctx, env, submission, out, f.final)
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	sent, err := c.Submit(ctx, submission)
	if err != nil {
		return resumable(err, sent)
	}
	job, err := c.Wait(ctx, sent.Job.ID, func(job api.Job) { f.progress(job) })
	if err != nil {
		return resumable(err, sent)
	}
	if err := failure(job); err != nil {
		return err
	}
	out = f.final(out, job.Result.ContentType)
	document, err := save(ctx, env, c, job.DocumentID, out)
	if err != nil {
		return resumable(err, sent)
	}
	if f.asJSON {
		return f.printJSON(job, out)
	}
	return saved(env, out, *document.SHA256)
}

// printJSON prints the job, but not into the document.
func (f *renderFlags) printJSON(job api.Job, out string) error {
	if out == stdStream {
		return printJSON(f.env.Stderr, job)
	}
	return printJSON(f.env.Stdout, job)
}

func parseRender(env Env, args []string) (*renderFlags, error) {
	f := &renderFlags{flags: env.flags("render", "[FILE]", renderText)}
	f.pageFlags()
	template := f.String("template", "", "issue from a stored template, a `NAME` or NAME@VERSION; without FILE, and by default the current version")
	f.StringVar(&f.out, "o", "", "save as `PATH`; - is the standard output, and the default FILE's or the template's name with the format's extension")
	f.StringVar(&f.engine, "engine", "", "render with this `ENGINE`: auto, native or chromium")
	f.StringVar(&f.priority, "priority", "", "wait among the jobs of this `PRIORITY`: high, normal or low")
	f.StringVar(&f.documentKey, "document-key", "", "the `KEY` that names the document for ever, as invoice:2026-00417")
	f.StringVar(&f.key, "key", "", "the idempotency `KEY` of this request; by default one of its own")
	f.BoolVar(&f.strict, "strict", false, "issue nothing when there is a warning: a missing picture, a character that no font has, text that is cut off")
	f.StringVar(&f.waitFor, "wait-for", "", "print when the page shows an element that this CSS `SELECTOR` matches")
	f.StringVar(&f.callbackURL, "callback-url", "", "report the end of the job to this `URL`")
	f.BoolVar(&f.local, "local", false, "render on this machine, without a server: nothing is issued, nobody is called back")
	f.BoolVar(&f.asJSON, "json", false, "print the job as the JSON of the API")
	if err := f.parseFile(args, 0); err != nil {
		return nil, err
	}
	if err := f.chooseTemplate(*template); err != nil {
		return nil, err
	}
	if f.local {
		return f, f.checkLocal()
	}
	return f, nil
}

// pageFlags are those about the page and its looks, which other commands have too.
func (f *renderFlags) pageFlags() {
	f.StringVar(&f.as, "as", "", "what FILE is, a `KIND`: html, markdown or template; by default as its name says")
	f.StringVar(&f.data, "data", "", "fill in the template with the JSON in `PATH`")
	f.Var(&f.files, "file", "send along what the page uses: a `NAME` as the page writes it, from FILE's folder, or NAME=PATH; repeatable")
	f.StringVar(&f.job, "job", "", "take the rest of the request from the JSON in `PATH`, which is as for POST /jobs")
	f.lookFlags(f.flags)
}

// parseFile reads the command line of a command that takes one page, which may have to be there or not.
func (f *renderFlags) parseFile(args []string, least int) error {
	files, err := f.parse(args, least, 1)
	if err != nil || len(files) == 0 {
		return err
	}
	f.file = files[0]
	switch {
	case f.file == "":
		return f.usage("FILE is empty")
	case f.file == stdStream && f.data == stdStream:
		return f.usage("only one of FILE and --data can be the standard input")
	case f.data != "" && f.kind() == kindURL:
		return f.usage("--data is only for a template")
	}
	return nil
}

// chooseTemplate takes what --template says, and sees that there is one page, here or in the job's file.
func (f *renderFlags) chooseTemplate(named string) error {
	switch {
	case named == "" && f.file == "" && f.job == "":
		return f.usage("FILE is missing; --template or --job can stand in for it")
	case named == "":
		return nil
	case f.file != "":
		return f.usage("the page is FILE or that of --template, not both")
	case f.as != "":
		return f.usage("--as says what FILE is, so it does not go with --template")
	case f.local:
		return f.usage("--template needs a server, so it does not go with --local")
	}
	var err error
	f.stored, err = storedTemplate(f.flags, named)
	return err
}

// checkLocal refuses what has no meaning without a server, since ignoring it would promise what is not done.
func (f *renderFlags) checkLocal() error {
	for name, value := range map[string]string{
		"key": f.key, "document-key": f.documentKey, "callback-url": f.callbackURL, "wait-for": f.waitFor, "priority": f.priority,
	} {
		if value != "" {
			return f.usage("--%s needs a server, so it does not go with --local", name)
		}
	}
	switch {
	case f.strict:
		return f.usage("--strict needs a server, so it does not go with --local")
	case isAddress(f.file):
		return f.usage("an address needs a server, so it does not go with --local")
	}
	if f.asJSON {
		return f.usage("--json prints a job, so it does not go with --local")
	}
	return nil
}

// progress tells how a job goes on, on standard error.
func (f *renderFlags) progress(job api.Job) {
	text := string(job.Status)
	if job.Status == api.JobRunning {
		text += fmt.Sprintf(" %d %%", job.Progress)
	}
	_, _ = fmt.Fprintf(f.env.Stderr, "%s %s\n", job.ID, text)
	if !client.Terminal(job.Status) {
		return
	}
	for _, warning := range job.Warnings {
		_, _ = fmt.Fprintln(f.env.Stderr, line("warning: "+warning.Detail+" ("+warning.Code+")"))
	}
}

// resumable adds to an error how to go on with a submission that may have been accepted.
func resumable(err error, sent client.Submitted) error {
	var refused *client.Problem
	if sent.IdempotencyKey == "" || errors.As(err, &refused) && !refused.Retryable {
		return err
	}
	return fmt.Errorf("%w\nThe same command with --key %q takes the job up again", err, sent.IdempotencyKey)
}

// failure is why a job made no document, or nil.
func failure(job api.Job) error {
	switch {
	case job.Status == api.JobSucceeded:
		return nil
	case job.Error != nil:
		return fmt.Errorf("%s %s: %s (%s)", job.ID, job.Status, line(job.Error.Detail), job.Error.Code)
	default:
		return fmt.Errorf("%s %s", job.ID, job.Status)
	}
}

// save downloads a document to a path or to standard output.
func save(ctx context.Context, env Env, c *client.Client, documentID, out string) (api.Document, error) {
	if out == stdStream {
		return c.Download(ctx, documentID, env.Stdout)
	}
	return c.DownloadFile(ctx, documentID, out)
}

// saved prints what was saved, but not into the document.
func saved(env Env, out, sha256 string) error {
	if out == stdStream {
		_, err := fmt.Fprintln(env.Stderr, "sha256", sha256)
		return err
	}
	_, err := fmt.Fprintf(env.Stdout, "%s\nsha256 %s\n", out, sha256)
	return err
}
