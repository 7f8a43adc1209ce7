package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/platen-render/platen/api"
)

// showBatch prints a batch.
func (env Env) showBatch(b api.Batch, asJSON bool) error {
	if asJSON {
		return printJSON(env.Stdout, b)
	}
	return printBatch(env.Stdout, b)
}

// printBatch writes what a person wants to know about a batch.
func printBatch(w io.Writer, b api.Batch) error {
	fields := [][2]string{
		{"batch", b.ID},
		{"status", string(b.Status)},
		{"items", strconv.Itoa(b.Items) + ": " + standing(b.Counts)},
		{"progress", strconv.Itoa(b.Progress) + " %"},
	}
	fields = append(fields, [2]string{"expected", expected(b.Expected)})
	if b.Sequence > 1 {
		fields = append(fields, [2]string{"retries", strconv.Itoa(b.Sequence - 1)})
	}
	fields = append(fields, [2]string{"rate", rate(b)}, [2]string{"created", moment(b.CreatedAt)}, [2]string{"ends about", maybeMoment(b.EstimatedEndAt)}, [2]string{"finished", maybeMoment(b.FinishedAt)})
	for _, e := range b.Errors {
		fields = append(fields, [2]string{"error", fmt.Sprintf("%s, first item %d: %s (%s)", count(e.Count, "item"), e.Index, line(e.Detail), line(e.Code))})
	}
	if cb := b.Callback; cb != nil {
		fields = append(fields, [2]string{"callback", fmt.Sprintf("%s to %s, %s", cb.Status, line(cb.URLHost), count(cb.Attempts, "attempt"))})
	}
	return printFields(w, fields)
}

// standing is how many items stand where.
func standing(c api.BatchCounts) string {
	var parts []string
	for _, one := range []struct {
		status api.ItemStatus
		n      int
	}{
		{api.ItemWaiting, c.Waiting},
		{api.ItemQueued, c.Queued},
		{api.ItemRunning, c.Running},
		{api.ItemSucceeded, c.Succeeded},
		{api.ItemReused, c.Reused},
		{api.ItemFailed, c.Failed},
		{api.ItemCanceled, c.Canceled},
	} {
		if one.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", one.n, one.status))
		}
	}
	return strings.Join(parts, ", ")
}

// issued is how many documents there are.
func issued(c api.BatchCounts) int { return c.Succeeded + c.Reused }

// ended is how many items have ended, in whichever way.
func ended(c api.BatchCounts) int { return issued(c) + c.Failed + c.Canceled }

func expected(e *api.ExpectedKeys) string {
	if e == nil {
		return ""
	}
	return fmt.Sprintf("%s, of which %d missing; %d unexpected", count(e.Keys, "key"), e.Missing, e.Unexpected)
}

func rate(b api.Batch) string {
	if b.RatePerMinute == nil {
		return ""
	}
	return strconv.FormatFloat(*b.RatePerMinute, 'f', 0, 64) + " a minute"
}

func printBatches(env Env, batches []api.Batch) error {
	rows := make([][]string, 0, len(batches))
	for _, b := range batches {
		c := b.Counts
		rows = append(rows, []string{
			b.ID, string(b.Status), strconv.Itoa(b.Items), strconv.Itoa(issued(c)), strconv.Itoa(c.Failed), strconv.Itoa(c.Canceled), moment(b.CreatedAt),
		})
	}
	return env.printList("batches", []string{"BATCH", "STATUS", "ITEMS", "ISSUED", "FAILED", "CANCELED", "CREATED"}, rows)
}

func printBatchItems(env Env, items []api.BatchItem) error {
	rows := make([][]string, 0, len(items))
	for _, i := range items {
		job, wrong := "-", ""
		if i.Job != nil {
			job = i.Job.ID
		}
		if i.Error != nil {
			wrong = line(fmt.Sprintf("%s: %s", i.Error.Code, i.Error.Detail))
		}
		rows = append(rows, []string{strconv.Itoa(i.Index), string(i.Status), dash(maybe(i.DocumentKey)), dash(maybe(i.DocumentID)), job, dash(wrong)})
	}
	return env.printList("items", []string{"ITEM", "STATUS", "DOCUMENT KEY", "DOCUMENT", "JOB", "ERROR"}, rows)
}

// howFar is how a batch goes on, in one line.
func howFar(b api.Batch) string {
	parts := []string{fmt.Sprintf("%3d %%, %d of %d", b.Progress, ended(b.Counts), b.Items)}
	if b.Counts.Failed > 0 {
		parts = append(parts, strconv.Itoa(b.Counts.Failed)+" failed")
	}
	if b.FinishedAt == nil {
		if at := rate(b); at != "" {
			parts = append(parts, at)
		}
		if at := b.EstimatedEndAt; at != nil {
			parts = append(parts, left(time.Until(*at)))
		}
	}
	return strings.Join(parts, ", ")
}

// left is a time to come, as precise as an estimate deserves.
func left(d time.Duration) string {
	switch {
	case d < time.Second:
		return "about done"
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s left", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min left", int(d.Minutes()))
	default:
		return fmt.Sprintf("%d h left", int(d.Hours()))
	}
}
