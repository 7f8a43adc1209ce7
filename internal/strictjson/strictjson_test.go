package strictjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
		L []string          `json:"l"`
		F *float64          `json:"f"`
		T *bool             `json:"t"`
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
		{"wrong type in a map", `{"m":{"x":"y","a/b":1}}`, "field_invalid", "/m/a~1b"},
		{"wrong type in a list", `{"l":["x",1,"y"]}`, "field_invalid", "/l/1"},
		{"null in a list", `{"l":[null]}`, "field_invalid", "/l/0"},
		{"no list", `{"l":"x"}`, "field_invalid", "/l"},
		{"no object", `{"b":[]}`, "field_invalid", "/b"},
		{"a fraction", `{"b":{"n":1.5}}`, "field_invalid", "/b/n"},
		{"an integer out of range", `{"b":{"n":1e400}}`, "field_invalid", "/b/n"},
		{"a number out of range", `{"f":-1e400}`, "field_invalid", "/f"},
		{"a text for a number", `{"f":"1"}`, "field_invalid", "/f"},
		{"a number for a boolean", `{"t":1}`, "field_invalid", "/t"},
		{"deep", `{"a":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`, "body_malformed", "*"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var v body
			got, err := strictjson.Body.Decode([]byte(c.in), &v)
			if err != nil {
				got = fault.From(err).Fields
			}
			if len(got) != 1 || got[0].Code != c.code || c.pointer != "*" && got[0].Pointer != c.pointer {
				t.Fatalf("got %+v (%v), want %s at %q", got, err, c.code, c.pointer)
			}
		})
	}
}

// order is what a body is decoded into.
type order struct {
	ID     *string           `json:"id" required:"true"`
	Count  *int              `json:"count"`
	Price  *float64          `json:"price"`
	Paid   *bool             `json:"paid"`
	Names  []string          `json:"names"`
	Labels map[string]string `json:"labels"`
	Box    *box              `json:"box"`
	Rest   json.RawMessage   `json:"rest"`
}

type box struct {
	Width *int `json:"width" required:"true"`
	Depth *int `json:"depth"`
}

func decode(t *testing.T, in string) (order, []fault.Field) {
	t.Helper()
	var o order
	wrong, err := strictjson.Body.Decode([]byte(in), &o)
	if err != nil {
		t.Fatal(err)
	}
	return o, wrong
}

func TestAGoodBodyIsTakenWhole(t *testing.T) {
	t.Parallel()
	got, wrong := decode(t, ` {"id":"\u00e9","count":-7,"price":1.10,"paid":true,"names":["a","b"],"labels":{"x":"y"},"box":{"width":0},"rest":{ "a" : 1.10 }} `)
	id, count, price, paid, width := "é", -7, 1.1, true, 0
	want := order{
		ID: &id, Count: &count, Price: &price, Paid: &paid, Names: []string{"a", "b"}, Labels: map[string]string{"x": "y"},
		Box: &box{Width: &width}, Rest: json.RawMessage(`{ "a" : 1.10 }`),
	}
	if diff := cmp.Diff(want, got); diff != "" || len(wrong) > 0 {
		t.Errorf("wrong %+v (-want +got):\n%s", wrong, diff)
	}
	if got, wrong := decode(t, `{"id":"x","rest":null,"names":[],"labels":{}}`); len(wrong) > 0 || string(got.Rest) != "null" || got.Names == nil || got.Labels == nil {
		t.Errorf("wrong %+v, got %+v", wrong, got)
	}
}

func TestAllThatIsWrongIsNamedAtOnceAndTheRestIsTaken(t *testing.T) {
	t.Parallel()
	got, wrong := decode(t, `{"z":1,"count":"1","price":2,"paid":null,"names":["a",7],"labels":{"x":"y","Y":{}},"box":{"depth":3,"high":1},"A/B":1}`)
	want := []fault.Field{
		{Pointer: "/A~1B", Code: "field_unknown", Detail: `There is no member "A/B".`},
		{Pointer: "/box/high", Code: "field_unknown", Detail: `There is no member "box.high".`},
		{Pointer: "/box/width", Code: "field_missing", Detail: "box.width is required."},
		{Pointer: "/count", Code: "field_invalid", Detail: "count must be an integer, not a string."},
		{Pointer: "/labels/Y", Code: "field_invalid", Detail: "labels.Y must be a string, not an object."},
		{Pointer: "/names/1", Code: "field_invalid", Detail: "names.1 must be a string, not a number."},
		{Pointer: "/paid", Code: "field_invalid", Detail: "paid must not be null. Leave it out for its default."},
		{Pointer: "/z", Code: "field_unknown", Detail: `There is no member "z".`},
		{Pointer: "/id", Code: "field_missing", Detail: "id is required."},
	}
	if diff := cmp.Diff(want, wrong); diff != "" {
		t.Errorf("wrong (-want +got):\n%s", diff)
	}
	price, depth := 2.0, 3
	rest := order{Price: &price, Names: []string{"a", ""}, Labels: map[string]string{"x": "y"}, Box: &box{Depth: &depth}}
	if diff := cmp.Diff(rest, got); diff != "" {
		t.Errorf("taken (-want +got):\n%s", diff)
	}
}

func TestARequiredMemberCannotBeNull(t *testing.T) {
	t.Parallel()
	_, wrong := decode(t, `{"id":null}`)
	want := []fault.Field{{Pointer: "/id", Code: "field_invalid", Detail: "id is required and must not be null."}}
	if diff := cmp.Diff(want, wrong); diff != "" {
		t.Error(diff)
	}
}

func TestANumberWithoutAFractionIsAnInteger(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"1.0": 1, "-2.00": -2, "1e2": 100, "12E-1": 0, "120e-1": 12, "0.0": 0, "-0": 0, "9007199254740993": 9007199254740993} {
		got, wrong := decode(t, `{"id":"x","count":`+text+`}`)
		if whole := text != "12E-1"; whole != (len(wrong) == 0) || whole && *got.Count != want {
			t.Errorf("%s: %+v, %+v", text, got.Count, wrong)
		}
	}
}

func TestNullIsAValueInAMapOfPointers(t *testing.T) {
	t.Parallel()
	var in struct {
		Limits map[string]*int `json:"limits"`
	}
	wrong, err := strictjson.Body.Decode([]byte(`{"limits":{"a":1,"b":null,"c":"x"}}`), &in)
	if err != nil || len(wrong) != 1 || wrong[0].Pointer != "/limits/c" {
		t.Fatalf("got %+v, %v", wrong, err)
	}
	b, there := in.Limits["b"]
	if len(in.Limits) != 2 || *in.Limits["a"] != 1 || !there || b != nil {
		t.Errorf("got %+v", in.Limits)
	}
}

func TestATimeIsRFC3339(t *testing.T) {
	t.Parallel()
	var at struct {
		At *time.Time `json:"at"`
	}
	if wrong, err := strictjson.Body.Decode([]byte(`{"at":"2026-03-02T10:15:00.5+01:00"}`), &at); err != nil || len(wrong) > 0 || !at.At.Equal(time.Date(2026, 3, 2, 9, 15, 0, 5e8, time.UTC)) {
		t.Errorf("got %v, %+v, %v", at.At, wrong, err)
	}
	for _, bad := range []string{`"2026-03-02"`, `"soon"`, `""`, `7`, `{}`, `null`} {
		at.At = nil
		if wrong, err := strictjson.Body.Decode([]byte(`{"at":`+bad+`}`), &at); err != nil || len(wrong) != 1 || wrong[0].Code != "field_invalid" || at.At != nil {
			t.Errorf("%s: %v, %+v, %v", bad, at.At, wrong, err)
		}
	}
}

func TestOnlySoManyMembersAreNamed(t *testing.T) {
	t.Parallel()
	many := make([]string, 1000)
	for i := range many {
		many[i] = strconv.Quote("k"+strconv.Itoa(i)) + ":1"
	}
	all := strings.Join(many, ",")
	for _, in := range []string{`{` + all + `}`, `{"labels":{` + all + `}}`, `{"names":[` + strings.Repeat("1,", 999) + `1]}`} {
		if _, wrong := decode(t, in); len(wrong) != 20 {
			t.Errorf("%.20s: %d are named", in, len(wrong))
		}
	}
}

func TestMessagesSayWhereTheJSONCameFrom(t *testing.T) {
	t.Parallel()
	const part strictjson.Source = "The part job"
	for in, want := range map[string]string{
		"": "The part job is empty; a JSON object was expected.", "x": "The part job is not valid JSON: ", "{} {}": "The part job holds more than one JSON value.",
	} {
		_, err := part.Decode([]byte(in), &order{})
		if got := fault.From(err); got == nil || !strings.HasPrefix(got.Message, want) || len(got.Fields) != 1 {
			t.Errorf("%q: %v", in, err)
		}
	}
	if wrong, err := part.Decode([]byte("[]"), &order{}); err != nil || len(wrong) != 1 || wrong[0].Detail != "The part job must be an object, not an array." {
		t.Errorf("got %+v, %v", wrong, err)
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
		if strictjson.Body.Check(in) != nil {
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

func FuzzWhatTheStandardDecoderTakesIsTakenAlike(f *testing.F) {
	f.Add([]byte(`{"id":"x","count":1,"price":1e3,"paid":false,"names":["a"],"labels":{"a":"b"},"box":{"width":1},"rest":[1]}`))
	f.Add([]byte(`{"id":"x","count":1.0}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		var got, want order
		wrong, err := strictjson.Body.Decode(in, &got)
		if err != nil || len(wrong) > 0 || bytes.Contains(in, []byte(".")) || bytes.ContainsAny(in, "eE") {
			return // refused, or perhaps an integer that the standard library does not take for one
		}
		if err := json.Unmarshal(in, &want); err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s (-standard +got):\n%s", in, diff)
		}
	})
}

// FuzzAValueIsReadAsTheStandardDecoderReadsIt: what is one value for it is the same one here, and what is none is none.
func FuzzAValueIsReadAsTheStandardDecoderReadsIt(f *testing.F) {
	for _, in := range []string{
		`{"a": [1.10, -2e3, null, true, false, {}, []], "b": {"c": "\u00e9\ud83d\ude00\ud800\n"}, "a": 3}`, ` "x" `, `1 2`, `[1,]`, `{"a"}`, `[}`, ``, ` `, `nul`, "\"\xff\"",
		`12345678901234567890`, `{"a":1,}`, `[[[`, `]`, `01`, `-`, "\"\x01\"",
	} {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if bytes.Count(in, []byte("[")) > 1000 || bytes.Count(in, []byte("{")) > 1000 {
			return // the bounds on nesting are not the very same
		}
		d := json.NewDecoder(bytes.NewReader(in))
		d.UseNumber()
		var want any
		err := d.Decode(&want)
		if err == nil {
			_, err = d.Token()
		}
		one := errors.Is(err, io.EOF) && len(bytes.TrimSpace(in)) > 0
		got, err := strictjson.Value(in)
		if one != (err == nil) || err == nil && !cmp.Equal(got, want) {
			t.Fatalf("%q: got %#v, %v, want %#v, %v", in, got, err, want, one)
		}
	})
}
