package receipts_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/receipts"
)

func newKey(b byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{b}, ed25519.SeedSize))
}

func public(key ed25519.PrivateKey) ed25519.PublicKey {
	p, _ := key.Public().(ed25519.PublicKey)
	return p
}

func receipt() api.Receipt {
	return api.Receipt{
		Version: 1, Tenant: "default", DocumentID: "doc_01KCPDHS1S0EXAMPZE00000002", Filename: "Müller & <Söhne>\u2028.pdf", IssueNumber: 42,
		IssuedAt: time.Date(2026, 3, 2, 9, 15, 0, 334e6, time.UTC), Resources: []api.ReceiptResource{},
		Output: &api.ReceiptOutput{WidthMM: 215.9, HeightMM: 279.4, Scale: 1},
	}
}

func sign(t *testing.T, r api.Receipt, key ed25519.PrivateKey) receipts.Signed {
	t.Helper()
	signed, err := receipts.Sign(r, key)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

func TestTheSignedTextIsCanonical(t *testing.T) {
	t.Parallel()
	key := newKey(1)
	signed := sign(t, receipt(), key)
	text := string(signed.Receipt)
	// RFC 8785: members in order, no white space, no escapes but those of section 3.2.2.2, numbers as ECMAScript writes them.
	for _, want := range []string{`{"attempts":null,"bytes":0,`, "Müller & <Söhne>\u2028.pdf", `"width_mm":215.9`, `"issued_at":"2026-03-02T09:15:00.334Z"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	value, err := base64.StdEncoding.DecodeString(signed.Signature.Value)
	if err != nil || !ed25519.Verify(public(key), []byte("platen receipt v1\n"+text), value) {
		t.Errorf("the signature is not over the line and the text, %v", err)
	}
	if again := sign(t, receipt(), key); string(again.Receipt) != text || again.Signature != signed.Signature {
		t.Error("made again it is another one")
	}
}

func TestHowTheJSONIsWrittenDoesNotCount(t *testing.T) {
	t.Parallel()
	key := newKey(1)
	signed := sign(t, receipt(), key)
	var members map[string]any
	if err := json.Unmarshal(signed.Receipt, &members); err != nil {
		t.Fatal(err)
	}
	members["later"] = "a member of a later version"
	escaped := signed
	escaped.Receipt = []byte(strings.NewReplacer("ü", `\u00fc`, "<", `\u003C`).Replace(string(signed.Receipt)))
	if bytes.Equal(escaped.Receipt, signed.Receipt) || !escaped.Verify(public(key)) {
		t.Error("escapes count")
	}
	indented, err := json.MarshalIndent(signed.Receipt, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	other := signed
	other.Receipt = indented
	if !other.Verify(public(key)) {
		t.Error("white space counts")
	}
	if other.Receipt, err = json.Marshal(members); err != nil || other.Verify(public(key)) {
		t.Errorf("one more member does not count, %v", err)
	}
}

func TestWhatIsNoSignatureIsNone(t *testing.T) {
	t.Parallel()
	key := newKey(1)
	good := sign(t, receipt(), key)
	for name, change := range map[string]func(*receipts.Signed){
		"another key":     func(s *receipts.Signed) { *s = sign(t, receipt(), newKey(2)) },
		"no algorithm":    func(s *receipts.Signed) { s.Signature.Algorithm = "" },
		"another id":      func(s *receipts.Signed) { s.Signature.KeyID = receipts.KeyID(public(newKey(2))) },
		"no value":        func(s *receipts.Signed) { s.Signature.Value = "" },
		"a short value":   func(s *receipts.Signed) { s.Signature.Value = "AAAA" },
		"no receipt":      func(s *receipts.Signed) { s.Receipt = nil },
		"a broken one":    func(s *receipts.Signed) { s.Receipt = s.Receipt[1:] },
		"a member twice":  func(s *receipts.Signed) { s.Receipt = []byte(`{"tenant":"x",` + string(s.Receipt[1:])) },
		"another receipt": func(s *receipts.Signed) { s.Receipt = bytes.Replace(s.Receipt, []byte("42"), []byte("43"), 1) },
	} {
		s := good
		change(&s)
		if s.Verify(public(key)) {
			t.Errorf("%s: verified", name)
		}
	}
}

func TestKeysAreReadInEachForm(t *testing.T) {
	t.Parallel()
	first, second := public(newKey(1)), public(newKey(2))
	show := func(key ed25519.PublicKey) api.SigningKey {
		return api.SigningKey{KeyID: "0000000000000000", Algorithm: receipts.Algorithm, PublicKey: base64.StdEncoding.EncodeToString(key)} // the id is not believed
	}
	asJSON := func(v any) string {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	asPEM := func(key ed25519.PublicKey) string {
		text, err := receipts.PEM(key)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for name, test := range map[string]struct {
		text string
		want []ed25519.PublicKey
	}{
		"a list":   {asJSON(api.SigningKeyList{Data: []api.SigningKey{show(first), show(second)}}), []ed25519.PublicKey{first, second}},
		"one":      {asJSON(show(first)), []ed25519.PublicKey{first}},
		"base64":   {show(second).PublicKey + "\n", []ed25519.PublicKey{second}},
		"PEM":      {asPEM(first), []ed25519.PublicKey{first}},
		"two PEMs": {asPEM(first) + asPEM(second), []ed25519.PublicKey{first, second}},
	} {
		keys, err := receipts.ParseKeys([]byte(test.text))
		if err != nil || len(keys) != len(test.want) {
			t.Errorf("%s: %v, %v", name, keys, err)
		}
		for _, key := range test.want {
			if !keys[receipts.KeyID(key)].Equal(key) {
				t.Errorf("%s: %v lacks %x", name, keys, key)
			}
		}
	}
	for _, bad := range []string{"", "{", "{}", `{"data":[]}`, `{"public_key":"AAAA"}`, "AAAA", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", asPEM(first) + "x", "hello world"} {
		if keys, err := receipts.ParseKeys([]byte(bad)); !errors.Is(err, receipts.ErrKeys) {
			t.Errorf("%q: %v, %v", bad, keys, err)
		}
	}
}

func TestTheExampleOfTheContractIsGenuine(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(api.Spec)
	if err != nil {
		t.Fatal(err)
	}
	text := func(name string) []byte {
		raw, err := json.Marshal(doc.Components.Examples[name].Value.Value)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	keys, err := receipts.ParseKeys(text("SigningKeys"))
	if err != nil {
		t.Fatal(err)
	}
	var signed receipts.Signed
	if err := json.Unmarshal(text("SignedReceipt"), &signed); err != nil {
		t.Fatal(err)
	}
	if !keys.Verify(signed) {
		t.Errorf("no key of the example made %s", text("SignedReceipt"))
	}
}
