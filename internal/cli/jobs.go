package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

func jobCommands() []Command {
	return []Command{
		{"get", "Show a job", getJob},
		{"list", "List jobs, newest first", listJobs},
		{"watch", "Follow a job until it has ended", watchJob},
		{"retry", "Try a failed or canceled job again", retryJob},
		{"cancel", "Cancel a job", cancelJob},
	}
}

func getJob(ctx context.Context, env Env, args []string) error {
	f := env.flags("jobs get", "JOB", "Shows a job as it is now.")
	asJSON := f.json()
	return onJob(f, asJSON, args, func(c *client.Client, id string) (api.Job, error) { return c.Job(ctx, id) })
}

func cancelJob(ctx context.Context, env Env, args []string) error {
	f := env.flags("jobs cancel", "JOB", "Cancels a queued job at once, and asks a running one to stop; the status tells which.")
	asJSON := f.json()
	return onJob(f, asJSON, args, func(c *client.Client, id string) (api.Job, error) {
		job, err := c.Cancel(ctx, id)
		if err == nil && !client.Terminal(job.Status) {
			_, _ = fmt.Fprintln(env.Stderr, "cancel requested: the job runs until its worker has let go of it")
		}
		return job, err
	})
}

func retryJob(ctx context.Context, env Env, args []string) error {
	f := env.flags("jobs retry", "JOB", "Makes a new job for the document of a failed or canceled one, with the same input, and shows it.")
	asJSON := f.json()
	key := f.String("key", "", "the idempotency `KEY` of this retry: the same again gives the same job")
	return onJob(f, asJSON, args, func(c *client.Client, id string) (api.Job, error) {
		sent, err := c.Retry(ctx, id, *key)
		return sent.Job, err
	})
}

// onJob parses the flags, calls do with the job's id and prints the job.
func onJob(f *flags, asJSON *bool, args []string, do func(*client.Client, string) (api.Job, error)) error {
	ids, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	c, err := f.env.client()
	if err != nil {
		return err
	}
	job, err := do(c, ids[0])
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(f.env.Stdout, job)
	}
	return printJob(f.env.Stdout, job)
}

func listJobs(ctx context.Context, env Env, args []string) error {
	f := env.flags("jobs list", "", "Lists one page of the tenant's jobs, newest first.")
	asJSON := f.json()
	status := f.String("status", "", "only jobs of this `STATUS`: queued, running, succeeded, failed or canceled")
	documentKey := f.String("document-key", "", "only jobs of the document with this `KEY`")
	unacknowledged := f.Bool("unacknowledged", false, "only jobs that have ended and whose callback URL has not taken the event")
	page := f.page()
	if _, err := f.parse(args, 0, 0); err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	filter := client.JobFilter{Status: api.JobStatus(*status), DocumentKey: *documentKey, Unacknowledged: *unacknowledged}
	jobs, err := c.JobPage(ctx, filter, *page)
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(env.Stdout, jobs)
	}
	more(env.Stderr, jobs.NextCursor)
	return printJobs(env, jobs.Data, *unacknowledged)
}

// printJobs writes a table of jobs, if wanted with how their callbacks stand.
func printJobs(env Env, jobs []api.Job, callbacks bool) error {
	heading := []string{"JOB", "STATUS", "DOCUMENT", "DOCUMENT KEY", "CREATED"}
	if callbacks {
		heading = append(heading, "CALLBACK", "TO")
	}
	rows := make([][]string, 0, len(jobs))
	for _, j := range jobs {
		row := []string{j.ID, string(j.Status), j.DocumentID, dash(maybe(j.DocumentKey)), moment(j.CreatedAt)}
		if callbacks {
			row = append(row, callbackColumns(j.Callback)...)
		}
		rows = append(rows, row)
	}
	return env.printList("jobs", heading, rows)
}

func callbackColumns(cb *api.CallbackState) []string {
	if cb == nil {
		return []string{"-", "-"}
	}
	return []string{fmt.Sprintf("%s, %s", cb.Status, count(cb.Attempts, "attempt")), line(cb.URLHost)}
}

// page adds --limit and --cursor.
func (f *flags) page() *client.Page {
	page := &client.Page{}
	usage := fmt.Sprintf("at most `N` entries; the server's default is %d, its limit %d", api.DefaultLimit, api.MaxLimit)
	f.Func("limit", usage, func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > api.MaxLimit {
			return fmt.Errorf("want 1 to %d", api.MaxLimit)
		}
		page.Limit = n
		return nil
	})
	f.StringVar(&page.Cursor, "cursor", "", "the `CURSOR` of a next page")
	return page
}

// printJob writes what a person wants to know about a job.
func printJob(w io.Writer, j api.Job) error {
	fields := [][2]string{
		{"job", j.ID},
		{"status", string(j.Status)},
		{"priority", string(j.Priority)},
		{"document", j.DocumentID},
		{"document key", maybe(j.DocumentKey)},
		{"progress", strconv.Itoa(j.Progress) + " %"},
		{"attempt", strconv.Itoa(j.Attempt)},
		{"template", templateOf(j.Template)},
		{"engine", engineOf(j)},
		{"created", moment(j.CreatedAt)},
		{"started", maybeMoment(j.StartedAt)},
		{"finished", maybeMoment(j.FinishedAt)},
	}
	if r := j.Result; r != nil {
		fields = append(fields, [2]string{"content", r.URL}, [2]string{"sha256", r.SHA256},
			[2]string{"size", fmt.Sprintf("%d bytes, %s", r.Bytes, count(r.Pages, "page"))}, [2]string{"expires", maybeMoment(r.ExpiresAt)})
	}
	if e := j.Error; e != nil {
		fields = append(fields, [2]string{"error", fmt.Sprintf("%s: %s", e.Code, line(e.Detail))})
	}
	for _, warning := range j.Warnings {
		fields = append(fields, [2]string{"warning", line(warning.Code + ": " + warning.Detail)})
	}
	if cb := j.Callback; cb != nil {
		fields = append(fields, [2]string{"callback", fmt.Sprintf("%s to %s, %s", cb.Status, line(cb.URLHost), count(cb.Attempts, "attempt"))})
	}
	return printFields(w, fields)
}

// templateOf is a version of a stored template, or "" for none.
func templateOf(t *api.TemplateVersion) string {
	if t == nil {
		return ""
	}
	return fmt.Sprintf("%s, version %d", line(t.Name), t.Version)
}

// engineOf is what rendered a job, and why it was not the first choice.
func engineOf(j api.Job) string {
	if j.EngineReason == nil {
		return maybe(j.Engine)
	}
	return maybe(j.Engine) + because(*j.EngineReason)
}

func count(n int, thing string) string { return plural(n, thing, thing+"s") }
