package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

const watchText = `Shows what happens to the jobs and batches of the tenant, until it is stopped: first how many jobs there are, then a line for each change.
With --batch it is about one batch and its jobs, and ends with the batch. When the connection is lost, it comes back and goes on where it
was.`

// watch shows what happens to everything of a tenant, or to a batch.
func watch(ctx context.Context, env Env, args []string) error {
	f := env.flags("watch", "", watchText)
	asJSON, after := f.watching()
	batch := f.String("batch", "", "only this `BATCH` and its jobs")
	if _, err := f.parse(args, 0, 0); err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	events := c.Events(ctx, *after)
	if *batch != "" {
		events = c.BatchEvents(ctx, *batch, *after)
	}
	_, err = printEvents(env.Stdout, events, *asJSON)
	if errors.Is(err, context.Canceled) {
		return nil // it was stopped
	}
	return err
}

const watchJobText = `Shows what happens to a job until it has ended: how it stands, then a line for each change. When the connection is lost, it comes back and
goes on where it was. The exit status is 1 unless the job has succeeded.`

func watchJob(ctx context.Context, env Env, args []string) error {
	f := env.flags("jobs watch", "JOB", watchJobText)
	asJSON, after := f.watching()
	ids, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	last, err := printEvents(env.Stdout, c.JobEvents(ctx, ids[0], *after), *asJSON)
	switch {
	case err != nil:
		return err
	case last.Name == "":
		return errors.New("the job has ended, and all of its events were seen before")
	case seenStatus(last) != api.JobSucceeded:
		return fmt.Errorf("the job has %s: platen jobs get %s tells more", ending(seenStatus(last)), ids[0])
	}
	return nil
}

// watching adds the flags of commands that follow a stream.
func (f *flags) watching() (asJSON *bool, after *string) {
	asJSON = f.Bool("json", false, "print each event as one line of JSON: id, event and data")
	return asJSON, f.String("after", "", "go on behind the event with this `ID`, which --json shows")
}

// printEvents writes events as they come, and returns the last one.
func printEvents(w io.Writer, events iter.Seq2[client.StreamEvent, error], asJSON bool) (last client.StreamEvent, err error) {
	for e, err := range events {
		if err != nil {
			return last, err
		}
		last = e
		text := describe(e)
		if asJSON {
			text = encodeEvent(e)
		}
		if _, err := fmt.Fprintln(w, text); err != nil {
			return last, err
		}
	}
	return last, nil
}

// encodeEvent is an event in one line of JSON.
func encodeEvent(e client.StreamEvent) string {
	var data any = struct{}{}
	switch {
	case e.Job != nil:
		data = e.Job
	case e.Batch != nil:
		data = e.Batch
	case e.Tenant != nil:
		data = e.Tenant
	case e.JobChange != nil:
		data = e.JobChange
	case e.BatchChange != nil:
		data = e.BatchChange
	}
	text, _ := json.Marshal(map[string]any{"id": e.ID, "event": e.Name, "data": data}) // wire types always encode
	return string(text)
}

// describe is an event in one line for people.
func describe(e client.StreamEvent) string {
	at := eventTime(e.ID)
	switch {
	case e.Job != nil:
		return join(at, e.Job.ID, progressOf(e.Job.Status, e.Job.Attempt, e.Job.Progress))
	case e.JobChange != nil:
		return join(at, e.JobChange.JobID, progressOf(e.JobChange.Status, e.JobChange.Attempt, e.JobChange.Progress))
	case e.Batch != nil:
		return join(at, e.Batch.ID, countsOf(e.Batch.Status, e.Batch.Items, e.Batch.Counts))
	case e.BatchChange != nil:
		return join(at, e.BatchChange.BatchID, countsOf(e.BatchChange.Status, e.BatchChange.Items, e.BatchChange.Counts))
	case e.Tenant != nil:
		j := e.Tenant.Jobs
		return join(at, "jobs", fmt.Sprintf("%d queued, %d running, %d succeeded, %d failed, %d canceled", j.Queued, j.Running, j.Succeeded, j.Failed, j.Canceled))
	case e.Name == api.StreamReset:
		return "some changes were missed; how it stands now:"
	}
	return join(at, line(string(e.Name)), "this version does not know what that is")
}

func join(columns ...string) string { return strings.Join(columns, "  ") }

// eventTime reads when an event happened from its id, which begins with the time in milliseconds.
func eventTime(id string) string {
	ms, _, _ := strings.Cut(id, "-")
	n, err := strconv.ParseInt(ms, 10, 64)
	if err != nil {
		return strings.Repeat("-", len(moment(time.Time{})))
	}
	return moment(time.UnixMilli(n))
}

func progressOf(status api.JobStatus, attempt, progress int) string {
	if status != api.JobRunning {
		return line(string(status))
	}
	return fmt.Sprintf("running, attempt %d, %d %%", attempt, progress)
}

func countsOf(status api.BatchStatus, items int, c api.BatchCounts) string {
	ended := c.Succeeded + c.Reused + c.Failed + c.Canceled
	return fmt.Sprintf("%s, %d of %d ended, %d failed", line(string(status)), ended, items, c.Failed)
}

func seenStatus(e client.StreamEvent) api.JobStatus {
	switch {
	case e.Job != nil:
		return e.Job.Status
	case e.JobChange != nil:
		return e.JobChange.Status
	}
	return ""
}

// ending is a status behind "the job has".
func ending(status api.JobStatus) string {
	if status == api.JobCanceled {
		return "been canceled"
	}
	return line(string(status))
}
