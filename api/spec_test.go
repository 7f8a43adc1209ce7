package api_test

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/spectest"
)

func TestTheSpecAndItsExamplesAreValid(t *testing.T) {
	t.Parallel()
	if err := validate(t, api.Spec); err != nil {
		t.Fatal(err)
	}
}

func TestAnExampleThatDoesNotFitItsSchemaIsNoticed(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"media type": {"examples: {alive: {summary: Alive, value: {status: ok, checks: []}}}", "examples: {alive: {summary: Alive, value: {status: fine, checks: []}}}"},
		"component":  {"number: 1, started_at: '2026-03-02T09:15:00.341Z'", "number: 0, started_at: '2026-03-02T09:15:00.341Z'"},
		"webhook":    {"sequence: 1\n", "sequence: 0\n"},
		"request":    {"output: {format: png, full_page: false}", "output: {format: gif, full_page: false}"},
		"null":       {"checks: [{name: redis, status: ok, detail: null}, {name: blobs", "checks: [{name: null, status: ok, detail: null}, {name: blobs"},
		"extra":      {"value: {expires_in_seconds: 86400}", "value: {expires_in_seconds: 86400, more: 1}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			broken := bytes.Replace(api.Spec, []byte(change[0]), []byte(change[1]), 1)
			if bytes.Equal(broken, api.Spec) {
				t.Fatal("the spec does not contain what this test changes")
			}
			if err := validate(t, broken); err == nil {
				t.Error("the broken example went through")
			}
		})
	}
}

func TestEveryOperationIsDescribed(t *testing.T) {
	t.Parallel()
	ids := map[string]bool{}
	for name, op := range operations(load(t)) {
		if op.OperationID == "" || ids[op.OperationID] {
			t.Errorf("%s: operationId %q is missing or taken", name, op.OperationID)
		}
		ids[op.OperationID] = true
		if op.Summary == "" || len(op.Tags) == 0 {
			t.Errorf("%s: no summary or no tag", name)
		}
		if op.Responses.Default() != nil {
			t.Errorf("%s: has a default response, which hides statuses", name)
		}
		for status, response := range op.Responses.Map() {
			if _, err := strconv.Atoi(status); err != nil {
				t.Errorf("%s: status %q is not a single one", name, status)
			}
			if *response.Value.Description == "" {
				t.Errorf("%s: %s has no description", name, status)
			}
			if id := response.Value.Headers["X-Request-Id"]; id == nil || !id.Value.Required {
				t.Errorf("%s: %s does not carry X-Request-Id", name, status)
			}
		}
		if op.Responses.Value("500") == nil {
			t.Errorf("%s: does not list 500", name)
		}
	}
}

func TestEverySecuredOperationListsItsRefusalsAndItsScope(t *testing.T) {
	t.Parallel()
	for name, op := range operations(load(t)) {
		if op.Security == nil {
			t.Errorf("%s: does not say what security it needs", name)
			continue
		}
		open := len(*op.Security) == 0
		for _, status := range []string{"401", "403"} {
			if listed := op.Responses.Value(status) != nil; listed == open {
				t.Errorf("%s: open is %v and %s listed is %v", name, open, status, listed)
			}
		}
		if open {
			continue
		}
		scopes := (*op.Security)[0]["bearer"]
		if len(scopes) != 1 {
			t.Errorf("%s: scopes %q, want one", name, scopes)
			continue
		}
		if want := fmt.Sprintf("`%s`", scopes[0]); !strings.Contains(op.Description, want) && op.OperationID != "headDocumentContent" {
			t.Errorf("%s: the description does not name the scope %s", name, want)
		}
		if challenge := op.Responses.Value("401").Value.Headers["WWW-Authenticate"]; challenge == nil || !challenge.Value.Required {
			t.Errorf("%s: 401 without WWW-Authenticate", name)
		}
	}
}

func TestEveryErrorIsAProblemWithCodes(t *testing.T) {
	t.Parallel()
	for name, op := range operations(load(t)) {
		for status, response := range op.Responses.Map() {
			r := response.Value
			if status < "400" || name == "GET /readyz" && status == "503" {
				if len(spectest.Codes(r)) > 0 {
					t.Errorf("%s: %s is no problem and has x-codes", name, status)
				}
				continue
			}
			content := r.Content.Get(api.ProblemType)
			kinds := 1
			if strings.HasSuffix(name, " /verify/{id}") {
				kinds = 2 // it is a page for people, too
			}
			if content == nil || content.Schema.Ref != "#/components/schemas/Problem" || len(r.Content) != kinds {
				t.Errorf("%s: %s is not a problem", name, status)
			}
			if len(spectest.Codes(r)) == 0 {
				t.Errorf("%s: %s has no x-codes", name, status)
			}
			if retry := r.Headers["Retry-After"]; status == "503" && (retry == nil || !retry.Value.Required) {
				t.Errorf("%s: 503 without Retry-After", name)
			}
		}
	}
}

func TestEveryOperationWithABodyListsWhatCanBeWrongWithIt(t *testing.T) {
	t.Parallel()
	for name, op := range operations(load(t)) {
		if op.RequestBody == nil {
			continue
		}
		for _, status := range []string{"400", "413", "415", "422"} {
			if op.Responses.Value(status) == nil {
				t.Errorf("%s: does not list %s", name, status)
			}
		}
	}
}

func TestEveryObjectSaysWhatElseItMayHold(t *testing.T) {
	t.Parallel()
	for name, ref := range load(t).Components.Schemas {
		s := ref.Value
		if !s.Type.Is(openapi3.TypeObject) {
			continue
		}
		if may := s.AdditionalProperties.Has; may == nil || *may {
			t.Errorf("%s: additionalProperties is not false", name)
		}
	}
}

func TestEveryCodeHasOneStatusEverywhere(t *testing.T) {
	t.Parallel()
	doc := load(t)
	// What the table in the prose says …
	documented := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| (\\d{3}) \\| .+ \\|$").FindAllStringSubmatch(doc.Components.Schemas["ErrorCode"].Value.Description, -1) {
		documented[row[1]] = row[2]
	}
	// … and what the responses say.
	listed := map[string]string{}
	collect := func(status string, r *openapi3.Response) {
		for _, code := range spectest.Codes(r) {
			if earlier, ok := listed[code]; ok && earlier != status {
				t.Errorf("%s belongs to %s and to %s", code, earlier, status)
			}
			listed[code] = status
		}
	}
	for _, op := range operations(doc) {
		for status, r := range op.Responses.Map() {
			collect(status, r.Value)
		}
	}
	collect("404", doc.Components.Responses["RouteNotFound"].Value)
	collect("405", doc.Components.Responses["MethodNotAllowed"].Value)

	if diff := cmp.Diff(documented, listed); diff != "" {
		t.Errorf("the table and the responses differ (-table +responses):\n%s", diff)
	}
	enum := enumOf(t, doc, "ErrorCode")
	if diff := cmp.Diff(slices.Sorted(maps.Keys(documented)), enum); diff != "" {
		t.Errorf("the table and the enum differ (-table +enum):\n%s", diff)
	}
}

func TestTheProseOfJobErrorsNamesEachCode(t *testing.T) {
	t.Parallel()
	doc := load(t)
	var documented []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| .+ \\|$").FindAllStringSubmatch(doc.Components.Schemas["JobErrorCode"].Value.Description, -1) {
		documented = append(documented, row[1])
	}
	slices.Sort(documented)
	if diff := cmp.Diff(documented, enumOf(t, doc, "JobErrorCode")); diff != "" {
		t.Errorf("the table and the enum differ (-table +enum):\n%s", diff)
	}
}

// loaded is the spec, parsed once; the tests only read it.
var loaded = sync.OnceValues(func() (*openapi3.T, error) { return openapi3.NewLoader().LoadFromData(api.Spec) })

func load(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func validate(t *testing.T, spec []byte) error {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(spec)
	if err != nil {
		return err
	}
	return doc.Validate(t.Context(), openapi3.EnableMultiError(), openapi3.EnableSchemaFormatValidation())
}

// operations returns every operation below paths by "METHOD /path".
func operations(doc *openapi3.T) map[string]*openapi3.Operation {
	ops := map[string]*openapi3.Operation{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			ops[method+" "+path] = op
		}
	}
	return ops
}

// enumOf returns the values of a schema's enum, sorted.
func enumOf(t *testing.T, doc *openapi3.T, name string) []string {
	t.Helper()
	ref := doc.Components.Schemas[name]
	if ref == nil {
		t.Fatalf("no schema %s", name)
	}
	return enumValues(t, ref.Value)
}

func enumValues(t *testing.T, s *openapi3.Schema) []string {
	t.Helper()
	values := make([]string, 0, len(s.Enum))
	for _, v := range s.Enum {
		if v == nil {
			continue
		}
		text, ok := v.(string)
		if !ok {
			t.Fatalf("enum value %v is not a string", v)
		}
		values = append(values, text)
	}
	slices.Sort(values)
	return values
}
