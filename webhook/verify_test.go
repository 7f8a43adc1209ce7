package webhook_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/platen-render/platen/webhook"
)

type vector struct {
	Name, Version, Secret, ID, Body, Signature string
	PublicKey                                  string `json:"public_key"`
	Timestamp                                  int64
}

func (v vector) time() time.Time { return time.Unix(v.Timestamp, 0) }

func (v vector) header() http.Header {
	return headers(v.ID, strconv.FormatInt(v.Timestamp, 10), v.Signature)
}

func headers(id, timestamp string, signatures ...string) http.Header {
	h := http.Header{}
	h.Set("webhook-id", id)
	h.Set("webhook-timestamp", timestamp)
	for _, s := range signatures {
		h.Add("webhook-signature", s)
	}
	return h
}

func vectors(t *testing.T, version string) []vector {
	t.Helper()
	raw, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(v vector) bool { return v.Version != version })
	if len(all) == 0 {
		t.Fatalf("no vector of version %s", version)
	}
	return all
}

// oracle is the library of the Standard Webhooks project, with the same key.
func oracle(t *testing.T, secret string) *standard.Webhook {
	t.Helper()
	wh, err := standard.NewWebhookRaw([]byte(secret))
	if strings.HasPrefix(secret, "whsec_") {
		wh, err = standard.NewWebhook(secret)
	}
	if err != nil {
		t.Fatal(err)
	}
	return wh
}

func TestTheVectorsHoldInBothDirections(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t, "v1") {
		secret := mustParse(t, v.Secret)
		if got, err := secret.Sign(v.ID, v.time(), []byte(v.Body)); err != nil || got != v.Signature {
			t.Errorf("%s: signed %q, %v", v.Name, got, err)
		}
		if err := webhook.Verify([]webhook.Secret{secret}, v.header(), []byte(v.Body), webhook.Options{Now: v.time()}); err != nil {
			t.Errorf("%s: %v", v.Name, err)
		}
		if err := oracle(t, v.Secret).VerifyIgnoringTimestamp([]byte(v.Body), v.header()); err != nil {
			t.Errorf("%s: oracle: %v", v.Name, err)
		}
	}
}

func TestVersionsThatAreNotKnownAreSkipped(t *testing.T) {
	t.Parallel()
	v1, v1a := vectors(t, "v1")[0], vectors(t, "v1a")[0]
	if v1.ID != v1a.ID || v1.Timestamp != v1a.Timestamp || v1.Body != v1a.Body {
		t.Fatal("the two vectors are about different messages")
	}
	public, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(v1a.PublicKey, "whpk_"))
	if err != nil {
		t.Fatal(err)
	}
	signature, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(v1a.Signature, "v1a,"))
	if err != nil {
		t.Fatal(err)
	}
	if !ed25519.Verify(public, fmt.Appendf(nil, "%s.%d.%s", v1a.ID, v1a.Timestamp, v1a.Body), signature) {
		t.Error("the v1a vector is wrong")
	}

	secrets := []webhook.Secret{mustParse(t, v1.Secret)}
	digest := strings.TrimPrefix(v1.Signature, "v1,")
	for header, want := range map[string]error{
		v1a.Signature + " " + v1.Signature:             nil,
		v1.Signature + " " + v1a.Signature:             nil,
		"nonsense , v1 v1, " + v1.Signature:            nil,
		"v2,x,y,z v1,AAAA " + v1.Signature:             nil,
		v1a.Signature:                                  webhook.ErrSignature,
		"v1a," + digest:                                webhook.ErrSignature,
		"V1," + digest:                                 webhook.ErrSignature,
		"v01," + digest:                                webhook.ErrSignature,
		"," + digest:                                   webhook.ErrSignature,
		digest:                                         webhook.ErrSignature,
		strings.TrimSuffix(v1.Signature, "="):          webhook.ErrSignature,
		v1.Signature + ",x":                            webhook.ErrSignature,
		strings.ToLower(v1.Signature):                  webhook.ErrSignature,
		"v1," + base64.StdEncoding.EncodeToString(nil): webhook.ErrSignature,
	} {
		err := webhook.Verify(secrets, headers(v1.ID, strconv.FormatInt(v1.Timestamp, 10), header), []byte(v1.Body), webhook.Options{Now: v1.time()})
		if !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", header, err, want)
		}
	}
}

func TestHeadersAreReadStrictly(t *testing.T) {
	t.Parallel()
	secret := mustParse(t, whsec(32))
	const at = 1767225600
	sign := func(id string) string {
		// The oracle signs whatever it is given, so only the syntax can be what is refused.
		wh, err := standard.NewWebhookRaw([]byte(strings.Repeat("k", 32)))
		if err != nil {
			t.Fatal(err)
		}
		s, err := wh.Sign(id, time.Unix(at, 0), []byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	good := sign("evt_1")
	twice := func(name, value string) http.Header {
		h := headers("evt_1", "1767225600", good)
		h.Add(name, value)
		return h
	}
	without := func(name string) http.Header {
		h := headers("evt_1", "1767225600", good)
		h.Del(name)
		return h
	}
	cases := map[string]http.Header{
		"no header at all":  {},
		"no id":             without("webhook-id"),
		"no timestamp":      without("webhook-timestamp"),
		"no signature":      without("webhook-signature"),
		"blank signature":   headers("evt_1", "1767225600", " "),
		"two ids":           twice("webhook-id", "evt_1"),
		"two timestamps":    twice("webhook-timestamp", "1767225600"),
		"33 signatures":     headers("evt_1", "1767225600", good+strings.Repeat(" v1,x", 32)),
		"33 on many lines":  headers("evt_1", "1767225600", append(slices.Repeat([]string{"v1,x v1,y"}, 16), good)...),
		"id with full stop": headers("evt.1", "1767225600", sign("evt.1")),
	}
	for _, id := range []string{"", " evt_1", "evt 1", "evt_é", "evt/1", "evt:1", "evt_1\n", strings.Repeat("a", 257)} {
		cases["id "+id] = headers(id, "1767225600", sign(id))
	}
	for _, seconds := range []string{
		"", " ", "+1767225600", "-1767225600", "01767225600", "1767225600.0", "1767225600 ", " 1767225600", "1_767_225_600", "0x6955B900", "1767225600s",
		"1.7672256e9", "１７６７２２５６００", "1767225600000", "9223372036854775807", "9223372036854775808", "99999999999999999999999", "NaN",
	} {
		cases["timestamp "+seconds] = headers("evt_1", seconds, good)
	}
	opts := webhook.Options{Now: time.Unix(at, 0), Tolerance: 1 << 62}
	for name, header := range cases {
		if err := webhook.Verify([]webhook.Secret{secret}, header, []byte("{}"), opts); !errors.Is(err, webhook.ErrHeader) {
			t.Errorf("%s: got %v, want ErrHeader", name, err)
		}
	}
	if err := webhook.Verify([]webhook.Secret{secret}, headers("evt_1", "1767225600", good), []byte("{}"), opts); err != nil {
		t.Errorf("the message that the cases are made of: %v", err)
	}
}

func TestAllSignatureLinesCount(t *testing.T) {
	t.Parallel()
	v := vectors(t, "v1")[0]
	stamp := strconv.FormatInt(v.Timestamp, 10)
	for name, header := range map[string]http.Header{
		"last of several lines":          headers(v.ID, stamp, "v1,x", "v1a,y z", v.Signature),
		"lines joined by a proxy":        headers(v.ID, stamp, "v1,x, "+v.Signature+", v1,y"),
		"entry 32":                       headers(v.ID, stamp, strings.Repeat("v1,x ", 31)+v.Signature),
		"tabs and more than one space":   headers(v.ID, stamp, "v1,x \t  "+v.Signature+"  "),
		"entry 32, one entry on a line":  headers(v.ID, stamp, append(slices.Repeat([]string{"v1,x"}, 31), v.Signature)...),
		"the right one first, then junk": headers(v.ID, stamp, v.Signature, "%%%"),
	} {
		if err := webhook.Verify([]webhook.Secret{mustParse(t, v.Secret)}, header, []byte(v.Body), webhook.Options{Now: v.time()}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheToleranceHoldsInBothDirections(t *testing.T) {
	t.Parallel()
	v := vectors(t, "v1")[0]
	secrets := []webhook.Secret{mustParse(t, v.Secret)}
	for _, c := range []struct {
		tolerance, ahead time.Duration
		want             error
	}{
		{0, 5 * time.Minute, nil},
		{0, -5 * time.Minute, nil},
		{0, 5*time.Minute + 1, webhook.ErrStale},
		{0, -5*time.Minute - 1, webhook.ErrStale},
		{time.Second, time.Second, nil},
		{time.Second, 2 * time.Second, webhook.ErrStale},
		{time.Hour, -59 * time.Minute, nil},
		{time.Hour, -61 * time.Minute, webhook.ErrStale},
		{-1, 0, webhook.ErrStale},
	} {
		opts := webhook.Options{Tolerance: c.tolerance, Now: v.time().Add(c.ahead)}
		if err := webhook.Verify(secrets, v.header(), []byte(v.Body), opts); !errors.Is(err, c.want) {
			t.Errorf("tolerance %s, clock ahead by %s: got %v, want %v", c.tolerance, c.ahead, err, c.want)
		}
	}
	if err := webhook.Verify(secrets, v.header(), []byte(v.Body), webhook.Options{}); !errors.Is(err, webhook.ErrStale) {
		t.Errorf("a message of 2021 against the clock: %v", err)
	}
	far := headers(v.ID, "999999999999", v.Signature)
	if err := webhook.Verify(secrets, far, []byte(v.Body), webhook.Options{Now: v.time()}); !errors.Is(err, webhook.ErrStale) {
		t.Errorf("a message of the year 33658: %v", err)
	}
}

func TestWhileSecretsRotateEitherSideMayBeAhead(t *testing.T) {
	t.Parallel()
	now := time.Now()
	body := []byte(`{"a":1}`)
	old, current, stranger := mustParse(t, whsec(32)), webhook.NewSecret(), webhook.NewSecret()
	header, err := webhook.Sign([]webhook.Secret{current, old}, "evt_1", now, body)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := current.Sign("evt_1", now, body)
	if entries := strings.Fields(header.Get("webhook-signature")); len(entries) != 2 || entries[0] != first {
		t.Fatalf("the current secret is not first of two: %v", entries)
	}
	for _, c := range []struct {
		secrets []webhook.Secret
		want    error
	}{
		{[]webhook.Secret{old}, nil},
		{[]webhook.Secret{current}, nil},
		{[]webhook.Secret{stranger, old}, nil},
		{[]webhook.Secret{stranger}, webhook.ErrSignature},
		{nil, webhook.ErrSecret},
		{[]webhook.Secret{{}}, webhook.ErrSecret},
	} {
		if err := webhook.Verify(c.secrets, header, body, webhook.Options{}); !errors.Is(err, c.want) {
			t.Errorf("%v: got %v, want %v", c.secrets, err, c.want)
		}
	}
	for _, secret := range []webhook.Secret{old, current} {
		if err := oracle(t, secret.Reveal()).Verify(body, header); err != nil {
			t.Errorf("oracle: %v", err)
		}
	}
}

func TestWhatCannotBeVerifiedIsNotSigned(t *testing.T) {
	t.Parallel()
	good := []webhook.Secret{webhook.NewSecret()}
	now := time.Now()
	for name, c := range map[string]struct {
		secrets []webhook.Secret
		id      string
		at      time.Time
		want    error
	}{
		"no secret":        {nil, "evt_1", now, webhook.ErrSecret},
		"zero secret":      {[]webhook.Secret{good[0], {}}, "evt_1", now, webhook.ErrSecret},
		"33 secrets":       {slices.Repeat(good, 33), "evt_1", now, webhook.ErrHeader},
		"empty id":         {good, "", now, webhook.ErrHeader},
		"full stop in id":  {good, "evt.1", now, webhook.ErrHeader},
		"line feed in id":  {good, "evt\r\nx: y", now, webhook.ErrHeader},
		"before 1970":      {good, "evt_1", time.Unix(-1, 0), webhook.ErrHeader},
		"zero time":        {good, "evt_1", time.Time{}, webhook.ErrHeader},
		"after year 33658": {good, "evt_1", time.Unix(1_000_000_000_000, 0), webhook.ErrHeader},
	} {
		if header, err := webhook.Sign(c.secrets, c.id, c.at, nil); !errors.Is(err, c.want) || header != nil {
			t.Errorf("%s: got %v, %v", name, header, err)
		}
	}
}

func TestWhatTheOracleSignsIsAccepted(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, text := range []string{whsec(24), whsec(64), "a plain text of mine", webhook.NewSecret().Reveal()} {
		for _, body := range []string{"", "{}", "a.b.c", "é\x00\xff"} {
			signature, err := oracle(t, text).Sign("evt_1", now, []byte(body))
			if err != nil {
				t.Fatal(err)
			}
			header := headers("evt_1", strconv.FormatInt(now.Unix(), 10), signature)
			if err := webhook.Verify([]webhook.Secret{mustParse(t, text)}, header, []byte(body), webhook.Options{}); err != nil {
				t.Errorf("%q: %v", body, err)
			}
		}
	}
}

// FuzzOnlyWhatWasSignedVerifies signs a message and then flips every single bit of what was sent.
func FuzzOnlyWhatWasSignedVerifies(f *testing.F) {
	f.Add([]byte("k"), "evt_01KE0000000000000000000000", uint64(1767225600), []byte(`{"type":"ping"}`))
	f.Add([]byte(""), "a", uint64(0), []byte{})
	f.Add([]byte("\xff\x00"), "-_-", uint64(999_999_999_999), []byte("1.2.3"))
	f.Fuzz(func(t *testing.T, seed []byte, id string, seconds uint64, body []byte) {
		if len(body) > 256 || len(id) > 64 {
			return // each bit costs an HMAC
		}
		at := time.Unix(int64(seconds%1_000_000_000_000), 0)
		secrets := []webhook.Secret{mustParse(t, "whsec_"+base64.StdEncoding.EncodeToString(append(slices.Clone(seed[:min(len(seed), 32)]), make([]byte, 24)...)))}
		header, err := webhook.Sign(secrets, id, at, body)
		if errors.Is(err, webhook.ErrHeader) {
			return // an id that may not be used
		}
		if err != nil {
			t.Fatal(err)
		}
		opts := webhook.Options{Now: at, Tolerance: 1 << 62} // so that the signature alone refuses a changed timestamp
		if err := webhook.Verify(secrets, header, body, opts); err != nil {
			t.Fatalf("verify what was signed: %v", err)
		}
		for bit := range 8 * len(body) {
			if webhook.Verify(secrets, header, flip(body, bit), opts) == nil {
				t.Fatalf("bit %d of the body changes nothing", bit)
			}
		}
		for name, values := range header {
			for bit := range 8 * len(values[0]) {
				changed := maps.Clone(header)
				changed[name] = []string{string(flip([]byte(values[0]), bit))}
				if webhook.Verify(secrets, changed, body, opts) == nil {
					t.Fatalf("bit %d of %s changes nothing: %q", bit, name, changed[name])
				}
			}
		}
	})
}

func flip(b []byte, bit int) []byte {
	c := slices.Clone(b)
	c[bit/8] ^= 1 << (bit % 8)
	return c
}

// FuzzVerifyTakesAnyHeader looks for panics, and for a stranger's message that is accepted.
func FuzzVerifyTakesAnyHeader(f *testing.F) {
	f.Add("evt_1", "1767225600", "v1,x v1a,y", []byte("{}"))
	f.Add("", "+1", " , ,", []byte{})
	f.Fuzz(func(t *testing.T, id, timestamp, signature string, body []byte) {
		secrets := []webhook.Secret{webhook.NewSecret()} // nobody can have signed with it
		if webhook.Verify(secrets, headers(id, timestamp, signature), body, webhook.Options{Now: time.Unix(1767225600, 0)}) == nil {
			t.Fatal("a forged message is accepted")
		}
	})
}
