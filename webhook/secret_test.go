package webhook_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/platen-render/platen/webhook"
)

func whsec(bytes int) string {
	return "whsec_" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", bytes)))
}

func mustParse(t *testing.T, text string) webhook.Secret {
	t.Helper()
	secret, err := webhook.ParseSecret(text)
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

func TestSecretsOfTheRightLengthAreAccepted(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		whsec(24), whsec(25), whsec(64),
		"0123456789abcdef", strings.Repeat("x", 256), strings.Repeat("é", 256), "sixteen chars ok", "whsec-looks-alike",
	} {
		if got := mustParse(t, text); got.Reveal() != text || got.IsZero() {
			t.Errorf("%q became %q", text, got.Reveal())
		}
	}
}

func TestUnusableSecretsAreRefusedAndNotQuoted(t *testing.T) {
	t.Parallel()
	full := whsec(32)
	for name, text := range map[string]string{
		"empty":                     "",
		"only the prefix":           "whsec_",
		"short key":                 whsec(23),
		"long key":                  whsec(65),
		"not base64":                "whsec_hunter2hunter2hunter2hunter2hunt!",
		"base64 of another sort":    "whsec_" + base64.URLEncoding.EncodeToString(bytes.Repeat([]byte{0xfb}, 24)),
		"no padding":                strings.TrimRight(whsec(25), "="),
		"line feed inside base64":   full[:20] + "\n" + full[20:],
		"line feed after base64":    full + "\n",
		"stray bits in the padding": whsec(25)[:6+33] + "x==",
		"short text":                "hunter2hunter2!",
		"text short in characters":  "ééééééééééééééé",
		"long text":                 strings.Repeat("x", 257),
		"text with line feed":       "hunter2hunter2hunter2\n",
		"text with space in front":  " hunter2hunter2hunter2",
		"text with NUL":             "hunter2hunter2\x00hunter2",
		"not UTF-8":                 "hunter2hunter2hunter2\xff",
		"private ed25519 key":       "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==",
		"public ed25519 key":        "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=",
	} {
		secret, err := webhook.ParseSecret(text)
		if !errors.Is(err, webhook.ErrSecret) || !secret.IsZero() {
			t.Errorf("%s: got %v", name, err)
			continue
		}
		if len(text) > 10 && strings.Contains(err.Error(), text[6:10]) {
			t.Errorf("%s: %q quotes the secret", name, err)
		}
	}
}

func TestANewSecretIsRandomAndReadsBack(t *testing.T) {
	t.Parallel()
	a, b := webhook.NewSecret(), webhook.NewSecret()
	if a.Equal(b) || !strings.HasPrefix(a.Reveal(), "whsec_") {
		t.Fatal("two new secrets are equal, or not whsec_")
	}
	if !mustParse(t, a.Reveal()).Equal(a) {
		t.Fatal("a new secret does not read back")
	}
}

func TestOneKeyIsEqualHoweverItIsWritten(t *testing.T) {
	t.Parallel()
	encoded, plain := mustParse(t, whsec(24)), mustParse(t, strings.Repeat("k", 24))
	if !encoded.Equal(plain) || encoded.Equal(mustParse(t, whsec(25))) {
		t.Fatal("Equal does not compare the key")
	}
	var zero webhook.Secret
	if zero.Equal(plain) || plain.Equal(zero) || !zero.Equal(webhook.Secret{}) {
		t.Fatal("the zero secret is equal to a key")
	}
}

func TestASecretIsNeverPrinted(t *testing.T) {
	t.Parallel()
	secret := mustParse(t, "hunter2hunter2hunter2")
	type private struct{ secret webhook.Secret } // fmt does not ask String here
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&out, verb+"\n", secret)
		fmt.Fprintf(&out, verb+"\n", &secret)
		fmt.Fprintf(&out, verb+"\n", private{secret})
		fmt.Fprintf(&out, verb+"\n", []webhook.Secret{secret})
	}
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", slog.Any("s", secret), slog.Any("list", []webhook.Secret{secret}))
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", slog.Any("s", secret), slog.Any("in", private{secret}))
	if err := json.NewEncoder(&out).Encode(map[string]any{"s": secret}); err != nil {
		t.Fatal(err)
	}
	for _, leak := range []string{"hunter2", "68756e74657232", "104 117 110", "0x68, 0x75", base64.StdEncoding.EncodeToString([]byte("hunter2hunter2hunter2"))} {
		if strings.Contains(out.String(), leak) {
			t.Errorf("%q was printed:\n%s", leak, out.String())
		}
	}
	if secret.String() != "[redacted]" || (webhook.Secret{}).String() != "[unset]" || (webhook.Secret{}).Reveal() != "" {
		t.Error("a secret does not say whether it is set")
	}
}
