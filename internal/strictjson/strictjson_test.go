package strictjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/strictjson"
)

func TestBadJSONIsRefusedWithItsPlace(t *testing.T) {
	t.Parallel()
	type inner struct {
		N int `json:"n"`
	}
	type body struct {
		A string            `json:"a"`
		B *inner            `json:"b"`
		M map[string]string `json:"m"`
		R json.RawMessage   `json:"r"`
	}
	cases := []struct{ name, in, code, pointer string }{
		{"empty", ``, "body_malformed", ""},
		{"blank", "  \n", "body_malformed", ""},
		{"cut", `{"a":`, "body_malformed", "/a"},
		{"two values", `{} {}`, "body_malformed", ""},
		{"duplicate", `{"a":"x","a":"y"}`, "field_duplicate", "/a"},
		{"duplicate deep", `{"b":{"n":1,"n":2}}`, "field_duplicate", "/b/n"},
		{"lone surrogate", `{"a":"\ud800"}`, "body_malformed", "/a"},
		{"invalid utf-8", "{\"a\":\"\xff\"}", "body_malformed", "/a"},
		{"unknown", `{"c":1}`, "field_unknown", "/c"},
		{"unknown deep", `{"b":{"n":1,"o":2}}`, "field_unknown", "/b/o"},
		{"unknown with a slash", `{"a/b":1}`, "field_unknown", "/a~1b"},
		{"another case", `{"A":"x"}`, "field_unknown", "/A"},
		{"null", `{"a":null}`, "field_invalid", "/a"},
		{"null for an object", `{"b":null}`, "field_invalid", "/b"},
		{"null deep", `{"b":{"n":null}}`, "field_invalid", "/b/n"},
		{"null in a map", `{"m":{"x":null}}`, "field_invalid", "/m/x"},
		{"an array", `[]`, "field_invalid", ""},
		{"a number", `1`, "field_invalid", ""},
		{"null alone", `null`, "field_invalid", ""},
		{"wrong type", `{"a":1}`, "field_invalid", "/a"},
		{"wrong type deep", `{"b":{"n":"x"}}`, "field_invalid", "/b/n"},
		{"deep", `{"a":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`, "body_malformed", "*"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var v body
			err := strictjson.Decode([]byte(c.in), &v)
			got := fault.From(err)
			if got == nil || got.Code != c.code {
				t.Fatalf("got %v, want %s", err, c.code)
			}
			if c.pointer == "" || c.pointer == "*" {
				return
			}
			if len(got.Fields) != 1 || got.Fields[0].Pointer != c.pointer {
				t.Fatalf("points at %+v, want %s", got.Fields, c.pointer)
			}
		})
	}
}

func TestEveryWrongMemberIsNamed(t *testing.T) {
	t.Parallel()
	var v struct {
		A string          `json:"a"`
		R json.RawMessage `json:"r"`
	}
	got := fault.From(strictjson.Decode([]byte(`{"z":1,"a":null,"y":2}`), &v))
	if got == nil || len(got.Fields) != 3 {
		t.Fatalf("got %+v, want three fields", got)
	}
	if err := strictjson.Decode([]byte(`{"r":null,"a":"x"}`), &v); err != nil || string(v.R) != "null" || v.A != "x" {
		t.Errorf("raw members may be anything: %v, %+v", err, v)
	}
}

func TestCanonicalFormOrdersMembersAndKeepsNumbers(t *testing.T) {
	t.Parallel()
	cases := []struct{ in, want string }{
		{`{ "b": 1.10, "a": [12345678901234567890, 1e2, -0.0] }`, `{"a":[12345678901234567890,1e2,-0.0],"b":1.10}`},
		{`{"\u0061":"\u003c\/\u00e9\u0007"}`, `{"a":"</é\u0007"}`},
		{"{\"\U0001F600\":1,\"\uFB33\":2}", "{\"\U0001F600\":1,\"\uFB33\":2}"}, // by UTF-16 code units, RFC 8785 3.2.3
		{`{"x":{"b":null,"a":true}}`, `{"x":{"a":true,"b":null}}`},
	}
	for _, c := range cases {
		got, err := strictjson.Canonical([]byte(c.in))
		if err != nil || string(got) != c.want {
			t.Errorf("%s gave %s (%v), want %s", c.in, got, err, c.want)
		}
	}
}

func FuzzCanonicalIsStable(f *testing.F) {
	f.Add([]byte(`{"b":1.10,"a":"\u00e9"}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		if strictjson.Check(in) != nil {
			return
		}
		once, err := strictjson.Canonical(in)
		if err != nil {
			t.Fatalf("checked but not canonical: %v", err)
		}
		twice, err := strictjson.Canonical(once)
		if err != nil || string(twice) != string(once) {
			t.Fatalf("%s became %s (%v)", once, twice, err)
		}
	})
}
