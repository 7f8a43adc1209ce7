package interop_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/webhook"
)

// The verdicts on a case. The runners in testdata/samples print them.
const (
	accepted = "accepted"
	refused  = "refused"
	failed   = "error" // an unusable secret, which must not look like a forged message
)

// testCase is one message to verify. Headers are text here, for most cases are about their spelling; an empty one is
// not sent.
type testCase struct {
	name                              string
	now                               string // Unix seconds that the clock shows; empty means the real one
	secret, id, timestamp, signatures string
	body                              string
	want                              string
}

// mac is the signature of a message by the book, whatever its parts look like.
func mac(secret, id, timestamp, body string) string {
	key := []byte(secret)
	if encoded, ok := strings.CutPrefix(secret, "whsec_"); ok {
		key, _ = base64.StdEncoding.DecodeString(encoded)
	}
	hash := hmac.New(sha256.New, key)
	hash.Write([]byte(id + "." + timestamp + "." + body))
	return "v1," + base64.StdEncoding.EncodeToString(hash.Sum(nil))
}

func whsec(key []byte) string { return "whsec_" + base64.StdEncoding.EncodeToString(key) }

// change is a case with another name and verdict, and whatever edit does to it.
func (c testCase) change(name, want string, edit func(*testCase)) testCase {
	c.name, c.want = c.name+": "+name, want
	edit(&c)
	return c
}

// resigned is the case with the right signature for what it has become.
func (c testCase) resigned() testCase {
	c.signatures = mac(c.secret, c.id, c.timestamp, c.body)
	return c
}

// later is the timestamp, some seconds on.
func (c testCase) later(seconds int64) string {
	at, _ := strconv.ParseInt(c.timestamp, 10, 64) // ours are numbers until a case spoils them
	return strconv.FormatInt(at+seconds, 10)
}

// judgedByUs is the verdict of package webhook.
func (c testCase) judgedByUs(t *testing.T) string {
	t.Helper()
	secret, err := webhook.ParseSecret(c.secret)
	if err != nil {
		return failed
	}
	header := http.Header{}
	for name, value := range map[string]string{
		webhook.HeaderID: c.id, webhook.HeaderTimestamp: c.timestamp, webhook.HeaderSignature: c.signatures,
	} {
		if value != "" {
			header.Set(name, value)
		}
	}
	var opts webhook.Options
	if c.now != "" {
		seconds, err := strconv.ParseInt(c.now, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		opts.Now = time.Unix(seconds, 0)
	}
	err = webhook.Verify([]webhook.Secret{secret}, header, []byte(c.body), opts)
	switch {
	case err == nil:
		return accepted
	case errors.Is(err, webhook.ErrSecret):
		return failed
	}
	return refused
}

// encode writes what the runners read: for each case six fields, each ended by NUL. The body is in a file, and the last
// field names it.
func encode(t *testing.T, all []testCase) []byte {
	t.Helper()
	folder := t.TempDir()
	var b bytes.Buffer
	for i, c := range all {
		file := filepath.Join(folder, strconv.Itoa(i))
		if err := os.WriteFile(file, []byte(c.body), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, field := range []string{c.now, c.secret, c.id, c.timestamp, c.signatures, file} {
			b.WriteString(field)
			b.WriteByte(0)
		}
	}
	return b.Bytes()
}
