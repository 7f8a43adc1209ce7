package examples_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// parse reads data or a schema, with numbers as they are.
func parse(tb testing.TB, raw json.RawMessage) any {
	tb.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		tb.Fatal(err)
	}
	return v
}

func encode(tb testing.TB, v any) json.RawMessage {
	tb.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}

// missing removes a member.
type missing struct{}

// set changes what stands at a path, "totals.vat.0.rate", of a copy of data.
func set(tb testing.TB, raw json.RawMessage, path string, value any) json.RawMessage {
	tb.Helper()
	root := parse(tb, raw)
	names := strings.Split(path, ".")
	at := root
	for _, name := range names[:len(names)-1] {
		at = part(tb, at, name)
	}
	last := names[len(names)-1]
	switch at := at.(type) {
	case map[string]any:
		if at[last] = value; value == (missing{}) {
			delete(at, last)
		}
	case []any:
		i, err := strconv.Atoi(last)
		if err != nil {
			tb.Fatal(err)
		}
		at[i] = value
	}
	return encode(tb, root)
}

func part(tb testing.TB, v any, name string) any {
	tb.Helper()
	switch v := v.(type) {
	case map[string]any:
		if inner, there := v[name]; there {
			return inner
		}
	case []any:
		if i, err := strconv.Atoi(name); err == nil && i < len(v) {
			return v[i]
		}
	}
	tb.Fatalf("there is no %q", name)
	return nil
}

// repeated makes a list as long as n by beginning again and again.
func repeated(tb testing.TB, raw json.RawMessage, path string, n int) json.RawMessage {
	tb.Helper()
	v := parse(tb, raw)
	for name := range strings.SplitSeq(path, ".") {
		v = part(tb, v, name)
	}
	some, ok := v.([]any)
	if !ok {
		tb.Fatalf("%s is no list", path)
	}
	var long []any
	for i := range n {
		long = append(long, some[i%len(some)])
	}
	return set(tb, raw, path, long)
}

// least leaves of data what its schema requires: the members that must be there, and of each list as few as may be.
func least(tb testing.TB, schema, data any, root map[string]any) any {
	tb.Helper()
	s, _ := schema.(map[string]any)
	if ref, ok := s["$ref"].(string); ok {
		definitions, _ := root["$defs"].(map[string]any)
		return least(tb, definitions[strings.TrimPrefix(ref, "#/$defs/")], data, root)
	}
	switch data := data.(type) {
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		kept := map[string]any{}
		for _, name := range required(s) {
			if value, there := data[name]; there {
				kept[name] = least(tb, properties[name], value, root)
			}
		}
		return kept
	case []any:
		count := 0
		if n, ok := s["minItems"].(json.Number); ok {
			count, _ = strconv.Atoi(n.String())
		}
		few := []any{}
		for _, value := range data[:count] {
			few = append(few, least(tb, s["items"], value, root))
		}
		return few
	default:
		return data
	}
}

// required are the members that an object must have, alternatives included.
func required(schema map[string]any) []string {
	var names []string
	list, _ := schema["required"].([]any)
	for _, name := range list {
		text, _ := name.(string)
		names = append(names, text)
	}
	alternatives, _ := schema["oneOf"].([]any)
	for _, a := range alternatives {
		alternative, _ := a.(map[string]any)
		names = append(names, required(alternative)...)
	}
	return names
}
