package strictjson

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Members splits an object into its members as they were sent, parts of raw. What is no object, or no JSON, has none, and the map is nil.
func Members(raw []byte) map[string]json.RawMessage {
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if begin, err := dec.ReadToken(); err != nil || begin.Kind() != '{' {
		return nil
	}
	members := map[string]json.RawMessage{}
	for dec.PeekKind() == '"' {
		token, err := dec.ReadToken()
		if err != nil {
			return nil
		}
		name := token.String()
		value, err := dec.ReadValue()
		if err != nil {
			return nil
		}
		end := int(dec.InputOffset())
		members[name] = raw[end-len(value) : end : end]
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil
	}
	return members
}

// Object is the JSON of members, whose bytes are left alone, in the order of their names.
func Object(members map[string]json.RawMessage) []byte {
	size := 2
	for name, value := range members {
		size += len(name) + len(value) + 4
	}
	b := append(make([]byte, 0, size), '{')
	for i, name := range slices.Sorted(maps.Keys(members)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(appendName(b, name), ':'), members[name]...)
	}
	return append(b, '}')
}

// appendName writes a name as the standard library does.
func appendName(b []byte, name string) []byte {
	for i := range len(name) {
		if c := name[i]; c != '_' && (c < 'a' || c > 'z') {
			quoted, _ := json.Marshal(name) // a string always encodes
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), name...), '"')
}
