package strictjson

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/platen-render/platen/internal/fault"
)

// The names of members are compared exactly. The standard decoder also takes "HTML" for "html": two spellings would be
// two members to whoever computes a fingerprint from what was sent, and one to whoever reads the decoded struct.

// members collects what is wrong with the members of raw, which has passed [Check]: names that t does not have, and null,
// which no member of a struct or map takes. Members of type json.RawMessage may be anything.
func members(raw []byte, t reflect.Type, pointer jsontext.Pointer) []fault.Field {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Struct:
		return object(raw, pointer, fieldsOf(t), nil)
	case reflect.Map:
		return object(raw, pointer, nil, t.Elem())
	default:
		return nil
	}
}

// object looks at each member, whose type is in known or else is other. A nil type means that there is no such member.
func object(raw []byte, pointer jsontext.Pointer, known map[string]reflect.Type, other reflect.Type) []fault.Field {
	var found map[string]json.RawMessage
	if json.Unmarshal(raw, &found) != nil {
		return nil // not an object: the decoder will say so
	}
	var wrong []fault.Field
	for _, name := range slices.Sorted(maps.Keys(found)) {
		t, ok := known[name]
		if !ok {
			t = other
		}
		if len(wrong) >= maxWrong {
			break
		}
		at := pointer.AppendToken(name)
		switch {
		case t == nil:
			wrong = append(wrong, field(at, ErrUnknown, "There is no field "+quoted(name)+" here."))
		case t == rawMessage:
		case string(found[name]) == "null":
			wrong = append(wrong, field(at, ErrType, shorten(name, maxName)+" must not be null. Leave it out for its default."))
		default:
			wrong = append(wrong, members(found[name], t, at)...)
		}
	}
	return wrong
}

// maxWrong bounds how many members of one object are named: a body can have a million.
const maxWrong = 20

var rawMessage = reflect.TypeFor[json.RawMessage]()

// fieldsOf maps the member names of a struct, as its tags spell them, to their types.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			fields[name] = f.Type
		}
	}
	return fields
}

func field(pointer jsontext.Pointer, kind *fault.Error, detail string) fault.Field {
	return fault.Field{Pointer: string(pointer), Code: kind.Code, Detail: detail}
}

// quoted is a caller's name as JSON writes it, cut short: it may be of any length.
func quoted(name string) string {
	text, _ := json.Marshal(shorten(name, maxName)) // a string always encodes
	return string(text)
}

// maxName bounds a name in a message in bytes.
const maxName = 60

func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
