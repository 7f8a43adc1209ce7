package rows

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/template"
)

// ErrKey says that a key template makes nothing of a row.
var ErrKey = errors.New("the key is empty")

// Key makes the key of a document from its row, by a template of package text/template: "payslip:2026-03:{{.id}}".
type Key struct {
	text *template.Template
}

// ParseKey reads a template.
func ParseKey(text string) (*Key, error) {
	parsed, err := template.New("key").Option("missingkey=error").Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s", plainly(err))
	}
	return &Key{parsed}, nil
}

// Of returns the key of a row. A member that the row does not have is an error, and so is one that is null: half a key would be the same for many.
func (k *Key) Of(data json.RawMessage) (string, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber() // a number is written as it stands there
	var row map[string]any
	if err := decoder.Decode(&row); err != nil {
		return "", fmt.Errorf("the row: %w", err)
	}
	var out strings.Builder
	if err := k.text.Execute(&out, row); err != nil {
		return "", fmt.Errorf("the key: %s", plainly(err))
	}
	switch key := out.String(); {
	case strings.TrimSpace(key) == "":
		return "", ErrKey
	case strings.Contains(key, "<no value>") || strings.Contains(key, "<nil>"):
		return "", errors.New("the key uses a value that is null")
	default:
		return key, nil
	}
}

// plainly is an error of a template without its name and place, which mean nothing to whoever wrote one line.
func plainly(err error) string {
	text := err.Error()
	if at := strings.LastIndex(text, ">: "); at >= 0 {
		return text[at+len(">: "):]
	}
	return strings.TrimPrefix(text, "template: key:1: ")
}
