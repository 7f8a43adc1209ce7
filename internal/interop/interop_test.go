// Package interop_test holds our signatures to those who did not write them: the Standard Webhooks libraries for Go and
// Node, and the functions that docs/webhooks.md gives to receivers. It needs node, npm's package standardwebhooks
// (as testdata/npm/package-lock.json names it), python3, php, bash and openssl; `make setup-test` installs them.
package interop_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/platen-render/platen/internal/callbacks"
	"github.com/platen-render/platen/webhook"
)

// TestTheLibrariesOfOthersAndOursAgree starts each library once and asks both sides the same questions.
func TestTheLibrariesOfOthersAndOursAgree(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(*testing.T) library{
		"go":  func(*testing.T) library { return goLibrary{} },
		"npm": startNPM,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			theirs := open(t)
			t.Run("on what either signs", func(t *testing.T) { rapid.Check(t, eitherSigns(theirs)) })
			t.Run("on both secrets of a rotation", func(t *testing.T) { rapid.Check(t, rotation(theirs)) })
			t.Run("on any change", func(t *testing.T) { rapid.Check(t, anyChange(theirs)) })
			t.Run("on the tolerance", func(t *testing.T) { tolerance(t, theirs) })
			t.Run("on what our sender sends", func(t *testing.T) { sent(t, theirs) })
		})
	}
}

// texts are bodies: ours are JSON, but the signature must not care. The npm package takes UTF-8 only.
func texts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"", "{}", "\n", "\x00", "a.b.c", "\ufeff{}", "{\r\n}", `{"a":"é€😀\u00e9"}`, "e\u0301\u2028</script>", strings.Repeat("é.", webhook.MaxBody/3),
		}),
		rapid.String(),
	).Filter(utf8.ValidString)
}

func secrets() *rapid.Generator[webhook.Secret] {
	plain := rapid.StringN(16, 64, -1).Filter(func(text string) bool { _, err := webhook.ParseSecret(text); return err == nil })
	encoded := rapid.Map(rapid.SliceOfN(rapid.Byte(), 24, 64), whsec)
	fixed := rapid.SampledFrom([]string{"correct horse battery staple", "schlüsselwörter€", strings.Repeat("😀", 16), "whsec-looks-alike"})
	return rapid.Map(rapid.OneOf(plain, encoded, fixed), func(text string) webhook.Secret {
		secret, _ := webhook.ParseSecret(text) // usable ones only
		return secret
	})
}

func messages() *rapid.Generator[message] {
	return rapid.Custom(func(t *rapid.T) message {
		id := rapid.StringMatching(`[A-Za-z0-9_-]{1,64}`).Draw(t, "id")
		return message{ID: id, Timestamp: time.Now().Unix(), Body: texts().Draw(t, "body")}
	})
}

// signed is m with our signatures.
func signed(t rapid.TB, m message, secrets ...webhook.Secret) message {
	t.Helper()
	header, err := webhook.Sign(secrets, m.ID, time.Unix(m.Timestamp, 0), []byte(m.Body))
	if err != nil {
		t.Fatal(err)
	}
	if got := header.Get(webhook.HeaderTimestamp); got != strconv.FormatInt(m.Timestamp, 10) {
		t.Fatalf("our timestamp is %s", got)
	}
	m.Signature = header.Get(webhook.HeaderSignature)
	return m
}

// signedBy is m with the signatures of another library.
func signedBy(t rapid.TB, theirs library, m message, secrets ...webhook.Secret) message {
	t.Helper()
	entries := make([]string, len(secrets))
	for i, secret := range secrets {
		entry, err := theirs.sign(secret.Reveal(), m)
		if err != nil {
			t.Fatal(err)
		}
		entries[i] = entry
	}
	m.Signature = strings.Join(entries, " ")
	return m
}

// both fails unless they and we give the same answer, and it is the wanted one.
func both(t rapid.TB, theirs library, secret webhook.Secret, m message, want bool) {
	t.Helper()
	accepted, err := theirs.verify(secret.Reveal(), m)
	if err != nil {
		t.Fatal(err)
	}
	ours := webhook.Verify([]webhook.Secret{secret}, m.header(), []byte(m.Body), webhook.Options{})
	if accepted != want || (ours == nil) != want {
		t.Fatalf("%+v: they accept it: %t; ours says %v; want %t", m, accepted, ours, want)
	}
}

func eitherSigns(theirs library) func(*rapid.T) {
	return func(t *rapid.T) {
		secret, m := secrets().Draw(t, "secret"), messages().Draw(t, "message")
		ours, others := signed(t, m, secret), signedBy(t, theirs, m, secret)
		if ours.Signature != others.Signature {
			t.Fatalf("we sign %s, they %s", ours.Signature, others.Signature)
		}
		both(t, theirs, secret, ours, true)
	}
}

func rotation(theirs library) func(*rapid.T) {
	return func(t *rapid.T) {
		current, old, stranger := secrets().Draw(t, "current"), secrets().Draw(t, "old"), webhook.NewSecret()
		m := messages().Draw(t, "message")
		for _, m := range []message{signed(t, m, current, old), signedBy(t, theirs, m, current, old)} {
			both(t, theirs, current, m, true)
			both(t, theirs, old, m, true)
			both(t, theirs, stranger, m, false)
		}
		both(t, theirs, current, signed(t, m, stranger, old, current), true)
	}
}

func anyChange(theirs library) func(*rapid.T) {
	return func(t *rapid.T) {
		secret, m := secrets().Draw(t, "secret"), messages().Draw(t, "message")
		m = signed(t, m, secret)
		both(t, theirs, secret, m, true)
		for _, change := range []func(*message){
			func(m *message) { m.Body += " " },
			func(m *message) { m.Body = "\x00" + m.Body },
			func(m *message) { m.ID += "x" },
			func(m *message) { m.Timestamp-- },
			func(m *message) { m.Signature = m.Signature[:len(m.Signature)-1] },
			func(m *message) { m.Signature += "=" },
			func(m *message) { m.Signature = "v1a" + strings.TrimPrefix(m.Signature, "v1") },
			func(m *message) { m.Signature = strings.TrimPrefix(m.Signature, "v1,") },
		} {
			changed := m
			change(&changed)
			both(t, theirs, secret, changed, false)
		}
	}
}

// tolerance keeps ten seconds away from the limit, for the clock goes on during the test.
func tolerance(t *testing.T, theirs library) {
	t.Helper()
	secret := webhook.NewSecret()
	for age, want := range map[time.Duration]bool{
		-5*time.Minute + 10*time.Second: true, 5*time.Minute - 10*time.Second: true,
		-5*time.Minute - 10*time.Second: false, 5*time.Minute + 10*time.Second: false,
		24 * time.Hour: false, -24 * time.Hour: false,
	} {
		m := message{ID: "evt_1", Timestamp: time.Now().Add(-age).Unix(), Body: "{}"}
		both(t, theirs, secret, signed(t, m, secret), want)
		both(t, theirs, secret, signedBy(t, theirs, m, secret), want)
	}
}

// sent has the real sender deliver to a server, and asks about what arrived there.
func sent(t *testing.T, theirs library) {
	t.Helper()
	arrived := make(chan message, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // a body cut short would not verify
		seconds, _ := strconv.ParseInt(r.Header.Get(webhook.HeaderTimestamp), 10, 64)
		arrived <- message{r.Header.Get(webhook.HeaderID), seconds, r.Header.Get(webhook.HeaderSignature), string(body)}
	}))
	defer server.Close()
	current, old := webhook.NewSecret(), parse(t, "correct horse battery staple")
	sender := &callbacks.Sender{Client: server.Client()}
	attempt := sender.Send(t.Context(), callbacks.Message{
		URL: server.URL, ID: "evt_01KE0000000000000000000000", Secrets: []webhook.Secret{current, old},
		Body: []byte(`{"type":"job.succeeded","timestamp":"2026-01-02T03:04:05Z","data":{"document_key":"facture:été-€"}}`),
	})
	if attempt.Outcome != callbacks.Delivered {
		t.Fatalf("sent: %v", attempt.Err)
	}
	m := <-arrived
	both(t, theirs, current, m, true)
	both(t, theirs, old, m, true)
	both(t, theirs, webhook.NewSecret(), m, false)
}

func parse(t *testing.T, text string) webhook.Secret {
	t.Helper()
	secret, err := webhook.ParseSecret(text)
	if err != nil {
		t.Fatal(err)
	}
	return secret
}
