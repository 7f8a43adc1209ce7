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

	"github.com/go-json-experiment/json/jsontext"

	"github.com/platen-render/platen/internal/fault"
)

// Faults of reading.
var (
	ErrMalformed = fault.New(fault.Malformed, "body_malformed", "The body is not one valid JSON value.")
	ErrDuplicate = fault.New(fault.Invalid, "field_duplicate", "An object has two members of the same name.")
	ErrUnknown   = fault.New(fault.Invalid, "field_unknown", "The body has a member that is not known.")
	ErrMissing   = fault.New(fault.Invalid, "field_missing", "A member must be there.")
	ErrType      = fault.New(fault.Invalid, "field_invalid", "A member has the wrong type.")
)

// maxMessage bounds a message in bytes.
const maxMessage = 300

// maxDepth bounds nesting, well below what the library bears.
const maxDepth = 512

// Source names where JSON came from; messages begin with it.
type Source string

// Body is the whole of a request.
const Body Source = "The body"

// Check reports the first place where raw is not exactly one JSON value (RFC 8259) with unique names and valid
// Unicode, as a fault that points there: [ErrMalformed] or [ErrDuplicate].
func (s Source) Check(raw []byte) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return at(ErrMalformed, "", "%s is empty; a JSON object was expected.", s)
	}
	dec, values := jsontext.NewDecoder(bytes.NewBuffer(raw)), 0
	for {
		_, err := dec.ReadToken()
		depth := dec.StackDepth()
		switch {
		case errors.Is(err, io.EOF) && values > 1:
			return at(ErrMalformed, "", "%s holds more than one JSON value.", s)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return s.describe(err)
		case depth > maxDepth:
			return at(ErrMalformed, "", "%s is nested deeper than %d levels.", s, maxDepth)
		case depth == 0:
			values++
		}
	}
}

func (s Source) describe(err error) error {
	se, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok {
		return ErrMalformed.Because(err)
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return at(ErrDuplicate, string(se.JSONPointer), "An object has two members named %q.", lastToken(string(se.JSONPointer)))
	}
	return at(ErrMalformed, string(se.JSONPointer), "%s is not valid JSON: %v at byte %d.", s, se.Err, se.ByteOffset)
}

// Decode reads raw into v, a pointer to a struct. The error is that of [Source.Check]. Otherwise v holds all that could be
// taken, and wrong names the rest: members that v does not have under this very name, that are null, that have another type, or that
// are not there although their field has the tag required:"true". Members of type json.RawMessage may be anything. They are parts of raw.
func (s Source) Decode(raw []byte, v any) (wrong []fault.Field, err error) {
	if err := s.Check(raw); err != nil {
		return nil, err
	}
	f := filler{source: s}
	f.fill(bytes.TrimSpace(raw), reflect.ValueOf(v).Elem(), "")
	return f.wrong, nil
}

// DecodeMembers is Decode for an object that was checked and is split into its members.
func (s Source) DecodeMembers(members map[string]json.RawMessage, v any) (wrong []fault.Field) {
	f := filler{source: s}
	f.fields(members, reflect.ValueOf(v).Elem(), "")
	return f.wrong
}

// Canonical gives the one spelling of a JSON value: member order and string escapes as RFC 8785, number tokens
// verbatim, since 1.10 and 1.1 are different amounts of care, and 20-digit integers differ beyond float64.
func Canonical(raw []byte) ([]byte, error) {
	v := jsontext.Value(bytes.Clone(raw))
	err := v.Format(jsontext.ReorderRawObjects(true), jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
	if err != nil {
		return nil, Body.describe(err)
	}
	return v, nil
}

// at copies a fault with a message, cut short since it may quote the body, and the pointer to where it is.
func at(base *fault.Error, pointer, format string, args ...any) error {
	return base.With("%s", shorten(fmt.Sprintf(format, args...), maxMessage)).In(pointer)
}

func lastToken(pointer string) string {
	return jsontext.Pointer(pointer).LastToken()
}
