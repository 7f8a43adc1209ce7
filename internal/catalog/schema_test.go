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

func TestMessagesOfASchemaAreForWhoeverWroteTheData(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schema, data, want string }{
		{`{"properties":{"due":{"format":"date"}}}`, `{"due":"30.11.2026"}`, `data.due must be a date, as "2026-11-30", and is "30.11.2026".`},
		{`{"properties":{"at":{"format":"date-time"}}}`, `{"at":"2026-11-30"}`, `data.at must be a time, as "2026-11-30T14:30:00Z", and is "2026-11-30".`},
		{`{"format":"semver"}`, `"1"`, `data must be of the format "semver", and is "1".`},
		{`{"properties":{"lines":{"items":{"properties":{"n":{"type":"integer"}}}}}}`, `{"lines":[{},{"n":"1"}]}`, `data.lines.1.n must be an integer, and is a string.`},
		{`{"type":["array","null"]}`, `1`, `data must be null or an array, and is a number.`},
		{`{"required":["a"]}`, `{}`, `data.a is required by the schema.`},
		{`{"properties":{"a":{"enum":["x","y"]}}}`, `{"a":"z"}`, `data.a must be one of 'x', 'y'.`},
		{`{"properties":{"a":{"minimum":2}}}`, `{"a":1}`, `data.a is wrong: minimum: got 1, want 2.`},
		{
			`{"properties":{"a":{"anyOf":[{"type":"number"},{"type":"object","required":["b"]},{"properties":{"c":{"anyOf":[false]}},"type":"object"}]}}}`, `{"a":{"c":1}}`,
			`data.a is none of what the schema allows: it must be a number, and is an object; or data.a.b is required; or data.a.c is none of several other things.`,
		},
		{`{"properties":{"a":{"anyOf":[{"type":"number"}]}}}`, `{"a":"x"}`, `data.a must be a number, and is a string.`},
		{`{"properties":{"a":{"oneOf":[true,true]}}}`, `{"a":1}`, `data.a fits more than one schema of "oneOf".`},
		{`{"properties":{"a":{"not":{}}}}`, `{"a":1}`, `data.a is what the schema excludes with "not".`},
	} {
		err := parsed(t, c.schema).CheckData(t.Context(), json.RawMessage(c.data), "/data")
		f, ok := errors.AsType[*fault.Error](err)
		if !ok || f.Message != c.want || f.Fields[0].Detail != c.want {
			t.Errorf("%s with %s: got %v, want %s", c.data, c.schema, err, c.want)
		}
	}
	wrong := catalog.Check(t.Context(), api.TemplateRequest{HTML: new("x"), Schema: json.RawMessage(`{"type":"thing"}`)})
	if len(wrong) != 1 || wrong[0].Pointer != "/schema/type" || !strings.HasPrefix(wrong[0].Detail, "schema.type is none of what the schema allows: it must be one of 'array'") {
		t.Errorf("%+v", wrong)
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
