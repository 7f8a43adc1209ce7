package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render/templates"
)

// ErrSchemaInvalid is a schema that cannot be used with any data.
var ErrSchemaInvalid = fault.New(fault.Invalid, "schema_invalid", "The schema is not a valid JSON Schema.")

// Bounds of checking data against a schema, of which both are strangers' and recursive.
const (
	maxSchemaSteps  = 1_000_000     // values looked at by schemas
	maxComparisons  = 1_000_000_000 // values times the entries of the longest enum
	maxNumberBytes  = 400
	maxExponent     = 400
	maxSchemaFields = 20
	// schemaURL is its name to itself: absolute, or the folder that the process runs in would be a part of it.
	schemaURL = "https://schema.platen.invalid/"
)

// schema is a compiled JSON Schema. One validation at a time: they share the count of steps.
type schema struct {
	mu       sync.Mutex
	compiled *jsonschema.Schema
	longest  int // entries of the longest enum
	steps    int
	work     int             // of patterns, see counting
	ctx      context.Context //nolint:containedctx // of the validation that goes on: the library hands none through
}

// stepsPerLook is how many steps are taken between two looks at the context.
const stepsPerLook = 1000

// nothing refuses to load what a schema refers to outside of itself.
type nothing struct{}

// Load implements jsonschema.URLLoader.
func (nothing) Load(string) (any, error) {
	return nil, errors.New("only references into the schema itself are followed")
}

// compile reads a schema, by default of draft 2020-12, formats included.
func compile(raw json.RawMessage) (*schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, ErrSchemaInvalid.Because(err)
	}
	if err := checkNumbers(doc); err != nil {
		return nil, ErrSchemaInvalid.With("The schema has a number that is out of bounds.").Because(err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(nothing{})
	c.AssertFormat()
	s := &schema{}
	c.UseRegexpEngine(s.pattern)
	if err := c.AddResource(schemaURL, doc); err != nil {
		return nil, ErrSchemaInvalid.Because(err)
	}
	if s.compiled, err = c.Compile(schemaURL); err != nil {
		return nil, invalidSchema(err)
	}
	s.count(reflect.ValueOf(s.compiled), map[*jsonschema.Schema]bool{})
	return s, nil
}

// invalidSchema tells what is wrong with a schema, and where.
func invalidSchema(err error) error {
	var fields []fault.Field
	if invalid, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		if cause, ok := errors.AsType[*jsonschema.ValidationError](invalid.Err); ok {
			fields = fieldsOf(cause, "/schema", ErrSchemaInvalid.Code)
		}
	}
	f := *ErrSchemaInvalid.With("The schema is not valid: %s.", strings.TrimSuffix(shorten(withoutPlace(err)), ".")).Because(err)
	f.Fields = fields
	if len(fields) > 0 {
		f.Message = fields[0].Detail
	}
	return &f
}

// withoutPlace leaves the name out that a schema has to itself.
func withoutPlace(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return withoutURL(text)
}

func withoutURL(text string) string {
	return strings.NewReplacer(schemaURL, "", `"" `, "").Replace(text)
}

// tooMany ends a validation: nothing else does.
type tooMany struct{}

// count has every schema that can be reached counted when a value is held against it. Formats are looked at before anything that
// leads on to other schemas.
func (s *schema) count(v reflect.Value, seen map[*jsonschema.Schema]bool) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		if one, ok := reflect.TypeAssert[*jsonschema.Schema](v); ok {
			if seen[one] {
				return
			}
			seen[one] = true
			s.counted(one)
		}
		s.count(v.Elem(), seen)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				s.count(v.Field(i), seen)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			s.count(v.Index(i), seen)
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			s.count(entries.Value(), seen)
		}
	default:
	}
}

func (s *schema) counted(one *jsonschema.Schema) {
	if one.Enum != nil {
		s.longest = max(s.longest, len(one.Enum.Values))
	}
	format := jsonschema.Format{Validate: func(any) error { return nil }}
	if one.Format != nil {
		format = *one.Format
	}
	validate := format.Validate
	format.Validate = func(v any) error {
		if s.steps++; s.steps > maxSchemaSteps || s.steps%stepsPerLook == 0 && s.ctx.Err() != nil {
			panic(tooMany{}) // the library knows no other end; check catches it
		}
		return validate(v)
	}
	one.Format = &format
}

// check holds data, with numbers as [json.Number], against the schema.
func (s *schema) check(ctx context.Context, doc any, prefix string) (err error) {
	if err := checkNumbers(doc); err != nil {
		return templates.ErrDataInvalid.With("%s", err.Error()).In(prefix)
	}
	if s.longest > 0 && values(doc) > maxComparisons/s.longest {
		return templates.ErrDataInvalid.With("The data is more than the schema can be asked about.").In(prefix)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		return context.Cause(ctx) // others were in front
	}
	s.steps, s.work, s.ctx = 0, 0, ctx
	defer func() { s.ctx = nil }()
	defer func() {
		switch p := recover(); p {
		case nil:
		case tooMany{}:
			if err = context.Cause(ctx); err != nil {
				return
			}
			err = templates.ErrDataInvalid.With("The schema takes too many steps for this data.").In(prefix)
		default:
			err = fmt.Errorf("validate: panic: %v", p)
		}
	}()
	if err := s.compiled.Validate(doc); err != nil {
		return invalidData(err, prefix)
	}
	return nil
}

func invalidData(err error, prefix string) error {
	invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return fmt.Errorf("validate: %w", err)
	}
	f := *templates.ErrDataInvalid
	f.Fields = fieldsOf(invalid, prefix, f.Code)
	f.Message = f.Fields[0].Detail
	return &f
}

// checkNumbers refuses numbers that are dear to calculate with.
func checkNumbers(v any) error {
	switch v := v.(type) {
	case json.Number:
		_, exponent, _ := strings.Cut(strings.ToLower(v.String()), "e")
		n, err := strconv.Atoi(exponent)
		if len(v) > maxNumberBytes || exponent != "" && (err != nil || n > maxExponent || n < -maxExponent) {
			return fmt.Errorf("the number %s is out of bounds", shorten(v.String()))
		}
	case []any:
		for _, element := range v {
			if err := checkNumbers(element); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, member := range v {
			if err := checkNumbers(member); err != nil {
				return err
			}
		}
	}
	return nil
}

// values counts what is in a document.
func values(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			n += values(element)
		}
	case map[string]any:
		for _, member := range v {
			n += values(member)
		}
	}
	return n
}

// shorten bounds a text that a caller may have chosen.
func shorten(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
