package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/platen-render/platen/internal/fault"
)

// maxBranches is how many ways to be right a message tells of, where a schema has several.
const maxBranches = 4

// formats tell how what a format asks for is written.
var formats = map[string]string{
	"date": `a date, as "2026-11-30"`, "time": `a time with a zone, as "14:30:00Z"`, "date-time": `a time, as "2026-11-30T14:30:00Z"`,
	"duration": `a duration, as "P14D"`, "email": `an email address`, "uri": `an address, as "https://example.com/"`,
	"iri": `an address, as "https://example.com/"`, "uuid": `a UUID`, "hostname": `a host name`, "ipv4": `an IPv4 address`, "ipv6": `an IPv6 address`,
}

// types are the types of JSON with their articles.
var types = map[string]string{
	"array": "an array", "boolean": "a boolean", "integer": "an integer", "null": "null", "number": "a number", "object": "an object", "string": "a string",
}

// violation is one place that is wrong.
type violation struct {
	tokens []string
	text   string // what is to be read behind the name of the place
}

// fieldsOf are the places that are wrong, as whoever wrote the data would say it. Each detail names its place.
func fieldsOf(e *jsonschema.ValidationError, prefix, code string) []fault.Field {
	var fields []fault.Field
	for _, v := range violationsOf(e, nil, prefix) {
		detail := v.place(prefix) + " " + v.text + "."
		fields = append(fields, fault.Field{Pointer: prefix + pointerOf(v.tokens), Code: code, Detail: detail})
	}
	return fields
}

// violationsOf adds what is wrong to a list that does not grow beyond all bounds.
func violationsOf(e *jsonschema.ValidationError, to []violation, prefix string) []violation {
	if len(to) == maxSchemaFields {
		return to
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		return addNames(to, e.InstanceLocation, k.Missing, "is required by the schema")
	case *kind.AdditionalProperties:
		return addNames(to, e.InstanceLocation, k.Properties, "is not in the schema")
	case *kind.AnyOf, *kind.OneOf:
		return append(to, violation{e.InstanceLocation, alternatives(e, prefix)})
	case *kind.Not:
		return append(to, violation{e.InstanceLocation, `is what the schema excludes with "not"`})
	case *kind.Contains:
		return append(to, violation{e.InstanceLocation, wordsOf(e.ErrorKind)})
	}
	if len(e.Causes) == 0 {
		return append(to, violation{e.InstanceLocation, wordsOf(e.ErrorKind)})
	}
	for _, cause := range e.Causes {
		to = violationsOf(cause, to, prefix)
	}
	return to
}

func addNames(to []violation, tokens, names []string, text string) []violation {
	for _, name := range names[:min(len(names), maxSchemaFields-len(to))] {
		to = append(to, violation{append(slices.Clone(tokens), name), text})
	}
	return to
}

// alternatives says why data is none of what it may be: of each way the first thing that is wrong. Ways within ways are not told of, or
// a message would be as large as the schema.
func alternatives(e *jsonschema.ValidationError, prefix string) string {
	if one, ok := e.ErrorKind.(*kind.OneOf); ok && len(one.Subschemas) > 1 {
		return `fits more than one schema of "oneOf"`
	}
	var ways []string
	for _, cause := range e.Causes {
		if len(ways) == maxBranches {
			ways = append(ways, "…")
			break
		}
		v := firstOf(cause)
		way := v.text
		if len(v.tokens) != len(e.InstanceLocation) {
			way = v.place(prefix) + " " + way
		}
		if !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	if len(ways) == 1 {
		return ways[0]
	}
	return "is none of what the schema allows: it " + strings.Join(ways, "; or ")
}

// firstOf is the first thing that is wrong.
func firstOf(e *jsonschema.ValidationError) violation {
	for {
		switch k := e.ErrorKind.(type) {
		case *kind.Required:
			return violation{append(slices.Clone(e.InstanceLocation), k.Missing[0]), "is required"}
		case *kind.AdditionalProperties:
			return violation{append(slices.Clone(e.InstanceLocation), k.Properties[0]), "is not allowed"}
		case *kind.AnyOf, *kind.OneOf:
			return violation{e.InstanceLocation, "is none of several other things"}
		}
		if len(e.Causes) == 0 {
			return violation{e.InstanceLocation, wordsOf(e.ErrorKind)}
		}
		e = e.Causes[0]
	}
}

// wordsOf says what is wrong with a value.
func wordsOf(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return fmt.Sprintf("must be %s, and is %s", typesOf(k.Want), typesOf([]string{k.Got}))
	case *kind.Format:
		is := ""
		if text, ok := k.Got.(string); ok {
			is = ", and is " + strconv.Quote(shorten(text))
		}
		if form, known := formats[k.Want]; known {
			return "must be " + form + is
		}
		return fmt.Sprintf("must be of the format %q%s", shorten(k.Want), is)
	}
	text := shorten(withoutURL(k.LocalizedString(message.NewPrinter(language.English))))
	if must, ok := strings.CutPrefix(text, "value must be "); ok {
		return "must be " + must
	}
	return "is wrong: " + text
}

func typesOf(names []string) string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = name
		if known := types[name]; known != "" {
			all[i] = known
		}
	}
	return strings.Join(all, " or ")
}

// place is a name for people, like those of other members: data.lines.3.price.
func (v violation) place(prefix string) string {
	return shorten(strings.Join(append([]string{strings.TrimPrefix(prefix, "/")}, v.tokens...), "."))
}

// pointerOf is a JSON pointer (RFC 6901, section 3).
func pointerOf(tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(token))
	}
	return b.String()
}
