package catalog_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/catalog"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/templates"
)

// parsed is a template with a schema.
func parsed(t *testing.T, schema string) *catalog.Template {
	t.Helper()
	content, err := catalog.Canonical(api.TemplateRequest{HTML: new("x"), Schema: json.RawMessage(schema)})
	if err != nil {
		t.Fatal(err)
	}
	template, err := catalog.Parse(content)
	if err != nil {
		t.Fatal(err)
	}
	return template
}

func pointers(err error) []string {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || !errors.Is(err, templates.ErrDataInvalid) {
		return nil
	}
	var all []string
	for _, field := range f.Fields {
		all = append(all, field.Pointer)
	}
	return all
}

func TestDataIsHeldAgainstTheSchema(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		schema, data string
		want         []string
	}{
		{`{"required":["a"]}`, `{"a":null}`, nil},
		{`{"required":["a/b~c","d"]}`, ``, []string{"/data/a~1b~0c", "/data/d"}},
		{`{"additionalProperties":false,"properties":{"a":{}}}`, `{"a":1,"b":2}`, []string{"/data/b"}},
		{`{"items":{"type":"number"}}`, `[1,"2",3,"4"]`, []string{"/data/1", "/data/3"}},
		{`{"anyOf":[{"type":"number"},{"required":["a"]}]}`, `"x"`, nil}, // required holds for objects only
		{`{"anyOf":[{"type":"number"},{"type":"null"}]}`, `"x"`, []string{"/data"}},
		{`{"properties":{"d":{"format":"date"}}}`, `{"d":"2026-02-30"}`, []string{"/data/d"}},
		{`{"properties":{"d":{"type":"string","format":"date"}}}`, `{"d":"2026-02-28"}`, nil},
		{`{"properties":{"n":{"multipleOf":0.01}}}`, `{"n":10.001}`, []string{"/data/n"}},
		{`{"properties":{"n":{"maximum":12345678901234567890}}}`, `{"n":12345678901234567891}`, []string{"/data/n"}},
		{`{"type":"integer"}`, `1.0`, nil},
		{`{"$defs":{"n":{"type":"number"}},"additionalProperties":{"$ref":"#/$defs/n"}}`, `{"a":1,"b":"x"}`, []string{"/data/b"}},
		{`{"not":{}}`, `1`, []string{"/data"}},
	} {
		err := parsed(t, c.schema).CheckData(t.Context(), json.RawMessage(c.data), "/data")
		if diff := cmp.Diff(c.want, pointers(err)); diff != "" || (err == nil) != (c.want == nil) {
			t.Errorf("%s with %s: %v\n%s", c.data, c.schema, err, diff)
		}
	}
}

// manyPatterns are members of patternProperties, each of which looks at all of a name.
func manyPatterns(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(`"(a?){300}b%d":{}`, i)
	}
	return strings.Join(members, ",")
}

func TestMessagesOfASchemaTellNothingOfTheServer(t *testing.T) {
	t.Parallel()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, schema := range []string{`{"$ref":"schema.json"}`, `{"$ref":"#/a"}`, `{"$dynamicRef":"#x"}`, `{"$ref":"../x"}`, `{"$ref":"#"}`, `{"$id":"x","$ref":"#/a"}`, `{"$ref":"file:///etc/passwd"}`} {
		wrong := catalog.Check(t.Context(), api.TemplateRequest{HTML: new("x"), Schema: json.RawMessage(schema), Sample: json.RawMessage("1")})
		if len(wrong) == 0 || strings.Contains(wrong[0].Detail, folder) || strings.Contains(wrong[0].Detail, "platen.invalid") {
			t.Errorf("%s: %+v", schema, wrong)
		}
	}
}

// What a hostile schema and hostile data can take is bounded. Each of these would take longer than anybody lives, or most memory.
func TestASchemaComesToAnEnd(t *testing.T) {
	t.Parallel()
	nested := func(n int) string { return strings.Repeat(`{"x":`, n) + "1" + strings.Repeat("}", n) }
	twice := `{"$defs":{"n":{"properties":{"x":{"$ref":"#/$defs/n"}},"patternProperties":{"x":{"$ref":"#/$defs/n"}}}},"$ref":"#/$defs/n"}`
	again := map[string]bool{"itself": true, "two ways that nobody reports": false} // refuse everything
	for name, c := range map[string][2]string{
		"two ways into each level":         {twice, nested(400)},
		"two ways that nobody reports":     {`{"$defs":{"n":{"type":"object","properties":{"x":{"$ref":"#/$defs/n"}},"patternProperties":{"x":{"$ref":"#/$defs/n"}}}},"not":{"allOf":[{"$ref":"#/$defs/n"},{"type":"object"}]}}`, nested(400)},
		"all of it, again and again":       {`{"$defs":{"n":{"allOf":[{"properties":{"x":{"$ref":"#/$defs/n"}}},{"properties":{"x":{"$ref":"#/$defs/n"}}}]}},"$ref":"#/$defs/n"}`, nested(400)},
		"any of it, each wrong at the end": {`{"$defs":{"n":{"anyOf":[{"properties":{"x":{"$ref":"#/$defs/n"}}},{"properties":{"x":{"$ref":"#/$defs/n"}}}],"not":{"const":1}}},"$ref":"#/$defs/n"}`, nested(400)},
		"itself":                           {`{"$ref":"#"}`, `{}`},
		"a large number":                   {`{"items":{"minimum":0}}`, `[1e400001]`},
		"a small number":                   {`{"items":{"multipleOf":0.01}}`, `[1e-900000]`},
		"many digits":                      {`{"items":{"minimum":0}}`, `[` + strings.Repeat("9", 100_000) + `]`},
		"patterns that take long":          {`{"patternProperties":{` + manyPatterns(500) + `}}`, `{"` + strings.Repeat("a", 1_000_000) + `":1}`},
		"a long enumeration": {
			`{"items":{"enum":[` + strings.Repeat(`"ab",`, 40_000) + `"c"]}}`, `[` + strings.Repeat(`"x",`, 100_000) + `"x"]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			template := parsed(t, c[0])
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			err := template.CheckData(ctx, json.RawMessage(c[1]), "/data")
			if len(pointers(err)) == 0 && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v, want a refusal", err)
			}
			if took := time.Since(start); took > time.Minute {
				t.Errorf("took %v", took)
			}
			if err := template.CheckData(t.Context(), json.RawMessage(`"short"`), "/data"); err != nil && !again[name] { // it can be used again
				t.Errorf("then %v", err)
			}
		})
	}
}
