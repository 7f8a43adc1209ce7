package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// clerk uploads batches until ctx ends, and insists on each until it is told what became of it: that it was accepted, or refused as a
// whole. Some uploads are cut on the way, some batches are canceled, and what failed of some is run again.
type clerk struct {
	name    string
	random  *rand.Rand
	servers []*client.Client
	http    http.Client // for uploads that the client of this project would not cut
	told    *told
	url     string
	pages   []page
	idle    time.Duration
}

// batch is one upload.
type batch struct {
	key   string
	lines [][]byte
	keys  []string // document keys, "" for none
	bad   int      // the index of an item that no server takes, or -1
}

// Sizes of batches, and how much of what is done to them.
const (
	batchItems   = 40
	badShare     = 0.15
	cutShare     = 0.3
	cancelShare  = 0.1
	rerunShare   = 0.3
	sharedShare  = 0.2
	finishWithin = 2 * time.Minute
	answerWithin = 30 * time.Second
)

func (c *clerk) run(ctx context.Context) {
	// What was begun is ended when the faults are over: an upload that nobody seals would keep its document keys for an hour.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishWithin+time.Minute)
	defer cancel()
	for n := 0; ctx.Err() == nil; n++ {
		c.submit(last, c.make(n))
		pause(ctx, 10*c.idle+time.Duration(c.random.Int64N(int64(20*c.idle))))
	}
}

// make makes up a batch.
func (c *clerk) make(n int) batch {
	b := batch{key: fmt.Sprintf("%s-batch-%d", c.name, n), bad: -1}
	header := api.BatchRequest{
		WebhookURL: &c.url, WebhookEvents: []string{"batch.completed", "job.succeeded", "job.failed", "job.canceled"},
		Metadata: fmt.Appendf(nil, `{"batch":%d}`, n),
	}
	line, _ := json.Marshal(header) // strings always encode
	b.lines = append(b.lines, line)
	size := 1 + c.random.IntN(batchItems)
	if c.random.Float64() < badShare {
		b.bad = c.random.IntN(size)
	}
	for i := range size {
		w := c.item(n, i)
		if w.documentKey != "" && slices.Contains(b.keys, w.documentKey) {
			w = c.own(n, i)
		}
		b.add(w, i == b.bad)
	}
	return b
}

// item is mostly a page of its own, now and then one that the customer of the tenant submits, too.
func (c *clerk) item(n, i int) work {
	if c.random.Float64() < sharedShare {
		return sharedWork(c.name, c.random.IntN(10*n+1))
	}
	return c.own(n, i)
}

// own is a page that nobody else submits, mostly with a document key.
func (c *clerk) own(n, i int) work {
	w := work{key: fmt.Sprintf("%s-%d-%d", c.name, n, i)}
	if c.random.Float64() < 0.8 {
		w.documentKey = "payslip:" + w.key
	}
	w.page = fmt.Sprintf(choosePage(c.random, c.pages), w.key)
	return w
}

// label is the metadata of an item: what its document is about.
type label struct {
	Key string `json:"key"`
}

func (b *batch) add(w work, bad bool) {
	item := map[string]any{"html": w.page, "metadata": label{w.key}}
	if w.documentKey != "" {
		item["document_key"] = w.documentKey
	}
	if bad {
		item["output"] = map[string]any{"paper": "a77"}
	}
	line, _ := json.Marshal(item)
	b.lines, b.keys = append(b.lines, line), append(b.keys, w.documentKey)
}

var errRefused = errors.New("refused")

// submit insists until it is told.
func (c *clerk) submit(ctx context.Context, b batch) {
	for ctx.Err() == nil {
		body := append(bytes.Join(b.lines, []byte("\n")), '\n')
		if c.random.Float64() < cutShare {
			body = body[:c.random.IntN(len(body))]
			_, _ = c.upload(ctx, b.key, &cut{bytes.NewReader(body)})
			continue
		}
		got, err := c.upload(ctx, b.key, bytes.NewReader(body))
		switch {
		case errors.Is(err, errRefused):
			c.told.refused(b, err)
			return
		case err == nil:
			c.told.batch(b, got)
			c.meddle(ctx, got.ID)
			return
		}
		pause(ctx, 50*time.Millisecond)
	}
}

// cut is a body that ends with an error instead of its end.
type cut struct{ io.Reader }

func (c *cut) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		err = errCut
	}
	return n, err
}

var errCut = errors.New("the line was cut")

// upload sends a batch once. A refusal of its items is errRefused.
func (c *clerk) upload(ctx context.Context, key string, body io.Reader) (api.Batch, error) {
	server := c.servers[c.random.IntN(len(c.servers))]
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.BaseURL+"/batches", struct{ io.Reader }{body})
	if err != nil {
		return api.Batch{}, err
	}
	req.Header.Set("Authorization", "Bearer "+server.Key)
	req.Header.Set("Content-Type", "application/x-ndjson")
	req.Header.Set("Idempotency-Key", key)
	res, err := c.http.Do(req)
	if err != nil {
		return api.Batch{}, err
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	switch {
	case err != nil:
		return api.Batch{}, err
	case res.StatusCode == http.StatusUnprocessableEntity:
		return api.Batch{}, fmt.Errorf("%w: %s", errRefused, text)
	case res.StatusCode != http.StatusAccepted && res.StatusCode != http.StatusOK:
		return api.Batch{}, fmt.Errorf("%d: %s", res.StatusCode, text)
	}
	var got api.Batch
	err = json.Unmarshal(text, &got)
	return got, err
}

// meddle cancels a batch, or runs again what failed of it once it has ended. What becomes of the wish is not insisted on.
func (c *clerk) meddle(ctx context.Context, id string) {
	chance := c.random.Float64()
	switch {
	case chance < cancelShare:
		c.ask(ctx, http.MethodDelete, "/batches/"+id, "")
	case chance < cancelShare+rerunShare:
		for range 40 {
			if c.ask(ctx, http.MethodPost, "/batches/"+id+"/retry", "again "+id) == http.StatusAccepted {
				return
			}
			pause(ctx, 50*time.Millisecond)
		}
	}
}

// ask makes a request without a body and returns the status, or 0.
func (c *clerk) ask(ctx context.Context, method, path, key string) int {
	server := c.servers[c.random.IntN(len(c.servers))]
	req, err := http.NewRequestWithContext(ctx, method, server.BaseURL+path, http.NoBody)
	if err != nil {
		return 0
	}
	req.Header.Set("Authorization", "Bearer "+server.Key)
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return 0
	}
	_ = res.Body.Close()
	return res.StatusCode
}
