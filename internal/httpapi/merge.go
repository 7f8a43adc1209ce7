package httpapi

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// Members of a job whose own members are merged, where the item and the defaults have an object each.
var mergedDeep = []string{"data", "output"}

// merge gives an item what it leaves out. Bytes of values stay as they were sent.
func merge(item, defaults map[string]json.RawMessage) map[string]json.RawMessage {
	merged := maps.Clone(defaults)
	for name, value := range item {
		if under := defaults[name]; slices.Contains(mergedDeep, name) && isObject(value) && isObject(under) {
			both := membersOf(under)
			maps.Copy(both, membersOf(value))
			value = object(both)
		}
		merged[name] = value
	}
	return merged
}

func isObject(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '{' }

// object is the JSON of members, whose bytes are left alone: the standard library would escape what is in them.
func object(members map[string]json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range slices.Sorted(maps.Keys(members)) {
		if i > 0 {
			b.WriteByte(',')
		}
		quoted, _ := json.Marshal(name) // a string always encodes
		b.Write(quoted)
		b.WriteByte(':')
		b.Write(members[name])
	}
	b.WriteByte('}')
	return b.Bytes()
}
