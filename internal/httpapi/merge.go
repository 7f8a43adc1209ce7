package httpapi

import (
	"encoding/json"
	"maps"

	"github.com/platen-render/platen/internal/strictjson"
)

// mergedDeep are the members of a job whose own members are merged, where the item and the defaults have an object each.
var mergedDeep = []string{"data", "output"}

// defaults are what items leave out.
type defaults struct {
	members map[string]json.RawMessage
	deep    map[string]map[string]json.RawMessage // the members of those of [mergedDeep] that are objects
}

// defaultsOf splits defaults that were checked. Of none it is the zero value.
func defaultsOf(raw json.RawMessage) defaults {
	d := defaults{strictjson.Members(raw), map[string]map[string]json.RawMessage{}}
	for _, name := range mergedDeep {
		if members := strictjson.Members(d.members[name]); members != nil {
			d.deep[name] = members
		}
	}
	return d
}

// under gives an item what it leaves out. Bytes of values stay as they were sent.
func (d defaults) under(item map[string]json.RawMessage) map[string]json.RawMessage {
	if d.members == nil {
		return item
	}
	merged := maps.Clone(d.members)
	for name, value := range item {
		merged[name] = value
		if under, deep := d.deep[name]; deep && isObject(value) {
			both := maps.Clone(under)
			maps.Copy(both, strictjson.Members(value))
			merged[name] = strictjson.Object(both)
		}
	}
	return merged
}

func isObject(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '{' }
