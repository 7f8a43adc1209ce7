// Package client talks to a Platen server: it submits jobs, waits for them, and fetches and checks the documents. It
// needs only the standard library and the wire types of package api. This page is the manual.
//
// # In short
//
//	c := &client.Client{BaseURL: "http://127.0.0.1:8080", Key: os.Getenv("PLATEN_KEY")}
//	page := "<h1>Invoice INV-2026-00417</h1>"
//	number := "invoice:2026-00417"
//	sent, err := c.Submit(ctx, client.Submission{Request: api.JobRequest{HTML: &page, DocumentKey: &number}})
//	if err != nil { … }
//	job, err := c.Wait(ctx, sent.Job.ID, nil)
//	if err != nil { … }
//	if job.Status != api.JobSucceeded { … job.Error says why … }
//	document, err := c.DownloadFile(ctx, job.DocumentID, "invoice.pdf")
//
// # What you can rely on
//
//   - Nothing is issued twice because of this package. [Client.Submit], [Client.SubmitBatch] and the retries send an
//     Idempotency-Key, one that they make when you give none, and repeat the very same bytes under the same key.
//   - A request that got no answer, or the answer 429, 502, 503 or 504, is repeated with growing pauses, Retry-After
//     included, for as long as [Client.RetryFor] allows. What would be done twice is sent once: making an API key or a
//     secret, and beginning a replay of many deliveries.
//   - A document is handed over only after its sha256 was found to be the one of the document's record.
//   - The key goes to BaseURL and nowhere else: addresses in answers are not followed, nor are redirects.
//   - Members of an answer that this version does not know are ignored.
//
// # Errors
//
// An answer that is not a success is a [*Problem]; [HasCode] tells which. Other errors are those of the network, of the
// context, and of arguments that cannot be sent. A job that failed is no error: look at its Status.
package client

import (
	"net/http"
	"net/url"
	"strings"
	"time"
)

// DefaultRetryFor is how long requests are repeated when [Client.RetryFor] is zero.
const DefaultRetryFor = time.Minute

// Client is a connection to one server as one tenant. Set the fields before the first use; after that it is safe for
// concurrent use.
type Client struct {
	// BaseURL is where the server is, as in "https://platen.example.com". A path in front of the routes is kept.
	BaseURL string
	// Key is an API key, or for the methods about keys the server's bootstrap key.
	Key string
	// HTTP sends the requests; nil means one on [http.DefaultTransport]. A Timeout in it also ends long downloads and
	// long polls (up to [api.MaxWaitSeconds]), so leave it zero: this package bounds each exchange by itself.
	HTTP *http.Client
	// RetryFor bounds how long one request is repeated, pauses included. Zero means [DefaultRetryFor]; a negative one
	// means that nothing is repeated.
	RetryFor time.Duration
	// Retrying, when not nil, is told before each pause what went wrong and how long the pause is.
	Retrying func(cause error, pause time.Duration)
}

// doer returns the HTTP client to use. It follows no redirect: the key is meant for BaseURL only.
func (c *Client) doer() *http.Client {
	doer := http.Client{}
	if c.HTTP != nil {
		doer = *c.HTTP
	}
	doer.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &doer
}

// url returns the address of a path, or an ErrArgument when BaseURL is none.
func (c *Client) url(path string, query url.Values) (string, error) {
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return "", argument("the base URL: %w", err)
	}
	if (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" {
		return "", argument("the base URL %q is not like https://host", base.Redacted())
	}
	if base.RawQuery != "" || base.Fragment != "" {
		return "", argument("the base URL %q has a query or a fragment", base.Redacted())
	}
	base.Path = strings.TrimRight(base.Path, "/") + path
	base.RawQuery = query.Encode()
	return base.String(), nil
}
