package spectest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// transport sends through base and checks what passes.
type transport struct {
	checker *Checker
	tb      testing.TB
	base    http.RoundTripper
}

func (tr *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	tr.tb.Helper()
	sent, err := drain(req.Body)
	if err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	res, err := tr.base.RoundTrip(withBody(req, sent))
	if err != nil {
		return nil, err
	}
	received, err := drain(res.Body)
	if err != nil {
		return nil, fmt.Errorf("read the response: %w", err)
	}
	res.Body = io.NopCloser(bytes.NewReader(received))

	for _, finding := range tr.checker.check(req.Context(), withBody(req, sent), res, received) {
		tr.tb.Errorf("%s %s (%d): %v", req.Method, req.URL.Path, res.StatusCode, finding)
	}
	return res, nil
}

// drain reads a body to its end and closes it.
func drain(body io.ReadCloser) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	data, err := io.ReadAll(body)
	if closeErr := body.Close(); err == nil {
		err = closeErr
	}
	return data, err
}

// withBody returns a copy of req with a body that has not been read yet.
func withBody(req *http.Request, body []byte) *http.Request {
	c := req.Clone(req.Context())
	if len(body) == 0 {
		c.Body = http.NoBody
		return c
	}
	c.Body = io.NopCloser(bytes.NewReader(body))
	return c
}

// check returns what the spec has against an exchange, and counts the answer as seen when that is nothing.
func (c *Checker) check(ctx context.Context, req *http.Request, res *http.Response, body []byte) []error {
	route, params, err := c.router.FindRoute(req)
	if err != nil {
		if !isInvalid(ctx) {
			return []error{fmt.Errorf("not in the spec: %w", err)}
		}
		route = c.unrouted(req.Method)
	}
	in := &openapi3filter.RequestValidationInput{
		Request: req, PathParams: params, Route: route,
		Options: &openapi3filter.Options{
			MultiError:                        true,
			SkipSettingDefaults:               true,
			RejectWhenRequestBodyNotSpecified: true,
			// A key is not part of a request's shape: without one the answer is a 401 that the spec lists.
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
		},
	}
	var findings []error
	if err := checkRequest(ctx, in, res.StatusCode); err != nil {
		findings = append(findings, err)
	}
	findings = append(findings, checkResponse(ctx, in, res, body)...)
	if len(findings) == 0 {
		c.see(route, res.StatusCode)
	}
	return findings
}

// checkRequest validates a request. One that is marked and wrong must have been refused.
func checkRequest(ctx context.Context, in *openapi3filter.RequestValidationInput, status int) error {
	err := openapi3filter.ValidateRequest(ctx, in)
	if err == nil {
		return nil
	}
	if !isInvalid(ctx) {
		return fmt.Errorf("the request does not match the spec: %w", err)
	}
	if status < http.StatusBadRequest {
		return fmt.Errorf("the spec refuses this request and the server accepted it: %w", err)
	}
	return nil
}

// unrouted is the route of a request whose path or method the spec does not have.
func (c *Checker) unrouted(method string) *routers.Route {
	responses := openapi3.NewResponses(
		openapi3.WithStatus(http.StatusNotFound, c.doc.Components.Responses["RouteNotFound"]),
		openapi3.WithStatus(http.StatusMethodNotAllowed, c.doc.Components.Responses["MethodNotAllowed"]),
	)
	return &routers.Route{
		Spec: c.doc, Path: "*", Method: method,
		PathItem:  &openapi3.PathItem{},
		Operation: &openapi3.Operation{Responses: responses, Security: openapi3.NewSecurityRequirements()},
	}
}

// Callback fails tb when a received callback, whose body has been read, is not as the spec's webhook says. It
// does not verify the signature.
func (c *Checker) Callback(tb testing.TB, req *http.Request, body []byte) {
	tb.Helper()
	if err := c.checkCallback(req, body); err != nil {
		tb.Errorf("callback: %v", err)
	}
}

func (c *Checker) checkCallback(req *http.Request, body []byte) error {
	item := c.doc.Webhooks["jobFinished"]
	if item == nil || item.Post == nil {
		return fmt.Errorf("the spec has no webhook jobFinished")
	}
	if req.Method != http.MethodPost {
		return fmt.Errorf("the method is %s", req.Method)
	}
	in := &openapi3filter.RequestValidationInput{
		Request: withBody(req, body),
		Route:   &routers.Route{Spec: c.doc, Path: "jobFinished", PathItem: item, Method: req.Method, Operation: item.Post},
		Options: &openapi3filter.Options{MultiError: true, SkipSettingDefaults: true},
	}
	// The request's own context may have ended with the handler that received it.
	return openapi3filter.ValidateRequest(context.WithoutCancel(req.Context()), in)
}
