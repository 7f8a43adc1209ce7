// Package queue rings for work with asynq: a ready-queue and worker pool on Redis, and nothing more. It carries an id and
// a generation; state, leases, retries and dead letters are the store's. It may lose everything without loss, and may
// hand out a task twice without harm. It is the only package that says asynq.
package queue

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/internal/jobs"
)

const (
	// maxRetry is so large that asynq never gives up a task by itself: its archive trims in silence.
	maxRetry = 1000
	// taskTimeout is longer than any attempt, since at its end asynq starts a second run beside the first.
	taskTimeout = 24 * time.Hour
	// previewRetry is enough for a worker that stops in the moment of taking one. A worker that died with one gives it to another
	// too, where it is refused, since it was claimed, and leaves no trace in the archive.
	previewRetry = 3
	activePage   = 200
	queuesKey    = "asynq:queues"
)

// Client implements [jobs.Queue] on a Redis client that the caller keeps and closes. Safe for concurrent use.
type Client struct {
	rdb       redis.UniversalClient
	client    *asynq.Client
	inspector *asynq.Inspector
}

// NewClient makes a client.
func NewClient(rdb redis.UniversalClient) *Client {
	return &Client{rdb: rdb, client: asynq.NewClientFromRedisClient(rdb), inspector: asynq.NewInspectorFromRedisClient(notes{rdb})}
}

// Enqueue implements [jobs.Queue]. The task's id is made of its kind, id and generation, so a conflict is our own earlier
// call; whether that task will be handed out depends on where it is.
func (c *Client) Enqueue(ctx context.Context, t jobs.Task) (jobs.Enqueued, error) {
	task := asynq.NewTask(string(t.Line), encode(t))
	_, err := c.client.EnqueueContext(ctx, task, asynq.Queue(queueOf(t.Line)), asynq.TaskID(taskID(t)),
		asynq.MaxRetry(retries(t.Line)), asynq.Timeout(taskTimeout))
	switch {
	case errors.Is(err, asynq.ErrTaskIDConflict):
		return c.whereabouts(t)
	case err != nil:
		return "", jobs.ErrStoreUnavailable.Because(fmt.Errorf("enqueue: %w", err))
	}
	return jobs.Rang, nil
}

// whereabouts says whether a task that asynq holds will still be handed out.
func (c *Client) whereabouts(t jobs.Task) (jobs.Enqueued, error) {
	info, err := c.inspector.GetTaskInfo(queueOf(t.Line), taskID(t))
	switch {
	case errors.Is(err, asynq.ErrTaskNotFound), errors.Is(err, asynq.ErrQueueNotFound):
		return jobs.Waiting, nil // it ended in the meantime; the next look will tell
	case err != nil:
		return "", jobs.ErrStoreUnavailable.Because(fmt.Errorf("inspect task: %w", err))
	}
	if info.State == asynq.TaskStatePending {
		return jobs.Waiting, nil
	}
	// That of a retry is over in a second, unless whoever set its time had a clock that is ahead, and died.
	return jobs.Detached, nil
}

// Slots implements [jobs.Queue]: the concurrency of all servers that asynq has heard of lately.
func (c *Client) Slots(_ context.Context, line jobs.Line) (int, error) {
	servers, err := c.inspector.Servers()
	if err != nil {
		return 0, jobs.ErrStoreUnavailable.Because(fmt.Errorf("list servers: %w", err))
	}
	slots := 0
	for _, s := range servers {
		if _, ok := s.Queues[queueOf(line)]; ok {
			slots += s.Concurrency
		}
	}
	return slots, nil
}

// Active implements [jobs.Queue].
func (c *Client) Active(_ context.Context, line jobs.Line) ([]jobs.Task, error) {
	var tasks []jobs.Task
	for page := 1; ; page++ {
		infos, err := c.inspector.ListActiveTasks(queueOf(line), asynq.PageSize(activePage), asynq.Page(page))
		if errors.Is(err, asynq.ErrQueueNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, jobs.ErrStoreUnavailable.Because(fmt.Errorf("list active tasks: %w", err))
		}
		for _, info := range infos {
			if t, ok := decode(line, info.Payload); ok {
				tasks = append(tasks, t)
			}
		}
		if len(infos) < activePage {
			return tasks, nil
		}
	}
}

// Backlog implements [jobs.Queue]. It asks Redis itself: asynq's own way measures memory in a script, which some managed
// servers refuse.
func (c *Client) Backlog(ctx context.Context, line jobs.Line) (int, error) {
	prefix := "asynq:{" + queueOf(line) + "}:"
	var counts []*redis.IntCmd
	_, err := c.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		counts = append(counts, p.LLen(ctx, prefix+"pending"), p.ZCard(ctx, prefix+"scheduled"), p.ZCard(ctx, prefix+"retry"))
		return nil
	})
	if err != nil {
		return 0, jobs.ErrStoreUnavailable.Because(fmt.Errorf("count tasks: %w", err))
	}
	total := 0
	for _, n := range counts {
		total += int(n.Val())
	}
	return total, nil
}

// Announce implements [jobs.Queue]. Enqueue names a queue once in the life of a process; after a wipe the inspector would
// not find it.
func (c *Client) Announce(ctx context.Context, line jobs.Line) error {
	if err := c.rdb.SAdd(ctx, queuesKey, queueOf(line)).Err(); err != nil {
		return jobs.ErrStoreUnavailable.Because(fmt.Errorf("announce queue: %w", err))
	}
	return nil
}

// Withdraw implements [jobs.Queue].
func (c *Client) Withdraw(_ context.Context, t jobs.Task) error {
	info, err := c.inspector.GetTaskInfo(queueOf(t.Line), taskID(t))
	if err == nil && info.State != asynq.TaskStateActive {
		err = c.inspector.DeleteTask(queueOf(t.Line), taskID(t))
	}
	if err == nil || errors.Is(err, asynq.ErrTaskNotFound) || errors.Is(err, asynq.ErrQueueNotFound) {
		return nil
	}
	return jobs.ErrStoreUnavailable.Because(fmt.Errorf("withdraw task: %w", err))
}

// queueOf is asynq's name for the queue of a line. A server asks its queues one after the other, and one that does not answer holds up
// the rest; so those of all jobs are to be in one slot of a cluster. asynq makes the hash tag of a key by putting braces around the name of
// the queue, and the tag ends with the first one: "render}-high" lies where "render" does.
func queueOf(line jobs.Line) string {
	class, other := strings.CutPrefix(string(line), string(jobs.RenderLine)+"-")
	if !other {
		return string(line)
	}
	return string(jobs.RenderLine) + "}-" + class
}

func retries(line jobs.Line) int {
	if line == jobs.PreviewLine {
		return previewRetry
	}
	return maxRetry
}

func taskID(t jobs.Task) string {
	kind, _, _ := strings.Cut(string(t.ID), "_")
	return fmt.Sprintf("%s:%s:%d", kind, t.ID, t.Generation)
}

// encode is "<id> <generation>": asynq writes every active payload anew every 5 s, so it is short.
func encode(t jobs.Task) []byte { return fmt.Appendf(nil, "%s %d", t.ID, t.Generation) }

func decode(line jobs.Line, payload []byte) (jobs.Task, bool) {
	id, gen, ok := strings.Cut(string(payload), " ")
	n, err := strconv.Atoi(gen)
	return jobs.Task{Line: line, ID: jobs.ID(id), Generation: n}, ok && err == nil
}
