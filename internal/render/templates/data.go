package templates

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// decode reads one JSON value, numbers as decimals; nothing is {}.
func decode(data json.RawMessage) (any, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return map[string]any{}, nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		return nil, ErrDataInvalid.Because(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, ErrDataInvalid
	}
	return withDecimals(root), nil
}

// withDecimals replaces every number token inside v.
func withDecimals(v any) any {
	switch v := v.(type) {
	case json.Number:
		return newDecimal(v.String())
	case map[string]any:
		for key, value := range v {
			v[key] = withDecimals(value)
		}
	case []any:
		for i, value := range v {
			v[i] = withDecimals(value)
		}
	}
	return v
}
