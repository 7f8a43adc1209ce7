package dev

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/examples"
	"github.com/platen-render/platen/internal/settings"
	"github.com/platen-render/platen/webhook"
)

const demoTimeout = 2 * time.Minute

// errNoWorker ends the demo. Why it is so has been shown before.
var errNoWorker = errors.New("the worker takes no work, as said above")

// demo does the main job once, in the open: it submits the example invoice, watches it, takes the callback and saves the
// document, whose id it returns. Where the worker takes no work it ends at once.
func (d *installation) demo(ctx context.Context) (document string, err error) {
	ctx, cancel := context.WithTimeout(ctx, demoTimeout)
	defer cancel()
	ctx, giveUp := context.WithCancelCause(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-d.ill:
			giveUp(errNoWorker)
		case <-ctx.Done():
		}
	}()
	defer func() {
		giveUp(nil)
		<-watched
	}()
	receiver, err := d.receive(ctx)
	if err != nil {
		return "", err
	}
	defer receiver.close()
	job, err := d.make(ctx, receiver.url)
	if err != nil {
		return "", err
	}
	select {
	case event := <-receiver.events:
		d.line("          callback %s verified: %s, document %s", event.ID, event.Type, event.Data.DocumentID)
		return job.DocumentID, nil
	case <-ctx.Done():
		return job.DocumentID, errors.New("the callback did not come")
	}
}

// make has the example invoice made, and saves it.
func (d *installation) make(ctx context.Context, callback string) (api.Job, error) {
	headers := &lastHeaders{next: http.DefaultTransport}
	c := &client.Client{BaseURL: localURL(d.cfg), Key: d.state.Key, HTTP: &http.Client{Transport: headers}}
	page := string(examples.Invoice)
	sent, err := c.Submit(ctx, client.Submission{Request: api.JobRequest{HTML: &page, CallbackURL: &callback}})
	if err != nil {
		return api.Job{}, fmt.Errorf("submit: %w", err)
	}
	d.line("demo      POST /jobs with examples/invoice.html: %s, Location %s, Retry-After %s",
		headers.status, headers.header.Get("Location"), headers.header.Get("Retry-After"))
	job, err := c.Wait(ctx, sent.Job.ID, func(j api.Job) { d.line("          %s %s, %d %%", j.ID, j.Status, j.Progress) })
	if err != nil {
		return job, fmt.Errorf("wait for %s: %w", sent.Job.ID, err)
	}
	if job.Status != api.JobSucceeded || job.Result == nil {
		return job, fmt.Errorf("job is %s: %s", job.Status, reason(job))
	}
	path := filepath.Join(d.dir, "demo", "invoice.pdf")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return job, fmt.Errorf("save: %w", err)
	}
	if _, err := c.DownloadFile(ctx, job.DocumentID, path); err != nil {
		return job, fmt.Errorf("download: %w", err)
	}
	d.line("          saved %s, %d page, sha256 %.12s…", relative(path), job.Result.Pages, job.Result.SHA256)
	return job, nil
}

func reason(j api.Job) string {
	if j.Error == nil {
		return "no reason given"
	}
	return string(j.Error.Code) + ": " + j.Error.Detail
}

// lastHeaders remembers the answer to the first request: the 202 that the demo shows.
type lastHeaders struct {
	next   http.RoundTripper
	status string
	header http.Header
}

// RoundTrip implements [http.RoundTripper]. The demo sends one request after the other.
func (l *lastHeaders) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := l.next.RoundTrip(req)
	if err == nil && req.Method == http.MethodPost {
		l.status, l.header = res.Status, res.Header
	}
	return res, err
}

// answerTimeout is how long an answer to a callback may take to leave.
const answerTimeout = 5 * time.Second

// receiver takes callbacks on a free port of the loopback.
type receiver struct {
	url    string
	events chan webhook.Event
	close  func()
}

func (d *installation) receive(ctx context.Context) (*receiver, error) {
	secrets, err := settings.CallbackSecrets(d.state.CallbackSecret)
	if err != nil {
		return nil, fmt.Errorf("PLATEN_CALLBACK_SECRET: %w", err)
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the callback: %w", err)
	}
	r := &receiver{url: "http://" + ln.Addr().String() + "/callback", events: make(chan webhook.Event, 16)}
	server := &http.Server{ReadHeaderTimeout: demoTimeout, Handler: &webhook.Handler{
		Secrets: secrets,
		Handle: func(_ context.Context, e webhook.Event) error {
			select {
			case r.events <- e:
			default: // repeated far more often than a demo needs
			}
			return nil
		},
	}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(ln) // ends with ErrServerClosed
	}()
	r.close = func() {
		// The answer to the callback may not have left yet, and without it Platen would call again.
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), answerTimeout)
		defer stop()
		_ = server.Shutdown(ctx)
		_ = server.Close() // what is still open belongs to nobody
		<-done
	}
	return r, nil
}
