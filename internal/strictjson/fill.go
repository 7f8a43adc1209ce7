package strictjson

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/platen-render/platen/internal/fault"
)

// The standard decoder stops at the first wrong type, takes "HTML" for "html", and does not say where in a map a value is
// wrong. Here each member is taken or named: whoever has three mistakes in a body hears of three.

// filler sets Go values from JSON that has passed a check, and collects what cannot be taken.
type filler struct {
	source Source
	wrong  []fault.Field
}

// maxWrong bounds how many members are named: a body can have a million.
const maxWrong = 20

func (f *filler) full() bool { return len(f.wrong) >= maxWrong }

func (f *filler) add(at jsontext.Pointer, kind *fault.Error, format string, args ...any) {
	if !f.full() {
		detail := shorten(fmt.Sprintf(format, args...), maxMessage)
		f.wrong = append(f.wrong, fault.Field{Pointer: string(at), Code: kind.Code, Detail: detail})
	}
}

// Types with a form of their own.
var (
	rawMessage = reflect.TypeFor[json.RawMessage]()
	instant    = reflect.TypeFor[time.Time]()
)

// fill sets v and reports whether there was something to set it to.
func (f *filler) fill(raw []byte, v reflect.Value, at jsontext.Pointer) bool {
	if v.Type() == rawMessage {
		v.SetBytes(raw)
		return true
	}
	if v.Type() == instant {
		return f.time(raw, v, at)
	}
	switch v.Kind() {
	case reflect.Pointer:
		to := reflect.New(v.Type().Elem())
		if !f.fill(raw, to.Elem(), at) {
			return false
		}
		v.Set(to)
		return true
	case reflect.Struct:
		return f.members(raw, v, at)
	case reflect.Map:
		return f.entries(raw, v, at)
	case reflect.Slice:
		return f.elements(raw, v, at)
	default:
		return f.scalar(raw, v, at)
	}
}

// members sets the fields of a struct. Names are compared exactly.
func (f *filler) members(raw []byte, v reflect.Value, at jsontext.Pointer) bool {
	given, ok := f.object(raw, at)
	if ok {
		f.fields(given, v, at)
	}
	return ok
}

func (f *filler) fields(given map[string]json.RawMessage, v reflect.Value, at jsontext.Pointer) {
	known := fieldsOf(v.Type())
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if f.full() {
			return
		}
		field, ok := known.fields[name]
		where := at.AppendToken(name)
		switch {
		case !ok:
			f.add(where, ErrUnknown, "There is no member %s.", quoted(f.name(where)))
		case isNull(given[name]) && field.Type != rawMessage && required(field):
			f.add(where, ErrType, "%s is required and must not be null.", f.name(where))
		case isNull(given[name]) && field.Type != rawMessage:
			f.add(where, ErrType, "%s must not be null. Leave it out for its default.", f.name(where))
		default:
			f.fill(given[name], v.FieldByIndex(field.Index), where)
		}
	}
	for _, name := range known.required {
		if _, there := given[name]; !there {
			f.add(at.AppendToken(name), ErrMissing, "%s is required.", f.name(at.AppendToken(name)))
		}
	}
}

// entries sets a map. An entry whose value cannot be taken is left out. Null is a value where the map has pointers: there it says
// something else than an entry that is not given.
func (f *filler) entries(raw []byte, v reflect.Value, at jsontext.Pointer) bool {
	given, ok := f.object(raw, at)
	if !ok {
		return false
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, name := range slices.Sorted(maps.Keys(given)) {
		value := reflect.New(v.Type().Elem()).Elem()
		if f.full() {
			return true
		}
		null := isNull(given[name]) && value.Kind() == reflect.Pointer
		if null || f.fill(given[name], value, at.AppendToken(name)) {
			v.SetMapIndex(reflect.ValueOf(name), value)
		}
	}
	return true
}

// elements sets a slice. An element that cannot be taken is zero, so that the others keep their places.
func (f *filler) elements(raw []byte, v reflect.Value, at jsontext.Pointer) bool {
	var given []json.RawMessage
	if raw[0] != '[' || json.Unmarshal(raw, &given) != nil {
		return f.mismatch(raw, "an array", at)
	}
	v.Set(reflect.MakeSlice(v.Type(), len(given), len(given)))
	for i, element := range given {
		f.fill(element, v.Index(i), at.AppendToken(strconv.Itoa(i)))
	}
	return true
}

// object splits an object.
func (f *filler) object(raw []byte, at jsontext.Pointer) (map[string]json.RawMessage, bool) {
	given := Members(raw)
	if given == nil {
		return nil, f.mismatch(raw, "an object", at)
	}
	return given, true
}

// shape is what a struct can be filled with: its fields by the names of their members, as their tags spell them.
type shape struct {
	fields   map[string]reflect.StructField
	required []string // sorted
}

// shapes are those of the structs that were filled so far, as shape by reflect.Type: as many as there are types for requests.
var shapes sync.Map

func fieldsOf(t reflect.Type) shape {
	if known, ok := shapes.Load(t); ok {
		return known.(shape) //nolint:forcetypeassert // nothing else is put in
	}
	s := shape{fields: map[string]reflect.StructField{}}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			s.fields[name] = f
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.fields)) {
		if required(s.fields[name]) {
			s.required = append(s.required, name)
		}
	}
	shapes.Store(t, s)
	return s
}

func required(f reflect.StructField) bool { return f.Tag.Get("required") == "true" }

// name is a place for a reader: the names on the way to it with dots between them, cut short, since a caller may have
// chosen them.
func (f *filler) name(at jsontext.Pointer) string {
	if at == "" {
		return string(f.source)
	}
	return shorten(strings.Join(slices.Collect(at.Tokens()), "."), maxName)
}

// quoted is a caller's name as JSON writes it.
func quoted(name string) string {
	text, _ := json.Marshal(name) // a string always encodes
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
