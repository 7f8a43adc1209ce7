package redisstore

import (
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

// entry is one of a feed: a change, the answer to a preview, or what only marks the beginning.
type entry struct {
	change  jobs.Change
	preview jobs.ID
}

func entryFrom(m redis.XMessage) entry {
	f := make(fields, len(m.Values))
	for name, value := range m.Values {
		f[name], _ = value.(string)
	}
	e := entry{preview: jobs.ID(f["preview"]), change: jobs.Change{
		Tenant: f["tenant"], Job: jobs.ID(f["job"]), Document: jobs.ID(f["document"]), Batch: jobs.ID(f["batch"]),
		Status: f["status"], Attempt: f.int("attempt"), Progress: f.int("progress"), Epoch: f.int("epoch"), Counts: countsFrom(f["counts"]),
	}}
	e.change.At, _ = jobs.ParsePosition(m.ID)
	return e
}

// countsFrom reads the counts of a batch, in the order of [jobs.ItemStatuses].
func countsFrom(text string) map[jobs.ItemStatus]int {
	if text == "" {
		return nil
	}
	counts := map[jobs.ItemStatus]int{}
	for i, word := range strings.Fields(text) {
		if n, err := strconv.Atoi(word); err == nil && i < len(jobs.ItemStatuses) {
			counts[jobs.ItemStatuses[i]] = n
		}
	}
	return counts
}

// subject is what whoever watches waits for.
func (e *entry) subject() jobs.ID {
	switch {
	case e.preview != "":
		return e.preview
	case e.change.Job != "":
		return e.change.Job
	}
	return e.change.Batch
}

// topics are those whose streams have the change.
func (e *entry) topics() []jobs.Topic {
	c := e.change
	if c.Tenant == "" {
		return nil
	}
	topics := []jobs.Topic{{Tenant: c.Tenant}}
	if c.Job != "" {
		topics = append(topics, jobs.Topic{Tenant: c.Tenant, Job: c.Job})
	}
	if c.Batch != "" {
		topics = append(topics, jobs.Topic{Tenant: c.Tenant, Batch: c.Batch})
	}
	return topics
}
