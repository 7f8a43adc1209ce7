package strictjson

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// scalar sets what is neither object nor array.
func (f *filler) scalar(raw []byte, v reflect.Value, at jsontext.Pointer) bool {
	switch v.Kind() {
	case reflect.String:
		var s string
		if json.Unmarshal(raw, &s) != nil || isNull(raw) {
			return f.mismatch(raw, "a string", at)
		}
		v.SetString(s)
	case reflect.Bool:
		if raw[0] != 't' && raw[0] != 'f' {
			return f.mismatch(raw, "a boolean", at)
		}
		v.SetBool(raw[0] == 't')
	case reflect.Int, reflect.Int64:
		return f.integer(raw, v, at)
	case reflect.Float64:
		return f.number(raw, v, at)
	default:
		panic("strictjson: no JSON type for " + v.Type().String()) // found by the first test of such a struct
	}
	return true
}

func (f *filler) number(raw []byte, v reflect.Value, at jsontext.Pointer) bool {
	if !isNumber(raw) {
		return f.mismatch(raw, "a number", at)
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return f.outOfRange(at)
	}
	v.SetFloat(n)
	return true
}

// integer takes any spelling of a number without a fraction, 1.0 and 1e2 included, as JSON Schema does (validation,
// section 6.1.1).
func (f *filler) integer(raw []byte, v reflect.Value, at jsontext.Pointer) bool {
	if !isNumber(raw) {
		return f.mismatch(raw, "an integer", at)
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		v.SetInt(n)
		return true
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	switch {
	case err != nil || math.Abs(n) > 1<<53: // beyond it a double has no fractions to tell
		return f.outOfRange(at)
	case n != math.Trunc(n):
		f.add(at, ErrType, "%s must be an integer, not a fraction.", f.name(at))
		return false
	}
	v.SetInt(int64(n))
	return true
}

// time takes an instant as RFC 3339, section 5.6, writes it.
func (f *filler) time(raw []byte, v reflect.Value, at jsontext.Pointer) bool {
	var s string
	if json.Unmarshal(raw, &s) != nil || isNull(raw) {
		return f.mismatch(raw, "a string", at)
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		f.add(at, ErrType, "%s must be a time as 2026-03-02T09:15:00Z.", f.name(at))
		return false
	}
	v.Set(reflect.ValueOf(t))
	return true
}

func (f *filler) outOfRange(at jsontext.Pointer) bool {
	f.add(at, ErrType, "%s is out of range.", f.name(at))
	return false
}

// mismatch notes a wrong type, and is false.
func (f *filler) mismatch(raw []byte, want string, at jsontext.Pointer) bool {
	f.add(at, ErrType, "%s must be %s, not %s.", f.name(at), want, typeOf(raw))
	return false
}

// typeOf names the JSON type of a value, with its article.
func typeOf(raw []byte) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

func isNull(raw []byte) bool { return raw[0] == 'n' }

func isNumber(raw []byte) bool { return raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9' }
