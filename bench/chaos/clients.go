package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// told is everything that the clients were told and hold the server to.
type told struct {
	mu       sync.Mutex
	jobs     map[string]bool   // accepted, by id
	byKey    map[string]string // the job of each idempotency key
	keys     map[string]string // the idempotency key of each job
	byDoc    map[string]string // the document of each document key
	canceled map[string]bool   // jobs whose cancellation was confirmed at once
	batches  []toldBatch       // accepted
	refusals int               // batches that were refused
	broken   []string          // promises broken in the face of a client
}

func newTold() *told {
	return &told{jobs: map[string]bool{}, byKey: map[string]string{}, keys: map[string]string{}, byDoc: map[string]string{}, canceled: map[string]bool{}}
}

// note remembers an answer, and whether it contradicts an earlier one.
func (t *told) note(key, documentKey string, j api.Job) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.jobs[j.ID] = true
	if before, ok := t.byKey[key]; ok && before != j.ID {
		t.broken = append(t.broken, fmt.Sprintf("key %s gave job %s and job %s", key, before, j.ID))
	}
	t.byKey[key], t.keys[j.ID] = j.ID, key
	if documentKey == "" {
		return
	}
	if before, ok := t.byDoc[documentKey]; ok && before != j.DocumentID {
		t.broken = append(t.broken, fmt.Sprintf("document key %s gave document %s and document %s", documentKey, before, j.DocumentID))
	}
	t.byDoc[documentKey] = j.DocumentID
}

// customer submits until ctx ends. Whatever goes wrong it asks again, with the same key, at another server.
type customer struct {
	name    string
	random  *rand.Rand
	servers []*client.Client
	told    *told
	url     string // of the receiver
	pages   []page
	idle    time.Duration // between submissions, on average
	past    []work        // that it may submit again
}

// work is one thing that a customer wants: a page of its own, or its stored template, filled in with the key.
type work struct {
	key, documentKey, page string
	stored                 bool
}

// templateName is that of the one template of each customer.
const templateName = "invoice"

// request is what the customer sends for it.
func (w work) request(url string) api.JobRequest {
	r := api.JobRequest{CallbackURL: &url}
	if w.documentKey != "" {
		r.DocumentKey = &w.documentKey
	}
	if !w.stored {
		r.HTML = &w.page
		return r
	}
	r.Template, r.Strict = &api.Template{Name: new(templateName)}, new(true)
	r.Data = fmt.Appendf(nil, `{"key": %q}`, w.key)
	return r
}

// prepare stores the template. A customer that begins while nothing answers tries until something does.
func (c *customer) prepare(ctx context.Context) {
	for ctx.Err() == nil {
		if _, _, err := c.server().PutTemplate(ctx, templateName, api.TemplateRequest{HTML: new("<p>Invoice {{.key}}</p>")}); err == nil {
			return
		}
		pause(ctx, 50*time.Millisecond)
	}
}

// page is what a customer submits, and how often.
type page struct {
	weight int
	html   string
}

// pagesFor are the pages for each engine; the test engine takes orders from comments.
var pagesFor = map[string][]page{
	testEngineName: {
		{64, "<p>Invoice %s</p>"},
		{10, "<p>Invoice %s</p><!-- rendertest:sleep=50ms -->"},
		{1, "<p>Invoice %s</p><!-- rendertest:sleep=2s -->"},
		{8, "<p>Invoice %s</p><!-- rendertest:fail=page_failed -->"},
		{8, "<p>Invoice %s</p><!-- once:busy -->"},
		{6, "<p>Invoice %s</p><!-- once:engine_lost -->"},
		{3, "<p>Invoice %s</p><!-- rendertest:panic -->"},
	},
	"chromium": {
		{8, "<p>Invoice %s</p>"},
		{2, "<h1>Invoice %s</h1><table><tr><td>one</td><td>1.10</td></tr></table><p style='break-before:page'>Terms</p>"},
	},
}

func (c *customer) run(ctx context.Context) {
	c.prepare(ctx)
	for n := 0; ctx.Err() == nil; n++ {
		w := c.choose(n)
		c.submit(ctx, w)
		pause(ctx, c.idle/2+time.Duration(c.random.Int64N(int64(c.idle))))
	}
}

// choose makes up new work, or takes old work again.
func (c *customer) choose(n int) work {
	if len(c.past) > 0 && c.random.Float64() < 0.15 {
		return c.past[c.random.IntN(len(c.past))]
	}
	if c.random.Float64() < 0.1 {
		return sharedWork(c.name, c.random.IntN(n/5+1))
	}
	w := work{key: fmt.Sprintf("%s-%d", c.name, n), stored: c.random.Float64() < 0.2}
	if c.random.Float64() < 0.5 {
		w.documentKey = "invoice:" + w.key
	}
	w.page = fmt.Sprintf(choosePage(c.random, c.pages), w.key)
	if c.past = append(c.past, w); len(c.past) > 200 {
		c.past = c.past[1:]
	}
	return w
}

// sharedWork is one of the documents that the customer of a tenant and its clerk both submit.
func sharedWork(name string, n int) work {
	w := work{key: fmt.Sprintf("%s%s%d", name, sharedMark, n)}
	w.documentKey, w.page = "invoice:"+w.key, fmt.Sprintf("<p>Invoice %s</p>", w.key)
	return w
}

// sharedMark is in the document keys of shared work.
const sharedMark = "-shared-"

func isShared(documentKey string) bool { return strings.Contains(documentKey, sharedMark) }

// choosePage picks one by weight.
func choosePage(random *rand.Rand, pages []page) string {
	total := 0
	for _, p := range pages {
		total += p.weight
	}
	pick := random.IntN(total)
	for _, p := range pages {
		if pick -= p.weight; pick < 0 {
			return p.html
		}
	}
	return ""
}

// submit insists until it is told a job: an answer in the 200s. Any other, not_replicated too, promises nothing. Now and then it cancels that job again.
func (c *customer) submit(ctx context.Context, w work) {
	sub := client.Submission{Request: w.request(c.url), IdempotencyKey: w.key}
	for ctx.Err() == nil {
		got, err := c.server().Submit(ctx, sub)
		if err == nil {
			c.told.note(w.key, w.documentKey, got.Job)
			if c.random.Float64() < 0.05 {
				c.cancel(ctx, got.Job.ID)
			}
			return
		}
		pause(ctx, 50*time.Millisecond)
	}
}

func (c *customer) cancel(ctx context.Context, id string) {
	j, err := c.server().Cancel(ctx, id)
	if err == nil && j.Status == api.JobCanceled {
		c.told.mu.Lock()
		c.told.canceled[id] = true
		c.told.mu.Unlock()
	}
}

func (c *customer) server() *client.Client { return c.servers[c.random.IntN(len(c.servers))] }
