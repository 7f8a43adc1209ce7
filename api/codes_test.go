package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
)

func TestConstantsEqualTheEnumsOfTheSpec(t *testing.T) {
	t.Parallel()
	doc := load(t)
	property := func(schema, name string) *openapi3.Schema {
		return doc.Components.Schemas[schema].Value.Properties[name].Value
	}
	enums := map[string]*openapi3.Schema{
		"ErrorCode":      doc.Components.Schemas["ErrorCode"].Value,
		"JobErrorCode":   doc.Components.Schemas["JobErrorCode"].Value,
		"JobStatus":      doc.Components.Schemas["JobStatus"].Value,
		"BatchStatus":    doc.Components.Schemas["BatchStatus"].Value,
		"StreamEvent":    doc.Components.Schemas["StreamEvent"].Value,
		"ItemStatus":     doc.Components.Schemas["ItemStatus"].Value,
		"EntryStatus":    doc.Components.Schemas["EntryStatus"].Value,
		"DocumentStatus": doc.Components.Schemas["DocumentStatus"].Value,
		"DeliveryStatus": doc.Components.Schemas["DeliveryStatus"].Value,
		"EventType":      doc.Components.Schemas["EventType"].Value,
		"Scope":          doc.Components.Schemas["Scope"].Value,
		"ReplayStatus":   doc.Components.Schemas["ReplayStatus"].Value,
		"NumberStatus":   doc.Components.Schemas["NumberStatus"].Value, "VerificationStatus": doc.Components.Schemas["VerificationStatus"].Value,
		"AlteredPart":    doc.Components.Schemas["AlteredPart"].Value,
		"AttemptOutcome": property("DeliveryAttempt", "outcome"),
		"HealthStatus":   property("Health", "status"),
		"Engine":         property("JobRequest", "engine"),
		"Priority":       property("Job", "priority"),
		"Format":         property("Output", "format"),
		"StoredBytes":    property("Rerender", "stored"),
	}
	constants := typedConstants(t)
	for name, schema := range enums {
		if diff := cmp.Diff(constants[name], enumValues(t, schema)); diff != "" {
			t.Errorf("%s (-constants +enum):\n%s", name, diff)
		}
	}
	for name := range constants {
		if enums[name] == nil {
			t.Errorf("constants of type %s are held to no enum", name)
		}
	}
}

// typedConstants reads from the package's source the values of its string constants that have a type of their
// own, by type and sorted.
func typedConstants(t *testing.T) map[string][]string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	constants := map[string][]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			name, typed := spec.Type.(*ast.Ident)
			literal, plain := spec.Values[0].(*ast.BasicLit)
			if !typed || !plain || literal.Kind != token.STRING {
				return true
			}
			value, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			constants[name.Name] = append(constants[name.Name], value)
			return true
		})
	}
	for _, values := range constants {
		slices.Sort(values)
	}
	return constants
}
