package templates

import (
	"bytes"
	"encoding/json"

	"github.com/platen-render/platen/internal/strictjson"
)

// Data is what templates are filled in with, read once for all of them. The zero value is null.
type Data struct{ root any }

// ReadData reads one JSON value; nothing is {}. It shows the value to judge, if there is one, with numbers as [json.Number].
//
// Errors: [ErrDataInvalid], and that of judge.
func ReadData(raw json.RawMessage, judge func(any) error) (Data, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	root, err := strictjson.Value(raw)
	if err != nil {
		return Data{}, ErrDataInvalid.Because(err)
	}
	if judge != nil {
		if err := judge(root); err != nil {
			return Data{}, err
		}
	}
	return Data{withDecimals(root)}, nil
}

// withDecimals replaces every number token inside v.
func withDecimals(v any) any {
	switch v := v.(type) {
	case json.Number:
		return newDecimal(v.String())
	case map[string]any:
		for key, value := range v {
			if changed := withDecimals(value); isToken(value) {
				v[key] = changed
			}
		}
	case []any:
		for i, value := range v {
			v[i] = withDecimals(value)
		}
	}
	return v
}

func isToken(v any) bool {
	_, ok := v.(json.Number)
	return ok
}
