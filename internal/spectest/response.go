package spectest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"

	"github.com/platen-render/platen/api"
)

// checkResponse returns what the spec has against a response. Beyond kin-openapi it looks at HEAD and 304, which
// that one leaves alone, at bodies where there should be none, and into problems.
func checkResponse(ctx context.Context, req *openapi3filter.RequestValidationInput, res *http.Response, body []byte) []error {
	ref := req.Route.Operation.Responses.Status(res.StatusCode)
	if ref == nil {
		return []error{errors.New("the spec does not list this status")}
	}
	spec := ref.Value
	bodiless := req.Request.Method == http.MethodHead || len(spec.Content) == 0
	if bodiless {
		return checkBodiless(spec, res.Header, body)
	}

	in := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: req,
		Status:                 res.StatusCode,
		Header:                 res.Header,
		Options:                &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	}
	in.SetBodyBytes(body)
	if err := openapi3filter.ValidateResponse(ctx, in); err != nil {
		return []error{fmt.Errorf("the response does not match the spec: %w", err)}
	}
	page := spec.Content["text/html"] != nil && strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") // for people
	if spec.Content.Get(api.ProblemType) != nil && !page {
		return checkProblem(spec, res, body)
	}
	return nil
}

// checkBodiless checks the headers of a response that must not have a body.
func checkBodiless(spec *openapi3.Response, header http.Header, body []byte) []error {
	var findings []error
	if len(body) > 0 {
		findings = append(findings, fmt.Errorf("the response has a body of %d bytes and should have none", len(body)))
	}
	for name, ref := range spec.Headers {
		value := header.Get(name)
		switch {
		case value != "":
			if err := checkHeader(ref.Value, value); err != nil {
				findings = append(findings, fmt.Errorf("header %s: %w", name, err))
			}
		case ref.Value.Required:
			findings = append(findings, fmt.Errorf("header %s is missing", name))
		}
	}
	return findings
}

// checkHeader compares a value with the schema of its header: a string or an integer.
func checkHeader(spec *openapi3.Header, value string) error {
	var v any = value
	if spec.Schema.Value.Type.Is(openapi3.TypeInteger) {
		v = json.Number(value)
	}
	return spec.Schema.Value.VisitJSON(v, openapi3.EnableJSONSchema2020())
}

// checkProblem checks what a schema cannot say of a problem.
func checkProblem(spec *openapi3.Response, res *http.Response, body []byte) []error {
	var p api.Problem
	if err := json.Unmarshal(body, &p); err != nil {
		return []error{fmt.Errorf("problem: %w", err)}
	}
	var findings []error
	if codes := Codes(spec); !slices.Contains(codes, string(p.Code)) {
		findings = append(findings, fmt.Errorf("code %q is not one of %q", p.Code, codes))
	}
	if p.Status != res.StatusCode {
		findings = append(findings, fmt.Errorf("the problem's status is %d", p.Status))
	}
	if title := http.StatusText(res.StatusCode); p.Title != title {
		findings = append(findings, fmt.Errorf("the problem's title is %q, not %q", p.Title, title))
	}
	if id := res.Header.Get("X-Request-Id"); p.RequestID != id {
		findings = append(findings, fmt.Errorf("the problem's request_id is %q and X-Request-Id is %q", p.RequestID, id))
	}
	return findings
}

// Codes returns the codes that a response of the spec can carry: its x-codes.
func Codes(response *openapi3.Response) []string {
	listed, _ := response.Extensions["x-codes"].([]any)
	codes := make([]string, 0, len(listed))
	for _, code := range listed {
		if s, ok := code.(string); ok {
			codes = append(codes, s)
		}
	}
	return codes
}
