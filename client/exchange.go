package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/platen-render/platen/api"
)

const (
	// maxAnswer bounds the JSON of an answer. A page of 200 jobs with 4 KiB of metadata each is far below.
	maxAnswer = 32 << 20
	// patience is how long one exchange may take, beyond what the server was asked to hold it.
	patience = time.Minute
)

var errPatience = errors.New("no answer in time")

// request is one HTTP request, ready to be sent any number of times.
type request struct {
	method, path string
	query        url.Values
	header       map[string]string
	body         []byte
	stream       io.Reader     // in place of body, and sent once
	once         bool          // repeating it could do its work twice
	held         time.Duration // how long the server was asked to hold the answer
}

// answer is a success, or a 304.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// unanswered is an exchange that did not come to its end: what it did at the server is not known.
type unanswered struct{ error }

func (u unanswered) Unwrap() error { return u.error }

// do sends a request until it is answered, and decodes the answer into out unless that is nil.
func (c *Client) do(ctx context.Context, req request, out any) (answer, error) {
	var got answer
	err := c.repeat(ctx, req.once, func() error {
		var err error
		got, err = c.exchange(ctx, req)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	return got, req.decode(got, out)
}

// decode reads an answer into out, unless that is nil or nothing has changed.
func (r request) decode(got answer, out any) error {
	if out == nil || got.status == http.StatusNotModified {
		return nil
	}
	if err := json.Unmarshal(got.body, out); err != nil {
		return fmt.Errorf("%s %s: decode the answer: %w", r.method, r.path, err)
	}
	dropNulls(out)
	return nil
}

// dropNulls makes metadata that is null the nil that package api promises; decoded raw JSON is the text "null".
func dropNulls(answer any) {
	switch a := answer.(type) {
	case *api.Job:
		dropNull(&a.Metadata)
	case *api.JobList:
		for i := range a.Data {
			dropNull(&a.Data[i].Metadata)
		}
	case *api.Batch:
		dropNull(&a.Metadata)
	case *api.BatchList:
		for i := range a.Data {
			dropNull(&a.Data[i].Metadata)
		}
	case *api.BatchItemList:
		for _, item := range a.Data {
			if item.Job != nil {
				dropNull(&item.Job.Metadata)
			}
		}
	}
}

func dropNull(metadata *json.RawMessage) {
	if string(*metadata) == "null" {
		*metadata = nil
	}
}

// exchange sends a request once and reads the whole answer.
func (c *Client) exchange(ctx context.Context, req request) (answer, error) {
	bounded, cancel := context.WithTimeoutCause(ctx, patience+req.held, errPatience)
	defer cancel()
	res, err := c.send(bounded, req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	body, err := readAnswer(bounded, res)
	if err != nil {
		return answer{}, err
	}
	return answer{res.StatusCode, res.Header, body}, nil
}

// send sends a request once. The caller closes the body of the answer, which is a success or a 304.
func (c *Client) send(ctx context.Context, req request) (*http.Response, error) {
	r, err := c.build(ctx, req)
	if err != nil {
		return nil, err
	}
	res, err := c.doer().Do(r)
	if err != nil {
		return nil, classify(ctx, err)
	}
	if res.StatusCode < http.StatusMultipleChoices || res.StatusCode == http.StatusNotModified {
		return res, nil
	}
	defer res.Body.Close()
	body, err := readAnswer(ctx, res)
	if err != nil {
		return nil, err
	}
	return nil, problem(res, body)
}

func (c *Client) build(ctx context.Context, req request) (*http.Request, error) {
	address, err := c.url(req.path, req.query)
	if err != nil {
		return nil, err
	}
	if !printable(c.Key) {
		return nil, argument("the key has characters that no key has")
	}
	body := req.stream
	if body == nil {
		body = bytes.NewReader(req.body)
	}
	r, err := http.NewRequestWithContext(ctx, req.method, address, body)
	if err != nil {
		return nil, argument("the request: %w", err)
	}
	r.Header.Set("Accept", "application/json, application/problem+json, */*;q=0.5")
	r.Header.Set("User-Agent", "platen-client")
	if c.Key != "" {
		r.Header.Set("Authorization", "Bearer "+c.Key)
	}
	for name, value := range req.header {
		r.Header.Set(name, value)
	}
	return r, nil
}

// classify turns what http.Client.Do returned into what it means: the end of ctx, a mistake that no repetition heals,
// or an exchange without an answer.
func classify(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errPatience) {
		return context.Cause(ctx)
	}
	if _, bad := errors.AsType[*tls.CertificateVerificationError](err); bad {
		return err
	}
	return unanswered{err}
}

func readAnswer(ctx context.Context, res *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		return nil, classify(ctx, fmt.Errorf("read the answer: %w", err))
	}
	if len(body) > maxAnswer {
		return nil, fmt.Errorf("the answer is larger than %d MiB", maxAnswer>>20)
	}
	return body, nil
}

// segment returns a path with an id in it. Ids are letters, digits and underscores; another text could lead to
// another route.
func segment(prefix, id, suffix string) (string, error) {
	allowed := func(r rune) bool {
		return r == '_' || r == '-' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
	}
	if id == "" || strings.ContainsFunc(id, func(r rune) bool { return !allowed(r) }) {
		return "", argument("%q is not an id", id)
	}
	return prefix + id + suffix, nil
}

// printable reports whether a header can hold text as it is.
func printable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}
