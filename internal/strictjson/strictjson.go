// Package strictjson reads JSON as a contract has to be read: no duplicate names, no invalid UTF-8, no unknown
// members, number tokens left as they were written. It is the home of the JSON text library.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/platen-render/platen/internal/fault"
)

// Faults of reading.
var (
	ErrMalformed = fault.New(fault.Malformed, "body_malformed", "The body is not one valid JSON value.")
	ErrDuplicate = fault.New(fault.Invalid, "field_duplicate", "An object has two members of the same name.")
	ErrUnknown   = fault.New(fault.Invalid, "field_unknown", "The body has a member that is not known.")
	ErrType      = fault.New(fault.Invalid, "field_invalid", "A member has the wrong type.")
)

// maxMessage bounds a message in bytes.
const maxMessage = 300

// maxDepth bounds nesting, well below what the library bears.
const maxDepth = 512

// Check reports the first place where raw is not exactly one JSON value (RFC 8259) with unique names and valid
// Unicode, as a Malformed fault that points there.
func Check(raw []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	for {
		_, err := dec.ReadToken()
		switch {
		case errors.Is(err, io.EOF) && dec.InputOffset() == 0 || errors.Is(err, io.EOF) && len(bytes.TrimSpace(raw)) == 0:
			return ErrMalformed.With("The body is empty; a JSON object was expected.")
		case errors.Is(err, io.EOF):
			return oneValue(raw)
		case err != nil:
			return describe(err)
		case dec.StackDepth() > maxDepth:
			return at(ErrMalformed, string(dec.StackPointer()), "The body is nested deeper than 512 levels.")
		}
	}
}

func oneValue(raw []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.ReadValue(); err != nil {
		return describe(err)
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return ErrMalformed.With("The body holds more than one JSON value.")
	}
	return nil
}

func describe(err error) error {
	se, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok {
		return ErrMalformed.Because(err)
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return at(ErrDuplicate, string(se.JSONPointer), "An object has two members named %q.", lastToken(string(se.JSONPointer)))
	}
	return at(ErrMalformed, string(se.JSONPointer), "The body is not valid JSON: %v at byte %d.", se.Err, se.ByteOffset)
}

// Decode reads raw into v, a pointer, after [Check]. Members that v does not have under this very name are refused, and so
// are null and wrong types, with their pointers.
func Decode(raw []byte, v any) error {
	if err := Check(raw); err != nil {
		return err
	}
	if string(bytes.TrimSpace(raw)) == "null" {
		return at(ErrType, "", "The body must not be null.")
	}
	if wrong := members(raw, reflect.TypeOf(v), ""); len(wrong) > 0 {
		return &fault.Error{Kind: fault.Invalid, Code: wrong[0].Code, Message: wrong[0].Detail, Fields: wrong}
	}
	err := json.Unmarshal(raw, v)
	if err == nil {
		return nil
	}
	if te, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		pointer := "/" + strings.ReplaceAll(te.Field, ".", "/")
		if te.Field == "" {
			pointer = ""
		}
		name := strings.Trim(pointer, "/")
		if name == "" {
			name = "The body"
		}
		return at(ErrType, pointer, "%s must be %s, not %s.", name, typeName(te), te.Value)
	}
	return ErrMalformed.Because(err)
}

// Canonical gives the one spelling of a JSON value: member order and string escapes as RFC 8785, number tokens
// verbatim, since 1.10 and 1.1 are different amounts of care, and 20-digit integers differ beyond float64.
func Canonical(raw []byte) ([]byte, error) {
	v := jsontext.Value(bytes.Clone(raw))
	err := v.Format(jsontext.ReorderRawObjects(true), jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
	if err != nil {
		return nil, describe(err)
	}
	return v, nil
}

// at copies a fault with a message, cut short since it may quote the body, and the pointer to where it is.
func at(base *fault.Error, pointer, format string, args ...any) error {
	e := base.With("%s", shorten(fmt.Sprintf(format, args...), maxMessage))
	e.Fields = []fault.Field{{Pointer: pointer, Code: e.Code, Detail: e.Message}}
	return e
}

func lastToken(pointer string) string {
	return jsontext.Pointer(pointer).LastToken()
}

var goTypes = map[string]string{
	"string": "a string", "bool": "true or false", "int": "an integer", "int64": "an integer", "float64": "a number",
}

func typeName(te *json.UnmarshalTypeError) string {
	if name, ok := goTypes[te.Type.String()]; ok {
		return name
	}
	switch te.Type.Kind().String() {
	case "struct", "map":
		return "an object"
	case "slice":
		return "an array"
	}
	return "of another type"
}
